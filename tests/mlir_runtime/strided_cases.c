/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Strided copies and the memref functions, by value. Fills are in fill_cases.c, random layouts in
 * random_cases.c.
 */
#include "tests/mlir_runtime/strided_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/mlir_runtime/fixture.h"

void *strided_stream;
void (*strided_stream_wait)(void *stream);

/* Which memory the two sides of a copy are in, and the stream. */
static const struct trial {
    test_buffer_origin dst, src;
    bool on_stream;
} trials[] = {
    {TEST_BUFFER_DEVICE, TEST_BUFFER_DEVICE, false},
    {TEST_BUFFER_PAGEABLE, TEST_BUFFER_DEVICE, false},
    {TEST_BUFFER_DEVICE, TEST_BUFFER_PAGEABLE, true},
    {TEST_BUFFER_PAGEABLE, TEST_BUFFER_DEVICE, true},
    {TEST_BUFFER_DEVICE, TEST_BUFFER_DEVICE, true},
};
enum { TRIAL_COUNT = sizeof trials / sizeof trials[0] };

static void copy(const struct trial *trial, void *dst, void *src, const int64_t *geometry,
                 int64_t rank, int64_t element_bytes)
{
    mgpuMemcpyStrided(dst, src, geometry, rank, element_bytes,
                      trial->on_stream ? strided_stream : NULL);
    if (trial->on_stream)
        strided_stream_wait(strided_stream);
}

/*
 * Copies 32-bit integers out of a source 0, 1, 2, ... in every kind of memory, and compares the
 * first `count` of the destination with `expected`, where -1 stands for an element that keeps its
 * contents.
 */
static void check_values(const int64_t *geometry, int64_t rank, size_t src_count,
                         const int32_t *expected, size_t count)
{
    for (size_t i = 0; i < TRIAL_COUNT; i++) {
        box dst = box_create(trials[i].dst, count * sizeof(int32_t), i + 1);
        box src = box_create_counting(trials[i].src, src_count);
        copy(&trials[i], dst.buffer.address, src.buffer.address, geometry, rank, 4);
        for (size_t k = 0; k < count; k++)
            if (expected[k] >= 0)
                memcpy(dst.image + k * sizeof(int32_t), &expected[k], sizeof(int32_t));
        box_check(&dst);
        box_check(&src);
        box_destroy(&dst);
        box_destroy(&src);
    }
}

void offset_subview_copies_its_one_element(void **state)
{
    /* memref<1xi32, strided<[1], offset: 10>> of memref<128xi32>, into memref<1xi32>. */
    const int64_t geometry[] = {0, 10, 1, 1, 1};
    const int32_t expected[] = {10};
    (void)state;
    check_values(geometry, 1, 128, expected, 1);
}

void row_stride_copies_rows_into_dense(void **state)
{
    /* memref<2x3xi32, strided<[128, 1], offset: 5>> into memref<2x3xi32>. */
    const int64_t geometry[] = {0, 5, 2, 3, 3, 1, 128, 1};
    const int32_t expected[] = {5, 6, 7, 133, 134, 135};
    (void)state;
    check_values(geometry, 2, 256, expected, 6);
}

void strided_destination_keeps_the_bytes_between(void **state)
{
    /* memref<2x2xi32> into memref<2x2xi32, strided<[5, 2], offset: 1>>. */
    const int64_t geometry[] = {1, 0, 2, 2, 5, 2, 2, 1};
    const int32_t expected[] = {-1, 0, -1, 1, -1, -1, 2, -1, 3, -1};
    (void)state;
    check_values(geometry, 2, 4, expected, 10);
}

void negative_stride_reverses(void **state)
{
    const int64_t source_geometry[] = {0, 4, 5, 1, -1};
    const int64_t destination_geometry[] = {4, 0, 5, -1, 1};
    const int64_t both_geometry[] = {4, 4, 5, -1, -1};
    const int32_t reversed[] = {4, 3, 2, 1, 0};
    const int32_t straight[] = {0, 1, 2, 3, 4};
    (void)state;
    check_values(source_geometry, 1, 5, reversed, 5);
    check_values(destination_geometry, 1, 5, reversed, 5);
    check_values(both_geometry, 1, 5, straight, 5);
}

void permuted_strides_transpose(void **state)
{
    /* The transposed view of memref<2x3xi32>, memref<3x2xi32, strided<[1, 3]>>. */
    const int64_t geometry[] = {0, 0, 3, 2, 2, 1, 1, 3};
    const int32_t expected[] = {0, 3, 1, 4, 2, 5};
    (void)state;
    check_values(geometry, 2, 6, expected, 6);
}

void zero_source_stride_broadcasts(void **state)
{
    const int64_t geometry[] = {0, 2, 3, 2, 2, 1, 0, 1};
    const int32_t expected[] = {2, 3, 2, 3, 2, 3};
    (void)state;
    check_values(geometry, 2, 8, expected, 6);
}

void rank_0_copies_the_element_at_the_offset(void **state)
{
    const int32_t expected[] = {-1, -1, 7, -1};
    const int64_t geometry[] = {2, 7};
    (void)state;
    check_values(geometry, 0, 9, expected, 4);
}

void negative_offset_reaches_below_the_pointer(void **state)
{
    const int64_t geometry[] = {-3, -2, 2, 1, 1};
    (void)state;
    for (size_t i = 0; i < TRIAL_COUNT; i++) {
        box dst = box_create(trials[i].dst, 4 * sizeof(int32_t), i + 1);
        box src = box_create_counting(trials[i].src, 4);
        const int32_t expected[] = {1, 2};
        copy(&trials[i], box_at(&dst, 12), box_at(&src, 12), geometry, 1, 4);
        memcpy(dst.image, expected, sizeof expected);
        box_check(&dst);
        box_destroy(&dst);
        box_destroy(&src);
    }
}

void size_0_touches_nothing(void **state)
{
    const int64_t geometry[] = {INT64_MAX, INT64_MIN, 3, 0, INT64_MAX, 1, INT64_MIN, 1};
    const int64_t fill_geometry[] = {INT64_MAX, 0, 1};
    const unsigned char pattern[3] = {1, 2, 3};
    (void)state;
    mgpuMemcpyStrided(NULL, NULL, geometry, 2, 4, NULL);
    mgpuMemcpyStrided(NULL, NULL, geometry, 2, 4, strided_stream);
    mgpuMemsetStrided(NULL, pattern, fill_geometry, 1, 3, strided_stream);
    strided_stream_wait(strided_stream);
}

void stride_of_size_1_is_ignored(void **state)
{
    const int64_t geometry[] = {0, 1, 1, 2, INT64_MAX, 1, INT64_MIN, 2};
    const int32_t expected[] = {1, 3};
    (void)state;
    check_values(geometry, 2, 4, expected, 2);
}

void overlapping_sides_copy_as_if_read_first(void **state)
{
    const int64_t up[] = {1, 0, 6, 1, 1};
    const int64_t down[] = {0, 2, 6, 1, 1};
    const int64_t reversing[] = {7, 0, 8, -1, 1};
    const int32_t expected[] = {7, 5, 7, 5, 4, 3, 2, 1};
    (void)state;
    for (size_t i = 0; i < TRIAL_COUNT; i++) {
        box made = box_create_counting(trials[i].dst, 8);
        void *base = made.buffer.address;
        copy(&trials[i], base, base, up, 1, 4);        /* 0 0 1 2 3 4 5 7 */
        copy(&trials[i], base, base, down, 1, 4);      /* 1 2 3 4 5 7 5 7 */
        copy(&trials[i], base, base, reversing, 1, 4); /* 7 5 7 5 4 3 2 1 */
        memcpy(made.image, expected, sizeof expected);
        box_check(&made);
        box_destroy(&made);
    }
}

void largest_rank_copies(void **state)
{
    /* 64 dimensions, of which two have an extent: the outermost and the innermost. */
    int64_t geometry[2 + 3 * ASTRIDE_MAX_RANK] = {0, 0};
    const int32_t expected[] = {0, 3, 1, 4, 2, 5};
    (void)state;
    for (int i = 0; i < ASTRIDE_MAX_RANK; i++)
        geometry[2 + i] = 1;
    geometry[2] = 3;
    geometry[2 + ASTRIDE_MAX_RANK - 1] = 2;
    geometry[2 + ASTRIDE_MAX_RANK] = 2;
    geometry[2 + 2 * ASTRIDE_MAX_RANK - 1] = 1;
    geometry[2 + 2 * ASTRIDE_MAX_RANK] = 1;
    geometry[2 + 3 * ASTRIDE_MAX_RANK - 1] = 3;
    check_values(geometry, ASTRIDE_MAX_RANK, 6, expected, 6);
}

void index_elements_copy_whole(void **state)
{
    const int64_t geometry[] = {0, 3, 2, 1, -3};
    const intptr_t values[] = {INTPTR_MIN, 11, 22, INTPTR_MAX};
    const intptr_t expected[] = {INTPTR_MAX, INTPTR_MIN};
    intptr_t copied[2] = {0, 0};
    (void)state;
    mgpuMemcpyStrided(copied, (void *)(uintptr_t)values, geometry, 1, sizeof(intptr_t), NULL);
    assert_memory_equal(copied, expected, sizeof expected);
}

typedef void memref_function(void *stream, astride_unranked_memref *dst,
                             astride_unranked_memref *src);

static const struct memref_case {
    memref_function *function;
    size_t bytes;
} memref_cases[] = {
#define MEMREF_CASE(type, bytes) {_mlir_ciface_astride_memcpy_##type, bytes},
    ASTRIDE_MLIR_MEMCPY_LIST(MEMREF_CASE)};

void memref_functions_copy_their_element_type(void **state)
{
    /* A transposed and reversed view with an offset into a padded one. */
    const int64_t sizes[] = {3, 4};
    const int64_t dst_strides[] = {6, 1};
    const int64_t src_strides[] = {1, -3};
    const int64_t geometry[] = {2, 10, 3, 4, 6, 1, 1, -3};
    (void)state;
    for (size_t i = 0; i < sizeof memref_cases / sizeof memref_cases[0]; i++) {
        size_t bytes = memref_cases[i].bytes;
        for (size_t k = 0; k < TRIAL_COUNT; k++) {
            box dst = box_create(trials[k].dst, 24 * bytes, i);
            box src = box_create(trials[k].src, 13 * bytes, i + 100);
            memref dst_memref = memref_of(dst.buffer.address, 2, 2, sizes, dst_strides);
            memref src_memref = memref_of(src.buffer.address, 10, 2, sizes, src_strides);
            astride_unranked_memref dst_unranked = {2, &dst_memref};
            astride_unranked_memref src_unranked = {2, &src_memref};
            memref_cases[i].function(trials[k].on_stream ? strided_stream : NULL, &dst_unranked,
                                     &src_unranked);
            if (trials[k].on_stream)
                strided_stream_wait(strided_stream);
            fixture_copy_images(dst.image, src.image, geometry, 2, bytes);
            box_check(&dst);
            box_check(&src);
            box_destroy(&dst);
            box_destroy(&src);
        }
    }
}

void memref_functions_copy_rank_0(void **state)
{
    float value = 2.5f;
    (void)state;
    box dst = box_create(TEST_BUFFER_DEVICE, 3 * sizeof value, 5);
    memref dst_memref = memref_of(dst.buffer.address, 1, 0, NULL, NULL);
    memref src_memref = memref_of(&value, 0, 0, NULL, NULL);
    astride_unranked_memref dst_unranked = {0, &dst_memref};
    astride_unranked_memref src_unranked = {0, &src_memref};
    _mlir_ciface_astride_memcpy_f32(strided_stream, &dst_unranked, &src_unranked);
    strided_stream_wait(strided_stream);
    memcpy(dst.image + sizeof value, &value, sizeof value);
    box_check(&dst);
    box_destroy(&dst);
}
