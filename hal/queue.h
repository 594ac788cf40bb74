/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The queue and event objects: a backend's own with what the core adds.
 */
#ifndef ASTRIDE_HAL_QUEUE_H
#define ASTRIDE_HAL_QUEUE_H

#include <pthread.h>
#include <stdint.h>

#include <astride/plugin.h>
#include <astride/queue.h>

#include "hal/error.h"

struct astride_queue {
    astride_device *device;
    astride_backend_queue *backend;
    pthread_mutex_t lock; /* held while slots enqueue: one copy's operations stay together */
    uint32_t process;     /* astride__process_number() when it was made */

    /* What went wrong with work of the queue outside of its backend; told once by the next wait or
       query. */
    pthread_mutex_t deferred_lock;
    astride_status deferred;
    astride__error_detail deferred_detail;
};

struct astride_event {
    astride_device *device;
    astride_backend_event *backend;
    uint32_t process; /* astride__process_number() when it was made */
};

/* As astride__device_check(), for a queue. */
astride_status astride__queue_check(const astride_queue *queue, const char *call);

/* astride_queue_wait() for queues of our own, on any thread: nothing is checked or traced. */
astride_status astride__queue_wait(astride_queue *queue);

/* Lets the next wait for the queue, or query of it, fail, unless an earlier failure does. */
void astride__queue_defer(astride_queue *queue, astride_status status,
                          const astride__error_detail *detail);

/*
 * Runs `function(argument)` in the queue's order: by the backend's host_call, else by waiting for
 * the queue and calling it here. The queue's lock is held by the caller.
 */
astride_status astride__queue_host_call(astride_queue *queue, void (*function)(void *argument),
                                        void *argument);

#endif /* ASTRIDE_HAL_QUEUE_H */
