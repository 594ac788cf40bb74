/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How many calls of the runtime a copy takes, by value, and that none of them waits; and what the
 * program finds as it left it: the current device, the last error. On the simulated runtime, which
 * also checks each call against the documented rules.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/simulated/simulated.h"
#include "tests/support/fixture.h"

static const simulated_layout transposed = {.rank = 2,
                                            .element_bytes = 4,
                                            .extents = {40, 50},
                                            .dst_strides = {200, 4},
                                            .src_strides = {4, 160}};

/* The work calls of one copy, which must be right; the plan is made before the count begins. */
static uint64_t calls_of(const test_fixture *fixture, const simulated_layout *layout,
                         astride_memory_kind dst, astride_memory_kind src,
                         astride_strategy strategy)
{
    const astride_plan_options options = {.struct_size = sizeof options, .strategy = strategy};
    simulated_copy copy;
    astride_plan *plan = NULL;
    simulated_prepare(layout, fixture->device, dst, fixture->device, src, &copy);
    if (astride_plan_create_with(fixture->device, &copy.desc, &options, &plan) != ASTRIDE_OK)
        fail_msg("%s", astride_last_error());
    sim->reset();
    if (astride_plan_run(plan, fixture->queue, copy.dst, copy.src) != ASTRIDE_OK)
        fail_msg("%s", astride_last_error());
    const uint64_t calls = simulated_work();
    assert_int_equal(simulated_waits(), 0);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    simulated_check_rules();
    simulated_compare(&copy);
    astride_plan_destroy(plan);
    simulated_discard(&copy);
    return calls;
}

static void contiguous_of_any_rank_is_one_copy_call(void **state)
{
    static const astride_memory_kind kinds[] = {ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED,
                                                ASTRIDE_MEMORY_HOST, ASTRIDE_MEMORY_SHARED};
    for (int32_t rank = 0; rank <= 8; rank++) {
        simulated_layout layout = {.rank = rank, .element_bytes = 12};
        int64_t stride = 12;
        for (int32_t d = rank - 1; d >= 0; d--) {
            layout.extents[d] = d % 3 + 1;
            layout.dst_strides[d] = layout.src_strides[d] = stride;
            stride *= layout.extents[d];
        }
        for (size_t i = 0; i < 4; i++) {
            assert_int_equal(
                calls_of(*state, &layout, ASTRIDE_MEMORY_DEVICE, kinds[i], ASTRIDE_STRATEGY_AUTO),
                1);
            assert_int_equal(sim->count("hipMemcpyAsync"), 1);
            assert_int_equal(
                calls_of(*state, &layout, kinds[i], ASTRIDE_MEMORY_DEVICE, ASTRIDE_STRATEGY_AUTO),
                1);
            assert_int_equal(sim->count("hipMemcpyAsync"), 1);
        }
    }
}

/* Across the bus, where the DMA engine wants multiples of 4. */
static void rectangle_is_one_call_where_all_is_a_multiple_of_4(void **state)
{
    const simulated_layout two = {.rank = 1,
                                  .element_bytes = 4096,
                                  .extents = {7},
                                  .dst_strides = {4096},
                                  .src_strides = {8192}};
    const simulated_layout three = {.rank = 2,
                                    .element_bytes = 4096,
                                    .extents = {3, 5},
                                    .dst_strides = {5 * 4100, 4100},
                                    .src_strides = {7 * 5000, 5000}};
    const simulated_layout odd = {.rank = 1,
                                  .element_bytes = 4095,
                                  .extents = {7},
                                  .dst_strides = {4095},
                                  .src_strides = {8190}};
    assert_int_equal(
        calls_of(*state, &two, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED, ASTRIDE_STRATEGY_RECT),
        1);
    assert_int_equal(sim->count("hipMemcpy2DAsync"), 1);
    assert_int_equal(calls_of(*state, &three, ASTRIDE_MEMORY_PINNED, ASTRIDE_MEMORY_DEVICE,
                              ASTRIDE_STRATEGY_RECT),
                     1);
    assert_int_equal(sim->count("hipMemcpy3DAsync"), 1);
    (void)calls_of(*state, &odd, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED,
                   ASTRIDE_STRATEGY_AUTO);
    assert_int_equal(sim->count("hipMemcpy2DAsync") + sim->count("hipMemcpy3DAsync"), 0);
}

/* 10,000 rows of 64 bytes. */
static void five_dimensions_within_the_device_are_one_launch(void **state)
{
    const simulated_layout layout = {.rank = 5,
                                     .element_bytes = 4,
                                     .extents = {10, 10, 10, 10, 16},
                                     .dst_strides = {640000, 64000, 6400, 640, 4},
                                     .src_strides = {704000, 70400, 7040, 704, 4}};
    assert_int_equal(calls_of(*state, &layout, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_DEVICE,
                              ASTRIDE_STRATEGY_AUTO),
                     1);
    assert_int_equal(sim->count("hipModuleLaunchKernel"), 1);
}

static void five_dimensions_to_the_device_are_few_calls(void **state)
{
    const simulated_layout layout = {.rank = 5,
                                     .element_bytes = 4,
                                     .extents = {10, 10, 10, 10, 16},
                                     .dst_strides = {640000, 64000, 6400, 640, 4},
                                     .src_strides = {704000, 70400, 7040, 704, 4}};
    assert_in_range(calls_of(*state, &layout, ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED,
                             ASTRIDE_STRATEGY_AUTO),
                    1, 4);
}

typedef int (*number_function)(int *number);
typedef int (*set_function)(int number);
typedef int (*plain_function)(void);

static void device_of_the_program_stays_current(void **state)
{
    const test_fixture *fixture = *state;
    number_function get = NULL;
    set_function set = NULL;
    simulated_copy copy;
    int seen = -1;
    *(void **)(void *)&get = simulated_function("hipGetDevice");
    *(void **)(void *)&set = simulated_function("hipSetDevice");
    assert_int_equal(set(1), 0);
    simulated_prepare(&transposed, fixture->device, ASTRIDE_MEMORY_DEVICE, fixture->device,
                      ASTRIDE_MEMORY_DEVICE, &copy);
    assert_int_equal(astride_copy(fixture->queue, &copy.desc), ASTRIDE_OK);
    assert_int_equal(get(&seen), 0);
    assert_int_equal(seen, 1);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    simulated_compare(&copy);
    simulated_discard(&copy);
    assert_int_equal(get(&seen), 0);
    assert_int_equal(seen, 1);
    assert_int_equal(set(0), 0);
    simulated_check_rules();
}

/* A failure that the library reports itself is not told once more by hipGetLastError(). */
static void last_error_is_for_calls_of_the_program(void **state)
{
    const test_fixture *fixture = *state;
    plain_function peek = NULL;
    void *address;
    *(void **)(void *)&peek = simulated_function("hipPeekAtLastError");
    assert_int_equal(
        astride_memory_alloc(fixture->device, (size_t)1 << 40, ASTRIDE_MEMORY_DEVICE, &address),
        ASTRIDE_OUT_OF_MEMORY);
    assert_non_null(strstr(astride_last_error(), "hipErrorOutOfMemory (2)"));
    assert_int_equal(peek(), 0);
    assert_int_equal(astride_queue_query(fixture->queue), ASTRIDE_OK);
    assert_int_equal(peek(), 0);
}

/*
 * A fill of pageable memory is a host call in the queue. The runtime may read pageable memory when
 * a copy is enqueued: by then the fill must be done.
 */
static void a_copy_from_pageable_memory_sees_host_calls_before_it(void **state)
{
    enum { BYTES = 4096 };
    const test_fixture *fixture = *state;
    static unsigned char host[BYTES], back[BYTES];
    const int64_t extent = BYTES, every_second = 2, half = BYTES / 2;
    const unsigned char pattern = 0xa5;
    void *device;
    assert_int_equal(astride_memory_alloc(fixture->device, BYTES, ASTRIDE_MEMORY_DEVICE, &device),
                     ASTRIDE_OK);
    const astride_fill_desc fill = {.struct_size = sizeof fill,
                                    .rank = 1,
                                    .element_bytes = 1,
                                    .extents = &half,
                                    .dst = {host, &every_second},
                                    .pattern = &pattern};
    astride_copy_desc copy = {.struct_size = sizeof copy,
                              .rank = 1,
                              .element_bytes = 1,
                              .extents = &extent,
                              .dst = {device, NULL},
                              .src = {host, NULL}};
    assert_int_equal(astride_fill(fixture->queue, &fill), ASTRIDE_OK);
    assert_int_equal(astride_copy(fixture->queue, &copy), ASTRIDE_OK);
    copy.src.base = device;
    copy.dst.base = back;
    assert_int_equal(astride_copy(fixture->queue, &copy), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    for (int i = 0; i < BYTES; i++)
        assert_int_equal(back[i], i % 2 == 0 ? pattern : 0);
    assert_int_equal(astride_memory_free(fixture->device, device), ASTRIDE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contiguous_of_any_rank_is_one_copy_call),
        cmocka_unit_test(rectangle_is_one_call_where_all_is_a_multiple_of_4),
        cmocka_unit_test(five_dimensions_within_the_device_are_one_launch),
        cmocka_unit_test(five_dimensions_to_the_device_are_few_calls),
        cmocka_unit_test(device_of_the_program_stays_current),
        cmocka_unit_test(last_error_is_for_calls_of_the_program),
        cmocka_unit_test(a_copy_from_pageable_memory_sees_host_calls_before_it),
    };
    simulated_select();
    return cmocka_run_group_tests(tests, simulated_setup, simulated_teardown);
}
