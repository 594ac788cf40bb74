/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fills of the simulated driver: values of 8, 16 and 32 bits, flat and by rows.
 */
#include "tests/simulators/cuda/driver.h"

static int fill(CUdeviceptr dst, size_t pitch, unsigned value, size_t value_bytes, size_t width,
                size_t height, CUstream handle, bool wait)
{
    sim_stream *stream = NULL;
    const sim_fill filled = {(uintptr_t)dst, pitch, width, height, value_bytes, value};
    const int result = cuda_work_stream(handle, &stream);
    return result == CUDA_SUCCESS ? sim_fill_enqueue(&filled, cuda_current(), stream, wait)
                                  : result;
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
