/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Queues: creation, import, waiting. What is enqueued is decided by execute.c and its neighbours.
 */
#include "hal/queue.h"

#include <stdlib.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/log.h"
#include "hal/process.h"
#include "hal/relay.h"
#include "hal/trace.h"

astride_status astride__queue_check(const astride_queue *queue, const char *call)
{
    if (queue == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: queue is NULL", call);
    if (queue->process != astride__process_number())
        return astride__fail(ASTRIDE_AFTER_FORK,
                             "%s: the queue was made by a parent of this process", call);
    return ASTRIDE_OK;
}

/* Makes the core's object, without a backend's. Returns NULL with a detail when memory is
 * exhausted. */
static astride_queue *allocate(astride_device *device, const char *call)
{
    astride_queue *queue = calloc(1, sizeof(*queue));

    if (queue == NULL || pthread_mutex_init(&queue->lock, NULL) != 0)
        goto no_memory;
    if (pthread_mutex_init(&queue->deferred_lock, NULL) != 0)
        goto destroy_lock;
    queue->device = device;
    queue->process = astride__process_number();
    return queue;

destroy_lock:
    pthread_mutex_destroy(&queue->lock);
no_memory:
    astride__fail(ASTRIDE_OUT_OF_MEMORY, "%s: no memory for a queue", call);
    free(queue);
    return NULL;
}

static void release(astride_queue *queue)
{
    pthread_mutex_destroy(&queue->deferred_lock);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
}

astride_status astride_queue_create(astride_device *device, astride_queue **queue_out)
{
    static const char call[] = "astride_queue_create";
    astride_queue *queue;
    astride_status status = astride__device_check(device, call);

    if (status != ASTRIDE_OK)
        return status;
    if (queue_out == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: queue_out is NULL", call);
    queue = allocate(device, call);
    if (queue == NULL)
        return ASTRIDE_OUT_OF_MEMORY;
    status = device->plugin->queue_create(device->backend, &queue->backend);
    if (status != ASTRIDE_OK) {
        release(queue);
        return status;
    }
    *queue_out = queue;
    return ASTRIDE_OK;
}

astride_status astride_queue_import(astride_device *device, void *native, astride_queue **queue_out)
{
    static const char call[] = "astride_queue_import";
    astride_queue *queue;
    astride_status status = astride__device_check(device, call);

    if (status != ASTRIDE_OK)
        return status;
    if (queue_out == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: queue_out is NULL", call);
    if (device->plugin->queue_import == NULL)
        return astride__device_lacks(device, call, "queue_import");
    queue = allocate(device, call);
    if (queue == NULL)
        return ASTRIDE_OUT_OF_MEMORY;
    status = device->plugin->queue_import(device->backend, native, &queue->backend);
    if (status != ASTRIDE_OK) {
        release(queue);
        return status;
    }
    *queue_out = queue;
    return ASTRIDE_OK;
}

astride_device *astride_queue_device(const astride_queue *queue)
{
    return queue == NULL ? NULL : queue->device;
}

void astride__queue_defer(astride_queue *queue, astride_status status,
                          const astride__error_detail *detail)
{
    pthread_mutex_lock(&queue->deferred_lock);
    if (queue->deferred == ASTRIDE_OK) {
        queue->deferred = status;
        queue->deferred_detail = *detail;
    }
    pthread_mutex_unlock(&queue->deferred_lock);
}

/* The queue's work is done: what is known beyond its backend's answer. */
static astride_status take_deferred(astride_queue *queue)
{
    pthread_mutex_lock(&queue->deferred_lock);
    const astride_status status = queue->deferred;
    if (status != ASTRIDE_OK)
        astride__error_restore(&queue->deferred_detail);
    queue->deferred = ASTRIDE_OK;
    pthread_mutex_unlock(&queue->deferred_lock);
    return status;
}

astride_status astride__queue_wait(astride_queue *queue)
{
    const astride_status status = queue->device->plugin->queue_wait(queue->backend);

    return status == ASTRIDE_OK ? take_deferred(queue) : status;
}

astride_status astride_queue_wait(astride_queue *queue)
{
    astride_status status = astride__queue_check(queue, "astride_queue_wait");

    if (status != ASTRIDE_OK)
        return status;
    const uint64_t begun = astride__trace_begin();
    status = astride__queue_wait(queue);
    if (status == ASTRIDE_DEVICE_LOST)
        astride__relay_forsake(queue);
    astride__trace_end(begun, "wait for queue",
                       &(astride__trace_facts){.device = queue->device->spec});
    return status;
}

astride_status astride_queue_query(astride_queue *queue)
{
    astride_status status = astride__queue_check(queue, "astride_queue_query");

    if (status == ASTRIDE_OK)
        status = queue->device->plugin->queue_query(queue->backend);
    return status == ASTRIDE_OK ? take_deferred(queue) : status;
}

void astride_queue_destroy(astride_queue *queue)
{
    astride__error_detail saved;

    if (queue == NULL)
        return;
    if (queue->process != astride__process_number()) {
        /* The parent's: its threads and its driver are not in this process, and the lock may have
           been held by one of them. */
        free(queue);
        return;
    }
    astride__error_save(&saved);
    const astride_status status = astride__queue_wait(queue);
    if (status == ASTRIDE_DEVICE_LOST)
        astride__relay_forsake(queue);
    if (status != ASTRIDE_OK)
        astride__log(ASTRIDE_LOG_ERROR, "astride_queue_destroy: work of a queue of %s failed: %s",
                     queue->device->spec, astride_last_error());
    queue->device->plugin->queue_destroy(queue->backend);
    astride__error_restore(&saved);
    release(queue);
}

astride_status astride__queue_host_call(astride_queue *queue, void (*function)(void *argument),
                                        void *argument)
{
    const astride_plugin *plugin = queue->device->plugin;
    astride_status status;

    if (plugin->host_call != NULL)
        return plugin->host_call(queue->backend, function, argument);
    status = plugin->queue_wait(queue->backend);
    if (status == ASTRIDE_OK)
        function(argument);
    return status;
}
