/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Comparing a refusal with what was expected of it.
 */
#include "tests/support/refusal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

void test_refused_at(const char *file, int line, astride_status actual, astride_status expected,
                     const char *call, const char *first, const char *second)
{
    const char *detail = astride_last_error();

    if (actual != expected) {
        print_error("%s, expected %s; detail: %s\n", astride_status_name(actual),
                    astride_status_name(expected), detail);
        _fail(file, line);
    }
    if (strncmp(detail, call, strlen(call)) != 0 || strstr(detail, first) == NULL ||
        strstr(detail, second) == NULL) {
        print_error("detail \"%s\" should begin with \"%s\" and contain \"%s\" and \"%s\"\n",
                    detail, call, first, second);
        _fail(file, line);
    }
}
