// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device matrix of 48 x 80 read column by column: the source's strides are permuted, so that no
// two neighbours of the destination are neighbours in the source.

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %c80 = arith.constant 80 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64

  // Element (i, j) holds 80 i + j, its place in the matrix.
  %values = memref.alloc() : memref<48x80xf32>
  scf.for %i = %c0 to %c48 step %c1 {
    scf.for %j = %c0 to %c80 step %c1 {
      %row = arith.muli %i, %c80 : index
      %place = arith.addi %row, %j : index
      %integer = arith.index_cast %place : index to i64
      %value = arith.sitofp %integer : i64 to f32
      memref.store %value, %values[%i, %j] : memref<48x80xf32>
    }
  }

  %device = gpu.alloc() : memref<48x80xf32>
  gpu.memcpy %device, %values : memref<48x80xf32>, memref<48x80xf32>
  %transposed = memref.transpose %device (i, j) -> (j, i)
      : memref<48x80xf32> to memref<80x48xf32, strided<[1, 80]>>
  %copy = memref.alloc() : memref<80x48xf32>
  gpu.memcpy %copy, %transposed : memref<80x48xf32>, memref<80x48xf32, strided<[1, 80]>>

  %checked, %wrong = scf.for %i = %c0 to %c80 step %c1
      iter_args(%checked0 = %none, %wrong0 = %none) -> (i64, i64) {
    %checked1, %wrong1 = scf.for %j = %c0 to %c48 step %c1
        iter_args(%checked2 = %checked0, %wrong2 = %wrong0) -> (i64, i64) {
      %row = arith.muli %j, %c80 : index
      %place = arith.addi %row, %i : index
      %integer = arith.index_cast %place : index to i64
      %expected = arith.sitofp %integer : i64 to f32
      %value = memref.load %copy[%i, %j] : memref<80x48xf32>
      %differs = arith.cmpf une, %value, %expected : f32
      %error = arith.select %differs, %one, %none : i64
      %checked3 = arith.addi %checked2, %one : i64
      %wrong3 = arith.addi %wrong2, %error : i64
      scf.yield %checked3, %wrong3 : i64, i64
    }
    scf.yield %checked1, %wrong1 : i64, i64
  }
  vector.print str "copied: memref<80x48xf32, strided<[1, 80]>> to memref<80x48xf32>\n"
  vector.print str "elements checked: "
  vector.print %checked : i64
  vector.print str "elements wrong: "
  vector.print %wrong : i64

  gpu.dealloc %device : memref<48x80xf32>
  memref.dealloc %copy : memref<80x48xf32>
  memref.dealloc %values : memref<48x80xf32>
  return
}
