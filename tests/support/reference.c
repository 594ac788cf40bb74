/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The plain loops that every copy and fill is compared with.
 */
#include "tests/support/reference.h"

#include <stdlib.h>
#include <string.h>

typedef struct loop {
    unsigned char *dst;
    const unsigned char *src;
    size_t element_bytes;
} loop;

static void copy_element(size_t dst_offset, size_t src_offset, void *argument)
{
    const loop *l = argument;
    unsigned char *dst = l->dst + dst_offset;
    const unsigned char *src = l->src + src_offset;

    for (size_t b = 0; b < l->element_bytes; b++)
        dst[b] = src[b];
}

static void fill_element(size_t dst_offset, size_t src_offset, void *argument)
{
    const loop *l = argument;

    (void)src_offset;
    for (size_t b = 0; b < l->element_bytes; b++)
        l->dst[dst_offset + b] = l->src[b];
}

void test_reference_copy(const test_layout *layout, int64_t shift, unsigned char *dst_image,
                         const unsigned char *src_image)
{
    test_layout moved = *layout;
    unsigned char *snapshot = NULL;
    loop l = {dst_image, src_image, layout->element_bytes};

    moved.dst.offset = (size_t)((int64_t)layout->dst.offset + shift);
    moved.src.offset = (size_t)((int64_t)layout->src.offset + shift);
    if (dst_image == src_image) {
        snapshot = malloc(layout->src.bytes + 1);
        if (snapshot == NULL) {
            fputs("out of memory in a test\n", stderr);
            exit(99);
        }
        memcpy(snapshot, src_image, layout->src.bytes);
        l.src = snapshot;
    }
    test_layout_visit(&moved, copy_element, &l);
    free(snapshot);
}

void test_reference_fill(const test_layout *layout, const void *pattern, unsigned char *dst_image)
{
    loop l = {dst_image, pattern, layout->element_bytes};

    test_layout_visit(layout, fill_element, &l);
}

size_t test_first_difference(const unsigned char *a, const unsigned char *b, size_t bytes)
{
    size_t i = 0;

    if (bytes == 0 || memcmp(a, b, bytes) == 0)
        return bytes;
    while (a[i] == b[i])
        i++;
    return i;
}
