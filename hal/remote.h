/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copies that another device than that of the queue carries out, because it alone reaches both
 * sides: the queue waits for that device and is waited for.
 */
#ifndef ASTRIDE_HAL_REMOTE_H
#define ASTRIDE_HAL_REMOTE_H

#include "hal/plan.h"
#include "hal/staged.h"

struct astride__remote {
    astride_device *device; /* of the queues that it runs in */
    astride_device *target; /* that carries it out */
    astride_plan *plan;     /* of the target */
    astride_queue *queue;   /* of the target */
    astride__linking linking;
    astride__mark start, end;     /* of ASTRIDE__LINK_EVENTS: in the user's queue, and in `queue` */
    astride__mark done;           /* of the latest run: in the user's queue */
    struct astride__relay *relay; /* of ASTRIDE__LINK_THREAD */
    pthread_mutex_t lock;         /* one run at a time is enqueued */
};

/* Makes one for both sides of a binding of `device`. `strategy` forces one of the target's. */
astride_status astride__remote_create(astride_device *device, astride_device *target,
                                      const astride__description *description,
                                      const astride__binding *binding, astride_strategy strategy,
                                      struct astride__remote **remote_out);

/* Frees one that is idle. NULL is a no-op. */
void astride__remote_destroy(struct astride__remote *remote);

/* As astride__plan_accepts(), of the target's plan; the binding is the queue's device's. */
astride_status astride__remote_accepts(const struct astride__remote *remote,
                                       const astride__description *description,
                                       const astride__binding *binding);

/* Enqueues a copy. The queue's lock is held. */
astride_status astride__remote_run(struct astride__remote *remote,
                                   const astride__description *description, astride_queue *queue,
                                   const astride__binding *binding);

bool astride__remote_is_idle(struct astride__remote *remote);
void astride__remote_wait_idle(struct astride__remote *remote);

#endif /* ASTRIDE_HAL_REMOTE_H */
