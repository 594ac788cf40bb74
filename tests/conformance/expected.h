/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A list of expected failures: what an implementation is known to do wrong, and why. A line is
 *
 *     DIRECTION STRATEGY REASON...
 *
 * with the names of the conformance program's options --direction and --strategy; empty lines and
 * lines that begin with "#" do not count. An entry is about one test point, which must then fail:
 * one that passes is a failure of the run, so that the list cannot outlive its reasons.
 */
#ifndef ASTRIDE_TESTS_EXPECTED_H
#define ASTRIDE_TESTS_EXPECTED_H

#include "tests/conformance/engine.h"

enum { EXPECTED_REASON_BYTES = 200 };

typedef struct expected_failures {
    /* Empty: the point must pass. */
    char reasons[CONFORMANCE_DIRECTION_COUNT][CONFORMANCE_STRATEGY_COUNT][EXPECTED_REASON_BYTES];
    int count;
} expected_failures;

/* Reads a list. NULL when it could be read, else what is wrong; *line_out is 0 or a line number. */
const char *expected_failures_read(const char *path, expected_failures *list_out, int *line_out);

#endif /* ASTRIDE_TESTS_EXPECTED_H */
