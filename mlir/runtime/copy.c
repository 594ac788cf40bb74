/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * From two sides in elements to astride_copy(). No byte of either side is touched here: device
 * memory need not be within the host's reach.
 */
#include "mlir/runtime/copy.h"

#include <inttypes.h>

#include "mlir/runtime/failure.h"
#include "mlir/runtime/work.h"

void astride__mlir_copy(const char *function, const astride__mlir_shape *shape,
                        const astride__mlir_side *dst, const astride__mlir_side *src, void *stream)
{
    astride__mlir_region dst_region;
    astride__mlir_region src_region;
    astride__mlir_work work;

    if (shape->empty)
        return;
    if (!astride__mlir_region_of(function, shape, dst, &dst_region) ||
        !astride__mlir_region_of(function, shape, src, &src_region) ||
        !astride__mlir_work_begin(function, stream, dst_region.base, src_region.base, &work))
        return;
    const astride_copy_desc desc = {.struct_size = sizeof desc,
                                    .rank = shape->rank,
                                    .element_bytes = shape->element_bytes,
                                    .extents = shape->sizes,
                                    .dst = {dst_region.base, dst_region.strides},
                                    .src = {src_region.base, src_region.strides}};
    astride__mlir_work_end(&work, astride_copy(work.queue, &desc));
}

void astride__mlir_copy_unranked(const char *function, const astride_unranked_memref *dst,
                                 const astride_unranked_memref *src, int64_t element_bytes,
                                 void *stream)
{
    astride__mlir_shape shape;
    astride__mlir_side dst_side;
    astride__mlir_side src_side;
    const int64_t *dst_sizes;
    const int64_t *src_sizes;

    if (dst == NULL || src == NULL) {
        astride__mlir_fail(function, "%s is NULL", dst == NULL ? "dst" : "src");
        return;
    }
    if (!astride__mlir_rank_check(function, dst->rank))
        return;
    if (dst->rank != src->rank) {
        astride__mlir_fail(function, "dst has rank %" PRId64 ", src has rank %" PRId64, dst->rank,
                           src->rank);
        return;
    }
    if (!astride__mlir_descriptor_read(function, dst->rank, dst->descriptor, "dst", &dst_side,
                                       &dst_sizes) ||
        !astride__mlir_descriptor_read(function, src->rank, src->descriptor, "src", &src_side,
                                       &src_sizes))
        return;
    for (int64_t i = 0; i < dst->rank; i++) {
        if (dst_sizes[i] != src_sizes[i]) {
            astride__mlir_fail(function,
                               "sizes[%" PRId64 "] of dst is %" PRId64 ", of src %" PRId64, i,
                               dst_sizes[i], src_sizes[i]);
            return;
        }
    }
    if (!astride__mlir_shape_check(function, dst->rank, dst_sizes, element_bytes, &shape))
        return;
    astride__mlir_copy(function, &shape, &dst_side, &src_side, stream);
}
