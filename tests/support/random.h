/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Seeded random numbers for tests: the same seed and stream give the same numbers on every machine.
 * Nothing here is fit for anything but tests.
 */
#ifndef ASTRIDE_TESTS_RANDOM_H
#define ASTRIDE_TESTS_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct test_random {
    uint64_t state[4];
} test_random;

/* Starts stream number `stream` of a seed; streams of one seed are independent of each other. */
void test_random_seed(test_random *random, uint64_t seed, uint64_t stream);

uint64_t test_random_next(test_random *random);

/* A number from 0 to bound - 1; bound is at least 1. */
uint64_t test_random_below(test_random *random, uint64_t bound);

/* A number from low to high, both included. */
int64_t test_random_between(test_random *random, int64_t low, int64_t high);

/* A number from 1 to high whose logarithm is evenly spread; high is at least 1. */
int64_t test_random_magnitude(test_random *random, int64_t high);

/* True in `numerator` of `denominator` cases. */
bool test_random_chance(test_random *random, unsigned numerator, unsigned denominator);

void test_random_bytes(test_random *random, void *bytes_out, size_t count);

#endif /* ASTRIDE_TESTS_RANDOM_H */
