// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One element out of the middle of a device buffer, copied to the host: the smallest gpu.memcpy that
// MLIR's own lowering leaves behind. The host never touches device memory but through gpu.memcpy.

func.func @foo(%values: memref<128xf32>) -> (memref<128xf32>, memref<1xf32>) {
  %memref = gpu.alloc() : memref<128xf32>
  gpu.memcpy %memref, %values : memref<128xf32>, memref<128xf32>
  %subview = memref.subview %memref[10] [1] [1]
      : memref<128xf32> to memref<1xf32, strided<[1], offset: 10>>
  %alloc = memref.alloc() {alignment = 8 : i64} : memref<1xf32>
  gpu.memcpy %alloc, %subview : memref<1xf32>, memref<1xf32, strided<[1], offset: 10>>
  return %memref, %alloc : memref<128xf32>, memref<1xf32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64

  // Element i holds 1000 + i.
  %values = memref.alloc() : memref<128xf32>
  scf.for %i = %c0 to %c128 step %c1 {
    %c1000 = arith.constant 1000 : index
    %number = arith.addi %i, %c1000 : index
    %integer = arith.index_cast %number : index to i64
    %value = arith.sitofp %integer : i64 to f32
    memref.store %value, %values[%i] : memref<128xf32>
  }

  %device, %copy = func.call @foo(%values) : (memref<128xf32>) -> (memref<128xf32>, memref<1xf32>)

  %expected = arith.constant 1010.0 : f32
  %value = memref.load %copy[%c0] : memref<1xf32>
  %differs = arith.cmpf une, %value, %expected : f32
  %wrong = arith.select %differs, %one, %none : i64
  vector.print str "copied: memref<1xf32, strided<[1], offset: 10>> to memref<1xf32>\n"
  vector.print str "elements checked: "
  vector.print %one : i64
  vector.print str "elements wrong: "
  vector.print %wrong : i64

  gpu.dealloc %device : memref<128xf32>
  memref.dealloc %copy : memref<1xf32>
  memref.dealloc %values : memref<128xf32>
  return
}
