/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The host backend without the core around it: services that keep the last message, a device and a
 * queue, for tests that call the slots themselves.
 */
#ifndef ASTRIDE_TESTS_HOST_SLOTS_H
#define ASTRIDE_TESTS_HOST_SLOTS_H

#include <astride/plugin.h>

typedef struct test_host_slots {
    const astride_plugin *plugin;
    astride_backend_device *device;
    astride_backend_queue *queue;
} test_host_slots;

/* For cmocka's groups: *state becomes a test_host_slots. Both return 0 when they succeeded. */
int test_host_slots_setup(void **state);
int test_host_slots_teardown(void **state);

/* What the backend last gave to services->fail() in this thread; "" after test_host_forget(). */
const char *test_host_message(void);
void test_host_forget(void);

#endif /* ASTRIDE_TESTS_HOST_SLOTS_H */
