// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can be lowered but not run here: tokens that come from elsewhere, memrefs through control
// flow, nested modules, a run-time function that is declared already, and element types without
// arithmetic.

!strided = memref<8xf32, strided<[2]>>
!any = memref<?x?xf32, strided<[?, ?], offset: ?>>

func.func private @mgpuMemcpyStrided(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, !llvm.ptr)

func.func @tokens_as_arguments(%a: !strided, %b: memref<8xf32>, %t: !gpu.async.token,
    %u: !gpu.async.token) -> !gpu.async.token {
  %v = gpu.memcpy async [%t, %u] %b, %a : memref<8xf32>, !strided
  return %v : !gpu.async.token
}

func.func @token_through_blocks(%a: !strided, %b: memref<8xf32>, %c: i1) {
  %t = gpu.wait async
  cf.cond_br %c, ^bb1(%t : !gpu.async.token), ^bb2(%t : !gpu.async.token)
^bb1(%u: !gpu.async.token):
  %v = gpu.memcpy async [%u] %b, %a : memref<8xf32>, !strided
  cf.br ^bb2(%v : !gpu.async.token)
^bb2(%w: !gpu.async.token):
  gpu.wait [%w]
  return
}

func.func private @elsewhere(!any) -> !any

func.func @memref_through_control_flow(%a: !any, %b: memref<4x8xf32>, %c : i1) {
  %x = scf.if %c -> !any {
    scf.yield %a : !any
  } else {
    %y = func.call @elsewhere(%a) : (!any) -> !any
    scf.yield %y : !any
  }
  gpu.memcpy %b, %x : memref<4x8xf32>, !any
  return
}

module @inner {
  func.func @in_a_module_of_its_own(%a: !strided, %b: memref<8xf32>) {
    gpu.memcpy %b, %a : memref<8xf32>, !strided
    return
  }
}

func.func @descriptors(%a: memref<4xmemref<?xf32>, strided<[2]>>, %b: memref<4xmemref<?xf32>>) {
  gpu.memcpy %b, %a : memref<4xmemref<?xf32>>, memref<4xmemref<?xf32>, strided<[2]>>
  return
}

func.func @floats_of_8_and_80_bits(%a: memref<4xf8E5M2, strided<[2]>>, %b: memref<4xf8E5M2>,
    %c: memref<4xf80, strided<[2]>>, %d: memref<4xf80>) {
  gpu.memcpy %b, %a : memref<4xf8E5M2>, memref<4xf8E5M2, strided<[2]>>
  gpu.memcpy %d, %c : memref<4xf80>, memref<4xf80, strided<[2]>>
  return
}

func.func @vectors(%a: memref<4xvector<[4]xf32>, strided<[2]>>, %b: memref<4xvector<[4]xf32>>,
    %c: memref<4xvector<8xi1>, strided<[2]>>, %d: memref<4xvector<8xi1>>) {
  gpu.memcpy %b, %a : memref<4xvector<[4]xf32>>, memref<4xvector<[4]xf32>, strided<[2]>>
  gpu.memcpy %d, %c : memref<4xvector<8xi1>>, memref<4xvector<8xi1>, strided<[2]>>
  return
}
