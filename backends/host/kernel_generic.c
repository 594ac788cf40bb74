/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Units of any size that has no kernel of its own: the sizes that records and small vectors often
 * have as constants, every other one by two overlapping moves within the unit.
 */
#include "kernels.h"

#include <string.h>

/* Longer units go to kernel_rows.c. */
#define INLINE_BYTES 64

/* First and last `half` bytes; they meet or overlap. Both are read from the source, so the order is
 * free. */
ASTRIDE__HOST_INLINE void copy_ends(uint8_t *restrict dst, const uint8_t *restrict src,
                                    size_t bytes, size_t half)
{
    memcpy(dst, src, half);
    memcpy(dst + bytes - half, src + bytes - half, half);
}

ASTRIDE__HOST_INLINE void copy_unit(uint8_t *restrict dst, const uint8_t *restrict src,
                                    size_t bytes)
{
    if (bytes >= 32) {
        copy_ends(dst, src, bytes, 32);
    } else if (bytes >= 16) {
        copy_ends(dst, src, bytes, 16);
    } else if (bytes >= 8) {
        copy_ends(dst, src, bytes, 8);
    } else if (bytes >= 4) {
        copy_ends(dst, src, bytes, 4);
    } else if (bytes >= 2) {
        copy_ends(dst, src, bytes, 2);
    } else {
        *dst = *src;
    }
}

static void copy_any(uint8_t *restrict dst, const uint8_t *restrict src,
                     const astride__host_block *block)
{
    for (size_t row = 0; row < block->rows; row++) {
        uint8_t *dst_row = dst + (ptrdiff_t)row * block->dst_row;
        const uint8_t *src_row = src + (ptrdiff_t)row * block->src_row;
        for (size_t column = 0; column < block->columns; column++)
            copy_unit(dst_row + (ptrdiff_t)column * block->dst_column,
                      src_row + (ptrdiff_t)column * block->src_column, block->unit_bytes);
    }
}

ASTRIDE__HOST_INLINE void copy_fixed(uint8_t *restrict dst, const uint8_t *restrict src,
                                     const astride__host_block *block, size_t unit_bytes)
{
    for (size_t row = 0; row < block->rows; row++) {
        uint8_t *dst_row = dst + (ptrdiff_t)row * block->dst_row;
        const uint8_t *src_row = src + (ptrdiff_t)row * block->src_row;
        for (size_t column = 0; column < block->columns; column++)
            memcpy(dst_row + (ptrdiff_t)column * block->dst_column,
                   src_row + (ptrdiff_t)column * block->src_column, unit_bytes);
    }
}

#define FIXED_SIZES(X) X(3) X(6) X(12) X(24) X(32) X(48) X(64)

#define DEFINE_FIXED(size)                                                                         \
    static void copy_##size(uint8_t *restrict dst, const uint8_t *restrict src,                    \
                            const astride__host_block *block)                                      \
    {                                                                                              \
        copy_fixed(dst, src, block, size);                                                         \
    }
FIXED_SIZES(DEFINE_FIXED)

astride__host_kernel astride__host_generic_kernel(size_t unit_bytes)
{
    switch (unit_bytes) {
#define FIXED_CASE(size)                                                                           \
    case size:                                                                                     \
        return copy_##size;
        FIXED_SIZES(FIXED_CASE)
    default:
        return unit_bytes <= INLINE_BYTES ? copy_any : astride__host_copy_rows;
    }
}
