/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The pieces that the generator of layouts is made of: extents, orders of dimensions, strides that
 * nest or weave, and placing both sides in allocations. For the files layout_*.c only.
 */
#ifndef ASTRIDE_TESTS_LAYOUT_BUILD_H
#define ASTRIDE_TESTS_LAYOUT_BUILD_H

#include "tests/support/layout.h"

/* Dimensions with more than one element, innermost first: the order in which strides are built. */
typedef struct test_order {
    int32_t dims[ASTRIDE_MAX_RANK];
    int32_t count;
} test_order;

/* Where gaps are left between neighbours. */
typedef enum test_padding {
    TEST_PADDING_NONE,
    TEST_PADDING_OUTER, /* rows stay contiguous */
    TEST_PADDING_ANY
} test_padding;

/* Sets element_bytes to a usual, an odd or now and then any other size. */
void test_build_element(test_random *random, test_layout *layout);

/* Sets rank and extents so that the elements have about, and at most, `bytes` bytes together. */
void test_build_extents(test_random *random, test_layout *layout, int32_t rank, int64_t bytes);

/* The last dimension innermost, as in C. */
test_order test_build_row_major(const test_layout *layout);

test_order test_build_shuffled(test_random *random, const test_layout *layout);

/*
 * Gives dimensions first to count - 1 of an order strides that nest: each holds the whole span of
 * the ones before, which starts as `span` bytes. Returns the span of all.
 */
int64_t test_build_nested(test_random *random, const test_layout *layout, const test_order *order,
                          int32_t first, test_padding padding, int64_t span, int64_t *strides);

/*
 * Gives the first two dimensions of an order strides p * g and q * g with p and q coprime, so that
 * they weave without nesting and without sharing a byte; the others nest around. Needs two
 * dimensions.
 */
int64_t test_build_lattice(test_random *random, const test_layout *layout, const test_order *order,
                           int64_t *strides);

/* Negates strides: of each dimension of either side in about one of `denominator` cases. */
void test_build_flip(test_random *random, test_layout *layout, unsigned denominator);

/* Strides of unit extents mean nothing; this sets them to anything, INT64_MIN included. */
void test_build_unit_strides(test_random *random, test_layout *layout);

/* Gives each side an allocation of its own, with random room around, also none. */
void test_build_separate(test_random *random, test_layout *layout);

/*
 * Puts both sides in one allocation, the first byte of the source `distance` bytes behind the first
 * one of the destination (before it when negative).
 */
void test_build_together(test_random *random, test_layout *layout, int64_t distance);

/* Bytes from the first to the last one of a side. */
int64_t test_build_span_bytes(const test_layout *layout, const test_side *side);

#endif /* ASTRIDE_TESTS_LAYOUT_BUILD_H */
