// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every form of strided layout, on either side: negative and zero strides, rank 0, nothing to copy,
// all numbers dynamic, layouts written as affine maps, numbered memory spaces, device to device.
// CALL: memcpy bytes=256 stream=1
// CALL: memcpy_strided bytes=4 dst_offset=0 src_offset=7 sizes=4 dst=1 src=-2 stream=2
// CALL: memcpy_strided bytes=4 dst_offset=0 src_offset=9 sizes=3,2 dst=2,1 src=0,1 stream=3
// CALL: memcpy_strided bytes=4 dst_offset=0 src_offset=11 sizes= dst= src= stream=4
// CALL: memcpy_strided bytes=4 dst_offset=0 src_offset=3 sizes=0,4 dst=4,1 src=8,1 stream=5
// CALL: memcpy_strided bytes=4 dst_offset=1 src_offset=5 sizes=2,3 dst=3,1 src=16,2 stream=6
// CALL: memcpy_strided bytes=4 dst_offset=0 src_offset=17 sizes=2,2 dst=2,1 src=8,1 stream=7
// CALL: memcpy_strided bytes=4 dst_offset=1 src_offset=2 sizes=3 dst=2 src=4 stream=8
// CALL: memcpy bytes=32 stream=9
// CALL: memcpy_strided bytes=4 dst_offset=0 src_offset=0 sizes=4 dst=1 src=2 stream=10

memref.global "private" constant @reversed : memref<4xi32> = dense<[7, 5, 3, 1]>
memref.global "private" constant @broadcast : memref<6xi32> = dense<[9, 10, 9, 10, 9, 10]>
memref.global "private" constant @dynamic : memref<7xi32> = dense<[-1, 5, 7, 9, 21, 23, 25]>
memref.global "private" constant @mapped : memref<4xi32> = dense<[17, 18, 25, 26]>
memref.global "private" constant @across : memref<8xi32> = dense<[0, 2, 2, 6, 4, 10, 6, 7]>
memref.global "private" constant @spaced : memref<4xi32> = dense<[0, 2, 4, 6]>

func.func private @count_wrong(%got: memref<?xi32>, %want: memref<?xi32>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %size = memref.dim %want, %c0 : memref<?xi32>
  %wrong = scf.for %i = %c0 to %size step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %0 = memref.load %got[%i] : memref<?xi32>
    %1 = memref.load %want[%i] : memref<?xi32>
    %differs = arith.cmpi ne, %0, %1 : i32
    %error = arith.select %differs, %one, %none : i64
    %wrong1 = arith.addi %wrong0, %error : i64
    scf.yield %wrong1 : i64
  }
  return %wrong : i64
}

func.func private @reversed_source(%device: memref<64xi32>) -> i64 {
  %view = memref.reinterpret_cast %device to offset: [7], sizes: [4], strides: [-2]
      : memref<64xi32> to memref<4xi32, strided<[-2], offset: 7>>
  %copy = memref.alloc() : memref<4xi32>
  gpu.memcpy %copy, %view : memref<4xi32>, memref<4xi32, strided<[-2], offset: 7>>
  %got = memref.cast %copy : memref<4xi32> to memref<?xi32>
  %global = memref.get_global @reversed : memref<4xi32>
  %want = memref.cast %global : memref<4xi32> to memref<?xi32>
  %wrong = func.call @count_wrong(%got, %want) : (memref<?xi32>, memref<?xi32>) -> i64
  memref.dealloc %copy : memref<4xi32>
  return %wrong : i64
}

// LLVM 19 forbids the zero in the type.
func.func private @broadcast_source(%device: memref<64xi32>, %zero: index) -> i64 {
  %view = memref.reinterpret_cast %device to offset: [9], sizes: [3, 2], strides: [%zero, 1]
      : memref<64xi32> to memref<3x2xi32, strided<[?, 1], offset: 9>>
  %copy = memref.alloc() : memref<3x2xi32>
  gpu.memcpy %copy, %view : memref<3x2xi32>, memref<3x2xi32, strided<[?, 1], offset: 9>>
  %flat = memref.collapse_shape %copy [[0, 1]] : memref<3x2xi32> into memref<6xi32>
  %got = memref.cast %flat : memref<6xi32> to memref<?xi32>
  %global = memref.get_global @broadcast : memref<6xi32>
  %want = memref.cast %global : memref<6xi32> to memref<?xi32>
  %wrong = func.call @count_wrong(%got, %want) : (memref<?xi32>, memref<?xi32>) -> i64
  memref.dealloc %copy : memref<3x2xi32>
  return %wrong : i64
}

func.func private @rank_0(%device: memref<64xi32>) -> i64 {
  %view = memref.reinterpret_cast %device to offset: [11], sizes: [], strides: []
      : memref<64xi32> to memref<i32, strided<[], offset: 11>>
  %copy = memref.alloc() : memref<i32>
  gpu.memcpy %copy, %view : memref<i32>, memref<i32, strided<[], offset: 11>>
  %got = memref.load %copy[] : memref<i32>
  %want = arith.constant 11 : i32
  %differs = arith.cmpi ne, %got, %want : i32
  %wrong = arith.extui %differs : i1 to i64
  memref.dealloc %copy : memref<i32>
  return %wrong : i64
}

func.func private @nothing(%device: memref<64xi32>, %size: index) -> i64 {
  %none = arith.constant 0 : i64
  %view = memref.reinterpret_cast %device to offset: [3], sizes: [%size, 4], strides: [8, 1]
      : memref<64xi32> to memref<?x4xi32, strided<[8, 1], offset: 3>>
  %copy = memref.alloc(%size) : memref<?x4xi32>
  gpu.memcpy %copy, %view : memref<?x4xi32>, memref<?x4xi32, strided<[8, 1], offset: 3>>
  memref.dealloc %copy : memref<?x4xi32>
  return %none : i64
}

// Rows 16 apart, columns 2 apart, from 5; into rows 3 apart, from 1.
func.func private @all_dynamic(%device: memref<64xi32>, %from: index, %rows: index, %columns: index,
    %row_stride: index, %column_stride: index, %to: index, %to_row_stride: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %background = arith.constant -1 : i32
  %view = memref.reinterpret_cast %device
      to offset: [%from], sizes: [%rows, %columns], strides: [%row_stride, %column_stride]
      : memref<64xi32> to memref<?x?xi32, strided<[?, ?], offset: ?>>
  %copy = memref.alloc(%c7) : memref<?xi32>
  scf.for %i = %c0 to %c7 step %c1 {
    memref.store %background, %copy[%i] : memref<?xi32>
  }
  %target = memref.reinterpret_cast %copy
      to offset: [%to], sizes: [%rows, %columns], strides: [%to_row_stride, %c1]
      : memref<?xi32> to memref<?x?xi32, strided<[?, ?], offset: ?>>
  gpu.memcpy %target, %view : memref<?x?xi32, strided<[?, ?], offset: ?>>,
      memref<?x?xi32, strided<[?, ?], offset: ?>>
  %global = memref.get_global @dynamic : memref<7xi32>
  %want = memref.cast %global : memref<7xi32> to memref<?xi32>
  %wrong = func.call @count_wrong(%copy, %want) : (memref<?xi32>, memref<?xi32>) -> i64
  memref.dealloc %copy : memref<?xi32>
  return %wrong : i64
}

func.func private @affine_map(%device: memref<64xi32>) -> i64 {
  %strided = memref.reinterpret_cast %device to offset: [17], sizes: [2, 2], strides: [8, 1]
      : memref<64xi32> to memref<2x2xi32, strided<[8, 1], offset: 17>>
  %view = memref.cast %strided : memref<2x2xi32, strided<[8, 1], offset: 17>>
      to memref<2x2xi32, affine_map<(d0, d1) -> (d0 * 8 + d1 + 17)>>
  %copy = memref.alloc() : memref<2x2xi32>
  gpu.memcpy %copy, %view
      : memref<2x2xi32>, memref<2x2xi32, affine_map<(d0, d1) -> (d0 * 8 + d1 + 17)>>
  %flat = memref.collapse_shape %copy [[0, 1]] : memref<2x2xi32> into memref<4xi32>
  %got = memref.cast %flat : memref<4xi32> to memref<?xi32>
  %global = memref.get_global @mapped : memref<4xi32>
  %want = memref.cast %global : memref<4xi32> to memref<?xi32>
  %wrong = func.call @count_wrong(%got, %want) : (memref<?xi32>, memref<?xi32>) -> i64
  memref.dealloc %copy : memref<2x2xi32>
  return %wrong : i64
}

// Every fourth element from 2 into every second from 1, both on the device, one buffer.
func.func private @across_device(%device: memref<64xi32>) -> i64 {
  %source = memref.subview %device[2] [3] [4]
      : memref<64xi32> to memref<3xi32, strided<[4], offset: 2>>
  %target = memref.subview %device[1] [3] [2]
      : memref<64xi32> to memref<3xi32, strided<[2], offset: 1>>
  gpu.memcpy %target, %source
      : memref<3xi32, strided<[2], offset: 1>>, memref<3xi32, strided<[4], offset: 2>>
  %start = memref.reinterpret_cast %device to offset: [0], sizes: [8], strides: [1]
      : memref<64xi32> to memref<8xi32>
  %copy = memref.alloc() : memref<8xi32>
  gpu.memcpy %copy, %start : memref<8xi32>, memref<8xi32>
  %got = memref.cast %copy : memref<8xi32> to memref<?xi32>
  %global = memref.get_global @across : memref<8xi32>
  %want = memref.cast %global : memref<8xi32> to memref<?xi32>
  %wrong = func.call @count_wrong(%got, %want) : (memref<?xi32>, memref<?xi32>) -> i64
  memref.dealloc %copy : memref<8xi32>
  return %wrong : i64
}

// Elements 0, 2, 4 and 6 of the buffer as @across_device has left it hold 0, 2, 4 and 6.
func.func private @memory_space(%device: memref<64xi32>) -> i64 {
  %spaced = memref.memory_space_cast %device : memref<64xi32> to memref<64xi32, 1>
  %view = memref.subview %spaced[0] [4] [2]
      : memref<64xi32, 1> to memref<4xi32, strided<[2]>, 1>
  %copy = memref.alloc() : memref<4xi32>
  gpu.memcpy %copy, %view : memref<4xi32>, memref<4xi32, strided<[2]>, 1>
  %got = memref.cast %copy : memref<4xi32> to memref<?xi32>
  %global = memref.get_global @spaced : memref<4xi32>
  %want = memref.cast %global : memref<4xi32> to memref<?xi32>
  %wrong = func.call @count_wrong(%got, %want) : (memref<?xi32>, memref<?xi32>) -> i64
  memref.dealloc %copy : memref<4xi32>
  return %wrong : i64
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index

  // Element i holds i.
  %values = memref.alloc() : memref<64xi32>
  scf.for %i = %c0 to %c64 step %c1 {
    %value = arith.index_cast %i : index to i32
    memref.store %value, %values[%i] : memref<64xi32>
  }
  %device = gpu.alloc() : memref<64xi32>
  gpu.memcpy %device, %values : memref<64xi32>, memref<64xi32>

  %0 = func.call @reversed_source(%device) : (memref<64xi32>) -> i64
  %1 = func.call @broadcast_source(%device, %c0) : (memref<64xi32>, index) -> i64
  %2 = func.call @rank_0(%device) : (memref<64xi32>) -> i64
  %3 = func.call @nothing(%device, %c0) : (memref<64xi32>, index) -> i64
  %4 = func.call @all_dynamic(%device, %c5, %c2, %c3, %c16, %c2, %c1, %c3)
      : (memref<64xi32>, index, index, index, index, index, index, index) -> i64
  %5 = func.call @affine_map(%device) : (memref<64xi32>) -> i64
  %6 = func.call @across_device(%device) : (memref<64xi32>) -> i64
  %7 = func.call @memory_space(%device) : (memref<64xi32>) -> i64
  %sum1 = arith.addi %0, %1 : i64
  %sum2 = arith.addi %sum1, %2 : i64
  %sum3 = arith.addi %sum2, %3 : i64
  %sum4 = arith.addi %sum3, %4 : i64
  %sum5 = arith.addi %sum4, %5 : i64
  %sum6 = arith.addi %sum5, %6 : i64
  %wrong = arith.addi %sum6, %7 : i64
  %checked = arith.constant 34 : i64
  vector.print str "elements checked: "
  vector.print %checked : i64
  vector.print str "elements wrong: "
  vector.print %wrong : i64
  gpu.dealloc %device : memref<64xi32>
  memref.dealloc %values : memref<64xi32>
  return
}
