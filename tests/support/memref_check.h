/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What must hold for the parser of memref types whatever the text is; for the unit test, which
 * mutates types, and for the fuzzer.
 */
#ifndef ASTRIDE_TESTS_MEMREF_CHECK_H
#define ASTRIDE_TESTS_MEMREF_CHECK_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Parses a text and checks the outcome. An accepted type, written and parsed again, is the same
 * type; a refused one has a message, a position inside the text and two printable lines that show
 * it.
 *
 * Returns NULL, or which of these rules is broken. `accepted_out` says whether the text was a type.
 */
const char *test_memref_check(const char *text, bool *accepted_out);

#endif /* ASTRIDE_TESTS_MEMREF_CHECK_H */
