/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Normalisation by value: each case writes out the shortest equivalent copy that it expects.
 * That the result copies the same bytes is the business of the conformance suite.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hal/normalise.h"

#define DIMENSIONS(...) ((const int64_t[]){__VA_ARGS__})

/* Normalises a descriptor; NULL strides are dense. */
static astride__geometry normalise(int32_t rank, size_t element_bytes, const int64_t *extents,
                                   const int64_t *dst_strides, const int64_t *src_strides)
{
    astride_copy_desc desc = {.struct_size = sizeof desc,
                              .rank = rank,
                              .element_bytes = element_bytes,
                              .extents = extents,
                              .dst = {.strides = dst_strides},
                              .src = {.strides = src_strides}};
    astride__description description;
    astride__geometry geometry;
    assert_int_equal(astride__describe_copy(&desc, &description), ASTRIDE_OK);
    astride__normalise(&description, &geometry);
    return geometry;
}

static void expect(const astride__geometry *geometry, int32_t rank, size_t unit_bytes,
                   const int64_t *extents, const int64_t *dst_strides, const int64_t *src_strides)
{
    assert_int_equal(geometry->rank, rank);
    assert_int_equal(geometry->unit_bytes, unit_bytes);
    for (int32_t d = 0; d < rank; d++) {
        assert_int_equal(geometry->extents[d], extents[d]);
        assert_int_equal(geometry->dst_strides[d], dst_strides[d]);
        assert_int_equal(geometry->src_strides[d], src_strides[d]);
    }
}

static void expect_offsets(const astride__geometry *geometry, int64_t dst, int64_t src)
{
    assert_int_equal(geometry->dst_offset, dst);
    assert_int_equal(geometry->src_offset, src);
}

static void rank_0_is_one_unit(void **state)
{
    (void)state;
    const astride__geometry geometry = normalise(0, 12, NULL, NULL, NULL);
    expect(&geometry, 0, 12, NULL, NULL, NULL);
    expect_offsets(&geometry, 0, 0);
}

static void contiguous_of_any_rank_is_one_unit(void **state)
{
    (void)state;
    int64_t extents[ASTRIDE_MAX_RANK];
    int64_t bytes = 4;
    for (int32_t rank = 1; rank <= ASTRIDE_MAX_RANK; rank++) {
        extents[rank - 1] = rank <= 40 ? 2 : 1;
        bytes *= extents[rank - 1];
        const astride__geometry geometry = normalise(rank, 4, extents, NULL, NULL);
        expect(&geometry, 0, (size_t)bytes, NULL, NULL, NULL);
    }
}

static void unit_extents_vanish_whatever_their_stride(void **state)
{
    (void)state;
    const astride__geometry geometry =
        normalise(4, 4, DIMENSIONS(1, 3, 1, 2), DIMENSIONS(INT64_MAX, 64, 7, 16),
                  DIMENSIONS(INT64_MIN, 100, 0, 40));
    expect(&geometry, 2, 4, DIMENSIONS(3, 2), DIMENSIONS(64, 16), DIMENSIONS(100, 40));
}

static void subview_2d_is_rows(void **state)
{
    (void)state;
    /* memref<8x32xf32, strided<[128, 1]>> to a dense one. */
    const astride__geometry geometry = normalise(2, 4, DIMENSIONS(8, 32), NULL, DIMENSIONS(512, 4));
    expect(&geometry, 1, 128, DIMENSIONS(8), DIMENSIONS(128), DIMENSIONS(512));
}

static void subview_5d_contiguous_in_its_inner_three_is_one_rectangle(void **state)
{
    (void)state;
    /* 4x6x5x7x8 of 10x20x6x7x8 f32: slices of rows of 5*7*8*4 bytes. */
    const astride__geometry geometry =
        normalise(5, 4, DIMENSIONS(4, 6, 5, 7, 8), NULL, DIMENSIONS(26880, 1344, 224, 32, 4));
    expect(&geometry, 2, 1120, DIMENSIONS(4, 6), DIMENSIONS(6720, 1120), DIMENSIONS(26880, 1344));
    /* Of 10x20x5x7x8 the rows of a slice touch on both sides: one dimension is left. */
    const astride__geometry touching =
        normalise(5, 4, DIMENSIONS(4, 6, 5, 7, 8), NULL, DIMENSIONS(22400, 1120, 224, 32, 4));
    expect(&touching, 1, 6720, DIMENSIONS(4), DIMENSIONS(6720), DIMENSIONS(22400));
}

static void merging_needs_both_sides(void **state)
{
    (void)state;
    /* The destination alone is dense. */
    const astride__geometry geometry =
        normalise(3, 2, DIMENSIONS(2, 3, 4), NULL, DIMENSIONS(100, 30, 6));
    expect(&geometry, 3, 2, DIMENSIONS(2, 3, 4), DIMENSIONS(24, 8, 2), DIMENSIONS(100, 30, 6));
    /* A strided pair merges without becoming contiguous. */
    const astride__geometry strided =
        normalise(2, 4, DIMENSIONS(5, 6), DIMENSIONS(48, 8), DIMENSIONS(96, 16));
    expect(&strided, 1, 4, DIMENSIONS(30), DIMENSIONS(8), DIMENSIONS(16));
}

static void transpose_is_ordered_by_destination(void **state)
{
    (void)state;
    /* Destination dense 3x5, source read along its columns. */
    const astride__geometry geometry = normalise(2, 8, DIMENSIONS(3, 5), NULL, DIMENSIONS(8, 24));
    expect(&geometry, 2, 8, DIMENSIONS(3, 5), DIMENSIONS(40, 8), DIMENSIONS(8, 24));
    /* The same written the other way round: the dimensions change places. */
    const astride__geometry turned =
        normalise(2, 8, DIMENSIONS(5, 3), DIMENSIONS(8, 40), DIMENSIONS(24, 8));
    expect(&turned, 2, 8, DIMENSIONS(3, 5), DIMENSIONS(40, 8), DIMENSIONS(8, 24));
}

static void same_permutation_on_both_sides_is_contiguous(void **state)
{
    (void)state;
    const astride__geometry geometry =
        normalise(3, 4, DIMENSIONS(2, 3, 4), DIMENSIONS(4, 32, 8), DIMENSIONS(4, 32, 8));
    expect(&geometry, 0, 96, NULL, NULL, NULL);
}

static void reversed_on_both_sides_is_contiguous(void **state)
{
    (void)state;
    const astride__geometry geometry =
        normalise(2, 4, DIMENSIONS(3, 5), DIMENSIONS(-20, -4), DIMENSIONS(-20, -4));
    expect(&geometry, 0, 60, NULL, NULL, NULL);
    expect_offsets(&geometry, -56, -56);
}

static void reversed_destination_turns_the_source(void **state)
{
    (void)state;
    const astride__geometry geometry =
        normalise(1, 4, DIMENSIONS(6), DIMENSIONS(-4), DIMENSIONS(4));
    expect(&geometry, 1, 4, DIMENSIONS(6), DIMENSIONS(4), DIMENSIONS(-4));
    expect_offsets(&geometry, -20, 20);
}

static void reversed_rows_keep_wide_rows(void **state)
{
    (void)state;
    const astride__geometry geometry = normalise(2, 4, DIMENSIONS(6, 8), NULL, DIMENSIONS(-32, 4));
    expect(&geometry, 1, 32, DIMENSIONS(6), DIMENSIONS(32), DIMENSIONS(-32));
    expect_offsets(&geometry, 0, 0);
}

static void fully_reversed_source_merges(void **state)
{
    (void)state;
    const astride__geometry geometry = normalise(2, 4, DIMENSIONS(6, 8), NULL, DIMENSIONS(-32, -4));
    expect(&geometry, 1, 4, DIMENSIONS(48), DIMENSIONS(4), DIMENSIONS(-4));
}

static void broadcast_dimensions_merge(void **state)
{
    (void)state;
    /* One row of 16 bytes to 2x3 rows. */
    const astride__geometry geometry =
        normalise(3, 4, DIMENSIONS(2, 3, 4), NULL, DIMENSIONS(0, 0, 4));
    expect(&geometry, 1, 16, DIMENSIONS(6), DIMENSIONS(16), DIMENSIONS(0));
    /* One element to all. */
    const astride__geometry element =
        normalise(3, 4, DIMENSIONS(2, 3, 4), NULL, DIMENSIONS(0, 0, 0));
    expect(&element, 1, 4, DIMENSIONS(24), DIMENSIONS(4), DIMENSIONS(0));
}

static void strides_near_the_limit_do_not_overflow(void **state)
{
    (void)state;
    const int64_t huge = INT64_C(1) << 61;
    const astride__geometry geometry =
        normalise(2, 1, DIMENSIONS(2, 2), DIMENSIONS(huge, 1), DIMENSIONS(1, -huge));
    expect(&geometry, 2, 1, DIMENSIONS(2, 2), DIMENSIONS(huge, 1), DIMENSIONS(1, -huge));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rank_0_is_one_unit),
        cmocka_unit_test(contiguous_of_any_rank_is_one_unit),
        cmocka_unit_test(unit_extents_vanish_whatever_their_stride),
        cmocka_unit_test(subview_2d_is_rows),
        cmocka_unit_test(subview_5d_contiguous_in_its_inner_three_is_one_rectangle),
        cmocka_unit_test(merging_needs_both_sides),
        cmocka_unit_test(transpose_is_ordered_by_destination),
        cmocka_unit_test(same_permutation_on_both_sides_is_contiguous),
        cmocka_unit_test(reversed_on_both_sides_is_contiguous),
        cmocka_unit_test(reversed_destination_turns_the_source),
        cmocka_unit_test(reversed_rows_keep_wide_rows),
        cmocka_unit_test(fully_reversed_source_merges),
        cmocka_unit_test(broadcast_dimensions_merge),
        cmocka_unit_test(strides_near_the_limit_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
