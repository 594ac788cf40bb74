// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a gpu.memcpy or gpu.memset whose memrefs are already LLVM descriptors to a call of
// mgpuMemcpyStrided or mgpuMemsetStrided. Which operations come here is decided in support.h; who
// brings them, in conversion.h and pass.h.

#ifndef ASTRIDE_MLIR_PASS_LOWER_COPY_H
#define ASTRIDE_MLIR_PASS_LOWER_COPY_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace astride
{

/// What a call needs of one operation, in LLVM's types. A null stream asks for a call that returns
/// when the work is done. `source` is the source's descriptor, or the value to set.
struct CallOperands {
    mlir::Value destination;
    mlir::Value source;
    mlir::Value stream;
};

/// Writes the call before the builder's insertion point and leaves the operation where it is. Fails
/// with an error on the operation if the module has another symbol of the function's name.
llvm::LogicalResult emitStridedCall(mlir::gpu::MemcpyOp op, const CallOperands &operands,
                                    const mlir::LLVMTypeConverter &converter,
                                    mlir::OpBuilder &builder);
llvm::LogicalResult emitStridedCall(mlir::gpu::MemsetOp op, const CallOperands &operands,
                                    const mlir::LLVMTypeConverter &converter,
                                    mlir::OpBuilder &builder);

/// Calls a function of the run-time library, which is declared in the module of `user` if it is
/// not yet. Returns the call's result, a null value for a function without one, or fails with an
/// error on `user`.
llvm::FailureOr<mlir::Value> callRuntime(mlir::Operation *user, mlir::OpBuilder &builder,
                                         llvm::StringRef name, mlir::Type result,
                                         mlir::ValueRange arguments);

} // namespace astride

#endif
