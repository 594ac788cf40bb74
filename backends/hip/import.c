/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the program has made with HIP itself: addresses, which are usable as they are and only
 * looked up, and streams.
 */
#include "hip.h"

#include <stdlib.h>

/* What the runtime says of an address. */
typedef enum address_type {
    UNKNOWN_ADDRESS, /* pageable memory, or none */
    HOST_ADDRESS,
    DEVICE_ADDRESS,
    MANAGED_ADDRESS
} address_type;

typedef struct address_facts {
    address_type type;
    int ordinal;
    void *base;
    size_t bytes; /* 0: the runtime does not say */
} address_facts;

/*
 * The numbers of hipMemoryType: host 0, device 1, unified 3, managed 4 in ROCm 5, and unregistered
 * 0, host 1, device 2, managed 3, unified 11 from ROCm 6 on (HIP runtime API reference, and the
 * release notes of ROCm 6.0).
 */
static address_type type_of(const hipPointerAttribute_t *attributes)
{
    const bool renumbered = astride__hip_runtime_version() >= ASTRIDE__HIP_VERSION_6;
    if (attributes->isManaged != 0)
        return MANAGED_ADDRESS;
    switch (attributes->type) {
    case 0:
        return renumbered ? UNKNOWN_ADDRESS : HOST_ADDRESS;
    case 1:
        return renumbered ? HOST_ADDRESS : DEVICE_ADDRESS;
    case 2:
        return renumbered ? DEVICE_ADDRESS : UNKNOWN_ADDRESS;
    case 3:
    case 4:
    case 11:
        return MANAGED_ADDRESS;
    default:
        return UNKNOWN_ADDRESS;
    }
}

/* The device is current. ROCm 5 has an error for addresses that it does not know. */
static astride_status ask_runtime(const void *address, address_facts *facts)
{
    hipPointerAttribute_t attributes = {0};
    hipDeviceptr_t base = NULL;
    size_t bytes = 0;
    *facts = (address_facts){.type = UNKNOWN_ADDRESS};
    hipError_t code = astride__hip.PointerGetAttributes(&attributes, address);
    if (code == hipErrorInvalidValue) {
        astride__hip_forget_error();
        return ASTRIDE_OK;
    }
    if (code != hipSuccess)
        return astride__hip_check("hipPointerGetAttributes", code);
    facts->type = type_of(&attributes);
    facts->ordinal = attributes.device;
    if (facts->type == UNKNOWN_ADDRESS || astride__hip.MemGetAddressRange == NULL)
        return ASTRIDE_OK;
    /* Without it only bounds are checked less. */
    code = astride__hip.MemGetAddressRange(&base, &bytes, (hipDeviceptr_t)(uintptr_t)address);
    if (code != hipSuccess) {
        astride__hip_forget_error();
        return ASTRIDE_OK;
    }
    facts->base = base;
    facts->bytes = bytes;
    return ASTRIDE_OK;
}

static astride_status ask(const astride_backend_device *device, const void *address,
                          address_facts *facts)
{
    astride_status status = astride__hip_enter(device);
    if (status != ASTRIDE_OK)
        return status;
    status = ask_runtime(address, facts);
    astride__hip_leave();
    return status;
}

static astride_status check_import(const astride_backend_device *device, const address_facts *facts,
                                   uintptr_t address, size_t bytes)
{
    if (facts->type != DEVICE_ADDRESS && facts->type != MANAGED_ADDRESS)
        return astride__hip_services->fail(ASTRIDE_INVALID_ARGUMENT,
                                           "%p is no device memory (hipPointerGetAttributes)",
                                           (void *)address);
    if (facts->type == DEVICE_ADDRESS && facts->ordinal != device->ordinal)
        return astride__hip_services->fail(ASTRIDE_INVALID_ARGUMENT,
                                           "%p is memory of the device with ordinal %d, not of %d",
                                           (void *)address, facts->ordinal, (int)device->ordinal);
    const size_t offset = address - (uintptr_t)facts->base;
    if (facts->bytes != 0 && (offset > facts->bytes || bytes > facts->bytes - offset))
        return astride__hip_services->fail(
            ASTRIDE_INVALID_ARGUMENT, "%zu bytes at %p exceed the allocation of %zu bytes at %p",
            bytes, (void *)address, facts->bytes, facts->base);
    return ASTRIDE_OK;
}

astride_status astride__hip_memory_import(astride_backend_device *device, void *handle,
                                          size_t bytes, void **address_out, void **allocation_out)
{
    address_facts facts;
    astride_status status = ASTRIDE_OK;
    if (astride__hip.PointerGetAttributes != NULL) {
        status = ask(device, handle, &facts);
        if (status == ASTRIDE_OK)
            status = check_import(device, &facts, (uintptr_t)handle, bytes);
    }
    if (status != ASTRIDE_OK)
        return status;
    astride__hip_allocation *allocation = calloc(1, sizeof(*allocation));
    if (allocation == NULL)
        return astride__hip_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for an allocation");
    allocation->device = device;
    allocation->address = handle;
    allocation->mapped = handle;
    *address_out = handle;
    *allocation_out = allocation;
    return ASTRIDE_OK;
}

void astride__hip_memory_release(astride_backend_device *device, void *address, void *allocation)
{
    (void)device;
    (void)address;
    free(allocation);
}

/* Pinned memory is every device's; device memory of another device is not ours. */
astride_status astride__hip_memory_query(astride_backend_device *device, const void *address,
                                         astride_memory_kind *kind_out, void **base_out,
                                         size_t *bytes_out)
{
    address_facts facts;
    if (astride__hip.PointerGetAttributes == NULL)
        return ASTRIDE_NOT_FOUND;
    const astride_status status = ask(device, address, &facts);
    if (status != ASTRIDE_OK)
        return status;
    if (facts.type == UNKNOWN_ADDRESS)
        return ASTRIDE_NOT_FOUND;
    if (facts.type == DEVICE_ADDRESS && facts.ordinal != device->ordinal)
        return astride__hip_services->fail(ASTRIDE_UNSUPPORTED,
                                           "%p is memory of another device (ordinal %d)", address,
                                           facts.ordinal);
    *kind_out = facts.type == DEVICE_ADDRESS ? ASTRIDE_MEMORY_DEVICE
                : facts.type == HOST_ADDRESS ? ASTRIDE_MEMORY_PINNED
                                             : ASTRIDE_MEMORY_SHARED;
    *base_out = facts.bytes != 0 ? facts.base : NULL;
    *bytes_out = facts.bytes;
    return ASTRIDE_OK;
}

/*
 * A stream handle of NULL is the null stream of the device that is current, and 2 is the calling
 * thread's default stream, hipStreamPerThread (HIP programming guide, "Default stream").
 */
#define PER_THREAD_STREAM ((uintptr_t)2)

astride_status astride__hip_queue_import(astride_backend_device *device, void *native,
                                         astride_backend_queue **queue_out)
{
    astride_backend_queue *queue = NULL;
    const astride_status status = astride__hip_queue_wrap(device, native, true, &queue);
    if (status != ASTRIDE_OK)
        return status;
    queue->of_thread = (uintptr_t)native == PER_THREAD_STREAM;
    queue->thread = pthread_self();
    *queue_out = queue;
    return ASTRIDE_OK;
}
