/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the core knows about memory: one map per process from address ranges to allocations.
 */
#ifndef ASTRIDE_HAL_MEMORY_H
#define ASTRIDE_HAL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <astride/device.h>
#include <astride/memory.h>

/* How a range came to be known; decides which slot forgets it. */
typedef enum astride__range_origin {
    ASTRIDE__RANGE_ALLOCATED,
    ASTRIDE__RANGE_REGISTERED,
    ASTRIDE__RANGE_IMPORTED,
    ASTRIDE__RANGE_PENDING, /* being registered: taken, but not known to anybody yet */
    ASTRIDE__RANGE_QUERIED  /* answered by the driver, not in the map */
} astride__range_origin;

/* A known range. Queried ranges of unknown size have bytes == 0 and are not bounds-checked. */
typedef struct astride__range {
    uintptr_t base;
    size_t bytes;
    astride_memory_kind kind;
    astride_device *device;
    void *allocation; /* the backend's cookie */
    astride__range_origin origin;
} astride__range;

/*
 * Finds the range that holds `address`: in the map, else by the driver of `device` where that knows
 * foreign addresses (device may be NULL). An address one past the end of an allocation is not in
 * it. ASTRIDE_NOT_FOUND, without a detail, when nobody knows the address; another failure is the
 * driver's, which knows the address but not as memory of the device, or could not be asked.
 */
astride_status astride__memory_find(astride_device *device, const void *address,
                                    astride__range *range_out);

/* Where an address is: in a range, just behind one, or where nothing is known. */
typedef enum astride__place {
    ASTRIDE__PLACE_UNKNOWN,
    ASTRIDE__PLACE_BEHIND,
    ASTRIDE__PLACE_INSIDE
} astride__place;

/*
 * The same, but that nobody knows the address is an answer here, with the range that ends just
 * before it, if there is one. Fails as the driver does.
 */
astride_status astride__memory_place(astride_device *device, const void *address,
                                     astride__place *place_out, astride__range *range_out);

/*
 * A number that changes whenever the map changes. A caller that sees the same number twice may keep
 * what astride__memory_find() told it. Costs one atomic load.
 */
uint64_t astride__memory_generation(void);

/*
 * The known range nearest below or above `address`, for messages about addresses just outside of an
 * allocation. False when there is none.
 */
bool astride__memory_nearest(const void *address, astride__range *range_out);

/*
 * Gives everything back that a device still holds, when it is closed: frees, unregisters and
 * releases its ranges, and logs that they were left.
 */
void astride__memory_release_all(astride_device *device);

#endif /* ASTRIDE_HAL_MEMORY_H */
