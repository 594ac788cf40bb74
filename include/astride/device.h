/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * @file device.h
 * Backends and devices: list them, open one, ask what it can do; plus code modules for callers that
 * launch kernels of their own. A backend that cannot run is listed with its reason.
 *
 * Environment, read once when the library is first used and ignored in set-uid programs:
 * ASTRIDE_BACKEND (see astride_device_open()), ASTRIDE_PLUGIN_PATH (colon-separated absolute
 * folders, searched for plugins before the installed ones), ASTRIDE_STRATEGY, ASTRIDE_STAGING_BYTES
 * and ASTRIDE_STAGING_DEPTH (see copy.h), ASTRIDE_LOG (error, warn, info or debug: messages on
 * standard error; unset: none), ASTRIDE_TRACE (a file, overwritten, for a trace in the Trace Event
 * Format: the calls of each thread and what each queue did; it ends when the library is unloaded,
 * and a forked child leaves it alone). A malformed value, or a file that cannot be written, makes
 * astride_device_open() fail with the variable's name and the rule.
 */
#ifndef ASTRIDE_DEVICE_H
#define ASTRIDE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <astride/export.h>
#include <astride/status.h>

ASTRIDE_BEGIN_DECLS

/** An open device. Any thread may use it. */
typedef struct astride_device astride_device;

/** A backend, or a plugin that was refused, as listed by astride_backend_get(). */
typedef struct astride_backend_info {
    size_t struct_size;      /**< in: sizeof(astride_backend_info) */
    const char *name;        /**< "host"; for a refused plugin the name that its file claims */
    const char *description; /**< one line, "" for a refused plugin */
    const char *origin;      /**< absolute path of the plugin, or "built in" */
    bool available;          /**< it has at least one device */
    const char *reason;      /**< why it is not available; "" when it is */
    int32_t device_count;    /**< 0 when not available */
} astride_backend_info;

/**
 * Number of backends, refused plugins included. Loads the plugins and asks each for its devices on
 * the first call of the process.
 *
 * @param[out] count_out written on success only
 * @retval ASTRIDE_INVALID_ARGUMENT count_out is NULL, or an environment variable is malformed
 * @retval ASTRIDE_OUT_OF_MEMORY the registry could not be built
 *
 * Any thread may call; the list does not change after the first call.
 */
ASTRIDE_API astride_status astride_backend_count(size_t *count_out);

/**
 * Describes backend number `index`, in the order of preference of automatic choice (fastest first,
 * host last, refused plugins after it).
 *
 * @param[in,out] info_out struct_size set by the caller; the rest written on success only. The
 *                strings belong to the library and live as long as the process.
 * @retval ASTRIDE_INVALID_ARGUMENT info_out is NULL or its struct_size is too small, or index is
 * not below astride_backend_count()
 */
ASTRIDE_API astride_status astride_backend_get(size_t index, astride_backend_info *info_out);

/** What a device is called and what it has. */
typedef struct astride_device_info {
    size_t struct_size;    /**< in: sizeof(astride_device_info) */
    char spec[64];         /**< opens exactly this device: "host:0" */
    char name[128];        /**< the vendor's name for it */
    uint64_t memory_bytes; /**< size of its memory, 0 when unknown */
} astride_device_info;

/**
 * Describes a device without opening it.
 *
 * @param backend_index below astride_backend_count()
 * @param device_index below astride_backend_info::device_count
 * @param[in,out] info_out as in astride_backend_get()
 * @retval ASTRIDE_INVALID_ARGUMENT an index is out of range, or info_out is NULL or too small
 * @retval ASTRIDE_UNAVAILABLE the backend is not available
 */
ASTRIDE_API astride_status astride_device_get(size_t backend_index, int32_t device_index,
                                              astride_device_info *info_out);

/**
 * Opens a device.
 *
 * @param spec "NAME" (its first device), "NAME:REST" (REST as the backend defines it: an ordinal
 * for every one of them), or a list of those in order of preference, "cuda,hip,host". A list entry
 *        "^NAME" excludes a backend; a list of only such entries means: automatic choice without
 *        them. NULL or "": the value of ASTRIDE_BACKEND, or automatic choice where that is unset
 *        or empty. Automatic choice takes the first available backend in the order of
 *        astride_backend_get(), and host where there is no other.
 * @param[out] device_out written on success only. Opening a device that is open already returns the
 *        same object and counts; every open needs its own astride_device_close().
 * @retval ASTRIDE_INVALID_ARGUMENT device_out is NULL, spec or an environment variable is malformed
 * @retval ASTRIDE_NOT_FOUND no candidate exists; the detail lists every candidate with its reason
 * @retval ASTRIDE_UNAVAILABLE candidates exist, none can run; the detail lists each with its
 * reason. An explicit request never becomes another backend.
 * @retval ASTRIDE_OUT_OF_MEMORY, ASTRIDE_DRIVER_ERROR opening failed
 *
 * After fork(), objects of the parent answer ASTRIDE_AFTER_FORK in the child; the child may open
 * devices of its own where the vendor's driver allows that.
 */
ASTRIDE_API astride_status astride_device_open(const char *spec, astride_device **device_out);

/**
 * Gives one open back; the last one waits for all work of the device and frees it. NULL is a no-op.
 * Queues, events, plans and allocations of the device must be gone before, and plans of other
 * devices that copy from or to its memory, and their copies be complete; allocations that are left
 * are freed with it. In a child of fork() it forgets the parent's device without touching the
 * driver.
 */
ASTRIDE_API void astride_device_close(astride_device *device);

/**
 * The spec that opens exactly this device, such as "host:0".
 *
 * @return owned by the device; "" when device is NULL.
 */
ASTRIDE_API const char *astride_device_spec(const astride_device *device);

/** Directions of a copy as a device sees them; index of astride_capabilities::rect_rank. */
typedef enum astride_direction {
    ASTRIDE_HOST_TO_HOST = 0,
    ASTRIDE_HOST_TO_DEVICE = 1,
    ASTRIDE_DEVICE_TO_HOST = 2,
    ASTRIDE_DEVICE_TO_DEVICE = 3,
    ASTRIDE_DIRECTION_COUNT = 4
} astride_direction;

/** What a device can do natively; filled by its backend, read by the planner and by users. */
typedef struct astride_capabilities {
    size_t struct_size; /**< in: sizeof(astride_capabilities) */
    /** Dimensions of the largest native rectangle per direction, rows of bytes being the first:
        0 none, 1 linear only, 2 or 3. */
    int32_t rect_rank[ASTRIDE_DIRECTION_COUNT];
    uint64_t maximum_pitch_bytes;       /**< of a native rectangle; 0: no limit */
    bool slice_multiple_of_row;         /**< a slice pitch must be a multiple of the row pitch */
    bool rect_within_allocation;        /**< a rectangle may have both sides in one allocation */
    bool kernels;                       /**< strided copies by kernel, `kernel` strategy */
    bool kernel_reaches_pinned;         /**< kernels may access pinned host memory */
    bool kernel_reaches_pageable;       /**< kernels may access any host memory */
    bool host_reaches_device;           /**< the host may dereference device memory */
    bool unified_addressing;            /**< an address alone tells where memory is */
    bool asynchronous;                  /**< copies return before they are done */
    bool peer_access;                   /**< it copies directly to another device of its backend */
    bool modules;                       /**< astride_module_load() and astride_launch() work */
    uint32_t preferred_alignment_bytes; /**< rows and bases aligned to this are fastest */
    uint64_t memory_bytes;              /**< size of its memory; 0: unknown */
} astride_capabilities;

/**
 * What the device can do.
 *
 * @param[in,out] capabilities_out struct_size set by the caller (a smaller, older one is filled as
 *                far as it goes); the rest written on success only
 * @retval ASTRIDE_INVALID_ARGUMENT an argument is NULL or struct_size is below the first version's
 */
ASTRIDE_API astride_status astride_device_capabilities(const astride_device *device,
                                                       astride_capabilities *capabilities_out);

/** A module of device code. */
typedef struct astride_module astride_module;
/** A function in a module; lives until the module is unloaded. */
typedef struct astride_function astride_function;

/**
 * Loads device code in the vendor's own form (PTX, cubin, code object, program binary or source).
 *
 * @param image,image_bytes the code; image_bytes 0 where the form tells its own size. Not kept.
 * @param[out] module_out written on success only; freed by astride_module_unload()
 * @retval ASTRIDE_INVALID_ARGUMENT a pointer is NULL
 * @retval ASTRIDE_UNSUPPORTED the backend has no modules
 * @retval ASTRIDE_DRIVER_ERROR the driver refused it; the detail has the driver's log
 */
ASTRIDE_API astride_status astride_module_load(astride_device *device, const void *image,
                                               size_t image_bytes, astride_module **module_out);

/** Unloads a module. No launch of it may be in flight. NULL is a no-op. */
ASTRIDE_API void astride_module_unload(astride_module *module);

/**
 * Finds a function by name.
 *
 * @param[out] function_out owned by the module; written on success only
 * @retval ASTRIDE_NOT_FOUND the module has no such function
 */
ASTRIDE_API astride_status astride_module_function(astride_module *module, const char *name,
                                                   astride_function **function_out);

ASTRIDE_END_DECLS

#endif /* ASTRIDE_DEVICE_H */
