/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The copying slots: which of OpenCL's commands does a copy, by where the two sides are. All
 * rectangles are given with explicit pitches: 0 would mean "as tight as possible", and
 * implementations differ in how they read that.
 */
#include "opencl.h"

astride_status astride__opencl_copy_linear(astride_backend_queue *queue, const astride_operand *dst,
                                           const astride_operand *src, size_t bytes)
{
    const astride__opencl_side to = astride__opencl_side_of(dst);
    const astride__opencl_side from = astride__opencl_side_of(src);
    const astride_status status = astride__opencl_queue_begin(queue);
    if (status != ASTRIDE_OK)
        return status;
    if (to.buffer != NULL && from.buffer != NULL)
        return astride__opencl_queue_submitted(
            queue, "clEnqueueCopyBuffer",
            astride__cl.EnqueueCopyBuffer(queue->native, from.buffer, to.buffer, from.offset,
                                          to.offset, bytes, 0, NULL,
                                          astride__opencl_traced(queue)));
    if (to.buffer != NULL)
        return astride__opencl_queue_submitted(
            queue, "clEnqueueWriteBuffer",
            astride__cl.EnqueueWriteBuffer(queue->native, to.buffer, CL_FALSE, to.offset, bytes,
                                           from.host, 0, NULL, astride__opencl_traced(queue)));
    return astride__opencl_queue_submitted(
        queue, "clEnqueueReadBuffer",
        astride__cl.EnqueueReadBuffer(queue->native, from.buffer, CL_FALSE, from.offset, bytes,
                                      to.host, 0, NULL, astride__opencl_traced(queue)));
}

/*
 * The whole offset goes into the first component of an origin, which is in bytes; the address is
 * defined as the sum over all three (OpenCL 3.0, section 5.2.2), and a host address is given as it
 * is.
 */
astride_status astride__opencl_copy_rect(astride_backend_queue *queue, const astride_rect *rect)
{
    const astride__opencl_side to = astride__opencl_side_of(&rect->dst);
    const astride__opencl_side from = astride__opencl_side_of(&rect->src);
    const size_t region[3] = {rect->row_bytes, rect->rows, rect->slices};
    const size_t to_origin[3] = {to.offset, 0, 0};
    const size_t from_origin[3] = {from.offset, 0, 0};
    const size_t host_origin[3] = {0, 0, 0};
    const astride_status status = astride__opencl_queue_begin(queue);
    if (status != ASTRIDE_OK)
        return status;
    if (to.buffer != NULL && from.buffer != NULL)
        return astride__opencl_queue_submitted(
            queue, "clEnqueueCopyBufferRect",
            astride__cl.EnqueueCopyBufferRect(
                queue->native, from.buffer, to.buffer, from_origin, to_origin, region,
                rect->src_row_pitch, rect->src_slice_pitch, rect->dst_row_pitch,
                rect->dst_slice_pitch, 0, NULL, astride__opencl_traced(queue)));
    if (to.buffer != NULL)
        return astride__opencl_queue_submitted(
            queue, "clEnqueueWriteBufferRect",
            astride__cl.EnqueueWriteBufferRect(
                queue->native, to.buffer, CL_FALSE, to_origin, host_origin, region,
                rect->dst_row_pitch, rect->dst_slice_pitch, rect->src_row_pitch,
                rect->src_slice_pitch, from.host, 0, NULL, astride__opencl_traced(queue)));
    return astride__opencl_queue_submitted(
        queue, "clEnqueueReadBufferRect",
        astride__cl.EnqueueReadBufferRect(
            queue->native, from.buffer, CL_FALSE, from_origin, host_origin, region,
            rect->src_row_pitch, rect->src_slice_pitch, rect->dst_row_pitch, rect->dst_slice_pitch,
            to.host, 0, NULL, astride__opencl_traced(queue)));
}

astride_status astride__opencl_launch(astride_backend_queue *queue,
                                      const astride__kernel_launch *launch, cl_mem dst,
                                      const cl_mem *src)
{
    const size_t local = launch->group_size;
    const size_t global = local * launch->group_count;
    cl_uint index = 0;
    cl_kernel kernel = NULL;
    astride_status status = astride__opencl_queue_kernel(queue, launch->kernel, &kernel);
    if (status == ASTRIDE_OK)
        status = astride__opencl_queue_begin(queue);
    if (status != ASTRIDE_OK)
        return status;
    cl_int code = astride__cl.SetKernelArg(kernel, index++, sizeof(dst), &dst);
    if (code == CL_SUCCESS && src != NULL)
        code = astride__cl.SetKernelArg(kernel, index++, sizeof(*src), src);
    if (code == CL_SUCCESS)
        code =
            astride__cl.SetKernelArg(kernel, index, sizeof(launch->arguments), &launch->arguments);
    if (code != CL_SUCCESS)
        return astride__opencl_check("clSetKernelArg", code);
    return astride__opencl_queue_submitted(
        queue, "clEnqueueNDRangeKernel",
        astride__cl.EnqueueNDRangeKernel(queue->native, kernel, 1, NULL, &global, &local, 0, NULL,
                                         astride__opencl_traced(queue)));
}

astride_status astride__opencl_copy_kernel(astride_backend_queue *queue,
                                           const astride_strided *copy)
{
    const astride__opencl_side to = astride__opencl_side_of(&copy->dst);
    const astride__opencl_side from = astride__opencl_side_of(&copy->src);
    const astride__kernel_side dst = {to.offset, to.misalignment};
    const astride__kernel_side src = {from.offset, from.misalignment};
    astride__kernel_launch launch;
    astride__kernel_launch_copy(copy, &dst, &src, &queue->device->sharing, &launch);
    return astride__opencl_launch(queue, &launch, to.buffer, &from.buffer);
}
