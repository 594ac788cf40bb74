/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The reader under the parser of memref types: a position in a text, the tokens that the parser
 * asks for, and the one place where its errors are made. It knows MLIR's words and numbers but no
 * grammar.
 */
#ifndef ASTRIDE_TOOLS_MEMREF_SCAN_H
#define ASTRIDE_TOOLS_MEMREF_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <astride/export.h>

#include "tools/memref_type.h"

/* Nesting that the parser follows, in affine expressions and in attributes, before it gives up. */
#define SCAN_MAXIMUM_DEPTH 64

/* A text that is being read. Blanks are skipped before whatever is asked for. */
typedef struct scan {
    const char *text; /* with a terminator */
    size_t position;  /* of the next byte, at most strlen(text) */
    memref_type_error *error;
} scan;

/* Some bytes of the text. */
typedef struct scan_slice {
    const char *text;
    size_t bytes;
} scan_slice;

/* Records an error at a position of the text. Returns false, for the caller to return. */
bool scan_fail(scan *in, size_t position, const char *format, ...) ASTRIDE_PRINTF(3, 4);

/* Records "expected WHAT, not ..." with what is at the next position. Returns false. */
bool scan_fail_expected(scan *in, const char *what);

/* Whether a byte is one of MLIR's blanks. */
bool scan_is_blank(char byte);

/* Skips blanks and returns the position of what follows them. */
size_t scan_skip_blanks(scan *in);

/* The next byte that is no blank, without taking it; 0 at the end. */
char scan_peek(scan *in);

/* Takes a byte if it is the next one. */
bool scan_accept(scan *in, char byte);

/* Takes a byte, which must be the next one; `what` is how the error names it. */
bool scan_expect(scan *in, char byte, const char *what);

/* Takes the longest run of letters, digits and the bytes of `extra`; empty if there is none. */
scan_slice scan_word(scan *in, const char *extra);

/* Whether a slice is exactly a word. */
bool scan_slice_is(scan_slice slice, const char *word);

/*
 * Takes a number without sign of at most 63 bits, of which there must be one; `what` is how errors
 * name it. With `hexadecimal`, 0x1f is a number as well.
 */
bool scan_number(scan *in, const char *what, bool hexadecimal, int64_t *number_out);

#endif /* ASTRIDE_TOOLS_MEMREF_SCAN_H */
