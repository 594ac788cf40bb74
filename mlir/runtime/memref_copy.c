/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * memrefCopy, which is in a library of its own because MLIR's libmlir_c_runner_utils has a function
 * of that name.
 */
#include <stddef.h>

#include <astride/mlir.h>

#include "mlir/runtime/copy.h"

void memrefCopy(int64_t element_bytes, astride_unranked_memref *src, astride_unranked_memref *dst)
{
    astride__mlir_copy_unranked(__func__, dst, src, element_bytes, NULL);
}
