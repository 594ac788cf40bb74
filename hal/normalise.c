/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Normalisation: drop dimensions of extent 1, flip those that run backwards in the destination,
 * order by destination stride, merge what is contiguous on both sides, and widen the unit. The
 * steps keep the set of (destination byte, source byte) pairs, which is all that a copy is.
 */
#include "hal/normalise.h"

#include "hal/checked.h"

/* Inserts a dimension so that destination strides descend; stable for equal ones. */
static void insert(astride__geometry *geometry, int64_t extent, int64_t dst_stride,
                   int64_t src_stride)
{
    int32_t at = geometry->rank++;
    for (; at > 0 && geometry->dst_strides[at - 1] < dst_stride; at--) {
        geometry->extents[at] = geometry->extents[at - 1];
        geometry->dst_strides[at] = geometry->dst_strides[at - 1];
        geometry->src_strides[at] = geometry->src_strides[at - 1];
    }
    geometry->extents[at] = extent;
    geometry->dst_strides[at] = dst_stride;
    geometry->src_strides[at] = src_stride;
}

/* Whether `stride` leads exactly past `extent` steps of `inner_stride`. */
static bool continues(int64_t stride, int64_t inner_stride, int64_t extent)
{
    int64_t length;
    return astride__multiply_i64(inner_stride, extent, &length) && length == stride;
}

/*
 * Merges neighbours from the innermost dimension outwards: a dimension takes in the one outside of
 * it when a step of that one is exactly its own length, on both sides.
 */
static void merge(astride__geometry *geometry)
{
    const int64_t unit = (int64_t)geometry->unit_bytes;
    int32_t innermost = geometry->rank; /* first dimension of the merged list, built from the end */

    for (int32_t i = geometry->rank - 1; i >= 0; i--) {
        const int64_t extent = geometry->extents[i];
        const int64_t dst = geometry->dst_strides[i], src = geometry->src_strides[i];
        if (innermost < geometry->rank) {
            const int64_t length = geometry->extents[innermost];
            if (continues(dst, geometry->dst_strides[innermost], length) &&
                continues(src, geometry->src_strides[innermost], length)) {
                geometry->extents[innermost] = length * extent;
                continue;
            }
        }
        innermost--;
        geometry->extents[innermost] = extent;
        geometry->dst_strides[innermost] = dst;
        geometry->src_strides[innermost] = src;
    }

    int32_t rank = geometry->rank - innermost;
    for (int32_t i = 0; i < rank; i++) {
        geometry->extents[i] = geometry->extents[innermost + i];
        geometry->dst_strides[i] = geometry->dst_strides[innermost + i];
        geometry->src_strides[i] = geometry->src_strides[innermost + i];
    }
    /* After merging, at most one dimension continues the unit. */
    if (rank > 0 && geometry->dst_strides[rank - 1] == unit &&
        geometry->src_strides[rank - 1] == unit) {
        rank--;
        geometry->unit_bytes *= (size_t)geometry->extents[rank];
    }
    geometry->rank = rank;
}

void astride__normalise(const astride__description *description, astride__geometry *geometry)
{
    geometry->rank = 0;
    geometry->unit_bytes = description->element_bytes;
    geometry->dst_offset = 0;
    geometry->src_offset = 0;
    for (int32_t i = 0; i < description->rank; i++) {
        const int64_t extent = description->extents[i];
        int64_t dst = description->dst_strides[i], src = description->src_strides[i];
        if (extent == 1)
            continue;
        if (dst < 0) {
            /* Walk the dimension from its other end. */
            geometry->dst_offset += (extent - 1) * dst;
            geometry->src_offset += (extent - 1) * src;
            dst = -dst;
            src = -src;
        }
        insert(geometry, extent, dst, src);
    }
    merge(geometry);
}

uint64_t astride__geometry_units(const astride__geometry *geometry)
{
    uint64_t units = 1;
    for (int32_t i = 0; i < geometry->rank; i++)
        units *= (uint64_t)geometry->extents[i];
    return units;
}
