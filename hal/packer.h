/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copies that the host does in the order of a device's queue, by the code of the built-in backend:
 * packing and unpacking for staging, and the strategy `host`.
 */
#ifndef ASTRIDE_HAL_PACKER_H
#define ASTRIDE_HAL_PACKER_H

#include "hal/plan.h"

typedef struct astride__packer astride__packer;

/* The device's packer, made when it is first asked for; it lives until the device is closed. */
astride_status astride__packer_of(astride_device *device, astride__packer **packer_out);

/* Nothing of it is in a queue any more. NULL is a no-op. */
void astride__packer_destroy(astride__packer *packer);

/*
 * Enqueues a copy between the addresses of the units [0, ..., 0]. The geometry stays alive until it
 * is done; where a plan is given, because the plan is kept. The queue's lock is held.
 */
astride_status astride__packer_enqueue(astride__packer *packer, astride_queue *queue,
                                       astride_plan *plan, const astride__geometry *geometry,
                                       void *dst, const void *src);

#endif /* ASTRIDE_HAL_PACKER_H */
