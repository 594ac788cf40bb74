/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Allocation, registration, import and what is known about addresses, on fake backends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include <astride/memory.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/memory.h"
#include "tests/support/fake_backend.h"
#include "tests/support/random.h"

#define THREAD_COUNT 8

static const uint64_t seed = 42;

/* Places that nobody dereferences. */
static void *const place = (void *)0x7000000;
static void *const handle = (void *)0x9000000;

static astride_device *fake;
static astride_device *plain;

static int open_devices(void **state)
{
    (void)state;
    fake_reset();
    return astride__device_acquire(&fake_backend, 0, &fake) != ASTRIDE_OK ||
           astride__device_acquire(&plain_backend, 0, &plain) != ASTRIDE_OK;
}

static int close_devices(void **state)
{
    (void)state;
    astride_device_close(fake);
    astride_device_close(plain);
    return 0;
}

static void *address_at(const void *base, ptrdiff_t offset)
{
    return (void *)((uintptr_t)base + (uintptr_t)offset);
}

static void expect_detail(const char *format, ...) ASTRIDE_PRINTF(1, 2);
static void expect_detail(const char *format, ...)
{
    char expected[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(expected, sizeof(expected), format, arguments);
    va_end(arguments);
    assert_string_equal(astride_last_error(), expected);
}

static void expect_query(astride_device *asked, const void *address, astride_memory_kind kind,
                         astride_device *device, const void *base, size_t bytes)
{
    astride_memory_info info = {.struct_size = sizeof(info)};

    assert_int_equal(astride_memory_query(asked, address, &info), ASTRIDE_OK);
    assert_int_equal(info.struct_size, sizeof(info));
    assert_int_equal(info.kind, kind);
    assert_ptr_equal(info.device, device);
    assert_ptr_equal(info.base, base);
    assert_int_equal(info.bytes, bytes);
}

static void allocations_are_known_until_they_are_freed(void **state)
{
    void *address = NULL;
    uint64_t generation = astride__memory_generation();

    (void)state;
    assert_int_equal(astride_memory_alloc(fake, 100, ASTRIDE_MEMORY_PINNED, &address), ASTRIDE_OK);
    assert_int_equal((uintptr_t)address % 64, 0);
    assert_int_equal(fake_latest.bytes, 100);
    assert_true(astride__memory_generation() != generation);
    expect_query(NULL, address, ASTRIDE_MEMORY_PINNED, fake, address, 100);
    expect_query(NULL, address_at(address, 99), ASTRIDE_MEMORY_PINNED, fake, address, 100);
    expect_query(NULL, address_at(address, 100), ASTRIDE_MEMORY_HOST, NULL, NULL, 0);
    expect_query(NULL, address_at(address, -1), ASTRIDE_MEMORY_HOST, NULL, NULL, 0);
    generation = astride__memory_generation();
    assert_int_equal(astride_memory_free(fake, address), ASTRIDE_OK);
    assert_int_equal(fake_count.memory_free, 1);
    assert_ptr_equal(fake_latest.allocation, address);
    assert_true(astride__memory_generation() != generation);
    expect_query(NULL, address, ASTRIDE_MEMORY_HOST, NULL, NULL, 0);
}

static void empty_allocations_have_addresses_of_their_own(void **state)
{
    void *first = NULL;
    void *second = NULL;

    (void)state;
    assert_int_equal(astride_memory_alloc(fake, 0, ASTRIDE_MEMORY_DEVICE, &first), ASTRIDE_OK);
    assert_int_equal(astride_memory_alloc(fake, 0, ASTRIDE_MEMORY_DEVICE, &second), ASTRIDE_OK);
    assert_int_equal(fake_latest.bytes, 1);
    assert_non_null(first);
    assert_ptr_not_equal(first, second);
    assert_int_equal(astride_memory_free(fake, first), ASTRIDE_OK);
    assert_int_equal(astride_memory_free(fake, second), ASTRIDE_OK);
}

static void bad_arguments_of_alloc_are_named(void **state)
{
    void *address = place;

    (void)state;
    assert_int_equal(astride_memory_alloc(NULL, 1, ASTRIDE_MEMORY_DEVICE, &address),
                     ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_alloc: device is NULL");
    assert_int_equal(astride_memory_alloc(fake, 1, ASTRIDE_MEMORY_DEVICE, NULL),
                     ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_alloc: address_out is NULL");
    assert_int_equal(astride_memory_alloc(fake, 1, ASTRIDE_MEMORY_HOST, &address),
                     ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_alloc: kind = 0 is none of ASTRIDE_MEMORY_DEVICE, "
                  "ASTRIDE_MEMORY_PINNED and ASTRIDE_MEMORY_SHARED");
    assert_int_equal(astride_memory_alloc(fake, 1, (astride_memory_kind)9, &address),
                     ASTRIDE_INVALID_ARGUMENT);
    assert_int_equal(astride_memory_alloc(fake, SIZE_MAX, ASTRIDE_MEMORY_DEVICE, &address),
                     ASTRIDE_OUT_OF_MEMORY);
    expect_detail("astride_memory_alloc: %zu bytes exceed the address space", SIZE_MAX);
    assert_int_equal(fake_count.memory_alloc, 0);
    fake_wish.alloc = ASTRIDE_OUT_OF_MEMORY;
    assert_int_equal(astride_memory_alloc(fake, 1, ASTRIDE_MEMORY_DEVICE, &address),
                     ASTRIDE_OUT_OF_MEMORY);
    expect_detail("fake: memory_alloc: as wished");
    assert_ptr_equal(address, place);
}

static void bad_addresses_of_a_backend_are_its_defect(void **state)
{
    void *address = NULL;

    (void)state;
    fake_wish.address = address_at(place, 8);
    assert_int_equal(astride_memory_alloc(fake, 16, ASTRIDE_MEMORY_DEVICE, &address),
                     ASTRIDE_INTERNAL);
    expect_detail("astride_memory_alloc: backend fake gave 0x7000008 for 16 bytes, which is NULL, "
                  "not aligned to 64 or wraps around");
    fake_wish.address = place;
    assert_int_equal(astride_memory_alloc(fake, 256, ASTRIDE_MEMORY_DEVICE, &address), ASTRIDE_OK);
    fake_wish.address = address_at(place, 64);
    address = NULL;
    assert_int_equal(astride_memory_alloc(fake, 16, ASTRIDE_MEMORY_DEVICE, &address),
                     ASTRIDE_INTERNAL);
    expect_detail("astride_memory_alloc: backend fake gave 0x7000040 for 16 bytes, inside the live "
                  "allocation of 256 bytes at 0x7000000 of fake:0");
    assert_null(address);
    assert_int_equal(fake_count.memory_free, 2);
    assert_int_equal(astride_memory_free(fake, place), ASTRIDE_OK);
}

static void registrations_that_outlive_their_memory_are_told(void **state)
{
    void *address = NULL;

    (void)state;
    assert_int_equal(astride_memory_register(fake, place, 32), ASTRIDE_OK);
    fake_wish.address = place;
    assert_int_equal(astride_memory_alloc(plain, 16, ASTRIDE_MEMORY_DEVICE, &address),
                     ASTRIDE_INVALID_ARGUMENT);
    expect_detail(
        "astride_memory_alloc: backend plain gave 0x7000000 for 16 bytes; the 32 bytes at "
        "0x7000000 there, which are registered with fake:0, were freed by their owner too "
        "early");
    assert_null(address);
    assert_int_equal(astride_memory_unregister(fake, place), ASTRIDE_OK);
}

static void free_wants_the_start_of_an_allocation_of_the_device(void **state)
{
    void *address = NULL;

    (void)state;
    assert_int_equal(astride_memory_free(NULL, place), ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_free: device is NULL");
    assert_int_equal(astride_memory_free(fake, NULL), ASTRIDE_OK);
    assert_int_equal(astride_memory_free(fake, place), ASTRIDE_INVALID_ARGUMENT);
    expect_detail(
        "astride_memory_free: 0x7000000 is the start of no allocation of fake:0; no range "
        "is known");

    fake_wish.address = place;
    assert_int_equal(astride_memory_alloc(fake, 256, ASTRIDE_MEMORY_DEVICE, &address), ASTRIDE_OK);
    assert_int_equal(astride_memory_free(fake, address_at(place, 10)), ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_free: 0x700000a is the start of no allocation of fake:0; it is "
                  "inside the allocation of 256 bytes at 0x7000000 of fake:0");
    assert_int_equal(astride_memory_free(fake, address_at(place, 256)), ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_free: 0x7000100 is the start of no allocation of fake:0; the "
                  "nearest known range is the allocation of 256 bytes at 0x7000000 of fake:0");
    assert_int_equal(astride_memory_free(plain, place), ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_free: 0x7000000 is the start of no allocation of plain:0, but of "
                  "the allocation of 256 bytes of fake:0");
    assert_int_equal(astride_memory_unregister(fake, place), ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_unregister: 0x7000000 is the start of no registered range of "
                  "fake:0, but of the allocation of 256 bytes of fake:0");
    assert_int_equal(fake_count.memory_free, 0);
    assert_int_equal(astride_memory_free(fake, place), ASTRIDE_OK);
    assert_int_equal(astride_memory_free(fake, place), ASTRIDE_INVALID_ARGUMENT);
    assert_int_equal(fake_count.memory_free, 1);
}

static void registered_memory_is_pinned_until_it_is_unregistered(void **state)
{
    (void)state;
    assert_int_equal(astride_memory_register(fake, address_at(place, 3), 50), ASTRIDE_OK);
    assert_int_equal(fake_latest.bytes, 50);
    expect_query(NULL, address_at(place, 52), ASTRIDE_MEMORY_PINNED, fake, address_at(place, 3),
                 50);
    assert_int_equal(astride_memory_free(fake, address_at(place, 3)), ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_free: 0x7000003 is the start of no allocation of fake:0, but of "
                  "the registered range of 50 bytes of fake:0");
    assert_int_equal(astride_memory_unregister(fake, address_at(place, 3)), ASTRIDE_OK);
    assert_ptr_equal(fake_latest.allocation, address_at(place, 4));
    expect_query(NULL, address_at(place, 3), ASTRIDE_MEMORY_HOST, NULL, NULL, 0);
}

static void bad_arguments_of_register_are_named(void **state)
{
    (void)state;
    assert_int_equal(astride_memory_register(fake, NULL, 8), ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_register: address is NULL");
    assert_int_equal(astride_memory_register(fake, place, 0), ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_register: bytes is 0");
    assert_int_equal(astride_memory_register(fake, place, SIZE_MAX), ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_register: the %zu bytes at 0x7000000 wrap around address 0",
                  SIZE_MAX);
    assert_int_equal(astride_memory_register(plain, place, 8), ASTRIDE_UNSUPPORTED);
    expect_detail("astride_memory_register: backend plain has no memory_register");
    assert_int_equal(fake_count.memory_register, 0);

    assert_int_equal(astride_memory_register(fake, place, 8), ASTRIDE_OK);
    assert_int_equal(astride_memory_register(fake, address_at(place, 7), 8),
                     ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_register: the 8 bytes at 0x7000007 overlap the registered range "
                  "of 8 bytes at 0x7000000 of fake:0");
    assert_int_equal(fake_count.memory_register, 1);
    assert_int_equal(astride_memory_register(fake, address_at(place, 8), 8), ASTRIDE_OK);
    assert_int_equal(astride_memory_unregister(fake, address_at(place, 8)), ASTRIDE_OK);
    assert_int_equal(astride_memory_unregister(fake, place), ASTRIDE_OK);
}

static void a_refused_registration_leaves_nothing_behind(void **state)
{
    (void)state;
    fake_wish.reg = ASTRIDE_DRIVER_ERROR;
    assert_int_equal(astride_memory_register(fake, place, 8), ASTRIDE_DRIVER_ERROR);
    expect_detail("fake: memory_register: as wished");
    expect_query(NULL, place, ASTRIDE_MEMORY_HOST, NULL, NULL, 0);
    fake_wish.reg = ASTRIDE_OK;
    assert_int_equal(astride_memory_register(fake, place, 8), ASTRIDE_OK);
    assert_int_equal(astride_memory_unregister(fake, place), ASTRIDE_OK);
}

static void imported_memory_is_released_by_free(void **state)
{
    void *address = NULL;

    (void)state;
    fake_wish.address = place;
    assert_int_equal(astride_memory_import(fake, handle, 128, &address), ASTRIDE_OK);
    assert_ptr_equal(address, place);
    expect_query(NULL, address_at(place, 127), ASTRIDE_MEMORY_DEVICE, fake, place, 128);
    address = NULL;
    assert_int_equal(astride_memory_import(fake, handle, 128, &address), ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_import: the 128 bytes at 0x7000000 overlap the imported "
                  "allocation of 128 bytes at 0x7000000 of fake:0");
    assert_null(address);
    assert_int_equal(fake_count.memory_release, 1);
    assert_int_equal(astride_memory_free(fake, place), ASTRIDE_OK);
    assert_int_equal(fake_count.memory_release, 2);
    assert_ptr_equal(fake_latest.allocation, handle);
    assert_int_equal(fake_count.memory_free, 0);
}

static void bad_arguments_of_import_are_named(void **state)
{
    void *address = NULL;

    (void)state;
    assert_int_equal(astride_memory_import(fake, NULL, 8, &address), ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_import: handle is NULL");
    assert_int_equal(astride_memory_import(fake, handle, 8, NULL), ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_import: address_out is NULL");
    assert_int_equal(astride_memory_import(fake, handle, 0, &address), ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_import: bytes is 0");
    assert_int_equal(astride_memory_import(plain, handle, 8, &address), ASTRIDE_UNSUPPORTED);
    expect_detail("astride_memory_import: backend plain has no memory_import");
    assert_int_equal(fake_count.memory_import, 0);
    assert_null(address);
}

static void unknown_addresses_are_asked_of_the_driver(void **state)
{
    astride__range range;

    (void)state;
    fake_wish.query_base = place;
    fake_wish.query_bytes = 512;
    expect_query(fake, address_at(place, 5), ASTRIDE_MEMORY_DEVICE, fake, place, 512);
    assert_int_equal(astride__memory_find(fake, address_at(place, 5), &range), ASTRIDE_OK);
    assert_int_equal(range.origin, ASTRIDE__RANGE_QUERIED);
    assert_null(range.allocation);
    assert_int_equal(fake_count.memory_query, 2);
    expect_query(plain, place, ASTRIDE_MEMORY_HOST, NULL, NULL, 0);
    expect_query(NULL, place, ASTRIDE_MEMORY_HOST, NULL, NULL, 0);
    assert_int_equal(fake_count.memory_query, 2);

    astride__fail(ASTRIDE_INTERNAL, "an earlier failure");
    fake_wish.query = ASTRIDE_NOT_FOUND;
    expect_query(fake, place, ASTRIDE_MEMORY_HOST, NULL, NULL, 0);
    expect_detail("an earlier failure");
}

static void address_that_the_driver_refuses_is_an_error(void **state)
{
    astride_memory_info info = {.struct_size = sizeof(info), .bytes = 7};
    unsigned char bytes[4] = {0};
    const astride_copy_desc desc = {.struct_size = sizeof(desc),
                                    .element_bytes = 4,
                                    .dst = {.base = bytes},
                                    .src = {.base = bytes}};
    astride_plan *plan = NULL;

    (void)state;
    fake_wish.query = ASTRIDE_DRIVER_ERROR;
    assert_int_equal(astride_memory_query(fake, place, &info), ASTRIDE_DRIVER_ERROR);
    expect_detail("astride_memory_query: fake: memory_query: as wished");
    assert_int_equal(info.bytes, 7);
    assert_int_equal(astride_plan_create(fake, &desc, &plan), ASTRIDE_DRIVER_ERROR);
    expect_detail("astride_plan_create: dst: fake: memory_query: as wished");
    assert_null(plan);
}

static void bad_arguments_of_query_are_named(void **state)
{
    astride_memory_info info = {.struct_size = 4, .bytes = 7};

    (void)state;
    assert_int_equal(astride_memory_query(fake, place, NULL), ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_query: info_out is NULL");
    assert_int_equal(astride_memory_query(fake, place, &info), ASTRIDE_INVALID_ARGUMENT);
    expect_detail("astride_memory_query: info_out->struct_size = 4 is below %zu", sizeof(info));
    assert_int_equal(info.bytes, 7);
}

static void the_nearest_range_is_the_one_with_the_smaller_gap(void **state)
{
    astride__range range;

    (void)state;
    assert_false(astride__memory_nearest(place, &range));
    assert_int_equal(astride_memory_register(fake, address_at(place, 0), 100), ASTRIDE_OK);
    assert_int_equal(astride_memory_register(fake, address_at(place, 200), 10), ASTRIDE_OK);
    assert_true(astride__memory_nearest(address_at(place, -5), &range));
    assert_int_equal(range.base, (uintptr_t)place);
    assert_true(astride__memory_nearest(address_at(place, 140), &range));
    assert_int_equal(range.base, (uintptr_t)place);
    assert_true(astride__memory_nearest(address_at(place, 160), &range));
    assert_int_equal(range.base, (uintptr_t)address_at(place, 200));
    assert_true(astride__memory_nearest(address_at(place, 5000), &range));
    assert_int_equal(range.base, (uintptr_t)address_at(place, 200));
    assert_int_equal(astride_memory_unregister(fake, place), ASTRIDE_OK);
    assert_int_equal(astride_memory_unregister(fake, address_at(place, 200)), ASTRIDE_OK);
}

static void what_is_left_is_given_back_when_the_device_closes(void **state)
{
    astride_device *other = NULL;
    void *address = NULL;
    void *kept = NULL;

    (void)state;
    assert_int_equal(astride__device_acquire(&fake_backend, 1, &other), ASTRIDE_OK);
    assert_int_equal(astride_memory_alloc(fake, 10, ASTRIDE_MEMORY_DEVICE, &kept), ASTRIDE_OK);
    for (int i = 0; i < 5; i++)
        assert_int_equal(astride_memory_alloc(other, 10, ASTRIDE_MEMORY_DEVICE, &address),
                         ASTRIDE_OK);
    assert_int_equal(astride_memory_register(other, place, 8), ASTRIDE_OK);
    assert_int_equal(astride_memory_import(other, handle, 8, &address), ASTRIDE_OK);
    astride_device_close(other);
    assert_int_equal(fake_count.memory_free, 5);
    assert_int_equal(fake_count.memory_unregister, 1);
    assert_int_equal(fake_count.memory_release, 1);
    expect_query(NULL, place, ASTRIDE_MEMORY_HOST, NULL, NULL, 0);
    expect_query(NULL, kept, ASTRIDE_MEMORY_DEVICE, fake, kept, 10);
    assert_int_equal(astride_memory_free(fake, kept), ASTRIDE_OK);
}

/* Each thread allocates, asks about and frees memory of its own, in random order. */
static void *use_memory(void *argument)
{
    uint64_t stream = (uint64_t)(uintptr_t)argument;
    void *addresses[16] = {NULL};
    size_t sizes[16] = {0};
    uintptr_t failures = 0;
    test_random random;

    test_random_seed(&random, seed, stream);
    for (int step = 0; step < 2000; step++) {
        size_t i = (size_t)test_random_below(&random, 16);
        astride_memory_info info = {.struct_size = sizeof(info)};
        if (addresses[i] == NULL) {
            sizes[i] = 1 + (size_t)test_random_below(&random, 300);
            failures += astride_memory_alloc(fake, sizes[i], ASTRIDE_MEMORY_DEVICE,
                                             &addresses[i]) != ASTRIDE_OK;
            continue;
        }
        failures += astride_memory_query(NULL, address_at(addresses[i], (ptrdiff_t)sizes[i] - 1),
                                         &info) != ASTRIDE_OK;
        failures += info.base != addresses[i] || info.bytes != sizes[i] || info.device != fake;
        failures += astride_memory_free(fake, addresses[i]) != ASTRIDE_OK;
        addresses[i] = NULL;
    }
    for (int i = 0; i < 16; i++)
        failures += astride_memory_free(fake, addresses[i]) != ASTRIDE_OK;
    return (void *)failures;
}

static void threads_use_memory_at_once(void **state)
{
    pthread_t threads[THREAD_COUNT];

    (void)state;
    for (uintptr_t i = 0; i < THREAD_COUNT; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_memory, (void *)i), 0);
    for (int i = 0; i < THREAD_COUNT; i++) {
        void *failures = NULL;
        pthread_join(threads[i], &failures);
        if (failures != NULL)
            fail_msg("seed %llu, stream %d: %lu failures", (unsigned long long)seed, i,
                     (unsigned long)(uintptr_t)failures);
    }
    assert_int_equal(fake_count.memory_alloc, fake_count.memory_free);
}

/* Threads that register one range at once: one gets it, the others are told. */
static void *register_place(void *argument)
{
    (void)argument;
    return (void *)(uintptr_t)(astride_memory_register(fake, place, 64) == ASTRIDE_OK);
}

static void of_threads_that_register_one_range_one_succeeds(void **state)
{
    pthread_t threads[THREAD_COUNT];
    uintptr_t successes = 0;

    (void)state;
    for (int i = 0; i < THREAD_COUNT; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, register_place, NULL), 0);
    for (int i = 0; i < THREAD_COUNT; i++) {
        void *success = NULL;
        pthread_join(threads[i], &success);
        successes += (uintptr_t)success;
    }
    assert_int_equal(successes, 1);
    assert_int_equal(fake_count.memory_register, 1);
    assert_int_equal(astride_memory_unregister(fake, place), ASTRIDE_OK);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_devices, close_devices)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(allocations_are_known_until_they_are_freed),
        CASE(empty_allocations_have_addresses_of_their_own),
        CASE(bad_arguments_of_alloc_are_named),
        CASE(bad_addresses_of_a_backend_are_its_defect),
        CASE(registrations_that_outlive_their_memory_are_told),
        CASE(free_wants_the_start_of_an_allocation_of_the_device),
        CASE(registered_memory_is_pinned_until_it_is_unregistered),
        CASE(bad_arguments_of_register_are_named),
        CASE(a_refused_registration_leaves_nothing_behind),
        CASE(imported_memory_is_released_by_free),
        CASE(bad_arguments_of_import_are_named),
        CASE(unknown_addresses_are_asked_of_the_driver),
        CASE(address_that_the_driver_refuses_is_an_error),
        CASE(bad_arguments_of_query_are_named),
        CASE(the_nearest_range_is_the_one_with_the_smaller_gap),
        CASE(what_is_left_is_given_back_when_the_device_closes),
        CASE(threads_use_memory_at_once),
        CASE(of_threads_that_register_one_range_one_succeeds),
    };

    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
