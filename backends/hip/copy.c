/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The copying slots: which of the runtime's calls does a copy, and in which direction. Offsets are
 * part of the addresses, never of the structures, and the direction is named, never left to the
 * runtime: some releases went wrong with either (ROCm/HIP#1790, ROCm/clr#40).
 */
#include "hip.h"

static hipMemcpyKind kind_of(const astride__hip_side *dst, const astride__hip_side *src)
{
    if (dst->is_host)
        return src->is_host ? hipMemcpyHostToHost : hipMemcpyDeviceToHost;
    return src->is_host ? hipMemcpyHostToDevice : hipMemcpyDeviceToDevice;
}

astride_status astride__hip_copy_linear(astride_backend_queue *queue, const astride_operand *dst,
                                        const astride_operand *src, size_t bytes)
{
    const astride__hip_side to = astride__hip_side_of(dst);
    const astride__hip_side from = astride__hip_side_of(src);
    astride_status status = astride__hip_queue_enter(queue);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__hip_queue_settle(queue, src);
    if (status == ASTRIDE_OK)
        status = astride__hip_check("hipMemcpyAsync",
                                    astride__hip.MemcpyAsync(to.address, from.address, bytes,
                                                             kind_of(&to, &from), queue->native));
    astride__hip_leave();
    return status;
}

static astride_status enqueue_2d(astride_backend_queue *queue, const astride_rect *rect,
                                 const astride__hip_side *dst, const astride__hip_side *src)
{
    return astride__hip_check("hipMemcpy2DAsync",
                              astride__hip.Memcpy2DAsync(dst->address, rect->dst_row_pitch,
                                                         src->address, rect->src_row_pitch,
                                                         rect->row_bytes, rect->rows,
                                                         kind_of(dst, src), queue->native));
}

/* xsize is the logical width of a row, ysize the number of rows in a slice (hipPitchedPtr). */
static astride_status enqueue_3d(astride_backend_queue *queue, const astride_rect *rect,
                                 const astride__hip_side *dst, const astride__hip_side *src)
{
    const hipMemcpy3DParms copy = {
        .srcPtr = {.ptr = src->address,
                   .pitch = rect->src_row_pitch,
                   .xsize = rect->row_bytes,
                   .ysize = rect->src_slice_pitch / rect->src_row_pitch},
        .dstPtr = {.ptr = dst->address,
                   .pitch = rect->dst_row_pitch,
                   .xsize = rect->row_bytes,
                   .ysize = rect->dst_slice_pitch / rect->dst_row_pitch},
        .extent = {rect->row_bytes, rect->rows, rect->slices},
        .kind = kind_of(dst, src),
    };
    return astride__hip_check("hipMemcpy3DAsync", astride__hip.Memcpy3DAsync(&copy, queue->native));
}

astride_status astride__hip_copy_rect(astride_backend_queue *queue, const astride_rect *rect)
{
    const astride__hip_side to = astride__hip_side_of(&rect->dst);
    const astride__hip_side from = astride__hip_side_of(&rect->src);
    astride_status status = astride__hip_queue_enter(queue);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__hip_queue_settle(queue, &rect->src);
    if (status == ASTRIDE_OK && rect->slices == 1)
        status = enqueue_2d(queue, rect, &to, &from);
    else if (status == ASTRIDE_OK)
        status = enqueue_3d(queue, rect, &to, &from);
    astride__hip_leave();
    return status;
}

astride_status astride__hip_launch(astride_backend_queue *queue,
                                   const astride__kernel_launch *launch, void *dst,
                                   void *const *src)
{
    astride_kernel_arguments arguments = launch->arguments;
    void *to = dst, *from = src != NULL ? *src : NULL;
    void *copy_parameters[] = {&to, &from, &arguments};
    void *fill_parameters[] = {&to, &arguments};
    return astride__hip_check(
        "hipModuleLaunchKernel",
        astride__hip.ModuleLaunchKernel(queue->device->kernels[launch->kernel], launch->group_count,
                                        1, 1, launch->group_size, 1, 1, 0, queue->native,
                                        src != NULL ? copy_parameters : fill_parameters, NULL));
}

/* The device is current. */
static astride_status enqueue_kernel(astride_backend_queue *queue, const astride_strided *copy)
{
    void *to = NULL, *from = NULL;
    astride__kernel_launch launch;
    astride_status status = astride__hip_kernel_address(queue, &copy->dst, &to);
    if (status == ASTRIDE_OK)
        status = astride__hip_kernel_address(queue, &copy->src, &from);
    if (status != ASTRIDE_OK)
        return status;
    const astride__kernel_side dst = {0, (uintptr_t)to % 16};
    const astride__kernel_side src = {0, (uintptr_t)from % 16};
    astride__kernel_launch_copy(copy, &dst, &src, &queue->device->sharing, &launch);
    return astride__hip_launch(queue, &launch, to, &from);
}

astride_status astride__hip_copy_kernel(astride_backend_queue *queue, const astride_strided *copy)
{
    astride_status status = astride__hip_queue_enter(queue);
    if (status != ASTRIDE_OK)
        return status;
    status = enqueue_kernel(queue, copy);
    astride__hip_leave();
    return status;
}
