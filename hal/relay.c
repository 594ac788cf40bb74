/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The thread between queues, and its bookkeeping. The thread is that of a queue of the built-in
 * backend. A host call of the user's queue blocks, but only for work of others, and for work before
 * it in its own queue: so it holds nothing up that it waits for, even if a driver makes the calls
 * of all its queues on one thread.
 */
#include "hal/relay.h"

#include <stdlib.h>
#include <string.h>

#include "hal/builtin.h"
#include "hal/error.h"
#include "hal/queue.h"

struct astride__relay_run {
    astride__relay *relay;
    astride__relay_run *next; /* in the list of all */
    astride_queue *queue;
    astride__relay_job job;
    int references; /* of the caller, the thread and each call that is in the queue; 0: free */
    bool thread_is_done;
    int inside;        /* calls at work */
    uint64_t called;   /* calls that were begun; each says how far the queue has come */
    uint64_t advanced; /* blocks that the thread is done with */
    bool given_up;
    astride_status status; /* of the thread */
    astride__error_detail detail;
};

struct astride__relay {
    astride_backend_device *device;
    astride_backend_queue *queue; /* whose worker is the thread */
    pthread_mutex_t lock;         /* guards the runs */
    pthread_cond_t progress;
    astride__relay_run *runs; /* all that were ever made: a run takes a free one */
    bool orphaned;            /* destroyed but for what late calls look at */
    astride__relay *next;     /* in one of the two lists */
};

/*
 * All relays; and those that were destroyed too early: a lost device makes no more calls, but one
 * may be about to be made just then. So what calls look at outlives the relay until the last one
 * was made, which may be never. The lock comes before those of relays.
 */
static pthread_mutex_t lists_lock = PTHREAD_MUTEX_INITIALIZER;
static astride__relay *relays, *orphans;

/* The lock of the lists is held. */
static void add_to(astride__relay **list, astride__relay *relay)
{
    relay->next = *list;
    *list = relay;
}

static void remove_from(astride__relay **list, const astride__relay *relay)
{
    while (*list != relay)
        list = &(*list)->next;
    *list = relay->next;
}

astride_status astride__relay_create(astride__relay **relay_out)
{
    const astride_plugin *host = &astride__host_plugin;
    astride_status status = ASTRIDE_OUT_OF_MEMORY;
    astride__relay *relay = calloc(1, sizeof *relay);
    if (relay == NULL)
        goto no_memory;
    if (pthread_mutex_init(&relay->lock, NULL) != 0)
        goto free_relay;
    if (pthread_cond_init(&relay->progress, NULL) != 0)
        goto destroy_lock;
    status = host->device_open(0, &relay->device);
    if (status != ASTRIDE_OK)
        goto destroy_progress;
    status = host->queue_create(relay->device, &relay->queue);
    if (status != ASTRIDE_OK)
        goto close_device;
    pthread_mutex_lock(&lists_lock);
    add_to(&relays, relay);
    pthread_mutex_unlock(&lists_lock);
    *relay_out = relay;
    return ASTRIDE_OK;

close_device:
    host->device_close(relay->device);
destroy_progress:
    pthread_cond_destroy(&relay->progress);
destroy_lock:
    pthread_mutex_destroy(&relay->lock);
free_relay:
    free(relay);
no_memory:
    if (status == ASTRIDE_OUT_OF_MEMORY)
        astride__fail(status, "no memory for a thread between two devices");
    return status;
}

static void free_relay(astride__relay *relay)
{
    while (relay->runs != NULL) {
        astride__relay_run *run = relay->runs;
        relay->runs = run->next;
        free(run);
    }
    pthread_cond_destroy(&relay->progress);
    pthread_mutex_destroy(&relay->lock);
    free(relay);
}

static void free_orphan(astride__relay *relay)
{
    pthread_mutex_lock(&lists_lock);
    remove_from(&orphans, relay);
    pthread_mutex_unlock(&lists_lock);
    free_relay(relay);
}

/* The lock is held. */
static bool has_calls_to_come(const astride__relay *relay)
{
    bool has = false;
    for (const astride__relay_run *run = relay->runs; run != NULL; run = run->next)
        has = has || run->references > 0;
    return has;
}

void astride__relay_destroy(astride__relay *relay)
{
    const astride_plugin *host = &astride__host_plugin;
    if (relay == NULL)
        return;
    pthread_mutex_lock(&lists_lock);
    remove_from(&relays, relay);
    pthread_mutex_unlock(&lists_lock);
    astride__relay_wait_idle(relay, true);
    host->queue_destroy(relay->queue);
    host->device_close(relay->device);
    pthread_mutex_lock(&lists_lock);
    pthread_mutex_lock(&relay->lock);
    const bool orphaned = has_calls_to_come(relay);
    relay->orphaned = orphaned;
    if (orphaned)
        add_to(&orphans, relay);
    pthread_mutex_unlock(&relay->lock);
    pthread_mutex_unlock(&lists_lock);
    if (!orphaned)
        free_relay(relay);
}

/* Calls that the queue makes in a run. */
static uint64_t call_count(const astride__relay_job *job)
{
    return job->role == ASTRIDE__RELAY_WATCHES ? 1 : job->count + 1;
}

/* Blocks that the thread must be done with before call `number`, from 0, lets the queue go on. */
static uint64_t blocks_needed(const astride__relay_job *job, uint64_t number)
{
    if (number + 1 == call_count(job))
        return job->count;
    if (job->role == ASTRIDE__RELAY_EMPTIES)
        return number + 1;                                    /* the block is in its slot */
    return number < job->depth ? 0 : number + 1 - job->depth; /* the slot is empty */
}

/* Calls that must have begun before the thread may begin with block `number`, from 0. */
static uint64_t calls_needed(const astride__relay_job *job, uint64_t number)
{
    if (job->role == ASTRIDE__RELAY_FILLS)
        return number + 2; /* the call behind the filling */
    if (job->role == ASTRIDE__RELAY_EMPTIES && number >= job->depth)
        return number + 2 - job->depth; /* the call behind the emptying of its slot */
    return 1;
}

/* A call of the queue: on a thread of its backend. The queue is gone where the relay is. */
static void pass(void *argument)
{
    astride__relay_run *run = argument;
    astride__relay *relay = run->relay;
    pthread_mutex_lock(&relay->lock);
    run->inside++;
    const uint64_t number = run->called++;
    const uint64_t needed = blocks_needed(&run->job, number);
    pthread_cond_broadcast(&relay->progress);
    while (!run->given_up && run->advanced < needed)
        pthread_cond_wait(&relay->progress, &relay->lock);
    if (number + 1 == call_count(&run->job) && run->status != ASTRIDE_OK && !relay->orphaned)
        astride__queue_defer(run->queue, run->status, &run->detail);
    run->inside--;
    run->references--;
    pthread_cond_broadcast(&relay->progress);
    const bool last = relay->orphaned && !has_calls_to_come(relay);
    pthread_mutex_unlock(&relay->lock);
    if (last)
        free_orphan(relay);
}

static void run_thread(void *argument)
{
    astride__relay_run *run = argument;
    astride__relay *relay = run->relay;
    run->job.body(run, &run->job);
    pthread_mutex_lock(&relay->lock);
    run->thread_is_done = true;
    run->references--;
    pthread_cond_broadcast(&relay->progress);
    pthread_mutex_unlock(&relay->lock);
}

/* A record of a run: one that is free, or a new one; NULL without memory. */
static astride__relay_run *take_run(astride__relay *relay)
{
    pthread_mutex_lock(&relay->lock);
    astride__relay_run *run = relay->runs;
    while (run != NULL && run->references > 0)
        run = run->next;
    if (run == NULL) {
        run = calloc(1, sizeof *run);
        if (run != NULL) {
            run->relay = relay;
            run->next = relay->runs;
            relay->runs = run;
        }
    }
    if (run != NULL)
        run->references = 2;
    pthread_mutex_unlock(&relay->lock);
    return run;
}

astride_status astride__relay_begin(astride__relay *relay, astride_queue *queue,
                                    const astride__relay_job *job, astride__relay_run **run_out)
{
    astride__relay_run *run = take_run(relay);
    if (run == NULL)
        return astride__fail(ASTRIDE_OUT_OF_MEMORY, "no memory for a copy between two devices");
    run->queue = queue;
    run->job = *job;
    run->thread_is_done = false;
    run->called = run->advanced = 0;
    run->inside = 0;
    run->given_up = false;
    run->status = ASTRIDE_OK;
    const astride_status status = astride__host_plugin.host_call(relay->queue, run_thread, run);
    if (status != ASTRIDE_OK) {
        pthread_mutex_lock(&relay->lock);
        run->references = 0;
        pthread_mutex_unlock(&relay->lock);
        return status;
    }
    *run_out = run;
    return ASTRIDE_OK;
}

static void add_reference(astride__relay_run *run, int difference)
{
    pthread_mutex_lock(&run->relay->lock);
    run->references += difference;
    pthread_mutex_unlock(&run->relay->lock);
}

astride_status astride__relay_call(astride__relay_run *run)
{
    add_reference(run, 1);
    const astride_status status = astride__queue_host_call(run->queue, pass, run);
    if (status != ASTRIDE_OK)
        add_reference(run, -1);
    return status;
}

static void give_up(astride__relay_run *run)
{
    run->given_up = true;
    pthread_cond_broadcast(&run->relay->progress);
}

void astride__relay_leave(astride__relay_run *run, astride_status status)
{
    astride__relay *relay = run->relay;
    pthread_mutex_lock(&relay->lock);
    if (status != ASTRIDE_OK)
        give_up(run);
    run->references--;
    pthread_mutex_unlock(&relay->lock);
}

bool astride__relay_await(astride__relay_run *run, uint64_t number)
{
    const uint64_t needed = calls_needed(&run->job, number);
    pthread_mutex_lock(&run->relay->lock);
    while (!run->given_up && run->called < needed)
        pthread_cond_wait(&run->relay->progress, &run->relay->lock);
    const bool goes_on = !run->given_up;
    pthread_mutex_unlock(&run->relay->lock);
    return goes_on;
}

void astride__relay_advance(astride__relay_run *run)
{
    pthread_mutex_lock(&run->relay->lock);
    run->advanced++;
    pthread_cond_broadcast(&run->relay->progress);
    pthread_mutex_unlock(&run->relay->lock);
}

void astride__relay_fail(astride__relay_run *run, astride_status status)
{
    pthread_mutex_lock(&run->relay->lock);
    run->status = status;
    astride__error_save(&run->detail);
    give_up(run);
    pthread_mutex_unlock(&run->relay->lock);
}

bool astride__relay_is_idle(astride__relay *relay)
{
    bool idle = true;
    pthread_mutex_lock(&relay->lock);
    for (const astride__relay_run *run = relay->runs; run != NULL; run = run->next)
        idle = idle && run->references == 0;
    pthread_mutex_unlock(&relay->lock);
    return idle;
}

/*
 * Gives up one run and waits for what is at work in it: of a lost device the calls do not come any
 * more, but for those that have begun. The relay's lock is held.
 */
static void end_run(astride__relay *relay, astride__relay_run *run)
{
    give_up(run);
    while (run->references > 0 && (!run->thread_is_done || run->inside > 0))
        pthread_cond_wait(&relay->progress, &relay->lock);
}

void astride__relay_wait_idle(astride__relay *relay, bool lost)
{
    pthread_mutex_lock(&relay->lock);
    for (astride__relay_run *run = relay->runs; run != NULL; run = run->next) {
        if (lost)
            end_run(relay, run);
        while (!lost && run->references > 0)
            pthread_cond_wait(&relay->progress, &relay->lock);
    }
    pthread_mutex_unlock(&relay->lock);
}

void astride__relay_forsake(const astride_queue *queue)
{
    pthread_mutex_lock(&lists_lock);
    for (astride__relay *relay = relays; relay != NULL; relay = relay->next) {
        pthread_mutex_lock(&relay->lock);
        for (astride__relay_run *run = relay->runs; run != NULL; run = run->next)
            if (run->references > 0 && run->queue == queue)
                end_run(relay, run);
        pthread_mutex_unlock(&relay->lock);
    }
    pthread_mutex_unlock(&lists_lock);
}
