// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Synchronous copies in a module whose index type has 32 bits: descriptors change, the geometry of
// the calls does not.

module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 32>>} {
  func.func @rows(%a: memref<?x8xf32, strided<[?, 1], offset: ?>>, %b: memref<?x8xf32>) {
    gpu.memcpy %b, %a : memref<?x8xf32>, memref<?x8xf32, strided<[?, 1], offset: ?>>
    return
  }

  func.func @indices(%a: memref<4xindex, strided<[-2], offset: 6>>, %b: memref<4xindex>) {
    gpu.memcpy %b, %a : memref<4xindex>, memref<4xindex, strided<[-2], offset: 6>>
    return
  }
}
