/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Division by multiplication: a divisor becomes a factor and a shift on the host, so that kernels
 * need no division, which is slow on every device.
 *
 * With s = ceil(log2(d)) and m = floor(2^(N + s) / d) + 1, floor(n * m / 2^(N + s)) = floor(n / d)
 * for all n < 2^N (Granlund and Montgomery, "Division by Invariant Integers using Multiplication",
 * 1994, theorem 4.2). N is 31 or 63 here, one bit less than the word has, so that m fits in a word:
 * the quotient is the high word of (2 * n) * m, shifted right by s.
 */
#ifndef ASTRIDE_BACKENDS_KERNELS_RECIPROCAL_H
#define ASTRIDE_BACKENDS_KERNELS_RECIPROCAL_H

#include <stdint.h>

typedef struct astride__reciprocal {
    uint64_t factor;
    uint32_t shift;
} astride__reciprocal;

/* For dividends and divisors below 2^31; the divisor is at least 1. */
astride__reciprocal astride__reciprocal_narrow(uint64_t divisor);

/* For dividends and divisors below 2^63; the divisor is at least 1. */
astride__reciprocal astride__reciprocal_wide(uint64_t divisor);

#endif /* ASTRIDE_BACKENDS_KERNELS_RECIPROCAL_H */
