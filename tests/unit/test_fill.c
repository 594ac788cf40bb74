/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fills of random regions, of every pattern size and in every kind of memory, against a plain loop
 * on whole allocations; and fills in their order among other work. Malformed fills are in
 * test_bad_input.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/buffer.h"
#include "tests/support/count.h"
#include "tests/support/fixture.h"
#include "tests/support/layout.h"
#include "tests/support/reference.h"

static const uint64_t seed = 1;

static bool is_pattern_size(size_t bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

static astride_fill_desc describe(const test_layout *layout, void *allocation, const void *pattern)
{
    astride_copy_desc copy = test_layout_descriptor(layout, allocation, allocation, 0);

    return (astride_fill_desc){
        .struct_size = sizeof(astride_fill_desc),
        .rank = copy.rank,
        .element_bytes = copy.element_bytes,
        .extents = copy.extents,
        .dst = copy.dst,
        .pattern = pattern,
    };
}

/* Patterns that are one byte or two repeated have shortcuts in some drivers, so they occur too. */
static void draw_pattern(test_random *random, unsigned char pattern[16])
{
    test_random_bytes(random, pattern, 16);
    if (test_random_chance(random, 1, 4))
        memset(pattern, test_random_chance(random, 1, 2) ? 0 : pattern[0], 16);
    else if (test_random_chance(random, 1, 6))
        for (int i = 2; i < 16; i++)
            pattern[i] = pattern[i - 2];
}

static bool allocate(const test_fixture *fixture, test_random *random, size_t bytes,
                     test_buffer *buffer_out)
{
    test_buffer_origin origin =
        (test_buffer_origin)test_random_below(random, TEST_BUFFER_ORIGIN_COUNT);
    astride_status status = test_buffer_create(fixture->device, origin, bytes, buffer_out);

    if (status == ASTRIDE_UNSUPPORTED)
        status = test_buffer_create(fixture->device, TEST_BUFFER_DEVICE, bytes, buffer_out);
    return status == ASTRIDE_OK;
}

static void check_fill(const test_fixture *fixture, test_random *random, const test_layout *layout,
                       uint64_t index)
{
    size_t bytes = layout->dst.bytes, at;
    unsigned char *before = malloc(bytes), *expected = malloc(bytes), *actual = malloc(bytes);
    unsigned char pattern[16];
    test_buffer buffer = {.address = NULL};
    astride_fill_desc desc;
    astride_status status;

    assert_non_null(before);
    assert_non_null(expected);
    assert_non_null(actual);
    draw_pattern(random, pattern);
    test_random_bytes(random, before, bytes);
    memcpy(expected, before, bytes);
    test_reference_fill(layout, pattern, expected);

    assert_true(allocate(fixture, random, bytes, &buffer));
    assert_int_equal(test_buffer_upload(fixture->queue, &buffer, before), ASTRIDE_OK);
    desc = describe(layout, buffer.address, pattern);
    status = astride_fill(fixture->queue, &desc);
    /* The pattern is read during the call only. */
    memset(pattern, 0xee, sizeof pattern);
    if (status == ASTRIDE_OK && test_buffer_contents(&buffer) != NULL)
        status = astride_queue_wait(fixture->queue);
    if (status == ASTRIDE_OK)
        status = test_buffer_download(fixture->queue, &buffer, actual);
    if (status == ASTRIDE_OK)
        status = astride_queue_wait(fixture->queue);
    at = status == ASTRIDE_OK ? test_first_difference(actual, expected, bytes) : 0;
    if (status != ASTRIDE_OK || at != bytes || !test_buffer_guards_intact(&buffer)) {
        test_layout_print(stderr, "# ", layout);
        fail_msg("fill %llu of seed %llu in %s memory: %s: %s; first difference at byte %zu of %zu",
                 (unsigned long long)index, (unsigned long long)seed,
                 test_buffer_origin_name(buffer.origin), astride_status_name(status),
                 astride_last_error(), at, bytes);
    }
    assert_int_equal(test_buffer_destroy(&buffer), ASTRIDE_OK);
    free(before);
    free(expected);
    free(actual);
}

static void random_fill_writes_elements_only(void **state)
{
    uint64_t count = test_count(4000), drawn_of_bytes[17] = {0};

    for (uint64_t i = 0; i < count; i++) {
        test_random random;
        test_layout layout;

        test_random_seed(&random, seed, i);
        do {
            test_layout_generate(&random, &layout);
        } while (!is_pattern_size(layout.element_bytes));
        drawn_of_bytes[layout.element_bytes]++;
        check_fill(*state, &random, &layout, i);
    }
    if (count < 500)
        return;
    for (size_t bytes = 1; bytes <= 16; bytes *= 2)
        assert_in_range(drawn_of_bytes[bytes], count / 20, count);
}

static void fill_takes_its_turn_among_copies(void **state)
{
    const test_fixture *fixture = *state;
    const test_layout column = {.rank = 1,
                                .element_bytes = 2,
                                .extents = {3},
                                .dst = {.strides = {4}, .offset = 2, .bytes = 12},
                                .src = {.strides = {4}, .offset = 2, .bytes = 12}};
    test_buffer buffer, copy;
    astride_copy_desc copy_desc;
    astride_fill_desc fill_desc;
    unsigned char first[12], second[12];

    assert_int_equal(test_buffer_create(fixture->device, TEST_BUFFER_DEVICE, 12, &buffer),
                     ASTRIDE_OK);
    assert_int_equal(test_buffer_create(fixture->device, TEST_BUFFER_DEVICE, 12, &copy),
                     ASTRIDE_OK);
    assert_int_equal(
        test_buffer_upload(fixture->queue, &buffer, (const unsigned char *)"abcdefghijkl"),
        ASTRIDE_OK);
    assert_int_equal(
        test_buffer_upload(fixture->queue, &copy, (const unsigned char *)"............"),
        ASTRIDE_OK);
    fill_desc = describe(&column, buffer.address, "XY");
    copy_desc = test_layout_descriptor(&column, copy.address, buffer.address, 0);
    assert_int_equal(astride_fill(fixture->queue, &fill_desc), ASTRIDE_OK);
    assert_int_equal(astride_copy(fixture->queue, &copy_desc), ASTRIDE_OK);
    fill_desc.pattern = "--";
    assert_int_equal(astride_fill(fixture->queue, &fill_desc), ASTRIDE_OK);
    assert_int_equal(test_buffer_download(fixture->queue, &buffer, first), ASTRIDE_OK);
    assert_int_equal(test_buffer_download(fixture->queue, &copy, second), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    assert_memory_equal(first, "ab--ef--ij--", 12);
    assert_memory_equal(second, "..XY..XY..XY", 12);
    assert_int_equal(test_buffer_destroy(&buffer), ASTRIDE_OK);
    assert_int_equal(test_buffer_destroy(&copy), ASTRIDE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_fill_writes_elements_only),
        cmocka_unit_test(fill_takes_its_turn_among_copies),
    };

    return cmocka_run_group_tests_name("fill", tests, test_fixture_setup, test_fixture_teardown);
}
