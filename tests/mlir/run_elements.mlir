// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One strided copy from device to host for each kind of element; the traces say how many bytes an
// element was taken to have, which for i24 and vector<3xi16> includes the padding that LLVM adds.
// CALL: memcpy bytes=16 stream=1
// CALL: memcpy_strided bytes=2 dst_offset=0 src_offset=1 sizes=3 dst=1 src=2 stream=2
// CALL: memcpy bytes=16 stream=4
// CALL: memcpy_strided bytes=2 dst_offset=0 src_offset=1 sizes=3 dst=1 src=2 stream=5
// CALL: memcpy bytes=8 stream=7
// CALL: memcpy_strided bytes=1 dst_offset=0 src_offset=1 sizes=3 dst=1 src=2 stream=8
// CALL: memcpy bytes=32 stream=10
// CALL: memcpy_strided bytes=4 dst_offset=0 src_offset=1 sizes=3 dst=1 src=2 stream=11
// CALL: memcpy bytes=64 stream=13
// CALL: memcpy_strided bytes=8 dst_offset=0 src_offset=1 sizes=3 dst=1 src=2 stream=14
// CALL: memcpy bytes=64 stream=16
// CALL: memcpy_strided bytes=8 dst_offset=0 src_offset=1 sizes=3 dst=1 src=2 stream=17
// CALL: memcpy bytes=64 stream=19
// CALL: memcpy_strided bytes=8 dst_offset=0 src_offset=1 sizes=3 dst=1 src=2 stream=20
// CALL: memcpy bytes=64 stream=22
// CALL: memcpy_strided bytes=8 dst_offset=0 src_offset=1 sizes=3 dst=1 src=2 stream=23
// CALL: memcpy bytes=128 stream=25
// CALL: memcpy_strided bytes=16 dst_offset=0 src_offset=1 sizes=3 dst=1 src=2 stream=26
// CALL: memcpy bytes=64 stream=28
// CALL: memcpy_strided bytes=8 dst_offset=0 src_offset=1 sizes=3 dst=1 src=2 stream=29

func.func private @make_f16(%k: i32) -> f16 {
  %b = arith.sitofp %k : i32 to f16
  return %b : f16
}

// Elements 1, 3 and 5 of 8. Returns how many of the three are wrong.
func.func @copy_f16() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %values = memref.alloc() : memref<8xf16>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    %value = func.call @make_f16(%k) : (i32) -> f16
    memref.store %value, %values[%i] : memref<8xf16>
  }
  %device = gpu.alloc() : memref<8xf16>
  gpu.memcpy %device, %values : memref<8xf16>, memref<8xf16>
  %odd = memref.subview %device[1] [3] [2] : memref<8xf16> to memref<3xf16, strided<[2], offset: 1>>
  %copy = memref.alloc() : memref<3xf16>
  gpu.memcpy %copy, %odd : memref<3xf16>, memref<3xf16, strided<[2], offset: 1>>
  %wrong = scf.for %i = %c0 to %c3 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %twice = arith.muli %i, %c2 : index
    %place = arith.addi %twice, %c1 : index
    %k = arith.index_cast %place : index to i32
    %want = func.call @make_f16(%k) : (i32) -> f16
    %got = memref.load %copy[%i] : memref<3xf16>
    %differs = arith.cmpf une, %got, %want : f16
    %error = arith.select %differs, %one, %none : i64
    %wrong1 = arith.addi %wrong0, %error : i64
    scf.yield %wrong1 : i64
  }
  gpu.dealloc %device : memref<8xf16>
  memref.dealloc %copy : memref<3xf16>
  memref.dealloc %values : memref<8xf16>
  return %wrong : i64
}

func.func private @make_bf16(%k: i32) -> bf16 {
  %b = arith.sitofp %k : i32 to bf16
  return %b : bf16
}

// Elements 1, 3 and 5 of 8. Returns how many of the three are wrong.
func.func @copy_bf16() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %values = memref.alloc() : memref<8xbf16>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    %value = func.call @make_bf16(%k) : (i32) -> bf16
    memref.store %value, %values[%i] : memref<8xbf16>
  }
  %device = gpu.alloc() : memref<8xbf16>
  gpu.memcpy %device, %values : memref<8xbf16>, memref<8xbf16>
  %odd = memref.subview %device[1] [3] [2] : memref<8xbf16> to memref<3xbf16, strided<[2], offset: 1>>
  %copy = memref.alloc() : memref<3xbf16>
  gpu.memcpy %copy, %odd : memref<3xbf16>, memref<3xbf16, strided<[2], offset: 1>>
  %wrong = scf.for %i = %c0 to %c3 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %twice = arith.muli %i, %c2 : index
    %place = arith.addi %twice, %c1 : index
    %k = arith.index_cast %place : index to i32
    %want = func.call @make_bf16(%k) : (i32) -> bf16
    %got = memref.load %copy[%i] : memref<3xbf16>
    %differs = arith.cmpf une, %got, %want : bf16
    %error = arith.select %differs, %one, %none : i64
    %wrong1 = arith.addi %wrong0, %error : i64
    scf.yield %wrong1 : i64
  }
  gpu.dealloc %device : memref<8xbf16>
  memref.dealloc %copy : memref<3xbf16>
  memref.dealloc %values : memref<8xbf16>
  return %wrong : i64
}

func.func private @make_i8(%k: i32) -> i8 {
  %b = arith.trunci %k : i32 to i8
  return %b : i8
}

// Elements 1, 3 and 5 of 8. Returns how many of the three are wrong.
func.func @copy_i8() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %values = memref.alloc() : memref<8xi8>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    %value = func.call @make_i8(%k) : (i32) -> i8
    memref.store %value, %values[%i] : memref<8xi8>
  }
  %device = gpu.alloc() : memref<8xi8>
  gpu.memcpy %device, %values : memref<8xi8>, memref<8xi8>
  %odd = memref.subview %device[1] [3] [2] : memref<8xi8> to memref<3xi8, strided<[2], offset: 1>>
  %copy = memref.alloc() : memref<3xi8>
  gpu.memcpy %copy, %odd : memref<3xi8>, memref<3xi8, strided<[2], offset: 1>>
  %wrong = scf.for %i = %c0 to %c3 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %twice = arith.muli %i, %c2 : index
    %place = arith.addi %twice, %c1 : index
    %k = arith.index_cast %place : index to i32
    %want = func.call @make_i8(%k) : (i32) -> i8
    %got = memref.load %copy[%i] : memref<3xi8>
    %differs = arith.cmpi ne, %got, %want : i8
    %error = arith.select %differs, %one, %none : i64
    %wrong1 = arith.addi %wrong0, %error : i64
    scf.yield %wrong1 : i64
  }
  gpu.dealloc %device : memref<8xi8>
  memref.dealloc %copy : memref<3xi8>
  memref.dealloc %values : memref<8xi8>
  return %wrong : i64
}

func.func private @make_i24(%k: i32) -> i24 {
  %b = arith.trunci %k : i32 to i24
  return %b : i24
}

// Elements 1, 3 and 5 of 8. Returns how many of the three are wrong.
func.func @copy_i24() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %values = memref.alloc() : memref<8xi24>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    %value = func.call @make_i24(%k) : (i32) -> i24
    memref.store %value, %values[%i] : memref<8xi24>
  }
  %device = gpu.alloc() : memref<8xi24>
  gpu.memcpy %device, %values : memref<8xi24>, memref<8xi24>
  %odd = memref.subview %device[1] [3] [2] : memref<8xi24> to memref<3xi24, strided<[2], offset: 1>>
  %copy = memref.alloc() : memref<3xi24>
  gpu.memcpy %copy, %odd : memref<3xi24>, memref<3xi24, strided<[2], offset: 1>>
  %wrong = scf.for %i = %c0 to %c3 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %twice = arith.muli %i, %c2 : index
    %place = arith.addi %twice, %c1 : index
    %k = arith.index_cast %place : index to i32
    %want = func.call @make_i24(%k) : (i32) -> i24
    %got = memref.load %copy[%i] : memref<3xi24>
    %differs = arith.cmpi ne, %got, %want : i24
    %error = arith.select %differs, %one, %none : i64
    %wrong1 = arith.addi %wrong0, %error : i64
    scf.yield %wrong1 : i64
  }
  gpu.dealloc %device : memref<8xi24>
  memref.dealloc %copy : memref<3xi24>
  memref.dealloc %values : memref<8xi24>
  return %wrong : i64
}

func.func private @make_i64(%k: i32) -> i64 {
  %w = arith.extsi %k : i32 to i64
  %high = arith.constant 0x0123456700000000 : i64
  %b = arith.addi %w, %high : i64
  return %b : i64
}

// Elements 1, 3 and 5 of 8. Returns how many of the three are wrong.
func.func @copy_i64() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %values = memref.alloc() : memref<8xi64>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    %value = func.call @make_i64(%k) : (i32) -> i64
    memref.store %value, %values[%i] : memref<8xi64>
  }
  %device = gpu.alloc() : memref<8xi64>
  gpu.memcpy %device, %values : memref<8xi64>, memref<8xi64>
  %odd = memref.subview %device[1] [3] [2] : memref<8xi64> to memref<3xi64, strided<[2], offset: 1>>
  %copy = memref.alloc() : memref<3xi64>
  gpu.memcpy %copy, %odd : memref<3xi64>, memref<3xi64, strided<[2], offset: 1>>
  %wrong = scf.for %i = %c0 to %c3 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %twice = arith.muli %i, %c2 : index
    %place = arith.addi %twice, %c1 : index
    %k = arith.index_cast %place : index to i32
    %want = func.call @make_i64(%k) : (i32) -> i64
    %got = memref.load %copy[%i] : memref<3xi64>
    %differs = arith.cmpi ne, %got, %want : i64
    %error = arith.select %differs, %one, %none : i64
    %wrong1 = arith.addi %wrong0, %error : i64
    scf.yield %wrong1 : i64
  }
  gpu.dealloc %device : memref<8xi64>
  memref.dealloc %copy : memref<3xi64>
  memref.dealloc %values : memref<8xi64>
  return %wrong : i64
}

func.func private @make_f64(%k: i32) -> f64 {
  %b = arith.sitofp %k : i32 to f64
  return %b : f64
}

// Elements 1, 3 and 5 of 8. Returns how many of the three are wrong.
func.func @copy_f64() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %values = memref.alloc() : memref<8xf64>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    %value = func.call @make_f64(%k) : (i32) -> f64
    memref.store %value, %values[%i] : memref<8xf64>
  }
  %device = gpu.alloc() : memref<8xf64>
  gpu.memcpy %device, %values : memref<8xf64>, memref<8xf64>
  %odd = memref.subview %device[1] [3] [2] : memref<8xf64> to memref<3xf64, strided<[2], offset: 1>>
  %copy = memref.alloc() : memref<3xf64>
  gpu.memcpy %copy, %odd : memref<3xf64>, memref<3xf64, strided<[2], offset: 1>>
  %wrong = scf.for %i = %c0 to %c3 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %twice = arith.muli %i, %c2 : index
    %place = arith.addi %twice, %c1 : index
    %k = arith.index_cast %place : index to i32
    %want = func.call @make_f64(%k) : (i32) -> f64
    %got = memref.load %copy[%i] : memref<3xf64>
    %differs = arith.cmpf une, %got, %want : f64
    %error = arith.select %differs, %one, %none : i64
    %wrong1 = arith.addi %wrong0, %error : i64
    scf.yield %wrong1 : i64
  }
  gpu.dealloc %device : memref<8xf64>
  memref.dealloc %copy : memref<3xf64>
  memref.dealloc %values : memref<8xf64>
  return %wrong : i64
}

func.func private @make_index(%k: i32) -> index {
  %b = arith.index_cast %k : i32 to index
  return %b : index
}

// Elements 1, 3 and 5 of 8. Returns how many of the three are wrong.
func.func @copy_index() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %values = memref.alloc() : memref<8xindex>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    %value = func.call @make_index(%k) : (i32) -> index
    memref.store %value, %values[%i] : memref<8xindex>
  }
  %device = gpu.alloc() : memref<8xindex>
  gpu.memcpy %device, %values : memref<8xindex>, memref<8xindex>
  %odd = memref.subview %device[1] [3] [2] : memref<8xindex> to memref<3xindex, strided<[2], offset: 1>>
  %copy = memref.alloc() : memref<3xindex>
  gpu.memcpy %copy, %odd : memref<3xindex>, memref<3xindex, strided<[2], offset: 1>>
  %wrong = scf.for %i = %c0 to %c3 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %twice = arith.muli %i, %c2 : index
    %place = arith.addi %twice, %c1 : index
    %k = arith.index_cast %place : index to i32
    %want = func.call @make_index(%k) : (i32) -> index
    %got = memref.load %copy[%i] : memref<3xindex>
    %differs = arith.cmpi ne, %got, %want : index
    %error = arith.select %differs, %one, %none : i64
    %wrong1 = arith.addi %wrong0, %error : i64
    scf.yield %wrong1 : i64
  }
  gpu.dealloc %device : memref<8xindex>
  memref.dealloc %copy : memref<3xindex>
  memref.dealloc %values : memref<8xindex>
  return %wrong : i64
}

func.func private @make_complex(%k: i32) -> complex<f32> {
  %re = arith.sitofp %k : i32 to f32
  %im = arith.negf %re : f32
  %b = complex.create %re, %im : complex<f32>
  return %b : complex<f32>
}

// Elements 1, 3 and 5 of 8. Returns how many of the three are wrong.
func.func @copy_complex() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %values = memref.alloc() : memref<8xcomplex<f32>>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    %value = func.call @make_complex(%k) : (i32) -> complex<f32>
    memref.store %value, %values[%i] : memref<8xcomplex<f32>>
  }
  %device = gpu.alloc() : memref<8xcomplex<f32>>
  gpu.memcpy %device, %values : memref<8xcomplex<f32>>, memref<8xcomplex<f32>>
  %odd = memref.subview %device[1] [3] [2] : memref<8xcomplex<f32>> to memref<3xcomplex<f32>, strided<[2], offset: 1>>
  %copy = memref.alloc() : memref<3xcomplex<f32>>
  gpu.memcpy %copy, %odd : memref<3xcomplex<f32>>, memref<3xcomplex<f32>, strided<[2], offset: 1>>
  %wrong = scf.for %i = %c0 to %c3 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %twice = arith.muli %i, %c2 : index
    %place = arith.addi %twice, %c1 : index
    %k = arith.index_cast %place : index to i32
    %want = func.call @make_complex(%k) : (i32) -> complex<f32>
    %got = memref.load %copy[%i] : memref<3xcomplex<f32>>
    %got_re = complex.re %got : complex<f32>
    %got_im = complex.im %got : complex<f32>
    %want_re = complex.re %want : complex<f32>
    %want_im = complex.im %want : complex<f32>
    %re_differs = arith.cmpf une, %got_re, %want_re : f32
    %im_differs = arith.cmpf une, %got_im, %want_im : f32
    %differs = arith.ori %re_differs, %im_differs : i1
    %error = arith.select %differs, %one, %none : i64
    %wrong1 = arith.addi %wrong0, %error : i64
    scf.yield %wrong1 : i64
  }
  gpu.dealloc %device : memref<8xcomplex<f32>>
  memref.dealloc %copy : memref<3xcomplex<f32>>
  memref.dealloc %values : memref<8xcomplex<f32>>
  return %wrong : i64
}

func.func private @make_vector(%k: i32) -> vector<4xf32> {
  %scalar = arith.sitofp %k : i32 to f32
  %fixed = arith.constant dense<[0.0, 0.25, 0.5, 0.75]> : vector<4xf32>
  %first = vector.insert %scalar, %fixed[0] : f32 into vector<4xf32>
  %b = vector.insert %scalar, %first[3] : f32 into vector<4xf32>
  return %b : vector<4xf32>
}

// Elements 1, 3 and 5 of 8. Returns how many of the three are wrong.
func.func @copy_vector() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %values = memref.alloc() : memref<8xvector<4xf32>>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    %value = func.call @make_vector(%k) : (i32) -> vector<4xf32>
    memref.store %value, %values[%i] : memref<8xvector<4xf32>>
  }
  %device = gpu.alloc() : memref<8xvector<4xf32>>
  gpu.memcpy %device, %values : memref<8xvector<4xf32>>, memref<8xvector<4xf32>>
  %odd = memref.subview %device[1] [3] [2] : memref<8xvector<4xf32>> to memref<3xvector<4xf32>, strided<[2], offset: 1>>
  %copy = memref.alloc() : memref<3xvector<4xf32>>
  gpu.memcpy %copy, %odd : memref<3xvector<4xf32>>, memref<3xvector<4xf32>, strided<[2], offset: 1>>
  %wrong = scf.for %i = %c0 to %c3 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %twice = arith.muli %i, %c2 : index
    %place = arith.addi %twice, %c1 : index
    %k = arith.index_cast %place : index to i32
    %want = func.call @make_vector(%k) : (i32) -> vector<4xf32>
    %got = memref.load %copy[%i] : memref<3xvector<4xf32>>
    %each = arith.cmpf une, %got, %want : vector<4xf32>
    %differs = vector.reduction <or>, %each : vector<4xi1> into i1
    %error = arith.select %differs, %one, %none : i64
    %wrong1 = arith.addi %wrong0, %error : i64
    scf.yield %wrong1 : i64
  }
  gpu.dealloc %device : memref<8xvector<4xf32>>
  memref.dealloc %copy : memref<3xvector<4xf32>>
  memref.dealloc %values : memref<8xvector<4xf32>>
  return %wrong : i64
}

func.func private @make_padded_vector(%k: i32) -> vector<3xi16> {
  %scalar = arith.trunci %k : i32 to i16
  %fixed = arith.constant dense<[0, 256, 512]> : vector<3xi16>
  %first = vector.insert %scalar, %fixed[0] : i16 into vector<3xi16>
  %b = vector.insert %scalar, %first[2] : i16 into vector<3xi16>
  return %b : vector<3xi16>
}

// Elements 1, 3 and 5 of 8. Returns how many of the three are wrong.
func.func @copy_padded_vector() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %values = memref.alloc() : memref<8xvector<3xi16>>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    %value = func.call @make_padded_vector(%k) : (i32) -> vector<3xi16>
    memref.store %value, %values[%i] : memref<8xvector<3xi16>>
  }
  %device = gpu.alloc() : memref<8xvector<3xi16>>
  gpu.memcpy %device, %values : memref<8xvector<3xi16>>, memref<8xvector<3xi16>>
  %odd = memref.subview %device[1] [3] [2] : memref<8xvector<3xi16>> to memref<3xvector<3xi16>, strided<[2], offset: 1>>
  %copy = memref.alloc() : memref<3xvector<3xi16>>
  gpu.memcpy %copy, %odd : memref<3xvector<3xi16>>, memref<3xvector<3xi16>, strided<[2], offset: 1>>
  %wrong = scf.for %i = %c0 to %c3 step %c1 iter_args(%wrong0 = %none) -> (i64) {
    %twice = arith.muli %i, %c2 : index
    %place = arith.addi %twice, %c1 : index
    %k = arith.index_cast %place : index to i32
    %want = func.call @make_padded_vector(%k) : (i32) -> vector<3xi16>
    %got = memref.load %copy[%i] : memref<3xvector<3xi16>>
    %each = arith.cmpi ne, %got, %want : vector<3xi16>
    %differs = vector.reduction <or>, %each : vector<3xi1> into i1
    %error = arith.select %differs, %one, %none : i64
    %wrong1 = arith.addi %wrong0, %error : i64
    scf.yield %wrong1 : i64
  }
  gpu.dealloc %device : memref<8xvector<3xi16>>
  memref.dealloc %copy : memref<3xvector<3xi16>>
  memref.dealloc %values : memref<8xvector<3xi16>>
  return %wrong : i64
}

func.func @main() {
  %wrong0 = func.call @copy_f16() : () -> i64
  %wrong1 = func.call @copy_bf16() : () -> i64
  %wrong2 = func.call @copy_i8() : () -> i64
  %wrong3 = func.call @copy_i24() : () -> i64
  %wrong4 = func.call @copy_i64() : () -> i64
  %wrong5 = func.call @copy_f64() : () -> i64
  %wrong6 = func.call @copy_index() : () -> i64
  %wrong7 = func.call @copy_complex() : () -> i64
  %wrong8 = func.call @copy_vector() : () -> i64
  %wrong9 = func.call @copy_padded_vector() : () -> i64
  %sum1 = arith.addi %wrong0, %wrong1 : i64
  %sum2 = arith.addi %sum1, %wrong2 : i64
  %sum3 = arith.addi %sum2, %wrong3 : i64
  %sum4 = arith.addi %sum3, %wrong4 : i64
  %sum5 = arith.addi %sum4, %wrong5 : i64
  %sum6 = arith.addi %sum5, %wrong6 : i64
  %sum7 = arith.addi %sum6, %wrong7 : i64
  %sum8 = arith.addi %sum7, %wrong8 : i64
  %sum9 = arith.addi %sum8, %wrong9 : i64
  %checked = arith.constant 30 : i64
  vector.print str "elements checked: "
  vector.print %checked : i64
  vector.print str "elements wrong: "
  vector.print %sum9 : i64
  return
}
