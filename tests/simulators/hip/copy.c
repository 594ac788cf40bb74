/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copies and fills of the simulated runtime, by the rules of the HIP runtime API reference, "Memory
 * management". The direction that a caller names must be the one that its pointers have, which the
 * vendor's runtime leaves undefined ("calling with a different kind results in undefined
 * behavior").
 */
#include "tests/simulators/hip/runtime.h"

/* One side of a rectangle. */
typedef struct side {
    const char *name;
    const void *address;
    size_t pitch, rows_per_slice;
} side;

static int types_of(int kind, sim_memory_type *dst, sim_memory_type *src)
{
    switch (kind) {
    case hipMemcpyHostToHost:
    case hipMemcpyHostToDevice:
    case hipMemcpyDeviceToHost:
    case hipMemcpyDeviceToDevice:
        *src = kind == hipMemcpyHostToHost || kind == hipMemcpyHostToDevice ? SIM_TYPE_HOST
                                                                            : SIM_TYPE_DEVICE;
        *dst = kind == hipMemcpyHostToHost || kind == hipMemcpyDeviceToHost ? SIM_TYPE_HOST
                                                                            : SIM_TYPE_DEVICE;
        return hipSuccess;
    case hipMemcpyDefault:
        *src = *dst = SIM_TYPE_ANY;
        return hipSuccess;
    default:
        return sim_refuse(hipErrorInvalidMemcpyDirection, "there is no kind %d", kind);
    }
}

static int check_side(const side *s, size_t width, size_t height, size_t depth)
{
    size_t slice;
    if (s->address == NULL)
        return sim_refuse(hipErrorInvalidValue, "%s is NULL", s->name);
    if (height * depth <= 1)
        return hipSuccess;
    if (s->pitch < width)
        return sim_refuse(hipErrorInvalidPitchValue, "%s pitch %zu is below the width %zu", s->name,
                          s->pitch, width);
    if (s->pitch > sim_setting.max_pitch)
        return sim_refuse(hipErrorInvalidPitchValue, "%s pitch %zu is above the maximum of %llu",
                          s->name, s->pitch, (unsigned long long)sim_setting.max_pitch);
    if (depth > 1 && s->rows_per_slice < height)
        return sim_refuse(hipErrorInvalidValue, "%s ysize %zu is below the height %zu", s->name,
                          s->rows_per_slice, height);
    if (__builtin_mul_overflow(s->pitch, s->rows_per_slice, &slice) ||
        __builtin_mul_overflow(slice, depth, &slice))
        return sim_refuse(hipErrorInvalidValue, "%s is larger than memory", s->name);
    return hipSuccess;
}

static int copy(const side *dst, const side *src, hipExtent extent, int kind, hipStream_t handle)
{
    sim_stream *stream = NULL;
    sim_memory_type dst_type = SIM_TYPE_ANY, src_type = SIM_TYPE_ANY;
    int result = types_of(kind, &dst_type, &src_type);
    if (result == hipSuccess)
        result = hip_work_stream(handle, &stream);
    if (result == hipSuccess)
        result = check_side(dst, extent.width, extent.height, extent.depth);
    if (result == hipSuccess)
        result = check_side(src, extent.width, extent.height, extent.depth);
    if (result != hipSuccess)
        return result;
    sim_note("%zu x %zu x %zu, dst pitch %zu ysize %zu, src pitch %zu ysize %zu, kind %d",
             extent.width, extent.height, extent.depth, dst->pitch, dst->rows_per_slice, src->pitch,
             src->rows_per_slice, kind);
    const sim_copy copied = {.dst = {(uintptr_t)dst->address, dst->pitch,
                                     dst->pitch * dst->rows_per_slice, dst_type, stream->context},
                             .src = {(uintptr_t)src->address, src->pitch,
                                     src->pitch * src->rows_per_slice, src_type, stream->context},
                             .width = extent.width,
                             .height = extent.height,
                             .depth = extent.depth};
    return sim_copy_enqueue(&copied, stream, false);
}

static int copy_flat(void *dst, const void *src, size_t bytes, int kind, hipStream_t stream)
{
    const side to = {"dst", dst, bytes, 1}, from = {"src", src, bytes, 1};
    if (bytes == 0)
        return hipSuccess;
    return copy(&to, &from, (hipExtent){bytes, 1, 1}, kind, stream);
}

hipError_t hipMemcpyAsync(void *dst, const void *src, size_t bytes, int kind, hipStream_t stream)
{
    RETURN_CALL(NEEDS_DEVICE, copy_flat(dst, src, bytes, kind, stream));
}

static int copy_2d(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                   size_t height, int kind, hipStream_t stream)
{
    const side to = {"dst", dst, dst_pitch, height}, from = {"src", src, src_pitch, height};
    if (width > dst_pitch || width > src_pitch)
        return sim_refuse(hipErrorInvalidPitchValue, "width %zu exceeds dpitch %zu or spitch %zu",
                          width, dst_pitch, src_pitch);
    return copy(&to, &from, (hipExtent){width, height, 1}, kind, stream);
}

hipError_t hipMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                            size_t height, int kind, hipStream_t stream)
{
    RETURN_CALL(NEEDS_DEVICE, copy_2d(dst, dpitch, src, spitch, width, height, kind, stream));
}

/* Offsets are refused, which went wrong in some releases: see the backend's copy.c. */
static int copy_3d(const hipMemcpy3DParms *p, hipStream_t stream)
{
    if (p == NULL)
        return sim_refuse(hipErrorInvalidValue, "p is NULL");
    if (p->srcArray != NULL || p->dstArray != NULL)
        return sim_refuse(hipErrorInvalidValue, "there are no arrays here");
    if ((p->srcPos.x | p->srcPos.y | p->srcPos.z | p->dstPos.x | p->dstPos.y | p->dstPos.z) != 0)
        return sim_refuse(hipErrorNotSupported, "a position is not 0");
    if (p->srcPtr.xsize > p->srcPtr.pitch || p->dstPtr.xsize > p->dstPtr.pitch)
        return sim_refuse(hipErrorInvalidPitchValue, "an xsize exceeds its pitch");
    const side to = {"dst", p->dstPtr.ptr, p->dstPtr.pitch, p->dstPtr.ysize};
    const side from = {"src", p->srcPtr.ptr, p->srcPtr.pitch, p->srcPtr.ysize};
    return copy(&to, &from, p->extent, p->kind, stream);
}

hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *p, hipStream_t stream)
{
    RETURN_CALL(NEEDS_DEVICE, copy_3d(p, stream));
}

static int fill(void *dst, size_t pitch, unsigned value, size_t value_bytes, size_t width,
                size_t height, hipStream_t handle)
{
    sim_stream *stream = NULL;
    const sim_fill filled = {(uintptr_t)dst, pitch, width, height, value_bytes, value};
    const int result = hip_work_stream(handle, &stream);
    return result == hipSuccess ? sim_fill_enqueue(&filled, stream->context, stream, false)
                                : result;
}

hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, size_t count,
                            hipStream_t stream)
{
    RETURN_CALL(NEEDS_DEVICE, fill(dst, 0, value, 1, count, 1, stream));
}

hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, size_t count,
                             hipStream_t stream)
{
    RETURN_CALL(NEEDS_DEVICE, fill(dst, 0, value, 2, count, 1, stream));
}

hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream)
{
    RETURN_CALL(NEEDS_DEVICE, fill(dst, 0, (unsigned)value, 4, count, 1, stream));
}

hipError_t hipMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height,
                            hipStream_t stream)
{
    RETURN_CALL(NEEDS_DEVICE, fill(dst, pitch, (unsigned char)value, 1, width, height, stream));
}
