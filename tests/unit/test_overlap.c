/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The overlap tests: by value for the layouts that programs use, and over seeded random ones
 * against marking every byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hal/overlap.h"
#include "tests/support/random.h"

/* Addresses in the tests are numbers; nothing is dereferenced. */
#define SOURCE_ADDRESS ((uintptr_t)1 << 40)

static astride__relation between(const astride__geometry *geometry, int64_t distance)
{
    return astride__overlap_between(geometry, SOURCE_ADDRESS + (uintptr_t)distance, SOURCE_ADDRESS);
}

static void even_and_odd_columns_are_disjoint(void **state)
{
    (void)state;
    const astride__geometry columns = {.rank = 2,
                                       .unit_bytes = 4,
                                       .extents = {1000, 500},
                                       .dst_strides = {4000, 8},
                                       .src_strides = {4000, 8}};
    assert_int_equal(between(&columns, 4), ASTRIDE__DISJOINT);
    assert_int_equal(between(&columns, -4), ASTRIDE__DISJOINT);
    assert_int_equal(between(&columns, 8), ASTRIDE__OVERLAPPING);
    assert_int_equal(between(&columns, 3), ASTRIDE__OVERLAPPING);
    assert_int_equal(between(&columns, 5), ASTRIDE__OVERLAPPING);
}

static void even_columns_into_odd_ones_of_other_rows_are_disjoint(void **state)
{
    (void)state;
    /* A pitch that is no multiple of the element stride takes the search beyond divisibility. */
    const astride__geometry columns = {.rank = 2,
                                       .unit_bytes = 4,
                                       .extents = {64, 10},
                                       .dst_strides = {84, 8},
                                       .src_strides = {84, 8}};
    assert_int_equal(between(&columns, 4), ASTRIDE__DISJOINT);
    assert_int_equal(between(&columns, 84), ASTRIDE__OVERLAPPING);
    assert_int_equal(between(&columns, 88), ASTRIDE__DISJOINT);
}

static void halves_of_rows_are_disjoint(void **state)
{
    (void)state;
    const astride__geometry halves = {.rank = 1,
                                      .unit_bytes = 64,
                                      .extents = {1 << 20},
                                      .dst_strides = {128},
                                      .src_strides = {128}};
    assert_int_equal(between(&halves, 64), ASTRIDE__DISJOINT);
    assert_int_equal(between(&halves, 65), ASTRIDE__OVERLAPPING);
    assert_int_equal(between(&halves, 63), ASTRIDE__OVERLAPPING);
}

static void transposing_in_place_overlaps(void **state)
{
    (void)state;
    const astride__geometry transpose = {.rank = 2,
                                         .unit_bytes = 8,
                                         .extents = {300, 300},
                                         .dst_strides = {2400, 8},
                                         .src_strides = {8, 2400}};
    assert_int_equal(between(&transpose, 0), ASTRIDE__OVERLAPPING);
    /* Diagonal blocks of one matrix, each in its own rows and columns. */
    const astride__geometry blocks = {.rank = 2,
                                      .unit_bytes = 8,
                                      .extents = {100, 100},
                                      .dst_strides = {2400, 8},
                                      .src_strides = {8, 2400}};
    assert_int_equal(between(&blocks, 100 * 2400), ASTRIDE__DISJOINT);
    assert_int_equal(between(&blocks, 100 * 8), ASTRIDE__DISJOINT);
}

static void reversing_in_place_overlaps(void **state)
{
    (void)state;
    const astride__geometry reversal = {
        .rank = 1, .unit_bytes = 4, .extents = {10}, .dst_strides = {4}, .src_strides = {-4}};
    assert_int_equal(between(&reversal, -36), ASTRIDE__OVERLAPPING);
    assert_int_equal(between(&reversal, 4), ASTRIDE__DISJOINT);
    assert_int_equal(between(&reversal, -72), ASTRIDE__OVERLAPPING);
    assert_int_equal(between(&reversal, -76), ASTRIDE__DISJOINT);
}

static void interleaved_dimensions_of_a_destination_are_accepted(void **state)
{
    (void)state;
    /* 3i + 4j with i < 4 and j < 3 takes 12 different values. */
    const astride__geometry woven = {
        .rank = 2, .unit_bytes = 1, .extents = {3, 4}, .dst_strides = {4, 3}};
    assert_int_equal(astride__overlap_within(&woven, NULL), ASTRIDE__DISJOINT);
    /* With i < 5 it meets itself: 3 * 4 = 4 * 3. */
    const astride__geometry torn = {
        .rank = 2, .unit_bytes = 1, .extents = {4, 5}, .dst_strides = {4, 3}};
    int64_t difference[2] = {0};
    assert_int_equal(astride__overlap_within(&torn, difference), ASTRIDE__OVERLAPPING);
    assert_int_equal(difference[0], 3);
    assert_int_equal(difference[1], -4);
}

static void a_stride_below_the_element_overlaps(void **state)
{
    (void)state;
    const astride__geometry narrow = {
        .rank = 1, .unit_bytes = 4, .extents = {2}, .dst_strides = {3}};
    assert_int_equal(astride__overlap_within(&narrow, NULL), ASTRIDE__OVERLAPPING);
    const astride__geometry zero = {
        .rank = 2, .unit_bytes = 4, .extents = {7, 2}, .dst_strides = {8, 0}};
    int64_t difference[2] = {9, 9};
    assert_int_equal(astride__overlap_within(&zero, difference), ASTRIDE__OVERLAPPING);
    assert_int_equal(difference[0], 0);
    assert_int_equal(difference[1], 1);
}

static void hard_layouts_end_within_the_budget(void **state)
{
    (void)state;
    /* Subset sums of large coprime strides: no short proof exists. Any answer must come soon. */
    astride__geometry hard = {.rank = 40, .unit_bytes = 1};
    for (int32_t d = 0; d < hard.rank; d++) {
        hard.extents[d] = 2;
        hard.dst_strides[d] = (INT64_C(1) << 40) - (int64_t)d * 7919 * (d + 13);
    }
    const astride__relation relation = astride__overlap_within(&hard, NULL);
    assert_true(relation == ASTRIDE__UNDECIDED || relation == ASTRIDE__OVERLAPPING);
}

#define ARENA_BYTES 2048

/* Marks the bytes of every unit with a bit; returns whether one of them had it already. */
static bool mark(unsigned char *arena, const astride__geometry *geometry, const int64_t *strides,
                 int64_t at, unsigned char bit)
{
    int64_t index[4] = {0};
    bool twice = false;
    for (;;) {
        for (size_t b = 0; b < geometry->unit_bytes; b++) {
            unsigned char *byte = &arena[(size_t)at + b];
            twice = twice || (*byte & bit) != 0;
            *byte = (unsigned char)(*byte | bit);
        }
        int32_t d = geometry->rank - 1;
        for (; d >= 0; d--) {
            at += strides[d];
            if (++index[d] < geometry->extents[d])
                break;
            at -= geometry->extents[d] * strides[d];
            index[d] = 0;
        }
        if (d < 0)
            return twice;
    }
}

static void random_layouts_agree_with_marking_bytes(void **state)
{
    (void)state;
    const uint64_t seed = 20250101;
    test_random random;
    test_random_seed(&random, seed, 0);
    int within_count[3] = {0}, between_count[3] = {0};
    for (int i = 0; i < 60000; i++) {
        unsigned char arena[ARENA_BYTES] = {0};
        astride__geometry geometry = {.rank = (int32_t)test_random_between(&random, 1, 4),
                                      .unit_bytes = (size_t)test_random_between(&random, 1, 6)};
        for (int32_t d = 0; d < geometry.rank; d++) {
            geometry.extents[d] = test_random_between(&random, 2, 4);
            geometry.dst_strides[d] = test_random_magnitude(&random, 100);
            geometry.src_strides[d] = test_random_between(&random, -40, 40);
        }
        const int64_t dst = ARENA_BYTES / 4;
        const int64_t src = ARENA_BYTES / 2 + test_random_between(&random, -400, 400);
        const bool twice = mark(arena, &geometry, geometry.dst_strides, dst, 1);
        (void)mark(arena, &geometry, geometry.src_strides, src, 2);
        bool shared = false;
        for (size_t b = 0; b < sizeof arena; b++)
            shared = shared || arena[b] == 3;

        const astride__relation within = astride__overlap_within(&geometry, NULL);
        const astride__relation both = between(&geometry, dst - src);
        if (within != (twice ? ASTRIDE__OVERLAPPING : ASTRIDE__DISJOINT) ||
            both != (shared ? ASTRIDE__OVERLAPPING : ASTRIDE__DISJOINT))
            fail_msg("seed %llu, case %d: within %d, between %d", (unsigned long long)seed, i,
                     (int)within, (int)both);
        within_count[within]++;
        between_count[both]++;
    }
    /* Both answers of both questions were exercised. */
    assert_true(within_count[ASTRIDE__DISJOINT] > 1000);
    assert_true(within_count[ASTRIDE__OVERLAPPING] > 1000);
    assert_true(between_count[ASTRIDE__DISJOINT] > 1000);
    assert_true(between_count[ASTRIDE__OVERLAPPING] > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_and_odd_columns_are_disjoint),
        cmocka_unit_test(even_columns_into_odd_ones_of_other_rows_are_disjoint),
        cmocka_unit_test(halves_of_rows_are_disjoint),
        cmocka_unit_test(transposing_in_place_overlaps),
        cmocka_unit_test(reversing_in_place_overlaps),
        cmocka_unit_test(interleaved_dimensions_of_a_destination_are_accepted),
        cmocka_unit_test(a_stride_below_the_element_overlaps),
        cmocka_unit_test(hard_layouts_end_within_the_budget),
        cmocka_unit_test(random_layouts_agree_with_marking_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
