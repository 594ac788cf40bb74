/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Blocks of staged copies and the ring that they take turns in, by value: how a geometry is cut,
 * where each block begins, and which slot it gets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hal/blocks.h"

/* 3 planes of 5 rows of 7 units of 8 bytes, dense on the destination; the source runs backwards
   along the planes. */
static const astride__geometry planes = {.rank = 3,
                                         .unit_bytes = 8,
                                         .dst_offset = 16,
                                         .src_offset = 4000,
                                         .extents = {3, 5, 7},
                                         .dst_strides = {280, 56, 8},
                                         .src_strides = {-1000, 100, 10}};

static void check_cut(const astride__blocks *blocks, int32_t dimension, int64_t extent,
                      int64_t full_count, int64_t tail_extent, size_t bytes)
{
    assert_int_equal(blocks->dimension, dimension);
    assert_int_equal(blocks->extent, extent);
    assert_int_equal(blocks->full_count, full_count);
    assert_int_equal(blocks->tail_extent, tail_extent);
    assert_int_equal(blocks->bytes, bytes);
}

static void whole_copy_that_fits_is_one_block(void **state)
{
    astride__blocks blocks;
    (void)state;
    astride__blocks_cut(&planes, 840, &blocks);
    check_cut(&blocks, 0, 3, 1, 0, 840);
    assert_int_equal(astride__blocks_count(&blocks), 1);
    astride__blocks_cut(&planes, SIZE_MAX, &blocks);
    check_cut(&blocks, 0, 3, 1, 0, 840);
}

static void planes_rows_and_units_are_blocks_by_size(void **state)
{
    astride__blocks blocks;
    (void)state;
    /* Two planes fit, and one is left. */
    astride__blocks_cut(&planes, 839, &blocks);
    check_cut(&blocks, 0, 2, 1, 1, 560);
    assert_int_equal(astride__blocks_count(&blocks), 2);
    /* Two rows of each plane, twice, and one row. */
    astride__blocks_cut(&planes, 112, &blocks);
    check_cut(&blocks, 1, 2, 2, 1, 112);
    assert_int_equal(astride__blocks_walks(&blocks), 3);
    assert_int_equal(astride__blocks_count(&blocks), 9);
    /* Three units of each row, twice, and one. */
    astride__blocks_cut(&planes, 31, &blocks);
    check_cut(&blocks, 2, 3, 2, 1, 24);
    assert_int_equal(astride__blocks_walks(&blocks), 15);
    assert_int_equal(astride__blocks_count(&blocks), 45);
}

static void unit_above_the_size_is_cut_into_bytes(void **state)
{
    const astride__geometry run = {.unit_bytes = 1000};
    astride__blocks blocks;
    (void)state;
    astride__blocks_cut(&run, 300, &blocks);
    assert_int_equal(blocks.geometry.rank, 1);
    assert_int_equal(blocks.geometry.unit_bytes, 1);
    check_cut(&blocks, 0, 300, 3, 100, 300);
    astride__blocks_cut(&planes, 5, &blocks);
    assert_int_equal(blocks.geometry.rank, 4);
    check_cut(&blocks, 3, 5, 1, 3, 5);
    assert_int_equal(astride__blocks_count(&blocks), 105 * 2);
}

static void walk_visits_every_block_in_order(void **state)
{
    astride__blocks blocks;
    astride__block_walk walk;
    (void)state;
    astride__blocks_cut(&planes, 112, &blocks);
    astride__block_walk_begin(&blocks, &walk);
    for (int plane = 0; plane < 3; plane++) {
        for (int step = 0; step < 3; step++) {
            const astride__block block = astride__block_walk_next(&walk);
            assert_int_equal(block.is_tail, step == 2);
            assert_int_equal(block.dst_offset, 16 + plane * 280 + step * 2 * 56);
            assert_int_equal(block.src_offset, 4000 - plane * 1000 + step * 2 * 100);
        }
    }
    /* Behind the last one it is at the beginning again. */
    assert_int_equal(astride__block_walk_next(&walk).dst_offset, 16);
}

static void blocks_take_turns_in_the_slots(void **state)
{
    astride__blocks blocks;
    (void)state;
    astride__blocks_cut(&planes, 112, &blocks);
    const astride__ring ring = astride__ring_of(&blocks, 4);
    assert_int_equal(ring.depth, 4);
    /* 112 bytes, up to the alignment of allocations. */
    assert_int_equal(ring.slot_bytes, 128);
    assert_int_equal(astride__ring_bytes(&ring), 512);
    static const size_t offsets[] = {0, 128, 256, 384, 0, 128, 256, 384, 0};
    for (uint64_t block = 0; block < 9; block++)
        assert_int_equal(astride__ring_offset(&ring, block), offsets[block]);
}

static void ring_has_no_more_slots_than_blocks(void **state)
{
    astride__blocks blocks;
    (void)state;
    astride__blocks_cut(&planes, 839, &blocks);
    assert_int_equal(astride__ring_of(&blocks, 64).depth, 2);
    astride__blocks_cut(&planes, 840, &blocks);
    const astride__ring single = astride__ring_of(&blocks, 64);
    assert_int_equal(single.depth, 1);
    assert_int_equal(astride__ring_bytes(&single), 840);
    assert_int_equal(astride__ring_offset(&single, 17), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_copy_that_fits_is_one_block),
        cmocka_unit_test(planes_rows_and_units_are_blocks_by_size),
        cmocka_unit_test(unit_above_the_size_is_cut_into_bytes),
        cmocka_unit_test(walk_visits_every_block_in_order),
        cmocka_unit_test(blocks_take_turns_in_the_slots),
        cmocka_unit_test(ring_has_no_more_slots_than_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
