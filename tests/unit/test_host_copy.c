/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The host backend's copying and filling slots against a plain loop: random normalised regions and
 * every kind of row, rectangle and transpose, at the very ends of their memory, with all bytes
 * around the destination compared. The core has no part in it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/count.h"
#include "tests/support/guarded_pages.h"
#include "tests/support/host_slots.h"
#include "tests/support/random.h"

static const uint64_t seed = 20240611;

enum {
    ARENA_BYTES = 1 << 20,
    AROUND_BYTES = 160, /* compared before and behind the destination */
    RANDOM_CASES = 30000,
    FILL_CASES = 10000,
    RECT_CASES = 10000,
    INTERLEAVED_CASES = 5000
};

/* Two memories, the source read-only, and what the destination's must look like. */
static test_pages dst_pages, src_pages;
static unsigned char *expected;
static uint64_t case_number;

static int setup(void **state)
{
    test_random random;

    dst_pages = test_pages_create(ARENA_BYTES);
    src_pages = test_pages_create(ARENA_BYTES);
    expected = malloc(dst_pages.bytes);
    if (expected == NULL)
        return 1;
    test_random_seed(&random, seed, 0);
    test_random_bytes(&random, src_pages.start, src_pages.bytes);
    test_random_bytes(&random, dst_pages.start, dst_pages.bytes);
    test_pages_protect(&src_pages);
    memcpy(expected, dst_pages.start, dst_pages.bytes);
    return test_host_slots_setup(state);
}

static int teardown(void **state)
{
    test_pages_destroy(&dst_pages);
    test_pages_destroy(&src_pages);
    free(expected);
    return test_host_slots_teardown(state);
}

/* Offsets of a side's first byte and of the byte behind its last one, from the unit [0, ..., 0]. */
typedef struct span {
    int64_t low, high;
} span;

static span span_of(const astride_strided *copy, const int64_t *strides)
{
    span result = {0, (int64_t)copy->unit_bytes};

    for (int32_t d = 0; d < copy->rank; d++) {
        int64_t reach = strides[d] * (copy->extents[d] - 1);

        if (reach < 0)
            result.low += reach;
        else
            result.high += reach;
    }
    return result;
}

/* Flush with the start, flush with the end, or anywhere between. */
static unsigned char *place(test_random *random, const test_pages *pages, span side)
{
    const int64_t room = (int64_t)pages->bytes - (side.high - side.low);
    int64_t first;

    switch (test_random_below(random, 3)) {
    case 0:
        first = 0;
        break;
    case 1:
        first = room;
        break;
    default:
        first = test_random_between(random, 0, room);
        break;
    }
    return pages->start + first - side.low;
}

static void plain_copy(const astride_strided *copy, unsigned char *dst, const unsigned char *src,
                       int32_t dimension)
{
    if (dimension == copy->rank) {
        for (size_t b = 0; b < copy->unit_bytes; b++)
            dst[b] = src[b];
        return;
    }
    for (int64_t i = 0; i < copy->extents[dimension]; i++)
        plain_copy(copy, dst + i * copy->dst_strides[dimension],
                   src + i * copy->src_strides[dimension], dimension + 1);
}

static void print_copy(const char *what, const astride_strided *copy)
{
    print_error("%s, seed %llu, case %llu: units of %zu bytes, rank %d\n", what,
                (unsigned long long)seed, (unsigned long long)case_number, copy->unit_bytes,
                (int)copy->rank);
    for (int32_t d = 0; d < copy->rank; d++)
        print_error("  extent %lld, dst stride %lld, src stride %lld\n",
                    (long long)copy->extents[d], (long long)copy->dst_strides[d],
                    (long long)copy->src_strides[d]);
}

/*
 * Compares the destination's memory around a side with what is expected of it. The rest of the
 * memory is compared by the last test of all.
 */
static void check_around(const char *what, const astride_strided *copy, span side)
{
    const size_t base = (size_t)((unsigned char *)copy->dst.address - dst_pages.start);
    size_t first = base + (size_t)side.low, end = base + (size_t)side.high;

    first = first > AROUND_BYTES ? first - AROUND_BYTES : 0;
    end = end + AROUND_BYTES < dst_pages.bytes ? end + AROUND_BYTES : dst_pages.bytes;
    if (memcmp(dst_pages.start + first, expected + first, end - first) == 0)
        return;
    for (size_t i = first; i < end; i++) {
        if (dst_pages.start[i] != expected[i]) {
            print_copy(what, copy);
            fail_msg("byte %lld of the destination is %u, expected %u",
                     (long long)i - (long long)base, dst_pages.start[i], expected[i]);
        }
    }
}

static void run_kernel(const test_host_slots *slots, const astride_strided *copy)
{
    assert_int_equal(slots->plugin->copy_kernel(slots->queue, copy), ASTRIDE_OK);
    assert_int_equal(slots->plugin->queue_wait(slots->queue), ASTRIDE_OK);
}

/* Places both sides, copies by kernel, compares. False when a side does not fit in its memory. */
static bool try_copy(const test_host_slots *slots, test_random *random, const char *what,
                     astride_strided *copy)
{
    const span dst = span_of(copy, copy->dst_strides), src = span_of(copy, copy->src_strides);

    if (dst.high - dst.low > (int64_t)dst_pages.bytes ||
        src.high - src.low > (int64_t)src_pages.bytes)
        return false;
    case_number++;
    copy->dst.address = place(random, &dst_pages, dst);
    copy->src.address = place(random, &src_pages, src);
    plain_copy(copy, expected + ((unsigned char *)copy->dst.address - dst_pages.start),
               copy->src.address, 0);
    run_kernel(slots, copy);
    check_around(what, copy, dst);
    return true;
}

static size_t pick_unit(test_random *random)
{
    static const size_t usual[] = {1, 2, 4, 8, 16};
    static const size_t odd[] = {3, 5, 6, 7, 9, 11, 12, 13, 15, 17, 24, 31, 32, 33, 48, 63, 64, 65};
    const uint64_t kind = test_random_below(random, 100);

    if (kind < 60)
        return usual[test_random_below(random, sizeof usual / sizeof usual[0])];
    if (kind < 85)
        return odd[test_random_below(random, sizeof odd / sizeof odd[0])];
    return (size_t)test_random_between(random, 1, 300);
}

/* Extents of at least 2 each with at most `units` of them together. */
static void pick_extents(test_random *random, astride_strided *copy, int64_t units)
{
    const int32_t longest = (int32_t)test_random_below(random, ASTRIDE_KERNEL_RANK);
    int64_t left = units;

    for (int32_t d = 0; d < copy->rank; d++)
        copy->extents[d] = 2;
    for (int32_t d = 0; d < copy->rank; d++)
        left /= 2;
    for (int32_t i = 0; i < copy->rank && left > 1; i++) {
        int32_t d = (longest + i) % copy->rank;
        int64_t factor =
            i == 0 && test_random_chance(random, 1, 2) ? left : test_random_magnitude(random, left);

        copy->extents[d] = 2 * factor + test_random_between(random, 0, factor > 1 ? 1 : 0);
        left /= factor + 1;
    }
}

static int64_t pick_gap(test_random *random, int64_t unit_bytes)
{
    switch (test_random_below(random, 6)) {
    case 0:
        return test_random_between(random, 1, 40);
    case 1:
        return unit_bytes * test_random_between(random, 1, 3);
    default:
        return 0;
    }
}

/* Strides that nest in the order given, innermost first. */
static void nest_strides(test_random *random, const astride_strided *copy, const int32_t *order,
                         int64_t *strides)
{
    int64_t bytes = (int64_t)copy->unit_bytes;

    for (int32_t i = 0; i < copy->rank; i++) {
        strides[order[i]] = bytes + pick_gap(random, (int64_t)copy->unit_bytes);
        bytes = strides[order[i]] * copy->extents[order[i]];
    }
}

/*
 * Two dimensions that weave: units at 0, q, 2q, ... and p further for the next row, with p and q
 * coprime and q at least the number of rows, so that no two are the same. Strides descend.
 */
static void weave_strides(test_random *random, astride_strided *copy)
{
    const int64_t unit = (int64_t)copy->unit_bytes;
    const int64_t step = copy->extents[0] + test_random_between(random, 0, 3);

    copy->dst_strides[0] = unit * (step + 1);
    copy->dst_strides[1] = unit * step;
}

static void make_random_copy(test_random *random, astride_strided *copy)
{
    int32_t order[ASTRIDE_KERNEL_RANK];
    const uint64_t kind = test_random_below(random, 10);

    memset(copy, 0, sizeof *copy);
    copy->unit_bytes = pick_unit(random);
    copy->rank = (int32_t)test_random_between(random, 0, ASTRIDE_KERNEL_RANK);
    pick_extents(random, copy, INT64_C(1) << test_random_between(random, 4, 13));
    for (int32_t i = 0; i < copy->rank; i++)
        order[i] = copy->rank - 1 - i;
    nest_strides(random, copy, order, copy->dst_strides);
    if (copy->rank == 2 && test_random_chance(random, 1, 3))
        weave_strides(random, copy);
    if (kind >= 3) {
        for (int32_t i = copy->rank - 1; i > 0; i--) {
            const int32_t j = (int32_t)test_random_below(random, (uint64_t)i + 1);
            const int32_t swapped = order[i];

            order[i] = order[j];
            order[j] = swapped;
        }
    }
    nest_strides(random, copy, order, copy->src_strides);
    for (int32_t d = 0; d < copy->rank; d++) {
        if (kind == 9)
            copy->src_strides[d] = test_random_between(random, -64, 64);
        if (test_random_chance(random, 1, 5))
            copy->src_strides[d] = -copy->src_strides[d];
        if (test_random_chance(random, 1, 9))
            copy->src_strides[d] = 0;
    }
}

static void random_regions_match_plain_loop(void **state)
{
    const uint64_t cases = test_count(RANDOM_CASES);
    test_random random;
    uint64_t done = 0;

    test_random_seed(&random, seed, 1);
    case_number = 0;
    while (done < cases) {
        astride_strided copy;

        make_random_copy(&random, &copy);
        done += try_copy(*state, &random, "random region", &copy);
    }
}

static void every_pair_of_row_strides_matches_plain_loop(void **state)
{
    static const size_t units[] = {1, 2, 3, 4, 6, 7, 8, 12, 16, 24, 32, 40, 64, 65};
    static const int64_t counts[] = {2, 3, 7, 8, 9, 31, 64, 67, 200};
    test_random random;

    test_random_seed(&random, seed, 2);
    case_number = 0;
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
        for (int64_t dst = 1; dst <= 5; dst++) {
            for (int64_t src = -5; src <= 5; src++) {
                for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
                    const int64_t unit = (int64_t)units[u];
                    astride_strided copy = {
                        .unit_bytes = units[u],
                        .rank = 1,
                        .extents = {counts[c]},
                        .dst_strides = {dst * unit},
                        .src_strides = {src * unit},
                    };

                    assert_true(try_copy(*state, &random, "row", &copy));
                    copy.dst_strides[0] += 1;
                    copy.src_strides[0] -= 1;
                    assert_true(try_copy(*state, &random, "row of odd strides", &copy));
                }
            }
        }
    }
}

/* All orders of three dimensions on the source, with pitches of its own and of the destination. */
static void transpose(const test_host_slots *slots, test_random *random, size_t unit_bytes,
                      const int64_t *extents, int64_t padding)
{
    static const int32_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                         {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

    for (int o = 0; o < 6; o++) {
        for (unsigned signs = 0; signs < 8; signs++) {
            astride_strided copy = {.unit_bytes = unit_bytes, .rank = 3};
            int64_t dst = (int64_t)unit_bytes, src = (int64_t)unit_bytes;

            memcpy(copy.extents, extents, 3 * sizeof extents[0]);
            for (int i = 2; i >= 0; i--) {
                copy.dst_strides[i] = dst;
                dst = dst * extents[i] + padding;
                copy.src_strides[orders[o][i]] = src;
                src = src * extents[orders[o][i]] + padding;
            }
            for (int d = 0; d < 3; d++) {
                if (signs & 1u << d)
                    copy.src_strides[d] = -copy.src_strides[d];
            }
            assert_true(try_copy(slots, random, "transpose", &copy));
        }
    }
}

static void transposes_with_ragged_edges_match_plain_loop(void **state)
{
    static const size_t units[] = {1, 2, 3, 4, 8, 12, 16, 20};
    static const int64_t extents[][3] = {{2, 64, 64},  {3, 65, 67}, {2, 9, 300}, {2, 300, 9},
                                         {7, 33, 130}, {2, 8, 8},   {2, 2, 5},   {40, 5, 23}};
    static const int64_t paddings[] = {0, 1, 5, 64};
    test_random random;

    test_random_seed(&random, seed, 3);
    case_number = 0;
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
        for (size_t e = 0; e < sizeof extents / sizeof extents[0]; e++)
            for (size_t p = 0; p < sizeof paddings / sizeof paddings[0]; p++)
                transpose(*state, &random, units[u], extents[e], paddings[p]);
}

/* Larger than the largest tile (256 units) in both dimensions, with a ragged rest. */
static void transposes_of_several_tiles_match_plain_loop(void **state)
{
    static const size_t units[] = {1, 2, 4, 8, 16};
    test_random random;

    test_random_seed(&random, seed, 4);
    case_number = 0;
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
        const int64_t unit = (int64_t)units[u];
        const int64_t rows = unit == 16 ? 131 : 267, columns = 301;
        astride_strided copy = {
            .unit_bytes = units[u],
            .rank = 2,
            .extents = {rows, columns},
            .dst_strides = {columns * unit, unit},
            .src_strides = {unit, rows * unit},
        };

        assert_true(try_copy(*state, &random, "dense transpose", &copy));
        copy.dst_strides[0] += 3;
        copy.src_strides[1] = -copy.src_strides[1] - 5;
        assert_true(try_copy(*state, &random, "transpose of odd pitches", &copy));
        copy.src_strides[0] = -unit;
        assert_true(try_copy(*state, &random, "transpose of reversed rows", &copy));
    }
}

/*
 * Both sides in one memory, their units woven into each other: the dimensions are the same, the
 * source lies `lane` units further in each group.
 */
static void interleaved_sides_match_plain_loop(void **state)
{
    const uint64_t cases = test_count(INTERLEAVED_CASES);
    test_random random;

    test_random_seed(&random, seed, 5);
    case_number = 0;
    for (uint64_t i = 0; i < cases; i++) {
        astride_strided copy = {.unit_bytes = pick_unit(&random), .rank = 2};
        const int64_t lanes = test_random_between(&random, 2, 4);
        const int64_t lane_bytes = (int64_t)copy.unit_bytes + test_random_between(&random, 0, 3);
        int64_t lane = test_random_between(&random, 1, lanes - 1);

        copy.extents[0] = test_random_between(&random, 2, 9);
        copy.extents[1] = test_random_between(&random, 2, 90);
        copy.dst_strides[1] = lanes * lane_bytes;
        copy.dst_strides[0] = copy.dst_strides[1] * copy.extents[1];
        memcpy(copy.src_strides, copy.dst_strides, sizeof copy.src_strides);
        span side = span_of(&copy, copy.dst_strides);
        side.high += lane * lane_bytes;
        copy.dst.address = place(&random, &dst_pages, side);
        copy.src.address = (unsigned char *)copy.dst.address + lane * lane_bytes;
        if (test_random_chance(&random, 1, 2)) { /* destination behind the source, reversed */
            void *swapped = copy.dst.address;

            copy.dst.address = copy.src.address;
            copy.src.address =
                (unsigned char *)swapped + (copy.extents[0] - 1) * copy.src_strides[0];
            copy.src_strides[0] = -copy.src_strides[0];
        }
        case_number++;
        plain_copy(&copy, expected + ((unsigned char *)copy.dst.address - dst_pages.start),
                   expected + ((unsigned char *)copy.src.address - dst_pages.start), 0);
        run_kernel(*state, &copy);
        side = span_of(&copy, copy.dst_strides);
        check_around("interleaved sides", &copy, side);
    }
}

static void random_rectangles_match_plain_loop(void **state)
{
    const test_host_slots *slots = *state;
    const uint64_t cases = test_count(RECT_CASES);
    test_random random;

    test_random_seed(&random, seed, 6);
    case_number = 0;
    for (uint64_t i = 0; i < cases; i++) {
        astride_rect rect = {
            .row_bytes = (size_t)test_random_magnitude(&random, 900),
            .rows = (size_t)test_random_magnitude(&random, 30),
            .slices = (size_t)test_random_magnitude(&random, 8),
        };
        const bool tight = test_random_chance(&random, 1, 3);

        rect.dst_row_pitch = rect.row_bytes + (tight ? 0 : test_random_below(&random, 50));
        rect.src_row_pitch = rect.row_bytes + (tight ? 0 : test_random_below(&random, 50));
        rect.dst_slice_pitch =
            rect.rows * rect.dst_row_pitch + (tight ? 0 : test_random_below(&random, 50));
        rect.src_slice_pitch =
            rect.rows * rect.src_row_pitch + (tight ? 0 : test_random_below(&random, 50));
        astride_strided same = {
            .unit_bytes = rect.row_bytes,
            .rank = 2,
            .extents = {(int64_t)rect.slices, (int64_t)rect.rows},
            .dst_strides = {(int64_t)rect.dst_slice_pitch, (int64_t)rect.dst_row_pitch},
            .src_strides = {(int64_t)rect.src_slice_pitch, (int64_t)rect.src_row_pitch},
        };
        const span dst = span_of(&same, same.dst_strides);

        same.dst.address = place(&random, &dst_pages, dst);
        same.src.address = place(&random, &src_pages, span_of(&same, same.src_strides));
        rect.dst = same.dst;
        rect.src = same.src;
        case_number++;
        plain_copy(&same, expected + ((unsigned char *)same.dst.address - dst_pages.start),
                   same.src.address, 0);
        assert_int_equal(slots->plugin->copy_rect(slots->queue, &rect), ASTRIDE_OK);
        assert_int_equal(slots->plugin->queue_wait(slots->queue), ASTRIDE_OK);
        check_around("rectangle", &same, dst);
    }
}

/* A fill is the plain copy of a pattern with source strides of 0, its dimensions in any order. */
static void random_fills_match_plain_loop(void **state)
{
    const test_host_slots *slots = *state;
    const uint64_t cases = test_count(FILL_CASES);
    test_random random;
    uint64_t done = 0;

    test_random_seed(&random, seed, 7);
    case_number = 0;
    while (done < cases) {
        astride_strided same;
        astride_strided_fill fill = {.pattern_bytes = (size_t)1 << test_random_below(&random, 5)};

        make_random_copy(&random, &same);
        if (fill.pattern_bytes > same.unit_bytes)
            continue;
        same.unit_bytes = fill.pattern_bytes;
        /* A dense innermost dimension; those of rank 2 may weave and have to keep their strides. */
        if (same.rank > 0 && same.rank != 2 && test_random_chance(&random, 1, 2))
            same.dst_strides[same.rank - 1] = (int64_t)same.unit_bytes;
        memset(same.src_strides, 0, sizeof same.src_strides);
        const span dst = span_of(&same, same.dst_strides);
        if (dst.high - dst.low > (int64_t)dst_pages.bytes)
            continue;
        same.dst.address = place(&random, &dst_pages, dst);
        fill.dst = same.dst;
        fill.rank = same.rank;
        memcpy(fill.extents, same.extents, sizeof fill.extents);
        memcpy(fill.strides, same.dst_strides, sizeof fill.strides);
        if (fill.rank > 1 && test_random_chance(&random, 1, 4)) {
            fill.extents[0] = same.extents[1];
            fill.extents[1] = same.extents[0];
            fill.strides[0] = same.dst_strides[1];
            fill.strides[1] = same.dst_strides[0];
        }
        test_random_bytes(&random, fill.pattern, sizeof fill.pattern);
        if (test_random_chance(&random, 1, 4))
            memset(fill.pattern, fill.pattern[0], sizeof fill.pattern);
        case_number++;
        plain_copy(&same, expected + ((unsigned char *)same.dst.address - dst_pages.start),
                   fill.pattern, 0);
        assert_int_equal(slots->plugin->fill(slots->queue, &fill), ASTRIDE_OK);
        /* The slot must have kept the pattern. */
        memset(&fill, 0x5a, sizeof fill);
        assert_int_equal(slots->plugin->queue_wait(slots->queue), ASTRIDE_OK);
        check_around("fill", &same, dst);
        done++;
    }
}

static void linear_copy_of_overlapping_sides_moves_bytes(void **state)
{
    const test_host_slots *slots = *state;
    static const ptrdiff_t distances[] = {-1000, -64, -1, 0, 1, 63, 1000, 60000};
    unsigned char *middle = dst_pages.start + ARENA_BYTES / 2;
    const size_t bytes = 50001;

    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++) {
        const astride_operand dst = {.address = middle + distances[i]};
        const astride_operand src = {.address = middle};

        memmove(expected + ARENA_BYTES / 2 + distances[i], expected + ARENA_BYTES / 2, bytes);
        assert_int_equal(slots->plugin->copy_linear(slots->queue, &dst, &src, bytes), ASTRIDE_OK);
        assert_int_equal(slots->plugin->queue_wait(slots->queue), ASTRIDE_OK);
        assert_memory_equal(dst_pages.start, expected, dst_pages.bytes);
    }
}

/* Two queues write neighbouring units at the same time: one that wrote more would undo the other.
 */
static void neighbours_written_at_the_same_time_are_left_alone(void **state)
{
    const test_host_slots *slots = *state;
    static const size_t units[] = {1, 2, 3, 4, 8, 12, 16};
    const int64_t rows = 33, columns = 129;
    const unsigned char *src = src_pages.start;
    astride_backend_queue *other;
    const int rounds = (int)test_count(50);

    assert_int_equal(slots->plugin->queue_create(slots->device, &other), ASTRIDE_OK);
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
        const int64_t unit = (int64_t)units[u];
        astride_strided even = {
            .unit_bytes = units[u],
            .rank = 2,
            .extents = {rows, columns},
            .dst_strides = {2 * columns * unit, 2 * unit},
            .src_strides = {columns * unit, unit},
        };
        astride_strided odd = even;

        even.dst.address = dst_pages.start;
        odd.dst.address = dst_pages.start + unit;
        for (int round = 0; round < rounds; round++) {
            even.src.address = (void *)(uintptr_t)(src + round);
            odd.src.address = (void *)(uintptr_t)(src + round + 1);
            if (round % 2 == 1) { /* transposed on the source */
                even.src_strides[0] = odd.src_strides[0] = unit;
                even.src_strides[1] = odd.src_strides[1] = rows * unit;
            }
            assert_int_equal(slots->plugin->copy_kernel(slots->queue, &even), ASTRIDE_OK);
            assert_int_equal(slots->plugin->copy_kernel(other, &odd), ASTRIDE_OK);
            plain_copy(&even, expected, even.src.address, 0);
            plain_copy(&odd, expected + unit, odd.src.address, 0);
            assert_int_equal(slots->plugin->queue_wait(slots->queue), ASTRIDE_OK);
            assert_int_equal(slots->plugin->queue_wait(other), ASTRIDE_OK);
            assert_memory_equal(dst_pages.start, expected,
                                (size_t)(2 * rows * columns * unit) + 64);
        }
    }
    slots->plugin->queue_destroy(other);
}

/* Each test compares only around its own destinations; this one all that they have left behind. */
static void no_byte_far_from_a_destination_was_touched(void **state)
{
    (void)state;
    assert_memory_equal(dst_pages.start, expected, dst_pages.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_regions_match_plain_loop),
        cmocka_unit_test(every_pair_of_row_strides_matches_plain_loop),
        cmocka_unit_test(transposes_with_ragged_edges_match_plain_loop),
        cmocka_unit_test(transposes_of_several_tiles_match_plain_loop),
        cmocka_unit_test(interleaved_sides_match_plain_loop),
        cmocka_unit_test(random_rectangles_match_plain_loop),
        cmocka_unit_test(random_fills_match_plain_loop),
        cmocka_unit_test(linear_copy_of_overlapping_sides_moves_bytes),
        cmocka_unit_test(neighbours_written_at_the_same_time_are_left_alone),
        cmocka_unit_test(no_byte_far_from_a_destination_was_touched),
    };

    return cmocka_run_group_tests_name("host_copy", tests, setup, teardown);
}
