/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Events, and waits of a queue for an event, also of another device.
 */
#include <stdlib.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/process.h"
#include "hal/queue.h"
#include "hal/trace.h"

static astride_status event_check(const astride_event *event, const char *call)
{
    if (event == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: event is NULL", call);
    if (event->process != astride__process_number())
        return astride__fail(ASTRIDE_AFTER_FORK,
                             "%s: the event was made by a parent of this process", call);
    return ASTRIDE_OK;
}

astride_status astride_event_create(astride_device *device, astride_event **event_out)
{
    static const char call[] = "astride_event_create";
    astride_event *event;
    astride_status status = astride__device_check(device, call);

    if (status != ASTRIDE_OK)
        return status;
    if (event_out == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: event_out is NULL", call);
    event = calloc(1, sizeof(*event));
    if (event == NULL)
        return astride__fail(ASTRIDE_OUT_OF_MEMORY, "%s: no memory for an event", call);
    event->device = device;
    event->process = astride__process_number();
    status = device->plugin->event_create(device->backend, &event->backend);
    if (status != ASTRIDE_OK) {
        free(event);
        return status;
    }
    *event_out = event;
    return ASTRIDE_OK;
}

void astride_event_destroy(astride_event *event)
{
    if (event == NULL)
        return;
    /* A parent's event is forgotten without its driver. */
    if (event->process == astride__process_number())
        event->device->plugin->event_destroy(event->backend);
    free(event);
}

static astride_status check_both(const astride_event *event, const astride_queue *queue,
                                 const char *call)
{
    astride_status status = event_check(event, call);

    return status == ASTRIDE_OK ? astride__queue_check(queue, call) : status;
}

astride_status astride_event_record(astride_event *event, astride_queue *queue)
{
    static const char call[] = "astride_event_record";
    astride_status status = check_both(event, queue, call);

    if (status != ASTRIDE_OK)
        return status;
    if (event->device != queue->device)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: the event is of %s, the queue of %s",
                             call, event->device->spec, queue->device->spec);
    pthread_mutex_lock(&queue->lock);
    status = queue->device->plugin->event_record(event->backend, queue->backend);
    pthread_mutex_unlock(&queue->lock);
    return status;
}

astride_status astride_queue_wait_event(astride_queue *queue, astride_event *event)
{
    astride_status status = check_both(event, queue, "astride_queue_wait_event");

    if (status != ASTRIDE_OK)
        return status;
    /* A backend is only given objects of one of its devices together. */
    if (event->device != queue->device)
        return event->device->plugin->event_wait(event->backend);
    pthread_mutex_lock(&queue->lock);
    status = queue->device->plugin->queue_wait_event(queue->backend, event->backend);
    pthread_mutex_unlock(&queue->lock);
    return status;
}

astride_status astride_event_wait(astride_event *event)
{
    astride_status status = event_check(event, "astride_event_wait");

    if (status != ASTRIDE_OK)
        return status;
    const uint64_t begun = astride__trace_begin();
    status = event->device->plugin->event_wait(event->backend);
    astride__trace_end(begun, "wait for event",
                       &(astride__trace_facts){.device = event->device->spec});
    return status;
}

astride_status astride_event_query(astride_event *event)
{
    astride_status status = event_check(event, "astride_event_query");

    return status == ASTRIDE_OK ? event->device->plugin->event_query(event->backend) : status;
}
