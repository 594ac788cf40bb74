/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Arithmetic that reports overflow instead of wrapping. Each function returns false when the exact
 * result does not fit, and leaves the output alone then.
 */
#ifndef ASTRIDE_HAL_CHECKED_H
#define ASTRIDE_HAL_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

static inline bool astride__add_i64(int64_t a, int64_t b, int64_t *sum_out)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *sum_out = sum;
    return true;
}

static inline bool astride__multiply_i64(int64_t a, int64_t b, int64_t *product_out)
{
    int64_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *product_out = product;
    return true;
}

#endif /* ASTRIDE_HAL_CHECKED_H */
