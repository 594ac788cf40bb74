/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The functions that MLIR code calls by declaring them, without any plugin: one per element type,
 * all alike but for the size of the element.
 */
#include <astride/mlir.h>

#include "mlir/runtime/copy.h"

#define DEFINE(type, bytes)                                                                        \
    void _mlir_ciface_astride_memcpy_##type(void *stream, astride_unranked_memref *dst,            \
                                            astride_unranked_memref *src)                          \
    {                                                                                              \
        astride__mlir_copy_unranked("astride_memcpy_" #type, dst, src, (int64_t)(bytes), stream);  \
    }
ASTRIDE_MLIR_MEMCPY_LIST(DEFINE)
