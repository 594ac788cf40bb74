/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * @file plugin.h
 * The backend contract: all that a third party needs to drive another vendor's API. Programs that
 * only copy do not include it.
 *
 * ## Writing a backend
 *
 * A backend is a shared object `astride-NAME.so` that exports one constant:
 *
 *     #include <astride/plugin.h>
 *
 *     ASTRIDE_PLUGIN_EXPORT const astride_plugin astride_plugin_entry = {
 *         .abi = ASTRIDE_PLUGIN_ABI,
 *         .struct_size = sizeof(astride_plugin),
 *         .name = "mine",
 *         .description = "my accelerator",
 *         .priority = 50,
 *         .initialize = mine_initialize,
 *         .probe = mine_probe,
 *         .device_open = mine_device_open,
 *         ...
 *     };
 *
 * Compile it with `-shared -fPIC`, put its folder on ASTRIDE_PLUGIN_PATH, and `astride devices`
 * lists it. Slots that are left out count as "unsupported", except the required ones (marked so
 * below), without which the plugin is refused by name of the slot.
 *
 * The order of calls: `initialize` once, when the file is loaded; `probe` once, when backends are
 * first listed; then devices are opened, `properties` is read once per device, and the other slots
 * are called from any thread, several at once. For one queue the core never calls two enqueueing
 * slots at once; queue_wait and queue_query may run beside them. While it calls a slot the core
 * holds no lock but that queue's.
 *
 * The core does all that is common: it validates and normalises descriptors, checks bounds, finds
 * overlap, keeps the map of allocations, chooses the strategy, loops around rectangles and stages
 * through temporaries. A backend sees only operations that it said it can do, on regions that are
 * in bounds and do not overlap. It must never rely on its driver to reject a wrong rectangle.
 *
 * Errors: call services->fail() with the driver call and its code by name, and return its result.
 * Outputs are written on success only.
 */
#ifndef ASTRIDE_PLUGIN_H
#define ASTRIDE_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <astride/device.h>
#include <astride/export.h>
#include <astride/memory.h>
#include <astride/status.h>

ASTRIDE_BEGIN_DECLS

/** Version of this contract. A plugin with another one is refused. */
#define ASTRIDE_PLUGIN_ABI 1u
/** Name of the one exported symbol. */
#define ASTRIDE_PLUGIN_SYMBOL "astride_plugin_entry"
/** Marks the exported symbol. */
#define ASTRIDE_PLUGIN_EXPORT ASTRIDE_API
/** Largest rank that a kernel slot is given; the core loops over further dimensions. */
#define ASTRIDE_KERNEL_RANK 8

/** Largest number of staging chunks under way at once. */
#define ASTRIDE_STAGING_DEPTH_MAXIMUM 64

/** An open device. The plugin defines these structures, the core only passes pointers to them. */
typedef struct astride_backend_device astride_backend_device;
/** A queue of a device. */
typedef struct astride_backend_queue astride_backend_queue;
/** A point in the work of a queue. */
typedef struct astride_backend_event astride_backend_event;
/** A module of device code. */
typedef struct astride_backend_module astride_backend_module;
/** A function in a module. */
typedef struct astride_backend_function astride_backend_function;

/** Severity of a log message. */
typedef enum astride_log_level {
    ASTRIDE_LOG_ERROR = 1,
    ASTRIDE_LOG_WARN = 2,
    ASTRIDE_LOG_INFO = 3,
    ASTRIDE_LOG_DEBUG = 4
} astride_log_level;

/** What the core offers to a plugin. Valid for the life of the process. */
typedef struct astride_services {
    size_t struct_size; /**< of the core's version; a later member is there if it is large enough */
    /** Records the exact cause of a failure in this thread and returns `status`. Does not allocate.
     */
    astride_status (*fail)(astride_status status, const char *format, ...) ASTRIDE_PRINTF(2, 3);
    /** Writes a line to the log, if ASTRIDE_LOG asks for that level. */
    void (*log)(astride_log_level level, const char *format, ...) ASTRIDE_PRINTF(2, 3);
    /** Whether ASTRIDE_TRACE asks for a trace. It stops when the process ends or forks. */
    bool (*trace_enabled)(void);
    /** The clock of traces: nanoseconds of CLOCK_MONOTONIC. */
    uint64_t (*trace_now)(void);
    /** A new track with a name, for the work of one queue. */
    uint32_t (*trace_track)(const char *name);
    /** Adds a span to a track, or to this thread's where `track` is 0; from any thread. */
    void (*trace_span)(uint32_t track, const char *name, uint64_t begin_ns, uint64_t end_ns);
    /** sizeof(astride_backend_properties) of the core's version: a plugin that may meet an older
        core writes a later member only where this is there and the member lies within it. */
    size_t properties_bytes;
} astride_services;

/**
 * What a device's operations cost, for the choice of a strategy. Measured or estimated by the
 * backend; only ratios matter. Times in nanoseconds, bandwidths in bytes per nanosecond (GB/s),
 * both greater than 0.
 */
typedef struct astride_cost_model {
    double linear_call_ns;                        /**< fixed cost of copy_linear */
    double rect_call_ns;                          /**< fixed cost of copy_rect */
    double kernel_call_ns;                        /**< fixed cost of copy_kernel */
    double rect_row_ns[ASTRIDE_DIRECTION_COUNT];  /**< further cost of each row of a rectangle */
    double kernel_unit_ns;                        /**< further cost of each unit of a kernel */
    double bytes_per_ns[ASTRIDE_DIRECTION_COUNT]; /**< bandwidth of native copies */
    double kernel_bytes_per_ns;                   /**< bandwidth of kernels */
    double host_call_ns;                          /**< fixed cost of host_call */
} astride_cost_model;

/** What `properties` tells about a device. */
typedef struct astride_backend_properties {
    astride_capabilities capabilities; /**< struct_size is set by the core */
    astride_cost_model cost;           /**< every member set by the backend */
    bool pageable_copies_block; /**< calls that touch pageable host memory return when done */
    bool linear_overlap;        /**< copy_linear is right for overlapping sides */
    bool foreign_addresses;     /**< `memory_query` knows addresses of other allocators */
    size_t staging_chunk_bytes; /**< good size of a staging chunk; 0: the core's default */

    /* What follows came later: a plugin that may meet an older core asks ASTRIDE_HAS_PROPERTY
       before it writes it. */

    /** Good number of staging chunks under way at once; 1: there is nothing to gain by more than
        one, since the host's processors do all the work; 0: the core's default. */
    int32_t staging_depth;
    bool pinned_for_all;      /**< what it pins is pinned for every device of the backend, too */
    bool events_for_all;      /**< queue_wait_event takes events of other devices of the backend */
    bool host_calls_may_wait; /**< a function of host_call may wait for work of other queues of the
                                   backend: each queue has a thread of its own for its calls */
} astride_backend_properties;

/**
 * Whether the core whose services these are knows a member of astride_backend_properties that came
 * later.
 */
#define ASTRIDE_HAS_PROPERTY(services, member)                                                     \
    ((services)->struct_size >=                                                                    \
         offsetof(astride_services, properties_bytes) + sizeof((services)->properties_bytes) &&    \
     (services)->properties_bytes >= offsetof(astride_backend_properties, member) +                \
                                         sizeof(((astride_backend_properties *)0)->member))

/** One side of an operation. */
typedef struct astride_operand {
    void *address;            /**< first byte of the unit at index [0, ..., 0] */
    astride_memory_kind kind; /**< as seen from the queue's device */
    /** The backend's cookie of the allocation; NULL: not its own memory. With
        capabilities.peer_access, copy_linear and copy_rect also get those of other devices. */
    void *allocation;
    size_t offset_bytes; /**< of `address` in that allocation */
} astride_operand;

/**
 * A rectangle: slices of rows of contiguous bytes. All pitches are explicit, positive and hold
 * row_bytes <= row pitch, rows * row pitch <= slice pitch (for rows, slices of 1 the pitch is set
 * to the tightest legal value).
 */
typedef struct astride_rect {
    astride_operand dst;    /**< where the rectangle goes */
    astride_operand src;    /**< where it comes from */
    size_t row_bytes;       /**< at least 1 */
    size_t rows;            /**< at least 1 */
    size_t slices;          /**< at least 1 */
    size_t dst_row_pitch;   /**< bytes from row to row of the destination */
    size_t dst_slice_pitch; /**< bytes from slice to slice of the destination */
    size_t src_row_pitch;   /**< bytes from row to row of the source */
    size_t src_slice_pitch; /**< bytes from slice to slice of the source */
} astride_rect;

/**
 * A normalised strided copy: units of contiguous bytes at each index of `rank` dimensions,
 * outermost first. Destination strides are positive and descending; source strides may be negative
 * or 0.
 */
typedef struct astride_strided {
    astride_operand dst;                      /**< where the units go */
    astride_operand src;                      /**< where they come from */
    size_t unit_bytes;                        /**< at least 1, any number */
    int32_t rank;                             /**< 0 to ASTRIDE_KERNEL_RANK */
    int64_t extents[ASTRIDE_KERNEL_RANK];     /**< each at least 2 */
    int64_t dst_strides[ASTRIDE_KERNEL_RANK]; /**< bytes */
    int64_t src_strides[ASTRIDE_KERNEL_RANK]; /**< bytes */
} astride_strided;

/** A normalised strided fill. */
typedef struct astride_strided_fill {
    astride_operand dst;                  /**< what is filled */
    uint8_t pattern[16];                  /**< the first pattern_bytes count */
    size_t pattern_bytes;                 /**< 1, 2, 4, 8 or 16 */
    int32_t rank;                         /**< 0 to ASTRIDE_KERNEL_RANK */
    int64_t extents[ASTRIDE_KERNEL_RANK]; /**< each at least 2 */
    int64_t strides[ASTRIDE_KERNEL_RANK]; /**< bytes, positive; may equal pattern_bytes */
} astride_strided_fill;

/** The contract. Constant, alive as long as the file is loaded. */
typedef struct astride_plugin {
    uint32_t abi;            /**< ASTRIDE_PLUGIN_ABI; always the first field */
    size_t struct_size;      /**< sizeof(astride_plugin) of the header it was compiled with */
    const char *name;        /**< [a-z][a-z0-9_]*, at most 31; equal to the NAME of the file */
    const char *description; /**< one line */
    int32_t priority;        /**< automatic choice takes the highest first; the host has 0 */

    /** Keeps the services. Optional; anything but ASTRIDE_OK refuses the plugin. */
    astride_status (*initialize)(const astride_services *services);

    /** Counts devices; ASTRIDE_UNAVAILABLE with the reason where there is none. Required. */
    astride_status (*probe)(int32_t *device_count_out);
    /** Name and memory size of device `index`; `spec` is filled by the core. Optional. */
    astride_status (*describe)(int32_t index, astride_device_info *info_out);
    /**
     * Turns REST of a spec "NAME:REST" into an index; it is not asked about numbers. The index may
     * lie beyond those that `probe` counted: that of a device which has no number, such as one in
     * a context that the program made. The same REST gives the same index for as long as its
     * device is open. Optional: the core accepts a number.
     */
    astride_status (*resolve)(const char *rest, int32_t *index_out);
    /**
     * Whether automatic choice may take device 0; asked after `probe`. A backend whose first
     * device is but the host's own processors says no. Optional: yes.
     */
    bool (*automatic)(void);

    /** Opens device `index`. Required. */
    astride_status (*device_open)(int32_t index, astride_backend_device **device_out);
    /** Waits for all its work and frees it. Required. */
    void (*device_close)(astride_backend_device *device);
    /** Fills capabilities and costs; the structure comes zeroed. Required. */
    astride_status (*properties)(astride_backend_device *device,
                                 astride_backend_properties *properties_out);

    /**
     * Allocates; `address_out` is a range of `bytes` (at least 1) addresses that no other live
     * allocation has, aligned to 64. `allocation_out` is the cookie that operands will carry; it
     * may be NULL. ASTRIDE_MEMORY_DEVICE and ASTRIDE_MEMORY_PINNED must work, since temporaries are
     * made of them; ASTRIDE_MEMORY_SHARED may be unsupported. Required.
     */
    astride_status (*memory_alloc)(astride_backend_device *device, size_t bytes,
                                   astride_memory_kind kind, void **address_out,
                                   void **allocation_out);
    /** Frees what memory_alloc gave. Required. */
    void (*memory_free)(astride_backend_device *device, void *address, void *allocation);
    /** Pins host memory. Optional. */
    astride_status (*memory_register)(astride_backend_device *device, void *address, size_t bytes,
                                      void **allocation_out);
    /** Undoes memory_register. Required with it. */
    void (*memory_unregister)(astride_backend_device *device, void *address, void *allocation);
    /** Makes a vendor's allocation usable without owning it. Optional. */
    astride_status (*memory_import)(astride_backend_device *device, void *handle, size_t bytes,
                                    void **address_out, void **allocation_out);
    /** Forgets what memory_import gave. Required with it. */
    void (*memory_release)(astride_backend_device *device, void *address, void *allocation);
    /**
     * Says what an address is that the core does not know, with base and size of its allocation
     * (NULL and 0 where the driver does not tell). ASTRIDE_NOT_FOUND, silently: pageable host
     * memory. Any other failure keeps a copy from using the address. Optional.
     */
    astride_status (*memory_query)(astride_backend_device *device, const void *address,
                                   astride_memory_kind *kind_out, void **base_out,
                                   size_t *bytes_out);

    /** Creates a queue. Required. */
    astride_status (*queue_create)(astride_backend_device *device,
                                   astride_backend_queue **queue_out);
    /** Wraps a native queue. Optional. */
    astride_status (*queue_import)(astride_backend_device *device, void *native,
                                   astride_backend_queue **queue_out);
    /** Waits for its work and frees it; a native queue stays alive. Required. */
    void (*queue_destroy)(astride_backend_queue *queue);
    /** Waits for all work enqueued so far; returns its first error. Required. */
    astride_status (*queue_wait)(astride_backend_queue *queue);
    /** ASTRIDE_OK, ASTRIDE_NOT_READY (without services->fail) or an error. Required. */
    astride_status (*queue_query)(astride_backend_queue *queue);
    /**
     * Runs `function(argument)` on some host thread when the work before it is done, and work
     * behind it only after. `function` calls nothing of this backend. It may take its time, and may
     * wait for other backends' work and for what was enqueued in its own queue before it; see also
     * astride_backend_properties::host_calls_may_wait. Optional: without it the core waits for the
     * queue and calls the function itself.
     */
    astride_status (*host_call)(astride_backend_queue *queue, void (*function)(void *argument),
                                void *argument);

    /** Creates an event that counts as complete. Required, with the five below. */
    astride_status (*event_create)(astride_backend_device *device,
                                   astride_backend_event **event_out);
    /** Frees an event; work that waits for it is not disturbed. */
    void (*event_destroy)(astride_backend_event *event);
    /** Completes when the work enqueued so far is done; an earlier record is forgotten. */
    astride_status (*event_record)(astride_backend_event *event, astride_backend_queue *queue);
    /** Blocks the caller until it is complete; returns the first error of the work before it. */
    astride_status (*event_wait)(astride_backend_event *event);
    /** ASTRIDE_OK, ASTRIDE_NOT_READY (without services->fail) or an error. */
    astride_status (*event_query)(astride_backend_event *event);
    /** Lets later work of the queue wait for what the event was last recorded behind. */
    astride_status (*queue_wait_event)(astride_backend_queue *queue, astride_backend_event *event);

    /** Copies `bytes` (at least 1) contiguous bytes. Required. */
    astride_status (*copy_linear)(astride_backend_queue *queue, const astride_operand *dst,
                                  const astride_operand *src, size_t bytes);
    /**
     * Whether copy_rect can do this rectangle beyond what the capabilities say, by its sizes,
     * pitches and kinds of memory: the addresses are NULL and change from run to run. Optional:
     * yes.
     */
    bool (*rect_supported)(astride_backend_device *device, const astride_rect *rect);
    /** Copies a rectangle. Optional; needed where capabilities.rect_rank is above 1. */
    astride_status (*copy_rect)(astride_backend_queue *queue, const astride_rect *rect);
    /** Copies by kernel. Optional; needed where capabilities.kernels is set. */
    astride_status (*copy_kernel)(astride_backend_queue *queue, const astride_strided *copy);
    /** Fills memory that kernels reach. Optional: the core has fallbacks. */
    astride_status (*fill)(astride_backend_queue *queue, const astride_strided_fill *fill);

    /** Loads device code. Optional, with the three below. */
    astride_status (*module_load)(astride_backend_device *device, const void *image,
                                  size_t image_bytes, astride_backend_module **module_out);
    /** Frees a module; no launch of it is in flight. */
    void (*module_unload)(astride_backend_module *module);
    /** Finds a function; ASTRIDE_NOT_FOUND where the module has none of that name. */
    astride_status (*module_function)(astride_backend_module *module, const char *name,
                                      astride_backend_function **function_out);
    /**
     * Enqueues a launch. `grid` counts blocks, `block` threads, x first; `parameters` holds the
     * address of each argument and is not kept.
     */
    astride_status (*launch)(astride_backend_queue *queue, astride_backend_function *function,
                             const uint32_t grid[3], const uint32_t block[3], uint32_t shared_bytes,
                             void **parameters, size_t parameter_count);

    /**
     * Whether the queue's work is at present captured, to be run later and perhaps several times,
     * so that host_call fails. Optional: never.
     */
    bool (*queue_captured)(astride_backend_queue *queue);
} astride_plugin;

ASTRIDE_END_DECLS

#endif /* ASTRIDE_PLUGIN_H */
