/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * libastride_mlir_memref_copy on memory that the host cannot touch and on plain host memory.
 */
#include <pthread.h>
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

enum { THREAD_COUNT = 4, ROUND_COUNT = 100 };

static void copy(int64_t element_bytes, memref *src, memref *dst, int64_t rank)
{
    astride_unranked_memref src_unranked = {rank, src};
    astride_unranked_memref dst_unranked = {rank, dst};
    memrefCopy(element_bytes, &src_unranked, &dst_unranked);
}

static void source_comes_first(void **state)
{
    int32_t src[2] = {1, 2};
    int32_t dst[2] = {8, 9};
    const int64_t sizes[] = {2};
    memref src_memref = memref_of(src, 0, 1, sizes, NULL);
    memref dst_memref = memref_of(dst, 0, 1, sizes, NULL);
    (void)state;
    copy(4, &src_memref, &dst_memref, 1);
    assert_int_equal(src[0], 1);
    assert_int_equal(src[1], 2);
    assert_int_equal(dst[0], 1);
    assert_int_equal(dst[1], 2);
}

static void strided_views_copy_between_all_memories(void **state)
{
    static const test_buffer_origin origins[] = {TEST_BUFFER_PAGEABLE, TEST_BUFFER_PINNED,
                                                 TEST_BUFFER_DEVICE};
    const int64_t sizes[] = {2, 3, 2};
    const int64_t dst_strides[] = {1, 4, 2};
    const int64_t src_strides[] = {-8, 2, -1};
    const int64_t geometry[] = {3, 11, 2, 3, 2, 1, 4, 2, -8, 2, -1};
    (void)state;
    for (size_t i = 0; i < 9; i++) {
        for (size_t element_bytes = 1; element_bytes <= 17; element_bytes++) {
            box dst = box_create(origins[i / 3], 16 * element_bytes, 1);
            box src = box_create(origins[i % 3], 16 * element_bytes, 2);
            memref dst_memref = memref_of(dst.buffer.address, 3, 3, sizes, dst_strides);
            memref src_memref = memref_of(src.buffer.address, 11, 3, sizes, src_strides);
            copy((int64_t)element_bytes, &src_memref, &dst_memref, 3);
            fixture_copy_images(dst.image, src.image, geometry, 3, element_bytes);
            box_check(&dst);
            box_check(&src);
            box_destroy(&dst);
            box_destroy(&src);
        }
    }
}

static void rank_0_copies_one_element(void **state)
{
    (void)state;
    box dst = box_create(TEST_BUFFER_DEVICE, 64, 1);
    box src = box_create(TEST_BUFFER_DEVICE, 64, 2);
    memref dst_memref = memref_of(dst.buffer.address, 7, 0, NULL, NULL);
    memref src_memref = memref_of(src.buffer.address, 2, 0, NULL, NULL);
    copy(8, &src_memref, &dst_memref, 0);
    memcpy(dst.image + 56, src.image + 16, 8);
    box_check(&dst);
    box_destroy(&dst);
    box_destroy(&src);
}

static void size_0_copies_nothing(void **state)
{
    const int64_t sizes[] = {4, 0};
    memref dst_memref = memref_of(NULL, 0, 2, sizes, NULL);
    memref src_memref = memref_of(NULL, 0, 2, sizes, NULL);
    (void)state;
    copy(4, &src_memref, &dst_memref, 2);
}

static void memory_of_a_second_device_is_copied_there(void **state)
{
    const int64_t sizes[] = {4};
    const int64_t strides[] = {-1};
    const int64_t geometry[] = {0, 3, 4, 1, -1};
    astride_device *second;
    astride_queue *queue;
    (void)state;
    assert_int_equal(astride_device_open("native:1", &second), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(second, &queue), ASTRIDE_OK);
    box dst = box_create(TEST_BUFFER_PINNED, 16, 1);
    box src = box_create_on(queue, TEST_BUFFER_DEVICE, 16, 2);
    memref dst_memref = memref_of(dst.buffer.address, 0, 1, sizes, NULL);
    memref src_memref = memref_of(src.buffer.address, 3, 1, sizes, strides);
    copy(4, &src_memref, &dst_memref, 1);
    fixture_copy_images(dst.image, src.image, geometry, 1, 4);
    box_check(&dst);
    box_destroy(&dst);
    box_destroy(&src);
    astride_queue_destroy(queue);
    astride_device_close(second);
}

static void *copy_in_thread(void *argument)
{
    const int64_t sizes[] = {64};
    const int64_t strides[] = {-1};
    uintptr_t mistakes = 0;
    uint32_t seed = *(const uint32_t *)argument;
    for (uint32_t round = 0; round < ROUND_COUNT; round++) {
        uint32_t src[64];
        uint32_t dst[64] = {0};
        memref dst_memref = memref_of(dst, 0, 1, sizes, NULL);
        memref src_memref = memref_of(src, 63, 1, sizes, strides);
        for (uint32_t i = 0; i < 64; i++)
            src[i] = seed + round + i;
        copy(4, &src_memref, &dst_memref, 1);
        for (uint32_t i = 0; i < 64; i++)
            mistakes += dst[i] != src[63 - i];
    }
    return (void *)mistakes;
}

static void threads_copy_at_the_same_time(void **state)
{
    pthread_t threads[THREAD_COUNT];
    uint32_t seeds[THREAD_COUNT];
    (void)state;
    for (uint32_t i = 0; i < THREAD_COUNT; i++) {
        seeds[i] = 1000 * i;
        assert_int_equal(pthread_create(&threads[i], NULL, copy_in_thread, &seeds[i]), 0);
    }
    for (uint32_t i = 0; i < THREAD_COUNT; i++) {
        void *mistakes = NULL;
        assert_int_equal(pthread_join(threads[i], &mistakes), 0);
        assert_int_equal((uintptr_t)mistakes, 0);
    }
}

/* In a process of its own, on the host, where copies run on a thread of the queue. */
static void mismatch_case(void)
{
    uint32_t seed = 3;
    int32_t values[6] = {0};
    const int64_t sizes[2][2] = {{3, 2}, {3, 1}};
    fixture_use_backend("host");
    if (copy_in_thread(&seed) != NULL)
        _exit(1);
    memref first = memref_of(values, 0, 2, sizes[0], NULL);
    memref second = memref_of(values, 0, 2, sizes[1], NULL);
    astride_unranked_memref flat = {1, &second};
    astride_unranked_memref square = {2, &first};
    copy(4, &first, &second, 2);
    memrefCopy(4, &flat, &square);
    memrefCopy(0, &square, &square);
}

static void mismatch_is_refused(void **state)
{
    (void)state;
    fixture_outcome outcome = fixture_run(mismatch_case, "warn");
    assert_string_equal(
        outcome.text,
        "astride: memrefCopy: sizes[1] of dst is 1, of src 2\n"
        "astride: memrefCopy: dst has rank 2, src has rank 1\n"
        "astride: memrefCopy: element_bytes = 0 is not in 1 to 9223372036854775807\n");
    assert_int_equal(outcome.status, 0);
    outcome = fixture_run(mismatch_case, NULL);
    assert_string_equal(outcome.text, "astride: memrefCopy: sizes[1] of dst is 1, of src 2\n");
    assert_int_equal(outcome.status, -SIGABRT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mismatch_is_refused),
        cmocka_unit_test(source_comes_first),
        cmocka_unit_test(strided_views_copy_between_all_memories),
        cmocka_unit_test(rank_0_copies_one_element),
        cmocka_unit_test(size_0_copies_nothing),
        cmocka_unit_test(memory_of_a_second_device_is_copied_there),
        cmocka_unit_test(threads_copy_at_the_same_time),
    };
    fixture_use_backend("native");
    return cmocka_run_group_tests_name("mlir_memref_copy", tests, NULL, NULL);
}
