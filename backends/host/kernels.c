/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The loop nest around the kernels: which two dimensions form the block, which kernel copies it and
 * how large its tiles are. It is run by loop_nest.c; the copying itself is in the kernel_*.c.
 */
#include <string.h>

#include "loop_nest.h"

/*
 * Fewer columns than this do not pay for the start of a kernel's inner loop, nor does a transpose
 * fill its register tiles.
 */
#define MINIMUM_COLUMNS 4
/* Rows of the destination with a smaller pitch are neighbours. */
#define NEAR_ROW_BYTES 512
/* What a transpose's register tile takes of a row of either side at least. */
#define LANE_BYTES 16
/*
 * Bytes of either side whose lines are visited once for each row of a strip: together they stay in
 * a first-level cache of 32 KiB.
 */
#define STRIP_BYTES 8192
/* The same where each unit has a line of its own: shorter strips would come to too many pages. */
#define WIDE_STRIP_BYTES (8 * STRIP_BYTES)
/* A loop over fewer units than this is written out as a list of steps, of at most so many. */
#define LONG_EXTENT 16
#define MOST_STEPS ((size_t)512)
/* Of planes that are copied in one go. */
#define MOST_CHANNELS 4
/* So many are worth a walk that suits the destination alone, where there are no more otherwise. */
#define ENOUGH_UNITS 1024
/* From this length on a row pays for a vector. */
#define MINIMUM_VECTOR_BYTES 32
/* Fewer units than this in a tile do not pay for what surrounds it. */
#define MINIMUM_TILE 64
#define LINE_BYTES ASTRIDE__HOST_LINE_BYTES
/*
 * Copies of more bytes than these pass the caches by and fetch ahead. Smaller ones often find both
 * sides in a third-level cache, where stores that pass it by take twice as long; for transposes
 * the ways of large copies are better earlier. Measured on copies that are repeated.
 */
#define FAR_TILES_BYTES ((size_t)6 << 20)
#define FAR_ROWS_BYTES ((size_t)16 << 20)

/*
 * Height of a transpose's tiles in lines of the source. Within a tile the kernel goes along the
 * source's lines first, which keeps the streams of the source few and long; the next column of
 * lines then finds the pages of the destination still known. Measured on 64 MiB with power-of-two
 * pitches and others: tiles that go along the destination first are half as fast.
 */
#define FAR_TILE_LINES ((size_t)64)
#define NEAR_TILE_LINES ((size_t)4)

/* Shorter runs are not worth that. */
#define MINIMUM_RUN_BYTES ((size_t)1024)
/* Units up to this width are packed before they are stored past the caches. */
#define PACKED_UNIT_BYTES ((size_t)1024)

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

static void set_rows(astride__host_loop_nest *nest, const astride_strided *copy, int32_t dimension)
{
    nest->block.rows = (size_t)copy->extents[dimension];
    nest->block.dst_row = (ptrdiff_t)copy->dst_strides[dimension];
    nest->block.src_row = (ptrdiff_t)copy->src_strides[dimension];
}

static void set_columns(astride__host_loop_nest *nest, const astride_strided *copy,
                        int32_t dimension)
{
    nest->block.columns = (size_t)copy->extents[dimension];
    nest->block.dst_column = (ptrdiff_t)copy->dst_strides[dimension];
    nest->block.src_column = (ptrdiff_t)copy->src_strides[dimension];
}

/* Units of 1, 2, 4, 8, 16 bytes: their logarithm; -1 for others. */
static int element_kind(size_t unit_bytes)
{
    for (int kind = 0; kind <= 4; kind++) {
        if (unit_bytes == (size_t)1 << kind)
            return kind;
    }
    return -1;
}

/* Whether the copy is too large for the caches. */
static void set_far(astride__host_loop_nest *nest, bool far)
{
    nest->block.fetches = nest->block.streams = far;
}

/* Walks the rows of a block the other way, where that makes the source dense. */
static void turn_rows(astride__host_loop_nest *nest)
{
    astride__host_block *block = &nest->block;
    const int64_t last = (int64_t)block->rows - 1;
    nest->dst_offset += last * block->dst_row;
    nest->src_offset += last * block->src_row;
    block->dst_row = -block->dst_row;
    block->src_row = -block->src_row;
}

static void turn_columns(astride__host_loop_nest *nest)
{
    astride__host_block *block = &nest->block;
    const int64_t last = (int64_t)block->columns - 1;
    nest->dst_offset += last * block->dst_column;
    nest->src_offset += last * block->src_column;
    block->dst_column = -block->dst_column;
    block->src_column = -block->src_column;
}

/* Tiles of which both sides are dense, for the vector unit. */
static bool choose_vector_transpose(astride__host_loop_nest *nest)
{
    const int kind = element_kind(nest->block.unit_bytes);
    const ptrdiff_t size = (ptrdiff_t)nest->block.unit_bytes;
    if (kind < 0 || nest->simd->transpose[kind] == NULL || nest->block.dst_column != size ||
        (nest->block.src_row != size && nest->block.src_row != -size))
        return false;
    nest->kernel = nest->simd->transpose[kind];
    set_far(nest, nest->bytes > FAR_TILES_BYTES);
    nest->tile_rows = (nest->block.streams ? FAR_TILE_LINES : NEAR_TILE_LINES) * LINE_BYTES /
                      nest->block.unit_bytes;
    nest->line_columns = nest->block.streams;
    const bool whole_lines = nest->block.dst_row % LINE_BYTES == 0 &&
                             nest->block.columns * nest->block.unit_bytes >= 4 * LINE_BYTES;
    if (nest->block.streams && !whole_lines && nest->simd->stream)
        nest->layers = 1;
    return true;
}

/* Whether the destination has dense runs that are worth packing. */
static bool has_runs(const astride__host_block *block)
{
    const size_t row_bytes = block->columns * block->unit_bytes;
    return astride__host_rows_within_columns(block) ||
           (block->dst_column == (ptrdiff_t)block->unit_bytes &&
            (block->dst_row == (ptrdiff_t)row_bytes || row_bytes >= MINIMUM_RUN_BYTES));
}

/* Rows of units, one after the other. */
static void choose_row_kernel(astride__host_loop_nest *nest)
{
    const astride__host_simd *simd = nest->simd;
    astride__host_block *block = &nest->block;
    set_far(nest, nest->bytes > FAR_ROWS_BYTES);
    const size_t unit_bytes = block->unit_bytes;
    bool streams = false;
    if (simd->elements)
        nest->kernel = simd->elements(block, nest->pattern, &streams);
    block->pattern = nest->pattern;
    if (!nest->kernel && simd->rows && unit_bytes >= simd->row_bytes) {
        nest->kernel = simd->rows;
        /* Wider units are whole lines for the most part, which need no packing. */
        streams = unit_bytes > PACKED_UNIT_BYTES || unit_bytes % LINE_BYTES == 0;
    }
    if (!nest->kernel && simd->short_rows && unit_bytes >= simd->short_row_bytes)
        nest->kernel = simd->short_rows;
    if (!nest->kernel)
        nest->kernel = astride__host_gather_kernel(unit_bytes);
    if (!nest->kernel)
        nest->kernel = astride__host_generic_kernel(unit_bytes);
    nest->through_strip = block->streams && !streams && simd->stream && has_runs(block);
}

/*
 * Puts a dimension that the block does not have into the loops outside of it, forwards through the
 * source: processors fetch ahead of loads that ascend.
 */
static void add_outer(astride__host_loop_nest *nest, const astride_strided *copy, int32_t d)
{
    int64_t dst = copy->dst_strides[d], src = copy->src_strides[d];
    if (src < 0) {
        nest->dst_offset += (copy->extents[d] - 1) * dst;
        nest->src_offset += (copy->extents[d] - 1) * src;
        dst = -dst;
        src = -src;
    }
    nest->outer[nest->outer_rank++] = (astride__host_outer_loop){copy->extents[d], dst, src};
}

/*
 * The dimensions that lie inside of a step along `dimension` on the destination, or on either side,
 * as a set (bit d: dimension d). Returns how many units they have.
 */
static size_t inner_units(const astride_strided *copy, int32_t dimension, bool either,
                          uint32_t *inner_out)
{
    const uint64_t src = magnitude(copy->src_strides[dimension]);
    size_t units = 1;
    *inner_out = 0;
    for (int32_t d = 0; d < copy->rank && units <= MOST_STEPS; d++) {
        const uint64_t own = magnitude(copy->src_strides[d]);
        if (d == dimension || (d < dimension && (!either || own == 0 || own >= src)))
            continue;
        *inner_out |= UINT32_C(1) << d;
        units *= (size_t)copy->extents[d];
    }
    return units;
}

/*
 * The dimension that has the most units with those inside of it, which are few; -1: none. Returns
 * the units as well.
 */
static int32_t steps_dimension(const astride_strided *copy, bool either, uint32_t *inner_out,
                               size_t *units_out)
{
    int32_t best = -1;
    *units_out = 0;
    for (int32_t d = copy->rank - 1; d >= 0; d--) {
        uint32_t inner;
        const size_t units = inner_units(copy, d, either, &inner);
        if (inner == 0 || units > MOST_STEPS || units * (size_t)copy->extents[d] <= *units_out)
            continue;
        *units_out = units * (size_t)copy->extents[d];
        *inner_out = inner;
        best = d;
    }
    return best;
}

/* A few planes that become channels between each other's. */
static bool choose_channels(astride__host_loop_nest *nest, const astride_strided *copy)
{
    const int32_t row = copy->rank - 1, column = nest->source_dimension;
    const int64_t size = (int64_t)copy->unit_bytes;
    if (row == column || copy->extents[row] > MOST_CHANNELS || copy->src_strides[column] != size ||
        copy->dst_strides[row] != size || copy->dst_strides[column] != size * copy->extents[row])
        return false;
    set_columns(nest, copy, column);
    set_rows(nest, copy, row);
    choose_row_kernel(nest);
    nest->tile_columns =
        STRIP_BYTES / astride__host_smaller((size_t)nest->block.dst_column, LINE_BYTES);
    for (int32_t d = 0; d < row; d++) {
        if (d != column)
            add_outer(nest, copy, d);
    }
    return true;
}

/* Whether the innermost dimension is worth vectors for all that it is short. */
static bool fills_vectors(astride__host_loop_nest *nest, const astride_strided *copy)
{
    const int32_t column = copy->rank - 1;
    bool streams;
    set_columns(nest, copy, column);
    return nest->simd->elements && nest->block.columns * copy->unit_bytes >= MINIMUM_VECTOR_BYTES &&
           nest->simd->elements(&nest->block, nest->pattern, &streams) != NULL;
}

/*
 * Short inner dimensions: a list of where their units lie takes the place of their loops, which
 * cost more than what they copy. It is gone through at each step along a dimension outside of them.
 */
static bool choose_steps(astride__host_loop_nest *nest, const astride_strided *copy)
{
    uint32_t inner;
    const astride__host_kernel kernel = astride__host_steps_kernel(copy->unit_bytes);
    if (copy->extents[copy->rank - 1] >= LONG_EXTENT || kernel == NULL || fills_vectors(nest, copy))
        return false;
    size_t units, units_by_dst;
    uint32_t inner_by_dst;
    int32_t column = steps_dimension(copy, true, &inner, &units);
    const int32_t column_by_dst = steps_dimension(copy, false, &inner_by_dst, &units_by_dst);
    if (units < ENOUGH_UNITS && units_by_dst > units) {
        column = column_by_dst;
        inner = inner_by_dst;
    }
    if (column < 0)
        return false;
    nest->kernel = kernel;
    set_columns(nest, copy, column);
    if (nest->block.src_column < 0)
        turn_columns(nest);
    nest->block.steps = nest->steps;
    nest->steps[0] = (astride__host_step){0, 0};
    size_t count = 1;
    for (int32_t d = copy->rank - 1; d >= 0; d--) {
        if ((inner >> d & 1) == 0)
            continue;
        const size_t before = count;
        count *= (size_t)copy->extents[d];
        for (size_t i = before; i < count; i++)
            nest->steps[i] =
                (astride__host_step){nest->steps[i - before].dst + (ptrdiff_t)copy->dst_strides[d],
                                     nest->steps[i - before].src + (ptrdiff_t)copy->src_strides[d]};
    }
    nest->block.step_count = count;
    for (int32_t d = 0; d < copy->rank; d++) {
        if (d != column && (inner >> d & 1) == 0)
            add_outer(nest, copy, d);
    }
    return true;
}

/*
 * Whether the rows of the block lie so near to each other that what other loops put between them
 * would come to the same lines again and again.
 */
static bool shares_lines(const astride__host_loop_nest *nest, const astride_strided *copy)
{
    const astride__host_block *block = &nest->block;
    return block->columns * block->unit_bytes < LINE_BYTES && block->dst_row < NEAR_ROW_BYTES &&
           nest->source_dimension < copy->rank - 2;
}

/* Tiles of a transpose. */
static bool choose_tiles(astride__host_loop_nest *nest, const astride_strided *copy)
{
    const int32_t column = copy->rank - 1, row = nest->source_dimension;
    const astride__host_transpose *transpose = astride__host_transpose_kernel(copy->unit_bytes);
    const size_t lane = LANE_BYTES / copy->unit_bytes;
    const int64_t least = lane < MINIMUM_COLUMNS ? MINIMUM_COLUMNS : (int64_t)lane;
    if (row == column || copy->extents[column] < least || copy->extents[row] < least ||
        copy->extents[column] * copy->extents[row] < MINIMUM_TILE)
        return false;
    set_columns(nest, copy, column);
    set_rows(nest, copy, row);
    if (shares_lines(nest, copy))
        return false;
    if (choose_vector_transpose(nest)) {
        if (nest->block.src_row < 0)
            turn_rows(nest);
    } else if (transpose && magnitude(nest->block.src_column) >= LINE_BYTES) {
        nest->kernel = transpose->kernel;
        nest->tile_rows = nest->tile_columns = transpose->tile;
        nest->rows_first = true;
    } else {
        return false;
    }
    for (int32_t d = 0; d < copy->rank; d++) {
        if (d == row || d == column)
            continue;
        /* Rows of the destination that continue each other are packed together. */
        if (nest->layers == 1 &&
            copy->dst_strides[d] == copy->extents[column] * copy->dst_strides[column]) {
            nest->layers = (size_t)copy->extents[d];
            nest->src_layer = (ptrdiff_t)copy->src_strides[d];
        } else {
            add_outer(nest, copy, d);
        }
    }
    /* Runs that are short are not worth packing, nor are few rows of a dense block. */
    const size_t row_bytes = nest->block.columns * nest->block.unit_bytes;
    const size_t run_bytes =
        nest->block.dst_row == (ptrdiff_t)row_bytes ? nest->block.rows * row_bytes / 4 : row_bytes;
    if (nest->layers == 1 && run_bytes < MINIMUM_RUN_BYTES)
        nest->layers = 0;
    return true;
}

/* Rows of the destination's innermost dimension. */
static void choose_rows(astride__host_loop_nest *nest, const astride_strided *copy)
{
    const int32_t column = copy->rank - 1;
    int32_t row = nest->source_dimension;
    const bool strips = row != column;
    if (!strips)
        row = column - 1;
    set_columns(nest, copy, column);
    if (row >= 0)
        set_rows(nest, copy, row);
    choose_row_kernel(nest);
    if (strips && copy->unit_bytes < LINE_BYTES) {
        const uint64_t dst = magnitude(nest->block.dst_column);
        const uint64_t src = magnitude(nest->block.src_column);
        const uint64_t wider = dst > src ? dst : src;
        nest->tile_columns =
            wider < LINE_BYTES ? STRIP_BYTES / (size_t)wider : WIDE_STRIP_BYTES / LINE_BYTES;
    }
    for (int32_t d = 0; d < column; d++) {
        if (d != row)
            add_outer(nest, copy, d);
    }
}

static void choose_block(astride__host_loop_nest *nest, const astride_strided *copy)
{
    if (copy->rank == 1 ||
        (!choose_channels(nest, copy) && !choose_tiles(nest, copy) && !choose_steps(nest, copy)))
        choose_rows(nest, copy);
}

size_t astride__host_strided_bytes(const astride_strided *copy)
{
    size_t bytes = copy->unit_bytes;
    for (int32_t d = 0; d < copy->rank; d++)
        bytes *= (size_t)copy->extents[d];
    return bytes;
}

/*
 * Sets what the choice of a block does not. One member after the other: compilers clear a structure
 * of this size by an instruction that takes a tenth of a short copy's time.
 */
static void begin_nest(astride__host_loop_nest *nest, const astride_strided *copy,
                       size_t whole_bytes)
{
    nest->simd = astride__host_simd_level();
    nest->kernel = NULL;
    nest->bytes = whole_bytes;
    nest->block.unit_bytes = copy->unit_bytes;
    nest->block.rows = nest->block.columns = 1;
    nest->block.dst_row = nest->block.dst_column = 0;
    nest->block.src_row = nest->block.src_column = 0;
    set_far(nest, false);
    nest->block.pattern = NULL;
    nest->block.steps = NULL;
    nest->block.step_count = 0;
    nest->tile_rows = nest->tile_columns = SIZE_MAX;
    nest->rows_first = nest->line_columns = nest->through_strip = false;
    nest->layers = 0;
    nest->src_layer = 0;
    nest->dst_offset = nest->src_offset = 0;
    nest->source_dimension = 0;
    nest->outer_rank = 0;
}

void astride__host_copy_part(const astride_strided *copy, size_t whole_bytes)
{
    astride__host_pattern pattern; /* filled by the level that uses it */
    astride__host_step steps[MOST_STEPS];
    astride__host_outer_loop outer[ASTRIDE_KERNEL_RANK];
    astride__host_loop_nest nest;
    begin_nest(&nest, copy, whole_bytes);
    nest.pattern = &pattern;
    nest.steps = steps;
    nest.outer = outer;
    if (copy->rank == 0) {
        choose_row_kernel(&nest);
    } else {
        nest.source_dimension = source_innermost(copy);
        choose_block(&nest, copy);
    }
    astride__host_run_nest(&nest, (uint8_t *)copy->dst.address + nest.dst_offset,
                           (const uint8_t *)copy->src.address + nest.src_offset);
    if (nest.block.streams && nest.simd->drain)
        nest.simd->drain();
}

/*
 * The C library's memcpy is the better choice for short runs. Longer ones it hands to the
 * processor's string instruction, which on some (EPYC 9004) is up to ten times slower where the two
 * sides lie unluckily to each other.
 */
#define LONG_RUN_BYTES 1024

void astride__host_copy_run(void *restrict dst, const void *restrict src, size_t bytes)
{
    const astride__host_simd *simd = astride__host_simd_level();
    if (bytes < LONG_RUN_BYTES || !simd->run)
        memcpy(dst, src, bytes);
    else
        simd->run(dst, src, bytes);
}

void astride__host_copy_strided(const astride_strided *copy)
{
    astride__host_copy_part(copy, astride__host_strided_bytes(copy));
}
