/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Events: the marker that was enqueued when the event was last recorded. Waits take a reference of
 * their own, so that recording the event again or destroying it does not touch them.
 */
#include "opencl.h"

#include <stdlib.h>

astride_status astride__opencl_event_create(astride_backend_device *device,
                                            astride_backend_event **event_out)
{
    (void)device;
    astride_backend_event *event = calloc(1, sizeof(*event));
    if (event == NULL || pthread_mutex_init(&event->lock, NULL) != 0) {
        free(event);
        return astride__opencl_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for an event");
    }
    *event_out = event;
    return ASTRIDE_OK;
}

void astride__opencl_event_destroy(astride_backend_event *event)
{
    if (event == NULL)
        return;
    if (event->native != NULL)
        astride__cl.ReleaseEvent(event->native);
    pthread_mutex_destroy(&event->lock);
    free(event);
}

astride_status astride__opencl_event_record(astride_backend_event *event,
                                            astride_backend_queue *queue)
{
    cl_event marker = NULL;
    const cl_int code = astride__cl.EnqueueMarkerWithWaitList(queue->native, 0, NULL, &marker);
    /* Another queue that waits for it must be able to rely on it being under way (section 5.15). */
    const astride_status status =
        astride__opencl_queue_submitted(queue, "clEnqueueMarkerWithWaitList", code);
    if (status != ASTRIDE_OK) {
        if (marker != NULL)
            astride__cl.ReleaseEvent(marker);
        return status;
    }
    pthread_mutex_lock(&event->lock);
    cl_event before = event->native;
    event->native = marker;
    pthread_mutex_unlock(&event->lock);
    if (before != NULL)
        astride__cl.ReleaseEvent(before);
    return ASTRIDE_OK;
}

/* A reference to the event's marker, or NULL for "complete". */
static cl_event take_marker(astride_backend_event *event)
{
    pthread_mutex_lock(&event->lock);
    cl_event marker = event->native;
    if (marker != NULL && astride__cl.RetainEvent(marker) != CL_SUCCESS)
        marker = NULL;
    pthread_mutex_unlock(&event->lock);
    return marker;
}

astride_status astride__opencl_event_wait(astride_backend_event *event)
{
    cl_event marker = take_marker(event);
    if (marker == NULL)
        return ASTRIDE_OK;
    const cl_int code = astride__cl.WaitForEvents(1, &marker);
    astride__cl.ReleaseEvent(marker);
    return astride__opencl_check("clWaitForEvents", code);
}

astride_status astride__opencl_event_query(astride_backend_event *event)
{
    cl_event marker = take_marker(event);
    cl_int state = CL_COMPLETE;
    if (marker == NULL)
        return ASTRIDE_OK;
    const cl_int code = astride__cl.GetEventInfo(marker, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                                 sizeof(state), &state, NULL);
    astride__cl.ReleaseEvent(marker);
    if (code != CL_SUCCESS)
        return astride__opencl_check("clGetEventInfo", code);
    if (state < 0)
        return astride__opencl_check("a command before the event", state);
    return state == CL_COMPLETE ? ASTRIDE_OK : ASTRIDE_NOT_READY;
}

astride_status astride__opencl_queue_wait_event(astride_backend_queue *queue,
                                                astride_backend_event *event)
{
    cl_event marker = take_marker(event);
    if (marker == NULL)
        return ASTRIDE_OK;
    const cl_int code = astride__cl.EnqueueBarrierWithWaitList(queue->native, 1, &marker, NULL);
    astride__cl.ReleaseEvent(marker);
    return astride__opencl_queue_submitted(queue, "clEnqueueBarrierWithWaitList", code);
}
