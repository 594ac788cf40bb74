/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copies of the simulated driver: the checks of memory, and what copies do when they run. Pageable
 * memory is read before the call returns and written before it returns, as the section "API
 * synchronization behavior" of the driver API says; all else is late.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/simulators/cuda/driver.h"

/* A copy as its stream carries it out. */
typedef struct job {
    uintptr_t dst, src;            /* as the program knows them */
    uint64_t dst_range, src_range; /* numbers of the allocations; 0: pageable */
    unsigned char *to;
    const unsigned char *from;
    size_t dst_pitch, dst_slice, src_pitch, src_slice;
    size_t width, height, depth;
    unsigned char *staged; /* the source as it was at the call, or NULL */
} job;

int cuda_check_memory(const char *what, uintptr_t address, size_t bytes, CUmemorytype type,
                      sim_context *context)
{
    const sim_range *range = sim_memory_find(address);
    if (address == 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "%s is NULL", what);
    if (type == CU_MEMORYTYPE_HOST && range != NULL && range->kind == SIM_DEVICE)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "%s is device memory, given as host memory",
                          what);
    if (type == CU_MEMORYTYPE_DEVICE && range == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "%s %p is not in a live allocation", what,
                          (void *)address);
    if (range == NULL)
        return CUDA_SUCCESS;
    if (bytes > range->bytes - (address - range->begin))
        return sim_refuse(CUDA_ERROR_INVALID_VALUE,
                          "%s: %zu bytes from offset %zu on reach out of an allocation of %zu",
                          what, bytes, (size_t)(address - range->begin), range->bytes);
    if (type == CU_MEMORYTYPE_DEVICE && !sim_memory_reachable(context, range))
        return sim_refuse(CUDA_ERROR_INVALID_VALUE,
                          "%s is memory of device %d, which device %d has no access to", what,
                          range->context->device, context->device);
    return CUDA_SUCCESS;
}

unsigned char *cuda_view(uintptr_t address)
{
    const sim_range *range = sim_memory_find(address);
    return (unsigned char *)address + (range != NULL ? range->to_private : 0);
}

static uint64_t range_of(uintptr_t address)
{
    const sim_range *range = sim_memory_find(address);
    return range != NULL ? range->id : 0;
}

/* Memory that was freed between the call and its turn. */
static bool still_alive(uintptr_t address, uint64_t range)
{
    return range == 0 || range_of(address) == range;
}

static void copy_rows(const job *j)
{
    for (size_t z = 0; z < j->depth; z++)
        for (size_t y = 0; y < j->height; y++)
            memmove(j->to + z * j->dst_slice + y * j->dst_pitch,
                    j->from + z * j->src_slice + y * j->src_pitch, j->width);
}

static int run_job(void *argument)
{
    const job *j = argument;
    sim_lock();
    const bool alive = still_alive(j->dst, j->dst_range) && still_alive(j->src, j->src_range);
    if (!alive)
        sim_complain("memory was freed before a copy that uses it had run");
    sim_unlock();
    if (!alive)
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    copy_rows(j);
    return CUDA_SUCCESS;
}

static void release_job(void *argument)
{
    job *j = argument;
    free(j->staged);
    free(j);
}

/* Keeps what pageable memory holds now. */
static bool stage(job *j)
{
    job packing = *j;
    j->staged = malloc(j->width * j->height * j->depth);
    if (j->staged == NULL)
        return false;
    packing.to = j->staged;
    packing.dst_pitch = j->width;
    packing.dst_slice = j->width * j->height;
    copy_rows(&packing);
    j->from = j->staged;
    j->src_pitch = packing.dst_pitch;
    j->src_slice = packing.dst_slice;
    return true;
}

static size_t span_of(const cuda_copy *copy, const cuda_side *side)
{
    return (copy->depth - 1) * side->slice + (copy->height - 1) * side->pitch + copy->width;
}

static bool is_device(uintptr_t address)
{
    const sim_range *range = sim_memory_find(address);
    return range != NULL && range->kind != SIM_PINNED && range->kind != SIM_REGISTERED;
}

static const char *direction_of(const cuda_copy *copy)
{
    const bool to_device = is_device(copy->dst.address);
    const bool from_device = is_device(copy->src.address);
    if (to_device == from_device)
        return "other copy";
    return to_device ? "host to device" : "device to host";
}

static int check_sides(const cuda_copy *copy)
{
    int result = cuda_check_memory("the destination", copy->dst.address, span_of(copy, &copy->dst),
                                   copy->dst.type, copy->dst.context);
    if (result == CUDA_SUCCESS)
        result = cuda_check_memory("the source", copy->src.address, span_of(copy, &copy->src),
                                   copy->src.type, copy->src.context);
    const bool flat = copy->height * copy->depth == 1;
    if (result == CUDA_SUCCESS && flat && copy->dst.address < copy->src.address + copy->width &&
        copy->src.address < copy->dst.address + copy->width)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "source and destination overlap");
    return result;
}

static int enqueue(const cuda_copy *copy, sim_stream *stream, bool wait)
{
    const bool captured = stream->capture != NULL;
    job *j = malloc(sizeof(*j));
    if (j == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *j = (job){.dst = copy->dst.address,
               .src = copy->src.address,
               .dst_range = range_of(copy->dst.address),
               .src_range = range_of(copy->src.address),
               .to = cuda_view(copy->dst.address),
               .from = cuda_view(copy->src.address),
               .dst_pitch = copy->dst.pitch,
               .dst_slice = copy->dst.slice,
               .src_pitch = copy->src.pitch,
               .src_slice = copy->src.slice,
               .width = copy->width,
               .height = copy->height,
               .depth = copy->depth};
    const bool staged = j->src_range == 0 && j->dst_range != 0 && !captured;
    const bool pageable_dst = j->dst_range == 0;
    const bool on_devices = is_device(copy->dst.address) && is_device(copy->src.address);
    const bool on_host = !is_device(copy->dst.address) && !is_device(copy->src.address);
    if (staged && !stage(j)) {
        free(j);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    const char *name = direction_of(copy);
    const size_t bytes = j->width * j->height * j->depth;
    const int result = sim_stream_add(
        stream, sim_task_timed(name, stream, bytes, (sim_work){run_job, release_job, j}));
    const bool must_wait = pageable_dst || on_host || (wait && !staged && !on_devices);
    if (result != CUDA_SUCCESS || captured || !must_wait)
        return result;
    sim_context *context = stream->context;
    sim_stream_wait(stream);
    return context->lost;
}

int cuda_copy_enqueue(const cuda_copy *copy, CUstream handle, bool wait)
{
    sim_stream *stream = NULL;
    int result = cuda_work_stream(handle, &stream);
    if (result != CUDA_SUCCESS || copy->width == 0 || copy->height == 0 || copy->depth == 0)
        return result;
    result = check_sides(copy);
    return result == CUDA_SUCCESS ? enqueue(copy, stream, wait) : result;
}

static int linear_in(uintptr_t dst, CUmemorytype dst_type, sim_context *dst_context, uintptr_t src,
                     CUmemorytype src_type, sim_context *src_context, size_t bytes, CUstream stream,
                     bool wait)
{
    const cuda_copy copy = {.dst = {dst, bytes, bytes, dst_type, dst_context},
                            .src = {src, bytes, bytes, src_type, src_context},
                            .width = bytes,
                            .height = 1,
                            .depth = 1};
    sim_note("%zu bytes", bytes);
    return cuda_copy_enqueue(&copy, stream, wait);
}

static int linear(uintptr_t dst, CUmemorytype dst_type, uintptr_t src, CUmemorytype src_type,
                  size_t bytes, CUstream stream, bool wait)
{
    sim_context *context = cuda_current();
    return linear_in(dst, dst_type, context, src, src_type, context, bytes, stream, wait);
}

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE,
                linear((uintptr_t)dst, CU_MEMORYTYPE_UNIFIED, (uintptr_t)src, CU_MEMORYTYPE_UNIFIED,
                       ByteCount, NULL, true));
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE,
                linear((uintptr_t)dstDevice, CU_MEMORYTYPE_DEVICE, (uintptr_t)srcHost,
                       CU_MEMORYTYPE_HOST, ByteCount, NULL, true));
}

CUresult cuMemcpyDtoH_v2(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE,
                linear((uintptr_t)dstHost, CU_MEMORYTYPE_HOST, (uintptr_t)srcDevice,
                       CU_MEMORYTYPE_DEVICE, ByteCount, NULL, true));
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE,
                linear((uintptr_t)dstDevice, CU_MEMORYTYPE_DEVICE, (uintptr_t)srcDevice,
                       CU_MEMORYTYPE_DEVICE, ByteCount, NULL, true));
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream)
{
    RETURN_CALL(HAS_CONTEXT, linear((uintptr_t)dst, CU_MEMORYTYPE_UNIFIED, (uintptr_t)src,
                                    CU_MEMORYTYPE_UNIFIED, ByteCount, hStream, false));
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount,
                              CUstream hStream)
{
    RETURN_CALL(HAS_CONTEXT, linear((uintptr_t)dstDevice, CU_MEMORYTYPE_DEVICE, (uintptr_t)srcHost,
                                    CU_MEMORYTYPE_HOST, ByteCount, hStream, false));
}

CUresult cuMemcpyDtoHAsync_v2(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount,
                              CUstream hStream)
{
    RETURN_CALL(HAS_CONTEXT, linear((uintptr_t)dstHost, CU_MEMORYTYPE_HOST, (uintptr_t)srcDevice,
                                    CU_MEMORYTYPE_DEVICE, ByteCount, hStream, false));
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount,
                              CUstream hStream)
{
    RETURN_CALL(HAS_CONTEXT,
                linear((uintptr_t)dstDevice, CU_MEMORYTYPE_DEVICE, (uintptr_t)srcDevice,
                       CU_MEMORYTYPE_DEVICE, ByteCount, hStream, false));
}

static int between_peers(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
                         CUcontext src_context, size_t bytes, CUstream stream)
{
    if (!cuda_context_alive(dst_context) || !cuda_context_alive(src_context))
        return sim_refuse(CUDA_ERROR_INVALID_CONTEXT, "a context is not alive");
    return linear_in((uintptr_t)dst, CU_MEMORYTYPE_DEVICE, dst_context, (uintptr_t)src,
                     CU_MEMORYTYPE_DEVICE, src_context, bytes, stream, false);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                           CUcontext srcContext, size_t ByteCount, CUstream hStream)
{
    RETURN_CALL(HAS_CONTEXT,
                between_peers(dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream));
}
