/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The element-wise copy on the host: the plain nested loop that works for every layout. Every
 * backend inherits it for memory that the host can reach.
 */
#include <string.h>

#include "hal/method.h"

/* Copies the innermost dimension; constant sizes let the compiler replace memcpy by moves. */
static void copy_row(unsigned char *dst, const unsigned char *src, int64_t extent,
                     int64_t dst_stride, int64_t src_stride, size_t unit_bytes)
{
#define COPY_ROW(bytes)                                                                            \
    for (int64_t i = 0; i < extent; i++)                                                           \
    memcpy(dst + i * dst_stride, src + i * src_stride, bytes)

    switch (unit_bytes) {
    case 1:
        COPY_ROW(1);
        break;
    case 2:
        COPY_ROW(2);
        break;
    case 4:
        COPY_ROW(4);
        break;
    case 8:
        COPY_ROW(8);
        break;
    case 16:
        COPY_ROW(16);
        break;
    default:
        COPY_ROW(unit_bytes);
        break;
    }
#undef COPY_ROW
}

void astride__copy_elements(const astride__geometry *geometry, void *dst_first,
                            const void *src_first)
{
    unsigned char *dst = dst_first;
    const unsigned char *src = src_first;
    const int32_t last = geometry->rank - 1;
    int64_t index[ASTRIDE_MAX_RANK] = {0};

    if (last < 0) {
        memcpy(dst, src, geometry->unit_bytes);
        return;
    }
    for (;;) {
        copy_row(dst, src, geometry->extents[last], geometry->dst_strides[last],
                 geometry->src_strides[last], geometry->unit_bytes);
        int32_t d = last - 1;
        for (; d >= 0; d--) {
            dst += geometry->dst_strides[d];
            src += geometry->src_strides[d];
            if (++index[d] < geometry->extents[d])
                break;
            dst -= geometry->extents[d] * geometry->dst_strides[d];
            src -= geometry->extents[d] * geometry->src_strides[d];
            index[d] = 0;
        }
        if (d < 0)
            return;
    }
}
