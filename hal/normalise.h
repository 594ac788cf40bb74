/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rewriting a copy into the shortest equivalent one.
 */
#ifndef ASTRIDE_HAL_NORMALISE_H
#define ASTRIDE_HAL_NORMALISE_H

#include "hal/descriptor.h"

/*
 * A normalised copy: `unit_bytes` contiguous bytes at each index of `rank` dimensions, outermost
 * first. Every extent is at least 2; destination strides are positive and descending (0 only in a
 * destination that overlaps itself); no two neighbouring dimensions can be merged, and the
 * innermost one cannot be taken into the unit.
 */
typedef struct astride__geometry {
    int32_t rank;
    size_t unit_bytes;
    int64_t dst_offset, src_offset; /* from the descriptor's bases to the units at [0, ..., 0] */
    int64_t extents[ASTRIDE_MAX_RANK];
    int64_t dst_strides[ASTRIDE_MAX_RANK];
    int64_t src_strides[ASTRIDE_MAX_RANK];
} astride__geometry;

/* Normalises a description that is not empty. Cannot fail. */
void astride__normalise(const astride__description *description, astride__geometry *geometry_out);

/* Number of units. */
uint64_t astride__geometry_units(const astride__geometry *geometry);

#endif /* ASTRIDE_HAL_NORMALISE_H */
