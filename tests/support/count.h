/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How many random cases a test draws: the environment can ask for more (a night's run) or fewer (a
 * build that is slow because it checks every access).
 */
#ifndef ASTRIDE_TESTS_COUNT_H
#define ASTRIDE_TESTS_COUNT_H

#include <stdint.h>

/*
 * `usual` scaled by ASTRIDE_TEST_COUNT, a number of percent: 10 draws a tenth, 1000 ten times as
 * many. At least 1. A malformed value ends the test with a message.
 */
uint64_t test_count(uint64_t usual);

#endif /* ASTRIDE_TESTS_COUNT_H */
