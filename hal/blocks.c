/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Blocks and the ring of slots.
 */
#include "hal/blocks.h"

/* Alignment of a slot: that of every backend's allocations. */
#define SLOT_ALIGNMENT_BYTES ((size_t)64)

void astride__blocks_cut(const astride__geometry *whole, size_t target, astride__blocks *blocks)
{
    astride__geometry *geometry = &blocks->geometry;
    *geometry = *whole;
    if (geometry->rank == 0 || geometry->unit_bytes > target) {
        /* Cut the unit itself, as a dimension of single bytes. */
        geometry->extents[geometry->rank] = (int64_t)geometry->unit_bytes;
        geometry->dst_strides[geometry->rank] = 1;
        geometry->src_strides[geometry->rank] = 1;
        geometry->unit_bytes = 1;
        geometry->rank++;
    }
    /* Take whole dimensions into the block as long as they fit. */
    size_t inner_bytes = geometry->unit_bytes;
    int32_t d = geometry->rank - 1;
    for (; d > 0 && (size_t)geometry->extents[d] <= target / inner_bytes; d--)
        inner_bytes *= (size_t)geometry->extents[d];

    const int64_t extent = geometry->extents[d];
    int64_t steps = extent;
    if (target / inner_bytes < (size_t)extent)
        steps = target < inner_bytes ? 1 : (int64_t)(target / inner_bytes);
    blocks->dimension = d;
    blocks->extent = steps;
    blocks->full_count = extent / steps;
    blocks->tail_extent = extent % steps;
    blocks->bytes = inner_bytes * (size_t)steps;
}

uint64_t astride__blocks_walks(const astride__blocks *blocks)
{
    uint64_t count = 1;
    for (int32_t d = 0; d < blocks->dimension; d++)
        count *= (uint64_t)blocks->geometry.extents[d];
    return count;
}

uint64_t astride__blocks_count(const astride__blocks *blocks)
{
    return astride__blocks_walks(blocks) *
           ((uint64_t)blocks->full_count + (blocks->tail_extent > 0));
}

void astride__block_walk_begin(const astride__blocks *blocks, astride__block_walk *walk)
{
    walk->blocks = blocks;
    walk->step = 0;
    for (int32_t d = 0; d < blocks->dimension; d++)
        walk->index[d] = 0;
    walk->dst_offset = blocks->geometry.dst_offset;
    walk->src_offset = blocks->geometry.src_offset;
}

/* To the beginning of the next walk, or of the first one after the last. */
static void next_walk(astride__block_walk *walk)
{
    const astride__geometry *geometry = &walk->blocks->geometry;
    walk->step = 0;
    for (int32_t d = walk->blocks->dimension - 1; d >= 0; d--) {
        walk->dst_offset += geometry->dst_strides[d];
        walk->src_offset += geometry->src_strides[d];
        if (++walk->index[d] < geometry->extents[d])
            return;
        walk->dst_offset -= geometry->extents[d] * geometry->dst_strides[d];
        walk->src_offset -= geometry->extents[d] * geometry->src_strides[d];
        walk->index[d] = 0;
    }
}

astride__block astride__block_walk_next(astride__block_walk *walk)
{
    const astride__blocks *blocks = walk->blocks;
    const int64_t steps = walk->step * blocks->extent;
    const astride__block block = {
        .is_tail = walk->step == blocks->full_count,
        .dst_offset = walk->dst_offset + steps * blocks->geometry.dst_strides[blocks->dimension],
        .src_offset = walk->src_offset + steps * blocks->geometry.src_strides[blocks->dimension],
    };
    if (++walk->step == blocks->full_count + (blocks->tail_extent > 0))
        next_walk(walk);
    return block;
}

astride__ring astride__ring_of(const astride__blocks *blocks, int32_t depth)
{
    const uint64_t count = astride__blocks_count(blocks);
    astride__ring ring = {.depth = depth, .slot_bytes = blocks->bytes};
    if (count < (uint64_t)depth)
        ring.depth = (int32_t)count;
    if (ring.depth > 1)
        ring.slot_bytes = (blocks->bytes + SLOT_ALIGNMENT_BYTES - 1) / SLOT_ALIGNMENT_BYTES *
                          SLOT_ALIGNMENT_BYTES;
    return ring;
}

size_t astride__ring_offset(const astride__ring *ring, uint64_t block)
{
    return (size_t)(block % (uint64_t)ring->depth) * ring->slot_bytes;
}

size_t astride__ring_bytes(const astride__ring *ring)
{
    return (size_t)ring->depth * ring->slot_bytes;
}
