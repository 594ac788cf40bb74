/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A thread that lets a queue and the queues of other devices wait for each other while the caller
 * goes on, where no event means anything to both. The queue makes host calls, which report how far
 * it has come and hold it until the thread has come far enough; the thread waits for the other
 * queues itself. Blocks are counted: one run of a copy has `count` of them.
 */
#ifndef ASTRIDE_HAL_RELAY_H
#define ASTRIDE_HAL_RELAY_H

#include "hal/plan.h"

typedef struct astride__relay astride__relay;
typedef struct astride__relay_run astride__relay_run;

/* What the queue does with each block. */
typedef enum astride__relay_role {
    ASTRIDE__RELAY_FILLS,   /* puts it into its slot, the thread takes it on */
    ASTRIDE__RELAY_EMPTIES, /* takes it on, the thread puts it into its slot */
    ASTRIDE__RELAY_WATCHES  /* nothing: the thread does all */
} astride__relay_role;

/* A run that is to begin. */
typedef struct astride__relay_job {
    astride__relay_role role;
    uint64_t count; /* blocks, at least 1 */
    uint64_t depth; /* slots that they take turns in, at least 1 */
    /* The thread's part: called on the thread. */
    void (*body)(astride__relay_run *run, const struct astride__relay_job *job);
    void *owner;
    astride_plan *plan;
    astride__binding binding;
} astride__relay_job;

/* Starts the thread. */
astride_status astride__relay_create(astride__relay **relay_out);

/* Ends the thread; runs that are left are given up. NULL is a no-op. */
void astride__relay_destroy(astride__relay *relay);

/*
 * Begins a run of the queue and hands it to the thread. Then astride__relay_call() is called for
 * each block, ahead of what the queue does with it, and once more behind the last one; where it
 * only watches, once. In the end the caller lets the run go by astride__relay_leave(), with the
 * status of all that: unless that is ASTRIDE_OK the thread gives the run up.
 */
astride_status astride__relay_begin(astride__relay *relay, astride_queue *queue,
                                    const astride__relay_job *job, astride__relay_run **run_out);
astride_status astride__relay_call(astride__relay_run *run);
void astride__relay_leave(astride__relay_run *run, astride_status status);

/*
 * For the body. Waits until the queue has reached the place where the thread may begin with block
 * `number`; false when the run is given up. Then tells that it is done with the block, or that it
 * failed, with this thread's detail: the wait for the queue reports that.
 */
bool astride__relay_await(astride__relay_run *run, uint64_t number);
void astride__relay_advance(astride__relay_run *run);
void astride__relay_fail(astride__relay_run *run, astride_status status);

bool astride__relay_is_idle(astride__relay *relay);
/* Waits for the thread. `lost`: the queue makes no more calls, since its device failed. */
void astride__relay_wait_idle(astride__relay *relay, bool lost);

/*
 * The queue's device failed: gives up what threads still do for the queue and waits for them, so
 * that nothing touches memory any more when the wait for the queue returns its error. Not to be
 * called on such a thread.
 */
void astride__relay_forsake(const astride_queue *queue);

#endif /* ASTRIDE_HAL_RELAY_H */
