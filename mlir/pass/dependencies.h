// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings the asynchronous dependencies of an operation into the only form that MLIR's gpu-to-llvm
// can lower: asynchronous with exactly one. What a single dependency becomes is not decided here.

#ifndef ASTRIDE_MLIR_PASS_DEPENDENCIES_H
#define ASTRIDE_MLIR_PASS_DEPENDENCIES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace astride
{

/// True unless the operation is asynchronous with one dependency or synchronous with none.
bool dependenciesNeedRewriting(mlir::gpu::AsyncOpInterface op);

/// Replaces the operation by an equal one that is asynchronous with one dependency, with gpu.wait
/// operations around it where they are needed. To be called only if dependenciesNeedRewriting.
void rewriteDependencies(mlir::gpu::AllocOp op, mlir::RewriterBase &rewriter);
void rewriteDependencies(mlir::gpu::DeallocOp op, mlir::RewriterBase &rewriter);
void rewriteDependencies(mlir::gpu::MemcpyOp op, mlir::RewriterBase &rewriter);
void rewriteDependencies(mlir::gpu::MemsetOp op, mlir::RewriterBase &rewriter);

/// Drops dependencies of a gpu.wait that others imply; fails if there are none. gpu-to-llvm would
/// destroy a stream once for each dependency that is on it.
llvm::LogicalResult pruneDependencies(mlir::gpu::WaitOp op, mlir::RewriterBase &rewriter);

} // namespace astride

#endif
