/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The arithmetic of layouts. Everything that the core checks itself, such as overlap and bounds of
 * allocations, is left to it; what is checked here could not be said to it without wrapping around.
 */
#include "mlir/runtime/layout.h"

#include <inttypes.h>

#include "mlir/runtime/failure.h"

/* A descriptor as MLIR lays it out; `numbers` are sizes[rank] and strides[rank]. */
typedef struct memref_descriptor {
    void *allocated;
    void *aligned;
    int64_t offset;
    int64_t numbers[];
} memref_descriptor;

bool astride__mlir_rank_check(const char *function, int64_t rank)
{
    if (rank >= 0 && rank <= ASTRIDE_MAX_RANK)
        return true;
    astride__mlir_fail(function, "rank = %" PRId64 " is not in 0 to %d", rank, ASTRIDE_MAX_RANK);
    return false;
}

bool astride__mlir_shape_check(const char *function, int64_t rank, const int64_t *sizes,
                               int64_t element_bytes, astride__mlir_shape *shape_out)
{
    bool empty = false;
    if (!astride__mlir_rank_check(function, rank))
        return false;
    if (element_bytes < 1 || (uint64_t)element_bytes > PTRDIFF_MAX) {
        astride__mlir_fail(function, "element_bytes = %" PRId64 " is not in 1 to %td",
                           element_bytes, PTRDIFF_MAX);
        return false;
    }
    for (int64_t i = 0; i < rank; i++) {
        if (sizes[i] < 0) {
            astride__mlir_fail(function, "sizes[%" PRId64 "] = %" PRId64 " is negative", i,
                               sizes[i]);
            return false;
        }
        empty = empty || sizes[i] == 0;
    }
    *shape_out = (astride__mlir_shape){.rank = (int32_t)rank,
                                       .element_bytes = (size_t)element_bytes,
                                       .sizes = sizes,
                                       .empty = empty};
    return true;
}

/* Whether `address` + `bytes` stays in the address space; the sum is written then. */
static bool move_address(const void *address, int64_t bytes, void **moved_out)
{
    uintptr_t moved;
    uintptr_t value = (uintptr_t)address;
    uint64_t distance = bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;
    bool wraps = bytes < 0 ? __builtin_sub_overflow(value, distance, &moved)
                           : __builtin_add_overflow(value, distance, &moved);
    if (wraps)
        return false;
    *moved_out = (void *)moved;
    return true;
}

bool astride__mlir_region_of(const char *function, const astride__mlir_shape *shape,
                             const astride__mlir_side *side, astride__mlir_region *region_out)
{
    int64_t element_bytes = (int64_t)shape->element_bytes;
    int64_t offset_bytes;
    if (side->aligned == NULL) {
        astride__mlir_fail(function, "%s is NULL", side->name);
        return false;
    }
    if (__builtin_mul_overflow(side->offset, element_bytes, &offset_bytes) ||
        !move_address(side->aligned, offset_bytes, &region_out->base)) {
        astride__mlir_fail(function,
                           "%s offset = %" PRId64 " elements of %" PRId64
                           " bytes from %p leaves the address space",
                           side->name, side->offset, element_bytes, side->aligned);
        return false;
    }
    for (int32_t i = 0; i < shape->rank; i++) {
        if (shape->sizes[i] == 1) {
            region_out->strides[i] = 0;
        } else if (__builtin_mul_overflow(side->strides[i], element_bytes,
                                          &region_out->strides[i])) {
            astride__mlir_fail(function,
                               "%s strides[%" PRId32 "] = %" PRId64 " elements of %" PRId64
                               " bytes exceeds 63 bits",
                               side->name, i, side->strides[i], element_bytes);
            return false;
        }
    }
    return true;
}

bool astride__mlir_region_bounds(const char *function, const astride__mlir_shape *shape,
                                 const astride__mlir_region *region, const char *side_name,
                                 void **low_out, size_t *bytes_out)
{
    int64_t below = 0;                             /* at most 0 */
    int64_t above = (int64_t)shape->element_bytes; /* behind the highest byte */
    void *low;
    void *end;
    for (int32_t i = 0; i < shape->rank; i++) {
        int64_t reach;
        int64_t *bound = region->strides[i] < 0 ? &below : &above;
        if (__builtin_mul_overflow(shape->sizes[i] - 1, region->strides[i], &reach) ||
            __builtin_add_overflow(*bound, reach, bound))
            goto leaves;
    }
    if (!move_address(region->base, below, &low) || !move_address(region->base, above, &end))
        goto leaves;
    *low_out = low;
    *bytes_out = (size_t)((uintptr_t)end - (uintptr_t)low);
    return true;

leaves:
    astride__mlir_fail(function, "%s: the elements from %p leave the address space", side_name,
                       region->base);
    return false;
}

bool astride__mlir_descriptor_read(const char *function, int64_t rank, const void *descriptor,
                                   const char *name, astride__mlir_side *side_out,
                                   const int64_t **sizes_out)
{
    const memref_descriptor *memref = descriptor;
    if (memref == NULL) {
        astride__mlir_fail(function, "the descriptor of %s is NULL", name);
        return false;
    }
    *sizes_out = memref->numbers;
    *side_out = (astride__mlir_side){.name = name,
                                     .aligned = memref->aligned,
                                     .offset = memref->offset,
                                     .strides = memref->numbers + rank};
    return true;
}
