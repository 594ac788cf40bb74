/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Binding regions to memory: bounds of known allocations, and what a kind of memory allows.
 */
#include "hal/side.h"

#include <inttypes.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/memory.h"

static astride_status check_bounds(const char *name, const astride__range *range, uintptr_t base,
                                   const astride__reach *reach)
{
    /* The caller knows that the region does not wrap around. */
    const uintptr_t first = base - (uintptr_t)-reach->low;
    const uintptr_t end = base + (uintptr_t)reach->high;
    if (range->bytes == 0 || (first >= range->base && end - range->base <= range->bytes))
        return ASTRIDE_OK;
    return astride__fail(ASTRIDE_OUT_OF_BOUNDS,
                         "%s: bytes %p to %p leave the allocation of %zu bytes at %p on %s", name,
                         (void *)first, (void *)(end - 1), range->bytes, (void *)range->base,
                         astride_device_spec(range->device));
}

/*
 * An unknown address is pageable host memory, but one that lies exactly behind memory that the host
 * cannot reach is a loop that ran one step too far.
 */
static astride_status check_behind(const char *name, const void *base, const astride__range *range)
{
    if (astride__host_reaches(range->device, range->kind))
        return ASTRIDE_OK;
    return astride__fail(
        ASTRIDE_OUT_OF_BOUNDS, "%s: base %p is just past the allocation of %zu bytes at %p on %s",
        name, base, range->bytes, (void *)range->base, astride_device_spec(range->device));
}

/* Whether a range is another device's own memory that copies of this one reach all the same. */
static bool is_peer(const astride_device *device, const astride__range *range)
{
    return range->kind == ASTRIDE_MEMORY_DEVICE && range->device->plugin == device->plugin &&
           device->properties.capabilities.peer_access &&
           range->device->properties.capabilities.peer_access;
}

/* Memory of another device. What the host reaches is pageable memory to this one. */
static astride__side others_side(const astride_device *device, const void *base,
                                 const astride__range *range)
{
    const bool peer = is_peer(device, range);
    if (!peer && astride__host_reaches(range->device, range->kind))
        return (astride__side){.kind = ASTRIDE_MEMORY_HOST, .base = (uintptr_t)base};
    return (astride__side){.kind = range->kind,
                           .base = (uintptr_t)base,
                           .allocation_base = range->base,
                           .allocation = range->allocation,
                           .peer = peer,
                           .foreign = !peer,
                           .owner = range->device};
}

astride_status astride__side_resolve(astride_device *device, const char *name, const void *base,
                                     const astride__reach *reach, astride__side *side)
{
    astride_status status = astride__check_base(name, base, reach);
    if (status != ASTRIDE_OK)
        return status;

    astride__range range;
    astride__place place;
    status = astride__memory_place(device, base, &place, &range);
    if (status != ASTRIDE_OK) {
        astride__fail_prefix("%s: ", name);
        return status;
    }
    if (place != ASTRIDE__PLACE_INSIDE) {
        if (place == ASTRIDE__PLACE_BEHIND)
            status = check_behind(name, base, &range);
        if (status == ASTRIDE_OK)
            *side = (astride__side){.kind = ASTRIDE_MEMORY_HOST, .base = (uintptr_t)base};
        return status;
    }
    status = check_bounds(name, &range, (uintptr_t)base, reach);
    if (status != ASTRIDE_OK)
        return status;
    if (range.device != device)
        *side = others_side(device, base, &range);
    else
        *side = (astride__side){.kind = range.kind,
                                .base = (uintptr_t)base,
                                .allocation_base = range.base,
                                .allocation = range.allocation,
                                .owner = astride__host_reaches(device, range.kind) ? NULL
                                                                                   : range.device};
    return ASTRIDE_OK;
}

bool astride__sides_share_allocation(const astride__side *dst, const astride__side *src)
{
    return dst->allocation_base != 0 && dst->allocation_base == src->allocation_base;
}

bool astride__host_reaches(const astride_device *device, astride_memory_kind kind)
{
    return kind != ASTRIDE_MEMORY_DEVICE || device->properties.capabilities.host_reaches_device;
}

bool astride__kernel_reaches(const astride_device *device, astride_memory_kind kind)
{
    const astride_capabilities *capabilities = &device->properties.capabilities;
    switch (kind) {
    case ASTRIDE_MEMORY_DEVICE:
    case ASTRIDE_MEMORY_SHARED:
        return true;
    case ASTRIDE_MEMORY_PINNED:
        return capabilities->kernel_reaches_pinned;
    case ASTRIDE_MEMORY_HOST:
        return capabilities->kernel_reaches_pageable;
    }
    return false;
}

static bool is_device_side(astride_memory_kind kind)
{
    return kind == ASTRIDE_MEMORY_DEVICE || kind == ASTRIDE_MEMORY_SHARED;
}

astride_direction astride__direction(astride_memory_kind dst, astride_memory_kind src)
{
    if (is_device_side(src))
        return is_device_side(dst) ? ASTRIDE_DEVICE_TO_DEVICE : ASTRIDE_DEVICE_TO_HOST;
    return is_device_side(dst) ? ASTRIDE_HOST_TO_DEVICE : ASTRIDE_HOST_TO_HOST;
}

const char *astride__memory_kind_name(astride_memory_kind kind)
{
    switch (kind) {
    case ASTRIDE_MEMORY_HOST:
        return "host";
    case ASTRIDE_MEMORY_DEVICE:
        return "device";
    case ASTRIDE_MEMORY_PINNED:
        return "pinned";
    case ASTRIDE_MEMORY_SHARED:
        return "shared";
    }
    return "unknown";
}
