/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A copy as a nest of loops around one kernel: what kernels.c decides and loop_nest.c carries out.
 */
#ifndef ASTRIDE_BACKENDS_HOST_LOOP_NEST_H
#define ASTRIDE_BACKENDS_HOST_LOOP_NEST_H

#include "kernels.h"

#define ASTRIDE__HOST_LINE_BYTES 64

/* A loop outside of the block. */
typedef struct astride__host_outer_loop {
    int64_t extent, dst_stride, src_stride;
} astride__host_outer_loop;

/* A copy, ready to run. The arrays are apart: short copies notice what it costs to clear them. */
typedef struct astride__host_loop_nest {
    const astride__host_simd *simd;
    astride__host_kernel kernel;
    size_t bytes;              /* of the whole copy, of which this may be a part */
    astride__host_block block; /* whole extents */
    size_t tile_rows, tile_columns;
    bool rows_first;    /* tiles follow each other along the rows, else along the columns */
    bool line_columns;  /* the first tile ends where the destination's lines begin */
    bool through_strip; /* tiles are packed in the first-level cache and stored from there */
    /*
     * Transposes whose lines of the destination are not whole in a tile: runs of `layers` times the
     * columns, which continue each other, are packed likewise. 0: not done.
     */
    size_t layers;
    ptrdiff_t src_layer;
    astride__host_pattern *pattern;
    astride__host_step *steps;
    int64_t dst_offset, src_offset; /* where the walk begins */
    int32_t source_dimension;       /* along which the source's neighbours are nearest */
    int32_t outer_rank;             /* the dimensions that are not of the block, outermost first */
    astride__host_outer_loop *outer;
} astride__host_loop_nest;

ASTRIDE__HOST_INLINE size_t astride__host_smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Whether the rows of a block lie between its columns, in one dense run of the destination. */
ASTRIDE__HOST_INLINE bool astride__host_rows_within_columns(const astride__host_block *block)
{
    const ptrdiff_t size = (ptrdiff_t)block->unit_bytes;
    return block->dst_row == size && block->dst_column == size * (ptrdiff_t)block->rows;
}

/* Runs it; the addresses are those of the unit that the walk begins with. */
void astride__host_run_nest(const astride__host_loop_nest *nest, uint8_t *dst, const uint8_t *src);

#endif /* ASTRIDE_BACKENDS_HOST_LOOP_NEST_H */
