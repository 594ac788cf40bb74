/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * libFuzzer target for the parser of memref types: any bytes are parsed, and the outcome must keep
 * the rules of tests/support/memref_check.h.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/memref_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Of exactly this size, so that the sanitizer sees a read past the end. */
    char *text = malloc(size + 1);
    bool accepted;
    const char *broken;

    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    broken = test_memref_check(text, &accepted);
    if (broken != NULL) {
        (void)fprintf(stderr, "broken: %s\n", broken);
        abort();
    }
    free(text);
    return 0;
}
