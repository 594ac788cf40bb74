/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copies that another device carries out: a plan of that device, run in a queue of its own.
 */
#include "hal/remote.h"

#include <stdlib.h>

#include "hal/device.h"
#include "hal/error.h"

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
    remote->linking = ASTRIDE__LINK_WAIT;
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
    astride_queue_destroy(remote->queue);
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

astride_status astride__remote_run(struct astride__remote *remote,
                                   const astride__description *description, astride_queue *queue,
                                   const astride__binding *binding)
{
    astride__binding bound;
    astride_status status = bind_on_target(remote, description, binding, &bound);
    if (status != ASTRIDE_OK)
        return status;
    pthread_mutex_lock(&remote->lock);
    status = astride_queue_wait(queue);
    if (status == ASTRIDE_OK)
        status = astride__plan_execute(remote->plan, remote->queue, &bound);
    const astride_status waited = astride_queue_wait(remote->queue);
    pthread_mutex_unlock(&remote->lock);
    return status == ASTRIDE_OK ? waited : status;
}

bool astride__remote_is_idle(struct astride__remote *remote)
{
    return remote->target->plugin->queue_query(remote->queue->backend) != ASTRIDE_NOT_READY &&
           astride__plan_is_idle(remote->plan);
}

void astride__remote_wait_idle(struct astride__remote *remote)
{
    (void)remote->target->plugin->queue_wait(remote->queue->backend);
    astride__plan_wait_idle(remote->plan);
}
