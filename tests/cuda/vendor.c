/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The CUDA driver for the tests on simulated drivers.
 */
#include "tests/simulated/simulated.h"

static const char *const work[] = {
    "cuMemcpyAsync",
    "cuMemcpyHtoDAsync",
    "cuMemcpyDtoHAsync",
    "cuMemcpyDtoDAsync",
    "cuMemcpyPeerAsync",
    "cuMemcpy2DAsync",
    "cuMemcpy3DAsync",
    "cuMemcpy3DPeerAsync",
    "cuMemsetD8Async",
    "cuMemsetD16Async",
    "cuMemsetD32Async",
    "cuMemsetD2D8Async",
    "cuLaunchKernel",
    "cuMemsetD2D16Async",
    "cuMemsetD2D32Async",
    "cuLaunchHostFunc",
    NULL,
};

static const char *const waits[] = {"cuStreamSynchronize", "cuEventSynchronize", "cuCtxSynchronize",
                                    NULL};

static const char *const gives_back[] = {"Free",       "Destroy",    "Unload",      "Release",
                                         "Unregister", "PopCurrent", "PushCurrent", NULL};

const simulated_vendor simulated_the_vendor = {
    .backend = "cuda",
    .library = "libcuda.so.1",
    .variables = "ASTRIDE_CUDA_LIBRARY",
    .work = work,
    .waits = waits,
    .gives_back = gives_back,
    .failure_text = "CUDA_ERROR_UNKNOWN (999)",
    .lost_text = "CUDA_ERROR_LAUNCH_FAILED (719)",
    .stream_wait = "cuStreamSynchronize",
    .event_calls = "cuEventRecord cuEventSynchronize",
    .pinned_alloc = "cuMemHostAlloc",
    .event_create = "cuEventCreate",
    .to_device = "cuMemcpyHtoDAsync",
    .calls_to_allocate_and_free = 6, /* push, allocate, pop; push, free, pop */
};
