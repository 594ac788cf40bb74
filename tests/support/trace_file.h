/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reading a trace as a viewer does, for the tests of what the library writes to ASTRIDE_TRACE.
 */
#ifndef ASTRIDE_TESTS_TRACE_FILE_H
#define ASTRIDE_TESTS_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct test_trace test_trace;

/* Parses the file. Fails the cmocka case where it is not an array of well-formed events. */
test_trace *test_trace_load(const char *path);
void test_trace_free(test_trace *trace);

/* The number of spans whose name begins so, of all tracks whose name begins with `track`. */
size_t test_trace_count(const test_trace *trace, const char *track, const char *name);

/*
 * Fails where two spans of a track overlap, or a span of those tracks begins or ends outside the
 * time from the first to the last moment of all other tracks, give or take `slack_us`.
 */
void test_trace_check_times(const test_trace *trace, const char *track, double slack_us);

/* The sum of a member "bytes" over the spans of that name. */
long long test_trace_bytes(const test_trace *trace, const char *name);

#endif /* ASTRIDE_TESTS_TRACE_FILE_H */
