/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Events: a point in a queue, kept as (timeline, number of commands). Waits copy the point when
 * they are enqueued, so that recording the event again or destroying it does not touch them.
 */
#include "host.h"

#include <stdlib.h>

astride_status astride__host_event_create(astride_backend_device *device,
                                          astride_backend_event **event_out)
{
    (void)device;
    astride_backend_event *event = calloc(1, sizeof(*event));
    if (!event)
        goto no_memory;
    if (pthread_mutex_init(&event->lock, NULL) != 0)
        goto free_event;
    *event_out = event;
    return ASTRIDE_OK;

free_event:
    free(event);
no_memory:
    return astride__host_services->fail(ASTRIDE_OUT_OF_MEMORY, "host: no memory for an event");
}

void astride__host_event_destroy(astride_backend_event *event)
{
    if (!event)
        return;
    astride__host_timeline_release(event->timeline);
    pthread_mutex_destroy(&event->lock);
    free(event);
}

astride_status astride__host_event_record(astride_backend_event *event,
                                          astride_backend_queue *queue)
{
    pthread_mutex_lock(&queue->timeline->lock);
    uint64_t position = queue->enqueued;
    pthread_mutex_unlock(&queue->timeline->lock);

    astride__host_timeline_retain(queue->timeline);
    pthread_mutex_lock(&event->lock);
    astride__host_timeline *before = event->timeline;
    event->timeline = queue->timeline;
    event->position = position;
    pthread_mutex_unlock(&event->lock);
    astride__host_timeline_release(before);
    return ASTRIDE_OK;
}

/* The event's present point; the caller releases the timeline, which is NULL for "complete". */
static astride__host_timeline *event_point(astride_backend_event *event, uint64_t *position_out)
{
    pthread_mutex_lock(&event->lock);
    astride__host_timeline *timeline = event->timeline;
    if (timeline)
        astride__host_timeline_retain(timeline);
    *position_out = event->position;
    pthread_mutex_unlock(&event->lock);
    return timeline;
}

astride_status astride__host_event_wait(astride_backend_event *event)
{
    uint64_t position;
    astride__host_timeline *timeline = event_point(event, &position);
    if (timeline)
        astride__host_timeline_wait(timeline, position);
    astride__host_timeline_release(timeline);
    return ASTRIDE_OK;
}

astride_status astride__host_event_query(astride_backend_event *event)
{
    uint64_t position;
    astride__host_timeline *timeline = event_point(event, &position);
    bool complete = !timeline || astride__host_timeline_reached(timeline, position);
    astride__host_timeline_release(timeline);
    return complete ? ASTRIDE_OK : ASTRIDE_NOT_READY;
}

static void run_wait(astride_backend_queue *queue, const astride__host_command *command)
{
    (void)queue;
    astride__host_timeline_wait(command->wait.timeline, command->wait.position);
    astride__host_timeline_release(command->wait.timeline);
}

astride_status astride__host_queue_wait_event(astride_backend_queue *queue,
                                              astride_backend_event *event)
{
    uint64_t position;
    astride__host_timeline *timeline = event_point(event, &position);
    /* A queue is always behind its own earlier points. */
    if (!timeline || timeline == queue->timeline ||
        astride__host_timeline_reached(timeline, position)) {
        astride__host_timeline_release(timeline);
        return ASTRIDE_OK;
    }
    astride__host_command *command = astride__host_queue_reserve(queue);
    command->run = run_wait;
    command->name = "wait for event";
    command->wait.timeline = timeline;
    command->wait.position = position;
    astride__host_queue_commit(queue);
    return ASTRIDE_OK;
}
