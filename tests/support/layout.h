/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A layout is one strided copy together with the allocations that it happens in: all that a test
 * needs to set up, run and check it. The generator of random ones is declared here too; what a copy
 * of a layout must result in is in reference.h.
 */
#ifndef ASTRIDE_TESTS_LAYOUT_H
#define ASTRIDE_TESTS_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <astride/copy.h>

#include "tests/support/random.h"

/* How the two sides lie to each other. */
typedef enum test_placement {
    TEST_PLACEMENT_SEPARATE,    /* each in an allocation of its own */
    TEST_PLACEMENT_DISJOINT,    /* in one allocation, one behind the other */
    TEST_PLACEMENT_INTERLEAVED, /* in one allocation, woven into each other, no byte shared */
    TEST_PLACEMENT_OVERLAPPING, /* in one allocation, in general with bytes shared */
    TEST_PLACEMENT_COUNT
} test_placement;

/* One side. All of it lies in its allocation: 0 <= every byte's offset < bytes. */
typedef struct test_side {
    int64_t strides[ASTRIDE_MAX_RANK];
    bool dense;    /* the strides are the dense row-major ones and are given as NULL */
    size_t offset; /* of the element [0, ..., 0] in the allocation */
    size_t bytes;  /* size of the allocation */
} test_side;

typedef struct test_layout {
    int32_t rank;
    size_t element_bytes;
    int64_t extents[ASTRIDE_MAX_RANK];
    test_placement placement; /* with any but SEPARATE dst.bytes == src.bytes, of one allocation */
    test_side dst, src;
    const char *shape; /* what the generator had in mind, in a word or two */
} test_layout;

/* Offsets, from the element [0, ..., 0], of a side's first byte and of the byte behind its last. */
typedef struct test_span {
    int64_t low, high; /* both 0 when there is no element */
} test_span;

/*
 * Generates a valid layout: both sides in bounds and no two elements of the destination sharing a
 * byte. Most allocations are at most 64 KiB, a few reach some MiB.
 */
void test_layout_generate(test_random *random, test_layout *layout_out);

/*
 * The same with `bytes` or a little less (at least half of it) to copy, at least 1 KiB, and with at
 * most `maximum_rank` dimensions, at least 4; each side in an allocation of its own.
 */
void test_layout_generate_sized(test_random *random, int64_t bytes, int32_t maximum_rank,
                                test_layout *layout_out);

/*
 * Generates a layout whose destination is invalid because at least two of its elements share a byte
 * (a part of an element is enough). All else is in order.
 */
void test_layout_generate_self_overlapping(test_random *random, test_layout *layout_out);

/* Writes the dense row-major strides of extents. */
void test_layout_dense_strides(int32_t rank, const int64_t *extents, size_t element_bytes,
                               int64_t *strides_out);

/* Number of elements. */
size_t test_layout_elements(const test_layout *layout);

test_span test_layout_span(const test_layout *layout, const test_side *side);

/* How far both sides can be moved within their allocations: bytes down (<= 0) and up (>= 0). */
void test_layout_room(const test_layout *layout, int64_t *down_out, int64_t *up_out);

/*
 * Calls `visit` with the offset of each element of both sides in its allocation, in row-major
 * order.
 */
typedef void (*test_layout_visitor)(size_t dst_offset, size_t src_offset, void *argument);
void test_layout_visit(const test_layout *layout, test_layout_visitor visit, void *argument);

/* Whether two elements of the destination share a byte. Found by marking bytes. */
bool test_layout_overlaps_itself(const test_layout *layout);

/* Whether a byte belongs to both sides. Found by marking bytes. */
bool test_layout_sides_overlap(const test_layout *layout);

/*
 * The descriptor of a layout in given allocations, both sides moved by `shift` bytes. It points
 * into the layout. Its bases are only computed, so the allocations may be device memory.
 */
astride_copy_desc test_layout_descriptor(const test_layout *layout, void *dst_allocation,
                                         const void *src_allocation, int64_t shift);

const char *test_placement_name(test_placement placement);

/* Prints a layout in words, and as an initialiser of test_layout, each line behind `prefix`. */
void test_layout_print(FILE *stream, const char *prefix, const test_layout *layout);

#endif /* ASTRIDE_TESTS_LAYOUT_H */
