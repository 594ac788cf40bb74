/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Devices that can do less than usual, by the attributes that the simulated runtime tells, and
 * rectangles that the runtime would move row by row: what they cannot do is never asked of them.
 * Also fills, which the runtime does itself where it can, and children of fork().
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "backends/hip/abi.h"
#include "tests/simulated/simulated.h"
#include "tests/support/fixture.h"

static const simulated_layout wide = {.rank = 2,
                                      .element_bytes = 40,
                                      .extents = {3, 5},
                                      .dst_strides = {20000, 4000},
                                      .src_strides = {25000, 5000}};
static const simulated_layout transposed = {.rank = 2,
                                            .element_bytes = 2,
                                            .extents = {20, 30},
                                            .dst_strides = {60, 2},
                                            .src_strides = {2, 40}};

static void set_attribute(hipDeviceAttribute_t attribute, int value)
{
    char text[32];
    snprintf(text, sizeof text, "%u=%d", (unsigned)attribute, value);
    assert_true(sim->set("ATTRIBUTE", text));
}

/* The second device, with what was set. */
static void open_second(test_fixture *fixture)
{
    sim->reset();
    if (astride_device_open("hip:1", &fixture->device) != ASTRIDE_OK)
        fail_msg("%s", astride_last_error());
    assert_int_equal(astride_queue_create(fixture->device, &fixture->queue), ASTRIDE_OK);
}

static void close_second(test_fixture *fixture)
{
    astride_queue_destroy(fixture->queue);
    astride_device_close(fixture->device);
    simulated_check_rules();
}

static void copy_by(const test_fixture *fixture, const simulated_layout *layout,
                    astride_memory_kind dst, astride_memory_kind src)
{
    simulated_copy copy;
    simulated_prepare(layout, fixture->device, dst, fixture->device, src, &copy);
    if (astride_copy(fixture->queue, &copy.desc) != ASTRIDE_OK)
        fail_msg("%s", astride_last_error());
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    simulated_compare(&copy);
    simulated_discard(&copy);
}

/* Whether a plan by rectangles can be made. */
static astride_status plan_rectangle(const test_fixture *fixture, const simulated_layout *layout,
                                     astride_memory_kind dst, astride_memory_kind src)
{
    const astride_plan_options options = {.struct_size = sizeof options,
                                          .strategy = ASTRIDE_STRATEGY_RECT};
    simulated_copy copy;
    astride_plan *plan = NULL;
    simulated_prepare(layout, fixture->device, dst, fixture->device, src, &copy);
    const astride_status status =
        astride_plan_create_with(fixture->device, &copy.desc, &options, &plan);
    if (status == ASTRIDE_OK)
        astride_plan_destroy(plan);
    simulated_discard(&copy);
    return status;
}

static void pitch_beyond_the_maximum_is_no_rectangle(void **state)
{
    astride_capabilities can = {.struct_size = sizeof can};
    test_fixture fixture;
    (void)state;
    assert_true(sim->set("MAX_PITCH", "4096"));
    open_second(&fixture);
    assert_int_equal(astride_device_capabilities(fixture.device, &can), ASTRIDE_OK);
    assert_int_equal(can.maximum_pitch_bytes, 4096);
    assert_int_equal(plan_rectangle(&fixture, &wide, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED),
                     ASTRIDE_UNSUPPORTED);
    copy_by(&fixture, &wide, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED);
    copy_by(&fixture, &wide, ASTRIDE_MEMORY_HOST, ASTRIDE_MEMORY_DEVICE);
    close_second(&fixture);
    assert_true(sim->set("MAX_PITCH", "2147483647"));
}

/* One number of each in turn is no multiple of 4: the width, a row pitch, a slice pitch. */
static void across_the_bus_a_rectangle_has_multiples_of_4(void **state)
{
    static const simulated_layout layouts[] = {
        {3, 8, {3, 4, 5}, {640, 160, 16}, {960, 240, 24}},
        {2, 6, {4, 5}, {160, 16}, {240, 24}},
        {2, 8, {4, 5}, {42, 8}, {48, 8}},
        {2, 8, {4, 5}, {48, 8}, {50, 8}},
    };
    const test_fixture *fixture = *state;
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        const astride_status across = i == 0 ? ASTRIDE_OK : ASTRIDE_UNSUPPORTED;
        assert_int_equal(
            plan_rectangle(fixture, &layouts[i], ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED),
            across);
        assert_int_equal(
            plan_rectangle(fixture, &layouts[i], ASTRIDE_MEMORY_HOST, ASTRIDE_MEMORY_DEVICE),
            across);
        assert_int_equal(
            plan_rectangle(fixture, &layouts[i], ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_DEVICE),
            ASTRIDE_OK);
        copy_by(fixture, &layouts[i], ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_HOST);
    }
    simulated_check_rules();
}

static void shared_memory_without_concurrent_access_is_mapped_host_memory(void **state)
{
    astride_sim_alive before, after;
    test_fixture fixture;
    void *address = NULL;
    (void)state;
    set_attribute(hipDeviceAttributeConcurrentManagedAccess, 0);
    open_second(&fixture);
    sim->alive(&before);
    assert_int_equal(astride_memory_alloc(fixture.device, 100, ASTRIDE_MEMORY_SHARED, &address),
                     ASTRIDE_OK);
    sim->alive(&after);
    assert_int_equal(after.pinned - before.pinned, 1);
    assert_int_equal(after.managed - before.managed, 0);
    assert_int_equal(astride_memory_free(fixture.device, address), ASTRIDE_OK);
    copy_by(&fixture, &transposed, ASTRIDE_MEMORY_SHARED, ASTRIDE_MEMORY_DEVICE);
    close_second(&fixture);
    set_attribute(hipDeviceAttributeConcurrentManagedAccess, 1);
}

/* Its address on the device is asked for, once, when it is registered. */
static void kernel_reaches_registered_memory_by_its_own_address(void **state)
{
    const astride_plan_options options = {.struct_size = sizeof options,
                                          .strategy = ASTRIDE_STRATEGY_KERNEL};
    test_fixture fixture;
    simulated_copy copy;
    astride_plan *plan = NULL;
    (void)state;
    set_attribute(hipDeviceAttributeCanUseHostPointerForRegisteredMem, 0);
    open_second(&fixture);
    simulated_prepare(&transposed, fixture.device, ASTRIDE_MEMORY_DEVICE, fixture.device,
                      ASTRIDE_MEMORY_HOST, &copy);
    assert_int_equal(astride_memory_register(fixture.device, copy.src, copy.src_bytes), ASTRIDE_OK);
    assert_int_equal(sim->count("hipHostGetDevicePointer"), 1);
    assert_int_equal(astride_plan_create_with(fixture.device, &copy.desc, &options, &plan),
                     ASTRIDE_OK);
    assert_int_equal(astride_plan_run(plan, fixture.queue, copy.dst, copy.src), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(fixture.queue), ASTRIDE_OK);
    assert_int_equal(sim->count("hipModuleLaunchKernel"), 1);
    assert_int_equal(sim->count("hipHostGetDevicePointer"), 1);
    simulated_compare(&copy);
    astride_plan_destroy(plan);
    assert_int_equal(astride_memory_unregister(fixture.device, copy.src), ASTRIDE_OK);
    simulated_discard(&copy);
    close_second(&fixture);
    set_attribute(hipDeviceAttributeCanUseHostPointerForRegisteredMem, 1);
}

static void *wait_in_another_thread(void *argument)
{
    return (void *)(uintptr_t)astride_status_name(astride_queue_wait(argument));
}

static void default_stream_of_a_thread_is_not_used_by_another(void **state)
{
    const test_fixture *fixture = *state;
    astride_queue *queue = NULL;
    pthread_t thread;
    void *status = NULL;
    assert_int_equal(astride_queue_import(fixture->device, (void *)(uintptr_t)2, &queue),
                     ASTRIDE_OK);
    assert_int_equal(pthread_create(&thread, NULL, wait_in_another_thread, queue), 0);
    assert_int_equal(pthread_join(thread, &status), 0);
    assert_string_equal(status, "ASTRIDE_INVALID_ARGUMENT");
    assert_int_equal(astride_queue_wait(queue), ASTRIDE_OK);
    astride_queue_destroy(queue);
}

static void fill_of_one_piece_is_the_runtimes_own(void **state)
{
    const test_fixture *fixture = *state;
    const uint32_t value = 0x12345678, bytes = 0x5a5a5a5a;
    const int64_t extent = 100;
    void *address = NULL;
    assert_int_equal(astride_memory_alloc(fixture->device, 400, ASTRIDE_MEMORY_DEVICE, &address),
                     ASTRIDE_OK);
    astride_fill_desc desc = {.struct_size = sizeof desc,
                              .rank = 1,
                              .element_bytes = 4,
                              .extents = &extent,
                              .dst = {address, NULL},
                              .pattern = &value};
    sim->reset();
    assert_int_equal(astride_fill(fixture->queue, &desc), ASTRIDE_OK);
    assert_int_equal(sim->count("hipMemsetD32Async"), 1);
    assert_int_equal(simulated_work(), 1);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    const uint32_t *view = sim->view(address, 400);
    assert_non_null(view);
    for (int i = 0; i < 100; i++)
        assert_int_equal(view[i], value);
    desc.pattern = &bytes;
    assert_int_equal(astride_fill(fixture->queue, &desc), ASTRIDE_OK);
    assert_int_equal(sim->count("hipMemsetD8Async"), 1);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    assert_int_equal(view[99], bytes);
    assert_int_equal(astride_memory_free(fixture->device, address), ASTRIDE_OK);
    simulated_check_rules();
}

/* The runtime does not live on in a child, so that no call of the child's may reach it. */
static void child_of_fork_is_refused(void **state)
{
    const test_fixture *fixture = *state;
    int status = 0;
    sim->reset();
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const bool refused = astride_queue_wait(fixture->queue) == ASTRIDE_AFTER_FORK;
        _exit(refused && sim->count("hipStreamSynchronize") == 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pitch_beyond_the_maximum_is_no_rectangle),
        cmocka_unit_test(across_the_bus_a_rectangle_has_multiples_of_4),
        cmocka_unit_test(shared_memory_without_concurrent_access_is_mapped_host_memory),
        cmocka_unit_test(kernel_reaches_registered_memory_by_its_own_address),
        cmocka_unit_test(default_stream_of_a_thread_is_not_used_by_another),
        cmocka_unit_test(fill_of_one_piece_is_the_runtimes_own),
        cmocka_unit_test(child_of_fork_is_refused),
    };
    simulated_select();
    return cmocka_run_group_tests(tests, simulated_setup, simulated_teardown);
}
