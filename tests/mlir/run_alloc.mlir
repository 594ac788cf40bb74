// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpu.alloc of strided layouts, which MLIR's own lowering leaves behind: padded rows, an offset, a
// negative stride, and numbers that are known at run time only. The traces give the sizes reserved.
// CALL: alloc bytes=176 shared=0 stream=1
// CALL: memcpy_strided bytes=4 dst_offset=2 src_offset=0 sizes=4,6 dst=12,1 src=6,1 stream=1
// CALL: memcpy_strided bytes=4 dst_offset=0 src_offset=2 sizes=4,6 dst=6,1 src=12,1 stream=1
// CALL: alloc bytes=172 shared=0 stream=2
// CALL: memcpy_strided bytes=4 dst_offset=1 src_offset=0 sizes=4,6 dst=12,1 src=6,1 stream=2
// CALL: memcpy_strided bytes=4 dst_offset=0 src_offset=1 sizes=4,6 dst=6,1 src=12,1 stream=2
// CALL: alloc bytes=96 shared=0 stream=3
// CALL: memcpy_strided bytes=4 dst_offset=18 src_offset=0 sizes=4,6 dst=-6,1 src=6,1 stream=3
// CALL: memcpy_strided bytes=4 dst_offset=0 src_offset=18 sizes=4,6 dst=6,1 src=-6,1 stream=3

func.func private @static(%in: memref<4x6xi32>, %out: memref<4x6xi32>) {
  %device = gpu.alloc() : memref<4x6xi32, strided<[12, 1], offset: 2>>
  gpu.memcpy %device, %in : memref<4x6xi32, strided<[12, 1], offset: 2>>, memref<4x6xi32>
  gpu.memcpy %out, %device : memref<4x6xi32>, memref<4x6xi32, strided<[12, 1], offset: 2>>
  gpu.dealloc %device : memref<4x6xi32, strided<[12, 1], offset: 2>>
  return
}

func.func private @dynamic(%in: memref<4x6xi32>, %out: memref<4x6xi32>,
    %rows: index, %offset: index, %row_stride: index) {
  %device = gpu.alloc(%rows)[%offset, %row_stride] : memref<?x6xi32, strided<[?, 1], offset: ?>>
  %given = memref.cast %in : memref<4x6xi32> to memref<?x6xi32>
  %taken = memref.cast %out : memref<4x6xi32> to memref<?x6xi32>
  gpu.memcpy %device, %given : memref<?x6xi32, strided<[?, 1], offset: ?>>, memref<?x6xi32>
  gpu.memcpy %taken, %device : memref<?x6xi32>, memref<?x6xi32, strided<[?, 1], offset: ?>>
  gpu.dealloc %device : memref<?x6xi32, strided<[?, 1], offset: ?>>
  return
}

func.func private @backwards(%in: memref<4x6xi32>, %out: memref<4x6xi32>) {
  %device = gpu.alloc() : memref<4x6xi32, strided<[-6, 1], offset: 18>>
  gpu.memcpy %device, %in : memref<4x6xi32, strided<[-6, 1], offset: 18>>, memref<4x6xi32>
  gpu.memcpy %out, %device : memref<4x6xi32>, memref<4x6xi32, strided<[-6, 1], offset: 18>>
  gpu.dealloc %device : memref<4x6xi32, strided<[-6, 1], offset: 18>>
  return
}

// Counts the elements of %out that are not those of %in, and spoils %out for the next copy.
func.func private @count_wrong(%in: memref<4x6xi32>, %out: memref<4x6xi32>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %spoiled = arith.constant -1 : i32
  %wrong = scf.for %i = %c0 to %c4 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %wrong1 = scf.for %j = %c0 to %c6 step %c1 iter_args(%wrong2 = %wrong0) -> (i64) {
      %want = memref.load %in[%i, %j] : memref<4x6xi32>
      %got = memref.load %out[%i, %j] : memref<4x6xi32>
      memref.store %spoiled, %out[%i, %j] : memref<4x6xi32>
      %differs = arith.cmpi ne, %got, %want : i32
      %error = arith.select %differs, %one, %none : i64
      %wrong3 = arith.addi %wrong2, %error : i64
      scf.yield %wrong3 : i64
    }
    scf.yield %wrong1 : i64
  }
  return %wrong : i64
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c12 = arith.constant 12 : index
  %in = memref.alloc() : memref<4x6xi32>
  %out = memref.alloc() : memref<4x6xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      %row = arith.muli %i, %c6 : index
      %place = arith.addi %row, %j : index
      %value = arith.index_cast %place : index to i32
      memref.store %value, %in[%i, %j] : memref<4x6xi32>
    }
  }
  func.call @static(%in, %out) : (memref<4x6xi32>, memref<4x6xi32>) -> ()
  %0 = func.call @count_wrong(%in, %out) : (memref<4x6xi32>, memref<4x6xi32>) -> i64
  func.call @dynamic(%in, %out, %c4, %c1, %c12)
      : (memref<4x6xi32>, memref<4x6xi32>, index, index, index) -> ()
  %1 = func.call @count_wrong(%in, %out) : (memref<4x6xi32>, memref<4x6xi32>) -> i64
  func.call @backwards(%in, %out) : (memref<4x6xi32>, memref<4x6xi32>) -> ()
  %2 = func.call @count_wrong(%in, %out) : (memref<4x6xi32>, memref<4x6xi32>) -> i64
  %sum = arith.addi %0, %1 : i64
  %wrong = arith.addi %sum, %2 : i64
  %checked = arith.constant 72 : i64
  vector.print str "elements checked: "
  vector.print %checked : i64
  vector.print str "elements wrong: "
  vector.print %wrong : i64
  memref.dealloc %in : memref<4x6xi32>
  memref.dealloc %out : memref<4x6xi32>
  return
}
