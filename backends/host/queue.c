/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Queues: a worker thread each, which runs the commands of a fixed ring in order; a caller that
 * waits for them lends a hand. What a command does is known to the file that enqueues it; events
 * are in event.c.
 */
#include "host.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * A full queue lets the caller go on when this many slots are free again, so that caller and worker
 * do not wake each other for every single command.
 */
#define FREE_SLOTS_TO_RESUME (ASTRIDE__HOST_QUEUE_SLOTS / 4)

/*
 * Copies up to this size run on the caller's thread: waking the worker takes about as long as
 * copying a tenth of it, and moves the data to another processor's caches.
 */
#define AT_ONCE_BYTES ((size_t)4 << 20)

/*
 * Enqueueing slots of one queue are never called two at once, so no command can come while the
 * caller copies. What the worker wrote is visible with the count that it completed.
 */
bool astride__host_queue_takes_at_once(const astride_backend_queue *queue, size_t bytes)
{
    return bytes <= AT_ONCE_BYTES &&
           atomic_load_explicit(&queue->timeline->completed, memory_order_acquire) ==
               atomic_load_explicit(&queue->enqueued, memory_order_relaxed);
}

astride__host_command *astride__host_queue_reserve(astride_backend_queue *queue)
{
    astride__host_timeline *timeline = queue->timeline;
    pthread_mutex_lock(&timeline->lock);
    if (queue->enqueued - timeline->completed == ASTRIDE__HOST_QUEUE_SLOTS)
        astride__host_timeline_wait_locked(timeline, timeline->completed + FREE_SLOTS_TO_RESUME);
    astride__host_command *command = &queue->commands[queue->enqueued % ASTRIDE__HOST_QUEUE_SLOTS];
    command->anywhere = false;
    return command;
}

void astride__host_queue_commit(astride_backend_queue *queue)
{
    queue->enqueued++;
    pthread_mutex_unlock(&queue->timeline->lock);
    pthread_cond_signal(&queue->work);
}

/* Whether there is a command to begin and none is running. The lock is held. */
static bool is_ready(const astride_backend_queue *queue)
{
    return queue->started == queue->timeline->completed && queue->started != queue->enqueued;
}

/* Begins the next command, which stays in its slot while it runs. The lock is held. */
static const astride__host_command *begin_command(astride_backend_queue *queue)
{
    return &queue->commands[queue->started++ % ASTRIDE__HOST_QUEUE_SLOTS];
}

/* The next command, or NULL when the queue is stopping and empty. */
static const astride__host_command *next_command(astride_backend_queue *queue)
{
    astride__host_timeline *timeline = queue->timeline;
    const astride__host_command *command = NULL;
    pthread_mutex_lock(&timeline->lock);
    while (!is_ready(queue) && !(queue->stopping && timeline->completed == queue->enqueued))
        pthread_cond_wait(&queue->work, &timeline->lock);
    if (is_ready(queue))
        command = begin_command(queue);
    pthread_mutex_unlock(&timeline->lock);
    return command;
}

/* The span is written before others learn that the command is done, and perhaps end the program. */
static void run_command(astride_backend_queue *queue, const astride__host_command *command)
{
    if (queue->track == 0) {
        command->run(queue, command);
        return;
    }
    const uint64_t begun = astride__host_services->trace_now();
    command->run(queue, command);
    astride__host_services->trace_span(queue->track, command->name, begun,
                                       astride__host_services->trace_now());
}

static void *work(void *argument)
{
    astride_backend_queue *queue = argument;
    const astride__host_command *command;
    while ((command = next_command(queue)) != NULL) {
        run_command(queue, command);
        astride__host_timeline_advance(queue->timeline);
    }
    astride__host_team_destroy(queue->team);
    return NULL;
}

/*
 * Starts the worker with the signals blocked that are meant for the process: its handlers are to
 * run on the program's own threads. Faults (SIGSEGV and the like) are the thread's own and stay as
 * they are: blocked, they would end the process without its handler.
 */
static int start_worker(astride_backend_queue *queue)
{
    sigset_t blocked, before;
    sigfillset(&blocked);
    sigdelset(&blocked, SIGSEGV);
    sigdelset(&blocked, SIGBUS);
    sigdelset(&blocked, SIGFPE);
    sigdelset(&blocked, SIGILL);
    sigdelset(&blocked, SIGTRAP);
    sigdelset(&blocked, SIGABRT);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const int error = pthread_create(&queue->worker, NULL, work, queue);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

/* The errors that POSIX gives pthread_create and pthread_cond_init. */
static const char *error_name(int error)
{
    return error == EAGAIN   ? "EAGAIN"
           : error == ENOMEM ? "ENOMEM"
           : error == EPERM  ? "EPERM"
                             : "error";
}

static uint32_t new_track(void)
{
    static atomic_uint queues;
    char name[48];
    snprintf(name, sizeof(name), "host, queue %u", atomic_fetch_add(&queues, 1) + 1);
    return astride__host_services->trace_track(name);
}

astride_status astride__host_queue_create(astride_backend_device *device,
                                          astride_backend_queue **queue_out)
{
    int team_size;
    astride_status status = astride__host_team_size(&team_size);
    if (status != ASTRIDE_OK)
        return status;
    status = ASTRIDE_OUT_OF_MEMORY;
    astride_backend_queue *queue = calloc(1, sizeof(*queue));
    if (!queue)
        return astride__host_services->fail(status, "host: calloc: no memory for a queue");
    queue->device = device;
    queue->team_size = team_size;
    queue->timeline = astride__host_timeline_create();
    if (!queue->timeline) {
        astride__host_services->fail(status, "host: no memory for a queue's timeline");
        goto free_queue;
    }
    if (astride__host_services->trace_enabled())
        queue->track = new_track();
    int error = pthread_cond_init(&queue->work, NULL);
    if (error != 0) {
        status = astride__host_services->fail(
            ASTRIDE_DRIVER_ERROR, "host: pthread_cond_init: %s (%d)", error_name(error), error);
        goto release_timeline;
    }
    error = start_worker(queue);
    if (error != 0) {
        status = astride__host_services->fail(
            ASTRIDE_DRIVER_ERROR, "host: pthread_create: %s (%d): no thread for a queue's worker",
            error_name(error), error);
        goto destroy_work;
    }
    astride__host_device_add_queue(device, queue);
    *queue_out = queue;
    return ASTRIDE_OK;

destroy_work:
    pthread_cond_destroy(&queue->work);
release_timeline:
    astride__host_timeline_release(queue->timeline);
free_queue:
    free(queue);
    return status;
}

void astride__host_queue_destroy(astride_backend_queue *queue)
{
    if (!queue)
        return;
    astride__host_device_remove_queue(queue);
    pthread_mutex_lock(&queue->timeline->lock);
    queue->stopping = true;
    pthread_mutex_unlock(&queue->timeline->lock);
    pthread_cond_signal(&queue->work);
    pthread_join(queue->worker, NULL);
    pthread_cond_destroy(&queue->work);
    astride__host_timeline_release(queue->timeline);
    free(queue);
}

astride_status astride__host_queue_wait(astride_backend_queue *queue)
{
    astride__host_timeline *timeline = queue->timeline;
    const uint64_t position = atomic_load_explicit(&queue->enqueued, memory_order_acquire);
    if (atomic_load_explicit(&timeline->completed, memory_order_acquire) >= position)
        return ASTRIDE_OK;
    pthread_mutex_lock(&timeline->lock);
    /* A caller that waits anyhow does what the worker has not begun: that spares it waking up. */
    while (timeline->completed < position && is_ready(queue) &&
           queue->commands[queue->started % ASTRIDE__HOST_QUEUE_SLOTS].anywhere) {
        const astride__host_command *command = begin_command(queue);
        pthread_mutex_unlock(&timeline->lock);
        run_command(queue, command);
        astride__host_timeline_advance(timeline);
        pthread_mutex_lock(&timeline->lock);
    }
    if (is_ready(queue))
        pthread_cond_signal(&queue->work);
    astride__host_timeline_wait_locked(timeline, position);
    pthread_mutex_unlock(&timeline->lock);
    return ASTRIDE_OK;
}

astride_status astride__host_queue_query(astride_backend_queue *queue)
{
    pthread_mutex_lock(&queue->timeline->lock);
    bool idle = queue->timeline->completed == queue->enqueued;
    pthread_mutex_unlock(&queue->timeline->lock);
    return idle ? ASTRIDE_OK : ASTRIDE_NOT_READY;
}

static void run_host_call(astride_backend_queue *queue, const astride__host_command *command)
{
    (void)queue;
    command->call.function(command->call.argument);
}

astride_status astride__host_host_call(astride_backend_queue *queue,
                                       void (*function)(void *argument), void *argument)
{
    astride__host_command *command = astride__host_queue_reserve(queue);
    command->run = run_host_call;
    command->name = "host call";
    command->call.function = function;
    command->call.argument = argument;
    astride__host_queue_commit(queue);
    return ASTRIDE_OK;
}
