/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Staged copies at work: the temporaries, queues and events of a plan, and the order in which its
 * blocks go through them.
 */
#include <stdlib.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/log.h"
#include "hal/plan.h"
#include "hal/queue.h"
#include "hal/relay.h"
#include "hal/staged.h"

astride_status astride__mark_make(astride__mark *mark, astride_device *device)
{
    mark->device = device;
    return device->plugin->event_create(device->backend, &mark->event);
}

void astride__mark_free(astride__mark *mark)
{
    if (mark->event != NULL)
        mark->device->plugin->event_destroy(mark->event);
    mark->event = NULL;
}

astride_status astride__mark_record(const astride__mark *mark, const astride_queue *queue)
{
    return mark->device->plugin->event_record(mark->event, queue->backend);
}

astride_status astride__mark_wait(const astride_queue *queue, const astride__mark *mark)
{
    return queue->device->plugin->queue_wait_event(queue->backend, mark->event);
}

static astride_status allocate(astride__temporary *temporary)
{
    const size_t bytes = astride__ring_bytes(&temporary->ring);
    const astride_device *device = temporary->device;
    const astride_status status = device->plugin->memory_alloc(
        device->backend, bytes, temporary->kind, &temporary->address, &temporary->allocation);
    if (status != ASTRIDE_OK)
        astride__fail_prefix("temporary of %zu bytes: ", bytes);
    return status;
}

/* The queues of the lanes: the last lane on one device, and the user's device on a route, are in
   the user's queue. */
static astride_status prepare_lanes(astride__staged *staged)
{
    for (int32_t i = 0; i < staged->lane_count; i++) {
        astride__lane *lane = &staged->lanes[i];
        lane->device = astride__staged_leg_device(staged, lane->first);
        const bool own = astride__staged_is_routed(staged) ? lane->device != staged->device
                                                           : i + 1 < staged->lane_count;
        if (!own)
            continue;
        const astride_status status = astride_queue_create(lane->device, &lane->queue);
        if (status != ASTRIDE_OK)
            return status;
    }
    return ASTRIDE_OK;
}

static astride_status prepare_events(astride__staged *staged)
{
    const size_t depth = (size_t)astride__staged_ring(staged)->ring.depth;
    astride_status status = astride__mark_make(&staged->start, staged->device);
    if (status == ASTRIDE_OK)
        status = astride__mark_make(&staged->end, staged->lanes[1].device);
    if (status != ASTRIDE_OK)
        return status;
    staged->filled = calloc(depth, sizeof *staged->filled);
    staged->freed = calloc(depth, sizeof *staged->freed);
    if (staged->filled == NULL || staged->freed == NULL)
        return astride__fail(ASTRIDE_OUT_OF_MEMORY, "no memory for the events of %zu slots", depth);
    for (size_t slot = 0; slot < depth && status == ASTRIDE_OK; slot++) {
        status = astride__mark_make(&staged->filled[slot], staged->lanes[0].device);
        if (status == ASTRIDE_OK)
            status = astride__mark_make(&staged->freed[slot], staged->lanes[1].device);
    }
    return status;
}

astride_status astride__staged_prepare(astride__staged *staged)
{
    astride_status status = ASTRIDE_OK;
    for (int32_t i = 0; i < staged->temporary_count && status == ASTRIDE_OK; i++)
        status = allocate(&staged->temporaries[i]);
    if (status == ASTRIDE_OK)
        status = prepare_lanes(staged);
    if (status == ASTRIDE_OK && staged->linking == ASTRIDE__LINK_EVENTS)
        status = prepare_events(staged);
    if (status == ASTRIDE_OK && staged->linking == ASTRIDE__LINK_THREAD)
        status = astride__relay_create(&staged->relay);
    if (status == ASTRIDE_OK)
        status = astride__mark_make(&staged->done, staged->device);
    return status;
}

static void free_marks(astride__mark *marks, int32_t count)
{
    for (int32_t i = 0; i < count && marks != NULL; i++)
        astride__mark_free(&marks[i]);
    free(marks);
}

void astride__staged_destroy(astride__staged *staged)
{
    if (staged == NULL)
        return;
    astride__relay_destroy(staged->relay);
    for (int32_t i = 0; i < staged->lane_count; i++)
        astride_queue_destroy(staged->lanes[i].queue);
    if (staged->lane_count == 2) {
        free_marks(staged->filled, astride__staged_ring(staged)->ring.depth);
        free_marks(staged->freed, astride__staged_ring(staged)->ring.depth);
    }
    astride__mark_free(&staged->end);
    astride__mark_free(&staged->start);
    astride__mark_free(&staged->done);
    for (int32_t i = 0; i < ASTRIDE__TEMPORARIES; i++) {
        const astride__temporary *temporary = &staged->temporaries[i];
        if (temporary->address != NULL)
            temporary->device->plugin->memory_free(temporary->device->backend, temporary->address,
                                                   temporary->allocation);
    }
    pthread_mutex_destroy(&staged->lock);
    free(staged);
}

/* A run: the plan that it belongs to, and its sides. */
typedef struct run {
    astride__staged *staged;
    astride_plan *plan;
    astride_queue *queues[2]; /* of the lanes */
    const astride__side *dst, *src;
} run;

/* The slot of a block in a temporary, as the device of a leg sees it. */
static astride__side slot_of(const astride__temporary *temporary, const astride_device *device,
                             astride_memory_kind kind, uint64_t number)
{
    const uintptr_t base = (uintptr_t)temporary->address;
    const uintptr_t slot = base + astride__ring_offset(&temporary->ring, number);
    if (temporary->device != device)
        return (astride__side){.kind = kind, .base = slot};
    return (astride__side){
        .kind = kind, .base = slot, .allocation_base = base, .allocation = temporary->allocation};
}

/* Enqueues the legs of a lane for block `number`. */
static astride_status run_lane(const run *self, int32_t index, const astride__block *block,
                               uint64_t number)
{
    const astride__staged *staged = self->staged;
    const astride__lane *lane = &staged->lanes[index];
    const astride__method *legs =
        staged->legs[block->is_tail ? ASTRIDE__TAIL_BLOCK : ASTRIDE__FULL_BLOCK];
    for (int32_t leg = lane->first; leg < lane->end; leg++) {
        astride_memory_kind dst_kind, src_kind;
        astride__side dst = *self->dst, src = *self->src;
        astride__staged_leg_kinds(staged, leg, &dst_kind, &src_kind);
        dst.base += (uintptr_t)block->dst_offset;
        src.base += (uintptr_t)block->src_offset;
        if (leg < staged->temporary_count)
            dst = slot_of(&staged->temporaries[leg], lane->device, dst_kind, number);
        if (leg > 0)
            src = slot_of(&staged->temporaries[leg - 1], lane->device, src_kind, number);
        const astride_status status =
            astride__method_run(&legs[leg], self->plan, self->queues[index], &dst, &src);
        if (status != ASTRIDE_OK)
            return status;
    }
    return ASTRIDE_OK;
}

/* One lane: the queue's order is all that is needed. */
static astride_status run_in_order(const run *self)
{
    const uint64_t count = astride__blocks_count(&self->staged->blocks);
    astride__block_walk walk;
    astride_status status = ASTRIDE_OK;
    astride__block_walk_begin(&self->staged->blocks, &walk);
    for (uint64_t number = 0; number < count && status == ASTRIDE_OK; number++) {
        const astride__block block = astride__block_walk_next(&walk);
        status = run_lane(self, 0, &block, number);
    }
    return status;
}

/* One block through both lanes. */
static astride_status enqueue_by_events(const run *self, const astride__block *block,
                                        uint64_t number)
{
    const astride__staged *staged = self->staged;
    const uint64_t depth = (uint64_t)astride__staged_ring(staged)->ring.depth;
    const uint64_t slot = number % depth;
    astride_status status = ASTRIDE_OK;
    if (number >= depth)
        status = astride__mark_wait(self->queues[0], &staged->freed[slot]);
    if (status == ASTRIDE_OK)
        status = run_lane(self, 0, block, number);
    if (status == ASTRIDE_OK)
        status = astride__mark_record(&staged->filled[slot], self->queues[0]);
    if (status == ASTRIDE_OK)
        status = astride__mark_wait(self->queues[1], &staged->filled[slot]);
    if (status == ASTRIDE_OK)
        status = run_lane(self, 1, block, number);
    if (status == ASTRIDE_OK)
        status = astride__mark_record(&staged->freed[slot], self->queues[1]);
    return status;
}

/*
 * Lets the user's queue wait for a lane of our own. A failure of one of the blocks needs it, too:
 * the temporaries must not be touched behind `done`.
 */
static astride_status join(const run *self, astride_queue *queue, int32_t lane,
                           const astride__mark *mark)
{
    if (self->queues[lane] == queue)
        return ASTRIDE_OK;
    astride_status status = astride__mark_record(mark, self->queues[lane]);
    if (status == ASTRIDE_OK)
        status = astride__mark_wait(queue, mark);
    return status;
}

static void join_after_failure(const run *self, astride_queue *queue)
{
    astride__error_detail detail;
    astride__error_save(&detail);
    const astride__mark *const marks[] = {&self->staged->filled[0], &self->staged->end};
    for (int32_t lane = 0; lane < 2; lane++)
        if (join(self, queue, lane, marks[lane]) != ASTRIDE_OK)
            (void)astride__queue_wait(self->queues[lane]);
    astride__error_restore(&detail);
}

/* Two lanes that wait for each other by events; the first blocks wait for the user's queue. */
static astride_status run_by_events(const run *self, astride_queue *queue)
{
    const astride__staged *staged = self->staged;
    const uint64_t count = astride__blocks_count(&staged->blocks);
    astride__block_walk walk;
    astride_status status = astride__mark_record(&staged->start, queue);
    for (int32_t lane = 0; lane < 2 && status == ASTRIDE_OK; lane++)
        if (self->queues[lane] != queue)
            status = astride__mark_wait(self->queues[lane], &staged->start);
    astride__block_walk_begin(&staged->blocks, &walk);
    for (uint64_t number = 0; number < count && status == ASTRIDE_OK; number++) {
        const astride__block block = astride__block_walk_next(&walk);
        status = enqueue_by_events(self, &block, number);
    }
    if (status == ASTRIDE_OK)
        status = join(self, queue, 1, &staged->end);
    if (status != ASTRIDE_OK)
        join_after_failure(self, queue);
    return status;
}

/* Two lanes between which this thread waits; the last legs of a block overlap the next block. */
static astride_status run_and_wait(const run *self)
{
    const uint64_t count = astride__blocks_count(&self->staged->blocks);
    astride__block_walk walk;
    astride_status status = ASTRIDE_OK;
    astride__block_walk_begin(&self->staged->blocks, &walk);
    for (uint64_t number = 0; number < count && status == ASTRIDE_OK; number++) {
        const astride__block block = astride__block_walk_next(&walk);
        status = run_lane(self, 0, &block, number);
        for (int32_t lane = 0; lane < 2; lane++) {
            const astride_status waited = astride__queue_wait(self->queues[lane]);
            if (status == ASTRIDE_OK)
                status = waited;
        }
        if (status == ASTRIDE_OK)
            status = run_lane(self, 1, &block, number);
    }
    const astride_status waited = astride__queue_wait(self->queues[1]);
    return status == ASTRIDE_OK ? waited : status;
}

/* The thread's part of a copy: the lanes that are not in the user's queue. */
static void run_on_thread(astride__relay_run *relay_run, const astride__relay_job *job)
{
    astride__staged *staged = job->owner;
    const run self = {.staged = staged,
                      .plan = job->plan,
                      .queues = {staged->lanes[0].queue, staged->lanes[1].queue},
                      .dst = &job->binding.dst,
                      .src = &job->binding.src};
    const int32_t lane = job->role == ASTRIDE__RELAY_FILLS ? 1 : 0;
    astride_status status = ASTRIDE_OK;
    astride__block_walk walk;
    astride__block_walk_begin(&staged->blocks, &walk);
    for (uint64_t number = 0; number < job->count && status == ASTRIDE_OK; number++) {
        if (!astride__relay_await(relay_run, number))
            return;
        if (job->role == ASTRIDE__RELAY_WATCHES) {
            status = run_and_wait(&self);
        } else {
            const astride__block block = astride__block_walk_next(&walk);
            status = run_lane(&self, lane, &block, number);
            const astride_status waited = astride__queue_wait(self.queues[lane]);
            if (status == ASTRIDE_OK)
                status = waited;
        }
        if (status == ASTRIDE_OK)
            astride__relay_advance(relay_run);
    }
    if (status != ASTRIDE_OK)
        astride__relay_fail(relay_run, status);
}

/* The lanes wait for each other by way of a thread, which carries out what is not in the queue. */
static astride_status run_with_thread(const run *self, astride_queue *queue)
{
    const astride__staged *staged = self->staged;
    astride__relay_job job = {.role = ASTRIDE__RELAY_WATCHES,
                              .count = 1,
                              .depth = (uint64_t)astride__staged_ring(staged)->ring.depth,
                              .body = run_on_thread,
                              .owner = self->staged,
                              .plan = self->plan,
                              .binding = {.dst = *self->dst, .src = *self->src}};
    int32_t lane = -1;
    for (int32_t i = 0; i < 2; i++)
        if (staged->lanes[i].queue == NULL)
            lane = i;
    if (lane >= 0) {
        job.role = lane == 0 ? ASTRIDE__RELAY_FILLS : ASTRIDE__RELAY_EMPTIES;
        job.count = astride__blocks_count(&staged->blocks);
    }
    astride__relay_run *relay_run;
    astride__block_walk walk;
    astride_status status = astride__relay_begin(staged->relay, queue, &job, &relay_run);
    if (status != ASTRIDE_OK)
        return status;
    astride__block_walk_begin(&staged->blocks, &walk);
    for (uint64_t number = 0; lane >= 0 && number < job.count && status == ASTRIDE_OK; number++) {
        const astride__block block = astride__block_walk_next(&walk);
        status = astride__relay_call(relay_run);
        if (status == ASTRIDE_OK)
            status = run_lane(self, lane, &block, number);
    }
    if (status == ASTRIDE_OK)
        status = astride__relay_call(relay_run);
    astride__relay_leave(relay_run, status);
    return status;
}

static astride_status run_blocks(const run *self, astride_queue *queue)
{
    astride_status status;
    switch (self->staged->linking) {
    case ASTRIDE__LINK_EVENTS:
        return run_by_events(self, queue);
    case ASTRIDE__LINK_THREAD:
        return run_with_thread(self, queue);
    case ASTRIDE__LINK_WAIT:
        status = astride__queue_wait(queue);
        return status == ASTRIDE_OK ? run_and_wait(self) : status;
    case ASTRIDE__LINK_ORDER:
        break;
    }
    return run_in_order(self);
}

astride_status astride__staged_run(astride__staged *staged, astride_plan *plan,
                                   astride_queue *queue, const astride__side *dst,
                                   const astride__side *src)
{
    run self = {.staged = staged, .plan = plan, .dst = dst, .src = src};
    for (int32_t i = 0; i < 2; i++)
        self.queues[i] = staged->lanes[i].queue != NULL ? staged->lanes[i].queue : queue;
    astride_status status = ASTRIDE_OK;
    pthread_mutex_lock(&staged->lock);
    /* Another queue may still be using the temporaries. */
    if (staged->latest != NULL && staged->latest != queue)
        status = astride__mark_wait(queue, &staged->done);
    if (status == ASTRIDE_OK) {
        status = run_blocks(&self, queue);
        /* Also after a failure: what was enqueued before it uses the temporaries. */
        astride__error_detail detail;
        astride__error_save(&detail);
        staged->latest = queue;
        if (astride__mark_record(&staged->done, queue) != ASTRIDE_OK) {
            astride__log(ASTRIDE_LOG_WARN, "%s: event of a staged copy: %s", staged->device->spec,
                         astride_last_error());
            (void)queue->device->plugin->queue_wait(queue->backend);
            staged->latest = NULL;
        }
        astride__error_restore(&detail);
    }
    pthread_mutex_unlock(&staged->lock);
    return status;
}

bool astride__staged_is_idle(astride__staged *staged)
{
    if (staged->done.event == NULL)
        return true;
    const astride_status status = staged->device->plugin->event_query(staged->done.event);
    if (status == ASTRIDE_OK && staged->relay != NULL)
        return astride__relay_is_idle(staged->relay);
    return status != ASTRIDE_NOT_READY;
}

void astride__staged_wait_idle(astride__staged *staged)
{
    if (staged->done.event == NULL)
        return;
    const astride_status status = staged->device->plugin->event_wait(staged->done.event);
    if (staged->relay != NULL)
        astride__relay_wait_idle(staged->relay, status != ASTRIDE_OK);
}
