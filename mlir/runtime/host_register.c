/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Pinning of host memory with counts. The core pins disjoint ranges once; programs register the
 * same memref, or parts of a buffer, as often as they like. So ranges that are pinned are kept
 * apart from registrations, each of which belongs to at most one range.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include <astride/mlir.h>

#include "mlir/runtime/context.h"
#include "mlir/runtime/failure.h"
#include "mlir/runtime/layout.h"
#include "mlir/runtime/stream.h"

/* What astride_memory_register() was called for. The ranges are disjoint. */
typedef struct pinned_range pinned_range;
struct pinned_range {
    astride_device *device;
    uintptr_t low, end;
    size_t uses; /* by registrations, each as often as it counts */
    pinned_range *next;
};

/* How often an address was registered. */
typedef struct registration registration;
struct registration {
    void *address;
    size_t count;
    pinned_range *range; /* NULL: there was nothing to pin */
    registration *next;
};

/* Guards both lists, and keeps them in step with the core. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pinned_range *pinned_ranges;
static registration *registrations;

static bool intersects(const pinned_range *range, uintptr_t low, uintptr_t end)
{
    return range->low < end && low < range->end;
}

/* Whether the library or its driver knows the whole range as host memory that needs no pinning. */
static bool is_pinned_already(const char *function, astride_device *device, uintptr_t low,
                              uintptr_t end)
{
    astride_memory_info info = {.struct_size = sizeof info};
    if (!astride__mlir_ok(function, astride_memory_query(device, (void *)low, &info)))
        return false;
    return (info.kind == ASTRIDE_MEMORY_PINNED || info.kind == ASTRIDE_MEMORY_SHARED) &&
           info.base != NULL && low >= (uintptr_t)info.base &&
           end - (uintptr_t)info.base <= info.bytes;
}

/*
 * Takes every range that intersects [low, end) out of the list, unpins it and makes `into`, which
 * is not in the list yet, its heir: `into` covers it, and its registrations belong to `into`.
 */
static void absorb(const char *function, pinned_range *into, uintptr_t low, uintptr_t end)
{
    for (pinned_range **link = &pinned_ranges; *link != NULL;) {
        pinned_range *range = *link;
        if (!intersects(range, low, end)) {
            link = &range->next;
            continue;
        }
        *link = range->next;
        into->low = range->low < into->low ? range->low : into->low;
        into->end = range->end > into->end ? range->end : into->end;
        into->uses += range->uses;
        for (registration *entry = registrations; entry != NULL; entry = entry->next)
            entry->range = entry->range == range ? into : entry->range;
        (void)astride__mlir_ok(function,
                               astride_memory_unregister(range->device, (void *)range->low));
        free(range);
    }
}

/*
 * Finds or makes the range for [low, end); NULL in *range_out where there is nothing to pin. False
 * after a failure, which is reported. The lock is held by the caller, here and below.
 */
static bool pin(const char *function, astride_device *device, uintptr_t low, uintptr_t end,
                pinned_range **range_out)
{
    bool partly = false;
    for (pinned_range *range = pinned_ranges; range != NULL; range = range->next) {
        if (range->low <= low && end <= range->end) {
            *range_out = range;
            return true;
        }
        partly = partly || intersects(range, low, end);
    }
    if (!partly && is_pinned_already(function, device, low, end)) {
        *range_out = NULL;
        return true;
    }

    pinned_range *range = malloc(sizeof *range);
    if (range == NULL) {
        astride__mlir_fail(function, "no memory for a record of %zu bytes", sizeof *range);
        return false;
    }
    *range = (pinned_range){.device = device, .low = low, .end = end};
    if (partly) {
        /* No work may be using the ranges while they are not pinned. */
        astride__mlir_streams_wait(function);
        absorb(function, range, low, end);
    }
    if (!astride__mlir_ok(function, astride_memory_register(device, (void *)range->low,
                                                            range->end - range->low))) {
        for (registration *entry = registrations; entry != NULL; entry = entry->next)
            entry->range = entry->range == range ? NULL : entry->range;
        free(range);
        return false;
    }
    range->next = pinned_ranges;
    pinned_ranges = range;
    *range_out = range;
    return true;
}

static registration **find(const void *address)
{
    registration **link = &registrations;
    while (*link != NULL && (*link)->address != address)
        link = &(*link)->next;
    return link;
}

static void count(const char *function, astride_device *device, void *address, size_t bytes)
{
    pinned_range *range = NULL;
    registration *fresh = malloc(sizeof *fresh);
    if (fresh == NULL) {
        astride__mlir_fail(function, "no memory for a record of %zu bytes", sizeof *fresh);
        return;
    }
    if (bytes > 0 &&
        !pin(function, device, (uintptr_t)address, (uintptr_t)address + bytes, &range)) {
        free(fresh);
        return;
    }
    if (range != NULL)
        ++range->uses;
    registration *entry = *find(address);
    if (entry != NULL && entry->range == range) {
        ++entry->count;
        free(fresh);
        return;
    }
    *fresh = (registration){.address = address, .count = 1, .range = range, .next = registrations};
    registrations = fresh;
}

static void host_register(const char *function, void *address, uint64_t bytes)
{
    astride_device *device = astride__mlir_device(function);
    if (device == NULL)
        return;
    if (address == NULL || bytes > UINTPTR_MAX - (uintptr_t)address) {
        astride__mlir_fail(function, "%" PRIu64 " bytes at %p are no host memory", bytes, address);
        return;
    }
    (void)pthread_mutex_lock(&lock);
    count(function, device, address, (size_t)bytes);
    (void)pthread_mutex_unlock(&lock);
}

static void discount(const char *function, astride_device *device, void *address)
{
    registration **link = find(address);
    registration *entry = *link;
    if (entry == NULL) {
        /* The program may have registered it by the library's own call; the core knows. */
        (void)astride__mlir_ok(function, astride_memory_unregister(device, address));
        return;
    }
    pinned_range *range = entry->range;
    if (--entry->count == 0) {
        *link = entry->next;
        free(entry);
    }
    if (range == NULL || --range->uses > 0)
        return;
    pinned_range **range_link = &pinned_ranges;
    while (*range_link != range)
        range_link = &(*range_link)->next;
    *range_link = range->next;
    astride__mlir_streams_wait(function);
    (void)astride__mlir_ok(function, astride_memory_unregister(range->device, (void *)range->low));
    free(range);
}

static void host_unregister(const char *function, void *address)
{
    astride_device *device = astride__mlir_device(function);
    if (device == NULL)
        return;
    (void)pthread_mutex_lock(&lock);
    discount(function, device, address);
    (void)pthread_mutex_unlock(&lock);
}

/* The bytes of a memref. False for one without elements, and after a failure, which is reported. */
static bool memref_bounds(const char *function, int64_t rank, const void *descriptor,
                          int64_t element_bytes, void **low_out, size_t *bytes_out)
{
    astride__mlir_side side;
    astride__mlir_shape shape;
    astride__mlir_region region;
    const int64_t *sizes;

    return astride__mlir_rank_check(function, rank) &&
           astride__mlir_descriptor_read(function, rank, descriptor, "memref", &side, &sizes) &&
           astride__mlir_shape_check(function, rank, sizes, element_bytes, &shape) &&
           !shape.empty && astride__mlir_region_of(function, &shape, &side, &region) &&
           astride__mlir_region_bounds(function, &shape, &region, side.name, low_out, bytes_out);
}

void mgpuMemHostRegister(void *address, uint64_t size_bytes)
{
    host_register(__func__, address, size_bytes);
}

void mgpuMemHostUnregister(void *address)
{
    host_unregister(__func__, address);
}

void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor, int64_t element_bytes)
{
    void *low;
    size_t bytes;
    if (memref_bounds(__func__, rank, descriptor, element_bytes, &low, &bytes))
        host_register(__func__, low, bytes);
}

void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor, int64_t element_bytes)
{
    void *low;
    size_t bytes;
    if (memref_bounds(__func__, rank, descriptor, element_bytes, &low, &bytes))
        host_unregister(__func__, low);
}
