/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copies through a dense temporary, block by block: for sides that no single operation reaches, for
 * many small rows across a bus, and for sides that overlap.
 */
#ifndef ASTRIDE_HAL_STAGED_H
#define ASTRIDE_HAL_STAGED_H

#include "hal/method.h"

typedef struct astride__staged astride__staged;

/*
 * Designs a staged copy of a normalised geometry. Allocates nothing on the device, so that staging
 * can be judged beside the other strategies. Returns NULL with an obstacle in the candidate, or,
 * when host memory is exhausted, with ASTRIDE__TEMPORARY_MEMORY.
 */
astride__staged *astride__staged_design(const astride__situation *situation,
                                        const astride__geometry *geometry,
                                        astride__candidate *candidate_out);

/* Allocates the temporaries of a design. */
astride_status astride__staged_prepare(astride__staged *staged);

/* Enqueues all blocks. The queue's lock is held. */
astride_status astride__staged_run(astride__staged *staged, astride_plan *plan,
                                   astride_queue *queue, const astride__side *dst,
                                   const astride__side *src);

/* Frees a design or a prepared copy that is idle. NULL is a no-op. */
void astride__staged_destroy(astride__staged *staged);

bool astride__staged_is_idle(astride__staged *staged);
void astride__staged_wait_idle(astride__staged *staged);

/* For descriptions. */
uint64_t astride__staged_temporary_bytes(const astride__staged *staged);
uint64_t astride__staged_block_count(const astride__staged *staged);
int32_t astride__staged_leg_count(const astride__staged *staged);
/* The method of leg `leg` of a full block, and the memory it leads to. */
const astride__method *astride__staged_leg(const astride__staged *staged, int32_t leg,
                                           astride_memory_kind *to_out);

#endif /* ASTRIDE_HAL_STAGED_H */
