/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Opening and closing a device, what it can do and what that costs.
 */
#include "opencl.h"

#include <stdlib.h>

/* Takes the program's context of a place, or makes one. */
static astride_status get_context(const astride__opencl_place *place, cl_context *context_out)
{
    cl_int code = CL_SUCCESS;
    if (place->context != NULL) {
        code = astride__cl.RetainContext(place->context);
        if (code == CL_SUCCESS)
            *context_out = place->context;
        return astride__opencl_check("clRetainContext", code);
    }
    cl_context context = astride__cl.CreateContext(NULL, 1, &place->device, NULL, NULL, &code);
    if (context == NULL)
        return astride__opencl_check("clCreateContext", code);
    *context_out = context;
    return ASTRIDE_OK;
}

astride_status astride__opencl_device_open(int32_t index, astride_backend_device **device_out)
{
    astride__opencl_place place;
    cl_int code = CL_SUCCESS;
    if (!astride__opencl_place_get(index, &place))
        return astride__opencl_services->fail(ASTRIDE_NOT_FOUND, "there is no device %d",
                                              (int)index);
    astride_status status = ASTRIDE_OUT_OF_MEMORY;
    astride_backend_device *device = calloc(1, sizeof(*device));
    if (device == NULL || pthread_mutex_init(&device->lock, NULL) != 0) {
        astride__opencl_services->fail(status, "no memory for a device");
        goto free_device;
    }
    device->id = place.device;
    device->is_cpu = place.is_cpu;
    device->runs_in_caller = place.runs_in_caller;
    device->allocation_bytes_maximum =
        astride__opencl_device_number(device->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    device->shares_memory = astride__cl.SVMAlloc != NULL && astride__cl.SVMFree != NULL &&
                            (astride__opencl_device_number(device->id, CL_DEVICE_SVM_CAPABILITIES) &
                             CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
    status = get_context(&place, &device->context);
    if (status != ASTRIDE_OK)
        goto destroy_lock;
    device->service = astride__cl.CreateCommandQueue(device->context, device->id, 0, &code);
    if (device->service == NULL) {
        status = astride__opencl_check("clCreateCommandQueue", code);
        goto release_context;
    }
    status = astride__opencl_program_build(device);
    if (status != ASTRIDE_OK)
        goto release_service;
    *device_out = device;
    return ASTRIDE_OK;

release_service:
    astride__cl.ReleaseCommandQueue(device->service);
release_context:
    astride__cl.ReleaseContext(device->context);
destroy_lock:
    pthread_mutex_destroy(&device->lock);
free_device:
    free(device);
    return status;
}

void astride__opencl_device_close(astride_backend_device *device)
{
    if (device == NULL)
        return;
    pthread_mutex_lock(&device->lock);
    for (astride_backend_queue *queue = device->queues; queue != NULL; queue = queue->next)
        (void)astride__cl.Finish(queue->native);
    pthread_mutex_unlock(&device->lock);
    if (device->program != NULL)
        astride__cl.ReleaseProgram(device->program);
    astride__cl.ReleaseCommandQueue(device->service);
    astride__cl.ReleaseContext(device->context);
    pthread_mutex_destroy(&device->lock);
    free(device);
}

/*
 * A processor of the host: PoCL 3.1 on 2 cores of an EPYC 9004; how the figures were found is in
 * docs/opencl.md.
 */
static const astride_cost_model cpu_cost = {
    .linear_call_ns = 3000,
    .rect_call_ns = 24000,
    .kernel_call_ns = 14000,
    .rect_row_ns = {4, 4, 4, 4},
    .kernel_unit_ns = 1,
    .bytes_per_ns = {12, 12, 12, 12},
    .kernel_bytes_per_ns = 8,
    .host_call_ns = 20000,
};

/*
 * A device behind a bus, by what is usual: PCI Express 4.0 x16, some hundreds of GB/s of memory,
 * microseconds for a command, rows at the pace of a copy engine. Ratios count, not values.
 */
static const astride_cost_model bus_cost = {
    .linear_call_ns = 8000,
    .rect_call_ns = 10000,
    .kernel_call_ns = 8000,
    .rect_row_ns = {100, 30, 30, 30},
    .kernel_unit_ns = 0.02,
    .bytes_per_ns = {10, 20, 20, 200},
    .kernel_bytes_per_ns = 300,
    .host_call_ns = 30000,
};

astride_status astride__opencl_properties(astride_backend_device *device,
                                          astride_backend_properties *properties_out)
{
    astride_capabilities *capabilities = &properties_out->capabilities;
    /* OpenCL has no command that copies from host memory to host memory. */
    capabilities->rect_rank[ASTRIDE_HOST_TO_DEVICE] = 3;
    capabilities->rect_rank[ASTRIDE_DEVICE_TO_HOST] = 3;
    capabilities->rect_rank[ASTRIDE_DEVICE_TO_DEVICE] = 3;
    /*
     * CL_INVALID_VALUE of clEnqueueReadBufferRect, clEnqueueWriteBufferRect and
     * clEnqueueCopyBufferRect (OpenCL 3.0 API specification, section 5.2.2 and 5.2.3): a slice
     * pitch that is no multiple of the row pitch.
     */
    capabilities->slice_multiple_of_row = true;
    /*
     * clEnqueueCopyBufferRect within one buffer wants equal pitches on both sides and no overlap
     * (section 5.2.3 and appendix E, "CL_MEM_COPY_OVERLAP"), and implementations disagree about
     * what overlaps: PoCL 3.1 refuses interleaved rectangles that share no byte.
     */
    capabilities->rect_within_allocation = false;
    capabilities->kernels = device->program != NULL;
    capabilities->unified_addressing = true;
    capabilities->asynchronous = !device->runs_in_caller;
    const cl_ulong line =
        astride__opencl_device_number(device->id, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
    capabilities->preferred_alignment_bytes = line >= 16 && line <= 4096 ? (uint32_t)line : 64;
    capabilities->memory_bytes =
        astride__opencl_device_number(device->id, CL_DEVICE_GLOBAL_MEM_SIZE);
    properties_out->cost = device->is_cpu ? cpu_cost : bus_cost;
    if (!ASTRIDE_HAS_PROPERTY(astride__opencl_services, host_calls_may_wait))
        return ASTRIDE_OK;
    /* On the host's own processors, packing and moving take turns anyway. */
    properties_out->staging_depth = device->is_cpu ? 1 : 0;
    /* Each queue has a thread of its own for them. */
    properties_out->host_calls_may_wait = true;
    return ASTRIDE_OK;
}
