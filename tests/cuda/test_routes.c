/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copies that the queue's device cannot do alone: what plans say of them, which bases they take,
 * what is refused and when, that they go on while the caller does, and that a device can be closed
 * although others have copied from and to its memory. The driver of this program has no functions
 * for copies between devices.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "tests/simulated/simulated.h"
#include "tests/support/fixture.h"

/* cuda:0 with a queue is the fixture; these are cuda:1 and the host. */
typedef struct others {
    const test_fixture *fixture;
    astride_device *device, *host;
    astride_queue *queue, *host_queue;
} others;

static const simulated_layout transposed = {.rank = 2,
                                            .element_bytes = 4,
                                            .extents = {40, 50},
                                            .dst_strides = {200, 4},
                                            .src_strides = {4, 160}};

static others open_others(void **state)
{
    others o = {.fixture = *state};
    assert_int_equal(astride_device_open("cuda:1", &o.device), ASTRIDE_OK);
    assert_int_equal(astride_device_open("host", &o.host), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(o.device, &o.queue), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(o.host, &o.host_queue), ASTRIDE_OK);
    return o;
}

static void close_others(const others *o)
{
    simulated_check_rules();
    astride_queue_destroy(o->host_queue);
    astride_queue_destroy(o->queue);
    astride_device_close(o->host);
    astride_device_close(o->device);
}

static void describe(const astride_plan *plan, astride_plan_format format, char *text, size_t bytes)
{
    assert_int_equal(astride_plan_describe(plan, format, text, bytes, NULL), ASTRIDE_OK);
}

static void expect_words(const char *text, const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("\"%s\" is not in:\n%s", words, text);
}

static void route_is_described(void **state)
{
    const others o = open_others(state);
    char text[8192];
    astride_plan_info info = {.struct_size = sizeof info};
    astride_plan *plan = NULL;
    simulated_copy copy;
    simulated_prepare(&transposed, o.device, ASTRIDE_MEMORY_DEVICE, o.fixture->device,
                      ASTRIDE_MEMORY_DEVICE, &copy);
    assert_int_equal(astride_plan_create(o.device, &copy.desc, &plan), ASTRIDE_OK);
    describe(plan, ASTRIDE_PLAN_TEXT, text, sizeof text);
    expect_words(text, "staged, 4 blocks, 8 calls, because cuda:0 and cuda:1 do not reach each "
                       "other's memory\n");
    expect_words(text, "\n  route       packed through pinned host memory of cuda:0, 2 slots of "
                       "2048 bytes in turn, because there is no peer access between cuda:0 and "
                       "cuda:1\n");
    expect_words(text, "leg 1: device to pinned memory on cuda:0 by kernel");
    expect_words(text, "leg 2: pinned to device memory on cuda:1 by ");
    expect_words(text, "\n  kernel      no: the two sides are memory of two devices that do not "
                       "reach each other's\n");
    describe(plan, ASTRIDE_PLAN_JSON, text, sizeof text);
    expect_words(text, "\"route\": \"packed through pinned host memory of cuda:0, 2 slots of 2048 "
                       "bytes in turn, because there is no peer access between cuda:0 and "
                       "cuda:1\"");
    assert_int_equal(astride_plan_get_info(plan, &info), ASTRIDE_OK);
    assert_int_equal(info.strategy, ASTRIDE_STRATEGY_STAGED);
    assert_int_equal(info.temporary_bytes, 2 * 2048);
    assert_false(info.blocks);
    astride_plan_destroy(plan);

    assert_int_equal(astride_plan_create(o.host, &copy.desc, &plan), ASTRIDE_OK);
    assert_int_equal(astride_plan_get_info(plan, &info), ASTRIDE_OK);
    assert_false(info.blocks);
    astride_plan_destroy(plan);
    simulated_discard(&copy);

    simulated_prepare(&transposed, o.device, ASTRIDE_MEMORY_DEVICE, o.device, ASTRIDE_MEMORY_DEVICE,
                      &copy);
    assert_int_equal(astride_plan_create(o.host, &copy.desc, &plan), ASTRIDE_OK);
    describe(plan, ASTRIDE_PLAN_TEXT, text, sizeof text);
    expect_words(text,
                 "kernel 2-D, units of 4 bytes, 1 call, because it is the cheapest on cuda:1");
    expect_words(text, "\n  route       carried out by cuda:1, which reaches both sides\n");
    astride_plan_destroy(plan);
    simulated_discard(&copy);
    close_others(&o);
}

static void other_places_are_a_mismatch(void **state)
{
    const others o = open_others(state);
    astride_plan *plan = NULL;
    simulated_copy there, back;
    simulated_prepare(&transposed, o.device, ASTRIDE_MEMORY_DEVICE, o.fixture->device,
                      ASTRIDE_MEMORY_DEVICE, &there);
    simulated_prepare(&transposed, o.fixture->device, ASTRIDE_MEMORY_DEVICE, o.device,
                      ASTRIDE_MEMORY_DEVICE, &back);
    assert_int_equal(astride_plan_create(o.device, &there.desc, &plan), ASTRIDE_OK);
    assert_int_equal(astride_plan_run(plan, o.queue, back.dst, back.src), ASTRIDE_PLAN_MISMATCH);
    expect_words(astride_last_error(), "dst: planned for memory of cuda:1, ");
    expect_words(astride_last_error(), " is memory of cuda:0");
    assert_int_equal(astride_plan_run(plan, o.queue, there.dst, back.src), ASTRIDE_PLAN_MISMATCH);
    expect_words(astride_last_error(), "src: planned for memory of cuda:0, ");
    assert_int_equal(astride_plan_run(plan, o.fixture->queue, there.dst, there.src),
                     ASTRIDE_INVALID_ARGUMENT);
    expect_words(astride_last_error(), "the plan is of cuda:1, the queue of cuda:0");
    assert_int_equal(astride_plan_run(plan, o.queue, there.dst, there.src), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(o.queue), ASTRIDE_OK);
    simulated_compare(&there);
    astride_plan_destroy(plan);

    /* A plan of one device takes no memory that this does not reach. */
    simulated_copy local;
    simulated_prepare(&transposed, o.device, ASTRIDE_MEMORY_DEVICE, o.device, ASTRIDE_MEMORY_DEVICE,
                      &local);
    assert_int_equal(astride_plan_create(o.device, &local.desc, &plan), ASTRIDE_OK);
    assert_int_equal(astride_plan_run(plan, o.queue, local.dst, there.src), ASTRIDE_PLAN_MISMATCH);
    expect_words(astride_last_error(), "src: planned for memory that cuda:1 reaches, ");
    astride_plan_destroy(plan);
    simulated_discard(&local);
    simulated_discard(&there);
    simulated_discard(&back);
    close_others(&o);
}

static void what_cannot_be_is_refused_before_any_byte_moves(void **state)
{
    const others o = open_others(state);
    const astride_plan_options rect = {.struct_size = sizeof rect,
                                       .strategy = ASTRIDE_STRATEGY_RECT};
    astride_plan *plan = NULL;
    simulated_copy copy;
    simulated_prepare(&transposed, o.device, ASTRIDE_MEMORY_DEVICE, o.fixture->device,
                      ASTRIDE_MEMORY_DEVICE, &copy);
    sim->reset();
    assert_int_equal(astride_plan_create_with(o.device, &copy.desc, &rect, &plan),
                     ASTRIDE_UNSUPPORTED);
    expect_words(astride_last_error(),
                 "strategy rect, which is forced, cannot carry out this copy: "
                 "the two sides are memory of two devices");
    /* One element too far on either side. */
    astride_copy_desc desc = copy.desc;
    desc.src.base = (char *)copy.src + 4;
    assert_int_equal(astride_copy(o.queue, &desc), ASTRIDE_OUT_OF_BOUNDS);
    expect_words(astride_last_error(), "src: bytes ");
    expect_words(astride_last_error(), " leave the allocation of 8000 bytes at ");
    expect_words(astride_last_error(), " on cuda:0");
    desc.src.base = copy.src;
    desc.dst.base = (char *)copy.dst + 4;
    assert_int_equal(astride_copy(o.fixture->queue, &desc), ASTRIDE_OUT_OF_BOUNDS);
    expect_words(astride_last_error(), "dst: bytes ");
    expect_words(astride_last_error(), " on cuda:1");
    const int64_t extent = 100;
    const uint32_t pattern = 1;
    const astride_fill_desc fill = {.struct_size = sizeof fill,
                                    .rank = 1,
                                    .element_bytes = 4,
                                    .extents = &extent,
                                    .dst = {copy.dst, NULL},
                                    .pattern = &pattern};
    assert_int_equal(astride_fill(o.fixture->queue, &fill), ASTRIDE_UNSUPPORTED);
    expect_words(astride_last_error(), "is memory of cuda:1, which a fill on cuda:0 cannot reach");
    assert_int_equal(simulated_work(), 0);
    simulated_discard(&copy);
    close_others(&o);
}

/* In a queue of either device or of the host: the caller goes on, and the queue keeps its order. */
static void routes_go_on_while_the_caller_does(void **state)
{
    const others o = open_others(state);
    astride_queue *const queues[] = {o.queue, o.fixture->queue, o.host_queue};
    for (size_t i = 0; i < sizeof queues / sizeof queues[0]; i++) {
        simulated_copy there, back;
        simulated_prepare(&transposed, o.device, ASTRIDE_MEMORY_DEVICE, o.fixture->device,
                          ASTRIDE_MEMORY_DEVICE, &there);
        simulated_prepare(&transposed, o.fixture->device, ASTRIDE_MEMORY_DEVICE, o.device,
                          ASTRIDE_MEMORY_DEVICE, &back);
        /* The second copy reads what the first one writes. */
        const astride_copy_desc dense = {.struct_size = sizeof dense,
                                         .rank = 1,
                                         .element_bytes = 1,
                                         .extents = (const int64_t[]){8000},
                                         .dst = {back.dst, NULL},
                                         .src = {there.dst, NULL}};
        sim->set("SLOW", "2000");
        assert_int_equal(astride_copy(queues[i], &there.desc), ASTRIDE_OK);
        assert_int_equal(astride_copy(queues[i], &dense), ASTRIDE_OK);
        assert_int_equal(astride_queue_query(queues[i]), ASTRIDE_NOT_READY);
        assert_int_equal(astride_queue_wait(queues[i]), ASTRIDE_OK);
        sim->set("SLOW", "0");
        simulated_compare(&there);
        assert_memory_equal(sim->view(back.dst, 8000), there.expected, 8000);
        simulated_discard(&there);
        simulated_discard(&back);
    }
    close_others(&o);
}

static void failure_behind_the_caller_is_told_by_the_wait(void **state)
{
    const others o = open_others(state);
    simulated_copy copy;
    simulated_prepare(&transposed, o.device, ASTRIDE_MEMORY_DEVICE, o.fixture->device,
                      ASTRIDE_MEMORY_DEVICE, &copy);
    assert_int_equal(astride_copy(o.host_queue, &copy.desc), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(o.host_queue), ASTRIDE_OK);
    sim->fail_call("cuMemcpyHtoDAsync", 2, 999);
    assert_int_equal(astride_copy(o.host_queue, &copy.desc), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(o.host_queue), ASTRIDE_DRIVER_ERROR);
    expect_words(astride_last_error(), "cuMemcpyHtoDAsync: CUDA_ERROR_UNKNOWN (999)");
    /* Once. */
    assert_int_equal(astride_queue_wait(o.host_queue), ASTRIDE_OK);
    assert_int_equal(astride_copy(o.host_queue, &copy.desc), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(o.host_queue), ASTRIDE_OK);
    simulated_compare(&copy);
    simulated_discard(&copy);
    close_others(&o);
}

/* Plans of other devices' caches hold queues, events and memory of the device. */
static void device_is_closed_although_others_have_plans_with_it(void **state)
{
    const test_fixture *fixture = *state;
    astride_sim_alive before, after;
    sim->alive(&before);
    for (int i = 0; i < 2; i++) {
        others o = open_others(state);
        simulated_copy between, remote;
        simulated_prepare(&transposed, o.device, ASTRIDE_MEMORY_DEVICE, fixture->device,
                          ASTRIDE_MEMORY_DEVICE, &between);
        simulated_prepare(&transposed, o.device, ASTRIDE_MEMORY_DEVICE, o.device,
                          ASTRIDE_MEMORY_DEVICE, &remote);
        assert_int_equal(astride_copy(fixture->queue, &between.desc), ASTRIDE_OK);
        assert_int_equal(astride_copy(fixture->queue, &remote.desc), ASTRIDE_OK);
        assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
        simulated_compare(&between);
        simulated_compare(&remote);
        simulated_discard(&remote);
        simulated_discard(&between);
        close_others(&o);
        sim->alive(&after);
        assert_memory_equal(&before, &after, sizeof after);
    }
}

enum { THREADS = 2, RUNS = 20 };

typedef struct worker {
    pthread_t thread;
    astride_plan *plan;
    astride_queue *queue;
    simulated_copy copy;
    const char *failure;
} worker;

static void *run_again_and_again(void *argument)
{
    worker *w = argument;
    for (int i = 0; i < RUNS && w->failure == NULL; i++)
        if (astride_plan_run(w->plan, w->queue, w->copy.dst, w->copy.src) != ASTRIDE_OK)
            w->failure = "astride_plan_run";
    if (astride_queue_wait(w->queue) != ASTRIDE_OK)
        w->failure = "astride_queue_wait";
    return NULL;
}

/* One plan, two threads, a queue and memory each. */
static void plan_of_a_route_runs_in_two_queues(void **state)
{
    const others o = open_others(state);
    for (int on_host = 0; on_host < 2; on_host++) {
        astride_device *device = on_host ? o.host : o.device;
        worker workers[THREADS] = {{.plan = NULL}};
        astride_plan *plan = NULL;
        for (int i = 0; i < THREADS; i++) {
            simulated_prepare(&transposed, o.device, ASTRIDE_MEMORY_DEVICE, o.fixture->device,
                              ASTRIDE_MEMORY_DEVICE, &workers[i].copy);
            assert_int_equal(astride_queue_create(device, &workers[i].queue), ASTRIDE_OK);
        }
        assert_int_equal(astride_plan_create(device, &workers[0].copy.desc, &plan), ASTRIDE_OK);
        for (int i = 0; i < THREADS; i++) {
            workers[i].plan = plan;
            assert_int_equal(
                pthread_create(&workers[i].thread, NULL, run_again_and_again, &workers[i]), 0);
        }
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        astride_plan_destroy(plan);
        for (int i = 0; i < THREADS; i++) {
            assert_null(workers[i].failure);
            simulated_compare(&workers[i].copy);
            astride_queue_destroy(workers[i].queue);
            simulated_discard(&workers[i].copy);
        }
    }
    close_others(&o);
}

/* Work of a lost device never comes: closing does not wait for it. */
static void lost_device_ends_a_route(void **state)
{
    const others o = open_others(state);
    simulated_copy copy;
    simulated_prepare(&transposed, o.device, ASTRIDE_MEMORY_DEVICE, o.device, ASTRIDE_MEMORY_DEVICE,
                      &copy);
    assert_int_equal(astride_copy(o.host_queue, &copy.desc), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(o.host_queue), ASTRIDE_OK);
    sim->lose_device(1, 719);
    assert_int_equal(astride_copy(o.host_queue, &copy.desc), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(o.host_queue), ASTRIDE_DEVICE_LOST);
    expect_words(astride_last_error(), "CUDA_ERROR_LAUNCH_FAILED (719)");
    simulated_discard(&copy);
    astride_queue_destroy(o.host_queue);
    astride_queue_destroy(o.queue);
    astride_device_close(o.host);
    astride_device_close(o.device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(route_is_described),
        cmocka_unit_test(other_places_are_a_mismatch),
        cmocka_unit_test(what_cannot_be_is_refused_before_any_byte_moves),
        cmocka_unit_test(routes_go_on_while_the_caller_does),
        cmocka_unit_test(failure_behind_the_caller_is_told_by_the_wait),
        cmocka_unit_test(device_is_closed_although_others_have_plans_with_it),
        cmocka_unit_test(plan_of_a_route_runs_in_two_queues),
        cmocka_unit_test(lost_device_ends_a_route),
    };
    setenv("ASTRIDE_STAGING_BYTES", "2048", 1);
    setenv("ASTRIDE_STAGING_DEPTH", "2", 1);
    simulated_select();
    sim->set("HIDE", "cuMemcpyPeerAsync");
    sim->set("DELAY", "0");
    return cmocka_run_group_tests(tests, simulated_setup, simulated_teardown);
}
