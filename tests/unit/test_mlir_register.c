/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * mgpuMemHostRegister and its kin: what is pinned after each call, as the library tells it.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <astride/astride.h>
#include <astride/mlir.h>

#include "tests/mlir_runtime/fixture.h"
#include "tests/mlir_runtime/native.h"

static unsigned char memory[1024];

static void assert_pinned(const void *address, const void *base, size_t bytes)
{
    astride_memory_info info = {.struct_size = sizeof info};
    assert_int_equal(astride_memory_query(NULL, address, &info), ASTRIDE_OK);
    assert_int_equal(info.kind, ASTRIDE_MEMORY_PINNED);
    assert_ptr_equal(info.base, base);
    assert_int_equal(info.bytes, bytes);
}

static void assert_not_pinned(const void *address)
{
    astride_memory_info info = {.struct_size = sizeof info};
    assert_int_equal(astride_memory_query(NULL, address, &info), ASTRIDE_OK);
    assert_int_equal(info.kind, ASTRIDE_MEMORY_HOST);
    assert_null(info.base);
}

static void twice_registered_needs_two_unregisters(void **state)
{
    (void)state;
    mgpuMemHostRegister(memory, 100);
    mgpuMemHostRegister(memory, 100);
    assert_pinned(memory + 99, memory, 100);
    mgpuMemHostUnregister(memory);
    assert_pinned(memory + 99, memory, 100);
    mgpuMemHostUnregister(memory);
    assert_not_pinned(memory);
}

static void part_of_a_range_is_counted(void **state)
{
    (void)state;
    mgpuMemHostRegister(memory, 100);
    mgpuMemHostRegister(memory + 50, 50);
    mgpuMemHostRegister(memory, 20);
    assert_pinned(memory, memory, 100);
    mgpuMemHostUnregister(memory);
    mgpuMemHostUnregister(memory);
    /* The part alone keeps the whole pinned. */
    assert_pinned(memory, memory, 100);
    mgpuMemHostUnregister(memory + 50);
    assert_not_pinned(memory);
    assert_not_pinned(memory + 50);
}

static void ranges_that_meet_become_one(void **state)
{
    (void)state;
    mgpuMemHostRegister(memory + 100, 100);
    mgpuMemHostRegister(memory + 300, 100);
    mgpuMemHostRegister(memory + 600, 10);
    assert_pinned(memory + 150, memory + 100, 100);
    mgpuMemHostRegister(memory + 150, 200);
    assert_pinned(memory + 150, memory + 100, 300);
    assert_pinned(memory + 605, memory + 600, 10);
    mgpuMemHostUnregister(memory + 100);
    mgpuMemHostUnregister(memory + 150);
    assert_pinned(memory + 350, memory + 100, 300);
    mgpuMemHostUnregister(memory + 300);
    assert_not_pinned(memory + 350);
    assert_pinned(memory + 600, memory + 600, 10);
    mgpuMemHostUnregister(memory + 600);
    assert_not_pinned(memory + 600);
}

static void neighbours_stay_apart(void **state)
{
    (void)state;
    mgpuMemHostRegister(memory, 64);
    mgpuMemHostRegister(memory + 64, 64);
    assert_pinned(memory + 63, memory, 64);
    assert_pinned(memory + 64, memory + 64, 64);
    mgpuMemHostUnregister(memory);
    assert_not_pinned(memory);
    assert_pinned(memory + 64, memory + 64, 64);
    mgpuMemHostUnregister(memory + 64);
    assert_not_pinned(memory + 64);
}

static void memory_of_the_library_is_only_counted(void **state)
{
    (void)state;
    unsigned char *shared = mgpuMemAlloc(256, NULL, true);
    astride_memory_info info = {.struct_size = sizeof info};
    mgpuMemHostRegister(shared, 256);
    mgpuMemHostRegister(shared + 16, 16);
    mgpuMemHostUnregister(shared);
    mgpuMemHostUnregister(shared + 16);
    assert_int_equal(astride_memory_query(NULL, shared, &info), ASTRIDE_OK);
    assert_int_equal(info.kind, ASTRIDE_MEMORY_SHARED);
    assert_int_equal(info.bytes, 256);
    mgpuMemFree(shared, NULL);
}

static void own_registration_of_the_program_is_respected(void **state)
{
    (void)state;
    assert_int_equal(astride_memory_register(fixture_device(), memory, 128), ASTRIDE_OK);
    mgpuMemHostRegister(memory + 8, 100);
    mgpuMemHostUnregister(memory + 8);
    assert_pinned(memory, memory, 128);
    mgpuMemHostUnregister(memory);
    assert_not_pinned(memory);
}

static void no_bytes_are_counted(void **state)
{
    (void)state;
    mgpuMemHostRegister(memory, 0);
    assert_not_pinned(memory);
    mgpuMemHostRegister(memory, 16);
    mgpuMemHostUnregister(memory);
    mgpuMemHostUnregister(memory);
    assert_not_pinned(memory);
}

static void memref_is_registered_from_lowest_to_highest_byte(void **state)
{
    /* Rows upside down, columns 2 apart: elements 30 + {0, -10, -20} + {0, 2, 4, 6}. */
    const int64_t sizes[] = {3, 4};
    const int64_t strides[] = {-10, 2};
    memref reversed = memref_of(memory, 30, 2, sizes, strides);
    (void)state;
    mgpuMemHostRegisterMemRef(2, &reversed, 4);
    mgpuMemHostRegisterMemRef(2, &reversed, 4);
    assert_pinned(memory + 40, memory + 40, 4 * (26 + 1));
    mgpuMemHostUnregisterMemRef(2, &reversed, 4);
    assert_pinned(memory + 40, memory + 40, 4 * (26 + 1));
    mgpuMemHostUnregisterMemRef(2, &reversed, 4);
    assert_not_pinned(memory + 40);
}

static void memref_of_rank_0_is_one_element(void **state)
{
    memref scalar = memref_of(memory, 3, 0, NULL, NULL);
    (void)state;
    mgpuMemHostRegisterMemRef(0, &scalar, 8);
    assert_pinned(memory + 24, memory + 24, 8);
    mgpuMemHostUnregisterMemRef(0, &scalar, 8);
    assert_not_pinned(memory + 24);
}

static void memref_without_elements_is_a_no_op(void **state)
{
    const int64_t sizes[] = {3, 0};
    memref empty = memref_of(NULL, 0, 2, sizes, NULL);
    (void)state;
    mgpuMemHostRegisterMemRef(2, &empty, 4);
    mgpuMemHostUnregisterMemRef(2, &empty, 4);
}

/* In a process of its own, on the backend whose driver refuses. */
static void refused_case(void)
{
    unsigned char *large = malloc(2 * NATIVE_REGISTER_BYTES);
    fixture_use_backend("native");
    if (large == NULL)
        _exit(97);
    mgpuMemHostRegister(large, NATIVE_REGISTER_BYTES);
    /* Both together are too large; the first is not pinned any more then, but still counted. */
    mgpuMemHostRegister(large + NATIVE_REGISTER_BYTES - 1, 2);
    astride_memory_info info = {.struct_size = sizeof info};
    if (astride_memory_query(NULL, large, &info) != ASTRIDE_OK || info.base != NULL)
        _exit(96);
    mgpuMemHostUnregister(large);
    mgpuMemHostUnregister(large);
    free(large);
}

static void refusal_of_the_driver_is_reported(void **state)
{
    (void)state;
    fixture_outcome outcome = fixture_run(refused_case, "warn");
    assert_int_equal(outcome.status, 0);
    /* The second line is the second mgpuMemHostUnregister(), for which nothing was left. */
    const char *first = "astride: mgpuMemHostRegister: native: nativeRegister: 1048577 bytes: "
                        "TOO_LARGE\n"
                        "astride: mgpuMemHostUnregister: astride_memory_unregister: 0x";
    if (strncmp(outcome.text, first, strlen(first)) != 0)
        fail_msg("it said: %s", outcome.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusal_of_the_driver_is_reported),
        cmocka_unit_test(twice_registered_needs_two_unregisters),
        cmocka_unit_test(part_of_a_range_is_counted),
        cmocka_unit_test(ranges_that_meet_become_one),
        cmocka_unit_test(neighbours_stay_apart),
        cmocka_unit_test(memory_of_the_library_is_only_counted),
        cmocka_unit_test(own_registration_of_the_program_is_respected),
        cmocka_unit_test(no_bytes_are_counted),
        cmocka_unit_test(memref_is_registered_from_lowest_to_highest_byte),
        cmocka_unit_test(memref_of_rank_0_is_one_element),
        cmocka_unit_test(memref_without_elements_is_a_no_op),
    };
    fixture_use_backend(NULL);
    return cmocka_run_group_tests_name("mlir_register", tests, NULL, NULL);
}
