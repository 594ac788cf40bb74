/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The fill slot: OpenCL's own fill where the destination is one piece, a kernel elsewhere.
 */
#include "opencl.h"

/* Bytes of a destination that is one piece of memory; 0 when it is not. */
static size_t contiguous_bytes(const astride_strided_fill *fill)
{
    if (fill->rank == 0)
        return fill->pattern_bytes;
    if (fill->rank == 1 && fill->strides[0] == (int64_t)fill->pattern_bytes)
        return fill->pattern_bytes * (size_t)fill->extents[0];
    return 0;
}

astride_status astride__opencl_fill(astride_backend_queue *queue, const astride_strided_fill *fill)
{
    const astride__opencl_side to = astride__opencl_side_of(&fill->dst);
    const size_t bytes = contiguous_bytes(fill);
    /* Offset and size must be multiples of the pattern's size (OpenCL 3.0, section 5.2.4). */
    if (bytes != 0 && to.offset % fill->pattern_bytes == 0 &&
        astride__cl.EnqueueFillBuffer != NULL) {
        const astride_status status = astride__opencl_queue_begin(queue);
        if (status != ASTRIDE_OK)
            return status;
        return astride__opencl_queue_submitted(
            queue, "clEnqueueFillBuffer",
            astride__cl.EnqueueFillBuffer(queue->native, to.buffer, fill->pattern,
                                          fill->pattern_bytes, to.offset, bytes, 0, NULL,
                                          astride__opencl_traced(queue)));
    }
    if (queue->device->program == NULL)
        return astride__opencl_services->fail(
            ASTRIDE_UNSUPPORTED,
            "a strided fill needs a kernel, and the device cannot compile one");
    const astride__kernel_side dst = {to.offset, to.misalignment};
    astride__kernel_launch launch;
    astride__kernel_launch_fill(fill, &dst, &queue->device->sharing, &launch);
    return astride__opencl_launch(queue, &launch, to.buffer, NULL);
}
