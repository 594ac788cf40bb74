/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copies through dense temporaries, block by block: for sides that no single operation reaches, for
 * many small rows across a bus, for sides that overlap, and for sides on two devices. The legs of a
 * block run in one queue, or in two, where the blocks take turns in a ring of slots between them,
 * so that the first legs of a block overlap the last ones of the block before.
 */
#ifndef ASTRIDE_HAL_STAGED_H
#define ASTRIDE_HAL_STAGED_H

#include <pthread.h>

#include "hal/blocks.h"
#include "hal/method.h"

#define ASTRIDE__TEMPORARIES 3
#define ASTRIDE__LEGS (ASTRIDE__TEMPORARIES + 1)

struct astride__relay;

/* A full block, and the shorter one at the end of the blocked dimension. */
enum astride__block_shape { ASTRIDE__FULL_BLOCK, ASTRIDE__TAIL_BLOCK, ASTRIDE__BLOCK_SHAPES };

/* A dense temporary: memory of one device. */
typedef struct astride__temporary {
    astride_device *device;
    astride_memory_kind kind;
    astride__ring ring; /* one slot but for the temporary between the lanes */
    void *address;      /* NULL before it is allocated */
    void *allocation;
} astride__temporary;

/* How the lanes wait for each other, and for what is in the user's queue. */
typedef enum astride__linking {
    ASTRIDE__LINK_ORDER,  /* one lane, in the user's queue */
    ASTRIDE__LINK_EVENTS, /* by events that the other lane's device understands */
    ASTRIDE__LINK_THREAD, /* a thread waits for one and lets the other go on by a host call */
    ASTRIDE__LINK_WAIT    /* the calling thread waits */
} astride__linking;

/* Legs that run in one queue. */
typedef struct astride__lane {
    astride_device *device;
    astride_queue *queue; /* the plan's own, or NULL: the queue of the run */
    int32_t first, end;   /* its legs are first, ..., end - 1 */
} astride__lane;

/* An event of a device. */
typedef struct astride__mark {
    astride_device *device;
    astride_backend_event *event; /* NULL before it is made */
} astride__mark;

/* Makes and frees one (none is a no-op); puts it behind what is in a queue of its device; lets a
   queue wait for it. */
astride_status astride__mark_make(astride__mark *mark, astride_device *device);
void astride__mark_free(astride__mark *mark);
astride_status astride__mark_record(const astride__mark *mark, const astride_queue *queue);
astride_status astride__mark_wait(const astride_queue *queue, const astride__mark *mark);

typedef struct astride__staged {
    astride_device *device; /* of the queues that it runs in */
    astride__situation situation;
    astride__blocks blocks;
    /* The temporaries are dense in the order of the source's strides, not of the destination's, so
       that the last leg is the one that reorders. */
    bool by_source;
    int32_t temporary_count;
    astride__temporary temporaries[ASTRIDE__TEMPORARIES];
    astride__method legs[ASTRIDE__BLOCK_SHAPES][ASTRIDE__LEGS];
    int32_t depth; /* slots that are wished for between two lanes */

    astride__linking linking;
    int32_t lane_count; /* 1 or 2 */
    astride__lane lanes[2];
    astride__mark *filled, *freed; /* by slot: the first lane has filled, the second emptied it */
    astride__mark start, end;      /* of a run: in the user's queue, and in the second lane */
    struct astride__relay *relay;  /* of ASTRIDE__LINK_THREAD */

    pthread_mutex_t lock;        /* one run at a time enqueues its blocks */
    astride__mark done;          /* of the latest run; not made before prepare */
    const astride_queue *latest; /* queue of that run; compared, never dereferenced */
} astride__staged;

/*
 * Designs a staged copy of a normalised geometry. Allocates nothing on a device, so that staging
 * can be judged beside the other strategies. Returns NULL with an obstacle in the candidate, or,
 * when host memory is exhausted, with ASTRIDE__TEMPORARY_MEMORY.
 */
astride__staged *astride__staged_design(const astride__situation *situation,
                                        const astride__geometry *geometry,
                                        astride__candidate *candidate_out);

/*
 * How a queue of `device` and work of the devices `first` and `second` wait for each other; one of
 * these may be the queue's own.
 */
astride__linking astride__linking_between(const astride_device *device, const astride_device *first,
                                          const astride_device *second);

/* Makes what a design needs to run: temporaries, queues and events. */
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
/* The method of leg `leg` of a full block, the device that carries it out, and the memory it leads
   to, as that device sees it. */
const astride__method *astride__staged_leg(const astride__staged *staged, int32_t leg,
                                           astride_memory_kind *to_out);
astride_device *astride__staged_leg_device(const astride__staged *staged, int32_t leg);
/* What kind of memory a leg reads from and writes to, to the device that carries it out. */
void astride__staged_leg_kinds(const astride__staged *staged, int32_t leg,
                               astride_memory_kind *dst_out, astride_memory_kind *src_out);
/* The temporary between the lanes; NULL where there is one lane. */
const astride__temporary *astride__staged_ring(const astride__staged *staged);
/* Whether the copy leads from one device to another. */
bool astride__staged_is_routed(const astride__staged *staged);

#endif /* ASTRIDE_HAL_STAGED_H */
