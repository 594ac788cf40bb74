/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Queues: streams that do not synchronise with the legacy default stream, waiting for them and
 * asking whether they are idle. Host calls are in host_call.c, import is in import.c.
 */
#include "cuda.h"

#include <stdlib.h>

astride_status astride__cuda_queue_enter(const astride_backend_queue *queue)
{
    if (queue->of_thread && !pthread_equal(queue->thread, pthread_self()))
        return astride__cuda_services->fail(
            ASTRIDE_INVALID_ARGUMENT, "the queue is the default stream of the thread that imported "
                                      "it (CU_STREAM_PER_THREAD), not of this one");
    return astride__cuda_enter(queue->device);
}

static void add_to_device(astride_backend_device *device, astride_backend_queue *queue)
{
    pthread_mutex_lock(&device->lock);
    queue->next = device->queues;
    if (queue->next != NULL)
        queue->next->previous = queue;
    device->queues = queue;
    pthread_mutex_unlock(&device->lock);
}

static void remove_from_device(astride_backend_device *device, astride_backend_queue *queue)
{
    pthread_mutex_lock(&device->lock);
    if (queue->previous != NULL)
        queue->previous->next = queue->next;
    else
        device->queues = queue->next;
    if (queue->next != NULL)
        queue->next->previous = queue->previous;
    pthread_mutex_unlock(&device->lock);
}

astride_status astride__cuda_queue_wrap(astride_backend_device *device, CUstream native,
                                        bool imported, astride_backend_queue **queue_out)
{
    astride_backend_queue *queue = calloc(1, sizeof(*queue));
    if (queue == NULL)
        return astride__cuda_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for a queue");
    queue->device = device;
    queue->native = native;
    queue->imported = imported;
    atomic_init(&queue->joined, false);
    add_to_device(device, queue);
    *queue_out = queue;
    return ASTRIDE_OK;
}

astride_status astride__cuda_queue_create(astride_backend_device *device,
                                          astride_backend_queue **queue_out)
{
    CUstream native = NULL;
    astride_status status = astride__cuda_enter(device);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__cuda_check("cuStreamCreate",
                                 astride__cu.StreamCreate(&native, CU_STREAM_NON_BLOCKING));
    if (status == ASTRIDE_OK) {
        status = astride__cuda_queue_wrap(device, native, false, queue_out);
        if (status != ASTRIDE_OK)
            astride__cuda_check_release("cuStreamDestroy", astride__cu.StreamDestroy(native));
    }
    astride__cuda_leave();
    return status;
}

/* The driver is asked only about streams that the program, or an event, can have made captured. */
static bool may_be_captured(const astride_backend_queue *queue)
{
    return queue->imported || atomic_load(&queue->joined);
}

astride_status astride__cuda_queue_is_captured(const astride_backend_queue *queue,
                                               bool *captured_out)
{
    CUstreamCaptureStatus state = CU_STREAM_CAPTURE_STATUS_NONE;
    astride_status status = ASTRIDE_OK;
    if (may_be_captured(queue) && astride__cu.StreamIsCapturing != NULL)
        status = astride__cuda_check("cuStreamIsCapturing",
                                     astride__cu.StreamIsCapturing(queue->native, &state));
    if (status == ASTRIDE_OK)
        *captured_out = state != CU_STREAM_CAPTURE_STATUS_NONE;
    return status;
}

bool astride__cuda_queue_captured(astride_backend_queue *queue)
{
    bool captured = false;
    if (!may_be_captured(queue) || astride__cuda_queue_enter(queue) != ASTRIDE_OK)
        return false;
    /* A failure shows again with the work to come. */
    (void)astride__cuda_queue_is_captured(queue, &captured);
    astride__cuda_leave();
    return captured;
}

/*
 * A copy from pageable memory may read it when it is enqueued: "host memory is copied to a staging
 * buffer immediately (no device synchronization is performed)" (CUDA driver API 13.0, API
 * synchronization behavior). What a host call ahead of it writes there must have been written. In a
 * captured stream nothing is read yet.
 */
astride_status astride__cuda_queue_settle(astride_backend_queue *queue, const astride_operand *src)
{
    bool captured = false;
    if (!queue->host_writes || src->kind != ASTRIDE_MEMORY_HOST)
        return ASTRIDE_OK;
    astride_status status = astride__cuda_queue_is_captured(queue, &captured);
    if (status != ASTRIDE_OK || captured)
        return status;
    status =
        astride__cuda_check("cuStreamSynchronize", astride__cu.StreamSynchronize(queue->native));
    if (status == ASTRIDE_OK)
        queue->host_writes = false;
    return status;
}

astride_status astride__cuda_queue_refuse_capture(const astride_backend_queue *queue,
                                                  const char *what)
{
    bool captured = false;
    const astride_status status = astride__cuda_queue_is_captured(queue, &captured);
    if (status == ASTRIDE_OK && captured)
        return astride__cuda_services->fail(
            ASTRIDE_UNSUPPORTED, "%s: the queue's stream is being captured into a graph", what);
    return status;
}

/* Waiting for a stream that is captured would spoil the capture, and there is nothing to wait for:
   its work runs when the program launches the graph. */
static bool should_wait(const astride_backend_queue *queue)
{
    CUstreamCaptureStatus state = CU_STREAM_CAPTURE_STATUS_NONE;
    if (queue->of_thread && !pthread_equal(queue->thread, pthread_self()))
        return false;
    if (!may_be_captured(queue) || astride__cu.StreamIsCapturing == NULL)
        return true;
    const CUresult code = astride__cu.StreamIsCapturing(queue->native, &state);
    /* The legacy stream cannot be asked while a stream is captured that depends on it. */
    if (code == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
        return false;
    return code != CUDA_SUCCESS || state == CU_STREAM_CAPTURE_STATUS_NONE;
}

void astride__cuda_queue_destroy(astride_backend_queue *queue)
{
    if (queue == NULL)
        return;
    if (astride__cuda_enter_to_release(queue->device)) {
        if (should_wait(queue))
            astride__cuda_check_release("cuStreamSynchronize",
                                        astride__cu.StreamSynchronize(queue->native));
        if (!queue->imported)
            astride__cuda_check_release("cuStreamDestroy",
                                        astride__cu.StreamDestroy(queue->native));
        astride__cuda_leave();
    }
    remove_from_device(queue->device, queue);
    free(queue);
}

astride_status astride__cuda_queue_wait(astride_backend_queue *queue)
{
    astride_status status = astride__cuda_queue_enter(queue);
    if (status != ASTRIDE_OK)
        return status;
    /* To wait for a stream, or to ask it, spoils its capture (CUDA programming guide 13.0, "CUDA
       graphs", prohibited operations). */
    status = astride__cuda_queue_refuse_capture(queue, "waiting");
    if (status == ASTRIDE_OK)
        status = astride__cuda_check("cuStreamSynchronize",
                                     astride__cu.StreamSynchronize(queue->native));
    astride__cuda_leave();
    return status;
}

astride_status astride__cuda_queue_query(astride_backend_queue *queue)
{
    CUresult code = CUDA_SUCCESS;
    astride_status status = astride__cuda_queue_enter(queue);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__cuda_queue_refuse_capture(queue, "asking whether work is done");
    if (status == ASTRIDE_OK)
        code = astride__cu.StreamQuery(queue->native);
    astride__cuda_leave();
    if (status != ASTRIDE_OK)
        return status;
    if (code == CUDA_ERROR_NOT_READY)
        return ASTRIDE_NOT_READY;
    return astride__cuda_check("cuStreamQuery", code);
}
