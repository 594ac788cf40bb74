/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What copies and fills must result in: plain nested loops over images of allocations in host
 * memory. The library is not used here.
 */
#ifndef ASTRIDE_TESTS_REFERENCE_H
#define ASTRIDE_TESTS_REFERENCE_H

#include "tests/support/layout.h"

/*
 * Copies as if all of the source were read before the first byte of the destination is written,
 * both sides moved by `shift` bytes. dst_image and src_image are images of the two allocations, the
 * same pointer for one allocation. Only bytes of destination elements are changed.
 */
void test_reference_copy(const test_layout *layout, int64_t shift, unsigned char *dst_image,
                         const unsigned char *src_image);

/* Writes `pattern`, of element_bytes bytes, to each element of the destination. */
void test_reference_fill(const test_layout *layout, const void *pattern, unsigned char *dst_image);

/* The offset of the first byte that differs, or `bytes` when none does. */
size_t test_first_difference(const unsigned char *a, const unsigned char *b, size_t bytes);

#endif /* ASTRIDE_TESTS_REFERENCE_H */
