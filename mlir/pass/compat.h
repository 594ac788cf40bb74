// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What changed in MLIR's C++ interface between LLVM 19 and 22, so that no other file asks for the
// version. A new major is first tried here.

#ifndef ASTRIDE_MLIR_PASS_COMPAT_H
#define ASTRIDE_MLIR_PASS_COMPAT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Config/llvm-config.h"

#include <utility>

namespace astride
{

/// Creates an operation. OpBuilder::create is deprecated in LLVM 22; what replaces it is not there
/// in 19 and 20.
template <typename Op, typename... Arguments>
Op create(mlir::OpBuilder &builder, mlir::Location location, Arguments &&...arguments)
{
#if LLVM_VERSION_MAJOR >= 22
    return Op::create(builder, location, std::forward<Arguments>(arguments)...);
#else
    return builder.create<Op>(location, std::forward<Arguments>(arguments)...);
#endif
}

/// Strides and offset of a memref in elements, ShapedType::kDynamic for what the type leaves open.
/// Fails for a layout that is not of strided form.
inline llvm::LogicalResult
stridesAndOffset(mlir::MemRefType type, llvm::SmallVectorImpl<int64_t> &strides, int64_t &offset)
{
#if LLVM_VERSION_MAJOR >= 21
    return type.getStridesAndOffset(strides, offset);
#else
    return mlir::getStridesAndOffset(type, strides, offset);
#endif
}

} // namespace astride

#endif
