/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How many calls of the driver a copy takes, by value, and that none of them waits: on the
 * simulated driver, which also checks each against the documented rules.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/cuda/simulated.h"
#include "tests/support/fixture.h"

/* Kinds of memory of both sides, for the four directions and for pageable memory. */
static const struct pair {
    astride_memory_kind dst, src;
} pairs[] = {
    {ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_DEVICE}, {ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED},
    {ASTRIDE_MEMORY_PINNED, ASTRIDE_MEMORY_DEVICE}, {ASTRIDE_MEMORY_PINNED, ASTRIDE_MEMORY_PINNED},
    {ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_HOST},   {ASTRIDE_MEMORY_HOST, ASTRIDE_MEMORY_DEVICE},
    {ASTRIDE_MEMORY_SHARED, ASTRIDE_MEMORY_DEVICE},
};
#define PAIR_COUNT (sizeof pairs / sizeof pairs[0])

/* The work calls of one copy, which must be right; the plan is made before the count begins. */
static uint64_t calls_of(const test_fixture *fixture, const simulated_layout *layout,
                         const struct pair *pair, astride_strategy strategy)
{
    const astride_plan_options options = {.struct_size = sizeof options, .strategy = strategy};
    simulated_copy copy;
    astride_plan *plan = NULL;
    simulated_prepare(layout, fixture->device, pair->dst, fixture->device, pair->src, &copy);
    if (astride_plan_create_with(fixture->device, &copy.desc, &options, &plan) != ASTRIDE_OK)
        fail_msg("%s", astride_last_error());
    sim->reset();
    if (astride_plan_run(plan, fixture->queue, copy.dst, copy.src) != ASTRIDE_OK)
        fail_msg("%s", astride_last_error());
    const uint64_t calls = simulated_work();
    assert_int_equal(simulated_waits(), 0);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    simulated_check_rules();
    simulated_compare(&copy);
    astride_plan_destroy(plan);
    simulated_discard(&copy);
    return calls;
}

static void set_dense(simulated_layout *layout, int64_t *strides)
{
    int64_t stride = (int64_t)layout->element_bytes;
    for (int32_t d = layout->rank - 1; d >= 0; d--) {
        strides[d] = stride;
        stride *= layout->extents[d];
    }
}

static void contiguous_of_any_rank_is_one_copy_call(void **state)
{
    for (int32_t rank = 0; rank <= 8; rank++) {
        simulated_layout layout = {.rank = rank, .element_bytes = 12};
        for (int32_t d = 0; d < rank; d++)
            layout.extents[d] = d % 3 + 1;
        set_dense(&layout, layout.dst_strides);
        set_dense(&layout, layout.src_strides);
        for (size_t i = 0; i < PAIR_COUNT; i++) {
            assert_int_equal(calls_of(*state, &layout, &pairs[i], ASTRIDE_STRATEGY_AUTO), 1);
            assert_int_equal(sim->count("cuLaunchKernel") + sim->count("cuLaunchHostFunc"), 0);
        }
    }
}

/* Rows, slices, row pitches and slice pitches (in rows) of both sides. */
static const struct rectangle {
    size_t row_bytes;
    int64_t rows, slices, dst_pitch, dst_height, src_pitch, src_height;
} rectangles[] = {
    {1024, 2, 1, 1024, 2, 2048, 2}, {1000, 3, 1, 1001, 3, 1000, 3}, {640, 3, 4, 640, 5, 641, 3},
    {777, 5, 3, 1024, 7, 800, 6},   {512, 1, 9, 513, 2, 600, 1},    {2048, 4, 4, 4096, 4, 2048, 8},
};
#define RECTANGLE_COUNT (sizeof rectangles / sizeof rectangles[0])

static simulated_layout layout_of(const struct rectangle *r)
{
    return (simulated_layout){.rank = 2,
                              .element_bytes = r->row_bytes,
                              .extents = {r->slices, r->rows},
                              .dst_strides = {r->dst_pitch * r->dst_height, r->dst_pitch},
                              .src_strides = {r->src_pitch * r->src_height, r->src_pitch}};
}

static void rectangle_is_one_call(void **state)
{
    for (size_t r = 0; r < RECTANGLE_COUNT; r++) {
        const simulated_layout layout = layout_of(&rectangles[r]);
        for (size_t i = 0; i < PAIR_COUNT; i++)
            assert_int_equal(calls_of(*state, &layout, &pairs[i], ASTRIDE_STRATEGY_AUTO), 1);
    }
}

static void forced_rectangle_is_one_copy_call_for_any_row(void **state)
{
    for (int64_t row = 1; row <= 65; row += 8) {
        const simulated_layout layout = {.rank = 2,
                                         .element_bytes = (size_t)row,
                                         .extents = {5, 11},
                                         .dst_strides = {13 * (row + 3), row + 3},
                                         .src_strides = {11 * (row + 1), row + 1}};
        for (size_t i = 0; i < PAIR_COUNT; i++) {
            assert_int_equal(calls_of(*state, &layout, &pairs[i], ASTRIDE_STRATEGY_RECT), 1);
            assert_int_equal(sim->count("cuMemcpy3DAsync"), 1);
        }
    }
}

/* "May fail for pitches not computed by cuMemAllocPitch" is said of the 2-D call within a device.
 */
static void rectangle_within_the_device_is_never_a_2d_call(void **state)
{
    const simulated_layout layout = {.rank = 1,
                                     .element_bytes = 100,
                                     .extents = {10},
                                     .dst_strides = {101},
                                     .src_strides = {103}};
    assert_int_equal(calls_of(*state, &layout, &pairs[0], ASTRIDE_STRATEGY_RECT), 1);
    assert_int_equal(sim->count("cuMemcpy3DAsync"), 1);
    assert_int_equal(calls_of(*state, &layout, &pairs[1], ASTRIDE_STRATEGY_RECT), 1);
    assert_int_equal(sim->count("cuMemcpy2DAsync"), 1);
}

/* 10,000 rows of 64 bytes that no dimension merges with another. */
static simulated_layout five_dimensions(void)
{
    return (simulated_layout){.rank = 5,
                              .element_bytes = 4,
                              .extents = {10, 10, 10, 10, 16},
                              .dst_strides = {1464100, 133100, 12100, 1100, 4},
                              .src_strides = {1030304, 103000, 10200, 1000, 4}};
}

static void five_dimensions_within_the_device_are_one_launch(void **state)
{
    const simulated_layout layout = five_dimensions();
    assert_int_equal(calls_of(*state, &layout, &pairs[0], ASTRIDE_STRATEGY_AUTO), 1);
    assert_int_equal(sim->count("cuLaunchKernel"), 1);
}

/* Its 640,000 bytes are less than a chunk. */
static void five_dimensions_to_the_device_are_four_calls_a_chunk(void **state)
{
    const simulated_layout layout = five_dimensions();
    assert_in_range(calls_of(*state, &layout, &pairs[1], ASTRIDE_STRATEGY_AUTO), 1, 4);
    assert_in_range(calls_of(*state, &layout, &pairs[4], ASTRIDE_STRATEGY_AUTO), 1, 4);
    assert_in_range(calls_of(*state, &layout, &pairs[1], ASTRIDE_STRATEGY_STAGED), 1, 4);
}

/* The six faces of a cube of 24^3 doubles, each into a dense buffer. */
static void halo_of_six_faces_is_six_launches(void **state)
{
    enum { EDGE = 24, FACES = 6 };
    const test_fixture *fixture = *state;
    const int64_t strides[3] = {EDGE * EDGE * 8, EDGE * 8, 8};
    simulated_copy copies[FACES];
    astride_copy_desc descs[FACES];
    for (int face = 0; face < FACES; face++) {
        const int32_t across = face / 2;
        simulated_layout layout = {.rank = 2, .element_bytes = 8, .extents = {EDGE, EDGE}};
        for (int32_t d = 0, at = 0; d < 3; d++) {
            if (d != across)
                layout.src_strides[at++] = strides[d];
        }
        set_dense(&layout, layout.dst_strides);
        simulated_prepare(&layout, fixture->device, ASTRIDE_MEMORY_DEVICE, fixture->device,
                          ASTRIDE_MEMORY_DEVICE, &copies[face]);
        descs[face] = copies[face].desc;
    }
    sim->reset();
    assert_int_equal(astride_copy_batch(fixture->queue, descs, FACES), ASTRIDE_OK);
    assert_in_range(simulated_work(), 1, FACES);
    assert_int_equal(simulated_waits(), 0);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    simulated_check_rules();
    for (int face = 0; face < FACES; face++) {
        simulated_compare(&copies[face]);
        simulated_discard(&copies[face]);
    }
}

/*
 * A fill of pageable memory is a host call in the queue. The driver reads pageable memory when a
 * copy is enqueued: by then the fill must be done.
 */
static void a_copy_from_pageable_memory_sees_host_calls_before_it(void **state)
{
    enum { BYTES = 4096 };
    const test_fixture *fixture = *state;
    static unsigned char host[BYTES], back[BYTES];
    const int64_t extent = BYTES, every_second = 2, half = BYTES / 2;
    const unsigned char pattern = 0xa5;
    void *device;
    assert_int_equal(astride_memory_alloc(fixture->device, BYTES, ASTRIDE_MEMORY_DEVICE, &device),
                     ASTRIDE_OK);
    const astride_fill_desc fill = {.struct_size = sizeof fill,
                                    .rank = 1,
                                    .element_bytes = 1,
                                    .extents = &half,
                                    .dst = {host, &every_second},
                                    .pattern = &pattern};
    astride_copy_desc copy = {.struct_size = sizeof copy,
                              .rank = 1,
                              .element_bytes = 1,
                              .extents = &extent,
                              .dst = {device, NULL},
                              .src = {host, NULL}};
    assert_int_equal(astride_fill(fixture->queue, &fill), ASTRIDE_OK);
    assert_int_equal(astride_copy(fixture->queue, &copy), ASTRIDE_OK);
    copy.src.base = device;
    copy.dst.base = back;
    assert_int_equal(astride_copy(fixture->queue, &copy), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    for (int i = 0; i < BYTES; i++)
        assert_int_equal(back[i], i % 2 == 0 ? pattern : 0);
    assert_int_equal(astride_memory_free(fixture->device, device), ASTRIDE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contiguous_of_any_rank_is_one_copy_call),
        cmocka_unit_test(rectangle_is_one_call),
        cmocka_unit_test(forced_rectangle_is_one_copy_call_for_any_row),
        cmocka_unit_test(rectangle_within_the_device_is_never_a_2d_call),
        cmocka_unit_test(five_dimensions_within_the_device_are_one_launch),
        cmocka_unit_test(five_dimensions_to_the_device_are_four_calls_a_chunk),
        cmocka_unit_test(halo_of_six_faces_is_six_launches),
        cmocka_unit_test(a_copy_from_pageable_memory_sees_host_calls_before_it),
    };
    simulated_select();
    return cmocka_run_group_tests(tests, simulated_setup, simulated_teardown);
}
