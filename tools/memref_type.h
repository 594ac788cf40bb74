/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * MLIR memref types as the notation for one side of a copy: from text to extents, byte strides and
 * element size, and back. Needs nothing of MLIR. What is no strided region of known size is an
 * error that names the place in the text.
 *
 * Accepted: memref<EXTENTS x ELEMENT [, LAYOUT] [, MEMORY-SPACE]>, where LAYOUT is
 * strided<[...], offset: N>, an affine_map with one linear result, or an affine_map that permutes
 * the dimensions: element [i0, i1] of memref<8x32xf32, affine_map<(d0, d1) -> (d1, d0)>> is element
 * [i1, i0] of a dense 32 x 8 array. Memory spaces are kept as text.
 *
 * The size of an element is the distance between neighbours of a dense memref once MLIR has lowered
 * it to LLVM for x86-64 or AArch64 (LLVM 18 or newer):
 *  - iN, siN, uiN: whole bytes, rounded up to a power of two for N <= 128 (i1 and i4: 1 byte, i24:
 * 4), above that to a multiple of 16 bytes; index: 8 bytes;
 *  - f16 and bf16: 2 bytes; f32: 4; f64: 8; f80 and f128: 16; the f4, f6 and f8 formats: 1;
 *    tf32 has no such lowering and is an error;
 *  - complex<T>: two elements T;
 *  - vector<...xT>: the innermost extent's bits packed and rounded up to a power of two bytes
 *    (vector<3xf32>: 16), times the outer extents.
 */
#ifndef ASTRIDE_TOOLS_MEMREF_TYPE_H
#define ASTRIDE_TOOLS_MEMREF_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <astride/copy.h>

/* An element type. */
typedef struct memref_element {
    char scalar[16];     /* "f32", "si8", "index" */
    bool is_complex;     /* complex<scalar> */
    bool is_vector;      /* vector<...xscalar>; never complex as well */
    int32_t vector_rank; /* 0 for a scalar and for vector<f32> */
    int64_t vector_extents[ASTRIDE_MAX_RANK];
    int64_t bytes; /* at least 1 */
} memref_element;

/* A memref type with static shape and layout. */
typedef struct memref_type {
    int32_t rank; /* 0 to ASTRIDE_MAX_RANK */
    int64_t extents[ASTRIDE_MAX_RANK];
    int64_t stride_bytes[ASTRIDE_MAX_RANK]; /* multiples of element.bytes */
    int64_t offset_bytes; /* of element [0, ..., 0]; a multiple of element.bytes */
    memref_element element;
    const char *space; /* the memory space as written, in the parsed text; NULL: none */
    size_t space_bytes;
} memref_type;

/* Why a text is no such type. */
typedef struct memref_type_error {
    size_t position; /* number of the byte in the text, from 0; the text's length: at its end */
    char message[160];
} memref_type_error;

/* Parses a type. `type_out` is written on success only, `error_out` on failure only. */
bool memref_type_parse(const char *text, memref_type *type_out, memref_type_error *error_out);

/* Whether two element types are the same type (not only of the same size). */
bool memref_element_equal(const memref_element *left, const memref_element *right);

/* Writes an element type as MLIR prints it. */
void memref_element_write(const memref_element *element, FILE *stream);

/* Writes a type with its layout as strided<...>, or without one where it is dense. */
void memref_type_write(const memref_type *type, FILE *stream);

/*
 * Writes the part of the text around an error and, in a second line, a caret under its place. Bytes
 * that are no printable ASCII are shown as '?', so that the columns agree.
 */
void memref_type_write_caret(const char *text, const memref_type_error *error, FILE *stream);

#endif /* ASTRIDE_TOOLS_MEMREF_TYPE_H */
