/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Every call of the driver fails in turn, in what a program does with a device, until all of it
 * succeeds: the error names call and code, nothing is leaked, and the same works right after.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/simulated/faults.h"
#include "tests/simulated/simulated.h"
#include "tests/support/fixture.h"

/* Not the one of the fixture. */
static astride_status open_second(astride_device **device_out)
{
    char spec[32];
    snprintf(spec, sizeof spec, "%s:1", simulated_the_vendor.backend);
    return astride_device_open(spec, device_out);
}

static astride_status open_and_close(void *argument)
{
    astride_device *device = NULL;
    (void)argument;
    const astride_status status = open_second(&device);
    if (status == ASTRIDE_OK)
        astride_device_close(device);
    return status;
}

static void opening_and_closing(void **state)
{
    (void)state;
    assert_in_range(faults_fail_each(open_and_close, NULL, ""), 10, 200);
}

typedef struct allocation_case {
    astride_device *device;
    astride_memory_kind kind;
} allocation_case;

static astride_status allocate_and_free(void *argument)
{
    const allocation_case *c = argument;
    void *address = NULL;
    astride_status status = astride_memory_alloc(c->device, 1000, c->kind, &address);
    if (status == ASTRIDE_OK)
        status = astride_memory_free(c->device, address);
    return status;
}

static void allocating_and_freeing(void **state)
{
    static const astride_memory_kind kinds[] = {ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED,
                                                ASTRIDE_MEMORY_SHARED};
    const test_fixture *fixture = *state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        allocation_case c = {fixture->device, kinds[i]};
        assert_int_equal(faults_fail_each(allocate_and_free, &c, ""),
                         simulated_the_vendor.calls_to_allocate_and_free);
    }
}

static astride_status register_and_unregister(void *argument)
{
    astride_device *device = argument;
    char *bytes = malloc(100000);
    assert_non_null(bytes);
    astride_status status = astride_memory_register(device, bytes, 100000);
    if (status == ASTRIDE_OK)
        status = astride_memory_unregister(device, bytes);
    free(bytes);
    return status;
}

static void registering(void **state)
{
    const test_fixture *fixture = *state;
    assert_in_range(faults_fail_each(register_and_unregister, fixture->device, ""), 4, 7);
}

static astride_status use_queues_and_events(void *argument)
{
    astride_device *device = argument;
    astride_queue *first = NULL, *second = NULL;
    astride_event *event = NULL;
    astride_status status = astride_queue_create(device, &first);
    if (status == ASTRIDE_OK)
        status = astride_queue_create(device, &second);
    if (status == ASTRIDE_OK)
        status = astride_event_create(device, &event);
    if (status == ASTRIDE_OK)
        status = astride_event_record(event, first);
    if (status == ASTRIDE_OK)
        status = astride_queue_wait_event(second, event);
    if (status == ASTRIDE_OK)
        status = astride_event_wait(event);
    if (status == ASTRIDE_OK)
        status = astride_event_query(event);
    if (status == ASTRIDE_OK)
        status = astride_queue_wait(second);
    if (status == ASTRIDE_OK)
        status = astride_queue_query(second);
    astride_event_destroy(event);
    /* What waits while it destroys has nobody to tell. */
    astride_queue_destroy(second);
    astride_queue_destroy(first);
    return status;
}

static void queues_and_events(void **state)
{
    const test_fixture *fixture = *state;
    (void)use_queues_and_events(fixture->device);
    /* Destroying a queue waits for it and has nobody to tell when that fails. */
    assert_in_range(
        faults_fail_each(use_queues_and_events, fixture->device, simulated_the_vendor.stream_wait),
        30, 60);
}

typedef struct copy_case {
    const test_fixture *fixture;
    astride_strategy strategy;
    simulated_copy *copy;
} copy_case;

/* The plan and its temporaries are made and freed each time. */
static astride_status plan_and_copy(void *argument)
{
    const copy_case *c = argument;
    const astride_plan_options options = {.struct_size = sizeof options, .strategy = c->strategy};
    astride_plan *plan = NULL;
    astride_status status =
        astride_plan_create_with(c->fixture->device, &c->copy->desc, &options, &plan);
    if (status == ASTRIDE_OK)
        status = astride_plan_run(plan, c->fixture->queue, c->copy->dst, c->copy->src);
    const astride_status waited =
        status == ASTRIDE_OK ? astride_queue_wait(c->fixture->queue) : status;
    if (waited == ASTRIDE_OK)
        simulated_compare(c->copy);
    astride_plan_destroy(plan);
    return waited;
}

static void copying(void **state)
{
    static const struct {
        astride_strategy strategy;
        int64_t pitch; /* of the source's rows of 4 units; of its columns where it is 0 */
        astride_memory_kind dst, src;
    } cases[] = {
        {ASTRIDE_STRATEGY_LINEAR, 32, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED},
        {ASTRIDE_STRATEGY_LINEAR, 32, ASTRIDE_MEMORY_HOST, ASTRIDE_MEMORY_DEVICE},
        {ASTRIDE_STRATEGY_RECT, 48, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED},
        {ASTRIDE_STRATEGY_RECT, 48, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_DEVICE},
        {ASTRIDE_STRATEGY_RECT_LOOP, 0, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_HOST},
        {ASTRIDE_STRATEGY_KERNEL, 0, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_DEVICE},
        {ASTRIDE_STRATEGY_STAGED, 0, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_HOST},
        {ASTRIDE_STRATEGY_STAGED, 48, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_DEVICE},
        {ASTRIDE_STRATEGY_HOST, 48, ASTRIDE_MEMORY_PINNED, ASTRIDE_MEMORY_HOST},
    };
    const test_fixture *fixture = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int64_t pitch = cases[i].pitch;
        const simulated_layout layout = {
            .rank = 2,
            .element_bytes = 8,
            .extents = {6, 4},
            .dst_strides = {32, 8},
            .src_strides = {pitch != 0 ? pitch : 8, pitch != 0 ? 8 : 48}};
        simulated_copy copy;
        copy_case c = {fixture, cases[i].strategy, &copy};
        simulated_prepare(&layout, fixture->device, cases[i].dst, fixture->device, cases[i].src,
                          &copy);
        /* A staged copy that cannot record its event waits instead, and destroying its plan waits
           and has nobody to tell. */
        assert_in_range(faults_fail_each(plan_and_copy, &c, simulated_the_vendor.event_calls), 4,
                        100);
        simulated_discard(&copy);
    }
}

/* A lost device says so to every call, and closing it leaves nothing behind. */
static void lost_device_can_be_closed(void **state)
{
    astride_sim_alive before, after;
    astride_device *device = NULL;
    astride_queue *queue = NULL;
    void *address = NULL;
    (void)state;
    sim->reset();
    sim->alive(&before);
    assert_int_equal(open_second(&device), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(device, &queue), ASTRIDE_OK);
    assert_int_equal(astride_memory_alloc(device, 64, ASTRIDE_MEMORY_DEVICE, &address), ASTRIDE_OK);
    sim->lose_device(1, 719);
    assert_int_equal(astride_queue_wait(queue), ASTRIDE_DEVICE_LOST);
    assert_non_null(strstr(astride_last_error(), simulated_the_vendor.lost_text));
    astride_queue_destroy(queue);
    (void)astride_memory_free(device, address);
    astride_device_close(device);
    sim->alive(&after);
    assert_int_equal(after.context_depth, before.context_depth);
    assert_int_equal(after.contexts, before.contexts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opening_and_closing),
        cmocka_unit_test(allocating_and_freeing),
        cmocka_unit_test(registering),
        cmocka_unit_test(queues_and_events),
        cmocka_unit_test(copying),
        cmocka_unit_test(lost_device_can_be_closed),
    };
    simulated_select();
    return cmocka_run_group_tests(tests, simulated_setup, simulated_teardown);
}
