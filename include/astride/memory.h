/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * @file memory.h
 * Memory of devices: allocation, registration of host memory, import of foreign allocations, and
 * the question what an address belongs to. Every address here is a plain pointer that allows
 * arithmetic, also where the vendor's own handle is none; only the host may not always dereference
 * it.
 *
 * The library keeps every range that it knows in one map per process. A copy that starts in a known
 * range and leaves it is refused before any byte moves. Memory that nobody told it about counts as
 * pageable host memory and is not checked.
 */
#ifndef ASTRIDE_MEMORY_H
#define ASTRIDE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include <astride/device.h>
#include <astride/export.h>
#include <astride/status.h>

ASTRIDE_BEGIN_DECLS

/** What kind of memory an address is. */
typedef enum astride_memory_kind {
    ASTRIDE_MEMORY_HOST = 0,   /**< ordinary (pageable) host memory; never allocated by us */
    ASTRIDE_MEMORY_DEVICE = 1, /**< the device's own; the host must not dereference it */
    ASTRIDE_MEMORY_PINNED = 2, /**< page-locked host memory, fast for transfers */
    ASTRIDE_MEMORY_SHARED = 3  /**< one address for host and device, moved by the driver */
} astride_memory_kind;

/**
 * Allocates memory.
 *
 * @param bytes size; 0 is allowed and gives a unique address that must be freed
 * @param kind ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED or ASTRIDE_MEMORY_SHARED
 * @param[out] address_out aligned to at least 64 bytes; written on success only. The caller owns it
 *        and gives it to astride_memory_free() of the same device.
 * @retval ASTRIDE_INVALID_ARGUMENT a pointer is NULL, or kind is none of the three
 * @retval ASTRIDE_UNSUPPORTED the device has no such memory
 * @retval ASTRIDE_OUT_OF_MEMORY there is not enough of it
 *
 * Any thread may call. The contents are undefined.
 */
ASTRIDE_API astride_status astride_memory_alloc(astride_device *device, size_t bytes,
                                                astride_memory_kind kind, void **address_out);

/**
 * Frees what astride_memory_alloc() returned, or forgets what astride_memory_import() returned.
 * Work that uses it must be complete. NULL is a no-op.
 *
 * @retval ASTRIDE_INVALID_ARGUMENT address is not the start of an allocation of this device; the
 *         detail names the allocation that holds it, where there is one
 */
ASTRIDE_API astride_status astride_memory_free(astride_device *device, void *address);

/**
 * Pins host memory that the caller allocated, so that copies with this device run at full speed and
 * asynchronously. The memory stays the caller's.
 *
 * @param address,bytes the range; bytes > 0. Page alignment is not needed.
 * @retval ASTRIDE_INVALID_ARGUMENT address is NULL, bytes is 0, the range wraps around or overlaps
 * a known range (the detail names it)
 * @retval ASTRIDE_UNSUPPORTED the backend cannot register host memory
 * @retval ASTRIDE_DRIVER_ERROR, ASTRIDE_OUT_OF_MEMORY the driver refused
 */
ASTRIDE_API astride_status astride_memory_register(astride_device *device, void *address,
                                                   size_t bytes);

/**
 * Undoes astride_memory_register(). Work that uses the range must be complete.
 *
 * @retval ASTRIDE_INVALID_ARGUMENT address is not the start of a range registered with this device
 */
ASTRIDE_API astride_status astride_memory_unregister(astride_device *device, void *address);

/** What an address belongs to. */
typedef struct astride_memory_info {
    size_t struct_size;       /**< in: sizeof(astride_memory_info) */
    astride_memory_kind kind; /**< ASTRIDE_MEMORY_HOST when nobody knows the address */
    astride_device *device;   /**< that it was allocated on or registered with; NULL when unknown */
    void *base;               /**< start of the allocation; NULL when unknown */
    size_t bytes;             /**< size of the allocation; 0 when unknown */
} astride_memory_info;

/**
 * Says what an address belongs to: a range known to the library, else what the device's driver
 * says.
 *
 * @param device asked for addresses that the library does not know; NULL: none is asked
 * @param address any address; it is not dereferenced
 * @param[in,out] info_out struct_size set by the caller; the rest written on success only
 * @retval ASTRIDE_INVALID_ARGUMENT info_out is NULL or its struct_size is too small
 * @retval ASTRIDE_UNSUPPORTED the driver knows the address, but as memory that the device cannot
 * use
 * @retval ASTRIDE_DRIVER_ERROR the driver could not be asked; the detail has its words
 */
ASTRIDE_API astride_status astride_memory_query(astride_device *device, const void *address,
                                                astride_memory_info *info_out);

/**
 * Makes a foreign allocation usable: a CUdeviceptr, a HIP device pointer, a cl_mem. Ownership stays
 * with the caller, who keeps it alive until astride_memory_free() of the returned address.
 *
 * @param handle the vendor's handle, cast to a pointer
 * @param bytes its size
 * @param[out] address_out the address to use in copies; equal to the handle where that is an
 * address
 * @retval ASTRIDE_INVALID_ARGUMENT a pointer is NULL, bytes is 0, or the range is known already
 * @retval ASTRIDE_UNSUPPORTED the backend imports nothing
 */
ASTRIDE_API astride_status astride_memory_import(astride_device *device, void *handle, size_t bytes,
                                                 void **address_out);

ASTRIDE_END_DECLS

#endif /* ASTRIDE_MEMORY_H */
