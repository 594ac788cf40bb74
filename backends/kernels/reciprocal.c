/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Factors and shifts that stand for divisors. The theory is in reciprocal.h.
 */
#include "reciprocal.h"

/* ceil(log2(value)) of a value of at least 1. */
static uint32_t log2_ceiling(uint64_t value)
{
    uint32_t bits = 0;
    while (bits < 63 && (UINT64_C(1) << bits) < value)
        bits++;
    return bits;
}

/* floor(2^exponent / divisor), bit by bit; the result fits in 64 bits. */
static uint64_t divide_power(uint32_t exponent, uint64_t divisor)
{
    uint64_t quotient = 0;
    /* Invariant: remainder < divisor < 2^63, so that doubling it never overflows. */
    uint64_t remainder = divisor > 1 ? 1 : 0;
    if (divisor == 1)
        quotient = 1;
    for (uint32_t i = 0; i < exponent; i++) {
        quotient <<= 1;
        remainder <<= 1;
        if (remainder >= divisor) {
            remainder -= divisor;
            quotient |= 1;
        }
    }
    return quotient;
}

static astride__reciprocal reciprocal(uint32_t dividend_bits, uint64_t divisor)
{
    const uint32_t shift = log2_ceiling(divisor);
    return (astride__reciprocal){divide_power(dividend_bits + shift, divisor) + 1, shift};
}

astride__reciprocal astride__reciprocal_narrow(uint64_t divisor)
{
    return reciprocal(31, divisor);
}

astride__reciprocal astride__reciprocal_wide(uint64_t divisor)
{
    return reciprocal(63, divisor);
}
