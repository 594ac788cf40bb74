/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * libastride_mlir_runtime on one backend: memory, contiguous copies and fills, streams, events and
 * threads. The strided functions are tested by the cases of tests/mlir_runtime.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <astride/astride.h>
#include <astride/mlir.h>

#include "tests/mlir_runtime/fixture.h"
#include "tests/mlir_runtime/strided_cases.h"

/* Large enough that work on a stream is in flight when the call returns. */
enum { LARGE_BYTES = 8 << 20, THREAD_COUNT = 4, ROUND_COUNT = 50 };

static void memcpy_moves_contiguous_bytes(void **state)
{
    (void)state;
    for (int on_stream = 0; on_stream < 2; on_stream++) {
        void *stream = on_stream ? strided_stream : NULL;
        box first = box_create(TEST_BUFFER_DEVICE, 1000, 1);
        box second = box_create(TEST_BUFFER_PAGEABLE, 1000, 2);
        mgpuMemcpy(box_at(&first, 100), box_at(&second, 3), 333, stream);
        mgpuStreamSynchronize(stream);
        memcpy(first.image + 100, second.image + 3, 333);
        box_check(&first);
        mgpuMemcpy(second.buffer.address, first.buffer.address, 1000, stream);
        mgpuStreamSynchronize(stream);
        memcpy(second.image, first.image, 1000);
        box_check(&second);
        box_destroy(&first);
        box_destroy(&second);
    }
}

static void memset_writes_values_of_its_width(void **state)
{
    const uint32_t value_32 = 0x12345678;
    const uint16_t value_16 = 0x9abc;
    (void)state;
    for (int on_stream = 0; on_stream < 2; on_stream++) {
        void *stream = on_stream ? strided_stream : NULL;
        box made = box_create(TEST_BUFFER_DEVICE, 400, 3);
        mgpuMemset32(box_at(&made, 8), value_32, 50, stream);
        mgpuMemset16(box_at(&made, 300), value_16, 11, stream);
        mgpuStreamSynchronize(stream);
        for (size_t i = 0; i < 50; i++)
            memcpy(made.image + 8 + 4 * i, &value_32, 4);
        for (size_t i = 0; i < 11; i++)
            memcpy(made.image + 300 + 2 * i, &value_16, 2);
        box_check(&made);
        box_destroy(&made);
    }
}

static void count_0_is_a_no_op(void **state)
{
    (void)state;
    mgpuMemcpy(NULL, NULL, 0, NULL);
    mgpuMemset32(NULL, 1, 0, strided_stream);
    mgpuMemset16(NULL, 1, 0, NULL);
    mgpuMemFree(NULL, NULL);
    mgpuStreamSynchronize(NULL);
    mgpuStreamDestroy(NULL);
    mgpuEventDestroy(NULL);
    mgpuModuleUnload(NULL);
}

static void alloc_gives_memory_of_the_kind(void **state)
{
    const astride_memory_kind kinds[2] = {ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_SHARED};
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        astride_memory_info info = {.struct_size = sizeof info};
        void *address = mgpuMemAlloc(4096, shared ? strided_stream : NULL, shared);
        assert_non_null(address);
        assert_int_equal(astride_memory_query(NULL, address, &info), ASTRIDE_OK);
        assert_int_equal(info.kind, kinds[shared]);
        assert_ptr_equal(info.base, address);
        assert_int_equal(info.bytes, 4096);
        assert_ptr_equal(info.device, fixture_device());
        mgpuMemFree(address, shared ? NULL : strided_stream);
        assert_int_equal(astride_memory_query(NULL, address, &info), ASTRIDE_OK);
        assert_null(info.base);
    }
}

static void alloc_of_0_bytes_gives_distinct_addresses(void **state)
{
    (void)state;
    void *first = mgpuMemAlloc(0, NULL, false);
    void *second = mgpuMemAlloc(0, NULL, false);
    assert_non_null(first);
    assert_non_null(second);
    assert_ptr_not_equal(first, second);
    mgpuMemFree(first, NULL);
    mgpuMemFree(second, NULL);
}

static void free_waits_for_work_of_every_stream(void **state)
{
    /* A transposing copy is slow: freeing at once would pull the source away from under it. */
    const int64_t geometry[] = {0, 0, 1024, 1024, 1024, 1, 1, 1024};
    size_t bytes = sizeof(int32_t) * 1024 * 1024;
    int32_t *numbers = malloc(bytes);
    int32_t *transposed = malloc(bytes);
    void *other = mgpuStreamCreate();
    (void)state;
    assert_non_null(numbers);
    assert_non_null(transposed);
    for (int32_t i = 0; i < 1024 * 1024; i++)
        numbers[i] = i;
    for (int i = 0; i < 4; i++) {
        void *device = mgpuMemAlloc(bytes, NULL, false);
        mgpuMemcpy(device, numbers, bytes, NULL);
        mgpuMemcpyStrided(transposed, device, geometry, 2, 4, other);
        /* Its own stream, none, and one that knows nothing of the work. */
        mgpuMemFree(device, i == 0 ? other : i == 1 ? NULL : strided_stream);
        for (int32_t k = 0; k < 1024 * 1024; k++)
            if (transposed[k] != k % 1024 * 1024 + k / 1024)
                fail_msg("element %d is %d", (int)k, (int)transposed[k]);
        memset(transposed, 0, bytes);
    }
    mgpuStreamDestroy(other);
    free(numbers);
    free(transposed);
}

static void stream_runs_in_order(void **state)
{
    (void)state;
    void *stream = mgpuStreamCreate();
    assert_non_null(stream);
    unsigned char *first = mgpuMemAlloc(LARGE_BYTES, stream, false);
    unsigned char *second = mgpuMemAlloc(LARGE_BYTES, stream, false);
    uint32_t *result = malloc(LARGE_BYTES);
    assert_non_null(result);
    for (unsigned round = 0; round < 5; round++) {
        mgpuMemset32(first, round, LARGE_BYTES / 4, stream);
        mgpuMemcpy(second, first, LARGE_BYTES, stream);
        mgpuMemset32(first, 99, LARGE_BYTES / 4, stream);
        mgpuMemcpy(result, second, LARGE_BYTES, stream);
        mgpuStreamSynchronize(stream);
        for (size_t i = 0; i < LARGE_BYTES / 4; i++)
            if (result[i] != round)
                fail_msg("round %u, value %zu is %u", round, i, (unsigned)result[i]);
    }
    mgpuMemFree(first, stream);
    mgpuMemFree(second, stream);
    mgpuStreamDestroy(stream);
    free(result);
}

static void event_orders_two_streams(void **state)
{
    (void)state;
    void *producer = mgpuStreamCreate();
    void *consumer = mgpuStreamCreate();
    void *produced = mgpuEventCreate();
    void *consumed = mgpuEventCreate();
    unsigned char *shared = mgpuMemAlloc(LARGE_BYTES, NULL, false);
    uint32_t *results = malloc(ROUND_COUNT * sizeof *results);
    assert_non_null(produced);
    assert_non_null(results);
    (void)state;
    for (unsigned round = 0; round < ROUND_COUNT; round++) {
        /* `consumed` was never recorded in the first round, which makes it no wait. */
        mgpuStreamWaitEvent(producer, consumed);
        mgpuMemset32(shared, round, LARGE_BYTES / 4, producer);
        mgpuEventRecord(produced, producer);
        mgpuStreamWaitEvent(consumer, produced);
        mgpuMemcpy(&results[round], shared + LARGE_BYTES - 4, 4, consumer);
        mgpuEventRecord(consumed, consumer);
    }
    mgpuEventSynchronize(consumed);
    for (unsigned round = 0; round < ROUND_COUNT; round++)
        assert_int_equal(results[round], round);
    mgpuEventDestroy(produced);
    mgpuEventDestroy(consumed);
    mgpuStreamDestroy(producer);
    mgpuStreamDestroy(consumer);
    mgpuMemFree(shared, NULL);
    free(results);
}

static void event_works_with_a_null_stream(void **state)
{
    uint32_t last = 0;
    (void)state;
    void *stream = mgpuStreamCreate();
    void *event = mgpuEventCreate();
    unsigned char *memory = mgpuMemAlloc(LARGE_BYTES, NULL, false);
    mgpuEventSynchronize(event);
    for (unsigned value = 0; value <= ROUND_COUNT; value++)
        mgpuMemset32(memory, value, LARGE_BYTES / 4, stream);
    mgpuEventRecord(event, stream);
    /* The work of a NULL stream is done on return, so the caller waits here. */
    mgpuStreamWaitEvent(NULL, event);
    mgpuMemcpy(&last, memory + LARGE_BYTES - 4, 4, NULL);
    assert_int_equal(last, ROUND_COUNT);
    mgpuEventRecord(event, NULL);
    assert_int_equal(astride_event_query(event), ASTRIDE_OK);
    mgpuEventDestroy(event);
    mgpuStreamDestroy(stream);
    mgpuMemFree(memory, NULL);
}

static void stream_is_a_queue(void **state)
{
    (void)state;
    assert_ptr_equal(astride_queue_device(strided_stream), fixture_device());
    assert_int_equal(astride_queue_wait(strided_stream), ASTRIDE_OK);
}

/* Copies through device memory on a NULL stream, each result checked as soon as the call returns.
 */
static void *copy_on_null_streams(void *argument)
{
    uintptr_t mistakes = 0;
    uint32_t seed = *(const uint32_t *)argument;
    uint32_t in[256];
    uint32_t out[256];
    const int64_t geometry[] = {0, 255, 256, 1, -1};

    uint32_t *device = mgpuMemAlloc(sizeof in, NULL, false);
    for (uint32_t round = 0; round < ROUND_COUNT; round++) {
        for (uint32_t i = 0; i < 256; i++)
            in[i] = seed + round + i;
        mgpuMemcpyStrided(device, in, geometry, 1, 4, NULL);
        mgpuMemcpy(out, device, sizeof out, NULL);
        for (uint32_t i = 0; i < 256; i++)
            mistakes += out[i] != in[255 - i];
    }
    mgpuMemFree(device, NULL);
    return (void *)mistakes;
}

/* Makes and destroys streams while other threads wait for all streams in mgpuMemFree(). */
static void *make_streams(void *argument)
{
    uintptr_t mistakes = 0;
    uint32_t seed = *(const uint32_t *)argument;

    for (uint32_t round = 0; round < ROUND_COUNT; round++) {
        uint32_t out = 0;
        void *stream = mgpuStreamCreate();
        void *event = mgpuEventCreate();
        void *device = mgpuMemAlloc(64, stream, false);
        mgpuMemset32(device, seed + round, 16, stream);
        mgpuEventRecord(event, stream);
        mgpuMemcpy(&out, device, 4, stream);
        mgpuStreamSynchronize(stream);
        mistakes += out != seed + round;
        mgpuMemFree(device, stream);
        mgpuEventDestroy(event);
        mgpuStreamDestroy(stream);
    }
    return (void *)mistakes;
}

static void threads_work_at_the_same_time(void **state)
{
    pthread_t threads[2 * THREAD_COUNT];
    uint32_t seeds[2 * THREAD_COUNT];
    (void)state;
    for (uint32_t i = 0; i < 2 * THREAD_COUNT; i++) {
        seeds[i] = 1000 * i;
        assert_int_equal(pthread_create(&threads[i], NULL,
                                        i % 2 == 0 ? copy_on_null_streams : make_streams,
                                        &seeds[i]),
                         0);
    }
    for (uint32_t i = 0; i < 2 * THREAD_COUNT; i++) {
        void *mistakes = NULL;
        assert_int_equal(pthread_join(threads[i], &mistakes), 0);
        assert_int_equal((uintptr_t)mistakes, 0);
    }
}

static int make_stream(void **state)
{
    (void)state;
    strided_stream = mgpuStreamCreate();
    strided_stream_wait = mgpuStreamSynchronize;
    return strided_stream == NULL;
}

static int destroy_stream(void **state)
{
    (void)state;
    mgpuStreamDestroy(strided_stream);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STRIDED_CASES,
        cmocka_unit_test(memcpy_moves_contiguous_bytes),
        cmocka_unit_test(memset_writes_values_of_its_width),
        cmocka_unit_test(count_0_is_a_no_op),
        cmocka_unit_test(alloc_gives_memory_of_the_kind),
        cmocka_unit_test(alloc_of_0_bytes_gives_distinct_addresses),
        cmocka_unit_test(free_waits_for_work_of_every_stream),
        cmocka_unit_test(stream_runs_in_order),
        cmocka_unit_test(event_orders_two_streams),
        cmocka_unit_test(event_works_with_a_null_stream),
        cmocka_unit_test(stream_is_a_queue),
        cmocka_unit_test(threads_work_at_the_same_time),
    };
    fixture_use_backend(NULL);
    return cmocka_run_group_tests_name("mlir_runtime", tests, make_stream, destroy_stream);
}
