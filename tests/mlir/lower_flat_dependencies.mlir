// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dense copies whose only difficulty is the number of their dependencies.
// without gpu-async-region: it would give every operation one dependency more

func.func @two(%a: memref<8xf32>, %b: memref<8xf32>, %t0: !gpu.async.token, %t1: !gpu.async.token)
    -> !gpu.async.token {
  %t2 = gpu.memcpy async [%t0, %t1] %a, %b : memref<8xf32>, memref<8xf32>
  return %t2 : !gpu.async.token
}

func.func @none(%a: memref<8xf32>, %b: memref<8xf32>) -> !gpu.async.token {
  %t = gpu.memcpy async %a, %b : memref<8xf32>, memref<8xf32>
  return %t : !gpu.async.token
}
