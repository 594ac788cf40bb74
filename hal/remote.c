/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copies that another device carries out: a plan of that device, run in a queue of its own.
 */
#include "hal/remote.h"

#include <stdlib.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/log.h"
#include "hal/queue.h"
#include "hal/relay.h"

/* Both sides as the target sees them. */
static astride_status bind_on_target(const struct astride__remote *remote,
                                     const astride__description *description,
                                     const astride__binding *binding, astride__binding *binding_out)
{
    return astride__bind(remote->target, description, (void *)binding->dst.base,
                         (const void *)binding->src.base, binding_out);
}

static astride_status prepare(struct astride__remote *remote,
                              const astride__description *description,
                              const astride__binding *binding, astride_strategy strategy)
{
    astride__binding bound;
    astride_status status = bind_on_target(remote, description, binding, &bound);
    if (status == ASTRIDE_OK)
        status = astride__plan_build(remote->target, description, &bound, bound.dst.kind,
                                     bound.src.kind, strategy, &remote->plan);
    if (status == ASTRIDE_OK)
        status = astride_queue_create(remote->target, &remote->queue);
    if (status == ASTRIDE_OK && remote->linking == ASTRIDE__LINK_EVENTS)
        status = astride__mark_make(&remote->start, remote->device);
    if (status == ASTRIDE_OK && remote->linking == ASTRIDE__LINK_EVENTS)
        status = astride__mark_make(&remote->end, remote->target);
    if (status == ASTRIDE_OK)
        status = astride__mark_make(&remote->done, remote->device);
    if (status == ASTRIDE_OK && remote->linking == ASTRIDE__LINK_THREAD)
        status = astride__relay_create(&remote->relay);
    return status;
}

astride_status astride__remote_create(astride_device *device, astride_device *target,
                                      const astride__description *description,
                                      const astride__binding *binding, astride_strategy strategy,
                                      struct astride__remote **remote_out)
{
    struct astride__remote *remote = calloc(1, sizeof *remote);
    if (remote == NULL || pthread_mutex_init(&remote->lock, NULL) != 0) {
        free(remote);
        return astride__fail(ASTRIDE_OUT_OF_MEMORY, "no memory for a copy on %s", target->spec);
    }
    remote->device = device;
    remote->target = target;
    remote->linking = astride__linking_between(device, target, target);
    const astride_status status = prepare(remote, description, binding, strategy);
    if (status != ASTRIDE_OK) {
        astride__remote_destroy(remote);
        return status;
    }
    *remote_out = remote;
    return ASTRIDE_OK;
}

void astride__remote_destroy(struct astride__remote *remote)
{
    if (remote == NULL)
        return;
    astride__relay_destroy(remote->relay);
    astride_queue_destroy(remote->queue);
    astride__mark_free(&remote->start);
    astride__mark_free(&remote->end);
    astride__mark_free(&remote->done);
    if (remote->plan != NULL)
        astride__plan_release(remote->plan);
    pthread_mutex_destroy(&remote->lock);
    free(remote);
}

astride_status astride__remote_accepts(const struct astride__remote *remote,
                                       const astride__description *description,
                                       const astride__binding *binding)
{
    astride__binding bound;
    const astride_status status = bind_on_target(remote, description, binding, &bound);
    return status == ASTRIDE_OK ? astride__plan_accepts(remote->plan, &bound) : status;
}

/* All of it at once: this thread waits for both queues. */
static astride_status carry_out(struct astride__remote *remote, const astride__binding *bound)
{
    const astride_status status = astride__plan_execute(remote->plan, remote->queue, bound);
    const astride_status waited = astride__queue_wait(remote->queue);
    return status == ASTRIDE_OK ? waited : status;
}

static astride_status run_and_wait(struct astride__remote *remote, astride_queue *queue,
                                   const astride__binding *bound)
{
    const astride_status status = astride__queue_wait(queue);
    return status == ASTRIDE_OK ? carry_out(remote, bound) : status;
}

static void run_on_thread(astride__relay_run *run, const astride__relay_job *job)
{
    if (!astride__relay_await(run, 0))
        return;
    const astride_status status = carry_out(job->owner, &job->binding);
    if (status == ASTRIDE_OK)
        astride__relay_advance(run);
    else
        astride__relay_fail(run, status);
}

static astride_status run_with_thread(struct astride__remote *remote, astride_queue *queue,
                                      const astride__binding *bound)
{
    const astride__relay_job job = {.role = ASTRIDE__RELAY_WATCHES,
                                    .count = 1,
                                    .depth = 1,
                                    .body = run_on_thread,
                                    .owner = remote,
                                    .plan = remote->plan,
                                    .binding = *bound};
    astride__relay_run *run;
    astride_status status = astride__relay_begin(remote->relay, queue, &job, &run);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__relay_call(run);
    astride__relay_leave(run, status);
    return status;
}

/* What was enqueued on the target before a failure is waited for as well. */
static astride_status run_by_events(struct astride__remote *remote, astride_queue *queue,
                                    const astride__binding *bound)
{
    astride_status status = astride__mark_record(&remote->start, queue);
    if (status == ASTRIDE_OK)
        status = astride__mark_wait(remote->queue, &remote->start);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__plan_execute(remote->plan, remote->queue, bound);
    astride__error_detail detail;
    astride__error_save(&detail);
    astride_status joined = astride__mark_record(&remote->end, remote->queue);
    if (joined == ASTRIDE_OK)
        joined = astride__mark_wait(queue, &remote->end);
    if (joined != ASTRIDE_OK)
        (void)astride__queue_wait(remote->queue);
    if (status == ASTRIDE_OK)
        return joined;
    astride__error_restore(&detail);
    return status;
}

/* Whoever frees the plan waits for what is in the queue now. */
static void note_end(struct astride__remote *remote, astride_queue *queue)
{
    astride__error_detail detail;
    astride__error_save(&detail);
    if (astride__mark_record(&remote->done, queue) != ASTRIDE_OK) {
        astride__log(ASTRIDE_LOG_WARN, "%s: event of a copy on %s: %s", remote->device->spec,
                     remote->target->spec, astride_last_error());
        (void)queue->device->plugin->queue_wait(queue->backend);
    }
    astride__error_restore(&detail);
}

astride_status astride__remote_run(struct astride__remote *remote,
                                   const astride__description *description, astride_queue *queue,
                                   const astride__binding *binding)
{
    astride__binding bound;
    astride_status status = bind_on_target(remote, description, binding, &bound);
    if (status != ASTRIDE_OK)
        return status;
    pthread_mutex_lock(&remote->lock);
    if (remote->linking == ASTRIDE__LINK_EVENTS)
        status = run_by_events(remote, queue, &bound);
    else if (remote->linking == ASTRIDE__LINK_THREAD)
        status = run_with_thread(remote, queue, &bound);
    else
        status = run_and_wait(remote, queue, &bound);
    note_end(remote, queue);
    pthread_mutex_unlock(&remote->lock);
    return status;
}

bool astride__remote_is_idle(struct astride__remote *remote)
{
    const astride_status status = remote->device->plugin->event_query(remote->done.event);
    if (status == ASTRIDE_NOT_READY ||
        (status == ASTRIDE_OK && remote->relay != NULL && !astride__relay_is_idle(remote->relay)))
        return false;
    return remote->target->plugin->queue_query(remote->queue->backend) != ASTRIDE_NOT_READY &&
           astride__plan_is_idle(remote->plan);
}

void astride__remote_wait_idle(struct astride__remote *remote)
{
    const astride_status status = remote->device->plugin->event_wait(remote->done.event);
    if (remote->relay != NULL)
        astride__relay_wait_idle(remote->relay, status != ASTRIDE_OK);
    (void)remote->target->plugin->queue_wait(remote->queue->backend);
    astride__plan_wait_idle(remote->plan);
}
