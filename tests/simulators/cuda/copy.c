/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Flat copies of the simulated driver; those of rectangles are in copy_rect.c.
 */
#include "tests/simulators/cuda/driver.h"

int cuda_copy_enqueue(const sim_copy *copy, CUstream handle, bool wait)
{
    sim_stream *stream = NULL;
    const int result = cuda_work_stream(handle, &stream);
    return result == CUDA_SUCCESS ? sim_copy_enqueue(copy, stream, wait) : result;
}

static int linear_in(uintptr_t dst, CUmemorytype dst_type, sim_context *dst_context, uintptr_t src,
                     CUmemorytype src_type, sim_context *src_context, size_t bytes, CUstream stream,
                     bool wait)
{
    const sim_copy copy = {.dst = {dst, bytes, bytes, dst_type, dst_context},
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
