/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory between two pages that nobody may touch: a region put flush against either end faults as
 * soon as something reads or writes one byte too far.
 */
#ifndef ASTRIDE_TESTS_GUARDED_PAGES_H
#define ASTRIDE_TESTS_GUARDED_PAGES_H

#include <stddef.h>

typedef struct test_pages {
    unsigned char *start; /* of the memory between the two pages */
    size_t bytes;         /* a multiple of the page size */
} test_pages;

/* At least `bytes` bytes; ends the test program with a message where there is no memory. */
test_pages test_pages_create(size_t bytes);
void test_pages_destroy(test_pages *pages);

/* From now on writing to it faults as well. */
void test_pages_protect(const test_pages *pages);

#endif /* ASTRIDE_TESTS_GUARDED_PAGES_H */
