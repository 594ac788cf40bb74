// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which gpu.memcpy, gpu.memset and gpu.alloc the plugin takes, which it leaves to MLIR's own
// gpu-to-llvm, and which it refuses with a diagnostic. Both ways into the plugin ask here.

#ifndef ASTRIDE_MLIR_PASS_SUPPORT_H
#define ASTRIDE_MLIR_PASS_SUPPORT_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <optional>
#include <string>

namespace astride
{

/// True where gpu-to-llvm lowers the operation by itself, and correctly: identity layouts on all
/// sides, asynchronous, exactly one dependency; for gpu.memset also a value of 16 or 32 bits. For
/// gpu.alloc only the layout counts: a synchronous one is for gpu-async-region to change.
bool upstreamLowers(mlir::gpu::AllocOp op);
bool upstreamLowers(mlir::gpu::MemcpyOp op);
bool upstreamLowers(mlir::gpu::MemsetOp op);

/// The first thing about the operation that cannot be lowered, as the rest of a sentence that
/// starts with its name; nothing if it can be.
std::optional<std::string> unsupportedReason(mlir::gpu::AllocOp op,
                                             const mlir::LLVMTypeConverter &converter);
std::optional<std::string> unsupportedReason(mlir::gpu::MemcpyOp op,
                                             const mlir::LLVMTypeConverter &converter);
std::optional<std::string> unsupportedReason(mlir::gpu::MemsetOp op,
                                             const mlir::LLVMTypeConverter &converter);

/// True in a conversion that turns tokens into streams, as gpu-to-llvm does. In any other, such as
/// convert-to-llvm of LLVM 19, asynchronous operations are left for the one that follows.
bool convertsTokens(const mlir::LLVMTypeConverter &converter, mlir::MLIRContext *context);

/// Lets memrefs in #gpu.address_space<global> be converted: on the host that is the space of every
/// pointer, 0. MLIR's own gpu-to-llvm has no rule for it.
void addMemorySpaceConversion(mlir::LLVMTypeConverter &converter);

} // namespace astride

#endif
