/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Devices that can do less than usual, by the attributes that the simulated driver tells: what they
 * cannot do is never asked of them. Each case opens the second device anew. Also modules of the
 * program, which have the compiler's words in their errors.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/cuda/abi.h"
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

static void open_with(const char *name, const char *value, test_fixture *fixture)
{
    sim->reset();
    assert_true(sim->set(name, value));
    if (astride_device_open("cuda:1", &fixture->device) != ASTRIDE_OK)
        fail_msg("%s", astride_last_error());
    assert_int_equal(astride_queue_create(fixture->device, &fixture->queue), ASTRIDE_OK);
}

static void close_again(test_fixture *fixture, const char *name, const char *value)
{
    astride_queue_destroy(fixture->queue);
    astride_device_close(fixture->device);
    assert_true(sim->set(name, value));
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

static void pitch_beyond_the_maximum_is_no_rectangle(void **state)
{
    const astride_plan_options options = {.struct_size = sizeof options,
                                          .strategy = ASTRIDE_STRATEGY_RECT};
    astride_capabilities can = {.struct_size = sizeof can};
    test_fixture fixture;
    simulated_copy copy;
    astride_plan *plan = NULL;
    (void)state;
    open_with("MAX_PITCH", "4096", &fixture);
    assert_int_equal(astride_device_capabilities(fixture.device, &can), ASTRIDE_OK);
    assert_int_equal(can.maximum_pitch_bytes, 4096);
    simulated_prepare(&wide, fixture.device, ASTRIDE_MEMORY_DEVICE, fixture.device,
                      ASTRIDE_MEMORY_PINNED, &copy);
    assert_int_equal(astride_plan_create_with(fixture.device, &copy.desc, &options, &plan),
                     ASTRIDE_UNSUPPORTED);
    simulated_discard(&copy);
    copy_by(&fixture, &wide, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED);
    copy_by(&fixture, &wide, ASTRIDE_MEMORY_HOST, ASTRIDE_MEMORY_DEVICE);
    close_again(&fixture, "MAX_PITCH", "2147483647");
}

static void device_without_unified_addressing_is_refused(void **state)
{
    astride_device *device = NULL;
    (void)state;
    assert_true(sim->set("ATTRIBUTE", "41=0"));
    assert_int_equal(astride_device_open("cuda:1", &device), ASTRIDE_UNSUPPORTED);
    assert_non_null(strstr(astride_last_error(), "CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING"));
    assert_true(sim->set("ATTRIBUTE", "41=1"));
}

static void shared_memory_without_concurrent_access_is_mapped_host_memory(void **state)
{
    astride_sim_alive before, after;
    test_fixture fixture;
    void *address = NULL;
    (void)state;
    open_with("ATTRIBUTE", "89=0", &fixture);
    sim->alive(&before);
    assert_int_equal(astride_memory_alloc(fixture.device, 100, ASTRIDE_MEMORY_SHARED, &address),
                     ASTRIDE_OK);
    sim->alive(&after);
    assert_int_equal(after.pinned - before.pinned, 1);
    assert_int_equal(after.managed - before.managed, 0);
    assert_int_equal(astride_memory_free(fixture.device, address), ASTRIDE_OK);
    copy_by(&fixture, &transposed, ASTRIDE_MEMORY_SHARED, ASTRIDE_MEMORY_DEVICE);
    close_again(&fixture, "ATTRIBUTE", "89=1");
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
    open_with("ATTRIBUTE", "91=0", &fixture);
    simulated_prepare(&transposed, fixture.device, ASTRIDE_MEMORY_DEVICE, fixture.device,
                      ASTRIDE_MEMORY_HOST, &copy);
    assert_int_equal(astride_memory_register(fixture.device, copy.src, copy.src_bytes), ASTRIDE_OK);
    assert_int_equal(sim->count("cuMemHostGetDevicePointer"), 1);
    assert_int_equal(astride_plan_create_with(fixture.device, &copy.desc, &options, &plan),
                     ASTRIDE_OK);
    assert_int_equal(astride_plan_run(plan, fixture.queue, copy.dst, copy.src), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(fixture.queue), ASTRIDE_OK);
    assert_int_equal(sim->count("cuLaunchKernel"), 1);
    assert_int_equal(sim->count("cuMemHostGetDevicePointer"), 1);
    simulated_compare(&copy);
    astride_plan_destroy(plan);
    assert_int_equal(astride_memory_unregister(fixture.device, copy.src), ASTRIDE_OK);
    simulated_discard(&copy);
    close_again(&fixture, "ATTRIBUTE", "91=1");
}

static void device_of_an_old_capability_has_no_kernels(void **state)
{
    astride_capabilities can = {.struct_size = sizeof can};
    test_fixture fixture;
    (void)state;
    open_with("ATTRIBUTE", "75=3", &fixture);
    assert_int_equal(astride_device_capabilities(fixture.device, &can), ASTRIDE_OK);
    assert_false(can.kernels);
    assert_true(can.modules);
    copy_by(&fixture, &transposed, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED);
    assert_int_equal(sim->count("cuLaunchKernel"), 0);
    close_again(&fixture, "ATTRIBUTE", "75=9");
}

static void devices_without_peer_access_copy_to_each_other(void **state)
{
    const test_fixture *fixture = *state;
    test_fixture other;
    simulated_copy copy;
    open_with("PEER", "none", &other);
    simulated_prepare(&wide, other.device, ASTRIDE_MEMORY_DEVICE, fixture->device,
                      ASTRIDE_MEMORY_DEVICE, &copy);
    assert_int_equal(astride_copy(fixture->queue, &copy.desc), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    simulated_compare(&copy);
    simulated_discard(&copy);
    close_again(&other, "PEER", "all");
}

static void *wait_in_another_thread(void *argument)
{
    return (void *)astride_status_name(astride_queue_wait(argument));
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

static void fill_of_one_piece_is_the_drivers_own(void **state)
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
    assert_int_equal(sim->count("cuMemsetD32Async"), 1);
    assert_int_equal(simulated_work(), 1);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    const uint32_t *view = sim->view(address, 400);
    assert_non_null(view);
    for (int i = 0; i < 100; i++)
        assert_int_equal(view[i], value);
    desc.pattern = &bytes;
    assert_int_equal(astride_fill(fixture->queue, &desc), ASTRIDE_OK);
    assert_int_equal(sim->count("cuMemsetD8Async"), 1);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    assert_int_equal(view[99], bytes);
    assert_int_equal(astride_memory_free(fixture->device, address), ASTRIDE_OK);
    simulated_check_rules();
}

static void module_that_is_no_code_has_the_drivers_words(void **state)
{
    static const char text[] = "this is no code";
    const test_fixture *fixture = *state;
    astride_module *module = NULL;
    assert_int_equal(astride_module_load(fixture->device, text, sizeof text - 1, &module),
                     ASTRIDE_DRIVER_ERROR);
    assert_non_null(strstr(astride_last_error(), "cuModuleLoadDataEx: CUDA_ERROR_"));
    assert_null(strstr(astride_last_error(), "the driver gives no log"));
    assert_null(module);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pitch_beyond_the_maximum_is_no_rectangle),
        cmocka_unit_test(device_without_unified_addressing_is_refused),
        cmocka_unit_test(shared_memory_without_concurrent_access_is_mapped_host_memory),
        cmocka_unit_test(kernel_reaches_registered_memory_by_its_own_address),
        cmocka_unit_test(device_of_an_old_capability_has_no_kernels),
        cmocka_unit_test(devices_without_peer_access_copy_to_each_other),
        cmocka_unit_test(default_stream_of_a_thread_is_not_used_by_another),
        cmocka_unit_test(fill_of_one_piece_is_the_drivers_own),
        cmocka_unit_test(module_that_is_no_code_has_the_drivers_words),
    };
    simulated_select();
    return cmocka_run_group_tests(tests, simulated_setup, simulated_teardown);
}
