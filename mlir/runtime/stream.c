/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Streams, which are queues, and events. The streams that exist are listed, so that freeing can
 * wait for them all.
 */
#include "mlir/runtime/stream.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include <astride/mlir.h>

#include "mlir/runtime/context.h"
#include "mlir/runtime/failure.h"
#include "mlir/runtime/work.h"

typedef struct live_stream live_stream;
struct live_stream {
    astride_queue *queue;
    size_t waiters; /* threads in astride__mlir_streams_wait() that are at this stream */
    live_stream *next;
};

/* Guards the list. Never held during a wait for a stream's work. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t waiter_left = PTHREAD_COND_INITIALIZER;
static live_stream *live_streams;

void astride__mlir_streams_wait(const char *function)
{
    (void)pthread_mutex_lock(&lock);
    for (live_stream *stream = live_streams; stream != NULL; stream = stream->next) {
        /* A stream with a waiter stays in the list, so that `next` is there to go on with. */
        ++stream->waiters;
        (void)pthread_mutex_unlock(&lock);
        (void)astride__mlir_ok(function, astride_queue_wait(stream->queue));
        (void)pthread_mutex_lock(&lock);
        if (--stream->waiters == 0)
            (void)pthread_cond_broadcast(&waiter_left);
    }
    (void)pthread_mutex_unlock(&lock);
}

void *mgpuStreamCreate(void)
{
    astride_device *device = astride__mlir_device(__func__);
    if (device == NULL)
        return NULL;
    live_stream *stream = malloc(sizeof *stream);
    if (stream == NULL) {
        astride__mlir_fail(__func__, "no memory for a record of %zu bytes", sizeof *stream);
        return NULL;
    }
    *stream = (live_stream){.queue = NULL};
    if (!astride__mlir_ok(__func__, astride_queue_create(device, &stream->queue))) {
        free(stream);
        return NULL;
    }
    /* Once it is listed, another thread could be waiting for it, but nobody can destroy it before
       its handle is returned. */
    astride_queue *queue = stream->queue;
    (void)pthread_mutex_lock(&lock);
    stream->next = live_streams;
    live_streams = stream;
    (void)pthread_mutex_unlock(&lock);
    return queue;
}

/* Takes the record of a queue out of the list when no thread waits for it; NULL when it has none.
 */
static live_stream *unlist(const astride_queue *queue)
{
    live_stream *stream;
    (void)pthread_mutex_lock(&lock);
    for (;;) {
        live_stream **link = &live_streams;
        while (*link != NULL && (*link)->queue != queue)
            link = &(*link)->next;
        stream = *link;
        if (stream == NULL || stream->waiters == 0) {
            if (stream != NULL)
                *link = stream->next;
            break;
        }
        (void)pthread_cond_wait(&waiter_left, &lock);
    }
    (void)pthread_mutex_unlock(&lock);
    return stream;
}

void mgpuStreamDestroy(void *stream)
{
    if (stream == NULL)
        return;
    live_stream *record = unlist(stream);
    if (record == NULL) {
        astride__mlir_fail(__func__, "%p is no stream of mgpuStreamCreate, or was destroyed before",
                           stream);
        return;
    }
    (void)astride__mlir_ok(__func__, astride_queue_wait(record->queue));
    astride_queue_destroy(record->queue);
    free(record);
}

void mgpuStreamSynchronize(void *stream)
{
    if (stream != NULL)
        (void)astride__mlir_ok(__func__, astride_queue_wait(stream));
}

void mgpuStreamWaitEvent(void *stream, void *event)
{
    if (stream == NULL)
        (void)astride__mlir_ok(__func__, astride_event_wait(event));
    else
        (void)astride__mlir_ok(__func__, astride_queue_wait_event(stream, event));
}

void *mgpuEventCreate(void)
{
    astride_event *event = NULL;
    astride_device *device = astride__mlir_device(__func__);
    if (device == NULL || !astride__mlir_ok(__func__, astride_event_create(device, &event)))
        return NULL;
    return event;
}

void mgpuEventDestroy(void *event)
{
    astride_event_destroy(event);
}

void mgpuEventSynchronize(void *event)
{
    (void)astride__mlir_ok(__func__, astride_event_wait(event));
}

void mgpuEventRecord(void *event, void *stream)
{
    astride__mlir_work work;
    if (!astride__mlir_work_begin(__func__, stream, NULL, NULL, &work))
        return;
    astride__mlir_work_end(&work, astride_event_record(event, work.queue));
}
