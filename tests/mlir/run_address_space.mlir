// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device memory in #gpu.address_space<global>, for which MLIR's own gpu-to-llvm has no rule, so that
// even its allocation stays behind.
// CALL: alloc bytes=128 shared=0 stream=1
// CALL: memcpy bytes=128 stream=1
// CALL: memset_strided bytes=4 dst_offset=31 sizes= dst= stream=1
// CALL: memcpy_strided bytes=4 dst_offset=0 src_offset=3 sizes=4,5 dst=5,1 src=8,1 stream=2

!global = memref<4x8xi32, #gpu.address_space<global>>

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c31 = arith.constant 31 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %last = arith.constant -9 : i32
  %values = memref.alloc() : memref<4x8xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %row = arith.muli %i, %c8 : index
      %place = arith.addi %row, %j : index
      %value = arith.index_cast %place : index to i32
      memref.store %value, %values[%i, %j] : memref<4x8xi32>
    }
  }

  %device = gpu.alloc() : !global
  gpu.memcpy %device, %values : !global, memref<4x8xi32>
  %single = memref.reinterpret_cast %device to offset: [31], sizes: [], strides: []
      : !global to memref<i32, strided<[], offset: 31>, #gpu.address_space<global>>
  gpu.memset %single, %last : memref<i32, strided<[], offset: 31>, #gpu.address_space<global>>, i32
  %block = memref.subview %device[0, 3] [4, 5] [1, 1]
      : !global to memref<4x5xi32, strided<[8, 1], offset: 3>, #gpu.address_space<global>>
  %copy = memref.alloc() : memref<4x5xi32>
  gpu.memcpy %copy, %block
      : memref<4x5xi32>, memref<4x5xi32, strided<[8, 1], offset: 3>, #gpu.address_space<global>>

  %wrong = scf.for %i = %c0 to %c4 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %wrong1 = scf.for %j = %c0 to %c5 step %c1 iter_args(%wrong2 = %wrong0) -> (i64) {
      %column = arith.addi %j, %c3 : index
      %row = arith.muli %i, %c8 : index
      %place = arith.addi %row, %column : index
      %value = arith.index_cast %place : index to i32
      %is_last = arith.cmpi eq, %place, %c31 : index
      %want = arith.select %is_last, %last, %value : i32
      %got = memref.load %copy[%i, %j] : memref<4x5xi32>
      %differs = arith.cmpi ne, %got, %want : i32
      %error = arith.select %differs, %one, %none : i64
      %wrong3 = arith.addi %wrong2, %error : i64
      scf.yield %wrong3 : i64
    }
    scf.yield %wrong1 : i64
  }
  %checked = arith.constant 20 : i64
  vector.print str "elements checked: "
  vector.print %checked : i64
  vector.print str "elements wrong: "
  vector.print %wrong : i64
  gpu.dealloc %device : !global
  memref.dealloc %values : memref<4x8xi32>
  memref.dealloc %copy : memref<4x5xi32>
  return
}
