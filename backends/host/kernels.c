/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The loop nest around the kernels: which two dimensions form the block, which kernel copies it,
 * how large its tiles are, and the odometer over the other dimensions. The copying itself is in the
 * kernel_*.c.
 */
#include "kernels.h"

#include <stdbool.h>

/*
 * Fewer columns than this do not pay for the start of a kernel's inner loop, nor does a transpose
 * fill its register tiles.
 */
#define MINIMUM_COLUMNS 8
/*
 * Columns of a strip whose lines of memory are visited once for each row: one line each on either
 * side, 16 KiB together, stay in a first-level cache of 32 KiB.
 */
#define STRIP_COLUMNS 128

/* A copy, ready to run. */
typedef struct loop_nest {
    astride__host_kernel kernel;
    astride__host_block block; /* whole extents */
    size_t tile_rows, tile_columns;
    int32_t outer_rank; /* the dimensions that are not of the block, outermost first */
    int64_t extents[ASTRIDE_KERNEL_RANK];
    int64_t dst_strides[ASTRIDE_KERNEL_RANK];
    int64_t src_strides[ASTRIDE_KERNEL_RANK];
} loop_nest;

static uint64_t magnitude(int64_t stride)
{
    return stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
}

/*
 * The dimension along which the source's neighbours are nearest. A repeated dimension (stride 0) is
 * that only where it is the destination's innermost one too: otherwise nothing is gained by walking
 * along it.
 */
static int32_t source_innermost(const astride_strided *copy)
{
    int32_t nearest = copy->rank - 1;
    if (copy->src_strides[nearest] == 0)
        return nearest;
    for (int32_t d = copy->rank - 2; d >= 0; d--) {
        if (copy->src_strides[d] != 0 &&
            magnitude(copy->src_strides[d]) < magnitude(copy->src_strides[nearest]))
            nearest = d;
    }
    return nearest;
}

static void set_rows(loop_nest *nest, const astride_strided *copy, int32_t dimension)
{
    nest->block.rows = (size_t)copy->extents[dimension];
    nest->block.dst_row = (ptrdiff_t)copy->dst_strides[dimension];
    nest->block.src_row = (ptrdiff_t)copy->src_strides[dimension];
}

static void set_columns(loop_nest *nest, const astride_strided *copy, int32_t dimension)
{
    nest->block.columns = (size_t)copy->extents[dimension];
    nest->block.dst_column = (ptrdiff_t)copy->dst_strides[dimension];
    nest->block.src_column = (ptrdiff_t)copy->src_strides[dimension];
}

/* A block of the destination's innermost dimension and, if there are two, of another one. */
static void choose_block(loop_nest *nest, const astride_strided *copy)
{
    int32_t column = copy->rank - 1;
    int32_t row = source_innermost(copy);
    const bool transposed = row != column;
    if (!transposed)
        row = copy->rank - 2;

    const astride__host_transpose *transpose = astride__host_transpose_kernel(copy->unit_bytes);
    if (transposed && transpose && copy->extents[column] >= MINIMUM_COLUMNS &&
        copy->extents[row] >= MINIMUM_COLUMNS) {
        nest->kernel = transpose->kernel;
        nest->tile_rows = nest->tile_columns = transpose->tile;
    } else {
        bool strips = transposed;
        if (row >= 0 && copy->extents[column] < MINIMUM_COLUMNS &&
            copy->extents[row] > copy->extents[column]) {
            const int32_t longer = row;
            row = column;
            column = longer;
            strips = true;
        }
        nest->kernel = astride__host_gather_kernel(copy->unit_bytes);
        if (!nest->kernel)
            nest->kernel = astride__host_generic_kernel(copy->unit_bytes);
        nest->tile_rows = SIZE_MAX;
        nest->tile_columns = strips ? STRIP_COLUMNS : SIZE_MAX;
    }

    set_columns(nest, copy, column);
    if (row >= 0)
        set_rows(nest, copy, row);
    for (int32_t d = 0; d < copy->rank; d++) {
        if (d == row || d == column)
            continue;
        nest->extents[nest->outer_rank] = copy->extents[d];
        nest->dst_strides[nest->outer_rank] = copy->dst_strides[d];
        nest->src_strides[nest->outer_rank] = copy->src_strides[d];
        nest->outer_rank++;
    }
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void run_block(const loop_nest *nest, uint8_t *dst, const uint8_t *src)
{
    const astride__host_block *block = &nest->block;
    astride__host_block tile = *block;
    for (size_t column = 0; column < block->columns; column += tile.columns) {
        tile.columns = smaller(block->columns - column, nest->tile_columns);
        for (size_t row = 0; row < block->rows; row += tile.rows) {
            tile.rows = smaller(block->rows - row, nest->tile_rows);
            nest->kernel(
                dst + (ptrdiff_t)row * block->dst_row + (ptrdiff_t)column * block->dst_column,
                src + (ptrdiff_t)row * block->src_row + (ptrdiff_t)column * block->src_column,
                &tile);
        }
    }
}

/* Offsets rather than pointers are carried along, since a pointer past the regions may not exist.
 */
static void run_nest(const loop_nest *nest, uint8_t *dst, const uint8_t *src)
{
    int64_t index[ASTRIDE_KERNEL_RANK] = {0};
    int64_t dst_offset = 0, src_offset = 0;
    int32_t d;
    do {
        run_block(nest, dst + dst_offset, src + src_offset);
        for (d = nest->outer_rank - 1; d >= 0; d--) {
            if (++index[d] < nest->extents[d]) {
                dst_offset += nest->dst_strides[d];
                src_offset += nest->src_strides[d];
                break;
            }
            index[d] = 0;
            dst_offset -= nest->dst_strides[d] * (nest->extents[d] - 1);
            src_offset -= nest->src_strides[d] * (nest->extents[d] - 1);
        }
    } while (d >= 0);
}

void astride__host_copy_strided(const astride_strided *copy)
{
    loop_nest nest = {
        .block = {.unit_bytes = copy->unit_bytes, .rows = 1, .columns = 1},
        .tile_rows = SIZE_MAX,
        .tile_columns = SIZE_MAX,
    };
    if (copy->rank == 0)
        nest.kernel = astride__host_generic_kernel(copy->unit_bytes);
    else
        choose_block(&nest, copy);
    run_nest(&nest, copy->dst.address, copy->src.address);
}
