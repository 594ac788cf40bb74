/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The frame that every call with a stream works in. What is enqueued is the caller's matter.
 */
#include "mlir/runtime/work.h"

#include "mlir/runtime/failure.h"
#include "mlir/runtime/stream_handle.h"

bool astride__mlir_work_begin(const char *function, void *stream, const void *dst, const void *src,
                              astride__mlir_work *work_out)
{
    astride__mlir_work work = {.function = function, .waits = stream == NULL};
    astride_device *device = NULL;

    if (stream == NULL) {
        device = astride__mlir_device_of(function, dst, src);
        if (device == NULL)
            return false;
    }
    if (!astride__mlir_stream_queue(function, stream, device, &work.queue))
        return false;
    if (work.queue == NULL) {
        work.internal = astride__mlir_internal_queue_take(function, device);
        if (work.internal == NULL)
            return false;
        work.queue = work.internal->queue;
    }
    *work_out = work;
    return true;
}

void astride__mlir_work_end(astride__mlir_work *work, astride_status status)
{
    (void)astride__mlir_ok(work->function, status);
    /* Also after a failure: an operation of several parts may have enqueued some. */
    if (work->waits)
        (void)astride__mlir_ok(work->function, astride_queue_wait(work->queue));
    if (work->internal != NULL)
        astride__mlir_internal_queue_give_back(work->internal);
}
