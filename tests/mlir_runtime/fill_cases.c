/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Strided fills, by value: elements that are patterns of the core, and elements that are not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/mlir_runtime/fixture.h"
#include "tests/mlir_runtime/strided_cases.h"

enum { LARGEST_ELEMENT = 70 };

/* 3 x 4 elements of a region of 5 x 7, rows upside down: its base is element 25. */
static const int64_t fill_geometry[] = {25, 3, 4, -7, 2};
enum { REGION_ELEMENTS = 35 };

static void fill_image(unsigned char *image, const unsigned char *pattern, size_t element_bytes)
{
    for (int64_t i = 0; i < 3; i++)
        for (int64_t k = 0; k < 4; k++)
            memcpy(image + (size_t)(25 - 7 * i + 2 * k) * element_bytes, pattern, element_bytes);
}

static void check_fill(test_buffer_origin origin, void *stream, const unsigned char *pattern,
                       size_t element_bytes)
{
    box dst = box_create(origin, REGION_ELEMENTS * element_bytes, element_bytes);
    mgpuMemsetStrided(dst.buffer.address, pattern, fill_geometry, 2, (int64_t)element_bytes,
                      stream);
    if (stream != NULL)
        strided_stream_wait(stream);
    fill_image(dst.image, pattern, element_bytes);
    box_check(&dst);
    box_destroy(&dst);
}

void fill_writes_elements_of_every_size(void **state)
{
    unsigned char pattern[LARGEST_ELEMENT];
    (void)state;
    /* No byte is repeated, so that no part of the pattern can stand for another. */
    for (size_t i = 0; i < sizeof pattern; i++)
        pattern[i] = (unsigned char)(i + 1);
    for (size_t bytes = 1; bytes <= sizeof pattern; bytes++) {
        check_fill(TEST_BUFFER_DEVICE, NULL, pattern, bytes);
        check_fill(TEST_BUFFER_DEVICE, strided_stream, pattern, bytes);
        check_fill(TEST_BUFFER_PAGEABLE, strided_stream, pattern, bytes);
    }
}

void fill_repeats_short_patterns(void **state)
{
    unsigned char pattern[LARGEST_ELEMENT];
    static const size_t periods[] = {1, 2, 3, 4, 8, 12, 16, 32};
    (void)state;
    for (size_t i = 0; i < sizeof periods / sizeof periods[0]; i++) {
        for (size_t k = 0; k < sizeof pattern; k++)
            pattern[k] = (unsigned char)(1 + k % periods[i]);
        for (size_t bytes = periods[i]; bytes <= sizeof pattern; bytes += periods[i])
            check_fill(TEST_BUFFER_DEVICE, strided_stream, pattern, bytes);
        /* The last repetition is cut off. */
        check_fill(TEST_BUFFER_DEVICE, NULL, pattern, sizeof pattern - 1);
    }
}

void fill_of_largest_rank_writes_odd_elements(void **state)
{
    int64_t geometry[1 + 2 * ASTRIDE_MAX_RANK] = {1};
    const unsigned char patterns[2][3] = {{7, 7, 7}, {7, 8, 9}};
    (void)state;
    for (int i = 0; i < ASTRIDE_MAX_RANK; i++)
        geometry[1 + i] = 1;
    geometry[1 + ASTRIDE_MAX_RANK - 1] = 3;
    geometry[1 + 2 * ASTRIDE_MAX_RANK - 1] = 2;
    for (size_t i = 0; i < 2; i++) {
        box dst = box_create(TEST_BUFFER_DEVICE, 18, 3);
        mgpuMemsetStrided(dst.buffer.address, patterns[i], geometry, ASTRIDE_MAX_RANK, 3,
                          strided_stream);
        strided_stream_wait(strided_stream);
        for (size_t k = 1; k < 6; k += 2)
            memcpy(dst.image + 3 * k, patterns[i], 3);
        box_check(&dst);
        box_destroy(&dst);
    }
}

void fill_reads_the_pattern_before_it_returns(void **state)
{
    (void)state;
    for (size_t bytes = 1; bytes <= 24; bytes++) {
        unsigned char pattern[24];
        unsigned char kept[24];
        int64_t geometry[] = {25, 3, 4, -7, 2};
        for (size_t i = 0; i < sizeof pattern; i++)
            pattern[i] = (unsigned char)(bytes + 3 * i);
        memcpy(kept, pattern, sizeof kept);
        box dst = box_create(TEST_BUFFER_DEVICE, REGION_ELEMENTS * bytes, bytes);
        mgpuMemsetStrided(dst.buffer.address, pattern, geometry, 2, (int64_t)bytes, strided_stream);
        memset(pattern, 0, sizeof pattern);
        memset(geometry, 0, sizeof geometry);
        strided_stream_wait(strided_stream);
        fill_image(dst.image, kept, bytes);
        box_check(&dst);
        box_destroy(&dst);
    }
}
