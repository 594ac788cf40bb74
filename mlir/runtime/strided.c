/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The strided entry points, which take geometry in place of descriptors: a copy, and a fill with an
 * element of any size.
 */
#include <inttypes.h>
#include <string.h>

#include <astride/mlir.h>

#include "mlir/runtime/copy.h"
#include "mlir/runtime/failure.h"
#include "mlir/runtime/layout.h"
#include "mlir/runtime/work.h"

/* Largest pattern that astride_fill() takes; the smaller ones are the powers of two below. */
#define LARGEST_PATTERN_BYTES 16u

void mgpuMemcpyStrided(void *dst, void *src, const int64_t *geometry, int64_t rank,
                       int64_t element_bytes, void *stream)
{
    astride__mlir_shape shape;

    if (geometry == NULL) {
        astride__mlir_fail(__func__, "geometry is NULL");
        return;
    }
    if (!astride__mlir_shape_check(__func__, rank, geometry + 2, element_bytes, &shape))
        return;
    const astride__mlir_side dst_side = {"dst", dst, geometry[0], geometry + 2 + rank};
    const astride__mlir_side src_side = {"src", src, geometry[1], geometry + 2 + 2 * rank};
    astride__mlir_copy(__func__, &shape, &dst_side, &src_side, stream);
}

static bool is_periodic(const unsigned char *pattern, size_t bytes, size_t period)
{
    return bytes % period == 0 && memcmp(pattern, pattern + period, bytes - period) == 0;
}

/*
 * Whether the whole region is in the allocation of its base. Several fills make up one operation
 * where an element is no pattern of astride_fill(), and the first of them must not write what the
 * last one is refused for.
 */
static bool region_is_in_bounds(const char *function, const astride__mlir_shape *shape,
                                const astride__mlir_region *region, astride_queue *queue)
{
    void *low;
    size_t bytes;
    astride_memory_info info = {.struct_size = sizeof info};

    if (!astride__mlir_region_bounds(function, shape, region, "dst", &low, &bytes) ||
        !astride__mlir_ok(function,
                          astride_memory_query(astride_queue_device(queue), region->base, &info)))
        return false;
    if (info.base == NULL || info.bytes == 0)
        return true;
    if ((uintptr_t)low >= (uintptr_t)info.base &&
        (uintptr_t)low - (uintptr_t)info.base <= info.bytes &&
        bytes <= info.bytes - ((uintptr_t)low - (uintptr_t)info.base))
        return true;
    astride__mlir_fail(function,
                       "dst: %zu bytes from %p on leave the allocation of %zu bytes at %p", bytes,
                       low, info.bytes, info.base);
    return false;
}

/*
 * Fills elements whose pattern repeats a unit: a dimension of units is put inside the others.
 */
static astride_status fill_with_units(astride_queue *queue, const astride__mlir_shape *shape,
                                      const astride__mlir_region *region, const void *pattern,
                                      size_t unit_bytes)
{
    int64_t extents[ASTRIDE_MAX_RANK];
    int64_t strides[ASTRIDE_MAX_RANK];
    int32_t rank = shape->rank;

    for (int32_t i = 0; i < rank; i++) {
        extents[i] = shape->sizes[i];
        strides[i] = region->strides[i];
    }
    if (unit_bytes < shape->element_bytes) {
        extents[rank] = (int64_t)(shape->element_bytes / unit_bytes);
        strides[rank] = (int64_t)unit_bytes;
        ++rank;
    }
    const astride_fill_desc desc = {.struct_size = sizeof desc,
                                    .rank = rank,
                                    .element_bytes = unit_bytes,
                                    .extents = extents,
                                    .dst = {region->base, strides},
                                    .pattern = pattern};
    return astride_fill(queue, &desc);
}

/*
 * Fills elements piece by piece, the largest pieces first: 7 bytes are 4, 2 and 1. Strides are
 * multiples of the element, so that pieces coincide only where elements do.
 */
static astride_status fill_by_pieces(astride_queue *queue, const astride__mlir_shape *shape,
                                     const astride__mlir_region *region,
                                     const unsigned char *pattern)
{
    size_t piece_bytes = LARGEST_PATTERN_BYTES;
    for (size_t offset = 0; offset < shape->element_bytes; offset += piece_bytes) {
        while (piece_bytes > shape->element_bytes - offset)
            piece_bytes /= 2;
        const astride_fill_desc desc = {
            .struct_size = sizeof desc,
            .rank = shape->rank,
            .element_bytes = piece_bytes,
            .extents = shape->sizes,
            .dst = {(void *)((uintptr_t)region->base + offset), region->strides},
            .pattern = pattern + offset};
        astride_status status = astride_fill(queue, &desc);
        if (status != ASTRIDE_OK)
            return status;
    }
    return ASTRIDE_OK;
}

void mgpuMemsetStrided(void *dst, const void *pattern, const int64_t *geometry, int64_t rank,
                       int64_t element_bytes, void *stream)
{
    astride__mlir_shape shape;
    astride__mlir_region region;
    astride__mlir_work work;
    astride_status status = ASTRIDE_OK;

    if (geometry == NULL || pattern == NULL) {
        astride__mlir_fail(__func__, "%s is NULL", geometry == NULL ? "geometry" : "pattern");
        return;
    }
    if (!astride__mlir_shape_check(__func__, rank, geometry + 1, element_bytes, &shape))
        return;
    const astride__mlir_side side = {"dst", dst, geometry[0], geometry + 1 + rank};
    if (shape.empty || !astride__mlir_region_of(__func__, &shape, &side, &region) ||
        !astride__mlir_work_begin(__func__, stream, region.base, NULL, &work))
        return;

    /* The longest unit that the pattern repeats needs the fewest stores. */
    size_t unit_bytes = LARGEST_PATTERN_BYTES;
    while (unit_bytes > 0 && !is_periodic(pattern, shape.element_bytes, unit_bytes))
        unit_bytes /= 2;
    if (unit_bytes > 0 && (unit_bytes == shape.element_bytes || shape.rank < ASTRIDE_MAX_RANK))
        status = fill_with_units(work.queue, &shape, &region, pattern, unit_bytes);
    else if (region_is_in_bounds(__func__, &shape, &region, work.queue))
        status = fill_by_pieces(work.queue, &shape, &region, pattern);
    astride__mlir_work_end(&work, status);
}
