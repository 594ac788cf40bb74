// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way in through a pass of one's own pipeline: astride-gpu-copy, before gpu-to-llvm.

#ifndef ASTRIDE_MLIR_PASS_PASS_H
#define ASTRIDE_MLIR_PASS_PASS_H

namespace astride
{

void registerPass();

} // namespace astride

#endif
