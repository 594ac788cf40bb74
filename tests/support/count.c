/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reading ASTRIDE_TEST_COUNT and, where that says nothing, how slow this build is.
 */
#include "tests/support/count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The build says in ASTRIDE_TEST_SANITIZE which sanitizers it has, if any. */
static unsigned long usual_percent(void)
{
    const char *sanitizers = getenv("ASTRIDE_TEST_SANITIZE");

    if (sanitizers == NULL || *sanitizers == '\0')
        return 100;
    return strstr(sanitizers, "thread") != NULL ? 25 : 50;
}

uint64_t test_count(uint64_t usual)
{
    const char *text = getenv("ASTRIDE_TEST_COUNT");
    char *end = NULL;
    unsigned long percent = usual_percent();

    if (text != NULL && *text != '\0') {
        percent = strtoul(text, &end, 10);
        if (*end != '\0' || percent == 0 || percent > 1000000) {
            fprintf(stderr, "ASTRIDE_TEST_COUNT is \"%s\": give a percentage from 1 to 1000000\n",
                    text);
            exit(99);
        }
    }
    return usual * percent / 100 > 0 ? usual * percent / 100 : 1;
}
