/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Short loops written out: at each step along one dimension a list says where the units of those
 * inside of it lie.
 */
#include "kernels.h"

#include <string.h>

/* A unit in two parts, which meet or overlap; with constants this is two loads and two stores. */
ASTRIDE__HOST_INLINE void copy_unit(uint8_t *restrict dst, const uint8_t *restrict src, size_t part,
                                    size_t last)
{
    memcpy(dst, src, part);
    if (last > 0)
        memcpy(dst + last, src + last, part);
}

/* Goes through the list once for several columns. */
ASTRIDE__HOST_INLINE void copy_columns(uint8_t *restrict dst, const uint8_t *restrict src,
                                       const astride__host_block *block, size_t together,
                                       size_t part, size_t last)
{
    const astride__host_step *steps = block->steps;
    for (size_t i = 0; i < block->step_count; i++) {
        ptrdiff_t to = steps[i].dst, from = steps[i].src;
        ASTRIDE__HOST_UNROLL
        for (size_t c = 0; c < together; c++) {
            copy_unit(dst + to, src + from, part, last);
            to += block->dst_column;
            from += block->src_column;
        }
    }
}

/* Columns further apart than this are streams of their own, of which too many run side by side. */
#define NEAR_BYTES 64

ASTRIDE__HOST_INLINE bool is_near(ptrdiff_t stride)
{
    return stride <= NEAR_BYTES && stride >= -NEAR_BYTES;
}

ASTRIDE__HOST_INLINE void copy_steps(uint8_t *restrict dst, const uint8_t *restrict src,
                                     const astride__host_block *block, size_t part, size_t last)
{
    const bool near = is_near(block->dst_column) && is_near(block->src_column);
    size_t column = 0;
    for (; near && column + 4 <= block->columns; column += 4)
        copy_columns(dst + (ptrdiff_t)column * block->dst_column,
                     src + (ptrdiff_t)column * block->src_column, block, 4, part, last);
    for (; column < block->columns; column++)
        copy_columns(dst + (ptrdiff_t)column * block->dst_column,
                     src + (ptrdiff_t)column * block->src_column, block, 1, part, last);
}

/* Units of `size` bytes, and of more than that but less than twice as many. */
#define DEFINE_STEPS(size)                                                                         \
    static void steps_of_##size(uint8_t *restrict dst, const uint8_t *restrict src,                \
                                const astride__host_block *block)                                  \
    {                                                                                              \
        copy_steps(dst, src, block, size, 0);                                                      \
    }                                                                                              \
    static void steps_above_##size(uint8_t *restrict dst, const uint8_t *restrict src,             \
                                   const astride__host_block *block)                               \
    {                                                                                              \
        copy_steps(dst, src, block, size, block->unit_bytes - (size));                             \
    }
DEFINE_STEPS(1)
DEFINE_STEPS(2)
DEFINE_STEPS(4)
DEFINE_STEPS(8)
DEFINE_STEPS(16)
DEFINE_STEPS(32)

astride__host_kernel astride__host_steps_kernel(size_t unit_bytes)
{
    static const struct {
        size_t bytes;
        astride__host_kernel exact, above;
    } kernels[] = {
        {32, steps_of_32, steps_above_32}, {16, steps_of_16, steps_above_16},
        {8, steps_of_8, steps_above_8},    {4, steps_of_4, steps_above_4},
        {2, steps_of_2, steps_above_2},    {1, steps_of_1, steps_above_1},
    };
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (unit_bytes == kernels[i].bytes)
            return kernels[i].exact;
        if (unit_bytes > kernels[i].bytes && unit_bytes <= 2 * kernels[i].bytes)
            return kernels[i].above;
    }
    return NULL;
}
