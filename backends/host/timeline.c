/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Timelines: how many commands of a queue are done, and waiting for a number of them. Queues and
 * events are both built on it; it knows neither.
 */
#include "host.h"

#include <stdlib.h>

astride__host_timeline *astride__host_timeline_create(void)
{
    astride__host_timeline *timeline = calloc(1, sizeof(*timeline));
    if (!timeline)
        return NULL;
    if (pthread_mutex_init(&timeline->lock, NULL) != 0)
        goto free_timeline;
    if (pthread_cond_init(&timeline->progress, NULL) != 0)
        goto destroy_lock;
    timeline->wake_at = UINT64_MAX;
    atomic_init(&timeline->references, 1);
    return timeline;

destroy_lock:
    pthread_mutex_destroy(&timeline->lock);
free_timeline:
    free(timeline);
    return NULL;
}

void astride__host_timeline_retain(astride__host_timeline *timeline)
{
    atomic_fetch_add_explicit(&timeline->references, 1, memory_order_relaxed);
}

void astride__host_timeline_release(astride__host_timeline *timeline)
{
    if (!timeline || atomic_fetch_sub_explicit(&timeline->references, 1, memory_order_acq_rel) != 1)
        return;
    pthread_cond_destroy(&timeline->progress);
    pthread_mutex_destroy(&timeline->lock);
    free(timeline);
}

bool astride__host_timeline_reached(astride__host_timeline *timeline, uint64_t position)
{
    pthread_mutex_lock(&timeline->lock);
    bool reached = timeline->completed >= position;
    pthread_mutex_unlock(&timeline->lock);
    return reached;
}

void astride__host_timeline_wait_locked(astride__host_timeline *timeline, uint64_t position)
{
    while (timeline->completed < position) {
        if (position < timeline->wake_at)
            timeline->wake_at = position;
        pthread_cond_wait(&timeline->progress, &timeline->lock);
    }
}

void astride__host_timeline_wait(astride__host_timeline *timeline, uint64_t position)
{
    pthread_mutex_lock(&timeline->lock);
    astride__host_timeline_wait_locked(timeline, position);
    pthread_mutex_unlock(&timeline->lock);
}

void astride__host_timeline_advance(astride__host_timeline *timeline)
{
    pthread_mutex_lock(&timeline->lock);
    timeline->completed++;
    bool wake = timeline->completed >= timeline->wake_at;
    /* Those whose point has not come yet put theirs in again. */
    if (wake)
        timeline->wake_at = UINT64_MAX;
    pthread_mutex_unlock(&timeline->lock);
    if (wake)
        pthread_cond_broadcast(&timeline->progress);
}
