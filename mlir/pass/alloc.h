// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpu.alloc with a strided layout, which MLIR's gpu-to-llvm leaves behind: a flat gpu.alloc that
// is large enough, seen through memref.reinterpret_cast.

#ifndef ASTRIDE_MLIR_PASS_ALLOC_H
#define ASTRIDE_MLIR_PASS_ALLOC_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace astride
{

/// Replaces an allocation whose layout is strided but not the identity. Fails, with an error on the
/// operation, where the layout's numbers cannot be known or reach below the allocation.
llvm::LogicalResult flattenAlloc(mlir::gpu::AllocOp op, mlir::RewriterBase &rewriter);

} // namespace astride

#endif
