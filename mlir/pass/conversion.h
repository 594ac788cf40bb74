// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way in through MLIR's own pipeline: a dialect without operations that joins every conversion
// to LLVM which the GPU dialect takes part in.

#ifndef ASTRIDE_MLIR_PASS_CONVERSION_H
#define ASTRIDE_MLIR_PASS_CONVERSION_H

#include "mlir/IR/DialectRegistry.h"

namespace astride
{

/// Makes the dialect known, to be loaded when something asks for it.
void insertDialect(mlir::DialectRegistry &registry);

/// Makes the dialect known and has it loaded together with the GPU dialect.
void registerDialect(mlir::DialectRegistry &registry);

} // namespace astride

#endif
