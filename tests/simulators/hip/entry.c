/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What happens around each call of the simulated runtime: the rules that many functions share, the
 * last error of each thread, and faults that functions which give something back report only after
 * their work.
 */
#include <unistd.h>

#include "tests/simulators/hip/runtime.h"

static _Thread_local int late_result, last_error;
static pid_t used_by;

static int check_device(unsigned rules)
{
    if (sim_setting.devices == 0)
        return hipErrorNoDevice;
    const sim_context *context = hip_current();
    if (context->lost == 0)
        return hipSuccess;
    sim_note("an earlier error of the device");
    if ((rules & GIVES_BACK) == 0)
        return context->lost;
    late_result = context->lost;
    return hipSuccess;
}

int hip_begin(const char *name, unsigned rules)
{
    /* A child of fork() has neither the threads nor, perhaps, a lock in order. */
    if (used_by != 0 && used_by != getpid())
        return -1;
    const int fault = sim_begin(name);
    used_by = getpid();
    late_result = hipSuccess;
    if (fault != hipSuccess && (rules & GIVES_BACK) == 0)
        return fault;
    late_result = fault;
    if ((rules & NEEDS_DEVICE) != 0) {
        const int result = check_device(rules);
        if (result != hipSuccess)
            return result;
    }
    return (rules & NOT_IN_CAPTURE) != 0 ? sim_capture_forbids() : hipSuccess;
}

hipError_t hip_end(int result)
{
    if (result < 0)
        return hipErrorNotInitialized;
    if (late_result != hipSuccess && result == hipSuccess)
        result = late_result;
    late_result = hipSuccess;
    result = sim_end(result);
    if (result != hipSuccess)
        last_error = result;
    return result;
}

hipError_t hipGetLastError(void)
{
    const int result = last_error;
    last_error = hipSuccess;
    return result;
}

hipError_t hipPeekAtLastError(void)
{
    return last_error;
}

const char *hipGetErrorName(hipError_t error)
{
    switch (error) {
#define NAME(name, value)                                                                          \
    case name:                                                                                     \
        return #name;
        SIM_HIP_RESULTS(NAME)
#undef NAME
    default:
        return "unrecognized error code";
    }
}
