/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The fill slot: the runtime's own fill where the destination is one piece of device memory, a
 * kernel elsewhere, and the runtime's fill of rows of one byte's
 * value where there are no kernels.
 */
#include "hip.h"

#include <string.h>

/* A fill as the runtime takes it: rows of values of 1, 2 or 4 bytes. */
typedef struct native_fill {
    unsigned char *dst;
    size_t value_bytes;
    uint32_t value;
    size_t width; /* values in a row */
    size_t rows;
    size_t pitch; /* bytes from row to row; any for a single one */
} native_fill;

/* The shortest piece that the pattern repeats. */
static size_t period_of(const uint8_t *pattern, size_t bytes)
{
    size_t half = bytes / 2;
    while (half > 0 && bytes % 2 == 0 && memcmp(pattern, pattern + half, half) == 0) {
        bytes = half;
        half = bytes / 2;
    }
    return bytes > 0 ? bytes : 1;
}

/* Whether the runtime can do the fill in one call. */
static bool shape_native(const astride_backend_queue *queue, const astride_strided_fill *fill,
                         native_fill *native)
{
    const size_t value_bytes = period_of(fill->pattern, fill->pattern_bytes);
    const int32_t last = fill->rank - 1;
    const bool dense = last >= 0 && fill->strides[last] == (int64_t)fill->pattern_bytes;
    const int32_t outer = fill->rank - (dense ? 1 : 0);
    if (value_bytes > 4 || outer > 1)
        return false;
    *native = (native_fill){.dst = fill->dst.address,
                            .value_bytes = value_bytes,
                            .width = fill->pattern_bytes / value_bytes,
                            .rows = 1};
    if (dense)
        native->width *= (size_t)fill->extents[last];
    if (outer == 1 && value_bytes > 1)
        return false; /* hipMemset2DAsync has values of a byte */
    if (outer == 1) {
        native->rows = (size_t)fill->extents[0];
        native->pitch = (size_t)fill->strides[0];
        if (queue->device->maximum_pitch != 0 && native->pitch > queue->device->maximum_pitch)
            return false;
    }
    memcpy(&native->value, fill->pattern, value_bytes);
    /* The address must be a multiple of the value's size, which is a power of two. */
    return ((uintptr_t)native->dst & (value_bytes - 1)) == 0;
}

static bool has_fills(void)
{
    return astride__hip.MemsetD8Async != NULL && astride__hip.MemsetD16Async != NULL &&
           astride__hip.MemsetD32Async != NULL && astride__hip.Memset2DAsync != NULL;
}

static astride_status fill_piece(hipStream_t stream, const native_fill *fill)
{
    if (fill->value_bytes == 1)
        return astride__hip_check(
            "hipMemsetD8Async",
            astride__hip.MemsetD8Async(fill->dst, (unsigned char)fill->value, fill->width, stream));
    if (fill->value_bytes == 2)
        return astride__hip_check(
            "hipMemsetD16Async", astride__hip.MemsetD16Async(fill->dst, (unsigned short)fill->value,
                                                             fill->width, stream));
    return astride__hip_check(
        "hipMemsetD32Async",
        astride__hip.MemsetD32Async(fill->dst, (int)fill->value, fill->width, stream));
}

static astride_status fill_rows(hipStream_t stream, const native_fill *fill)
{
    return astride__hip_check("hipMemset2DAsync",
                              astride__hip.Memset2DAsync(fill->dst, fill->pitch, (int)fill->value,
                                                         fill->width, fill->rows, stream));
}

/* The device is current. */
static astride_status fill_by_kernel(astride_backend_queue *queue, const astride_strided_fill *fill)
{
    void *to = NULL;
    astride__kernel_launch launch;
    if (queue->device->module == NULL)
        return astride__hip_services->fail(
            ASTRIDE_UNSUPPORTED, "this strided fill needs a kernel, and the device has none");
    const astride_status status = astride__hip_kernel_address(queue, &fill->dst, &to);
    if (status != ASTRIDE_OK)
        return status;
    const astride__kernel_side dst = {0, (uintptr_t)to % 16};
    astride__kernel_launch_fill(fill, &dst, &queue->device->sharing, &launch);
    return astride__hip_launch(queue, &launch, to, NULL);
}

astride_status astride__hip_fill(astride_backend_queue *queue, const astride_strided_fill *fill)
{
    native_fill native;
    const bool on_device =
        fill->dst.kind == ASTRIDE_MEMORY_DEVICE || fill->dst.kind == ASTRIDE_MEMORY_SHARED;
    const bool by_driver = has_fills() && on_device && shape_native(queue, fill, &native);
    astride_status status = astride__hip_queue_enter(queue);
    if (status != ASTRIDE_OK)
        return status;
    if (by_driver && native.rows == 1)
        status = fill_piece(queue->native, &native);
    else if (by_driver && queue->device->module == NULL)
        status = fill_rows(queue->native, &native);
    else
        status = fill_by_kernel(queue, fill);
    astride__hip_leave();
    return status;
}
