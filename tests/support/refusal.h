/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Asserting that a call was refused, with the exact status and a detail that says enough.
 */
#ifndef ASTRIDE_TESTS_REFUSAL_H
#define ASTRIDE_TESTS_REFUSAL_H

#include <astride/status.h>

/*
 * Ends the test case unless `actual` is `expected` and astride_last_error() begins with `call` and
 * contains `first` and `second`.
 */
void test_refused_at(const char *file, int line, astride_status actual, astride_status expected,
                     const char *call, const char *first, const char *second);

#define test_refused(actual, expected, call, first, second)                                        \
    test_refused_at(__FILE__, __LINE__, actual, expected, call, first, second)

#endif /* ASTRIDE_TESTS_REFUSAL_H */
