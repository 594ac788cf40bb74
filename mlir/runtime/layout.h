/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * From the terms of MLIR to those of copy.h: elements to bytes, offsets to addresses, with every
 * overflow found. Only numbers are computed here; memory is neither read (descriptors excepted) nor
 * written.
 */
#ifndef ASTRIDE_MLIR_RUNTIME_LAYOUT_H
#define ASTRIDE_MLIR_RUNTIME_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <astride/astride.h>
#include <astride/mlir.h>

/* What both sides of a copy have in common. */
typedef struct astride__mlir_shape {
    int32_t rank;
    size_t element_bytes;
    const int64_t *sizes; /* the caller's */
    bool empty;           /* one of the sizes is 0 */
} astride__mlir_shape;

/* One side as MLIR gives it, in elements. */
typedef struct astride__mlir_side {
    const char *name; /* for messages: "dst" */
    void *aligned;
    int64_t offset;
    const int64_t *strides;
} astride__mlir_side;

/* One side in bytes. */
typedef struct astride__mlir_region {
    void *base; /* of the element [0, ..., 0] */
    int64_t strides[ASTRIDE_MAX_RANK];
} astride__mlir_region;

/* Checks what the names say. False after a failure, which is reported; here and below. */
bool astride__mlir_rank_check(const char *function, int64_t rank);
bool astride__mlir_shape_check(const char *function, int64_t rank, const int64_t *sizes,
                               int64_t element_bytes, astride__mlir_shape *shape_out);

/* Not for an empty shape. The stride of a dimension of size 1 does not matter and becomes 0. */
bool astride__mlir_region_of(const char *function, const astride__mlir_shape *shape,
                             const astride__mlir_side *side, astride__mlir_region *region_out);

/* The lowest address and the number of bytes up to behind the highest. Not for an empty shape. */
bool astride__mlir_region_bounds(const char *function, const astride__mlir_shape *shape,
                                 const astride__mlir_region *region, const char *side_name,
                                 void **low_out, size_t *bytes_out);

/* Reads a descriptor of `rank` dimensions; the outputs point into it. The rank was checked. */
bool astride__mlir_descriptor_read(const char *function, int64_t rank, const void *descriptor,
                                   const char *name, astride__mlir_side *side_out,
                                   const int64_t **sizes_out);

#endif /* ASTRIDE_MLIR_RUNTIME_LAYOUT_H */
