/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Checks of copy and fill descriptors: every rule of copy.h that needs neither memory nor device.
 * All arithmetic is checked, so that later code may multiply extents and strides freely.
 */
#include "hal/descriptor.h"

#include <inttypes.h>
#include <string.h>

#include "hal/checked.h"
#include "hal/error.h"

/* The fields that copies and fills have in common. */
struct shape {
    size_t struct_size, expected_struct_size;
    int32_t rank;
    uint32_t flags;
    size_t element_bytes;
    const int64_t *extents;
};

static astride_status check_shape(const struct shape *shape, astride__description *description)
{
    if (shape->struct_size != shape->expected_struct_size)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "struct_size = %zu, but this version of the structure has %zu bytes",
                             shape->struct_size, shape->expected_struct_size);
    if (shape->flags != 0)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "flags = 0x%" PRIx32 ", must be 0",
                             shape->flags);
    if (shape->rank < 0 || shape->rank > ASTRIDE_MAX_RANK)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "rank = %" PRId32 " is not in 0 to %d",
                             shape->rank, ASTRIDE_MAX_RANK);
    if (shape->element_bytes == 0)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "element_bytes = 0, must be at least 1");
    if (shape->element_bytes > INT64_MAX)
        return astride__fail(ASTRIDE_OVERFLOW, "element_bytes = %zu exceeds 63 bits",
                             shape->element_bytes);
    if (shape->rank > 0 && shape->extents == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "extents is NULL with rank = %" PRId32,
                             shape->rank);

    description->rank = shape->rank;
    description->element_bytes = shape->element_bytes;
    description->empty = false;
    for (int32_t i = 0; i < shape->rank; i++) {
        if (shape->extents[i] < 0)
            return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                                 "extents[%" PRId32 "] = %" PRId64 " is negative", i,
                                 shape->extents[i]);
        description->extents[i] = shape->extents[i];
        if (shape->extents[i] == 0)
            description->empty = true;
    }
    if (description->empty)
        return ASTRIDE_OK;

    int64_t bytes = (int64_t)shape->element_bytes;
    for (int32_t i = 0; i < shape->rank; i++) {
        if (!astride__multiply_i64(bytes, shape->extents[i], &bytes))
            return astride__fail(ASTRIDE_OVERFLOW,
                                 "the extents' product times element_bytes exceeds 63 bits at "
                                 "extents[%" PRId32 "] = %" PRId64,
                                 i, shape->extents[i]);
    }
    description->bytes = (uint64_t)bytes;
    return ASTRIDE_OK;
}

/* Row-major strides of a dense region. Cannot overflow: their products divide `bytes`. */
static void dense_strides(const astride__description *description, int64_t *strides)
{
    int64_t stride = (int64_t)description->element_bytes;
    for (int32_t i = description->rank - 1; i >= 0; i--) {
        strides[i] = stride;
        stride *= description->extents[i];
    }
}

/* Copies or makes the strides of one side and computes its reach. */
static astride_status check_region(const char *side, const astride__description *description,
                                   const astride_region *region, int64_t *strides,
                                   astride__reach *reach)
{
    if (region->strides == NULL)
        dense_strides(description, strides);
    else if (description->rank > 0)
        memcpy(strides, region->strides, (size_t)description->rank * sizeof *strides);

    int64_t low = 0, high = (int64_t)description->element_bytes;
    for (int32_t i = 0; i < description->rank; i++) {
        int64_t span;
        /* The stride of a dimension with one element takes no part in any address. */
        if (description->extents[i] == 1)
            continue;
        if (!astride__multiply_i64(description->extents[i] - 1, strides[i], &span) ||
            !astride__add_i64(span < 0 ? low : high, span, span < 0 ? &low : &high))
            return astride__fail(ASTRIDE_OVERFLOW,
                                 "%s: strides[%" PRId32 "] = %" PRId64 " with extents[%" PRId32
                                 "] = %" PRId64 " reaches further than 63 bits",
                                 side, i, strides[i], i, description->extents[i]);
    }
    /* Later code subtracts low from high. */
    int64_t length;
    if (low == INT64_MIN || !astride__add_i64(high, -low, &length))
        return astride__fail(ASTRIDE_OVERFLOW,
                             "%s: the strides reach from %" PRId64 " to %" PRId64
                             " bytes, together more than 63 bits",
                             side, low, high);
    reach->low = low;
    reach->high = high;
    return ASTRIDE_OK;
}

astride_status astride__describe_copy(const astride_copy_desc *desc,
                                      astride__description *description)
{
    if (desc == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "desc is NULL");
    const struct shape shape = {desc->struct_size, sizeof *desc,        desc->rank,
                                desc->flags,       desc->element_bytes, desc->extents};
    astride_status status = check_shape(&shape, description);
    if (status != ASTRIDE_OK || description->empty)
        return status;
    status =
        check_region("dst", description, &desc->dst, description->dst_strides, &description->dst);
    if (status != ASTRIDE_OK)
        return status;
    return check_region("src", description, &desc->src, description->src_strides,
                        &description->src);
}

astride_status astride__describe_fill(const astride_fill_desc *desc,
                                      astride__description *description)
{
    if (desc == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "desc is NULL");
    const struct shape shape = {desc->struct_size, sizeof *desc,        desc->rank,
                                desc->flags,       desc->element_bytes, desc->extents};
    astride_status status = check_shape(&shape, description);
    if (status != ASTRIDE_OK)
        return status;
    const size_t n = desc->element_bytes;
    if (n != 1 && n != 2 && n != 4 && n != 8 && n != 16)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "element_bytes = %zu, must be 1, 2, 4, 8 or 16 in a fill", n);
    if (desc->pattern == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "pattern is NULL");
    if (description->empty)
        return ASTRIDE_OK;
    status =
        check_region("dst", description, &desc->dst, description->dst_strides, &description->dst);
    if (status != ASTRIDE_OK)
        return status;
    memcpy(description->src_strides, description->dst_strides, sizeof description->src_strides);
    description->src = description->dst;
    return ASTRIDE_OK;
}

astride_status astride__check_base(const char *side, const void *base, const astride__reach *reach)
{
    const uintptr_t address = (uintptr_t)base;
    if (base == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s.base is NULL", side);
    if (address < (uint64_t)-reach->low || UINTPTR_MAX - address < (uint64_t)reach->high)
        return astride__fail(ASTRIDE_OVERFLOW,
                             "%s: base %p with a reach of %" PRId64 " to %" PRId64
                             " bytes leaves the address space",
                             side, base, reach->low, reach->high);
    return ASTRIDE_OK;
}
