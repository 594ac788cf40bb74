/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Events: the driver's own, without timing. One that was never recorded counts as complete there
 * too (CUDA driver API 13.0, cuEventQuery, cuStreamWaitEvent).
 */
#include "cuda.h"

#include <stdlib.h>

astride_status astride__cuda_event_create(astride_backend_device *device,
                                          astride_backend_event **event_out)
{
    astride_backend_event *event = calloc(1, sizeof(*event));
    if (event == NULL)
        return astride__cuda_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for an event");
    event->device = device;
    atomic_init(&event->captured, false);
    astride_status status = astride__cuda_enter(device);
    if (status != ASTRIDE_OK)
        goto free_event;
    status = astride__cuda_check("cuEventCreate",
                                 astride__cu.EventCreate(&event->native, CU_EVENT_DISABLE_TIMING));
    astride__cuda_leave();
    if (status != ASTRIDE_OK)
        goto free_event;
    *event_out = event;
    return ASTRIDE_OK;

free_event:
    free(event);
    return status;
}

void astride__cuda_event_destroy(astride_backend_event *event)
{
    if (event == NULL)
        return;
    if (astride__cuda_enter_to_release(event->device)) {
        astride__cuda_check_release("cuEventDestroy", astride__cu.EventDestroy(event->native));
        astride__cuda_leave();
    }
    free(event);
}

astride_status astride__cuda_event_record(astride_backend_event *event,
                                          astride_backend_queue *queue)
{
    bool captured = false;
    astride_status status = astride__cuda_queue_enter(queue);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__cuda_queue_is_captured(queue, &captured);
    if (status == ASTRIDE_OK)
        status = astride__cuda_check("cuEventRecord",
                                     astride__cu.EventRecord(event->native, queue->native));
    if (status == ASTRIDE_OK)
        atomic_store(&event->captured, captured);
    astride__cuda_leave();
    return status;
}

/* An event of a graph to come may order other captured work, but the host cannot ask for it. */
static astride_status refuse_captured(const astride_backend_event *event)
{
    if (!atomic_load(&event->captured))
        return ASTRIDE_OK;
    return astride__cuda_services->fail(
        ASTRIDE_UNSUPPORTED, "the event was recorded in a stream that was captured into a graph");
}

astride_status astride__cuda_event_wait(astride_backend_event *event)
{
    astride_status status = refuse_captured(event);
    if (status == ASTRIDE_OK)
        status = astride__cuda_enter(event->device);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__cuda_check("cuEventSynchronize", astride__cu.EventSynchronize(event->native));
    astride__cuda_leave();
    return status;
}

astride_status astride__cuda_event_query(astride_backend_event *event)
{
    astride_status status = refuse_captured(event);
    if (status == ASTRIDE_OK)
        status = astride__cuda_enter(event->device);
    if (status != ASTRIDE_OK)
        return status;
    const CUresult code = astride__cu.EventQuery(event->native);
    astride__cuda_leave();
    if (code == CUDA_ERROR_NOT_READY)
        return ASTRIDE_NOT_READY;
    return astride__cuda_check("cuEventQuery", code);
}

astride_status astride__cuda_queue_wait_event(astride_backend_queue *queue,
                                              astride_backend_event *event)
{
    astride_status status = astride__cuda_queue_enter(queue);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__cuda_check("cuStreamWaitEvent",
                                 astride__cu.StreamWaitEvent(queue->native, event->native, 0));
    /* A stream that waits for captured work takes part in the capture (CUDA programming guide 13.0,
       "CUDA graphs", cross-stream dependencies and events). */
    if (status == ASTRIDE_OK && atomic_load(&event->captured))
        atomic_store(&queue->joined, true);
    queue->host_writes = true;
    astride__cuda_leave();
    return status;
}
