/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The host's kernels at every level of vector instructions that this processor has, against a plain
 * loop: all widths, pitches and ragged ends around the sizes of vectors and lines, and copies large
 * enough to pass the caches by, which are cut for several threads. Memory ends at pages that fault.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/host/kernels.h"
#include "tests/support/guarded_pages.h"
#include "tests/support/host_slots.h"
#include "tests/support/random.h"

/*
 * A thread sanitizer makes every access of the plain loop a call, and finds nothing where there is
 * one thread: it is given each large copy once.
 */
#if defined(__SANITIZE_THREAD__)
#define LARGE_PLACES 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LARGE_PLACES 1
#endif
#endif
#ifndef LARGE_PLACES
#define LARGE_PLACES 3
#endif

enum { ARENA_BYTES = 28 << 20, SMALL_BYTES = 1 << 16, POISON = 0xA5 };

static const uint64_t seed = 20260112;
static test_pages dst_pages, src_pages;
static unsigned char *expected;

static int setup(void **state)
{
    test_random random;

    dst_pages = test_pages_create(ARENA_BYTES);
    src_pages = test_pages_create(ARENA_BYTES);
    expected = malloc(ARENA_BYTES);
    if (expected == NULL)
        return 1;
    test_random_seed(&random, seed, 0);
    test_random_bytes(&random, src_pages.start, src_pages.bytes);
    test_pages_protect(&src_pages);
    return test_host_slots_setup(state);
}

static int teardown(void **state)
{
    test_pages_destroy(&dst_pages);
    test_pages_destroy(&src_pages);
    free(expected);
    return test_host_slots_teardown(state);
}

static void plain_copy(const astride_strided *copy, unsigned char *dst, const unsigned char *src,
                       int32_t dimension)
{
    if (dimension == copy->rank) {
        memcpy(dst, src, copy->unit_bytes);
        return;
    }
    for (int64_t i = 0; i < copy->extents[dimension]; i++)
        plain_copy(copy, dst + i * copy->dst_strides[dimension],
                   src + i * copy->src_strides[dimension], dimension + 1);
}

/* Bytes below and from the unit [0, ..., 0] on that a side reaches. */
static void reach(const astride_strided *copy, const int64_t *strides, size_t *below, size_t *above)
{
    *below = 0;
    *above = copy->unit_bytes;
    for (int32_t d = 0; d < copy->rank; d++) {
        const int64_t span = strides[d] * (copy->extents[d] - 1);

        if (span < 0)
            *below += (size_t)-span;
        else
            *above += (size_t)span;
    }
}

/*
 * Copies with the destination `dst_gap` and the source `src_gap` bytes before the ends of their
 * memory, and compares all that is near the destination.
 */
static void check(const test_host_slots *slots, const char *level, astride_strided *copy,
                  size_t dst_gap, size_t src_gap)
{
    enum { AROUND = 256 };
    size_t dst_below, dst_above, src_below, src_above;

    reach(copy, copy->dst_strides, &dst_below, &dst_above);
    reach(copy, copy->src_strides, &src_below, &src_above);
    assert_true(dst_below + dst_above + dst_gap + AROUND <= ARENA_BYTES);
    assert_true(src_below + src_above + src_gap <= ARENA_BYTES);
    const size_t dst = ARENA_BYTES - dst_gap - dst_above;
    const size_t first = dst - dst_below - AROUND;

    copy->dst.address = dst_pages.start + dst;
    copy->src.address = src_pages.start + (ARENA_BYTES - src_gap - src_above);
    memset(dst_pages.start + first, POISON, ARENA_BYTES - first);
    memset(expected + first, POISON, ARENA_BYTES - first);
    plain_copy(copy, expected + dst, copy->src.address, 0);
    assert_int_equal(slots->plugin->copy_kernel(slots->queue, copy), ASTRIDE_OK);
    assert_int_equal(slots->plugin->queue_wait(slots->queue), ASTRIDE_OK);
    if (memcmp(dst_pages.start + first, expected + first, ARENA_BYTES - first) == 0)
        return;
    print_error("level %s, units of %zu bytes, rank %d, gaps %zu and %zu\n", level,
                copy->unit_bytes, (int)copy->rank, dst_gap, src_gap);
    for (int32_t d = 0; d < copy->rank; d++)
        print_error("  extent %lld, dst stride %lld, src stride %lld\n",
                    (long long)copy->extents[d], (long long)copy->dst_strides[d],
                    (long long)copy->src_strides[d]);
    fail_msg("the destination is not what the plain loop makes");
}

static void rows_and_short_units(const test_host_slots *slots, const char *level)
{
    for (int64_t unit = 1; unit <= 300; unit += unit < 140 ? 1 : 23) {
        for (int gap = 0; gap < 4; gap++) {
            const int64_t dst_gap = gap & 1 ? unit % 7 + 1 : 0, src_gap = gap & 2 ? 8 : 0;
            astride_strided copy = {.unit_bytes = (size_t)unit,
                                    .rank = 2,
                                    .extents = {3, 2 + unit % 41},
                                    .dst_strides = {0, unit + dst_gap},
                                    .src_strides = {0, unit + src_gap}};

            copy.dst_strides[0] = copy.dst_strides[1] * copy.extents[1] + (unit & 1);
            copy.src_strides[0] = copy.src_strides[1] * copy.extents[1] + 64;
            check(slots, level, &copy, 0, 0);
            check(slots, level, &copy, (size_t)unit % 64, 5);
        }
    }
}

static void element_rows(const test_host_slots *slots, const char *level)
{
    for (int64_t size = 1; size <= 16; size *= 2) {
        for (int64_t step = -5; step <= 5; step++) {
            for (int64_t count = 2; count <= 2 * 64 / size + 3; count++) {
                astride_strided copy = {.unit_bytes = (size_t)size,
                                        .rank = 1,
                                        .extents = {count},
                                        .dst_strides = {size},
                                        .src_strides = {step * size}};

                check(slots, level, &copy, 0, 0);
                copy.dst_strides[0] = 3 * size;
                check(slots, level, &copy, (size_t)count % 9, 0);
            }
        }
    }
}

/* Two to five planes that become channels between each other's, and channels that become planes. */
static void channels(const test_host_slots *slots, const char *level)
{
    for (int64_t size = 1; size <= 16; size *= 2) {
        for (int64_t count = 2; count <= 5; count++) {
            for (int64_t pixels = 4; pixels <= 3 * 64 / size + 3; pixels += 1 + pixels / 24) {
                astride_strided copy = {
                    .unit_bytes = (size_t)size,
                    .rank = 2,
                    .extents = {pixels, count},
                    .dst_strides = {count * size, size},
                    .src_strides = {size, pixels * size + pixels % 3},
                };

                check(slots, level, &copy, 0, 0);
                check(slots, level, &copy, (size_t)pixels % 7, 5);
                copy = (astride_strided){
                    .unit_bytes = (size_t)size,
                    .rank = 2,
                    .extents = {count, pixels},
                    .dst_strides = {pixels * size + pixels % 3, size},
                    .src_strides = {size, count * size},
                };
                check(slots, level, &copy, 0, 0);
                check(slots, level, &copy, 3, (size_t)pixels % 5);
            }
        }
    }
}

/* Several short dimensions, of units of every width that may be copied unit by unit. */
static void short_dimensions(const test_host_slots *slots, const char *level)
{
    test_random random;

    test_random_seed(&random, seed, 1);
    for (int64_t unit = 1; unit <= 70; unit++) {
        for (int i = 0; i < 12; i++) {
            const int64_t gap = test_random_between(&random, 0, 9);
            const int64_t a = test_random_between(&random, 2, 9);
            const int64_t b = test_random_between(&random, 2, 9);
            const int64_t c = test_random_between(&random, 2, 40);
            const int64_t along = unit + gap, across = along * b, far = across * a + gap;
            astride_strided copy = {
                .unit_bytes = (size_t)unit,
                .rank = 3,
                .extents = {c, a, b},
                .dst_strides = {far, across, along},
                .src_strides = {i % 2 ? far : along, across * (i % 3 ? 1 : -1),
                                i % 2 ? along : across * a},
            };

            check(slots, level, &copy, (size_t)i, (size_t)gap);
        }
    }
}

static void ragged_tiles(const test_host_slots *slots, const char *level)
{
    for (int64_t size = 1; size <= 16; size *= 2) {
        const int64_t line = 64 / size;

        for (int64_t rows = 4; rows <= line + line / 4 + 2; rows += 1 + line / 16) {
            for (int64_t columns = 4; columns <= 2 * line + 3; columns += 1 + line / 8) {
                astride_strided copy = {
                    .unit_bytes = (size_t)size,
                    .rank = 2,
                    .extents = {rows, columns},
                    .dst_strides = {columns * size + rows % 3, size},
                    .src_strides = {size, rows * size + columns % 5},
                };

                check(slots, level, &copy, 0, 0);
                copy.src_strides[0] = -size;
                check(slots, level, &copy, 3, 0);
            }
        }
    }
}

/* Payloads of 2 to 9 MiB: past the caches, and for the larger ones by several threads. */
static void large_copies(const test_host_slots *slots, const char *level)
{
    static const struct {
        size_t unit;
        int32_t rank;
        int64_t extents[4], dst[4], src[4];
    } cases[] = {
        {2600003, 0, {0}, {0}, {0}},
        {9400007, 0, {0}, {0}, {0}},
        {64, 1, {40001}, {64}, {256}},
        {64, 1, {40001}, {128}, {192}},
        {400, 2, {70, 100}, {40000, 400}, {51200, 512}},
        {2304, 2, {11, 111}, {255744, 2304}, {-2304, 25344}},
        {72, 1, {40001}, {96}, {80}},
        {36, 1, {70001}, {36}, {48}},
        {12, 1, {200001}, {12}, {16}},
        {12, 1, {200001}, {16}, {12}},
        {1, 1, {2300001}, {1}, {2}},
        {1, 1, {2300001}, {1}, {5}},
        {2, 1, {1300001}, {2}, {-2}},
        {4, 1, {600001}, {4}, {12}},
        {4, 1, {600001}, {4}, {36}},
        {4, 1, {600001}, {16}, {16}},
        {8, 1, {300001}, {8}, {0}},
        {8, 1, {300001}, {8}, {80}},
        {16, 1, {150001}, {16}, {24}},
        {1, 2, {1601, 1500}, {1500, 1}, {1, 1601}},
        {1, 2, {1600, 1536}, {1536, 1}, {1, 1600}},
        {1, 2, {1601, 1500}, {1503, 1}, {1, 1601}},
        {1, 2, {520, 5000}, {5001, 1}, {1, 521}},
        {1, 3, {90, 50, 700}, {35001, 700, 1}, {1, 63000, 90}},
        {2, 2, {700, 2100}, {4203, 2}, {2, 1400}},
        {2, 2, {300, 4200}, {8402, 2}, {2, 602}},
        {2, 2, {1027, 1101}, {2202, 2}, {2, 2054}},
        {4, 2, {771, 803}, {3212, 4}, {4, 3084}},
        {4, 2, {1601, 1605}, {6420, 4}, {4, 6404}},
        {4, 2, {800, 816}, {3264, 4}, {-4, 3200}},
        {8, 2, {1200, 1201}, {9608, 8}, {8, 9600}},
        {8, 2, {130, 2600}, {20808, 8}, {8, 1048}},
        {16, 2, {60, 3000}, {48016, 16}, {16, 960}},
        {16, 2, {400, 404}, {6464, 16}, {16, 6400}},
        {160, 2, {3, 40001}, {6400160, 160}, {-160, 480}},
        {24, 1, {300001}, {24}, {40}},
        {100, 2, {30, 7000}, {700000, 100}, {896128, 128}},
        {80, 2, {40001, 2}, {328, 84}, {400, 160}},
        {1000, 1, {9001}, {1000}, {1088}},
        {1000, 2, {3000, 3}, {4000, 1000}, {6000, -1500}},
        {4, 3, {70, 3, 3001}, {36012, 12004, 4}, {36012, 4, 12}},
        {4, 3, {70, 3001, 3}, {36012, 12, 4}, {36012, 4, 12004}},
        {2, 2, {1700001, 3}, {6, 2}, {2, 3400002}},
        {8, 2, {260001, 9}, {80, 8}, {-96, 8}},
        {4, 4, {28, 27, 30, 29}, {93960, 3480, 116, 4}, {4, 112, 3024, 90720}},
        {8, 4, {24, 27, 20, 25}, {108000, 4000, 200, 8}, {5184, 8, 129600, 216}},
    };

    static const size_t places[][2] = {{16, 7}, {0, 0}, {41, 0}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        astride_strided copy = {.unit_bytes = cases[i].unit, .rank = cases[i].rank};

        for (int32_t d = 0; d < copy.rank; d++) {
            copy.extents[d] = cases[i].extents[d];
            copy.dst_strides[d] = cases[i].dst[d];
            copy.src_strides[d] = cases[i].src[d];
        }
        for (int place = 0; place < LARGE_PLACES; place++)
            check(slots, level, &copy, places[place][0], places[place][1]);
    }
}

/* Levels that the processor lacks are left out; what is there is named in the test's output. */
static void at_every_level(void **state,
                           void (*test)(const test_host_slots *slots, const char *level))
{
    static const char *const levels[] = {"plain", "avx2", "avx512", "neon"};

    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (!astride__host_simd_select(levels[i]))
            continue;
        print_message("# level %s\n", levels[i]);
        test(*state, levels[i]);
    }
    assert_true(astride__host_simd_select(NULL));
}

static void rows_of_every_width_match_plain_loop(void **state)
{
    at_every_level(state, rows_and_short_units);
}

static void rows_of_elements_of_every_length_match_plain_loop(void **state)
{
    at_every_level(state, element_rows);
}

static void few_channels_match_plain_loop(void **state)
{
    at_every_level(state, channels);
}

static void short_dimensions_match_plain_loop(void **state)
{
    at_every_level(state, short_dimensions);
}

static void ragged_transposes_match_plain_loop(void **state)
{
    at_every_level(state, ragged_tiles);
}

static void large_copies_match_plain_loop(void **state)
{
    if (LARGE_PLACES > 1)
        at_every_level(state, large_copies);
}

static void level_that_is_unknown_is_not_selected(void **state)
{
    (void)state;
    assert_false(astride__host_simd_select("avx1024"));
}

/* The number of threads is read when a queue is made. */
static void several_threads_match_plain_loop(void **state)
{
    const test_host_slots *slots = *state;
    test_host_slots with_threads = *slots;
    static const char *const counts[] = {"3", "1", "5"};

    for (int i = 0; i < LARGE_PLACES; i++) {
        const char *text = counts[i];

        setenv("ASTRIDE_THREADS", text, 1);
        assert_int_equal(slots->plugin->queue_create(slots->device, &with_threads.queue),
                         ASTRIDE_OK);
        large_copies(&with_threads, text);
        slots->plugin->queue_destroy(with_threads.queue);
    }
    unsetenv("ASTRIDE_THREADS");
}

static void number_of_threads_is_checked(void **state)
{
    static const char *const wrong[] = {"0", "-1", "257", "two", "2x", "99999999999999999999"};
    const test_host_slots *slots = *state;
    astride_backend_queue *const untouched = (astride_backend_queue *)&seed;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        astride_backend_queue *queue = untouched;
        char message[128];

        setenv("ASTRIDE_THREADS", wrong[i], 1);
        snprintf(message, sizeof message, "host: ASTRIDE_THREADS=\"%s\" is no number from 1 to 256",
                 wrong[i]);
        assert_int_equal(slots->plugin->queue_create(slots->device, &queue),
                         ASTRIDE_INVALID_ARGUMENT);
        assert_string_equal(test_host_message(), message);
        assert_ptr_equal(queue, untouched);
    }
    unsetenv("ASTRIDE_THREADS");
}

static void name_of_a_level_is_checked(void **state)
{
    const test_host_slots *slots = *state;
    astride_backend_device *device = NULL;

    setenv("ASTRIDE_SIMD", "fast", 1);
    assert_int_equal(slots->plugin->device_open(0, &device), ASTRIDE_INVALID_ARGUMENT);
    assert_string_equal(test_host_message(),
                        "host: ASTRIDE_SIMD=\"fast\" is no level that this processor has; see "
                        "README.md");
    unsetenv("ASTRIDE_SIMD");
    assert_null(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_every_width_match_plain_loop),
        cmocka_unit_test(rows_of_elements_of_every_length_match_plain_loop),
        cmocka_unit_test(few_channels_match_plain_loop),
        cmocka_unit_test(short_dimensions_match_plain_loop),
        cmocka_unit_test(ragged_transposes_match_plain_loop),
        cmocka_unit_test(large_copies_match_plain_loop),
        cmocka_unit_test(level_that_is_unknown_is_not_selected),
        cmocka_unit_test(several_threads_match_plain_loop),
        cmocka_unit_test(number_of_threads_is_checked),
        cmocka_unit_test(name_of_a_level_is_checked),
    };

    return cmocka_run_group_tests_name("host_simd", tests, setup, teardown);
}
