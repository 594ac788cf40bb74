/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory of an OpenCL device: addresses that the host cannot dereference but calculate with, pinned
 * and shared memory, sizes that the device refuses, and rectangles that must not reach the driver.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/opencl/fixture.h"
#include "tests/support/child.h"
#include "tests/support/refusal.h"

#define BYTES 4096

static unsigned char *allocate(astride_memory_kind kind, size_t bytes)
{
    void *address = NULL;

    assert_int_equal(astride_memory_alloc(opencl_device, bytes, kind, &address), ASTRIDE_OK);
    assert_int_equal((uintptr_t)address % 64, 0);
    return address;
}

static void release(void *address)
{
    assert_int_equal(astride_memory_free(opencl_device, address), ASTRIDE_OK);
}

static void count_up(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 256);
}

static void read_byte(void *address)
{
    signal(SIGSEGV, SIG_DFL);
    printf("read %d\n", *(volatile unsigned char *)address);
}

static void write_byte(void *address)
{
    signal(SIGSEGV, SIG_DFL);
    *(volatile unsigned char *)address = 1;
    printf("wrote\n");
}

static void a_stray_dereference_of_a_device_address_faults(void **state)
{
    const size_t offsets[] = {0, BYTES / 2 + 3, BYTES - 1, BYTES};
    unsigned char *device = allocate(ASTRIDE_MEMORY_DEVICE, BYTES);
    char words[256];

    (void)state;
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        assert_int_equal(test_child_run(read_byte, device + offsets[i], words, sizeof words),
                         -SIGSEGV);
        assert_string_equal(words, "");
        assert_int_equal(test_child_run(write_byte, device + offsets[i], words, sizeof words),
                         -SIGSEGV);
        assert_string_equal(words, "");
    }
    release(device);
}

static void addresses_can_be_calculated_with(void **state)
{
    unsigned char bytes[BYTES], back[BYTES];
    unsigned char *device = allocate(ASTRIDE_MEMORY_DEVICE, BYTES);

    (void)state;
    count_up(bytes, BYTES);
    assert_int_equal(opencl_copy(opencl_queue, device, bytes, BYTES), ASTRIDE_OK);
    for (size_t offset = 0; offset < BYTES; offset += 509) {
        memset(back, 0, sizeof back);
        assert_int_equal(opencl_copy(opencl_queue, back, device + offset, BYTES - offset),
                         ASTRIDE_OK);
        assert_memory_equal(back, bytes + offset, BYTES - offset);
    }
    /* One byte in the middle, then its neighbours. */
    back[0] = 0xee;
    assert_int_equal(opencl_copy(opencl_queue, device + 1001, back, 1), ASTRIDE_OK);
    bytes[1001] = 0xee;
    assert_int_equal(opencl_copy(opencl_queue, back, device, BYTES), ASTRIDE_OK);
    assert_memory_equal(back, bytes, BYTES);
    release(device);
}

static void what_leaves_an_allocation_is_refused_with_its_base_and_size(void **state)
{
    unsigned char bytes[BYTES + 1] = {0};
    unsigned char *device = allocate(ASTRIDE_MEMORY_DEVICE, BYTES);
    char allocation[128];

    (void)state;
    snprintf(allocation, sizeof allocation, "the allocation of %d bytes at %p on opencl:", BYTES,
             (void *)device);
    test_refused(opencl_copy(opencl_queue, device + BYTES, bytes, 1), ASTRIDE_OUT_OF_BOUNDS,
                 "astride_copy", "dst: base", allocation);
    test_refused(opencl_copy(opencl_queue, bytes, device + BYTES, 1), ASTRIDE_OUT_OF_BOUNDS,
                 "astride_copy", "src: base", allocation);
    test_refused(opencl_copy(opencl_queue, device, bytes, BYTES + 1), ASTRIDE_OUT_OF_BOUNDS,
                 "astride_copy", "dst: bytes", allocation);
    test_refused(opencl_copy(opencl_queue, bytes, device + BYTES - 1, 2), ASTRIDE_OUT_OF_BOUNDS,
                 "astride_copy", "src: bytes", allocation);
    assert_int_equal(opencl_copy(opencl_queue, bytes, device + BYTES - 1, 1), ASTRIDE_OK);
    release(device);
}

static void expect_kind(void *address, astride_memory_kind kind)
{
    astride_memory_info info = {.struct_size = sizeof info};

    assert_int_equal(
        astride_memory_query(opencl_device, (unsigned char *)address + BYTES - 1, &info),
        ASTRIDE_OK);
    assert_int_equal(info.kind, kind);
    assert_ptr_equal(info.base, address);
    assert_int_equal(info.bytes, BYTES);
}

/* There and back, the host reading and writing in place. */
static void round_trip(astride_memory_kind kind)
{
    unsigned char expected[BYTES];
    unsigned char *memory = allocate(kind, BYTES);
    unsigned char *device = allocate(ASTRIDE_MEMORY_DEVICE, BYTES);

    expect_kind(memory, kind);
    count_up(expected, BYTES);
    memcpy(memory, expected, BYTES);
    assert_int_equal(opencl_copy(opencl_queue, device, memory, BYTES), ASTRIDE_OK);
    memset(memory, 0, BYTES);
    assert_int_equal(opencl_copy(opencl_queue, memory + 64, device + 64, BYTES - 64), ASTRIDE_OK);
    memset(expected, 0, 64);
    assert_memory_equal(memory, expected, BYTES);
    release(device);
    release(memory);
}

static void the_host_reads_and_writes_pinned_memory(void **state)
{
    (void)state;
    round_trip(ASTRIDE_MEMORY_PINNED);
}

static void shared_memory_is_used_in_place_or_refused(void **state)
{
    void *address = opencl_device;
    const astride_status status =
        astride_memory_alloc(opencl_device, BYTES, ASTRIDE_MEMORY_SHARED, &address);

    (void)state;
    if (status == ASTRIDE_UNSUPPORTED) {
        test_refused(status, ASTRIDE_UNSUPPORTED, "", "CL_DEVICE_SVM_FINE_GRAIN_BUFFER", "");
        assert_ptr_equal(address, opencl_device);
        return;
    }
    assert_int_equal(status, ASTRIDE_OK);
    release(address);
    round_trip(ASTRIDE_MEMORY_SHARED);
}

static void allocations_above_the_devices_limit_are_refused(void **state)
{
    cl_ulong most = 0;
    void *address = opencl_device;
    char limit[64];

    (void)state;
    assert_int_equal(astride__cl.GetDeviceInfo(opencl_native_device(), CL_DEVICE_MAX_MEM_ALLOC_SIZE,
                                               sizeof most, &most, NULL),
                     CL_SUCCESS);
    snprintf(limit, sizeof limit, "CL_DEVICE_MAX_MEM_ALLOC_SIZE = %llu", (unsigned long long)most);
    for (int kind = ASTRIDE_MEMORY_DEVICE; kind <= ASTRIDE_MEMORY_PINNED; kind++)
        test_refused(astride_memory_alloc(opencl_device, (size_t)most + 1,
                                          (astride_memory_kind)kind, &address),
                     ASTRIDE_OUT_OF_MEMORY, "", "exceed", limit);
    assert_ptr_equal(address, opencl_device);
}

/* What a forced rectangle of 4-byte elements comes to, both sides in memory of the device. */
static astride_status plan_rect(void *dst, const void *src, const int64_t *extents,
                                const int64_t *dst_strides, const int64_t *src_strides)
{
    const astride_copy_desc desc = {
        .struct_size = sizeof desc,
        .rank = 3,
        .element_bytes = 4,
        .extents = extents,
        .dst = {.base = dst, .strides = dst_strides},
        .src = {.base = (void *)(uintptr_t)src, .strides = src_strides},
    };
    const astride_plan_options options = {.struct_size = sizeof options,
                                          .strategy = ASTRIDE_STRATEGY_RECT};
    astride_plan *plan = NULL;
    const astride_status status = astride_plan_create_with(opencl_device, &desc, &options, &plan);

    astride_plan_destroy(plan);
    return status;
}

/* Drivers need not refuse these, and Oclgrind does not. */
static void illegal_rectangles_never_reach_the_driver(void **state)
{
    const int64_t extents[] = {3, 4, 2};
    const int64_t dense[] = {32, 8, 4}, padded[] = {64, 16, 4};
    const struct {
        int64_t strides[3];
        size_t offset;
    } illegal[] = {
        {{72, 16, 4}, 0},    /* slice pitch no multiple of the row pitch */
        {{-64, 16, 4}, 512}, /* backwards */
        {{0, 16, 4}, 0},     /* a slice again and again */
        {{16, 0, 4}, 0},     /* a row again and again */
        {{4, 12, 48}, 0},    /* transposed */
        {{16, 48, 4}, 0},    /* slices between rows */
    };
    unsigned char *dst = allocate(ASTRIDE_MEMORY_DEVICE, BYTES);
    unsigned char *src = allocate(ASTRIDE_MEMORY_DEVICE, BYTES);

    (void)state;
    assert_int_equal(plan_rect(dst, src, extents, dense, padded), ASTRIDE_OK);
    for (size_t i = 0; i < sizeof illegal / sizeof illegal[0]; i++)
        test_refused(plan_rect(dst, src + illegal[i].offset, extents, dense, illegal[i].strides),
                     ASTRIDE_UNSUPPORTED, "astride_plan_create_with", "rect", "");
    /* Both sides in one buffer, though apart. */
    test_refused(plan_rect(dst, dst + 1024, extents, dense, padded), ASTRIDE_UNSUPPORTED,
                 "astride_plan_create_with", "rect", "");
    release(src);
    release(dst);
}

/* More dimensions than a kernel has, none of which can be merged. */
static void ranks_above_eight_are_looped_over(void **state)
{
    enum { RANK = 10, ELEMENTS = 1 << RANK };
    int64_t extents[RANK], strides[RANK];
    unsigned char *source = calloc(1, 60000), result[ELEMENTS];
    unsigned char *src, *dst = allocate(ASTRIDE_MEMORY_DEVICE, ELEMENTS);
    size_t bytes = 1;

    (void)state;
    assert_non_null(source);
    for (int d = RANK - 1; d >= 0; d--) {
        extents[d] = 2;
        strides[d] = (int64_t)bytes;
        bytes = bytes * 2 + bytes / 2 + 1;
    }
    assert_true(bytes <= 60000);
    count_up(source, bytes);
    src = allocate(ASTRIDE_MEMORY_DEVICE, bytes);
    assert_int_equal(opencl_copy(opencl_queue, src, source, bytes), ASTRIDE_OK);
    const astride_copy_desc desc = {
        .struct_size = sizeof desc,
        .rank = RANK,
        .element_bytes = 1,
        .extents = extents,
        .dst = {.base = dst},
        .src = {.base = src, .strides = strides},
    };
    const astride_plan_options options = {.struct_size = sizeof options,
                                          .strategy = ASTRIDE_STRATEGY_KERNEL};
    astride_plan_info info = {.struct_size = sizeof info};
    astride_plan *plan = NULL;
    assert_int_equal(astride_plan_create_with(opencl_device, &desc, &options, &plan), ASTRIDE_OK);
    assert_int_equal(astride_plan_get_info(plan, &info), ASTRIDE_OK);
    assert_true(info.call_count > 1);
    assert_int_equal(astride_plan_run(plan, opencl_queue, dst, src), ASTRIDE_OK);
    assert_int_equal(opencl_copy(opencl_queue, result, dst, ELEMENTS), ASTRIDE_OK);
    for (unsigned i = 0; i < ELEMENTS; i++) {
        int64_t offset = 0;
        for (int d = 0; d < RANK; d++)
            offset += (i >> (RANK - 1 - d) & 1u) != 0 ? strides[d] : 0;
        assert_int_equal(result[i], source[offset]);
    }
    astride_plan_destroy(plan);
    release(src);
    release(dst);
    free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stray_dereference_of_a_device_address_faults),
        cmocka_unit_test(addresses_can_be_calculated_with),
        cmocka_unit_test(what_leaves_an_allocation_is_refused_with_its_base_and_size),
        cmocka_unit_test(the_host_reads_and_writes_pinned_memory),
        cmocka_unit_test(shared_memory_is_used_in_place_or_refused),
        cmocka_unit_test(allocations_above_the_devices_limit_are_refused),
        cmocka_unit_test(illegal_rectangles_never_reach_the_driver),
        cmocka_unit_test(ranks_above_eight_are_looped_over),
    };
    int failed;

    if (!opencl_fixture_open())
        return 0;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    opencl_fixture_close();
    return failed;
}
