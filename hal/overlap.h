/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Finding out whether two elements share bytes: within a destination, and between the two sides of
 * a copy. Exact where bounded effort allows, and honest where it does not.
 */
#ifndef ASTRIDE_HAL_OVERLAP_H
#define ASTRIDE_HAL_OVERLAP_H

#include <stdint.h>

#include "hal/normalise.h"

typedef enum astride__relation {
    ASTRIDE__DISJOINT,    /* proved: no byte is shared */
    ASTRIDE__OVERLAPPING, /* proved: some byte is shared */
    ASTRIDE__UNDECIDED    /* the search ran out of its budget */
} astride__relation;

/*
 * Whether two different units of the destination share bytes. On ASTRIDE__OVERLAPPING,
 * `difference_out` (geometry->rank numbers, may be NULL) is the difference of two such indices.
 */
astride__relation astride__overlap_within(const astride__geometry *geometry,
                                          int64_t *difference_out);

/* Whether destination and source share bytes when their units [0, ..., 0] are at these addresses.
 */
astride__relation astride__overlap_between(const astride__geometry *geometry, uintptr_t dst,
                                           uintptr_t src);

#endif /* ASTRIDE_HAL_OVERLAP_H */
