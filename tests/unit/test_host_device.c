/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The host backend's device and memory by their slots: what it says of itself, where its memory
 * lies and what happens when there is none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <unistd.h>

#include "tests/support/host_slots.h"

/* The linker puts these between the backend and the C library (see tests/local.mk). */
int __real_posix_memalign(void **address_out, size_t alignment, size_t bytes);
int __wrap_posix_memalign(void **address_out, size_t alignment, size_t bytes);

static bool memory_is_exhausted;

int __wrap_posix_memalign(void **address_out, size_t alignment, size_t bytes)
{
    return memory_is_exhausted ? ENOMEM : __real_posix_memalign(address_out, alignment, bytes);
}

static void table_is_complete_and_honest(void **state)
{
    const astride_plugin *plugin = ((const test_host_slots *)*state)->plugin;

    assert_int_equal(plugin->abi, ASTRIDE_PLUGIN_ABI);
    assert_int_equal(plugin->struct_size, sizeof(astride_plugin));
    assert_string_equal(plugin->name, "host");
    assert_int_equal(plugin->priority, 0);
    assert_non_null(plugin->copy_rect);
    assert_non_null(plugin->copy_kernel);
    assert_non_null(plugin->fill);
    assert_non_null(plugin->host_call);
    assert_null(plugin->queue_import);
    assert_null(plugin->module_load);
    assert_null(plugin->launch);
}

static void host_is_one_device_with_the_memory_of_the_machine(void **state)
{
    const test_host_slots *slots = *state;
    astride_device_info info = {.struct_size = sizeof info, .spec = "kept"};
    int32_t count = -1;

    assert_int_equal(slots->plugin->probe(&count), ASTRIDE_OK);
    assert_int_equal(count, 1);
    assert_int_equal(slots->plugin->describe(0, &info), ASTRIDE_OK);
    assert_string_equal(info.spec, "kept");
    assert_int_equal(info.memory_bytes,
                     (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE));
    assert_true(info.memory_bytes > 0);
}

/* The name is what a plain search of /proc/cpuinfo finds. */
static void host_is_called_as_its_processor(void **state)
{
    const test_host_slots *slots = *state;
    astride_device_info info = {.struct_size = sizeof info};
    char line[512], found[128] = "host";
    FILE *file = fopen("/proc/cpuinfo", "r");

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "model name : %127[^\n]", found) == 1)
            break;
    }
    if (file != NULL)
        fclose(file);
    for (size_t length = strlen(found); length > 0 && found[length - 1] == ' '; length--)
        found[length - 1] = '\0';
    assert_int_equal(slots->plugin->describe(0, &info), ASTRIDE_OK);
    assert_string_equal(info.name, found);
}

static void device_beyond_the_first_is_refused(void **state)
{
    const test_host_slots *slots = *state;
    astride_backend_device *const untouched = slots->device;
    astride_backend_device *device = untouched;

    assert_int_equal(slots->plugin->device_open(1, &device), ASTRIDE_NOT_FOUND);
    assert_ptr_equal(device, untouched);
    assert_string_equal(test_host_message(), "host: there is no device 1: the host is device 0");
}

static void properties_offer_every_strategy(void **state)
{
    const test_host_slots *slots = *state;
    astride_backend_properties properties;
    const astride_capabilities *can = &properties.capabilities;
    const astride_cost_model *cost = &properties.cost;

    memset(&properties, 0, sizeof properties);
    assert_int_equal(slots->plugin->properties(slots->device, &properties), ASTRIDE_OK);
    for (int d = 0; d < ASTRIDE_DIRECTION_COUNT; d++) {
        assert_int_equal(can->rect_rank[d], 3);
        assert_true(cost->rect_row_ns[d] > 0);
        assert_true(cost->bytes_per_ns[d] > 0);
    }
    assert_int_equal(can->maximum_pitch_bytes, 0);
    assert_false(can->slice_multiple_of_row);
    assert_true(can->rect_within_allocation);
    assert_true(can->kernels);
    assert_true(can->kernel_reaches_pinned);
    assert_true(can->kernel_reaches_pageable);
    assert_true(can->host_reaches_device);
    assert_true(can->unified_addressing);
    assert_true(can->asynchronous);
    assert_false(can->peer_access);
    assert_false(can->modules);
    assert_true(properties.linear_overlap);
    assert_false(properties.pageable_copies_block);
    assert_false(properties.foreign_addresses);
    assert_true(cost->kernel_unit_ns > 0);
    assert_true(cost->kernel_bytes_per_ns > 0);
}

/* The model's point is this: small units go to a kernel, wide rows to a rectangle. */
/* All of a copy goes through the same loops; cut into rectangles it would look like many small
 * ones. */
static void costs_prefer_one_kernel_to_a_loop_of_rectangles(void **state)
{
    const test_host_slots *slots = *state;
    astride_backend_properties properties;

    memset(&properties, 0, sizeof properties);
    assert_int_equal(slots->plugin->properties(slots->device, &properties), ASTRIDE_OK);
    for (double calls = 2; calls <= 65536; calls *= 2) {
        for (double row_bytes = 1; row_bytes <= 65536; row_bytes *= 2) {
            const astride_cost_model *cost = &properties.cost;
            const double rows = 16 * calls, bytes = rows * row_bytes;
            const double rect = calls * cost->rect_call_ns +
                                rows * cost->rect_row_ns[ASTRIDE_HOST_TO_HOST] +
                                bytes / cost->bytes_per_ns[ASTRIDE_HOST_TO_HOST];
            const double kernel = cost->kernel_call_ns + rows * cost->kernel_unit_ns +
                                  bytes / cost->kernel_bytes_per_ns;

            assert_true(kernel < rect);
        }
    }
}

static void memory_of_every_kind_is_aligned_and_usable(void **state)
{
    const test_host_slots *slots = *state;
    static const astride_memory_kind kinds[] = {ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED,
                                                ASTRIDE_MEMORY_SHARED};
    static const size_t sizes[] = {1,      63, 64, 4097, ((size_t)2 << 20) - 1, (size_t)2 << 20,
                                   5000001};

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            void *address = NULL, *allocation = NULL;

            assert_int_equal(slots->plugin->memory_alloc(slots->device, sizes[s], kinds[k],
                                                         &address, &allocation),
                             ASTRIDE_OK);
            assert_int_equal((uintptr_t)address % 64, 0);
            memset(address, 0x5c, sizes[s]);
            assert_int_equal(((unsigned char *)address)[sizes[s] - 1], 0x5c);
            slots->plugin->memory_free(slots->device, address, allocation);
        }
    }
}

static void exhausted_memory_is_an_error_with_the_size(void **state)
{
    const test_host_slots *slots = *state;
    int untouched;
    void *address = &untouched, *allocation = &untouched;

    memory_is_exhausted = true;
    assert_int_equal(slots->plugin->memory_alloc(slots->device, 12345, ASTRIDE_MEMORY_DEVICE,
                                                 &address, &allocation),
                     ASTRIDE_OUT_OF_MEMORY);
    memory_is_exhausted = false;
    assert_string_equal(test_host_message(), "host: posix_memalign: no memory for 12345 bytes");
    assert_ptr_equal(address, &untouched);
    assert_ptr_equal(allocation, &untouched);
    assert_int_equal(slots->plugin->memory_alloc(slots->device, SIZE_MAX, ASTRIDE_MEMORY_DEVICE,
                                                 &address, &allocation),
                     ASTRIDE_OUT_OF_MEMORY);
    assert_ptr_equal(address, &untouched);
}

static void registered_and_imported_memory_keeps_its_address(void **state)
{
    const test_host_slots *slots = *state;
    unsigned char memory[100];
    void *address = NULL, *allocation = memory;

    assert_int_equal(slots->plugin->memory_register(slots->device, memory + 1, 99, &allocation),
                     ASTRIDE_OK);
    slots->plugin->memory_unregister(slots->device, memory + 1, allocation);
    assert_int_equal(
        slots->plugin->memory_import(slots->device, memory + 2, 98, &address, &allocation),
        ASTRIDE_OK);
    assert_ptr_equal(address, memory + 2);
    slots->plugin->memory_release(slots->device, address, allocation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_complete_and_honest),
        cmocka_unit_test(host_is_one_device_with_the_memory_of_the_machine),
        cmocka_unit_test(host_is_called_as_its_processor),
        cmocka_unit_test(device_beyond_the_first_is_refused),
        cmocka_unit_test(properties_offer_every_strategy),
        cmocka_unit_test(costs_prefer_one_kernel_to_a_loop_of_rectangles),
        cmocka_unit_test(memory_of_every_kind_is_aligned_and_usable),
        cmocka_unit_test(exhausted_memory_is_an_error_with_the_size),
        cmocka_unit_test(registered_and_imported_memory_keeps_its_address),
    };

    return cmocka_run_group_tests_name("host_device", tests, test_host_slots_setup,
                                       test_host_slots_teardown);
}
