/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * @file copy.h
 * Strided copies and fills: descriptors, the calls that enqueue them, and plans that can be looked
 * at and run again with other addresses.
 *
 * Words. An *extent* is a number of elements along a dimension; dimension 0 is the outermost. A
 * *stride* is the distance in bytes between neighbours along a dimension; it may be negative, and
 * on the source 0 (the element is read again). A *region* is a base address with one stride per
 * dimension. Element [i0, ..., ik] of a region is at base + i0 * stride[0] + ... + ik * stride[k].
 *
 * Semantics of every copy: the result is as if all of the source had been read before the first
 * byte of the destination was written. Regions may interleave or overlap; where they truly overlap
 * the copy goes through a temporary.
 *
 * Memory. Each side may be memory of any open device of any backend, or host memory; host memory
 * that the library does not know is taken for pageable. What the queue's device does not reach is
 * copied by the device that reaches both sides, or from one device to the other: natively between
 * peers, else packed through pinned host memory, in chunks that both work on at once. For the
 * caller it is one piece of work in the queue given, whichever queues carry it out.
 *
 * Staging (see astride_strategy) is done in chunks of ASTRIDE_STAGING_BYTES bytes (64 to
 * 1073741824), of which ASTRIDE_STAGING_DEPTH (1 to 64) are under way at once; where these
 * variables of the environment are unset or empty, the device decides.
 */
#ifndef ASTRIDE_COPY_H
#define ASTRIDE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <astride/device.h>
#include <astride/export.h>
#include <astride/memory.h>
#include <astride/queue.h>
#include <astride/status.h>

ASTRIDE_BEGIN_DECLS

/** Largest rank of a descriptor. */
#define ASTRIDE_MAX_RANK 64

/** One side of a copy. */
typedef struct astride_region {
    void *base;             /**< address of the element at index [0, ..., 0], host or device */
    const int64_t *strides; /**< rank byte strides, outermost first; NULL: dense row-major */
} astride_region;

/** What to copy. The arrays are read during the call only. */
typedef struct astride_copy_desc {
    size_t struct_size;     /**< sizeof(astride_copy_desc) */
    int32_t rank;           /**< 0 (one element) to ASTRIDE_MAX_RANK */
    uint32_t flags;         /**< 0 */
    size_t element_bytes;   /**< size of an element, at least 1 */
    const int64_t *extents; /**< rank extents, each at least 0; may be NULL when rank is 0 */
    astride_region dst;     /**< where to; no two of its elements may share a byte */
    astride_region src;     /**< where from; it is only read */
} astride_copy_desc;

/**
 * Enqueues a copy.
 *
 * The queue is of the device of either side, of the host, or of any other device: one that is
 * neither side's is only waited for. An extent of 0 makes the call succeed without work, whatever
 * the bases.
 *
 * @retval ASTRIDE_INVALID_ARGUMENT a pointer is NULL; struct_size, rank, flags, element_bytes or an
 *         extent is out of its range
 * @retval ASTRIDE_OVERFLOW sizes or offsets exceed 63 bits, or a region wraps around address 0
 * @retval ASTRIDE_OVERLAP two elements of the destination share bytes
 * @retval ASTRIDE_OUT_OF_BOUNDS a region leaves the known allocation in which its base is
 * @retval ASTRIDE_UNSUPPORTED the strategy forced by ASTRIDE_STRATEGY cannot carry out this copy
 *         (between devices that do not reach each other's memory, `staged` alone can), or a
 *         pathological layout could not be proved free of overlap within bounded effort
 * @retval ASTRIDE_OUT_OF_MEMORY no memory for the plan or its temporary
 * @retval ASTRIDE_DRIVER_ERROR, ASTRIDE_DEVICE_LOST a driver refused. What fails later, on any of
 *         the devices that take part, is returned by astride_queue_wait() or astride_queue_query()
 *
 * All are found before any byte moves, except the last line. Any thread may call. Both regions must
 * stay alive and the source unchanged until the copy is complete. The plan is kept in a small cache
 * of the device, so that repeating a copy plans nothing.
 */
ASTRIDE_API astride_status astride_copy(astride_queue *queue, const astride_copy_desc *desc);

/**
 * Enqueues several copies, as if by one astride_copy() each in order.
 *
 * @param descs,count the descriptors; descs may be NULL when count is 0
 * @retval other as astride_copy(); the detail names the number of the descriptor. Every descriptor
 * is checked before the first copy is enqueued.
 */
ASTRIDE_API astride_status astride_copy_batch(astride_queue *queue, const astride_copy_desc *descs,
                                              size_t count);

/** What to fill. The arrays and the pattern are read during the call only. */
typedef struct astride_fill_desc {
    size_t struct_size;     /**< sizeof(astride_fill_desc) */
    int32_t rank;           /**< 0 (one element) to ASTRIDE_MAX_RANK */
    uint32_t flags;         /**< 0 */
    size_t element_bytes;   /**< size of an element and of the pattern: 1, 2, 4, 8 or 16 */
    const int64_t *extents; /**< rank extents, each at least 0; may be NULL when rank is 0 */
    astride_region dst;     /**< no two of its elements may share a byte */
    const void *pattern;    /**< element_bytes bytes in host memory */
} astride_fill_desc;

/**
 * Enqueues writing one value to every element of a region.
 *
 * @retval ASTRIDE_UNSUPPORTED also when the region is memory that the queue's device does not reach
 * @retval other as astride_copy(); ASTRIDE_INVALID_ARGUMENT also when element_bytes is none of 1,
 * 2, 4, 8 and 16 or pattern is NULL
 */
ASTRIDE_API astride_status astride_fill(astride_queue *queue, const astride_fill_desc *desc);

/**
 * Every strategy: enumerator, value, name (as in ASTRIDE_STRATEGY and in descriptions), meaning.
 */
#define ASTRIDE_STRATEGY_LIST(X)                                                                   \
    X(ASTRIDE_STRATEGY_AUTO, 0, "auto", "the cheapest by the device's cost model")                 \
    X(ASTRIDE_STRATEGY_LINEAR, 1, "linear", "one contiguous copy")                                 \
    X(ASTRIDE_STRATEGY_RECT, 2, "rect", "one native rectangle")                                    \
    X(ASTRIDE_STRATEGY_RECT_LOOP, 3, "rect-loop", "a loop of native rectangles")                   \
    X(ASTRIDE_STRATEGY_KERNEL, 4, "kernel", "a packing kernel of the device")                      \
    X(ASTRIDE_STRATEGY_STAGED, 5, "staged", "through a dense temporary, in chunks")                \
    X(ASTRIDE_STRATEGY_HOST, 6, "host", "element by element on the host")

/** How a copy is carried out. */
typedef enum astride_strategy {
#define ASTRIDE_STRATEGY_ENUMERATOR(name, value, word, text) name = value,
    ASTRIDE_STRATEGY_LIST(ASTRIDE_STRATEGY_ENUMERATOR)
#undef ASTRIDE_STRATEGY_ENUMERATOR
} astride_strategy;

/** The strategy's word, such as "rect-loop"; "unknown" for a value that is none. Never NULL. */
ASTRIDE_API const char *astride_strategy_name(astride_strategy strategy);

/**
 * A copy that is ready to run. Any thread may run it, on any queue of its device. Where others than
 * that take part, it holds queues and memory of those, too.
 */
typedef struct astride_plan astride_plan;

/** The bases of the descriptor are ignored: plan for disjoint memory of the kinds given. */
#define ASTRIDE_PLAN_UNBOUND 1u

/** Wishes for a plan. */
typedef struct astride_plan_options {
    size_t struct_size;           /**< sizeof(astride_plan_options) */
    uint32_t flags;               /**< 0 or ASTRIDE_PLAN_UNBOUND */
    astride_strategy strategy;    /**< forced strategy, or ASTRIDE_STRATEGY_AUTO */
    astride_memory_kind dst_kind; /**< read with ASTRIDE_PLAN_UNBOUND only */
    astride_memory_kind src_kind; /**< read with ASTRIDE_PLAN_UNBOUND only */
} astride_plan_options;

/**
 * Plans a copy. The plan keeps copies of extents and strides, the kind of memory of each side, the
 * devices that the sides are on and how they overlap, but not the bases.
 *
 * @param[out] plan_out written on success only; freed by astride_plan_destroy() before its device
 * is closed, and before a device is closed whose memory a side was
 * @retval other as astride_copy(). ASTRIDE_STRATEGY of the environment forces the strategy; one
 * that cannot carry out the copy is an error, never another strategy in its place.
 */
ASTRIDE_API astride_status astride_plan_create(astride_device *device,
                                               const astride_copy_desc *desc,
                                               astride_plan **plan_out);

/**
 * As astride_plan_create(), with options.
 *
 * @param options NULL: none
 * @retval ASTRIDE_INVALID_ARGUMENT also when an option is out of its range
 */
ASTRIDE_API astride_status astride_plan_create_with(astride_device *device,
                                                    const astride_copy_desc *desc,
                                                    const astride_plan_options *options,
                                                    astride_plan **plan_out);

/**
 * Runs a plan. Allocates nothing and does not synchronise, unless astride_plan_info::blocks says
 * so; so it is legal while a graph is captured.
 *
 * @param queue a queue of the plan's device
 * @param dst_base,src_base addresses of the elements [0, ..., 0], as in the descriptor
 * @retval ASTRIDE_INVALID_ARGUMENT a pointer is NULL, or queue is of another device
 * @retval ASTRIDE_PLAN_MISMATCH the memory is of another kind or on another device than planned
 * for, or the sides overlap in a way that the plan cannot copy rightly
 * @retval ASTRIDE_OUT_OF_BOUNDS, ASTRIDE_OVERFLOW as in astride_copy()
 * @retval ASTRIDE_DRIVER_ERROR, ASTRIDE_DEVICE_LOST the driver refused
 *
 * A plan with a temporary (strategy `staged`) runs once at a time: a run on a second queue waits on
 * the device for the first.
 */
ASTRIDE_API astride_status astride_plan_run(const astride_plan *plan, astride_queue *queue,
                                            void *dst_base, const void *src_base);

/** Frees a plan; runs that are still in flight complete first. NULL is a no-op. */
ASTRIDE_API void astride_plan_destroy(astride_plan *plan);

/** What a plan came to. */
typedef struct astride_plan_info {
    size_t struct_size;        /**< in: sizeof(astride_plan_info) */
    astride_strategy strategy; /**< never ASTRIDE_STRATEGY_AUTO */
    int32_t rank;              /**< dimensions that are left after normalisation */
    uint64_t unit_bytes;       /**< contiguous bytes at each index of those dimensions */
    uint64_t bytes;            /**< bytes copied */
    uint64_t call_count;       /**< backend calls per run */
    uint64_t temporary_bytes;  /**< memory that the plan holds for staging, of all devices */
    bool blocks;               /**< a run returns only when the copy is done */
    bool overlapping;          /**< the sides share bytes, or that could not be excluded */
    double estimated_ns;       /**< by the device's cost model */
} astride_plan_info;

/**
 * Figures of a plan.
 *
 * @param[in,out] info_out struct_size set by the caller; the rest written on success only
 * @retval ASTRIDE_INVALID_ARGUMENT a pointer is NULL or struct_size is too small
 */
ASTRIDE_API astride_status astride_plan_get_info(const astride_plan *plan,
                                                 astride_plan_info *info_out);

/** How to describe a plan. */
typedef enum astride_plan_format {
    ASTRIDE_PLAN_TEXT = 0, /**< a few lines of words, the first one a summary */
    ASTRIDE_PLAN_JSON = 1  /**< one JSON object on one line */
} astride_plan_format;

/**
 * Describes a plan: the normalised copy, the strategy, why it was chosen and why each other one was
 * not.
 *
 * @param text,text_bytes where to; always terminated when text_bytes > 0; may be NULL, 0
 * @param[out] needed_out bytes of the whole description with its terminator; may be NULL
 * @retval ASTRIDE_INVALID_ARGUMENT plan is NULL, text is NULL with text_bytes > 0, or format is
 * none
 */
ASTRIDE_API astride_status astride_plan_describe(const astride_plan *plan,
                                                 astride_plan_format format, char *text,
                                                 size_t text_bytes, size_t *needed_out);

ASTRIDE_END_DECLS

#endif /* ASTRIDE_COPY_H */
