// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A 5-D block of a device buffer, copied to the host, with every offset and every size known at run
// time only. Vendors' copy calls end at three dimensions.

// The sizes and offsets arrive as arguments, so that nothing can be folded into the types.
func.func private @copy_block(%device: memref<4x5x6x7x8xi32>,
    %o0: index, %o1: index, %o2: index, %o3: index, %o4: index,
    %s0: index, %s1: index, %s2: index, %s3: index, %s4: index) -> memref<?x?x?x?x?xi32> {
  %block = memref.subview %device[%o0, %o1, %o2, %o3, %o4] [%s0, %s1, %s2, %s3, %s4] [1, 1, 1, 1, 1]
      : memref<4x5x6x7x8xi32> to memref<?x?x?x?x?xi32, strided<[1680, 336, 56, 8, 1], offset: ?>>
  %copy = memref.alloc(%s0, %s1, %s2, %s3, %s4) : memref<?x?x?x?x?xi32>
  gpu.memcpy %copy, %block : memref<?x?x?x?x?xi32>,
      memref<?x?x?x?x?xi32, strided<[1680, 336, 56, 8, 1], offset: ?>>
  return %copy : memref<?x?x?x?x?xi32>
}

// The place of an element in the whole buffer, which is also its value.
func.func private @place(%i: index, %j: index, %k: index, %l: index, %m: index) -> i32 {
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %0 = arith.muli %i, %c5 : index
  %1 = arith.addi %0, %j : index
  %2 = arith.muli %1, %c6 : index
  %3 = arith.addi %2, %k : index
  %4 = arith.muli %3, %c7 : index
  %5 = arith.addi %4, %l : index
  %6 = arith.muli %5, %c8 : index
  %7 = arith.addi %6, %m : index
  %8 = arith.index_cast %7 : index to i32
  return %8 : i32
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64

  %values = memref.alloc() : memref<4x5x6x7x8xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      scf.for %k = %c0 to %c6 step %c1 {
        scf.for %l = %c0 to %c7 step %c1 {
          scf.for %m = %c0 to %c8 step %c1 {
            %value = func.call @place(%i, %j, %k, %l, %m)
                : (index, index, index, index, index) -> i32
            memref.store %value, %values[%i, %j, %k, %l, %m] : memref<4x5x6x7x8xi32>
          }
        }
      }
    }
  }

  %device = gpu.alloc() : memref<4x5x6x7x8xi32>
  gpu.memcpy %device, %values : memref<4x5x6x7x8xi32>, memref<4x5x6x7x8xi32>
  // From (1, 2, 0, 3, 2), a block of 3 x 2 x 5 x 4 x 6.
  %copy = func.call @copy_block(%device, %c1, %c2, %c0, %c3, %c2, %c3, %c2, %c5, %c4, %c6)
      : (memref<4x5x6x7x8xi32>, index, index, index, index, index,
         index, index, index, index, index) -> memref<?x?x?x?x?xi32>

  %counts = memref.alloc() : memref<2xi64>
  memref.store %none, %counts[%c0] : memref<2xi64>
  memref.store %none, %counts[%c1] : memref<2xi64>
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      scf.for %k = %c0 to %c5 step %c1 {
        scf.for %l = %c0 to %c4 step %c1 {
          scf.for %m = %c0 to %c6 step %c1 {
            %from_i = arith.addi %i, %c1 : index
            %from_j = arith.addi %j, %c2 : index
            %from_l = arith.addi %l, %c3 : index
            %from_m = arith.addi %m, %c2 : index
            %expected = func.call @place(%from_i, %from_j, %k, %from_l, %from_m)
                : (index, index, index, index, index) -> i32
            %value = memref.load %copy[%i, %j, %k, %l, %m] : memref<?x?x?x?x?xi32>
            %differs = arith.cmpi ne, %value, %expected : i32
            %error = arith.select %differs, %one, %none : i64
            %checked0 = memref.load %counts[%c0] : memref<2xi64>
            %checked1 = arith.addi %checked0, %one : i64
            memref.store %checked1, %counts[%c0] : memref<2xi64>
            %wrong0 = memref.load %counts[%c1] : memref<2xi64>
            %wrong1 = arith.addi %wrong0, %error : i64
            memref.store %wrong1, %counts[%c1] : memref<2xi64>
          }
        }
      }
    }
  }
  %checked = memref.load %counts[%c0] : memref<2xi64>
  %wrong = memref.load %counts[%c1] : memref<2xi64>
  vector.print str "copied: memref<?x?x?x?x?xi32, strided<[1680, 336, 56, 8, 1], offset: ?>> to memref<?x?x?x?x?xi32>\n"
  vector.print str "elements checked: "
  vector.print %checked : i64
  vector.print str "elements wrong: "
  vector.print %wrong : i64

  gpu.dealloc %device : memref<4x5x6x7x8xi32>
  memref.dealloc %counts : memref<2xi64>
  memref.dealloc %copy : memref<?x?x?x?x?xi32>
  memref.dealloc %values : memref<4x5x6x7x8xi32>
  return
}
