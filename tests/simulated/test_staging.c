/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Staging by a ring, by the time stamps of the simulated driver: packing by the host and transfers
 * across the bus overlap in both directions, no more chunks are under way than the ring has slots,
 * the queue's order holds around the copy, and a failure in the middle is clean.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/simulated/simulated.h"
#include "tests/support/fixture.h"

enum { CHUNKS = 16, CHUNK_BYTES = 64 << 10, DEPTH = 3, ROW_BYTES = 16 };

/* Rows of 16 of 64 bytes in pageable memory, dense on the device: so small that packing pays. */
static simulated_layout rows(bool dense_dst)
{
    const int64_t dense[2] = {ROW_BYTES, 1}, apart[2] = {64, 1};
    simulated_layout layout = {
        .rank = 2, .element_bytes = 1, .extents = {CHUNKS * CHUNK_BYTES / ROW_BYTES, ROW_BYTES}};
    memcpy(layout.dst_strides, dense_dst ? dense : apart, sizeof dense);
    memcpy(layout.src_strides, dense_dst ? apart : dense, sizeof dense);
    return layout;
}

/* Chunk by chunk, when the first and the second lane had it. */
typedef struct schedule {
    astride_sim_task first[CHUNKS], second[CHUNKS];
} schedule;

/* The copies and functions since the last reset, by name, in the order of the calls. */
static int collect(const char *name, astride_sim_task *tasks)
{
    int count = 0;
    astride_sim_task task;
    for (uint64_t i = 0; sim->task(i, &task); i++) {
        if (strcmp(task.name, name) != 0)
            continue;
        assert_in_range(count, 0, CHUNKS - 1);
        tasks[count++] = task;
    }
    return count;
}

static void check_overlap(const schedule *when)
{
    for (int k = 0; k < CHUNKS; k++) {
        assert_true(when->first[k].end_ns > when->first[k].begin_ns);
        /* No chunk is taken on before it is there. */
        assert_true(when->second[k].begin_ns >= when->first[k].end_ns);
        if (k + 1 < CHUNKS && when->first[k + 1].begin_ns >= when->second[k].end_ns)
            fail_msg("chunk %d begins only when chunk %d has left", k + 1, k);
        /* Nor does one take a slot before the chunk before it has left that. */
        if (k >= DEPTH && when->first[k].begin_ns < when->second[k - DEPTH].end_ns)
            fail_msg("chunk %d begins before chunk %d has left their slot", k, k - DEPTH);
    }
}

/* Copies once and says when each chunk was where. */
static void copy_staged(const test_fixture *fixture, astride_memory_kind dst,
                        astride_memory_kind src, const char *first, const char *second)
{
    const bool to_device = dst == ASTRIDE_MEMORY_DEVICE;
    const simulated_layout layout = rows(to_device);
    astride_plan_info info = {.struct_size = sizeof info};
    astride_plan *plan = NULL;
    astride_sim_alive before, planned;
    simulated_copy copy;
    schedule when;
    simulated_prepare(&layout, fixture->device, dst, fixture->device, src, &copy);
    sim->alive(&before);
    if (astride_plan_create(fixture->device, &copy.desc, &plan) != ASTRIDE_OK)
        fail_msg("%s", astride_last_error());
    sim->alive(&planned);
    assert_int_equal(astride_plan_get_info(plan, &info), ASTRIDE_OK);
    assert_int_equal(info.strategy, ASTRIDE_STRATEGY_STAGED);
    assert_int_equal(info.temporary_bytes, DEPTH * CHUNK_BYTES);
    assert_false(info.blocks);
    assert_int_equal(planned.pinned - before.pinned, 1);
    assert_int_equal(planned.device - before.device, 0);

    sim->reset();
    if (astride_plan_run(plan, fixture->queue, copy.dst, copy.src) != ASTRIDE_OK)
        fail_msg("%s", astride_last_error());
    assert_int_equal(simulated_waits(), 0);
    assert_int_equal(sim->count(simulated_the_vendor.pinned_alloc) +
                         sim->count(simulated_the_vendor.event_create),
                     0);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    simulated_compare(&copy);
    assert_int_equal(collect(first, when.first), CHUNKS);
    assert_int_equal(collect(second, when.second), CHUNKS);
    check_overlap(&when);
    simulated_check_rules();

    astride_plan_destroy(plan);
    astride_sim_alive after;
    sim->alive(&after);
    assert_memory_equal(&before, &after, sizeof after);
    simulated_discard(&copy);
}

static void packing_overlaps_transfers_to_the_device(void **state)
{
    copy_staged(*state, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_HOST, "function", "host to device");
}

static void transfers_from_the_device_overlap_unpacking(void **state)
{
    copy_staged(*state, ASTRIDE_MEMORY_HOST, ASTRIDE_MEMORY_DEVICE, "device to host", "function");
}

/* Behind a fill of its source and ahead of one of its destination: both in the user's queue. */
static void fill_bytes(astride_queue *queue, void *address, size_t bytes, unsigned char value)
{
    const int64_t extent = (int64_t)bytes;
    const astride_fill_desc desc = {.struct_size = sizeof desc,
                                    .rank = 1,
                                    .element_bytes = 1,
                                    .extents = &extent,
                                    .dst = {address, NULL},
                                    .pattern = &value};
    assert_int_equal(astride_fill(queue, &desc), ASTRIDE_OK);
}

static void queue_keeps_its_order_around_a_ring(void **state)
{
    const test_fixture *fixture = *state;
    const simulated_layout layout = rows(false);
    simulated_copy copy;
    simulated_prepare(&layout, fixture->device, ASTRIDE_MEMORY_HOST, fixture->device,
                      ASTRIDE_MEMORY_DEVICE, &copy);
    fill_bytes(fixture->queue, copy.src, copy.src_bytes, 0x11);
    assert_int_equal(astride_copy(fixture->queue, &copy.desc), ASTRIDE_OK);
    fill_bytes(fixture->queue, copy.src, copy.src_bytes, 0x22);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    const unsigned char *dst = copy.dst;
    for (size_t i = 0; i < copy.dst_bytes; i++)
        assert_int_equal(dst[i], i % 64 < ROW_BYTES ? 0x11 : 0xee);
    simulated_discard(&copy);
}

/* A transfer in the middle fails: the error names it, and plan and queue go on. */
static void failure_in_the_middle_leaves_nothing_behind(void **state)
{
    const test_fixture *fixture = *state;
    const simulated_layout layout = rows(true);
    astride_plan *plan = NULL;
    astride_sim_alive before, after;
    simulated_copy copy;
    simulated_prepare(&layout, fixture->device, ASTRIDE_MEMORY_DEVICE, fixture->device,
                      ASTRIDE_MEMORY_HOST, &copy);
    sim->alive(&before);
    assert_int_equal(astride_plan_create(fixture->device, &copy.desc, &plan), ASTRIDE_OK);
    sim->reset();
    sim->fail_call(simulated_the_vendor.to_device, CHUNKS / 2, 999);
    assert_int_equal(astride_plan_run(plan, fixture->queue, copy.dst, copy.src),
                     ASTRIDE_DRIVER_ERROR);
    assert_non_null(strstr(astride_last_error(), simulated_the_vendor.to_device));
    assert_non_null(strstr(astride_last_error(), simulated_the_vendor.failure_text));
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    /* Half of the transfers were enqueued, and what was packed for the failed one is given up. */
    assert_int_equal(sim->count(simulated_the_vendor.to_device), CHUNKS / 2);
    assert_int_equal(astride_plan_run(plan, fixture->queue, copy.dst, copy.src), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    simulated_compare(&copy);
    simulated_check_rules();
    astride_plan_destroy(plan);
    sim->alive(&after);
    assert_memory_equal(&before, &after, sizeof after);
    simulated_discard(&copy);
}

static void description_names_the_ring(void **state)
{
    const test_fixture *fixture = *state;
    const simulated_layout layout = rows(true);
    char text[4096], route[128];
    astride_plan *plan = NULL;
    simulated_copy copy;
    simulated_prepare(&layout, fixture->device, ASTRIDE_MEMORY_DEVICE, fixture->device,
                      ASTRIDE_MEMORY_HOST, &copy);
    assert_int_equal(astride_plan_create(fixture->device, &copy.desc, &plan), ASTRIDE_OK);
    assert_int_equal(astride_plan_describe(plan, ASTRIDE_PLAN_TEXT, text, sizeof text, NULL),
                     ASTRIDE_OK);
    snprintf(route, sizeof route,
             "pipelined through pinned host memory of %s:0, 3 slots of 65536 "
             "bytes in turn",
             simulated_the_vendor.backend);
    assert_non_null(strstr(text, "\n  route       "));
    assert_non_null(strstr(text, route));
    assert_non_null(strstr(text, "leg 1: host to pinned memory by host"));
    assert_non_null(strstr(text, "leg 2: pinned to device memory by linear"));
    assert_int_equal(astride_plan_describe(plan, ASTRIDE_PLAN_JSON, text, sizeof text, NULL),
                     ASTRIDE_OK);
    assert_non_null(strstr(text, "\"route\": \""));
    assert_non_null(strstr(text, route));
    astride_plan_destroy(plan);
    simulated_discard(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packing_overlaps_transfers_to_the_device),
        cmocka_unit_test(transfers_from_the_device_overlap_unpacking),
        cmocka_unit_test(queue_keeps_its_order_around_a_ring),
        cmocka_unit_test(failure_in_the_middle_leaves_nothing_behind),
        cmocka_unit_test(description_names_the_ring),
    };
    setenv("ASTRIDE_STAGING_BYTES", "65536", 1);
    setenv("ASTRIDE_STAGING_DEPTH", "3", 1);
    simulated_select();
    /* So long that it does not matter when a thread wakes up. */
    sim->set("SLOW", "20000");
    sim->set("DELAY", "0");
    return cmocka_run_group_tests(tests, simulated_setup, simulated_teardown);
}
