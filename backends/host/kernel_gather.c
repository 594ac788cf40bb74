/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Elements of 1, 2, 4, 8 or 16 bytes, row by row: gathers, scatters, reversals, broadcasts. The
 * strides that matter are constants of a loop of their own, which the compiler can then vectorise.
 */
#include "kernels.h"

#include <stdbool.h>
#include <string.h>

/* Copies `count` elements along one row. */
typedef void (*row_function)(uint8_t *restrict dst, const uint8_t *restrict src, size_t count,
                             ptrdiff_t dst_stride, ptrdiff_t src_stride);

/*
 * Every kind of row: its word, the destination's and the source's stride. Elements are `size`
 * bytes; dst_stride and src_stride are those of the call. Rows that are dense on both sides or
 * repeat one element densely have functions of their own below.
 */
#define ROW_LIST(X, size)                                                                          \
    X(strided, size, dst_stride, src_stride)                                                       \
    X(gather, size, size, src_stride)                                                              \
    X(gather_2nd, size, size, 2 * (size))                                                          \
    X(gather_3rd, size, size, 3 * (size))                                                          \
    X(gather_4th, size, size, 4 * (size))                                                          \
    X(reverse, size, size, -(size))                                                                \
    X(scatter, size, dst_stride, size)                                                             \
    X(scatter_2nd, size, 2 * (size), size)                                                         \
    X(scatter_3rd, size, 3 * (size), size)                                                         \
    X(scatter_4th, size, 4 * (size), size)                                                         \
    X(broadcast, size, dst_stride, 0)

/* An element of 2 to 16 bytes repeated to 16, in the order of memory whatever the byte order. */
static void repeat_in_words(const uint8_t *element, size_t size, uint64_t words[2])
{
    uint16_t of_2;
    uint32_t of_4;
    switch (size) {
    case 2:
        memcpy(&of_2, element, sizeof(of_2));
        words[0] = words[1] = of_2 * UINT64_C(0x0001000100010001);
        break;
    case 4:
        memcpy(&of_4, element, sizeof(of_4));
        words[0] = words[1] = of_4 * UINT64_C(0x0000000100000001);
        break;
    case 8:
        memcpy(words, element, 8);
        words[1] = words[0];
        break;
    default:
        memcpy(words, element, 16);
        break;
    }
}

/* A dense run of one element repeated. */
static void repeat_element(uint8_t *restrict dst, const uint8_t *restrict src, size_t bytes,
                           size_t size)
{
    const bool one_value = memcmp(src, src + 1, size - 1) == 0;
    if (one_value) {
        memset(dst, *src, bytes);
        return;
    }
    uint64_t words[2];
    repeat_in_words(src, size, words);
    const uint64_t first = words[0], second = words[1];
    size_t done = 0;
    for (; bytes - done >= sizeof(words); done += sizeof(words)) {
        memcpy(dst + done, &first, sizeof(first));
        memcpy(dst + done + sizeof(first), &second, sizeof(second));
    }
    memcpy(dst + done, words, bytes - done);
}

#define DEFINE_ROW(word, size, dst_step, src_step)                                                 \
    static void word##_##size(uint8_t *restrict dst, const uint8_t *restrict src, size_t count,    \
                              ptrdiff_t dst_stride, ptrdiff_t src_stride)                          \
    {                                                                                              \
        (void)dst_stride;                                                                          \
        (void)src_stride;                                                                          \
        astride__host_copy_units(dst, src, count, dst_step, src_step, size);                       \
    }
ROW_LIST(DEFINE_ROW, 1)
ROW_LIST(DEFINE_ROW, 2)
ROW_LIST(DEFINE_ROW, 4)
ROW_LIST(DEFINE_ROW, 8)
ROW_LIST(DEFINE_ROW, 16)

typedef enum row_kind {
#define ROW_ENUMERATOR(word, size, dst_step, src_step) word,
    ROW_LIST(ROW_ENUMERATOR, 1)
} row_kind;

#define ROW_ENTRY(word, size, dst_step, src_step) [word] = word##_##size,
static const row_function rows_of_1[] = {ROW_LIST(ROW_ENTRY, 1)};
static const row_function rows_of_2[] = {ROW_LIST(ROW_ENTRY, 2)};
static const row_function rows_of_4[] = {ROW_LIST(ROW_ENTRY, 4)};
static const row_function rows_of_8[] = {ROW_LIST(ROW_ENTRY, 8)};
static const row_function rows_of_16[] = {ROW_LIST(ROW_ENTRY, 16)};

static const row_function *rows_of(size_t unit_bytes)
{
    switch (unit_bytes) {
    case 1:
        return rows_of_1;
    case 2:
        return rows_of_2;
    case 4:
        return rows_of_4;
    case 8:
        return rows_of_8;
    case 16:
        return rows_of_16;
    default:
        return NULL;
    }
}

static row_kind classify_row(ptrdiff_t size, ptrdiff_t dst_stride, ptrdiff_t src_stride)
{
    static const row_kind gathers[] = {[2] = gather_2nd, [3] = gather_3rd, [4] = gather_4th};
    static const row_kind scatters[] = {[2] = scatter_2nd, [3] = scatter_3rd, [4] = scatter_4th};
    if (src_stride == 0)
        return broadcast;
    if (dst_stride == size) {
        if (src_stride == -size)
            return reverse;
        if (src_stride == 2 * size || src_stride == 3 * size || src_stride == 4 * size)
            return gathers[src_stride / size];
        return gather;
    }
    if (src_stride == size) {
        if (dst_stride == 2 * size || dst_stride == 3 * size || dst_stride == 4 * size)
            return scatters[dst_stride / size];
        return scatter;
    }
    return strided;
}

static void copy_elements(uint8_t *restrict dst, const uint8_t *restrict src,
                          const astride__host_block *block)
{
    const ptrdiff_t size = (ptrdiff_t)block->unit_bytes;
    const bool dense = block->dst_column == size;
    const row_function row_copy =
        rows_of(block->unit_bytes)[classify_row(size, block->dst_column, block->src_column)];
    for (size_t row = 0; row < block->rows; row++) {
        uint8_t *dst_row = dst + (ptrdiff_t)row * block->dst_row;
        const uint8_t *src_row = src + (ptrdiff_t)row * block->src_row;
        if (dense && block->src_column == size)
            memcpy(dst_row, src_row, block->columns * block->unit_bytes);
        else if (dense && block->src_column == 0)
            repeat_element(dst_row, src_row, block->columns * block->unit_bytes, block->unit_bytes);
        else
            row_copy(dst_row, src_row, block->columns, block->dst_column, block->src_column);
    }
}

astride__host_kernel astride__host_gather_kernel(size_t unit_bytes)
{
    return rows_of(unit_bytes) ? copy_elements : NULL;
}
