// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dense host matrix copied into a block of a device matrix. MLIR's own lowering looks at the
// source's layout only and copies this flat. Every element of the whole device matrix is checked:
// those of the block, and those around it, which must be untouched.
// CALL: memcpy bytes=1152 stream=1
// CALL: memcpy_strided bytes=4 dst_offset=53 src_offset=0 sizes=4,6 dst=24,1 src=6,1 stream=1
// CALL: memcpy bytes=1152 stream=2

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c11 = arith.constant 11 : index
  %c12 = arith.constant 12 : index
  %c24 = arith.constant 24 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %background = arith.constant -7 : i32

  %before = memref.alloc() : memref<12x24xi32>
  scf.for %i = %c0 to %c12 step %c1 {
    scf.for %j = %c0 to %c24 step %c1 {
      memref.store %background, %before[%i, %j] : memref<12x24xi32>
    }
  }
  %block = memref.alloc() : memref<4x6xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      %row = arith.muli %i, %c6 : index
      %place = arith.addi %row, %j : index
      %value = arith.index_cast %place : index to i32
      memref.store %value, %block[%i, %j] : memref<4x6xi32>
    }
  }

  %device = gpu.alloc() : memref<12x24xi32>
  gpu.memcpy %device, %before : memref<12x24xi32>, memref<12x24xi32>
  %target = memref.subview %device[2, 5] [4, 6] [1, 1]
      : memref<12x24xi32> to memref<4x6xi32, strided<[24, 1], offset: 53>>
  gpu.memcpy %target, %block : memref<4x6xi32, strided<[24, 1], offset: 53>>, memref<4x6xi32>
  %after = memref.alloc() : memref<12x24xi32>
  gpu.memcpy %after, %device : memref<12x24xi32>, memref<12x24xi32>

  %checked, %wrong = scf.for %i = %c0 to %c12 step %c1
      iter_args(%checked0 = %none, %wrong0 = %none) -> (i64, i64) {
    %checked1, %wrong1 = scf.for %j = %c0 to %c24 step %c1
        iter_args(%checked2 = %checked0, %wrong2 = %wrong0) -> (i64, i64) {
      %0 = arith.cmpi uge, %i, %c2 : index
      %1 = arith.cmpi ult, %i, %c6 : index
      %2 = arith.cmpi uge, %j, %c5 : index
      %3 = arith.cmpi ult, %j, %c11 : index
      %4 = arith.andi %0, %1 : i1
      %5 = arith.andi %2, %3 : i1
      %inside = arith.andi %4, %5 : i1
      %block_i = arith.subi %i, %c2 : index
      %block_j = arith.subi %j, %c5 : index
      %row = arith.muli %block_i, %c6 : index
      %place = arith.addi %row, %block_j : index
      %copied = arith.index_cast %place : index to i32
      %expected = arith.select %inside, %copied, %background : i32
      %value = memref.load %after[%i, %j] : memref<12x24xi32>
      %differs = arith.cmpi ne, %value, %expected : i32
      %error = arith.select %differs, %one, %none : i64
      %checked3 = arith.addi %checked2, %one : i64
      %wrong3 = arith.addi %wrong2, %error : i64
      scf.yield %checked3, %wrong3 : i64, i64
    }
    scf.yield %checked1, %wrong1 : i64, i64
  }
  vector.print str "elements checked: "
  vector.print %checked : i64
  vector.print str "elements wrong: "
  vector.print %wrong : i64

  gpu.dealloc %device : memref<12x24xi32>
  memref.dealloc %before : memref<12x24xi32>
  memref.dealloc %block : memref<4x6xi32>
  memref.dealloc %after : memref<12x24xi32>
  return
}
