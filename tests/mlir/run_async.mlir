// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies with none, one and several dependencies, on one stream and on several, and
// synchronous ones that depend on asynchronous ones. A stream does its work as late as it may under
// the tracing run-time library, so a dependency that is lost leaves wrong elements.

// Device buffers are 4 x 8, host blocks 4 x 2 at column 3.
!matrix = memref<4x8xi32>
!block = memref<4x2xi32>
!column = memref<4x2xi32, strided<[8, 1], offset: 3>>

func.func private @fill(%block: !block, %start: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %row = arith.muli %i, %c2 : index
      %place = arith.addi %row, %j : index
      %number = arith.index_cast %place : index to i32
      %value = arith.addi %number, %start : i32
      memref.store %value, %block[%i, %j] : !block
    }
  }
  return
}

func.func private @count_wrong(%block: !block, %start: i32) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %wrong = scf.for %i = %c0 to %c4 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %wrong1 = scf.for %j = %c0 to %c2 step %c1 iter_args(%wrong2 = %wrong0) -> (i64) {
      %row = arith.muli %i, %c2 : index
      %place = arith.addi %row, %j : index
      %number = arith.index_cast %place : index to i32
      %want = arith.addi %number, %start : i32
      %got = memref.load %block[%i, %j] : !block
      %differs = arith.cmpi ne, %got, %want : i32
      %error = arith.select %differs, %one, %none : i64
      %wrong3 = arith.addi %wrong2, %error : i64
      scf.yield %wrong3 : i64
    }
    scf.yield %wrong1 : i64
  }
  return %wrong : i64
}

// In to a block and out of it, on one stream.
func.func private @chain(%in: !block, %out: !block) {
  %t0 = gpu.wait async
  %device, %t1 = gpu.alloc async [%t0] () : !matrix
  %column = memref.subview %device[0, 3] [4, 2] [1, 1] : !matrix to !column
  %t2 = gpu.memcpy async [%t1] %column, %in : !column, !block
  %t3 = gpu.memcpy async [%t2] %out, %column : !block, !column
  %t4 = gpu.dealloc async [%t3] %device : !matrix
  gpu.wait [%t4]
  return
}

// The first operation depends on nothing; MLIR itself takes none without a dependency.
func.func private @no_dependency(%in: !block, %out: !block) {
  %device, %t1 = gpu.alloc async () : !matrix
  %column = memref.subview %device[0, 3] [4, 2] [1, 1] : !matrix to !column
  gpu.wait [%t1]
  %t2 = gpu.memcpy async %column, %in : !column, !block
  %t3 = gpu.memcpy async [%t2] %out, %column : !block, !column
  gpu.wait [%t3]
  %t4 = gpu.dealloc async %device : !matrix
  gpu.wait [%t4]
  return
}

// Two streams fill two blocks; a third operation reads what both have done.
func.func private @two_streams(%in: !block, %other: !block, %out: !block, %more: !block) {
  %t0 = gpu.wait async
  %device, %t1 = gpu.alloc async [%t0] () : !matrix
  gpu.wait [%t1]
  %column = memref.subview %device[0, 3] [4, 2] [1, 1] : !matrix to !column
  %right = memref.subview %device[0, 5] [4, 2] [1, 1]
      : !matrix to memref<4x2xi32, strided<[8, 1], offset: 5>>
  %a0 = gpu.wait async
  %b0 = gpu.wait async
  %a1 = gpu.memcpy async [%a0] %column, %in : !column, !block
  %b1 = gpu.memcpy async [%b0] %right, %other
      : memref<4x2xi32, strided<[8, 1], offset: 5>>, !block
  %c1 = gpu.memcpy async [%a1, %b1] %out, %column : !block, !column
  %c2 = gpu.memcpy async [%c1] %more, %right
      : !block, memref<4x2xi32, strided<[8, 1], offset: 5>>
  %t2 = gpu.dealloc async [%c2] %device : !matrix
  gpu.wait [%t2]
  return
}

// Two operations after one, and one after both: a single stream all along.
func.func private @fork_and_join(%in: !block, %other: !block, %out: !block) {
  %t0 = gpu.wait async
  %device, %t1 = gpu.alloc async [%t0] () : !matrix
  %column = memref.subview %device[0, 3] [4, 2] [1, 1] : !matrix to !column
  %right = memref.subview %device[0, 5] [4, 2] [1, 1]
      : !matrix to memref<4x2xi32, strided<[8, 1], offset: 5>>
  %a = gpu.memcpy async [%t1] %column, %in : !column, !block
  %b = gpu.memcpy async [%t1] %right, %other
      : memref<4x2xi32, strided<[8, 1], offset: 5>>, !block
  %c = gpu.memcpy async [%a, %b, %t1] %out, %column : !block, !column
  %t2 = gpu.dealloc async [%c, %a] %device : !matrix
  gpu.wait [%t2]
  return
}

// Blocks until its dependency and itself are done, and leaves the dependency's stream alone.
func.func private @synchronous_with_dependency(%in: !block, %out: !block) {
  %t0 = gpu.wait async
  %device, %t1 = gpu.alloc async [%t0] () : !matrix
  %column = memref.subview %device[0, 3] [4, 2] [1, 1] : !matrix to !column
  %t2 = gpu.memcpy async [%t1] %column, %in : !column, !block
  gpu.memcpy [%t2] %out, %column : !block, !column
  %t3 = gpu.dealloc async [%t2] %device : !matrix
  gpu.wait [%t3]
  return
}

// Neither dependency nor token: done on return.
func.func private @synchronous(%in: !block, %out: !block) {
  %t0 = gpu.wait async
  %device, %t1 = gpu.alloc async [%t0] () : !matrix
  gpu.wait [%t1]
  %column = memref.subview %device[0, 3] [4, 2] [1, 1] : !matrix to !column
  gpu.memcpy %column, %in : !column, !block
  gpu.memcpy %out, %column : !block, !column
  %t2 = gpu.dealloc async %device : !matrix
  gpu.wait [%t2]
  return
}

// A second stream takes over after a copy on the first.
func.func private @handed_over(%in: !block, %out: !block) {
  %t0 = gpu.wait async
  %device, %t1 = gpu.alloc async [%t0] () : !matrix
  %column = memref.subview %device[0, 3] [4, 2] [1, 1] : !matrix to !column
  %t2 = gpu.memcpy async [%t1] %column, %in : !column, !block
  %t3 = gpu.wait async [%t2]
  %t4 = gpu.memcpy async [%t3] %out, %column : !block, !column
  gpu.wait [%t4]
  %t5 = gpu.dealloc async [%t2] %device : !matrix
  gpu.wait [%t5]
  return
}

// A dense copy in the middle of strided ones is MLIR's own, on the same stream.
func.func private @mixed(%in: !block, %out: !block) {
  %t0 = gpu.wait async
  %device, %t1 = gpu.alloc async [%t0] () : !matrix
  %again, %t2 = gpu.alloc async [%t1] () : !matrix
  %column = memref.subview %device[0, 3] [4, 2] [1, 1] : !matrix to !column
  %t3 = gpu.memcpy async [%t2] %column, %in : !column, !block
  %t4 = gpu.memcpy async [%t3] %again, %device : !matrix, !matrix
  %column_again = memref.subview %again[0, 3] [4, 2] [1, 1] : !matrix to !column
  %t5 = gpu.memcpy async [%t4] %out, %column_again : !block, !column
  %t6 = gpu.dealloc async [%t5] %device : !matrix
  %t7 = gpu.dealloc async [%t6] %again : !matrix
  gpu.wait [%t7]
  return
}

func.func @main() {
  %start = arith.constant 100 : i32
  %start_other = arith.constant 200 : i32
  %none = arith.constant 0 : i32
  %in = memref.alloc() : !block
  %other = memref.alloc() : !block
  %out = memref.alloc() : !block
  %more = memref.alloc() : !block
  func.call @fill(%in, %start) : (!block, i32) -> ()
  func.call @fill(%other, %start_other) : (!block, i32) -> ()

  func.call @fill(%out, %none) : (!block, i32) -> ()
  func.call @chain(%in, %out) : (!block, !block) -> ()
  %0 = func.call @count_wrong(%out, %start) : (!block, i32) -> i64
  func.call @fill(%out, %none) : (!block, i32) -> ()
  func.call @no_dependency(%in, %out) : (!block, !block) -> ()
  %1 = func.call @count_wrong(%out, %start) : (!block, i32) -> i64
  func.call @fill(%out, %none) : (!block, i32) -> ()
  func.call @two_streams(%in, %other, %out, %more) : (!block, !block, !block, !block) -> ()
  %2 = func.call @count_wrong(%out, %start) : (!block, i32) -> i64
  %3 = func.call @count_wrong(%more, %start_other) : (!block, i32) -> i64
  func.call @fill(%out, %none) : (!block, i32) -> ()
  func.call @fork_and_join(%in, %other, %out) : (!block, !block, !block) -> ()
  %4 = func.call @count_wrong(%out, %start) : (!block, i32) -> i64
  func.call @fill(%out, %none) : (!block, i32) -> ()
  func.call @synchronous_with_dependency(%in, %out) : (!block, !block) -> ()
  %5 = func.call @count_wrong(%out, %start) : (!block, i32) -> i64
  func.call @fill(%out, %none) : (!block, i32) -> ()
  func.call @synchronous(%in, %out) : (!block, !block) -> ()
  %6 = func.call @count_wrong(%out, %start) : (!block, i32) -> i64
  func.call @fill(%out, %none) : (!block, i32) -> ()
  func.call @handed_over(%in, %out) : (!block, !block) -> ()
  %7 = func.call @count_wrong(%out, %start) : (!block, i32) -> i64
  func.call @fill(%out, %none) : (!block, i32) -> ()
  func.call @mixed(%in, %out) : (!block, !block) -> ()
  %8 = func.call @count_wrong(%out, %start) : (!block, i32) -> i64

  %sum1 = arith.addi %0, %1 : i64
  %sum2 = arith.addi %sum1, %2 : i64
  %sum3 = arith.addi %sum2, %3 : i64
  %sum4 = arith.addi %sum3, %4 : i64
  %sum5 = arith.addi %sum4, %5 : i64
  %sum6 = arith.addi %sum5, %6 : i64
  %sum7 = arith.addi %sum6, %7 : i64
  %wrong = arith.addi %sum7, %8 : i64
  %checked = arith.constant 72 : i64
  vector.print str "elements checked: "
  vector.print %checked : i64
  vector.print str "elements wrong: "
  vector.print %wrong : i64
  memref.dealloc %in : !block
  memref.dealloc %other : !block
  memref.dealloc %out : !block
  memref.dealloc %more : !block
  return
}
