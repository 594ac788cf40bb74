/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A program with three faults, for test_oclgrind.sh: a kernel that reads beyond one buffer and
 * writes beyond another, and a command that leaves its buffer. It uses the first device, and its
 * exit status says only whether it came so far.
 */
#include <stdio.h>
#include <stdlib.h>

#include "backends/opencl/opencl.h"

static const char source[] =
    "__kernel void stray(__global char *to, __global const char *from) { to[64] = from[64]; }";

ASTRIDE_PRINTF(2, 3)
static astride_status fail(astride_status status, const char *format, ...)
{
    fprintf(stderr, "%s\n", format);
    return status;
}

static const astride_services services = {.struct_size = sizeof(services), .fail = fail};

static void need(cl_int code, const char *call)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: %d\n", call, (int)code);
    exit(EXIT_FAILURE);
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int code = CL_SUCCESS;
    const char *text = source;
    const size_t one = 1;
    char byte = 0;

    astride__opencl_services = &services;
    if (astride__opencl_load() != ASTRIDE_OK)
        return EXIT_FAILURE;
    need(astride__cl.GetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    need(astride__cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
         "clGetDeviceIDs");
    cl_context context = astride__cl.CreateContext(NULL, 1, &device, NULL, NULL, &code);
    need(code, "clCreateContext");
    cl_command_queue queue = astride__cl.CreateCommandQueue(context, device, 0, &code);
    need(code, "clCreateCommandQueue");
    cl_mem to = astride__cl.CreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &code);
    need(code, "clCreateBuffer");
    cl_mem from = astride__cl.CreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &code);
    need(code, "clCreateBuffer");
    cl_program program = astride__cl.CreateProgramWithSource(context, 1, &text, NULL, &code);
    need(code, "clCreateProgramWithSource");
    need(astride__cl.BuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = astride__cl.CreateKernel(program, "stray", &code);
    need(code, "clCreateKernel");
    need(astride__cl.SetKernelArg(kernel, 0, sizeof(to), &to), "clSetKernelArg");
    need(astride__cl.SetKernelArg(kernel, 1, sizeof(from), &from), "clSetKernelArg");
    need(astride__cl.EnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
    (void)astride__cl.EnqueueReadBuffer(queue, to, CL_TRUE, 64, 1, &byte, 0, NULL, NULL);
    (void)astride__cl.Finish(queue);
    return EXIT_SUCCESS;
}
