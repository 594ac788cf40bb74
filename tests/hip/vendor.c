/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The HIP runtime for the tests on simulated drivers.
 */
#include "tests/simulated/simulated.h"

static const char *const work[] = {
    "hipMemcpyAsync",
    "hipMemcpy2DAsync",
    "hipMemcpy3DAsync",
    "hipMemsetD8Async",
    "hipMemsetD16Async",
    "hipMemsetD32Async",
    "hipMemset2DAsync",
    "hipModuleLaunchKernel",
    "hipLaunchHostFunc",
    "hipStreamAddCallback",
    NULL,
};

static const char *const waits[] = {"hipStreamSynchronize", "hipEventSynchronize",
                                    "hipDeviceSynchronize", NULL};

/* A device that cannot be made current again is tried once more, and logged. */
static const char *const gives_back[] = {"Free",      "Destroy",   "Unload", "Unregister",
                                         "SetDevice", "GetDevice", NULL};

const simulated_vendor simulated_the_vendor = {
    .backend = "hip",
    .library = "libamdhip64.so.6",
    .variables = "ASTRIDE_HIP_LIBRARY ASTRIDE_HIPRTC_LIBRARY",
    .work = work,
    .waits = waits,
    .gives_back = gives_back,
    .failure_text = "hipErrorUnknown (999)",
    .compiler_failure_text = "hiprtcResult 999",
    .lost_text = "hipErrorLaunchFailure (719)",
    .stream_wait = "hipStreamSynchronize",
    .event_calls = "hipEventRecord hipEventSynchronize",
    .pinned_alloc = "hipHostMalloc",
    .event_create = "hipEventCreateWithFlags",
    .to_device = "hipMemcpyAsync",
    .calls_to_allocate_and_free = 4, /* which device is current, allocate; the same, free */
};
