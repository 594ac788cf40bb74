/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The copying slots: which of the driver's calls does a copy, by where the two sides are. Offsets
 * are part of the addresses, never of the structures (releases of CUDA have read them wrongly for
 * stream-ordered memory, JuliaGPU/CUDA.jl#863), and kinds of memory are named, never left to the
 * driver.
 */
#include "cuda.h"

/* Whether one of the sides is memory of another device. */
static bool is_between_devices(const astride_backend_queue *queue, const astride__cuda_side *dst,
                               const astride__cuda_side *src)
{
    return dst->device != queue->device || src->device != queue->device;
}

static astride_status fail_peer(const char *function)
{
    return astride__cuda_services->fail(
        ASTRIDE_UNSUPPORTED, "a copy between devices needs %s, which the driver lacks", function);
}

/* Host memory has a unified address too. */
static CUdeviceptr unified(const astride__cuda_side *side)
{
    return side->type == CU_MEMORYTYPE_HOST ? (CUdeviceptr)(uintptr_t)side->host : side->place;
}

static astride_status enqueue_linear(astride_backend_queue *queue, const astride__cuda_side *dst,
                                     const astride__cuda_side *src, size_t bytes)
{
    const bool to_host = dst->type == CU_MEMORYTYPE_HOST;
    const bool from_host = src->type == CU_MEMORYTYPE_HOST;
    if (to_host && from_host)
        return astride__cuda_check(
            "cuMemcpyAsync",
            astride__cu.MemcpyAsync(unified(dst), unified(src), bytes, queue->native));
    if (is_between_devices(queue, dst, src)) {
        if (astride__cu.MemcpyPeerAsync == NULL)
            return fail_peer("cuMemcpyPeerAsync");
        if (!to_host && !from_host)
            return astride__cuda_check("cuMemcpyPeerAsync",
                                       astride__cu.MemcpyPeerAsync(dst->place, dst->device->context,
                                                                   src->place, src->device->context,
                                                                   bytes, queue->native));
        return astride__cuda_check(
            "cuMemcpyAsync",
            astride__cu.MemcpyAsync(unified(dst), unified(src), bytes, queue->native));
    }
    if (from_host)
        return astride__cuda_check(
            "cuMemcpyHtoDAsync",
            astride__cu.MemcpyHtoDAsync(dst->place, src->host, bytes, queue->native));
    if (to_host)
        return astride__cuda_check(
            "cuMemcpyDtoHAsync",
            astride__cu.MemcpyDtoHAsync(dst->host, src->place, bytes, queue->native));
    return astride__cuda_check(
        "cuMemcpyDtoDAsync",
        astride__cu.MemcpyDtoDAsync(dst->place, src->place, bytes, queue->native));
}

astride_status astride__cuda_copy_linear(astride_backend_queue *queue, const astride_operand *dst,
                                         const astride_operand *src, size_t bytes)
{
    const astride__cuda_side to = astride__cuda_side_of(queue, dst);
    const astride__cuda_side from = astride__cuda_side_of(queue, src);
    astride_status status = astride__cuda_queue_enter(queue);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__cuda_queue_settle(queue, src);
    if (status == ASTRIDE_OK)
        status = enqueue_linear(queue, &to, &from, bytes);
    astride__cuda_leave();
    return status;
}

static astride_status enqueue_2d(astride_backend_queue *queue, const astride_rect *rect,
                                 const astride__cuda_side *dst, const astride__cuda_side *src)
{
    const CUDA_MEMCPY2D copy = {
        .srcMemoryType = src->type,
        .srcHost = src->host,
        .srcDevice = src->place,
        .srcPitch = rect->src_row_pitch,
        .dstMemoryType = dst->type,
        .dstHost = dst->host,
        .dstDevice = dst->place,
        .dstPitch = rect->dst_row_pitch,
        .WidthInBytes = rect->row_bytes,
        .Height = rect->rows,
    };
    return astride__cuda_check("cuMemcpy2DAsync", astride__cu.Memcpy2DAsync(&copy, queue->native));
}

static astride_status enqueue_3d(astride_backend_queue *queue, const astride_rect *rect,
                                 const astride__cuda_side *dst, const astride__cuda_side *src)
{
    const CUDA_MEMCPY3D copy = {
        .srcMemoryType = src->type,
        .srcHost = src->host,
        .srcDevice = src->place,
        .srcPitch = rect->src_row_pitch,
        .srcHeight = rect->src_slice_pitch / rect->src_row_pitch,
        .dstMemoryType = dst->type,
        .dstHost = dst->host,
        .dstDevice = dst->place,
        .dstPitch = rect->dst_row_pitch,
        .dstHeight = rect->dst_slice_pitch / rect->dst_row_pitch,
        .WidthInBytes = rect->row_bytes,
        .Height = rect->rows,
        .Depth = rect->slices,
    };
    return astride__cuda_check("cuMemcpy3DAsync", astride__cu.Memcpy3DAsync(&copy, queue->native));
}

static astride_status enqueue_3d_peer(astride_backend_queue *queue, const astride_rect *rect,
                                      const astride__cuda_side *dst, const astride__cuda_side *src)
{
    const CUDA_MEMCPY3D_PEER copy = {
        .srcMemoryType = src->type,
        .srcHost = src->host,
        .srcDevice = src->place,
        .srcContext = src->device->context,
        .srcPitch = rect->src_row_pitch,
        .srcHeight = rect->src_slice_pitch / rect->src_row_pitch,
        .dstMemoryType = dst->type,
        .dstHost = dst->host,
        .dstDevice = dst->place,
        .dstContext = dst->device->context,
        .dstPitch = rect->dst_row_pitch,
        .dstHeight = rect->dst_slice_pitch / rect->dst_row_pitch,
        .WidthInBytes = rect->row_bytes,
        .Height = rect->rows,
        .Depth = rect->slices,
    };
    if (astride__cu.Memcpy3DPeerAsync == NULL)
        return fail_peer("cuMemcpy3DPeerAsync");
    return astride__cuda_check("cuMemcpy3DPeerAsync",
                               astride__cu.Memcpy3DPeerAsync(&copy, queue->native));
}

/*
 * Within a device, cuMemcpy2DAsync "may fail for pitches not computed by cuMemAllocPitch()" (CUDA
 * driver API 13.0), of which no caller of ours can be asked; the call that does not fail then,
 * cuMemcpy2DUnaligned, synchronises. The 3-D call has no such restriction, so it does these.
 */
astride_status astride__cuda_copy_rect(astride_backend_queue *queue, const astride_rect *rect)
{
    const astride__cuda_side to = astride__cuda_side_of(queue, &rect->dst);
    const astride__cuda_side from = astride__cuda_side_of(queue, &rect->src);
    const bool within_device = to.type == CU_MEMORYTYPE_DEVICE && from.type == CU_MEMORYTYPE_DEVICE;
    astride_status status = astride__cuda_queue_enter(queue);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__cuda_queue_settle(queue, &rect->src);
    if (status == ASTRIDE_OK && is_between_devices(queue, &to, &from))
        status = enqueue_3d_peer(queue, rect, &to, &from);
    else if (status == ASTRIDE_OK && rect->slices == 1 && !within_device)
        status = enqueue_2d(queue, rect, &to, &from);
    else if (status == ASTRIDE_OK)
        status = enqueue_3d(queue, rect, &to, &from);
    astride__cuda_leave();
    return status;
}

astride_status astride__cuda_launch(astride_backend_queue *queue,
                                    const astride__kernel_launch *launch, CUdeviceptr dst,
                                    const CUdeviceptr *src)
{
    astride_kernel_arguments arguments = launch->arguments;
    CUdeviceptr to = dst, from = src != NULL ? *src : 0;
    void *copy_parameters[] = {&to, &from, &arguments};
    void *fill_parameters[] = {&to, &arguments};
    return astride__cuda_check(
        "cuLaunchKernel",
        astride__cu.LaunchKernel(queue->device->kernels[launch->kernel], launch->group_count, 1, 1,
                                 launch->group_size, 1, 1, 0, queue->native,
                                 src != NULL ? copy_parameters : fill_parameters, NULL));
}

/* The context is current. */
static astride_status enqueue_kernel(astride_backend_queue *queue, const astride_strided *copy)
{
    CUdeviceptr to = 0, from = 0;
    astride__kernel_launch launch;
    astride_status status = astride__cuda_kernel_address(queue, &copy->dst, &to);
    if (status == ASTRIDE_OK)
        status = astride__cuda_kernel_address(queue, &copy->src, &from);
    if (status != ASTRIDE_OK)
        return status;
    const astride__kernel_side dst = {0, to % 16};
    const astride__kernel_side src = {0, from % 16};
    astride__kernel_launch_copy(copy, &dst, &src, &queue->device->sharing, &launch);
    return astride__cuda_launch(queue, &launch, to, &from);
}

astride_status astride__cuda_copy_kernel(astride_backend_queue *queue, const astride_strided *copy)
{
    astride_status status = astride__cuda_queue_enter(queue);
    if (status != ASTRIDE_OK)
        return status;
    status = enqueue_kernel(queue, copy);
    astride__cuda_leave();
    return status;
}
