/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Short loops written out: at each step along one dimension a list says where the units of those
 * inside of it lie.
 */
#include "kernels.h"

#include <string.h>

/* A unit in two parts, which meet or overlap; with constants this is two loads and two stores. */
ASTRIDE__HOST_INLINE void copy_steps(uint8_t *restrict dst, const uint8_t *restrict src,
                                     const astride__host_block *block, size_t part, size_t last)
{
    const astride__host_step *steps = block->steps;
    const size_t count = block->step_count;
    for (size_t column = 0; column < block->columns; column++) {
        uint8_t *to = dst + (ptrdiff_t)column * block->dst_column;
        const uint8_t *from = src + (ptrdiff_t)column * block->src_column;
        for (size_t i = 0; i < count; i++) {
            memcpy(to + steps[i].dst, from + steps[i].src, part);
            if (last > 0)
                memcpy(to + steps[i].dst + last, from + steps[i].src + last, part);
        }
    }
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
