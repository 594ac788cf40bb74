/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The planner's decisions by value, for devices that do not exist: which strategies can carry out a
 * copy, in how many calls, which wins, and why the others do not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hal/device.h"
#include "hal/plan.h"
#include "hal/staged.h"

#define DIMENSIONS(...) ((const int64_t[]){__VA_ARGS__})

/* A discrete accelerator: 3-D rectangles with pitch rules, kernels that see only its own memory. */
static const astride_backend_properties accelerator = {
    .capabilities = {.rect_rank = {3, 3, 3, 3},
                     .maximum_pitch_bytes = 1 << 20,
                     .slice_multiple_of_row = true,
                     .rect_within_allocation = true,
                     .kernels = true,
                     .kernel_reaches_pinned = true,
                     .asynchronous = true},
    .cost = {.linear_call_ns = 2000,
             .rect_call_ns = 3000,
             .kernel_call_ns = 4000,
             .rect_row_ns = {10, 100, 100, 2},
             .kernel_unit_ns = 0.01,
             .bytes_per_ns = {10, 20, 20, 1000},
             .kernel_bytes_per_ns = 800,
             .host_call_ns = 5000},
    .pageable_copies_block = true,
    .staging_chunk_bytes = 1 << 20};

static const astride_plugin plugin = {.name = "fake"};
static astride_device device = {.plugin = &plugin, .spec = "fake:0"};

static int use_accelerator(void **state)
{
    (void)state;
    device.properties = accelerator;
    device.plugin = &plugin;
    return 0;
}

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

static astride__situation between(astride_memory_kind dst, astride_memory_kind src)
{
    return (astride__situation){.device = &device, .dst_kind = dst, .src_kind = src};
}

static const astride_memory_kind DEVICE = ASTRIDE_MEMORY_DEVICE;
static const astride_memory_kind PINNED = ASTRIDE_MEMORY_PINNED;
static const astride_memory_kind HOST = ASTRIDE_MEMORY_HOST;

static void expect_calls(const astride__situation *situation, astride_strategy strategy,
                         const astride__geometry *geometry, uint64_t calls)
{
    astride__method method = {.geometry = *geometry};
    const astride__candidate candidate = astride__method_judge(situation, strategy, &method);
    assert_int_equal(candidate.obstacle, ASTRIDE__POSSIBLE);
    assert_int_equal(candidate.calls, calls);
    assert_int_equal(method.split.calls, calls);
}

static void expect_obstacle(const astride__situation *situation, astride_strategy strategy,
                            const astride__geometry *geometry, astride__obstacle obstacle)
{
    astride__method method = {.geometry = *geometry};
    assert_int_equal(astride__method_judge(situation, strategy, &method).obstacle, obstacle);
}

static void expect_choice(const astride__situation *situation, const astride__geometry *geometry,
                          astride_strategy strategy, uint64_t calls)
{
    astride__method method = {.geometry = *geometry};
    astride__candidate candidate;
    assert_true(astride__method_choose(situation, &method, &candidate));
    assert_string_equal(astride_strategy_name(method.strategy), astride_strategy_name(strategy));
    assert_int_equal(candidate.calls, calls);
}

static void contiguous_is_one_linear_call(void **state)
{
    (void)state;
    const astride__geometry geometry = normalise(3, 4, DIMENSIONS(10, 20, 30), NULL, NULL);
    const astride__situation situation = between(DEVICE, DEVICE);
    expect_choice(&situation, &geometry, ASTRIDE_STRATEGY_LINEAR, 1);
    expect_calls(&situation, ASTRIDE_STRATEGY_RECT, &geometry, 1);
    expect_calls(&situation, ASTRIDE_STRATEGY_KERNEL, &geometry, 1);
    expect_obstacle(&situation, ASTRIDE_STRATEGY_RECT_LOOP, &geometry, ASTRIDE__NOTHING_TO_LOOP);
    expect_obstacle(&situation, ASTRIDE_STRATEGY_HOST, &geometry, ASTRIDE__HOST_REACH);
}

static void wide_rows_are_one_rectangle(void **state)
{
    (void)state;
    const astride__geometry geometry =
        normalise(2, 4, DIMENSIONS(100, 1024), NULL, DIMENSIONS(8192, 4));
    const astride__situation situation = between(DEVICE, DEVICE);
    expect_choice(&situation, &geometry, ASTRIDE_STRATEGY_RECT, 1);
    expect_obstacle(&situation, ASTRIDE_STRATEGY_LINEAR, &geometry, ASTRIDE__NOT_CONTIGUOUS);
}

static void subview_5d_contiguous_in_its_inner_three_is_one_rectangle(void **state)
{
    (void)state;
    const astride__geometry geometry =
        normalise(5, 4, DIMENSIONS(4, 6, 5, 7, 8), NULL, DIMENSIONS(26880, 1344, 224, 32, 4));
    const astride__situation situation = between(DEVICE, DEVICE);
    expect_calls(&situation, ASTRIDE_STRATEGY_RECT, &geometry, 1);
    astride__method method = {.geometry = geometry};
    (void)astride__method_judge(&situation, ASTRIDE_STRATEGY_RECT, &method);
    astride_rect rect;
    astride__rect_fill(&geometry, &method.split, &rect);
    assert_int_equal(rect.row_bytes, 1120);
    assert_int_equal(rect.rows, 6);
    assert_int_equal(rect.slices, 4);
    assert_int_equal(rect.dst_row_pitch, 1120);
    assert_int_equal(rect.dst_slice_pitch, 6720);
    assert_int_equal(rect.src_row_pitch, 1344);
    assert_int_equal(rect.src_slice_pitch, 26880);
}

static void slice_pitch_that_is_no_multiple_loops_over_slices(void **state)
{
    (void)state;
    /* 4 slices of 6 rows; the source's slice pitch is 6 * 256 + 64. */
    const astride__geometry geometry =
        normalise(3, 4, DIMENSIONS(4, 6, 16), NULL, DIMENSIONS(1600, 256, 4));
    astride__situation situation = between(DEVICE, DEVICE);
    expect_obstacle(&situation, ASTRIDE_STRATEGY_RECT, &geometry, ASTRIDE__RECT_PITCH);
    expect_calls(&situation, ASTRIDE_STRATEGY_RECT_LOOP, &geometry, 4);
    device.properties.capabilities.slice_multiple_of_row = false;
    expect_calls(&situation, ASTRIDE_STRATEGY_RECT, &geometry, 1);
}

static void pitch_above_the_maximum_is_no_rectangle(void **state)
{
    (void)state;
    const astride__geometry geometry =
        normalise(2, 1, DIMENSIONS(3, 64), NULL, DIMENSIONS((1 << 20) + 1, 1));
    const astride__situation situation = between(DEVICE, DEVICE);
    expect_obstacle(&situation, ASTRIDE_STRATEGY_RECT, &geometry, ASTRIDE__RECT_PITCH);
    expect_calls(&situation, ASTRIDE_STRATEGY_RECT_LOOP, &geometry, 3);
}

static void further_dimensions_loop_around_the_largest_rectangle(void **state)
{
    (void)state;
    /* Dimensions of 3, 5, 7, 11 rows of 64 bytes, none mergeable: 7 x 11 go into the rectangle. */
    const astride__geometry geometry =
        normalise(5, 4, DIMENSIONS(3, 5, 7, 11, 16), NULL, DIMENSIONS(120000, 20000, 2560, 128, 4));
    assert_int_equal(geometry.rank, 4);
    const astride__situation situation = between(DEVICE, DEVICE);
    expect_obstacle(&situation, ASTRIDE_STRATEGY_RECT, &geometry, ASTRIDE__RECT_RANK);
    expect_calls(&situation, ASTRIDE_STRATEGY_RECT_LOOP, &geometry, 3 * 5);
    expect_calls(&situation, ASTRIDE_STRATEGY_KERNEL, &geometry, 1);
}

static void transpose_needs_a_kernel_or_a_loop(void **state)
{
    (void)state;
    const astride__geometry geometry =
        normalise(2, 4, DIMENSIONS(300, 500), NULL, DIMENSIONS(4, 1200));
    const astride__situation situation = between(DEVICE, DEVICE);
    expect_obstacle(&situation, ASTRIDE_STRATEGY_RECT, &geometry, ASTRIDE__RECT_PITCH);
    /* Rows of one element: legal, one call per row of the transpose. */
    expect_calls(&situation, ASTRIDE_STRATEGY_RECT_LOOP, &geometry, 300);
    expect_choice(&situation, &geometry, ASTRIDE_STRATEGY_KERNEL, 1);
}

static void zero_and_negative_strides_never_reach_a_rectangle(void **state)
{
    (void)state;
    const astride__situation situation = between(DEVICE, DEVICE);
    const astride__geometry broadcast = normalise(2, 4, DIMENSIONS(8, 16), NULL, DIMENSIONS(0, 4));
    expect_obstacle(&situation, ASTRIDE_STRATEGY_RECT, &broadcast, ASTRIDE__RECT_PITCH);
    expect_calls(&situation, ASTRIDE_STRATEGY_RECT_LOOP, &broadcast, 8);
    const astride__geometry reversed = normalise(2, 4, DIMENSIONS(8, 16), NULL, DIMENSIONS(-64, 4));
    expect_obstacle(&situation, ASTRIDE_STRATEGY_RECT, &reversed, ASTRIDE__RECT_PITCH);
    expect_calls(&situation, ASTRIDE_STRATEGY_RECT_LOOP, &reversed, 8);
}

static void kernels_of_more_than_8_dimensions_loop_over_the_shortest(void **state)
{
    (void)state;
    /* Ten dimensions that cannot merge; extents 2 and 3 are the shortest. */
    int64_t extents[10] = {4, 2, 4, 4, 4, 3, 4, 4, 4, 4}, dst[10], src[10];
    int64_t dense = 1;
    for (int d = 9; d >= 0; d--) {
        dst[d] = dense * 2;
        src[d] = dense * 3;
        dense *= extents[d] + 1;
    }
    const astride__geometry geometry = normalise(10, 1, extents, dst, src);
    assert_int_equal(geometry.rank, 10);
    const astride__situation situation = between(DEVICE, DEVICE);
    expect_calls(&situation, ASTRIDE_STRATEGY_KERNEL, &geometry, 6);
}

static void one_allocation_may_rule_rectangles_out(void **state)
{
    (void)state;
    const astride__geometry geometry =
        normalise(2, 4, DIMENSIONS(100, 1024), NULL, DIMENSIONS(8192, 4));
    astride__situation situation = between(DEVICE, DEVICE);
    situation.same_allocation = true;
    expect_calls(&situation, ASTRIDE_STRATEGY_RECT, &geometry, 1);
    device.properties.capabilities.rect_within_allocation = false;
    expect_obstacle(&situation, ASTRIDE_STRATEGY_RECT, &geometry, ASTRIDE__RECT_ONE_ALLOCATION);
    expect_choice(&situation, &geometry, ASTRIDE_STRATEGY_KERNEL, 1);
}

static bool refuse_rect(astride_backend_device *backend, const astride_rect *rect)
{
    (void)backend;
    assert_null(rect->dst.address);
    return rect->row_bytes % 4 == 0;
}

static void a_backend_can_refuse_a_rectangle(void **state)
{
    (void)state;
    const astride_plugin picky = {.name = "picky", .rect_supported = refuse_rect};
    device.plugin = &picky;
    const astride__situation situation = between(DEVICE, DEVICE);
    const astride__geometry odd = normalise(2, 1, DIMENSIONS(9, 6), NULL, DIMENSIONS(64, 1));
    expect_obstacle(&situation, ASTRIDE_STRATEGY_RECT, &odd, ASTRIDE__RECT_REFUSED);
    expect_calls(&situation, ASTRIDE_STRATEGY_RECT_LOOP, &odd, 9);
    const astride__geometry even = normalise(2, 1, DIMENSIONS(9, 8), NULL, DIMENSIONS(64, 1));
    expect_calls(&situation, ASTRIDE_STRATEGY_RECT, &even, 1);
}

static void overlap_leaves_only_staging(void **state)
{
    (void)state;
    const astride__geometry geometry =
        normalise(2, 4, DIMENSIONS(100, 64), DIMENSIONS(512, 4), DIMENSIONS(512, 4));
    astride__situation situation = between(DEVICE, DEVICE);
    situation.overlapping = true;
    for (int strategy = ASTRIDE_STRATEGY_RECT; strategy <= ASTRIDE_STRATEGY_KERNEL; strategy++)
        expect_obstacle(&situation, (astride_strategy)strategy, &geometry,
                        ASTRIDE__OVERLAP_NEEDS_TEMPORARY);
    astride__candidate candidate;
    astride__staged *staged = astride__staged_design(&situation, &geometry, &candidate);
    assert_non_null(staged);
    assert_int_equal(candidate.obstacle, ASTRIDE__POSSIBLE);
    /* All is read before anything is written: one block that holds everything. */
    assert_int_equal(astride__staged_block_count(staged), 1);
    assert_int_equal(astride__staged_temporary_bytes(staged), 100 * 256);
    assert_int_equal(astride__staged_leg_count(staged), 2);
    astride__staged_destroy(staged);
}

static void overlapping_contiguous_bytes_may_stay_linear(void **state)
{
    (void)state;
    const astride__geometry geometry = normalise(1, 1, DIMENSIONS(4096), NULL, NULL);
    astride__situation situation = between(DEVICE, DEVICE);
    situation.overlapping = true;
    expect_obstacle(&situation, ASTRIDE_STRATEGY_LINEAR, &geometry,
                    ASTRIDE__OVERLAP_NEEDS_TEMPORARY);
    device.properties.linear_overlap = true;
    expect_calls(&situation, ASTRIDE_STRATEGY_LINEAR, &geometry, 1);
}

static void kernels_reach_what_the_device_says(void **state)
{
    (void)state;
    const astride__geometry geometry =
        normalise(2, 4, DIMENSIONS(300, 500), NULL, DIMENSIONS(4, 1200));
    const astride__situation pinned = between(DEVICE, PINNED), pageable = between(DEVICE, HOST);
    expect_calls(&pinned, ASTRIDE_STRATEGY_KERNEL, &geometry, 1);
    expect_obstacle(&pageable, ASTRIDE_STRATEGY_KERNEL, &geometry, ASTRIDE__KERNEL_REACH);
    device.properties.capabilities.kernel_reaches_pinned = false;
    expect_obstacle(&pinned, ASTRIDE_STRATEGY_KERNEL, &geometry, ASTRIDE__KERNEL_REACH);
    device.properties.capabilities.kernels = false;
    expect_obstacle(&pinned, ASTRIDE_STRATEGY_KERNEL, &geometry, ASTRIDE__NO_KERNELS);
}

static void small_rows_across_a_bus_are_staged_in_chunks(void **state)
{
    (void)state;
    /* 100 000 rows of 64 bytes from pageable memory: one transfer per MiB, not one per row. */
    const astride__geometry geometry =
        normalise(2, 4, DIMENSIONS(100000, 16), NULL, DIMENSIONS(256, 4));
    const astride__situation situation = between(DEVICE, HOST);
    astride__candidate candidate;
    astride__staged *staged = astride__staged_design(&situation, &geometry, &candidate);
    assert_non_null(staged);
    /* 1 MiB holds 16 384 rows: 6 full blocks and a tail, each packed and then moved. */
    assert_int_equal(astride__staged_block_count(staged), 7);
    assert_int_equal(candidate.calls, 14);
    /* The host packs while the bus moves: three slots of a ring by turns. */
    assert_int_equal(astride__staged_temporary_bytes(staged), 3 << 20);
    assert_int_equal(staged->lane_count, 2);
    assert_int_equal(staged->linking, ASTRIDE__LINK_EVENTS);
    astride_memory_kind to;
    assert_string_equal(astride_strategy_name(astride__staged_leg(staged, 0, &to)->strategy),
                        "host");
    assert_int_equal(to, ASTRIDE_MEMORY_PINNED);
    assert_string_equal(astride_strategy_name(astride__staged_leg(staged, 1, &to)->strategy),
                        "linear");
    assert_int_equal(to, ASTRIDE_MEMORY_DEVICE);
    astride__staged_destroy(staged);

    astride__method method = {.geometry = geometry};
    const astride__candidate rect =
        astride__method_judge(&situation, ASTRIDE_STRATEGY_RECT, &method);
    assert_int_equal(rect.obstacle, ASTRIDE__POSSIBLE);
    assert_true(candidate.cost_ns < rect.cost_ns);

    /* Packing is the slower lane: all of it, and the last block's transfer behind it. */
    const double full = 5000 + 16384 * 0.3 + 1048576 / 10.0;
    const double tail = 5000 + 1696 * 0.3 + 108544 / 10.0;
    assert_float_equal((float)candidate.cost_ns, (float)(6 * full + tail + 2000 + 108544 / 20.0),
                       1);

    /* With one slot it is one lane: each block is packed, then moved. */
    device.staging_depth = 1;
    staged = astride__staged_design(&situation, &geometry, &candidate);
    device.staging_depth = 0;
    assert_non_null(staged);
    assert_int_equal(staged->lane_count, 1);
    assert_int_equal(astride__staged_temporary_bytes(staged), 1 << 20);
    assert_float_equal((float)candidate.cost_ns,
                       (float)(6 * (full + 2000 + 1048576 / 20.0) + tail + 2000 + 108544 / 20.0),
                       1);
    astride__staged_destroy(staged);
}

/* What works on one thing takes turns anyway: a second queue would gain nothing. */
static void legs_of_one_resource_stay_in_one_lane(void **state)
{
    (void)state;
    const astride__geometry geometry =
        normalise(2, 4, DIMENSIONS(100000, 16), NULL, DIMENSIONS(256, 4));
    const astride__situation situation = between(DEVICE, DEVICE);
    astride__candidate candidate;
    astride__staged *staged = astride__staged_design(&situation, &geometry, &candidate);
    assert_non_null(staged);
    assert_int_equal(astride__staged_block_count(staged), 7);
    assert_int_equal(staged->lane_count, 1);
    assert_int_equal(staged->linking, ASTRIDE__LINK_ORDER);
    astride__staged_destroy(staged);
}

/* Two devices: every leg is of one of them, pinned memory lies between, and nothing else can. */
static void two_devices_meet_in_pinned_memory(void **state)
{
    (void)state;
    static const astride_plugin other_plugin = {.name = "other"};
    astride_device other = {.plugin = &other_plugin, .spec = "other:0", .properties = accelerator};
    other.properties.pageable_copies_block = false;
    const astride__geometry geometry =
        normalise(2, 4, DIMENSIONS(300, 500), NULL, DIMENSIONS(4, 1200));
    astride__situation situation = between(DEVICE, DEVICE);
    situation.src_owner = &other;
    situation.dst_owner = &device;
    for (int strategy = ASTRIDE_STRATEGY_LINEAR; strategy <= ASTRIDE_STRATEGY_HOST; strategy++) {
        if (strategy != ASTRIDE_STRATEGY_STAGED)
            expect_obstacle(&situation, (astride_strategy)strategy, &geometry,
                            ASTRIDE__TWO_DEVICES);
    }
    astride__candidate candidate;
    astride__staged *staged = astride__staged_design(&situation, &geometry, &candidate);
    assert_non_null(staged);
    assert_int_equal(staged->lane_count, 2);
    /* Pinned for the device whose copies would block otherwise; plain memory to the other one. */
    const astride__temporary *ring = astride__staged_ring(staged);
    assert_ptr_equal(ring->device, &device);
    assert_int_equal(ring->kind, ASTRIDE_MEMORY_PINNED);
    astride_memory_kind dst, src;
    const int32_t last_of_first = staged->lanes[0].end - 1;
    astride__staged_leg_kinds(staged, last_of_first, &dst, &src);
    assert_ptr_equal(astride__staged_leg_device(staged, last_of_first), &other);
    assert_int_equal(dst, ASTRIDE_MEMORY_HOST);
    astride__staged_leg_kinds(staged, last_of_first + 1, &dst, &src);
    assert_ptr_equal(astride__staged_leg_device(staged, last_of_first + 1), &device);
    assert_int_equal(src, ASTRIDE_MEMORY_PINNED);
    /* Without host calls there is only waiting. */
    assert_int_equal(staged->linking, ASTRIDE__LINK_WAIT);
    astride__staged_destroy(staged);
}

static astride_status no_host_call(astride_backend_queue *queue, void (*function)(void *argument),
                                   void *argument)
{
    (void)queue;
    (void)function;
    (void)argument;
    return ASTRIDE_UNSUPPORTED;
}

static void linking_is_as_the_backends_allow(void **state)
{
    static const astride_plugin calling = {.name = "calling", .host_call = no_host_call};
    static const astride_plugin silent = {.name = "silent"};
    astride_device first = {.plugin = &calling, .properties = accelerator};
    astride_device second = first;
    astride_device other = {.plugin = &silent, .properties = accelerator};
    (void)state;
    /* Of one backend: events, if it has such, else host calls that may wait, else waiting. */
    assert_int_equal(astride__linking_between(&first, &first, &second), ASTRIDE__LINK_WAIT);
    first.properties.host_calls_may_wait = true;
    assert_int_equal(astride__linking_between(&first, &first, &second), ASTRIDE__LINK_THREAD);
    first.properties.events_for_all = true;
    assert_int_equal(astride__linking_between(&first, &first, &second), ASTRIDE__LINK_THREAD);
    second.properties.events_for_all = true;
    assert_int_equal(astride__linking_between(&first, &first, &second), ASTRIDE__LINK_EVENTS);
    /* Of two: host calls of the queue's device, if it has such. */
    first.properties.host_calls_may_wait = false;
    assert_int_equal(astride__linking_between(&first, &first, &other), ASTRIDE__LINK_THREAD);
    assert_int_equal(astride__linking_between(&other, &first, &other), ASTRIDE__LINK_WAIT);
    other.properties.capabilities.asynchronous = false;
    assert_int_equal(astride__linking_between(&first, &first, &other), ASTRIDE__LINK_WAIT);
}

static void a_long_unit_is_cut_into_blocks(void **state)
{
    (void)state;
    const astride__geometry geometry = normalise(1, 1, DIMENSIONS((5 << 20) + 7), NULL, NULL);
    const astride__situation situation = between(DEVICE, DEVICE);
    astride__candidate candidate;
    astride__staged *staged = astride__staged_design(&situation, &geometry, &candidate);
    assert_non_null(staged);
    assert_int_equal(astride__staged_block_count(staged), 6);
    assert_int_equal(astride__staged_temporary_bytes(staged), 1 << 20);
    astride__staged_destroy(staged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(contiguous_is_one_linear_call, use_accelerator),
        cmocka_unit_test_setup(wide_rows_are_one_rectangle, use_accelerator),
        cmocka_unit_test_setup(subview_5d_contiguous_in_its_inner_three_is_one_rectangle,
                               use_accelerator),
        cmocka_unit_test_setup(slice_pitch_that_is_no_multiple_loops_over_slices, use_accelerator),
        cmocka_unit_test_setup(pitch_above_the_maximum_is_no_rectangle, use_accelerator),
        cmocka_unit_test_setup(further_dimensions_loop_around_the_largest_rectangle,
                               use_accelerator),
        cmocka_unit_test_setup(transpose_needs_a_kernel_or_a_loop, use_accelerator),
        cmocka_unit_test_setup(zero_and_negative_strides_never_reach_a_rectangle, use_accelerator),
        cmocka_unit_test_setup(kernels_of_more_than_8_dimensions_loop_over_the_shortest,
                               use_accelerator),
        cmocka_unit_test_setup(one_allocation_may_rule_rectangles_out, use_accelerator),
        cmocka_unit_test_setup(a_backend_can_refuse_a_rectangle, use_accelerator),
        cmocka_unit_test_setup(overlap_leaves_only_staging, use_accelerator),
        cmocka_unit_test_setup(overlapping_contiguous_bytes_may_stay_linear, use_accelerator),
        cmocka_unit_test_setup(kernels_reach_what_the_device_says, use_accelerator),
        cmocka_unit_test_setup(small_rows_across_a_bus_are_staged_in_chunks, use_accelerator),
        cmocka_unit_test_setup(legs_of_one_resource_stay_in_one_lane, use_accelerator),
        cmocka_unit_test_setup(two_devices_meet_in_pinned_memory, use_accelerator),
        cmocka_unit_test_setup(linking_is_as_the_backends_allow, use_accelerator),
        cmocka_unit_test_setup(a_long_unit_is_cut_into_blocks, use_accelerator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
