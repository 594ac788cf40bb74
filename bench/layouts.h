/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The layouts that are measured, as a table of short rules, and their expansion for a given
 * payload into extents, strides and buffers.
 */
#ifndef ASTRIDE_BENCH_LAYOUTS_H
#define ASTRIDE_BENCH_LAYOUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_MAX_RANK 6

/* One strided copy; all strides in bytes, dimensions from the outermost of the destination. */
typedef struct bench_layout {
    const char *name;
    size_t element_bytes;
    int32_t rank;
    int64_t extents[BENCH_MAX_RANK];
    int64_t dst_strides[BENCH_MAX_RANK], src_strides[BENCH_MAX_RANK];
    size_t dst_bytes, src_bytes;   /* of the buffers that hold the two sides */
    size_t dst_offset, src_offset; /* of the element [0, ..., 0] in them */
    size_t payload_bytes;
} bench_layout;

size_t bench_layout_count(void);
const char *bench_layout_name(size_t index);

/*
 * The layout for about `payload_bytes`: the extents that may shrink or grow are halved or doubled
 * from those of 64 MiB. False where the layout has one size only and this is not it.
 */
bool bench_layout_expand(size_t index, size_t payload_bytes, bench_layout *layout_out);

#endif /* ASTRIDE_BENCH_LAYOUTS_H */
