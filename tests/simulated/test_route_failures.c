/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Every call of the driver fails in turn in copies that need several queues: staged ones by a ring,
 * and routes between devices that do not reach each other's memory, linked by events, by a thread,
 * or by waiting. The error names call and code, nothing is left behind, and the next copy works.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/simulated/faults.h"
#include "tests/simulated/simulated.h"
#include "tests/support/fixture.h"

/* Waits that have nobody to tell: of events and queues that are freed. Where an event cannot be
   recorded, the library waits instead. */
static const char *survived(void)
{
    static char names[128];
    snprintf(names, sizeof names, "%s %s", simulated_the_vendor.event_calls,
             simulated_the_vendor.stream_wait);
    return names;
}

/* Not the one of the fixture. */
static astride_status open_second(astride_device **device_out)
{
    char spec[32];
    snprintf(spec, sizeof spec, "%s:1", simulated_the_vendor.backend);
    return astride_device_open(spec, device_out);
}

typedef struct copy_case {
    astride_queue *queue;
    astride_strategy strategy;
    simulated_copy *copy;
} copy_case;

/* Plan, temporaries, queues and events are made and freed each time. */
static astride_status plan_and_copy(void *argument)
{
    const copy_case *c = argument;
    const astride_plan_options options = {.struct_size = sizeof options, .strategy = c->strategy};
    astride_plan *plan = NULL;
    astride_status status =
        astride_plan_create_with(astride_queue_device(c->queue), &c->copy->desc, &options, &plan);
    if (status == ASTRIDE_OK)
        status = astride_plan_run(plan, c->queue, c->copy->dst, c->copy->src);
    /* What was enqueued before a failure is done before the next copy looks at the destination. */
    const astride_status waited = astride_queue_wait(c->queue);
    if (status == ASTRIDE_OK && waited == ASTRIDE_OK)
        simulated_compare(c->copy);
    astride_plan_destroy(plan);
    return status == ASTRIDE_OK ? waited : status;
}

/* 6 rows of 4 units of 8 bytes, some transposed: three chunks of 64 bytes. */
static simulated_layout layout_of(bool transposed)
{
    return (simulated_layout){.rank = 2,
                              .element_bytes = 8,
                              .extents = {6, 4},
                              .dst_strides = {32, 8},
                              .src_strides = {transposed ? 8 : 48, transposed ? 48 : 8}};
}

static void fail_each_call(astride_queue *queue, astride_strategy strategy,
                           astride_device *dst_device, astride_memory_kind dst,
                           astride_device *src_device, astride_memory_kind src)
{
    for (int transposed = 0; transposed < 2; transposed++) {
        const simulated_layout layout = layout_of(transposed != 0);
        simulated_copy copy;
        copy_case c = {queue, strategy, &copy};
        simulated_prepare(&layout, dst_device, dst, src_device, src, &copy);
        assert_in_range(faults_fail_each(plan_and_copy, &c, survived()), 15, 400);
        simulated_discard(&copy);
    }
}

static void staging_by_a_ring(void **state)
{
    const test_fixture *fixture = *state;
    fail_each_call(fixture->queue, ASTRIDE_STRATEGY_STAGED, fixture->device, ASTRIDE_MEMORY_DEVICE,
                   fixture->device, ASTRIDE_MEMORY_HOST);
    fail_each_call(fixture->queue, ASTRIDE_STRATEGY_STAGED, fixture->device, ASTRIDE_MEMORY_HOST,
                   fixture->device, ASTRIDE_MEMORY_DEVICE);
}

/* The driver of this program has no functions for copies between devices. */
static void between_devices_of_the_backend(void **state)
{
    const test_fixture *fixture = *state;
    astride_device *other = NULL;
    astride_queue *queue = NULL;
    assert_int_equal(open_second(&other), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(other, &queue), ASTRIDE_OK);
    fail_each_call(fixture->queue, ASTRIDE_STRATEGY_AUTO, other, ASTRIDE_MEMORY_DEVICE,
                   fixture->device, ASTRIDE_MEMORY_DEVICE);
    fail_each_call(queue, ASTRIDE_STRATEGY_AUTO, other, ASTRIDE_MEMORY_DEVICE, fixture->device,
                   ASTRIDE_MEMORY_DEVICE);
    /* Both sides are on the one device, the queue is of the other. */
    fail_each_call(queue, ASTRIDE_STRATEGY_AUTO, fixture->device, ASTRIDE_MEMORY_DEVICE,
                   fixture->device, ASTRIDE_MEMORY_DEVICE);
    astride_queue_destroy(queue);
    astride_device_close(other);
}

static void in_a_queue_of_the_host(void **state)
{
    const test_fixture *fixture = *state;
    astride_device *host = NULL;
    astride_queue *queue = NULL;
    assert_int_equal(astride_device_open("host", &host), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(host, &queue), ASTRIDE_OK);
    fail_each_call(queue, ASTRIDE_STRATEGY_AUTO, fixture->device, ASTRIDE_MEMORY_DEVICE, host,
                   ASTRIDE_MEMORY_HOST);
    fail_each_call(queue, ASTRIDE_STRATEGY_STAGED, fixture->device, ASTRIDE_MEMORY_HOST,
                   fixture->device, ASTRIDE_MEMORY_DEVICE);
    astride_queue_destroy(queue);
    astride_device_close(host);
}

/* A copy between the simulated device and one of another backend, whose memory nobody can view. */
typedef struct backend_case {
    astride_queue *queue, *other_queue;
    astride_copy_desc desc;
    void *dst, *src;
    bool to_other;
} backend_case;

enum { UNITS = 24, UNIT_BYTES = 8, DST_BYTES = UNITS * UNIT_BYTES, SRC_BYTES = 6 * 48 };

static void copy_bytes(astride_queue *queue, void *dst, void *src, int64_t bytes)
{
    const astride_copy_desc desc = {.struct_size = sizeof desc,
                                    .rank = 1,
                                    .element_bytes = 1,
                                    .extents = &bytes,
                                    .dst = {dst, NULL},
                                    .src = {src, NULL}};
    assert_int_equal(astride_copy(queue, &desc), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(queue), ASTRIDE_OK);
}

/* Byte i of the source is i modulo 251; rows of 4 units of 8 bytes lie 48 bytes apart. */
static void check_destination(const backend_case *c)
{
    unsigned char found[DST_BYTES];
    if (c->to_other)
        copy_bytes(c->other_queue, found, c->dst, DST_BYTES);
    else
        memcpy(found, sim->view(c->dst, DST_BYTES), DST_BYTES);
    for (int i = 0; i < DST_BYTES; i++)
        assert_int_equal(found[i], (i / 32 * 48 + i % 32) % 251);
}

static astride_status plan_and_copy_between(void *argument)
{
    const backend_case *c = argument;
    astride_plan *plan = NULL;
    astride_status status = astride_plan_create(astride_queue_device(c->queue), &c->desc, &plan);
    if (status == ASTRIDE_OK)
        status = astride_plan_run(plan, c->queue, c->dst, c->src);
    const astride_status waited = astride_queue_wait(c->queue);
    if (status == ASTRIDE_OK && waited == ASTRIDE_OK)
        check_destination(c);
    astride_plan_destroy(plan);
    return status == ASTRIDE_OK ? waited : status;
}

static void fail_each_call_between(const test_fixture *fixture, astride_queue *other_queue,
                                   astride_queue *queue, bool to_other)
{
    static const int64_t extents[] = {6, 4}, src_strides[] = {48, 8};
    astride_device *other = astride_queue_device(other_queue);
    astride_device *const to = to_other ? other : fixture->device;
    astride_device *const from = to_other ? fixture->device : other;
    unsigned char bytes[SRC_BYTES];
    backend_case c = {.queue = queue, .other_queue = other_queue, .to_other = to_other};
    assert_int_equal(astride_memory_alloc(to, DST_BYTES, ASTRIDE_MEMORY_DEVICE, &c.dst),
                     ASTRIDE_OK);
    assert_int_equal(astride_memory_alloc(from, SRC_BYTES, ASTRIDE_MEMORY_DEVICE, &c.src),
                     ASTRIDE_OK);
    for (int i = 0; i < SRC_BYTES; i++)
        bytes[i] = (unsigned char)(i % 251);
    copy_bytes(to_other ? fixture->queue : other_queue, c.src, bytes, SRC_BYTES);
    c.desc = (astride_copy_desc){.struct_size = sizeof c.desc,
                                 .rank = 2,
                                 .element_bytes = UNIT_BYTES,
                                 .extents = extents,
                                 .dst = {c.dst, NULL},
                                 .src = {c.src, src_strides}};
    assert_in_range(faults_fail_each(plan_and_copy_between, &c, survived()), 15, 400);
    assert_int_equal(astride_memory_free(from, c.src), ASTRIDE_OK);
    assert_int_equal(astride_memory_free(to, c.dst), ASTRIDE_OK);
}

/* Drivers are not compiled with the thread sanitizer, which would not see their locks. */
static astride_status open_other(astride_device **other_out)
{
    const char *sanitizers = getenv("ASTRIDE_TEST_SANITIZE");
    if (sanitizers != NULL && strstr(sanitizers, "thread") != NULL)
        return ASTRIDE_UNAVAILABLE;
    return astride_device_open("opencl", other_out);
}

/* With a device of another backend on the other side, where there is one. */
static void between_two_backends(void **state)
{
    const test_fixture *fixture = *state;
    astride_device *other = NULL;
    astride_queue *queue = NULL;
    if (open_other(&other) != ASTRIDE_OK) {
        print_message("# no device of another backend: %s\n", astride_last_error());
        return;
    }
    assert_int_equal(astride_queue_create(other, &queue), ASTRIDE_OK);
    for (int i = 0; i < 4; i++)
        fail_each_call_between(fixture, queue, i % 2 == 0 ? queue : fixture->queue, i / 2 == 0);
    astride_queue_destroy(queue);
    astride_device_close(other);
}

/* Host calls of a lost device do not come any more, and nobody waits for them. */
static void device_is_lost_in_the_middle(void **state)
{
    static const int64_t extent = 1 << 16;
    astride_device *other = NULL, *device = NULL;
    astride_queue *queue = NULL;
    void *dst = NULL, *src = NULL;
    (void)state;
    if (open_other(&other) != ASTRIDE_OK)
        return;
    assert_int_equal(open_second(&device), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(device, &queue), ASTRIDE_OK);
    assert_int_equal(astride_memory_alloc(device, (size_t)extent, ASTRIDE_MEMORY_DEVICE, &dst),
                     ASTRIDE_OK);
    assert_int_equal(astride_memory_alloc(other, (size_t)extent, ASTRIDE_MEMORY_DEVICE, &src),
                     ASTRIDE_OK);
    const astride_copy_desc to = {.struct_size = sizeof to,
                                  .rank = 1,
                                  .element_bytes = 1,
                                  .extents = &extent,
                                  .dst = {dst, NULL},
                                  .src = {src, NULL}};
    sim->set("SLOW", "1000");
    assert_int_equal(astride_copy(queue, &to), ASTRIDE_OK);
    sim->lose_device(1, 719);
    assert_int_equal(astride_queue_wait(queue), ASTRIDE_DEVICE_LOST);
    sim->set("SLOW", "0");
    astride_queue_destroy(queue);
    assert_int_equal(astride_memory_free(other, src), ASTRIDE_OK);
    astride_device_close(device);
    astride_device_close(other);
}

/* Drivers are known that end the process where they cannot read the machine's topology. */
static bool driver_survives(const char *folder)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        astride_device *device = NULL;
        setenv("ASTRIDE_PLUGIN_PATH", folder, 1);
        (void)astride_device_open("opencl", &device);
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && !WIFSIGNALED(status);
}

/* Adds the other backend of the build tree to the one that is simulated. */
static void add_other_backend(void)
{
    const char *other = getenv("ASTRIDE_TEST_OPENCL");
    char path[8192];
    if (other == NULL || other[0] == '\0' || !driver_survives(other))
        return;
    snprintf(path, sizeof path, "%s:%s", getenv("ASTRIDE_PLUGIN_PATH"), other);
    setenv("ASTRIDE_PLUGIN_PATH", path, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(staging_by_a_ring),
        cmocka_unit_test(between_devices_of_the_backend),
        cmocka_unit_test(in_a_queue_of_the_host),
        cmocka_unit_test(between_two_backends),
        cmocka_unit_test(device_is_lost_in_the_middle),
    };
    setenv("ASTRIDE_STAGING_BYTES", "64", 1);
    setenv("ASTRIDE_STAGING_DEPTH", "2", 1);
    simulated_select();
    add_other_backend();
    sim->set("HIDE", "cuMemcpyPeerAsync"); /* where the backend has such a thing at all */
    sim->set("DELAY", "0");
    return cmocka_run_group_tests(tests, simulated_setup, simulated_teardown);
}
