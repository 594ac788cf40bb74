/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Wide rows: units that are long enough for the C library's memcpy to pay for its call.
 */
#include "kernels.h"

#include <string.h>

void astride__host_copy_rows(uint8_t *restrict dst, const uint8_t *restrict src,
                             const astride__host_block *block)
{
    for (size_t row = 0; row < block->rows; row++) {
        uint8_t *dst_row = dst + (ptrdiff_t)row * block->dst_row;
        const uint8_t *src_row = src + (ptrdiff_t)row * block->src_row;
        for (size_t column = 0; column < block->columns; column++)
            memcpy(dst_row + (ptrdiff_t)column * block->dst_column,
                   src_row + (ptrdiff_t)column * block->src_column, block->unit_bytes);
    }
}
