/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Cutting a normalised copy into blocks for staging, walking over them, and the ring of slots that
 * they take turns in. Numbers only: nothing here touches memory or a device.
 */
#ifndef ASTRIDE_HAL_BLOCKS_H
#define ASTRIDE_HAL_BLOCKS_H

#include <stdbool.h>

#include "hal/normalise.h"

typedef struct astride__blocks {
    astride__geometry geometry; /* as given, but with the unit cut when a unit exceeds a block */
    int32_t dimension;          /* dimensions before it are looped over, one walk each */
    int64_t extent;             /* steps of `dimension` in a full block */
    int64_t full_count;         /* full blocks of a walk along `dimension` */
    int64_t tail_extent;        /* of the shorter block at the end of a walk; 0: none */
    size_t bytes;               /* of a full block */
} astride__blocks;

/* Cuts a geometry of rank below ASTRIDE_MAX_RANK into blocks of at most `target` bytes (at least
   1). */
void astride__blocks_cut(const astride__geometry *geometry, size_t target,
                         astride__blocks *blocks_out);

/* Walks along the blocked dimension, and blocks of all of them. */
uint64_t astride__blocks_walks(const astride__blocks *blocks);
uint64_t astride__blocks_count(const astride__blocks *blocks);

/* One block: its shape, and its first unit's offset from each side's base. */
typedef struct astride__block {
    bool is_tail;
    int64_t dst_offset, src_offset;
} astride__block;

/* A place among the blocks. */
typedef struct astride__block_walk {
    const astride__blocks *blocks;
    int64_t step; /* of the next block along its walk */
    int64_t index[ASTRIDE_MAX_RANK];
    int64_t dst_offset, src_offset; /* of the present walk */
} astride__block_walk;

void astride__block_walk_begin(const astride__blocks *blocks, astride__block_walk *walk_out);
/* The next block; called astride__blocks_count() times. */
astride__block astride__block_walk_next(astride__block_walk *walk);

/* Slots that blocks take turns in: block k is in slot k modulo the depth. */
typedef struct astride__ring {
    int32_t depth;
    size_t slot_bytes; /* from slot to slot */
} astride__ring;

/* No more slots than blocks; each begins at a multiple of 64 bytes, as allocations do. */
astride__ring astride__ring_of(const astride__blocks *blocks, int32_t depth);
/* Offset of the slot of a block, and bytes of all slots. */
size_t astride__ring_offset(const astride__ring *ring, uint64_t block);
size_t astride__ring_bytes(const astride__ring *ring);

#endif /* ASTRIDE_HAL_BLOCKS_H */
