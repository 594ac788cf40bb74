/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The two texts around the source of kernels, as the build embeds them.
 */
#ifndef ASTRIDE_TESTS_SIMULATORS_HIP_EMBEDDED_H
#define ASTRIDE_TESTS_SIMULATORS_HIP_EMBEDDED_H

#include "tests/simulators/hip/runtime.h"

extern const char hip_kernel_prelude[];
extern const char hip_kernel_launchers[];

#endif /* ASTRIDE_TESTS_SIMULATORS_HIP_EMBEDDED_H */
