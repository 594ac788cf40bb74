/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Choosing a packing kernel and filling its arguments: the width of the pieces that units are
 * copied in, the order of dimensions, reciprocals, and how the work is shared.
 */
#include "launch.h"

#include <string.h>

#include "reciprocal.h"

/* Widest piece that a kernel copies, in bytes. */
#define WIDTH_MAXIMUM 16u

/* Both extents of a transposing copy are at least this, or most of each tile would be empty. */
#define TRANSPOSE_EXTENT_MINIMUM 8u

const char *const astride__kernel_names[ASTRIDE__KERNEL_COUNT] = {
    [ASTRIDE__KERNEL_COPY_1] = "astride_copy_1",
    [ASTRIDE__KERNEL_COPY_2] = "astride_copy_2",
    [ASTRIDE__KERNEL_COPY_4] = "astride_copy_4",
    [ASTRIDE__KERNEL_COPY_8] = "astride_copy_8",
    [ASTRIDE__KERNEL_COPY_16] = "astride_copy_16",
    [ASTRIDE__KERNEL_TRANSPOSE_1] = "astride_transpose_1",
    [ASTRIDE__KERNEL_TRANSPOSE_2] = "astride_transpose_2",
    [ASTRIDE__KERNEL_TRANSPOSE_4] = "astride_transpose_4",
    [ASTRIDE__KERNEL_TRANSPOSE_8] = "astride_transpose_8",
    [ASTRIDE__KERNEL_TRANSPOSE_16] = "astride_transpose_16",
    [ASTRIDE__KERNEL_FILL_1] = "astride_fill_1",
    [ASTRIDE__KERNEL_FILL_2] = "astride_fill_2",
    [ASTRIDE__KERNEL_FILL_4] = "astride_fill_4",
    [ASTRIDE__KERNEL_FILL_8] = "astride_fill_8",
    [ASTRIDE__KERNEL_FILL_16] = "astride_fill_16",
};

/* The largest power of two, at most WIDTH_MAXIMUM, that divides all numbers or-ed together. */
static uint32_t width_of(uint64_t numbers)
{
    numbers |= WIDTH_MAXIMUM;
    return (uint32_t)(numbers & (~numbers + 1));
}

static astride__kernel kernel_of_width(astride__kernel narrowest, uint32_t width)
{
    uint32_t step = 0;
    while ((1u << step) < width)
        step++;
    return (astride__kernel)((uint32_t)narrowest + step);
}

/* Adds a dimension outside of those there are. */
static void add_dimension(astride_kernel_arguments *a, uint64_t extent, int64_t dst_stride,
                          int64_t src_stride)
{
    a->extents[a->rank] = extent;
    a->dst_strides[a->rank] = dst_stride;
    a->src_strides[a->rank] = src_stride;
    a->rank++;
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;
}

/* Puts dimension `d` in the place of dimension 1; those between move out by one. */
static void move_to_second(astride_kernel_arguments *a, uint32_t d)
{
    const uint64_t extent = a->extents[d];
    const int64_t dst_stride = a->dst_strides[d], src_stride = a->src_strides[d];
    for (; d > 1; d--) {
        a->extents[d] = a->extents[d - 1];
        a->dst_strides[d] = a->dst_strides[d - 1];
        a->src_strides[d] = a->src_strides[d - 1];
    }
    a->extents[1] = extent;
    a->dst_strides[1] = dst_stride;
    a->src_strides[1] = src_stride;
}

/*
 * Whether the source runs fastest along another dimension than the destination; that dimension is
 * put second. A stride of 0 reads one place again and again, which is as good as it gets.
 */
static bool make_transpose(astride_kernel_arguments *a)
{
    uint32_t fastest = 0;
    if (a->src_strides[0] == 0 || a->extents[0] < TRANSPOSE_EXTENT_MINIMUM)
        return false;
    for (uint32_t d = 1; d < a->rank; d++) {
        if (a->src_strides[d] != 0 && a->extents[d] >= TRANSPOSE_EXTENT_MINIMUM &&
            magnitude(a->src_strides[d]) < magnitude(a->src_strides[fastest]))
            fastest = d;
    }
    if (fastest == 0)
        return false;
    move_to_second(a, fastest);
    return true;
}

/* Units, or tiles, along a dimension. */
static uint64_t steps_of(const astride_kernel_arguments *a, uint32_t d, bool tiles)
{
    if (!tiles || d > 1)
        return a->extents[d];
    return (a->extents[d] + ASTRIDE_KERNEL_TILE - 1) / ASTRIDE_KERNEL_TILE;
}

static void fill_reciprocals(astride_kernel_arguments *a, bool tiles)
{
    a->count = 1;
    for (uint32_t d = 0; d < a->rank; d++)
        a->count *= steps_of(a, d, tiles);
    a->narrow = a->count < UINT64_C(1) << 31;
    for (uint32_t d = 0; d < a->rank; d++) {
        const uint64_t steps = steps_of(a, d, tiles);
        const astride__reciprocal reciprocal =
            a->narrow ? astride__reciprocal_narrow(steps) : astride__reciprocal_wide(steps);
        a->reciprocals[d] = reciprocal.factor;
        a->shifts[d] = reciprocal.shift;
    }
}

static uint64_t divide_up(uint64_t n, uint64_t divisor)
{
    return n / divisor + (n % divisor != 0);
}

/* Shares `count` steps of `step_bytes` among groups. */
static void share(const astride__kernel_sharing *sharing, uint64_t step_bytes, bool tiles,
                  astride__kernel_launch *launch)
{
    astride_kernel_arguments *a = &launch->arguments;
    uint64_t groups;
    if (sharing->runs) {
        a->run = divide_up(a->count, sharing->groups_maximum);
        if (a->run < divide_up(sharing->run_minimum, step_bytes))
            a->run = divide_up(sharing->run_minimum, step_bytes);
        groups = divide_up(a->count, a->run);
        launch->group_size = 1;
    } else {
        groups = tiles ? a->count : divide_up(a->count, ASTRIDE_KERNEL_GROUP);
        if (groups > sharing->groups_maximum)
            groups = sharing->groups_maximum;
        launch->group_size = ASTRIDE_KERNEL_GROUP;
    }
    launch->group_count = (uint32_t)groups;
}

/* Has the low bits that the address has; those above do not matter. */
static uint64_t address_bits(const astride__kernel_side *side)
{
    return side->offset_bytes + side->misalignment;
}

void astride__kernel_launch_copy(const astride_strided *copy, const astride__kernel_side *dst,
                                 const astride__kernel_side *src,
                                 const astride__kernel_sharing *sharing,
                                 astride__kernel_launch *launch)
{
    astride_kernel_arguments *a = &launch->arguments;
    uint64_t numbers = copy->unit_bytes | address_bits(dst) | address_bits(src);
    memset(launch, 0, sizeof(*launch));
    /* The lowest bit of a negative number is that of its magnitude. */
    for (int32_t d = 0; d < copy->rank; d++)
        numbers |= (uint64_t)copy->dst_strides[d] | (uint64_t)copy->src_strides[d];
    const uint32_t width = width_of(numbers);
    if (copy->unit_bytes > width || copy->rank == 0)
        add_dimension(a, copy->unit_bytes / width, width, width);
    for (int32_t d = copy->rank - 1; d >= 0; d--)
        add_dimension(a, (uint64_t)copy->extents[d], copy->dst_strides[d], copy->src_strides[d]);
    a->dst_offset = (int64_t)dst->offset_bytes;
    a->src_offset = (int64_t)src->offset_bytes;

    const bool tiles = make_transpose(a);
    launch->kernel =
        kernel_of_width(tiles ? ASTRIDE__KERNEL_TRANSPOSE_1 : ASTRIDE__KERNEL_COPY_1, width);
    fill_reciprocals(a, tiles);
    const uint64_t units = tiles ? ASTRIDE_KERNEL_TILE * ASTRIDE_KERNEL_TILE : 1;
    share(sharing, width * units, tiles, launch);
}

/*
 * Doubles the pattern while that halves a dense innermost dimension and all else stays a multiple
 * of it: wider units are fewer.
 */
static void widen_pattern(astride_strided_fill *fill, uint64_t address)
{
    const int32_t last = fill->rank - 1;
    while (fill->rank > 0 && fill->pattern_bytes < WIDTH_MAXIMUM &&
           fill->strides[last] == (int64_t)fill->pattern_bytes && fill->extents[last] % 2 == 0) {
        const size_t doubled = 2 * fill->pattern_bytes;
        uint64_t numbers = address;
        for (int32_t d = 0; d < last; d++)
            numbers |= (uint64_t)fill->strides[d];
        if (numbers % doubled != 0)
            return;
        memcpy(fill->pattern + fill->pattern_bytes, fill->pattern, fill->pattern_bytes);
        fill->pattern_bytes = doubled;
        fill->strides[last] = (int64_t)doubled;
        fill->extents[last] /= 2;
        if (fill->extents[last] == 1)
            fill->rank--;
    }
}

void astride__kernel_launch_fill(const astride_strided_fill *fill, const astride__kernel_side *dst,
                                 const astride__kernel_sharing *sharing,
                                 astride__kernel_launch *launch)
{
    astride_kernel_arguments *a = &launch->arguments;
    astride_strided_fill wide = *fill;
    memset(launch, 0, sizeof(*launch));
    widen_pattern(&wide, address_bits(dst));
    uint64_t numbers = wide.pattern_bytes | address_bits(dst);
    for (int32_t d = 0; d < wide.rank; d++)
        numbers |= (uint64_t)wide.strides[d];
    const uint32_t width = width_of(numbers);
    a->split = wide.pattern_bytes > width;
    if (a->split || wide.rank == 0)
        add_dimension(a, wide.pattern_bytes / width, width, 0);
    for (int32_t d = wide.rank - 1; d >= 0; d--)
        add_dimension(a, (uint64_t)wide.extents[d], wide.strides[d], 0);
    a->dst_offset = (int64_t)dst->offset_bytes;
    for (size_t i = 0; i < wide.pattern_bytes; i++)
        a->pattern[i / 8] |= (uint64_t)wide.pattern[i] << (8 * (i % 8));

    launch->kernel = kernel_of_width(ASTRIDE__KERNEL_FILL_1, width);
    fill_reciprocals(a, false);
    share(sharing, width, false, launch);
}
