/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The device and queue that a unit test works with: the first device of ASTRIDE_TEST_BACKENDS, else
 * the host.
 */
#ifndef ASTRIDE_TESTS_FIXTURE_H
#define ASTRIDE_TESTS_FIXTURE_H

#include <astride/astride.h>

typedef struct test_fixture {
    astride_device *device;
    astride_queue *queue;
} test_fixture;

/* For cmocka's groups: *state becomes a test_fixture. Both return 0 when they succeeded. */
int test_fixture_setup(void **state);
int test_fixture_teardown(void **state);

#endif /* ASTRIDE_TESTS_FIXTURE_H */
