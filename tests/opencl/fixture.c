/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Opening and closing what fixture.h describes.
 */
#include "tests/opencl/fixture.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

astride_device *opencl_device;
astride_queue *opencl_queue;

/* Read by the leak checker: what drivers keep is not ours. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libpocl\nleak:libLLVM\nleak:libOpenCL\nleak:oclgrind\nleak:libclang\n";
}

ASTRIDE_PRINTF(2, 3)
static astride_status fail(astride_status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return status;
}

static const astride_services services = {.struct_size = sizeof(services), .fail = fail};

static bool skip(const char *reason)
{
    printf("1..0 # SKIP %s\n", reason);
    return false;
}

/* Some drivers abort where they cannot read the machine's topology, as in a bare chroot. */
static bool driver_survives(void)
{
    int status = 0;
    const pid_t child = fork();

    if (child == 0) {
        astride_device *device = NULL;

        (void)astride_device_open("opencl", &device);
        _exit(0);
    }
    return child < 0 || waitpid(child, &status, 0) != child || !WIFSIGNALED(status);
}

bool opencl_fixture_open(void)
{
    const char *folder = getenv("ASTRIDE_TEST_OPENCL");
    const char *sanitizers = getenv("ASTRIDE_TEST_SANITIZE");
    astride_status status;

    if (folder == NULL || *folder == '\0')
        return skip("the environment names no folder of the OpenCL backend");
    if (sanitizers != NULL && strstr(sanitizers, "thread") != NULL)
        return skip("drivers are not compiled with the thread sanitizer");
    setenv("ASTRIDE_PLUGIN_PATH", folder, 1);
    if (!driver_survives())
        return skip("the OpenCL driver ends the process");
    status = astride_device_open("opencl", &opencl_device);
    if (status == ASTRIDE_UNAVAILABLE)
        return skip(astride_last_error());
    if (status == ASTRIDE_OK)
        status = astride_queue_create(opencl_device, &opencl_queue);
    if (status != ASTRIDE_OK) {
        fprintf(stderr, "%s\n", astride_last_error());
        exit(99);
    }
    astride__opencl_services = &services;
    if (astride__opencl_load() != ASTRIDE_OK)
        exit(99);
    return true;
}

void opencl_fixture_close(void)
{
    astride_queue_destroy(opencl_queue);
    astride_device_close(opencl_device);
}

cl_device_id opencl_native_device(void)
{
    cl_platform_id platforms[16];
    cl_device_id device = NULL, first = NULL;
    cl_uint count = 0;

    /* Processors of the host come last in the backend's order. */
    if (astride__cl.GetPlatformIDs(16, platforms, &count) != CL_SUCCESS)
        return NULL;
    for (cl_uint i = 0; i < count && i < 16; i++) {
        cl_ulong type = 0;

        if (astride__cl.GetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) !=
            CL_SUCCESS)
            continue;
        if (first == NULL)
            first = device;
        if (astride__cl.GetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type, NULL) ==
                CL_SUCCESS &&
            (type & CL_DEVICE_TYPE_CPU) == 0)
            return device;
    }
    return first;
}

astride_status opencl_copy(astride_queue *queue, void *dst, const void *src, size_t bytes)
{
    const int64_t extent = (int64_t)bytes;
    const astride_copy_desc desc = {
        .struct_size = sizeof desc,
        .rank = 1,
        .element_bytes = 1,
        .extents = &extent,
        .dst = {.base = dst},
        .src = {.base = (void *)(uintptr_t)src},
    };
    const astride_status status = astride_copy(queue, &desc);

    return status == ASTRIDE_OK ? astride_queue_wait(queue) : status;
}
