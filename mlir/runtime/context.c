/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Opening devices and keeping them, the device of each thread, and the idle internal queues. Each
 * device is in the list once and holds one open, so that pointers to it stay valid.
 */
#include "mlir/runtime/context.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir/runtime/failure.h"

typedef struct kept_device kept_device;
struct kept_device {
    astride_device *device;
    kept_device *next;
};

/* Guards all that follows but the device of a thread. Held while a device opens, never for work. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static kept_device *kept_devices;
static astride_device *default_device; /* that of ASTRIDE_BACKEND; NULL until it was opened */
static astride__mlir_internal_queue *idle_queues;

static _Thread_local astride_device *thread_device; /* NULL: default_device */

/* The lock is held by the caller, here and below. */
static bool is_kept(const astride_device *device)
{
    for (const kept_device *kept = kept_devices; kept != NULL; kept = kept->next) {
        if (kept->device == device)
            return true;
    }
    return false;
}

/*
 * Opens the device of `spec` (NULL: ASTRIDE_BACKEND) and keeps it. An open beyond the first of a
 * device is given back.
 */
static astride_device *open_and_keep(const char *function, const char *spec)
{
    astride_device *device = NULL;
    if (!astride__mlir_ok(function, astride_device_open(spec, &device)))
        return NULL;
    if (is_kept(device)) {
        astride_device_close(device);
        return device;
    }
    kept_device *kept = malloc(sizeof *kept);
    if (kept == NULL) {
        astride_device_close(device);
        astride__mlir_fail(function, "no memory for a record of %zu bytes", sizeof *kept);
        return NULL;
    }
    *kept = (kept_device){.device = device, .next = kept_devices};
    kept_devices = kept;
    return device;
}

astride_device *astride__mlir_device(const char *function)
{
    if (thread_device != NULL)
        return thread_device;
    astride__mlir_failure_setup();
    (void)pthread_mutex_lock(&lock);
    if (default_device == NULL)
        default_device = open_and_keep(function, NULL);
    astride_device *device = default_device;
    (void)pthread_mutex_unlock(&lock);
    return device;
}

bool astride__mlir_device_select(const char *function, int32_t ordinal)
{
    char spec[96];
    astride_device *current = astride__mlir_device(function);
    if (current == NULL)
        return false;
    if (ordinal < 0) {
        astride__mlir_fail(function, "device = %" PRId32 " is negative", ordinal);
        return false;
    }
    /* A spec is "NAME:REST". */
    const char *current_spec = astride_device_spec(current);
    int name_length = (int)strcspn(current_spec, ":");
    (void)snprintf(spec, sizeof spec, "%.*s:%" PRId32, name_length, current_spec, ordinal);
    (void)pthread_mutex_lock(&lock);
    astride_device *device = open_and_keep(function, spec);
    (void)pthread_mutex_unlock(&lock);
    if (device == NULL)
        return false;
    thread_device = device;
    return true;
}

astride_device *astride__mlir_device_of(const char *function, const void *first, const void *second)
{
    const void *const addresses[2] = {first, second};
    astride_device *own = astride__mlir_device(function);
    astride_device *found = NULL;
    if (own == NULL)
        return NULL;
    for (int i = 0; i < 2; i++) {
        astride_memory_info info = {.struct_size = sizeof info};
        if (addresses[i] == NULL)
            continue;
        if (!astride__mlir_ok(function, astride_memory_query(own, addresses[i], &info)))
            return NULL;
        if (info.device != NULL && info.kind == ASTRIDE_MEMORY_DEVICE) {
            found = info.device;
            break;
        }
        if (found == NULL)
            found = info.device;
    }
    if (found == NULL || found == own)
        return own;
    /* The program may have opened that device itself: it must not close while a queue of ours is
       idle on it. */
    (void)pthread_mutex_lock(&lock);
    if (!is_kept(found))
        found = open_and_keep(function, astride_device_spec(found));
    (void)pthread_mutex_unlock(&lock);
    return found;
}

astride__mlir_internal_queue *astride__mlir_internal_queue_take(const char *function,
                                                                astride_device *device)
{
    (void)pthread_mutex_lock(&lock);
    astride__mlir_internal_queue **link = &idle_queues;
    while (*link != NULL && (*link)->device != device)
        link = &(*link)->next;
    astride__mlir_internal_queue *queue = *link;
    if (queue != NULL)
        *link = queue->next;
    (void)pthread_mutex_unlock(&lock);
    if (queue != NULL)
        return queue;

    queue = malloc(sizeof *queue);
    if (queue == NULL) {
        astride__mlir_fail(function, "no memory for a queue of %zu bytes", sizeof *queue);
        return NULL;
    }
    *queue = (astride__mlir_internal_queue){.device = device};
    if (!astride__mlir_ok(function, astride_queue_create(device, &queue->queue))) {
        free(queue);
        return NULL;
    }
    return queue;
}

void astride__mlir_internal_queue_give_back(astride__mlir_internal_queue *queue)
{
    (void)pthread_mutex_lock(&lock);
    queue->next = idle_queues;
    idle_queues = queue;
    (void)pthread_mutex_unlock(&lock);
}
