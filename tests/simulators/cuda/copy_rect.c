/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copies of rectangles in the simulated driver, with the rules of CUDA_MEMCPY2D, CUDA_MEMCPY3D and
 * CUDA_MEMCPY3D_PEER as cuda.h 13.0 documents them. There are no CUDA arrays.
 */
#include "tests/simulators/cuda/driver.h"

/* One side as the structures have it. */
typedef struct place {
    const char *name;
    size_t x, y, z, lod;
    CUmemorytype type;
    uintptr_t host;
    CUdeviceptr device;
    const void *reserved;
    size_t pitch, height;
} place;

static int check_type(const place *p)
{
    if (p->type == CU_MEMORYTYPE_ARRAY)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "%sArray is not the handle of an array",
                          p->name);
    if (p->type < CU_MEMORYTYPE_HOST || p->type > CU_MEMORYTYPE_UNIFIED)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "%sMemoryType is %u", p->name, p->type);
    if (p->lod != 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "%sLOD is not 0", p->name);
    if (p->reserved != NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "the reserved member of %s is not NULL",
                          p->name);
    return CUDA_SUCCESS;
}

/*
 * Pitch and height may be left out, as 0, where they are not used; what is then taken is the tight
 * value.
 */
static int check_pitch(const place *p, const sim_copy *copy)
{
    const bool rows = copy->height > 1 || copy->depth > 1 || p->y > 0 || p->z > 0;
    const bool slices = copy->depth > 1 || p->z > 0;
    if ((p->pitch != 0 || rows) && (copy->width > SIZE_MAX - p->x || p->pitch < copy->width + p->x))
        return sim_refuse(CUDA_ERROR_INVALID_VALUE,
                          "%sPitch %zu < WidthInBytes %zu + %sXInBytes %zu", p->name, p->pitch,
                          copy->width, p->name, p->x);
    if (p->pitch > sim_setting.max_pitch)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "%sPitch %zu > MAX_PITCH %llu", p->name,
                          p->pitch, (unsigned long long)sim_setting.max_pitch);
    if ((p->height != 0 || slices) &&
        (copy->height > SIZE_MAX - p->y || p->height < copy->height + p->y))
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "%sHeight %zu < Height %zu + %sY %zu", p->name,
                          p->height, copy->height, p->name, p->y);
    return CUDA_SUCCESS;
}

/* pitch * height * depth, and all that is added to it, must not overflow. */
static int check_size(const place *p, const sim_copy *copy)
{
    size_t slice, all, depth;
    const size_t pitch = p->pitch != 0 ? p->pitch : copy->width;
    const size_t height = p->height != 0 ? p->height : copy->height + p->y;
    if (__builtin_mul_overflow(pitch, height, &slice) ||
        __builtin_add_overflow(copy->depth, p->z, &depth) ||
        __builtin_mul_overflow(slice, depth, &all) || all > SIZE_MAX / 4)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "the %s region is larger than memory", p->name);
    return CUDA_SUCCESS;
}

static int resolve(const place *p, const sim_copy *copy, sim_context *context, sim_side *side)
{
    int result = check_type(p);
    if (result == CUDA_SUCCESS)
        result = check_pitch(p, copy);
    if (result == CUDA_SUCCESS)
        result = check_size(p, copy);
    if (result != CUDA_SUCCESS)
        return result;
    const uintptr_t base = p->type == CU_MEMORYTYPE_HOST ? p->host : (uintptr_t)p->device;
    if (base == 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "%s is NULL", p->name);
    *side = (sim_side){.address = base + (p->z * p->height + p->y) * p->pitch + p->x,
                       .pitch = p->pitch,
                       .slice = p->pitch * p->height,
                       .type = p->type,
                       .context = context};
    return CUDA_SUCCESS;
}

static int rect(const place *dst, sim_context *dst_context, const place *src,
                sim_context *src_context, sim_copy *copy, CUstream stream, bool wait)
{
    int result = resolve(dst, copy, dst_context, &copy->dst);
    if (result == CUDA_SUCCESS)
        result = resolve(src, copy, src_context, &copy->src);
    if (result != CUDA_SUCCESS)
        return result;
    sim_note("%zu x %zu x %zu, dst pitch %zu height %zu, src pitch %zu height %zu", copy->width,
             copy->height, copy->depth, dst->pitch, dst->height, src->pitch, src->height);
    return cuda_copy_enqueue(copy, stream, wait);
}

static int rect_2d(const CUDA_MEMCPY2D *c, CUstream stream, bool wait)
{
    sim_context *context = cuda_current();
    if (c == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "pCopy is NULL");
    sim_copy copy = {.width = c->WidthInBytes, .height = c->Height, .depth = 1};
    const place dst = {.name = "dst",
                       .x = c->dstXInBytes,
                       .y = c->dstY,
                       .type = c->dstMemoryType,
                       .host = (uintptr_t)c->dstHost,
                       .device = c->dstDevice,
                       .pitch = c->dstPitch};
    const place src = {.name = "src",
                       .x = c->srcXInBytes,
                       .y = c->srcY,
                       .type = c->srcMemoryType,
                       .host = (uintptr_t)c->srcHost,
                       .device = c->srcDevice,
                       .pitch = c->srcPitch};
    return rect(&dst, context, &src, context, &copy, stream, wait);
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *pCopy)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE, rect_2d(pCopy, NULL, true));
}

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *pCopy)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE, rect_2d(pCopy, NULL, true));
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *pCopy, CUstream hStream)
{
    RETURN_CALL(HAS_CONTEXT, rect_2d(pCopy, hStream, false));
}

/* The two 3-D structures have the same members but for one of each side. */
#define PLACE_3D(c, side, reserved_member)                                                         \
    {                                                                                              \
        .name = #side, .x = (c)->side##XInBytes, .y = (c)->side##Y, .z = (c)->side##Z,             \
        .lod = (c)->side##LOD, .type = (c)->side##MemoryType, .host = (uintptr_t)(c)->side##Host,  \
        .device = (c)->side##Device, .reserved = (reserved_member), .pitch = (c)->side##Pitch,     \
        .height = (c)->side##Height                                                                \
    }

static int rect_3d(const CUDA_MEMCPY3D *c, CUstream stream, bool wait)
{
    sim_context *context = cuda_current();
    if (c == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "pCopy is NULL");
    sim_copy copy = {.width = c->WidthInBytes, .height = c->Height, .depth = c->Depth};
    const place dst = PLACE_3D(c, dst, c->reserved1), src = PLACE_3D(c, src, c->reserved0);
    return rect(&dst, context, &src, context, &copy, stream, wait);
}

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *pCopy)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE, rect_3d(pCopy, NULL, true));
}

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *pCopy, CUstream hStream)
{
    RETURN_CALL(HAS_CONTEXT, rect_3d(pCopy, hStream, false));
}

static int rect_peer(const CUDA_MEMCPY3D_PEER *c, CUstream stream, bool wait)
{
    if (c == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "pCopy is NULL");
    if (!cuda_context_alive(c->dstContext) || !cuda_context_alive(c->srcContext))
        return sim_refuse(CUDA_ERROR_INVALID_CONTEXT, "srcContext or dstContext is not alive");
    sim_copy copy = {.width = c->WidthInBytes, .height = c->Height, .depth = c->Depth};
    const place dst = PLACE_3D(c, dst, NULL), src = PLACE_3D(c, src, NULL);
    return rect(&dst, c->dstContext, &src, c->srcContext, &copy, stream, wait);
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE, rect_peer(pCopy, NULL, true));
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream)
{
    RETURN_CALL(HAS_CONTEXT, rect_peer(pCopy, hStream, false));
}
