/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the tests of the simulated CUDA driver share: a context for each test, and the check that
 * nothing is left behind it.
 */
#ifndef ASTRIDE_TESTS_SIMULATORS_CUDA_TESTING_H
#define ASTRIDE_TESTS_SIMULATORS_CUDA_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/simulators/cuda/driver.h"

/* Exported beside the driver's own functions. */
extern const astride_sim *astride_sim_get(void);

#define assert_cuda(code, call) assert_int_equal((call), (code))
#define assert_done(call) assert_cuda(CUDA_SUCCESS, call)

static inline int test_begin(void **state)
{
    static CUcontext context;
    astride_sim_get()->set("DELAY", "60000000"); /* nothing runs unless somebody waits */
    if (cuInit(0) != CUDA_SUCCESS || cuDevicePrimaryCtxRetain(&context, 0) != CUDA_SUCCESS ||
        cuCtxPushCurrent_v2(context) != CUDA_SUCCESS)
        return -1;
    astride_sim_get()->reset();
    *state = &context;
    return 0;
}

static inline int test_end(void **state)
{
    static const astride_sim_alive nothing = {0};
    CUcontext context;
    astride_sim_alive alive;
    (void)state;
    if (cuCtxPopCurrent_v2(&context) != CUDA_SUCCESS ||
        cuDevicePrimaryCtxRelease_v2(0) != CUDA_SUCCESS)
        return -1;
    astride_sim_get()->alive(&alive);
    return memcmp(&alive, &nothing, sizeof(alive)) == 0 ? 0 : -1;
}

#define driver_test(name) cmocka_unit_test_setup_teardown(name, test_begin, test_end)

#endif /* ASTRIDE_TESTS_SIMULATORS_CUDA_TESTING_H */
