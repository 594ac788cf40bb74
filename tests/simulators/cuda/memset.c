/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fills of the simulated driver: values of 8, 16 and 32 bits, flat and by rows.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/simulators/cuda/driver.h"

typedef struct job {
    uintptr_t dst;
    unsigned char *to;
    size_t pitch, width, height; /* width in values */
    size_t value_bytes;
    unsigned value;
    uint64_t range;
} job;

static void fill_row(const job *j, unsigned char *row)
{
    const size_t bytes = j->width * j->value_bytes;
    if (j->value_bytes == 1) {
        memset(row, (int)j->value, bytes);
        return;
    }
    /* The first value, then what there is once more, and so on. */
    memcpy(row, &j->value, j->value_bytes);
    for (size_t done = j->value_bytes; done < bytes; done *= 2)
        memcpy(row + done, row, done < bytes - done ? done : bytes - done);
}

static int run_job(void *argument)
{
    const job *j = argument;
    sim_lock();
    const sim_range *range = sim_memory_find(j->dst);
    const bool alive = range != NULL && range->id == j->range;
    if (!alive)
        sim_complain("memory was freed before a fill of it had run");
    sim_unlock();
    if (!alive)
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    for (size_t y = 0; y < j->height; y++)
        fill_row(j, j->to + y * j->pitch);
    return CUDA_SUCCESS;
}

static int check(const job *j, sim_context *context)
{
    size_t row, span;
    if (j->dst % j->value_bytes != 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "dstDevice is not aligned to %zu bytes",
                          j->value_bytes);
    if (__builtin_mul_overflow(j->width, j->value_bytes, &row))
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "the width is larger than memory");
    if (j->height > 1 && (j->pitch % j->value_bytes != 0 || j->pitch < row))
        return sim_refuse(CUDA_ERROR_INVALID_VALUE,
                          "dstPitch %zu is below %zu or not aligned to %zu", j->pitch, row,
                          j->value_bytes);
    if (j->height > 1 && j->pitch > sim_setting.max_pitch)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "dstPitch %zu > MAX_PITCH %llu", j->pitch,
                          (unsigned long long)sim_setting.max_pitch);
    if (__builtin_mul_overflow(j->height - 1, j->height > 1 ? j->pitch : 0, &span) ||
        __builtin_add_overflow(span, row, &span))
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "the region is larger than memory");
    return cuda_check_memory("dstDevice", j->dst, span, CU_MEMORYTYPE_DEVICE, context);
}

static int fill(CUdeviceptr dst, size_t pitch, unsigned value, size_t value_bytes, size_t width,
                size_t height, CUstream handle, bool wait)
{
    sim_stream *stream = NULL;
    int result = cuda_work_stream(handle, &stream);
    if (result != CUDA_SUCCESS || width == 0 || height == 0)
        return result;
    job *j = malloc(sizeof(*j));
    if (j == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *j = (job){(uintptr_t)dst, NULL, pitch, width, height, value_bytes, value, 0};
    result = check(j, cuda_current());
    if (result != CUDA_SUCCESS) {
        free(j);
        return result;
    }
    sim_note("%zu x %zu values of %zu bytes, pitch %zu", width, height, value_bytes, pitch);
    j->to = cuda_view(j->dst);
    j->range = sim_memory_find(j->dst)->id;
    const bool on_host = sim_memory_find(j->dst)->kind != SIM_DEVICE;
    result = sim_stream_add(stream, (sim_work){run_job, free, j});
    /* Fills of device memory are asynchronous even without a stream; of host memory they are not.
     */
    if (result != CUDA_SUCCESS || !wait || !on_host)
        return result;
    sim_context *context = stream->context;
    sim_stream_wait(stream);
    return context->lost;
}

CUresult cuMemsetD8_v2(CUdeviceptr dstDevice, unsigned char uc, size_t N)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE, fill(dstDevice, 0, uc, 1, N, 1, NULL, true));
}

CUresult cuMemsetD16_v2(CUdeviceptr dstDevice, unsigned short us, size_t N)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE, fill(dstDevice, 0, us, 2, N, 1, NULL, true));
}

CUresult cuMemsetD32_v2(CUdeviceptr dstDevice, unsigned int ui, size_t N)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE, fill(dstDevice, 0, ui, 4, N, 1, NULL, true));
}

CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream)
{
    RETURN_CALL(HAS_CONTEXT, fill(dstDevice, 0, uc, 1, N, 1, hStream, false));
}

CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream)
{
    RETURN_CALL(HAS_CONTEXT, fill(dstDevice, 0, us, 2, N, 1, hStream, false));
}

CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream)
{
    RETURN_CALL(HAS_CONTEXT, fill(dstDevice, 0, ui, 4, N, 1, hStream, false));
}

CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                           size_t Height, CUstream hStream)
{
    RETURN_CALL(HAS_CONTEXT, fill(dstDevice, dstPitch, uc, 1, Width, Height, hStream, false));
}

CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                            size_t Height, CUstream hStream)
{
    RETURN_CALL(HAS_CONTEXT, fill(dstDevice, dstPitch, us, 2, Width, Height, hStream, false));
}

CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                            size_t Height, CUstream hStream)
{
    RETURN_CALL(HAS_CONTEXT, fill(dstDevice, dstPitch, ui, 4, Width, Height, hStream, false));
}
