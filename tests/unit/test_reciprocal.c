/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reciprocals against division, at every edge: around all multiples that are near a power of two,
 * the smallest and the largest dividends and divisors, and random ones between.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backends/kernels/reciprocal.h"
#include "tests/support/random.h"

#define SEED 11
#define RANDOM_COUNT 2000

/* As the kernels do it, see divide32 and divide64 in astride_kernels.cl. */
static uint64_t divide_narrow(uint64_t n, astride__reciprocal r)
{
    const uint32_t doubled = (uint32_t)(2 * n), factor = (uint32_t)r.factor;

    return (uint32_t)(((uint64_t)doubled * factor) >> 32) >> r.shift;
}

/* The high word of a product of 64-bit words. */
static uint64_t high_word(uint64_t a, uint64_t b)
{
    const uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + ((a0 * b0) >> 32);

    return a1 * b1 + (middle >> 32) + ((a0 * b1 + (middle & UINT32_MAX)) >> 32);
}

static uint64_t divide_wide(uint64_t n, astride__reciprocal r)
{
    return high_word(2 * n, r.factor) >> r.shift;
}

/* Dividends are below 2^bits. */
static void check(unsigned bits, uint64_t n, uint64_t divisor)
{
    if (n >> bits != 0)
        return;
    if (bits == 31) {
        const astride__reciprocal r = astride__reciprocal_narrow(divisor);

        assert_true(r.factor <= UINT32_MAX && r.shift <= 31);
        assert_int_equal(divide_narrow(n, r), n / divisor);
    } else {
        const astride__reciprocal r = astride__reciprocal_wide(divisor);

        assert_true(r.shift <= 63);
        assert_int_equal(divide_wide(n, r), n / divisor);
    }
}

static void check_divisor(unsigned bits, uint64_t divisor, test_random *random)
{
    const uint64_t most = (UINT64_C(1) << bits) - 1;
    const uint64_t largest = most / divisor;

    if (largest == 0)
        return;
    for (uint64_t step = 0; step < 3; step++) {
        check(bits, step, divisor);
        check(bits, most - step, divisor);
        /* Around multiples, small and large ones. */
        check(bits, divisor * 1 + step - 1, divisor);
        check(bits, divisor * 2 + step - 1, divisor);
        check(bits, divisor * largest + step - 1, divisor);
        check(bits, divisor * (largest / 2) + step, divisor);
    }
    for (unsigned k = 1; k < bits; k++) {
        const uint64_t multiple = ((UINT64_C(1) << k) / divisor) * divisor;

        check(bits, (UINT64_C(1) << k) - 1, divisor);
        check(bits, UINT64_C(1) << k, divisor);
        check(bits, (UINT64_C(1) << k) + 1, divisor);
        check(bits, multiple, divisor);
        check(bits, multiple + divisor - 1, divisor);
    }
    for (int i = 0; i < 8; i++)
        check(bits, test_random_below(random, most), divisor);
}

static void check_all(unsigned bits)
{
    test_random random;

    test_random_seed(&random, SEED, bits);
    for (uint64_t divisor = 1; divisor <= 1100; divisor++)
        check_divisor(bits, divisor, &random);
    for (unsigned k = 10; k <= bits; k++) {
        for (uint64_t step = 0; step < 5; step++)
            check_divisor(bits, (UINT64_C(1) << k) + step - 2, &random);
    }
    for (int i = 0; i < RANDOM_COUNT; i++)
        check_divisor(bits, (uint64_t)test_random_magnitude(&random, INT64_C(1) << (bits - 1)),
                      &random);
}

static void narrow_reciprocals_divide(void **state)
{
    (void)state;
    check_all(31);
}

static void wide_reciprocals_divide(void **state)
{
    (void)state;
    check_all(63);
}

static void every_small_quotient_is_right(void **state)
{
    (void)state;
    for (uint64_t divisor = 1; divisor <= 300; divisor++) {
        const astride__reciprocal narrow = astride__reciprocal_narrow(divisor);
        const astride__reciprocal wide = astride__reciprocal_wide(divisor);

        for (uint64_t n = 0; n < 4096; n++) {
            assert_int_equal(divide_narrow(n, narrow), n / divisor);
            assert_int_equal(divide_wide(n, wide), n / divisor);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_reciprocals_divide),
        cmocka_unit_test(wide_reciprocals_divide),
        cmocka_unit_test(every_small_quotient_is_right),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
