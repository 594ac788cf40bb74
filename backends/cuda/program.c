/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loading the packing kernels on a device, once when it is opened, and deciding how their work is
 * shared there. Taking a function's handle is what loads it where loading is lazy (CUDA programming
 * guide 13.0, "Lazy loading"), so that no launch has to, not even one that is captured.
 */
#include "cuda.h"

/* The PTX is for compute capability 5.0. */
#define CAPABILITY_MAJOR_MINIMUM 5

/* Eight groups of 256 fill a multiprocessor's 2048 threads; more of them share the work evenly. */
#define GROUPS_PER_UNIT 32u

/* Why there are no kernels, or NULL. */
static const char *missing(int capability_major)
{
    if (astride__cuda_ptx[0] == '\0')
        return "the backend was built without a compiler for PTX";
    if (!astride__cuda_has_modules() || astride__cu.FuncGetAttribute == NULL)
        return "the driver lacks functions for modules";
    if (capability_major < CAPABILITY_MAJOR_MINIMUM)
        return "the device's compute capability is below 5.0";
    return NULL;
}

static astride_status find_kernel(astride_backend_device *device, int kernel)
{
    int threads = 0;
    astride_status status =
        astride__cuda_check("cuModuleGetFunction",
                            astride__cu.ModuleGetFunction(&device->kernels[kernel], device->module,
                                                          astride__kernel_names[kernel]));
    if (status != ASTRIDE_OK)
        return status;
    status = astride__cuda_check(
        "cuFuncGetAttribute",
        astride__cu.FuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                                     device->kernels[kernel]));
    if (status == ASTRIDE_OK && threads < ASTRIDE_KERNEL_GROUP)
        return astride__cuda_services->fail(
            ASTRIDE_UNSUPPORTED, "the kernel %s runs in groups of at most %d threads, not %d",
            astride__kernel_names[kernel], threads, ASTRIDE_KERNEL_GROUP);
    return status;
}

astride_status astride__cuda_program_load(astride_backend_device *device)
{
    int major = 0;
    astride_status status = astride__cuda_attribute(
        device->id, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0, &major);
    if (status != ASTRIDE_OK)
        return status;
    const char *reason = missing(major);
    if (reason != NULL) {
        astride__cuda_services->log(ASTRIDE_LOG_WARN, "copies do without kernels: %s", reason);
        return ASTRIDE_OK;
    }
    status = astride__cuda_module_compile(astride__cuda_ptx, &device->module);
    for (int kernel = 0; status == ASTRIDE_OK && kernel < ASTRIDE__KERNEL_COUNT; kernel++)
        status = find_kernel(device, kernel);
    if (status != ASTRIDE_OK && device->module != NULL) {
        astride__cuda_check_release("cuModuleUnload", astride__cu.ModuleUnload(device->module));
        device->module = NULL;
    }
    const uint32_t units = device->unit_count > 0 ? (uint32_t)device->unit_count : 1;
    device->sharing = (astride__kernel_sharing){
        .runs = false,
        .groups_maximum = GROUPS_PER_UNIT * (units > 4096 ? 4096 : units),
        .run_minimum = 1,
    };
    return status;
}
