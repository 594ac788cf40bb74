/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A small thread-safe cache of plans, one per device, so that repeating a copy plans nothing.
 */
#ifndef ASTRIDE_HAL_PLAN_CACHE_H
#define ASTRIDE_HAL_PLAN_CACHE_H

#include "hal/plan.h"

typedef struct astride__plan_cache astride__plan_cache;

/* Returns NULL when memory is exhausted. */
astride__plan_cache *astride__plan_cache_create(void);

/* Waits for the plans in it and frees them. NULL is a no-op. Called before the backend's device is
   closed, when no other thread uses the device. */
void astride__plan_cache_destroy(astride__plan_cache *cache);

/*
 * Waits for the plans in it that involve memory of another device, which is about to be closed, and
 * frees them. Nobody runs copies that involve that device.
 */
void astride__plan_cache_forget(astride__plan_cache *cache, const astride_device *other);

/*
 * Returns a reference to the plan of this copy, made now where it is not in the cache. Errors as
 * astride__plan_build(). astride__plan_release() gives the reference back at once, also while the
 * plan runs: one that owns a temporary is kept here until it is idle.
 */
astride_status astride__plan_cache_get(astride__plan_cache *cache, astride_device *device,
                                       const astride__description *description,
                                       const astride__binding *binding, astride_plan **plan_out);

#endif /* ASTRIDE_HAL_PLAN_CACHE_H */
