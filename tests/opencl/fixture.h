/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the tests on an OpenCL device share: the plugin of the build tree, a device and a queue, and
 * OpenCL itself for objects that a program would bring along.
 */
#ifndef ASTRIDE_TESTS_OPENCL_FIXTURE_H
#define ASTRIDE_TESTS_OPENCL_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>

#include <astride/astride.h>

#include "backends/opencl/opencl.h"

extern astride_device *opencl_device;
extern astride_queue *opencl_queue;

/*
 * Opens the first OpenCL device and loads OpenCL for the test itself. Where there is none it prints
 * a plan that skips all and returns false; any other failure ends the program with status 99.
 */
bool opencl_fixture_open(void);
void opencl_fixture_close(void);

/* The OpenCL device that a test makes its own objects on; the same one as opencl:0. */
cl_device_id opencl_native_device(void);

/* A dense copy, done on return. */
astride_status opencl_copy(astride_queue *queue, void *dst, const void *src, size_t bytes);

#endif /* ASTRIDE_TESTS_OPENCL_FIXTURE_H */
