/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the tests of the simulated HIP runtime share: late streams, and the check that nothing is
 * left behind a test. A device that was lost stays lost: a test that loses one takes a device of
 * its own.
 */
#ifndef ASTRIDE_TESTS_SIMULATORS_HIP_TESTING_H
#define ASTRIDE_TESTS_SIMULATORS_HIP_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/simulators/hip/runtime.h"

/* Exported beside the runtime's own functions. */
extern const astride_sim *astride_sim_get(void);

#define assert_hip(code, call) assert_int_equal((call), (code))
#define assert_done(call) assert_hip(hipSuccess, call)

static inline int test_begin(void **state)
{
    (void)state;
    astride_sim_get()->set("DELAY", "60000000"); /* nothing runs unless somebody waits */
    astride_sim_get()->set("DEVICES", "8");
    if (hipInit(0) != hipSuccess || hipSetDevice(0) != hipSuccess)
        return -1;
    hipGetLastError();
    astride_sim_get()->reset();
    return 0;
}

static inline int test_end(void **state)
{
    static const astride_sim_alive nothing = {0};
    astride_sim_alive alive;
    (void)state;
    astride_sim_get()->alive(&alive);
    return memcmp(&alive, &nothing, sizeof(alive)) == 0 ? 0 : -1;
}

#define runtime_test(name) cmocka_unit_test_setup_teardown(name, test_begin, test_end)

/* Makes a device current that this test may lose. */
static inline void take_device(void)
{
    static int last;
    assert_done(hipSetDevice(++last));
}

static inline unsigned char seen(const void *address)
{
    return *(const unsigned char *)astride_sim_get()->view(address, 1);
}

#endif /* ASTRIDE_TESTS_SIMULATORS_HIP_TESTING_H */
