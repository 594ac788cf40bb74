/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copies in the terms of MLIR, for the exported functions that differ only in how they are told of
 * the two sides.
 */
#ifndef ASTRIDE_MLIR_RUNTIME_COPY_H
#define ASTRIDE_MLIR_RUNTIME_COPY_H

#include <stdint.h>

#include <astride/mlir.h>

#include "mlir/runtime/layout.h"

/* Copies a strided region on a stream. A failure is reported. */
void astride__mlir_copy(const char *function, const astride__mlir_shape *shape,
                        const astride__mlir_side *dst, const astride__mlir_side *src, void *stream);

/* Copies between unranked memrefs, whose ranks and sizes must be equal. A failure is reported. */
void astride__mlir_copy_unranked(const char *function, const astride_unranked_memref *dst,
                                 const astride_unranked_memref *src, int64_t element_bytes,
                                 void *stream);

#endif /* ASTRIDE_MLIR_RUNTIME_COPY_H */
