// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpu.memset of strided blocks and of element types that MLIR's own lowering leaves behind. All of
// a buffer is checked: what was set, and what lies around it.
// CALL: memset bytes=4 count=24 stream=1
// CALL: memset_strided bytes=4 dst_offset=7 sizes=2,3 dst=6,1 stream=1
// CALL: memcpy bytes=96 stream=2
// CALL: memset bytes=2 count=24 stream=4
// CALL: memset_strided bytes=2 dst_offset=0 sizes=4,2 dst=6,3 stream=4
// CALL: memcpy bytes=48 stream=5
// CALL: memset_strided bytes=1 dst_offset=0 sizes=24 dst=1 stream=7
// CALL: memset_strided bytes=1 dst_offset=23 sizes=3 dst=-2 stream=7
// CALL: memcpy bytes=24 stream=8
// CALL: memset_strided bytes=8 dst_offset=0 sizes=24 dst=1 stream=10
// CALL: memset_strided bytes=8 dst_offset=1 sizes=12 dst=2 stream=10
// CALL: memcpy bytes=192 stream=11
// CALL: memset_strided bytes=8 dst_offset=0 sizes=24 dst=1 stream=13
// CALL: memset_strided bytes=8 dst_offset=5 sizes= dst= stream=13
// CALL: memcpy bytes=192 stream=14

func.func private @set_f32() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %background = arith.constant -1.0 : f32
  %pattern = arith.constant 2.5 : f32
  %device = gpu.alloc() : memref<4x6xf32>
  gpu.memset %device, %background : memref<4x6xf32>, f32
  %block = memref.subview %device[1, 1] [2, 3] [1, 1]
      : memref<4x6xf32> to memref<2x3xf32, strided<[6, 1], offset: 7>>
  gpu.memset %block, %pattern : memref<2x3xf32, strided<[6, 1], offset: 7>>, f32
  %copy = memref.alloc() : memref<4x6xf32>
  gpu.memcpy %copy, %device : memref<4x6xf32>, memref<4x6xf32>
  %wrong = scf.for %i = %c0 to %c4 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %wrong1 = scf.for %j = %c0 to %c6 step %c1 iter_args(%wrong2 = %wrong0) -> (i64) {
      %0 = arith.cmpi uge, %i, %c1 : index
      %1 = arith.cmpi ult, %i, %c3 : index
      %2 = arith.cmpi uge, %j, %c1 : index
      %3 = arith.cmpi ult, %j, %c4 : index
      %4 = arith.andi %0, %1 : i1
      %5 = arith.andi %2, %3 : i1
      %inside = arith.andi %4, %5 : i1
      %want = arith.select %inside, %pattern, %background : f32
      %got = memref.load %copy[%i, %j] : memref<4x6xf32>
      %differs = arith.cmpf une, %got, %want : f32
      %error = arith.select %differs, %one, %none : i64
      %wrong3 = arith.addi %wrong2, %error : i64
      scf.yield %wrong3 : i64
    }
    scf.yield %wrong1 : i64
  }
  gpu.dealloc %device : memref<4x6xf32>
  memref.dealloc %copy : memref<4x6xf32>
  return %wrong : i64
}

// Columns 0 and 3, an inner stride.
func.func private @set_f16() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %background = arith.constant -1.0 : f16
  %pattern = arith.constant 2.5 : f16
  %device = gpu.alloc() : memref<4x6xf16>
  gpu.memset %device, %background : memref<4x6xf16>, f16
  %columns = memref.subview %device[0, 0] [4, 2] [1, 3]
      : memref<4x6xf16> to memref<4x2xf16, strided<[6, 3]>>
  gpu.memset %columns, %pattern : memref<4x2xf16, strided<[6, 3]>>, f16
  %copy = memref.alloc() : memref<4x6xf16>
  gpu.memcpy %copy, %device : memref<4x6xf16>, memref<4x6xf16>
  %wrong = scf.for %i = %c0 to %c4 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %wrong1 = scf.for %j = %c0 to %c6 step %c1 iter_args(%wrong2 = %wrong0) -> (i64) {
      %column = arith.remui %j, %c3 : index
      %inside = arith.cmpi eq, %column, %c0 : index
      %want = arith.select %inside, %pattern, %background : f16
      %got = memref.load %copy[%i, %j] : memref<4x6xf16>
      %differs = arith.cmpf une, %got, %want : f16
      %error = arith.select %differs, %one, %none : i64
      %wrong3 = arith.addi %wrong2, %error : i64
      scf.yield %wrong3 : i64
    }
    scf.yield %wrong1 : i64
  }
  gpu.dealloc %device : memref<4x6xf16>
  memref.dealloc %copy : memref<4x6xf16>
  return %wrong : i64
}

// Elements 23, 21 and 19, backwards.
func.func private @set_i8() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c19 = arith.constant 19 : index
  %c24 = arith.constant 24 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %background = arith.constant -1 : i8
  %pattern = arith.constant 113 : i8
  %device = gpu.alloc() : memref<24xi8>
  gpu.memset %device, %background : memref<24xi8>, i8
  %back = memref.reinterpret_cast %device to offset: [23], sizes: [3], strides: [-2]
      : memref<24xi8> to memref<3xi8, strided<[-2], offset: 23>>
  gpu.memset %back, %pattern : memref<3xi8, strided<[-2], offset: 23>>, i8
  %copy = memref.alloc() : memref<24xi8>
  gpu.memcpy %copy, %device : memref<24xi8>, memref<24xi8>
  %wrong = scf.for %i = %c0 to %c24 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %late = arith.cmpi uge, %i, %c19 : index
    %parity = arith.remui %i, %c2 : index
    %odd = arith.cmpi eq, %parity, %c1 : index
    %inside = arith.andi %late, %odd : i1
    %want = arith.select %inside, %pattern, %background : i8
    %got = memref.load %copy[%i] : memref<24xi8>
    %differs = arith.cmpi ne, %got, %want : i8
    %error = arith.select %differs, %one, %none : i64
    %wrong1 = arith.addi %wrong0, %error : i64
    scf.yield %wrong1 : i64
  }
  gpu.dealloc %device : memref<24xi8>
  memref.dealloc %copy : memref<24xi8>
  return %wrong : i64
}

// Every odd element; the size is known at run time only.
func.func private @set_i64(%size: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c24 = arith.constant 24 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %background = arith.constant -1 : i64
  %pattern = arith.constant 0x0123456789abcdef : i64
  %device = gpu.alloc() : memref<24xi64>
  gpu.memset %device, %background : memref<24xi64>, i64
  %odd = memref.subview %device[1] [%size] [2]
      : memref<24xi64> to memref<?xi64, strided<[2], offset: 1>>
  gpu.memset %odd, %pattern : memref<?xi64, strided<[2], offset: 1>>, i64
  %copy = memref.alloc() : memref<24xi64>
  gpu.memcpy %copy, %device : memref<24xi64>, memref<24xi64>
  %wrong = scf.for %i = %c0 to %c24 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %parity = arith.remui %i, %c2 : index
    %inside = arith.cmpi eq, %parity, %c1 : index
    %want = arith.select %inside, %pattern, %background : i64
    %got = memref.load %copy[%i] : memref<24xi64>
    %differs = arith.cmpi ne, %got, %want : i64
    %error = arith.select %differs, %one, %none : i64
    %wrong1 = arith.addi %wrong0, %error : i64
    scf.yield %wrong1 : i64
  }
  gpu.dealloc %device : memref<24xi64>
  memref.dealloc %copy : memref<24xi64>
  return %wrong : i64
}

// Element 5 alone, rank 0.
func.func private @set_complex() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c24 = arith.constant 24 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %re = arith.constant 1.5 : f32
  %im = arith.constant -2.5 : f32
  %background = complex.create %zero, %zero : complex<f32>
  %pattern = complex.create %re, %im : complex<f32>
  %device = gpu.alloc() : memref<24xcomplex<f32>>
  gpu.memset %device, %background : memref<24xcomplex<f32>>, complex<f32>
  %single = memref.reinterpret_cast %device to offset: [5], sizes: [], strides: []
      : memref<24xcomplex<f32>> to memref<complex<f32>, strided<[], offset: 5>>
  gpu.memset %single, %pattern : memref<complex<f32>, strided<[], offset: 5>>, complex<f32>
  %copy = memref.alloc() : memref<24xcomplex<f32>>
  gpu.memcpy %copy, %device : memref<24xcomplex<f32>>, memref<24xcomplex<f32>>
  %wrong = scf.for %i = %c0 to %c24 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %inside = arith.cmpi eq, %i, %c5 : index
    %want_re = arith.select %inside, %re, %zero : f32
    %want_im = arith.select %inside, %im, %zero : f32
    %got = memref.load %copy[%i] : memref<24xcomplex<f32>>
    %got_re = complex.re %got : complex<f32>
    %got_im = complex.im %got : complex<f32>
    %re_differs = arith.cmpf une, %got_re, %want_re : f32
    %im_differs = arith.cmpf une, %got_im, %want_im : f32
    %differs = arith.ori %re_differs, %im_differs : i1
    %error = arith.select %differs, %one, %none : i64
    %wrong1 = arith.addi %wrong0, %error : i64
    scf.yield %wrong1 : i64
  }
  gpu.dealloc %device : memref<24xcomplex<f32>>
  memref.dealloc %copy : memref<24xcomplex<f32>>
  return %wrong : i64
}

func.func @main() {
  %c12 = arith.constant 12 : index
  %0 = func.call @set_f32() : () -> i64
  %1 = func.call @set_f16() : () -> i64
  %2 = func.call @set_i8() : () -> i64
  %3 = func.call @set_i64(%c12) : (index) -> i64
  %4 = func.call @set_complex() : () -> i64
  %sum1 = arith.addi %0, %1 : i64
  %sum2 = arith.addi %sum1, %2 : i64
  %sum3 = arith.addi %sum2, %3 : i64
  %wrong = arith.addi %sum3, %4 : i64
  %checked = arith.constant 120 : i64
  vector.print str "elements checked: "
  vector.print %checked : i64
  vector.print str "elements wrong: "
  vector.print %wrong : i64
  return
}
