// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that verify but cannot be lowered, one after each "-----", with the words of the
// diagnostic that both ways must give, exactly once.

// -----
// EXPECT: 'gpu.memcpy' op cannot be lowered: the source's layout 'affine_map<(d0) -> (d0 floordiv 2)>' is not of strided form
func.func @layout(%a: memref<8xf32, affine_map<(d0) -> (d0 floordiv 2)>>, %b: memref<8xf32>) {
  gpu.memcpy %b, %a : memref<8xf32>, memref<8xf32, affine_map<(d0) -> (d0 floordiv 2)>>
  return
}

// -----
// EXPECT: 'gpu.memcpy' op cannot be lowered: the destination's layout 'affine_map<(d0) -> (d0 mod 4)>' is not of strided form
func.func @destination_layout(%a: memref<8xf32>, %b: memref<8xf32, affine_map<(d0) -> (d0 mod 4)>>) {
  gpu.memcpy %b, %a : memref<8xf32, affine_map<(d0) -> (d0 mod 4)>>, memref<8xf32>
  return
}

// -----
// EXPECT: 'gpu.memset' op cannot be lowered: the destination's layout 'affine_map<(d0) -> (d0 mod 4)>' is not of strided form
func.func @set_layout(%b: memref<8xf32, affine_map<(d0) -> (d0 mod 4)>>, %c: f32) {
  gpu.memset %b, %c : memref<8xf32, affine_map<(d0) -> (d0 mod 4)>>, f32
  return
}

// -----
// EXPECT: 'gpu.memcpy' op cannot be done by bytes: the destination's element type 'i4' is not a whole number of bytes
func.func @sub_byte(%a: memref<8xi4, strided<[2]>>, %b: memref<8xi4>) {
  gpu.memcpy %b, %a : memref<8xi4>, memref<8xi4, strided<[2]>>
  return
}

// -----
// EXPECT: 'gpu.memcpy' op cannot be done by bytes: the destination's element type 'i1' is not a whole number of bytes
func.func @one_bit(%a: memref<8xi1, strided<[2]>>, %b: memref<8xi1>) {
  gpu.memcpy %b, %a : memref<8xi1>, memref<8xi1, strided<[2]>>
  return
}

// -----
// EXPECT: 'gpu.memcpy' op cannot be done by bytes: the destination's element type 'i12' is not a whole number of bytes
func.func @half_bytes(%a: memref<8xi12, strided<[2]>>, %b: memref<8xi12>) {
  gpu.memcpy %b, %a : memref<8xi12>, memref<8xi12, strided<[2]>>
  return
}

// -----
// EXPECT: 'gpu.memcpy' op cannot be done by bytes: the destination's element type 'i0' is not a whole number of bytes
func.func @no_bits(%a: memref<8xi0, strided<[2]>>, %b: memref<8xi0>) {
  gpu.memcpy %b, %a : memref<8xi0>, memref<8xi0, strided<[2]>>
  return
}

// -----
// EXPECT: 'gpu.memcpy' op cannot be done by bytes: the destination's element type 'vector<3xi4>' is not a whole number of bytes
func.func @vector_of_sub_bytes(%a: memref<8xvector<3xi4>, strided<[2]>>, %b: memref<8xvector<3xi4>>) {
  gpu.memcpy %b, %a : memref<8xvector<3xi4>>, memref<8xvector<3xi4>, strided<[2]>>
  return
}

// -----
// EXPECT: 'gpu.memset' op cannot be done by bytes: the destination's element type 'i1' is not a whole number of bytes
func.func @set_bits(%b: memref<8xi1>, %c: i1) {
  gpu.memset %b, %c : memref<8xi1>, i1
  return
}

// -----
// EXPECT: 'gpu.memset' op cannot be done by bytes: the destination's element type 'complex<i4>' is not a whole number of bytes
func.func @set_complex_of_sub_bytes(%b: memref<8xcomplex<i4>>, %c: complex<i4>) {
  gpu.memset %b, %c : memref<8xcomplex<i4>>, complex<i4>
  return
}

// -----
// EXPECT: 'gpu.memcpy' op cannot be lowered: the source's memory space '"elsewhere"' has no number
func.func @memory_space(%a: memref<8xf32, strided<[2]>, "elsewhere">, %b: memref<8xf32>) {
  gpu.memcpy %b, %a : memref<8xf32>, memref<8xf32, strided<[2]>, "elsewhere">
  return
}

// -----
// EXPECT: 'gpu.memcpy' op cannot be lowered: the source's memory space '#gpu.address_space<workgroup>' has no number
func.func @not_of_the_host(%a: memref<8xf32, #gpu.address_space<workgroup>>, %b: memref<8xf32>) {
  gpu.memcpy %b, %a : memref<8xf32>, memref<8xf32, #gpu.address_space<workgroup>>
  return
}

// -----
// EXPECT: 'gpu.memcpy' op is inside 'gpu.func'; only the host can ask for it
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%a: memref<8xf32, strided<[2]>>, %b: memref<8xf32>) kernel {
      gpu.memcpy %b, %a : memref<8xf32>, memref<8xf32, strided<[2]>>
      gpu.return
    }
  }
}

// -----
// EXPECT: 'gpu.memset' op is inside 'gpu.func'; only the host can ask for it
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @set_in_a_kernel(%b: memref<8xcomplex<f32>>, %c: complex<f32>) kernel {
      gpu.memset %b, %c : memref<8xcomplex<f32>>, complex<f32>
      gpu.return
    }
  }
}

// -----
// EXPECT: 'gpu.memcpy' op needs the run-time function @mgpuMemcpyStrided, but that name is taken by something of another type
func.func private @mgpuMemcpyStrided(i32)
func.func @name_taken(%a: memref<8xf32, strided<[2]>>, %b: memref<8xf32>) {
  gpu.memcpy %b, %a : memref<8xf32>, memref<8xf32, strided<[2]>>
  return
}

// -----
// EXPECT: 'gpu.memset' op needs the run-time function @mgpuMemsetStrided, but that name is taken by something of another type
memref.global @mgpuMemsetStrided : memref<4xf32>
func.func @name_of_a_global(%b: memref<8xf32, strided<[2]>>, %c: f32) {
  gpu.memset %b, %c : memref<8xf32, strided<[2]>>, f32
  return
}

// -----
// EXPECT: 'gpu.alloc' op cannot be lowered: the layout 'strided<[-8, 1], offset: 8>' reaches below the start of the allocation
func.func @below_the_start() {
  %a = gpu.alloc() : memref<4x8xf32, strided<[-8, 1], offset: 8>>
  gpu.dealloc %a : memref<4x8xf32, strided<[-8, 1], offset: 8>>
  return
}

// -----
// EXPECT: 'gpu.alloc' op cannot be lowered: the layout 'affine_map<(d0)[s0] -> (d0 * s0)>' has symbols; only strided<...> may leave numbers open
func.func @symbols(%s: index) {
  %a = gpu.alloc()[%s] : memref<8xf32, affine_map<(d0)[s0] -> (d0 * s0)>>
  gpu.dealloc %a : memref<8xf32, affine_map<(d0)[s0] -> (d0 * s0)>>
  return
}

// -----
// EXPECT: 'gpu.alloc' op cannot be lowered: the result's layout 'affine_map<(d0) -> (d0 floordiv 2)>' is not of strided form
func.func @alloc_layout() {
  %a = gpu.alloc() : memref<8xf32, affine_map<(d0) -> (d0 floordiv 2)>>
  gpu.dealloc %a : memref<8xf32, affine_map<(d0) -> (d0 floordiv 2)>>
  return
}
