/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The host backend's own objects and the functions that its files share. The kernels, which know
 * nothing of queues, are declared in kernels.h.
 */
#ifndef ASTRIDE_BACKENDS_HOST_HOST_H
#define ASTRIDE_BACKENDS_HOST_HOST_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <astride/plugin.h>

#include "team.h"

/* What the core offers; set by initialize, before any other slot is called. */
extern const astride_services *astride__host_services;

/*
 * How far a queue has come. It outlives its queue while an event or a command of another queue
 * still names a point in it: a point is a number of completed commands, so recording an event needs
 * no command, and an event may be destroyed while others wait for the point that it named.
 */
typedef struct astride__host_timeline {
    pthread_mutex_t lock;
    pthread_cond_t progress;    /* `completed` reached `wake_at` */
    _Atomic uint64_t completed; /* commands that are done; changed under the lock */
    uint64_t wake_at;           /* smallest count that a thread waits for; UINT64_MAX: none waits */
    atomic_uint references;
} astride__host_timeline;

/* Returns NULL when there is no memory, without services->fail. The caller holds one reference. */
astride__host_timeline *astride__host_timeline_create(void);
void astride__host_timeline_retain(astride__host_timeline *timeline);
/* Drops a reference; the last one frees it. NULL is a no-op. */
void astride__host_timeline_release(astride__host_timeline *timeline);
bool astride__host_timeline_reached(astride__host_timeline *timeline, uint64_t position);
/* Blocks until `position` commands are done. */
void astride__host_timeline_wait(astride__host_timeline *timeline, uint64_t position);
/* The same for a caller that holds the timeline's lock, and holds it again on return. */
void astride__host_timeline_wait_locked(astride__host_timeline *timeline, uint64_t position);
/* Counts one more command as done. Only the thread that ran it calls it. */
void astride__host_timeline_advance(astride__host_timeline *timeline);

/* A command in a queue; `run` reads its own member of the union. */
typedef struct astride__host_command astride__host_command;
struct astride__host_command {
    void (*run)(astride_backend_queue *queue, const astride__host_command *command);
    const char *name; /* in the trace; alive for ever */
    bool anywhere;    /* on any thread: false when reserved */
    union {
        struct {
            void *dst;
            const void *src;
            size_t bytes;
        } linear;
        struct {
            astride_strided copy;
            uint8_t pattern[16]; /* source of a fill */
        } strided;
        struct {
            void (*function)(void *argument);
            void *argument;
        } call;
        struct {
            astride__host_timeline *timeline; /* a reference that `run` drops */
            uint64_t position;
        } wait;
    };
};

/* Commands that a queue holds, the running one included; enqueueing more blocks. */
#define ASTRIDE__HOST_QUEUE_SLOTS 256u

struct astride_backend_queue {
    astride_backend_device *device;         /* NULL once that is closed */
    astride_backend_queue *previous, *next; /* in the list of the device */
    pthread_t worker;
    int team_size;                    /* threads that a large copy may use */
    astride__host_team *team;         /* the worker's own; NULL until a large copy came */
    astride__host_timeline *timeline; /* its lock guards all that follows */
    pthread_cond_t work;              /* a command came, or `stopping` was set */
    _Atomic uint64_t enqueued;        /* commands ever enqueued; slot number modulo the slots */
    uint64_t started;                 /* commands that a thread has begun: one runs at a time */
    bool stopping;
    uint32_t track; /* in the trace; 0: there is none */
    astride__host_command commands[ASTRIDE__HOST_QUEUE_SLOTS];
};

/*
 * Enqueueing: reserve returns the next free slot, waiting for one while the queue is full, and
 * keeps the queue locked until commit hands the filled slot to the worker. Neither allocates nor
 * fails.
 */
astride__host_command *astride__host_queue_reserve(astride_backend_queue *queue);
void astride__host_queue_commit(astride_backend_queue *queue);

/*
 * Whether a copy of `bytes` is best done by the calling thread, at once: the queue has nothing to
 * do, and handing the copy over would take longer. It is then as if it had been enqueued and had
 * completed before the call returned; it takes no place in the timeline, where nothing is before or
 * behind it.
 */
bool astride__host_queue_takes_at_once(const astride_backend_queue *queue, size_t bytes);

struct astride_backend_event {
    pthread_mutex_t lock;
    astride__host_timeline *timeline; /* NULL until the event is recorded */
    uint64_t position;
};

struct astride_backend_device {
    pthread_mutex_t lock;
    astride_backend_queue *queues; /* those that live */
};

void astride__host_device_add_queue(astride_backend_device *device, astride_backend_queue *queue);
void astride__host_device_remove_queue(astride_backend_queue *queue);

/* The slots, by file; what they do is said in <astride/plugin.h>. */

/* device.c */
astride_status astride__host_probe(int32_t *device_count_out);
astride_status astride__host_describe(int32_t index, astride_device_info *info_out);
astride_status astride__host_device_open(int32_t index, astride_backend_device **device_out);
void astride__host_device_close(astride_backend_device *device);
astride_status astride__host_properties(astride_backend_device *device,
                                        astride_backend_properties *properties_out);

/* memory.c */
astride_status astride__host_memory_alloc(astride_backend_device *device, size_t bytes,
                                          astride_memory_kind kind, void **address_out,
                                          void **allocation_out);
void astride__host_memory_free(astride_backend_device *device, void *address, void *allocation);
astride_status astride__host_memory_register(astride_backend_device *device, void *address,
                                             size_t bytes, void **allocation_out);
void astride__host_memory_unregister(astride_backend_device *device, void *address,
                                     void *allocation);
astride_status astride__host_memory_import(astride_backend_device *device, void *handle,
                                           size_t bytes, void **address_out, void **allocation_out);
void astride__host_memory_release(astride_backend_device *device, void *address, void *allocation);

/* queue.c */
astride_status astride__host_queue_create(astride_backend_device *device,
                                          astride_backend_queue **queue_out);
void astride__host_queue_destroy(astride_backend_queue *queue);
astride_status astride__host_queue_wait(astride_backend_queue *queue);
astride_status astride__host_queue_query(astride_backend_queue *queue);
astride_status astride__host_host_call(astride_backend_queue *queue,
                                       void (*function)(void *argument), void *argument);

/* event.c */
astride_status astride__host_event_create(astride_backend_device *device,
                                          astride_backend_event **event_out);
void astride__host_event_destroy(astride_backend_event *event);
astride_status astride__host_event_record(astride_backend_event *event,
                                          astride_backend_queue *queue);
astride_status astride__host_event_wait(astride_backend_event *event);
astride_status astride__host_event_query(astride_backend_event *event);
astride_status astride__host_queue_wait_event(astride_backend_queue *queue,
                                              astride_backend_event *event);

/* copy.c */
/* On the queue's worker: with the team where that pays. */
void astride__host_copy_on_worker(astride_backend_queue *queue, const astride_strided *copy);
astride_status astride__host_copy_linear(astride_backend_queue *queue, const astride_operand *dst,
                                         const astride_operand *src, size_t bytes);
astride_status astride__host_copy_rect(astride_backend_queue *queue, const astride_rect *rect);
astride_status astride__host_copy_kernel(astride_backend_queue *queue, const astride_strided *copy);

/* fill.c */
astride_status astride__host_fill(astride_backend_queue *queue, const astride_strided_fill *fill);

#endif /* ASTRIDE_BACKENDS_HOST_HOST_H */
