/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Building the packing kernels for a device, once when it is opened, and deciding how their work is
 * shared there.
 */
#include "opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Further options for the compiler of the kernels, behind our own. */
#define OPTIONS_VARIABLE "ASTRIDE_OPENCL_BUILD_OPTIONS"
/* "items" or "runs": how work is shared, where the device's type is not to decide. */
#define SHARING_VARIABLE "ASTRIDE_OPENCL_SHARING"

/* A group for every compute unit and some more, so that none is idle for long at the end. */
#define GROUPS_PER_UNIT_RUNS 4u
#define GROUPS_PER_UNIT_ITEMS 32u
/* With fewer bytes a further group costs more than it helps; measured with PoCL 3.1. */
#define RUN_BYTES_MINIMUM (16u << 10)

/* Fails with the compiler's own words, which also go to the log as a whole. */
static astride_status fail_build(const astride_backend_device *device, cl_program program,
                                 const char *options, cl_int code)
{
    char *log = NULL;
    size_t bytes = 0;
    if (astride__cl.GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL,
                                        &bytes) == CL_SUCCESS &&
        bytes > 0)
        log = calloc(1, bytes + 1);
    if (log != NULL && astride__cl.GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG,
                                                       bytes, log, NULL) != CL_SUCCESS)
        log[0] = '\0';
    const char *words = log != NULL && log[0] != '\0' ? log : "the driver gives no log";
    astride__opencl_services->log(ASTRIDE_LOG_ERROR, "clBuildProgram with \"%s\": %s", options,
                                  words);
    const astride_status status = astride__opencl_services->fail(
        ASTRIDE_DRIVER_ERROR, "clBuildProgram with \"%.200s\": %s (%d): %.600s", options,
        astride__opencl_error_name(code), (int)code, words);
    free(log);
    return status;
}

/* Whether every kernel can run in groups of ASTRIDE_KERNEL_GROUP work-items. */
static bool groups_fit(const astride_backend_device *device, cl_program program)
{
    bool fit = true;
    for (int i = 0; fit && i < ASTRIDE__KERNEL_COUNT; i++) {
        cl_int code = CL_SUCCESS;
        size_t size = 0;
        cl_kernel kernel = astride__cl.CreateKernel(program, astride__kernel_names[i], &code);
        if (kernel == NULL)
            return false;
        code = astride__cl.GetKernelWorkGroupInfo(kernel, device->id, CL_KERNEL_WORK_GROUP_SIZE,
                                                  sizeof(size), &size, NULL);
        fit = code == CL_SUCCESS && size >= ASTRIDE_KERNEL_GROUP;
        astride__cl.ReleaseKernel(kernel);
    }
    return fit;
}

static astride_status build(astride_backend_device *device, bool runs, cl_program *program_out)
{
    const char *source = astride__kernel_source;
    const char *more = secure_getenv(OPTIONS_VARIABLE);
    char options[512];
    cl_int code = CL_SUCCESS;
    const int length =
        snprintf(options, sizeof(options), "-cl-std=CL1.2%s%s%s", runs ? " -DASTRIDE_RUNS" : "",
                 more != NULL ? " " : "", more != NULL ? more : "");
    if (length < 0 || (size_t)length >= sizeof(options))
        return astride__opencl_services->fail(ASTRIDE_INVALID_ARGUMENT,
                                              OPTIONS_VARIABLE " is longer than %zu bytes",
                                              sizeof(options) - 64);
    cl_program program =
        astride__cl.CreateProgramWithSource(device->context, 1, &source, NULL, &code);
    if (program == NULL)
        return astride__opencl_check("clCreateProgramWithSource", code);
    code = astride__cl.BuildProgram(program, 1, &device->id, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        const astride_status status = fail_build(device, program, options, code);
        astride__cl.ReleaseProgram(program);
        return status;
    }
    *program_out = program;
    return ASTRIDE_OK;
}

/* How the work would best be shared, as far as that can be told before compiling. */
static astride_status prefer_runs(const astride_backend_device *device, bool *runs_out)
{
    const char *wish = secure_getenv(SHARING_VARIABLE);
    if (wish == NULL || wish[0] == '\0')
        *runs_out = device->is_cpu;
    else if (strcmp(wish, "runs") == 0)
        *runs_out = true;
    else if (strcmp(wish, "items") == 0)
        *runs_out = false;
    else
        return astride__opencl_services->fail(
            ASTRIDE_INVALID_ARGUMENT,
            SHARING_VARIABLE "=\"%.100s\" is neither \"items\" nor \"runs\"", wish);
    if (astride__opencl_device_number(device->id, CL_DEVICE_MAX_WORK_GROUP_SIZE) <
        ASTRIDE_KERNEL_GROUP)
        *runs_out = true;
    return ASTRIDE_OK;
}

static bool can_compile(const astride_backend_device *device)
{
    /* 1024 in the full profile (OpenCL 1.2, table 4.3), but 256 in the embedded one. */
    const cl_ulong parameter_bytes =
        astride__opencl_device_number(device->id, CL_DEVICE_MAX_PARAMETER_SIZE);
    return astride__opencl_device_number(device->id, CL_DEVICE_COMPILER_AVAILABLE) != CL_FALSE &&
           parameter_bytes >= sizeof(astride_kernel_arguments) + 2 * sizeof(cl_mem);
}

astride_status astride__opencl_program_build(astride_backend_device *device)
{
    const cl_ulong units = astride__opencl_device_number(device->id, CL_DEVICE_MAX_COMPUTE_UNITS);
    const uint32_t unit_count = units == 0 ? 1 : units > 4096 ? 4096 : (uint32_t)units;
    bool runs = true;
    if (!can_compile(device)) {
        astride__opencl_services->log(ASTRIDE_LOG_WARN,
                                      "the device has no compiler, or too little room for the "
                                      "arguments of kernels: copies do without kernels");
        return ASTRIDE_OK;
    }
    astride_status status = prefer_runs(device, &runs);
    if (status == ASTRIDE_OK)
        status = build(device, runs, &device->program);
    if (status == ASTRIDE_OK && !runs && !groups_fit(device, device->program)) {
        astride__cl.ReleaseProgram(device->program);
        device->program = NULL;
        runs = true;
        status = build(device, runs, &device->program);
    }
    device->sharing = (astride__kernel_sharing){
        .runs = runs,
        .groups_maximum = unit_count * (runs ? GROUPS_PER_UNIT_RUNS : GROUPS_PER_UNIT_ITEMS),
        .run_minimum = RUN_BYTES_MINIMUM,
    };
    return status;
}
