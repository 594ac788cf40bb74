/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A map from addresses to the known range that holds each: a balanced tree of ranges that never
 * overlap. It does not lock; memory.c does.
 */
#ifndef ASTRIDE_HAL_INTERVAL_MAP_H
#define ASTRIDE_HAL_INTERVAL_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/memory.h"

/* A subtree: every base in `lower` is below the node's own, every one in `higher` above it. */
typedef struct astride__interval_node {
    struct astride__interval_node *lower;
    struct astride__interval_node *higher;
    int height; /* of the subtree, a leaf has 1; those of `lower` and `higher` differ by 1 at most
                 */
    astride__range range;
} astride__interval_node;

/* All zero is the empty map. Every call but clear takes O(log count) steps. */
typedef struct astride__interval_map {
    astride__interval_node *root;
    size_t count;
} astride__interval_map;

/*
 * Adds a range of at least one byte that does not wrap around and overlaps none in the map. Returns
 * false when memory is exhausted.
 */
bool astride__interval_map_insert(astride__interval_map *map, const astride__range *range);

/* Takes the range that starts at `base` out. Returns false when none does. */
bool astride__interval_map_remove(astride__interval_map *map, uintptr_t base,
                                  astride__range *range_out);

/*
 * The range in the map that starts at `base`, to be changed in place (not its base or bytes); NULL
 * when none does. Valid until the map changes.
 */
astride__range *astride__interval_map_at(const astride__interval_map *map, uintptr_t base);

/* The range that holds `address`. */
bool astride__interval_map_find(const astride__interval_map *map, uintptr_t address,
                                astride__range *range_out);

/* The lowest range that shares an address with [base, base + bytes), which does not wrap around. */
bool astride__interval_map_overlap(const astride__interval_map *map, uintptr_t base, size_t bytes,
                                   astride__range *range_out);

/* The range with the greatest base that is at most, or the least base that is at least, `address`.
 */
bool astride__interval_map_below(const astride__interval_map *map, uintptr_t address,
                                 astride__range *range_out);
bool astride__interval_map_above(const astride__interval_map *map, uintptr_t address,
                                 astride__range *range_out);

/* Frees every range. */
void astride__interval_map_clear(astride__interval_map *map);

#endif /* ASTRIDE_HAL_INTERVAL_MAP_H */
