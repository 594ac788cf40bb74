/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A method: how one normalised copy is carried out without a temporary. A plan consists of one, or,
 * when it is staged, of one per leg.
 */
#ifndef ASTRIDE_HAL_METHOD_H
#define ASTRIDE_HAL_METHOD_H

#include <stdbool.h>
#include <stdint.h>

#include <astride/copy.h>

#include "hal/normalise.h"
#include "hal/queue.h"
#include "hal/side.h"

/* Which dimensions of a geometry an operation takes natively, and which the core loops over. */
typedef struct astride__split {
    int32_t inner_count;                /* taken natively, outermost first */
    int32_t loop_count;                 /* looped over, outermost first */
    int32_t inner[ASTRIDE_KERNEL_RANK]; /* indices of dimensions */
    int32_t loop[ASTRIDE_MAX_RANK];     /* indices of dimensions */
    uint64_t calls;                     /* product of the looped extents */
} astride__split;

typedef struct astride__method {
    astride_strategy strategy; /* linear, rect, rect-loop, kernel or host */
    astride_direction direction;
    astride__geometry geometry;
    astride__split split;
} astride__method;

/* What a method works between, and what the choice among methods depends on. */
typedef struct astride__situation {
    astride_device *device;
    astride_memory_kind dst_kind, src_kind;
    /* Both NULL, or both sides are memory of two devices that do not reach each other's. */
    astride_device *dst_owner, *src_owner;
    bool dst_peer, src_peer; /* memory of another device of the backend */
    bool same_allocation;    /* both sides are in one allocation */
    bool overlapping;        /* the sides share bytes, or that could not be excluded */
    bool captured;           /* no host calls: a graph would make them at each launch */
} astride__situation;

/* Why a strategy is out of the question. */
typedef enum astride__obstacle {
    ASTRIDE__POSSIBLE = 0,
    ASTRIDE__TWO_DEVICES,
    ASTRIDE__NOT_CONTIGUOUS,
    ASTRIDE__OVERLAP_NEEDS_TEMPORARY,
    ASTRIDE__NO_NATIVE_COPY,
    ASTRIDE__RECT_RANK,
    ASTRIDE__RECT_PITCH,
    ASTRIDE__RECT_ONE_ALLOCATION,
    ASTRIDE__RECT_REFUSED,
    ASTRIDE__NOTHING_TO_LOOP,
    ASTRIDE__NO_KERNELS,
    ASTRIDE__KERNEL_REACH,
    ASTRIDE__HOST_REACH,
    ASTRIDE__HOST_CAPTURED,
    ASTRIDE__TEMPORARY_MEMORY
} astride__obstacle;

/* An obstacle in words that complete "cannot carry out this copy: ...". Never NULL. */
const char *astride__obstacle_text(astride__obstacle obstacle);

/* One strategy's verdict. */
typedef struct astride__candidate {
    astride__obstacle obstacle;
    double cost_ns; /* meaningful when possible */
    uint64_t calls;
} astride__candidate;

/* Number of strategies, ASTRIDE_STRATEGY_AUTO included: the size of a table by strategy. */
#define ASTRIDE__STRATEGY_COUNT (ASTRIDE_STRATEGY_HOST + 1)

/* The possible strategy of least cost in a table by strategy; ASTRIDE_STRATEGY_AUTO when none is.
 */
astride_strategy astride__cheapest(const astride__candidate *candidates);

/*
 * Judges the strategy and fills the method's split. Strategies: linear, rect, rect-loop, kernel,
 * host. method->geometry is set by the caller.
 */
astride__candidate astride__method_judge(const astride__situation *situation,
                                         astride_strategy strategy, astride__method *method);

/*
 * Chooses the cheapest possible method for a geometry; false when none is possible. Fills
 * everything of the method but its geometry.
 */
bool astride__method_choose(const astride__situation *situation, astride__method *method,
                            astride__candidate *candidate_out);

/*
 * Enqueues a method. The queue's lock is held. `plan` owns the method and is kept alive by work
 * that still needs it.
 */
astride_status astride__method_run(const astride__method *method, astride_plan *plan,
                                   astride_queue *queue, const astride__side *dst,
                                   const astride__side *src);

/* Sizes and pitches of the rectangle at the natively taken dimensions (at most 2) of a split. */
void astride__rect_fill(const astride__geometry *geometry, const astride__split *split,
                        astride_rect *rect_out);

/* Copies unit by unit on the calling thread; what `host` does in the queue's order. */
void astride__copy_elements(const astride__geometry *geometry, void *dst, const void *src);

#endif /* ASTRIDE_HAL_METHOD_H */
