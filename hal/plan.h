/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The plan object and the steps from a descriptor to one: bind the bases to memory, choose a
 * strategy, and run.
 */
#ifndef ASTRIDE_HAL_PLAN_H
#define ASTRIDE_HAL_PLAN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <astride/copy.h>

#include "hal/method.h"
#include "hal/overlap.h"

struct astride__packer;
struct astride__remote;
struct astride__staged;

/* Both sides bound to memory. */
typedef struct astride__binding {
    astride__side dst, src;
    bool same_allocation;
    bool reaches_intersect; /* the bounding byte ranges do; false: certainly disjoint */
} astride__binding;

struct astride_plan {
    atomic_int references;
    astride_device *device;
    astride__description description;
    astride__situation situation;
    astride_device *dst_owner, *src_owner; /* of sides that its device does not reach; else NULL */
    uintptr_t distance; /* dst - src of the bases for which the relation was found; see `bound` */
    bool bound;         /* made for bases whose reaches intersect: `distance` is meaningful */
    bool forced;        /* the strategy was not chosen by cost */
    astride_strategy strategy;
    astride__method method;         /* its geometry always; the rest unless staged or remote */
    struct astride__staged *staged; /* of strategy `staged`, else NULL */
    struct astride__remote *remote; /* another device carries it out; else NULL */
    struct astride__packer *packer; /* of its device; NULL where it makes no copies by the host */
    /* Does the same without host calls, for a queue that is captured; NULL: not needed, or there is
       no such way. */
    struct astride_plan *captured;
    astride__candidate candidates[ASTRIDE__STRATEGY_COUNT]; /* by strategy */
};

/* Where the sides of a binding are, to the device that it was made for. */
typedef enum astride__placement {
    ASTRIDE__LOCAL,  /* the device reaches both */
    ASTRIDE__REMOTE, /* another one does */
    ASTRIDE__BETWEEN /* none does: from one device to another */
} astride__placement;

/* The other device of ASTRIDE__REMOTE is written to `target_out`. */
astride__placement astride__binding_placement(const astride__binding *binding,
                                              astride_device **target_out);

/* Binds a description that is not empty to its bases. Errors as astride__side_resolve(). */
astride_status astride__bind(astride_device *device, const astride__description *description,
                             const void *dst_base, const void *src_base,
                             astride__binding *binding_out);

/*
 * Whether no two elements of the destination share bytes. Fails with ASTRIDE_OVERLAP, naming the
 * strides of the description, and with ASTRIDE_UNSUPPORTED where bounded effort proves neither.
 */
astride_status astride__check_destination(const astride__description *description,
                                          const astride__geometry *geometry);

/* Memory that the plan holds for staging. */
uint64_t astride__plan_temporary_bytes(const astride_plan *plan);

/* Whether the plan makes host calls on its device, other than to wait for other devices. */
bool astride__plan_calls_host(const astride_plan *plan);

/*
 * Makes a plan for a binding, or, with binding NULL, for disjoint memory of the two kinds.
 * `strategy` forces one. The result has one reference.
 */
astride_status astride__plan_build(astride_device *device, const astride__description *description,
                                   const astride__binding *binding, astride_memory_kind dst_kind,
                                   astride_memory_kind src_kind, astride_strategy strategy,
                                   astride_plan **plan_out);

/* Whether the plan copies rightly between these sides; ASTRIDE_PLAN_MISMATCH says why not. */
astride_status astride__plan_accepts(const astride_plan *plan, const astride__binding *binding);

/* Enqueues the plan's work. The plan accepts the binding. Takes the queue's lock. */
astride_status astride__plan_execute(astride_plan *plan, astride_queue *queue,
                                     const astride__binding *binding);

/* Reference counting. The last release frees; a staged plan must be idle then. */
void astride__plan_retain(astride_plan *plan);
void astride__plan_release(astride_plan *plan);

/* Whether no run is in flight that needs what the plan owns; and waiting until that is so. */
bool astride__plan_is_idle(astride_plan *plan);
void astride__plan_wait_idle(astride_plan *plan);

#endif /* ASTRIDE_HAL_PLAN_H */
