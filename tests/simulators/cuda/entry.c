/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What happens around each call of the simulated driver: the rules that many functions share, and
 * faults that functions which give something back report only after their work.
 */
#include <unistd.h>

#include "tests/simulators/cuda/driver.h"

static _Thread_local int late_result;
static pid_t initialized_by;

static int check_context(unsigned rules)
{
    const sim_context *context = cuda_current();
    if (context == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_CONTEXT, "no context is current to the thread");
    if (!context->live)
        return sim_refuse(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the current context was destroyed");
    if (context->lost == 0 || (rules & WHATEVER_HAPPENED) != 0)
        return CUDA_SUCCESS;
    sim_note("an earlier error in the context");
    if ((rules & GIVES_BACK) == 0)
        return context->lost;
    late_result = context->lost;
    return CUDA_SUCCESS;
}

int cuda_begin(const char *name, unsigned rules)
{
    /* A child of fork() has neither the threads nor, perhaps, a lock in order. */
    if (initialized_by != 0 && initialized_by != getpid())
        return -1;
    const int fault = sim_begin(name);
    late_result = CUDA_SUCCESS;
    if (fault != CUDA_SUCCESS && (rules & GIVES_BACK) == 0)
        return fault;
    late_result = fault;
    if ((rules & INITIALIZED) != 0 && !cuda_initialized())
        return sim_refuse(CUDA_ERROR_NOT_INITIALIZED, "cuInit was not called");
    if (cuda_initialized() && initialized_by == 0)
        initialized_by = getpid();
    if ((rules & HAS_CONTEXT) == HAS_CONTEXT) {
        const int result = check_context(rules);
        if (result != CUDA_SUCCESS)
            return result;
    }
    return (rules & NOT_IN_CAPTURE) != 0 ? sim_capture_forbids() : CUDA_SUCCESS;
}

CUresult cuda_end(int result)
{
    if (result < 0)
        return CUDA_ERROR_NOT_INITIALIZED;
    if (late_result != CUDA_SUCCESS && result == CUDA_SUCCESS)
        result = late_result;
    late_result = CUDA_SUCCESS;
    return (CUresult)sim_end(result);
}
