/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Running a loop nest: the odometer over the outer dimensions, the tiles of a block, and the ways
 * of packing what passes the caches by.
 */
#include "loop_nest.h"

#include <string.h>

#define LINE_BYTES ASTRIDE__HOST_LINE_BYTES
/* Bytes of a packed run of the destination, and of all that are packed at once. */
#define RUN_BYTES ((size_t)4096)
#define PACKED_BYTES ((size_t)80 << 10)
/*
 * Bytes of the destination that are packed and then stored past the caches: few enough that what is
 * loaded next does not wait for the stores.
 */
#define CHUNK_BYTES ((size_t)3072)
#define PAGE_BYTES 4096

static void run_tile(const astride__host_loop_nest *nest, uint8_t *dst, const uint8_t *src,
                     size_t row, size_t column, const astride__host_block *tile)
{
    nest->kernel(dst + (ptrdiff_t)row * tile->dst_row + (ptrdiff_t)column * tile->dst_column,
                 src + (ptrdiff_t)row * tile->src_row + (ptrdiff_t)column * tile->src_column, tile);
}

/* Columns before the first whole line of the destination. */
static size_t columns_to_line(const astride__host_loop_nest *nest, const uint8_t *dst)
{
    const size_t size = nest->block.unit_bytes;
    const size_t bytes = (0 - (uintptr_t)dst) % LINE_BYTES;
    return bytes % size == 0 && nest->block.dst_column == (ptrdiff_t)size ? bytes / size : 0;
}

static void run_block(const astride__host_loop_nest *nest, uint8_t *dst, const uint8_t *src)
{
    const astride__host_block *block = &nest->block;
    if (block->rows <= nest->tile_rows && block->columns <= nest->tile_columns) {
        nest->kernel(dst, src, block);
        return;
    }
    astride__host_block tile = *block;
    size_t head = nest->line_columns ? columns_to_line(nest, dst) : 0;
    if (!nest->rows_first) {
        for (size_t row = 0; row < block->rows; row += tile.rows) {
            tile.rows = astride__host_smaller(block->rows - row, nest->tile_rows);
            size_t first = head;
            for (size_t column = 0; column < block->columns; column += tile.columns) {
                tile.columns = astride__host_smaller(block->columns - column,
                                                     first > 0 ? first : nest->tile_columns);
                first = 0;
                run_tile(nest, dst, src, row, column, &tile);
            }
        }
        return;
    }
    for (size_t column = 0; column < block->columns; column += tile.columns) {
        tile.columns =
            astride__host_smaller(block->columns - column, head > 0 ? head : nest->tile_columns);
        head = 0;
        for (size_t row = 0; row < block->rows; row += tile.rows) {
            tile.rows = astride__host_smaller(block->rows - row, nest->tile_rows);
            run_tile(nest, dst, src, row, column, &tile);
        }
    }
}

/*
 * Runs of the destination on their way past the caches: they are packed in the first-level cache,
 * and whole lines are stored from there. The bytes begin where the destination's line does, and
 * they lie in one page: on some processors (EPYC 9004) it takes half as long again where they lie
 * in two.
 */
typedef struct strip {
    uint8_t bytes[CHUNK_BYTES] __attribute__((aligned(PAGE_BYTES)));
    uint8_t *line;      /* the destination's first line that is not complete */
    size_t first, fill; /* what `bytes` holds of it and of those behind it */
} strip;

static void begin_strip(strip *packed, uint8_t *dst)
{
    packed->first = packed->fill = (uintptr_t)dst % LINE_BYTES;
    packed->line = dst - packed->first;
}

/* Stores the whole lines and keeps the rest. */
static void store_lines(const astride__host_loop_nest *nest, strip *packed)
{
    const size_t whole = packed->fill / LINE_BYTES * LINE_BYTES;
    size_t done = 0;
    if (whole == 0)
        return;
    if (packed->first > 0) {
        memcpy(packed->line + packed->first, packed->bytes + packed->first,
               LINE_BYTES - packed->first);
        packed->first = 0;
        done = LINE_BYTES;
    }
    nest->simd->stream(packed->line + done, packed->bytes + done, whole - done);
    memcpy(packed->bytes, packed->bytes + whole, packed->fill - whole);
    packed->line += whole;
    packed->fill -= whole;
}

static void end_strip(const astride__host_loop_nest *nest, strip *packed)
{
    store_lines(nest, packed);
    memcpy(packed->line + packed->first, packed->bytes + packed->first,
           packed->fill - packed->first);
    packed->first = packed->fill = 0;
}

/* Packs columns, of all rows of the tile, behind what is there. */
static void pack_columns(const astride__host_loop_nest *nest, strip *packed, const uint8_t *src,
                         astride__host_block *tile)
{
    const size_t columns = nest->block.columns;
    const size_t column_bytes = tile->rows * tile->unit_bytes;
    for (size_t column = 0; column < columns; column += tile->columns) {
        tile->columns =
            astride__host_smaller(columns - column, (CHUNK_BYTES - packed->fill) / column_bytes);
        nest->kernel(packed->bytes + packed->fill, src + (ptrdiff_t)column * tile->src_column,
                     tile);
        packed->fill += tile->columns * column_bytes;
        store_lines(nest, packed);
    }
}

static void run_strips(const astride__host_loop_nest *nest, uint8_t *dst, const uint8_t *src)
{
    strip packed;
    const astride__host_block *block = &nest->block;
    astride__host_block tile = *block;
    tile.streams = false;
    begin_strip(&packed, dst);
    if (astride__host_rows_within_columns(block)) {
        pack_columns(nest, &packed, src, &tile);
        end_strip(nest, &packed);
        return;
    }
    tile.rows = 1;
    for (size_t row = 0; row < block->rows; row++) {
        uint8_t *to = dst + (ptrdiff_t)row * block->dst_row;
        if (to != packed.line + packed.fill) {
            end_strip(nest, &packed);
            begin_strip(&packed, to);
        }
        pack_columns(nest, &packed, src + (ptrdiff_t)row * block->src_row, &tile);
    }
    end_strip(nest, &packed);
}

/* A part of a transpose: some columns of some layers, one run of the destination for each row. */
typedef struct runs {
    uint8_t *dst;
    const uint8_t *src;
    size_t columns, layers;
} runs;

/* Where the rows of the destination continue each other, a tile is one run. */
static void pack_whole(const astride__host_loop_nest *nest, uint8_t *dst, const uint8_t *src)
{
    uint8_t packed[PACKED_BYTES] __attribute__((aligned(LINE_BYTES)));
    const size_t row_bytes = (size_t)nest->block.dst_row;
    astride__host_block tile = nest->block;
    tile.streams = false;
    for (size_t row = 0; row < nest->block.rows; row += tile.rows) {
        tile.rows = astride__host_smaller(nest->block.rows - row, PACKED_BYTES / row_bytes);
        nest->kernel(packed, src + (ptrdiff_t)row * nest->block.src_row, &tile);
        nest->simd->stream(dst + row * row_bytes, packed, tile.rows * row_bytes);
    }
}

static void pack_runs(const astride__host_loop_nest *nest, const runs *part)
{
    uint8_t packed[PACKED_BYTES] __attribute__((aligned(LINE_BYTES)));
    const astride__host_block *block = &nest->block;
    const size_t layer_bytes = part->columns * block->unit_bytes;
    const size_t run_bytes = part->layers * layer_bytes;
    astride__host_block tile = *block;
    tile.streams = false;
    tile.columns = part->columns;
    /* A line between the runs keeps them out of each other's way in the cache. */
    tile.dst_row = (ptrdiff_t)((run_bytes + 2 * LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES);
    const size_t line = LINE_BYTES / block->unit_bytes;
    const size_t most_rows = PACKED_BYTES / (size_t)tile.dst_row / line * line;
    for (size_t row = 0; row < block->rows; row += tile.rows) {
        tile.rows = astride__host_smaller(block->rows - row, most_rows);
        for (size_t layer = 0; layer < part->layers; layer++)
            nest->kernel(packed + layer * layer_bytes,
                         part->src + (ptrdiff_t)row * block->src_row +
                             (ptrdiff_t)layer * nest->src_layer,
                         &tile);
        for (size_t r = 0; r < tile.rows; r++)
            nest->simd->stream(part->dst + (ptrdiff_t)(row + r) * block->dst_row,
                               packed + (ptrdiff_t)r * tile.dst_row, run_bytes);
    }
}

/* Length of a run: with a line's elements of rows it still fits where it is packed. */
static size_t most_run_bytes(const astride__host_loop_nest *nest)
{
    const size_t rows = LINE_BYTES / nest->block.unit_bytes;
    return astride__host_smaller(RUN_BYTES, PACKED_BYTES / rows - 2 * LINE_BYTES);
}

/* A transpose in runs of the destination. */
static void run_packed(const astride__host_loop_nest *nest, uint8_t *dst, const uint8_t *src)
{
    const astride__host_block *block = &nest->block;
    const size_t row_bytes = block->columns * block->unit_bytes;
    const size_t run_bytes = most_run_bytes(nest);
    const size_t most_columns = run_bytes / block->unit_bytes;
    const size_t most_layers = row_bytes < run_bytes ? run_bytes / row_bytes : 1;
    if (block->dst_row == (ptrdiff_t)row_bytes && row_bytes <= run_bytes) {
        pack_whole(nest, dst, src);
        return;
    }
    runs part;
    for (size_t layer = 0; layer < nest->layers; layer += part.layers) {
        part.layers = astride__host_smaller(nest->layers - layer, most_layers);
        for (size_t column = 0; column < block->columns; column += part.columns) {
            part.columns = astride__host_smaller(block->columns - column, most_columns);
            part.dst = dst + layer * row_bytes + column * block->unit_bytes;
            part.src =
                src + (ptrdiff_t)layer * nest->src_layer + (ptrdiff_t)column * block->src_column;
            pack_runs(nest, &part);
        }
    }
}

/* Offsets rather than pointers are carried along, since a pointer past the regions may not exist.
 */
void astride__host_run_nest(const astride__host_loop_nest *nest, uint8_t *dst, const uint8_t *src)
{
    int64_t index[ASTRIDE_KERNEL_RANK];
    int64_t dst_offset = 0, src_offset = 0;
    int32_t d;
    for (d = 0; d < nest->outer_rank; d++)
        index[d] = 0;
    do {
        if (nest->layers > 0)
            run_packed(nest, dst + dst_offset, src + src_offset);
        else if (nest->through_strip)
            run_strips(nest, dst + dst_offset, src + src_offset);
        else
            run_block(nest, dst + dst_offset, src + src_offset);
        for (d = nest->outer_rank - 1; d >= 0; d--) {
            const astride__host_outer_loop *loop = &nest->outer[d];
            if (++index[d] < loop->extent) {
                dst_offset += loop->dst_stride;
                src_offset += loop->src_stride;
                break;
            }
            index[d] = 0;
            dst_offset -= loop->dst_stride * (loop->extent - 1);
            src_offset -= loop->src_stride * (loop->extent - 1);
        }
    } while (d >= 0);
}
