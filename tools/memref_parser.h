/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The parts of the parser of memref types, for each other: memref_type.c reads the whole type,
 * memref_element.c element types, memref_layout.c and memref_affine.c layouts.
 *
 * Each function reads from the scan's position on, and returns false with the error recorded.
 */
#ifndef ASTRIDE_TOOLS_MEMREF_PARSER_H
#define ASTRIDE_TOOLS_MEMREF_PARSER_H

#include "tools/memref_scan.h"

/* What a layout comes to, in elements. */
typedef struct memref_layout {
    int64_t offset;
    int64_t strides[ASTRIDE_MAX_RANK];
} memref_layout;

/*
 * Reads "8x32x": extents, each followed by x, up to what is none. Those of a vector are at least 1.
 */
bool memref_parse_extents(scan *in, bool of_vector, int64_t extents_out[ASTRIDE_MAX_RANK],
                          int32_t *rank_out);

/* Reads an element type. */
bool memref_parse_element(scan *in, memref_element *element_out);

/* Row-major strides of a dense array. `position` is where an overflow is reported. */
bool memref_dense_strides(scan *in, size_t position, int32_t rank, const int64_t *extents,
                          int64_t *strides_out);

/* Reads what follows the word `strided`. */
bool memref_parse_strided(scan *in, int32_t rank, memref_layout *layout_out);

/* Reads what follows the word `affine_map`. */
bool memref_parse_affine_map(scan *in, int32_t rank, const int64_t *extents,
                             memref_layout *layout_out);

#endif /* ASTRIDE_TOOLS_MEMREF_PARSER_H */
