/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Plans that are asked for with wrong options, for strategies that cannot do it, or that are run on
 * memory for which they were not made: refused with the exact status and reason, without a byte
 * written; and the neighbouring cases that are allowed. Malformed descriptors are in
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
#include "tests/support/fixture.h"
#include "tests/support/layout.h"
#include "tests/support/reference.h"
#include "tests/support/refusal.h"

enum { BYTES = 256 };

/* Four buffers with known contents. */
typedef struct scene {
    const test_fixture *fixture;
    test_buffer device, other, pinned, pageable;
    unsigned char images[4][BYTES];
    test_buffer *buffers[4];
} scene;

static void scene_begin(scene *s, void **state)
{
    static const test_buffer_origin origins[] = {TEST_BUFFER_DEVICE, TEST_BUFFER_DEVICE,
                                                 TEST_BUFFER_PINNED, TEST_BUFFER_PAGEABLE};
    test_random random;

    memset(s, 0, sizeof *s);
    s->fixture = *state;
    s->buffers[0] = &s->device;
    s->buffers[1] = &s->other;
    s->buffers[2] = &s->pinned;
    s->buffers[3] = &s->pageable;
    test_random_seed(&random, 2, 0);
    for (int i = 0; i < 4; i++) {
        test_random_bytes(&random, s->images[i], BYTES);
        assert_int_equal(test_buffer_create(s->fixture->device, origins[i], BYTES, s->buffers[i]),
                         ASTRIDE_OK);
        assert_int_equal(test_buffer_upload(s->fixture->queue, s->buffers[i], s->images[i]),
                         ASTRIDE_OK);
    }
    assert_int_equal(astride_queue_wait(s->fixture->queue), ASTRIDE_OK);
}

/* Every buffer is as its image says. */
static void scene_check(const scene *s)
{
    unsigned char actual[BYTES];

    for (int i = 0; i < 4; i++) {
        assert_int_equal(astride_queue_wait(s->fixture->queue), ASTRIDE_OK);
        assert_int_equal(test_buffer_download(s->fixture->queue, s->buffers[i], actual),
                         ASTRIDE_OK);
        assert_int_equal(astride_queue_wait(s->fixture->queue), ASTRIDE_OK);
        assert_memory_equal(actual, s->images[i], BYTES);
    }
}

static void scene_end(scene *s)
{
    scene_check(s);
    for (int i = 0; i < 4; i++)
        assert_int_equal(test_buffer_destroy(s->buffers[i]), ASTRIDE_OK);
}

static void *at(const test_buffer *buffer, int64_t offset)
{
    return (void *)((uintptr_t)buffer->address + (uintptr_t)offset);
}

/* 4 x 4 elements of 2 bytes, every other one of a row: rows of 16 bytes. */
static const test_layout columns = {.rank = 2,
                                    .element_bytes = 2,
                                    .extents = {4, 4},
                                    .dst = {.strides = {16, 4}, .offset = 0, .bytes = BYTES},
                                    .src = {.strides = {16, 4}, .offset = 0, .bytes = BYTES}};

static astride_plan *plan_for(const scene *s, void *dst, const void *src)
{
    astride_copy_desc desc = test_layout_descriptor(&columns, dst, src, 0);
    astride_plan *plan = NULL;

    assert_int_equal(astride_plan_create(s->fixture->device, &desc, &plan), ASTRIDE_OK);
    return plan;
}

/* Updates the image of buffer `to` as the copy should. */
static void expect_copy(scene *s, int to, int64_t dst_offset, int from, int64_t src_offset)
{
    test_layout moved = columns;

    moved.dst.offset = (size_t)dst_offset;
    moved.src.offset = (size_t)src_offset;
    test_reference_copy(&moved, 0, s->images[to], s->images[from]);
}

static void options_out_of_range_are_named(void **state)
{
    astride_plan *plan = NULL;
    astride_plan_options options;
    astride_copy_desc desc;
    scene s;

    scene_begin(&s, state);
    desc = test_layout_descriptor(&columns, s.device.address, s.other.address, 0);
#define create() astride_plan_create_with(s.fixture->device, &desc, &options, &plan)
    options = (astride_plan_options){.struct_size = sizeof options - 1};
    test_refused(create(), ASTRIDE_INVALID_ARGUMENT, "astride_plan_create_with: ", "options",
                 "struct_size");
    options = (astride_plan_options){.struct_size = sizeof options, .flags = 2};
    test_refused(create(), ASTRIDE_INVALID_ARGUMENT, "astride_plan_create_with: ", "options",
                 "flags");
    options = (astride_plan_options){.struct_size = sizeof options,
                                     .strategy = (astride_strategy)(ASTRIDE_STRATEGY_HOST + 1)};
    test_refused(create(), ASTRIDE_INVALID_ARGUMENT, "astride_plan_create_with: ", "strategy", "7");
    options.strategy = (astride_strategy)-1;
    test_refused(create(), ASTRIDE_INVALID_ARGUMENT, "astride_plan_create_with: ", "strategy",
                 "-1");
    options = (astride_plan_options){.struct_size = sizeof options,
                                     .flags = ASTRIDE_PLAN_UNBOUND,
                                     .dst_kind = (astride_memory_kind)4};
    test_refused(create(), ASTRIDE_INVALID_ARGUMENT, "astride_plan_create_with: ", "dst_kind", "4");
    options.dst_kind = ASTRIDE_MEMORY_DEVICE;
    options.src_kind = (astride_memory_kind)-1;
    test_refused(create(), ASTRIDE_INVALID_ARGUMENT, "astride_plan_create_with: ", "src_kind",
                 "-1");
    assert_null(plan);
    /* Kinds are read with ASTRIDE_PLAN_UNBOUND only. */
    options.flags = 0;
    assert_int_equal(create(), ASTRIDE_OK);
    astride_plan_destroy(plan);
#undef create
    scene_end(&s);
}

static void strategy_that_cannot_is_unsupported(void **state)
{
    static const astride_strategy strategies[] = {ASTRIDE_STRATEGY_LINEAR, ASTRIDE_STRATEGY_RECT};
    /* A transpose is neither one run of bytes nor rows of bytes in one order. */
    const int64_t extents[] = {3, 5, 7}, dst_strides[] = {2, 6, 30}, src_strides[] = {70, 14, 2};
    const int64_t dense_extent = 16;
    astride_copy_desc desc;
    astride_plan *plan = NULL;
    scene s;

    scene_begin(&s, state);
    desc = (astride_copy_desc){sizeof desc,
                               3,
                               0,
                               2,
                               extents,
                               {s.device.address, dst_strides},
                               {s.other.address, src_strides}};
    for (size_t i = 0; i < sizeof strategies / sizeof strategies[0]; i++) {
        const astride_plan_options options = {.struct_size = sizeof options,
                                              .strategy = strategies[i]};

        test_refused(astride_plan_create_with(s.fixture->device, &desc, &options, &plan),
                     ASTRIDE_UNSUPPORTED,
                     "astride_plan_create_with: ", astride_strategy_name(strategies[i]), "");
    }
    /* Overlapping sides go through a temporary or not at all. */
    desc = (astride_copy_desc){
        sizeof desc, 1, 0, 2, &dense_extent, {at(&s.device, 2), NULL}, {s.device.address, NULL}};
    const astride_plan_options kernel = {.struct_size = sizeof kernel,
                                         .strategy = ASTRIDE_STRATEGY_KERNEL};
    test_refused(astride_plan_create_with(s.fixture->device, &desc, &kernel, &plan),
                 ASTRIDE_UNSUPPORTED, "astride_plan_create_with: ", "kernel", "");
    assert_null(plan);
    scene_end(&s);
}

static void null_to_a_run_is_named(void **state)
{
    astride_plan *plan;
    scene s;

    scene_begin(&s, state);
    plan = plan_for(&s, s.device.address, s.other.address);
    test_refused(astride_plan_run(NULL, s.fixture->queue, s.device.address, s.other.address),
                 ASTRIDE_INVALID_ARGUMENT, "astride_plan_run: ", "plan", "NULL");
    test_refused(astride_plan_run(plan, NULL, s.device.address, s.other.address),
                 ASTRIDE_INVALID_ARGUMENT, "astride_plan_run: ", "queue", "NULL");
    test_refused(astride_plan_run(plan, s.fixture->queue, NULL, s.other.address),
                 ASTRIDE_INVALID_ARGUMENT, "astride_plan_run: ", "dst", "NULL");
    test_refused(astride_plan_run(plan, s.fixture->queue, s.device.address, NULL),
                 ASTRIDE_INVALID_ARGUMENT, "astride_plan_run: ", "src", "NULL");
    astride_plan_destroy(plan);
    astride_plan_destroy(NULL);
    scene_end(&s);
}

static void memory_of_another_kind_is_a_mismatch(void **state)
{
    astride_plan *plan;
    scene s;

    scene_begin(&s, state);
    plan = plan_for(&s, s.device.address, s.pinned.address);
    test_refused(astride_plan_run(plan, s.fixture->queue, s.pageable.address, s.pinned.address),
                 ASTRIDE_PLAN_MISMATCH, "astride_plan_run: ", "dst", "device memory");
    test_refused(astride_plan_run(plan, s.fixture->queue, s.device.address, s.pageable.address),
                 ASTRIDE_PLAN_MISMATCH, "astride_plan_run: ", "src", "pinned memory");
    test_refused(astride_plan_run(plan, s.fixture->queue, s.device.address, s.other.address),
                 ASTRIDE_PLAN_MISMATCH, "astride_plan_run: ", "src", "pinned memory");
    scene_check(&s);
    /* Another allocation of the same kind is what plans are for. */
    assert_int_equal(astride_plan_run(plan, s.fixture->queue, at(&s.other, 3), at(&s.pinned, 1)),
                     ASTRIDE_OK);
    expect_copy(&s, 1, 3, 2, 1);
    scene_check(&s);
    astride_plan_destroy(plan);
    scene_end(&s);
}

static void overlapping_bases_are_a_mismatch_for_a_disjoint_plan(void **state)
{
    static const int64_t distances[] = {0, 1, -1, 3, 4, 16, -48, 60};
    astride_capabilities capabilities = {.struct_size = sizeof capabilities};
    const char *rule = "overlap";
    astride_plan *plan;
    scene s;

    scene_begin(&s, state);
    assert_int_equal(astride_device_capabilities(s.fixture->device, &capabilities), ASTRIDE_OK);
    /* Where one allocation for both sides would be too much already, that is the reason. */
    if (!capabilities.rect_within_allocation)
        rule = "planned for two allocations";
    plan = plan_for(&s, s.device.address, s.other.address);
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++)
        test_refused(astride_plan_run(plan, s.fixture->queue, at(&s.device, 64),
                                      at(&s.device, 64 + distances[i])),
                     ASTRIDE_PLAN_MISMATCH, "astride_plan_run: ", rule, "");
    scene_check(&s);
    astride_plan_destroy(plan);

    /* Made for even and odd columns of one allocation: other bases with other distances. */
    plan = plan_for(&s, at(&s.device, 2), s.device.address);
    assert_int_equal(
        astride_plan_run(plan, s.fixture->queue, at(&s.device, 130), at(&s.device, 128)),
        ASTRIDE_OK);
    expect_copy(&s, 0, 130, 0, 128);
    scene_check(&s);
    assert_int_equal(astride_plan_run(plan, s.fixture->queue, at(&s.device, 14), at(&s.device, 8)),
                     ASTRIDE_OK);
    expect_copy(&s, 0, 14, 0, 8);
    scene_check(&s);
    test_refused(astride_plan_run(plan, s.fixture->queue, at(&s.device, 12), at(&s.device, 8)),
                 ASTRIDE_PLAN_MISMATCH, "astride_plan_run: ", "overlap", "");
    scene_check(&s);
    astride_plan_destroy(plan);
    scene_end(&s);
}

/* A plan with a temporary is right for any relation of the sides. */
static void plan_for_overlapping_sides_runs_on_disjoint_ones(void **state)
{
    astride_plan_info info = {.struct_size = sizeof info};
    astride_plan *plan;
    scene s;

    scene_begin(&s, state);
    plan = plan_for(&s, at(&s.device, 4), s.device.address);
    assert_int_equal(astride_plan_get_info(plan, &info), ASTRIDE_OK);
    assert_true(info.overlapping);
    assert_int_equal(astride_plan_run(plan, s.fixture->queue, at(&s.device, 4), s.device.address),
                     ASTRIDE_OK);
    expect_copy(&s, 0, 4, 0, 0);
    scene_check(&s);
    assert_int_equal(astride_plan_run(plan, s.fixture->queue, at(&s.device, 7), at(&s.device, 39)),
                     ASTRIDE_OK);
    expect_copy(&s, 0, 7, 0, 39);
    scene_check(&s);
    assert_int_equal(astride_plan_run(plan, s.fixture->queue, at(&s.other, 9), at(&s.device, 1)),
                     ASTRIDE_OK);
    expect_copy(&s, 1, 9, 0, 1);
    scene_check(&s);
    astride_plan_destroy(plan);
    scene_end(&s);
}

static void base_that_leaves_its_allocation_is_out_of_bounds(void **state)
{
    /* The region reaches 3 * 16 + 3 * 4 + 2 bytes. */
    enum { REACH = 62 };
    astride_plan *plan;
    scene s;

    scene_begin(&s, state);
    plan = plan_for(&s, s.device.address, s.other.address);
    test_refused(
        astride_plan_run(plan, s.fixture->queue, at(&s.device, BYTES - REACH + 1), s.other.address),
        ASTRIDE_OUT_OF_BOUNDS, "astride_plan_run: ", "dst", "256 bytes");
    test_refused(
        astride_plan_run(plan, s.fixture->queue, s.device.address, at(&s.other, BYTES - REACH + 1)),
        ASTRIDE_OUT_OF_BOUNDS, "astride_plan_run: ", "src", "256 bytes");
    test_refused(
        astride_plan_run(plan, s.fixture->queue, (void *)(UINTPTR_MAX - 7), s.other.address),
        ASTRIDE_OVERFLOW, "astride_plan_run: ", "dst", "address space");
    scene_check(&s);
    assert_int_equal(astride_plan_run(plan, s.fixture->queue, at(&s.device, BYTES - REACH),
                                      at(&s.other, BYTES - REACH)),
                     ASTRIDE_OK);
    expect_copy(&s, 0, BYTES - REACH, 1, BYTES - REACH);
    astride_plan_destroy(plan);
    scene_end(&s);
}

static void figures_and_description_check_their_arguments(void **state)
{
    astride_plan_info info = {.struct_size = sizeof info}, untouched;
    char text[4096], part[10];
    size_t needed = 0, needed_json = 0;
    astride_plan *plan;
    scene s;

    scene_begin(&s, state);
    plan = plan_for(&s, s.device.address, s.other.address);
    test_refused(astride_plan_get_info(NULL, &info), ASTRIDE_INVALID_ARGUMENT,
                 "astride_plan_get_info: ", "plan", "NULL");
    test_refused(astride_plan_get_info(plan, NULL), ASTRIDE_INVALID_ARGUMENT,
                 "astride_plan_get_info: ", "info_out", "NULL");
    memset(&info, 0x5a, sizeof info);
    info.struct_size = sizeof info - 1;
    untouched = info;
    test_refused(astride_plan_get_info(plan, &info), ASTRIDE_INVALID_ARGUMENT,
                 "astride_plan_get_info: ", "struct_size", "");
    assert_memory_equal(&info, &untouched, sizeof info);

    test_refused(astride_plan_describe(NULL, ASTRIDE_PLAN_TEXT, text, sizeof text, &needed),
                 ASTRIDE_INVALID_ARGUMENT, "astride_plan_describe: ", "plan", "NULL");
    test_refused(astride_plan_describe(plan, ASTRIDE_PLAN_TEXT, NULL, 1, &needed),
                 ASTRIDE_INVALID_ARGUMENT, "astride_plan_describe: ", "text", "NULL");
    test_refused(astride_plan_describe(plan, (astride_plan_format)2, text, sizeof text, &needed),
                 ASTRIDE_INVALID_ARGUMENT, "astride_plan_describe: ", "format", "2");
    assert_int_equal(needed, 0);
    assert_int_equal(astride_plan_describe(plan, ASTRIDE_PLAN_TEXT, NULL, 0, &needed), ASTRIDE_OK);
    assert_in_range(needed, 20, sizeof text);
    assert_int_equal(astride_plan_describe(plan, ASTRIDE_PLAN_TEXT, text, sizeof text, NULL),
                     ASTRIDE_OK);
    assert_int_equal(strlen(text) + 1, needed);
    memset(part, '#', sizeof part);
    assert_int_equal(astride_plan_describe(plan, ASTRIDE_PLAN_TEXT, part, sizeof part - 1, NULL),
                     ASTRIDE_OK);
    assert_memory_equal(part, text, sizeof part - 2);
    assert_int_equal(part[sizeof part - 2], '\0');
    assert_int_equal(part[sizeof part - 1], '#');
    assert_int_equal(
        astride_plan_describe(plan, ASTRIDE_PLAN_JSON, text, sizeof text, &needed_json),
        ASTRIDE_OK);
    assert_int_equal(strlen(text) + 1, needed_json);
    assert_int_equal(text[0], '{');
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    astride_plan_destroy(plan);
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_out_of_range_are_named),
        cmocka_unit_test(strategy_that_cannot_is_unsupported),
        cmocka_unit_test(null_to_a_run_is_named),
        cmocka_unit_test(memory_of_another_kind_is_a_mismatch),
        cmocka_unit_test(overlapping_bases_are_a_mismatch_for_a_disjoint_plan),
        cmocka_unit_test(plan_for_overlapping_sides_runs_on_disjoint_ones),
        cmocka_unit_test(base_that_leaves_its_allocation_is_out_of_bounds),
        cmocka_unit_test(figures_and_description_check_their_arguments),
    };

    return cmocka_run_group_tests_name("plan refusal", tests, test_fixture_setup,
                                       test_fixture_teardown);
}
