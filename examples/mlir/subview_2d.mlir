// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block of 8 x 32 elements out of a device matrix of 64 x 128, copied to the host: rows of 128
// bytes that are 512 bytes apart.

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64

  // Element (i, j) holds 128 i + j, its place in the matrix.
  %values = memref.alloc() : memref<64x128xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c128 step %c1 {
      %row = arith.muli %i, %c128 : index
      %place = arith.addi %row, %j : index
      %integer = arith.index_cast %place : index to i64
      %value = arith.sitofp %integer : i64 to f32
      memref.store %value, %values[%i, %j] : memref<64x128xf32>
    }
  }

  %device = gpu.alloc() : memref<64x128xf32>
  gpu.memcpy %device, %values : memref<64x128xf32>, memref<64x128xf32>
  %block = memref.subview %device[3, 10] [8, 32] [1, 1]
      : memref<64x128xf32> to memref<8x32xf32, strided<[128, 1], offset: 394>>
  %copy = memref.alloc() : memref<8x32xf32>
  gpu.memcpy %copy, %block : memref<8x32xf32>, memref<8x32xf32, strided<[128, 1], offset: 394>>

  %checked, %wrong = scf.for %i = %c0 to %c8 step %c1
      iter_args(%checked0 = %none, %wrong0 = %none) -> (i64, i64) {
    %checked1, %wrong1 = scf.for %j = %c0 to %c32 step %c1
        iter_args(%checked2 = %checked0, %wrong2 = %wrong0) -> (i64, i64) {
      %from_row = arith.addi %i, %c3 : index
      %from_column = arith.addi %j, %c10 : index
      %row = arith.muli %from_row, %c128 : index
      %place = arith.addi %row, %from_column : index
      %integer = arith.index_cast %place : index to i64
      %expected = arith.sitofp %integer : i64 to f32
      %value = memref.load %copy[%i, %j] : memref<8x32xf32>
      %differs = arith.cmpf une, %value, %expected : f32
      %error = arith.select %differs, %one, %none : i64
      %checked3 = arith.addi %checked2, %one : i64
      %wrong3 = arith.addi %wrong2, %error : i64
      scf.yield %checked3, %wrong3 : i64, i64
    }
    scf.yield %checked1, %wrong1 : i64, i64
  }
  vector.print str "copied: memref<8x32xf32, strided<[128, 1], offset: 394>> to memref<8x32xf32>\n"
  vector.print str "elements checked: "
  vector.print %checked : i64
  vector.print str "elements wrong: "
  vector.print %wrong : i64

  gpu.dealloc %device : memref<64x128xf32>
  memref.dealloc %copy : memref<8x32xf32>
  memref.dealloc %values : memref<64x128xf32>
  return
}
