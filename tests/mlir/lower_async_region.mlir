// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy in a region of the async dialect, which MLIR lowers with other passes: its token leaves the
// region as an event, which must be recorded behind the copy.

!strided = memref<8xf32, strided<[2]>>

func.func @asynchronous_region(%a: !strided, %b: memref<8xf32>) {
  %t, %r = async.execute -> !async.value<!gpu.async.token> {
    %0 = gpu.wait async
    %1 = gpu.memcpy async [%0] %b, %a : memref<8xf32>, !strided
    async.yield %1 : !gpu.async.token
  }
  async.await %t : !async.token
  return
}
