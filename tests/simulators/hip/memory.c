/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory of the simulated runtime: device, page-locked and managed memory, registration of the
 * program's own, and what an address means.
 */
#include "tests/simulators/hip/runtime.h"

enum { HOST_FLAGS = 0xe000000f, REGISTER_FLAGS = 15, ATTACH_GLOBAL = 1, ATTACH_HOST = 2 };

static int check_request(void **address_out, size_t bytes)
{
    if (address_out == NULL || bytes == 0)
        return sim_refuse(hipErrorInvalidValue, "ptr is NULL or the size is 0");
    return hipSuccess;
}

static int alloc(void **address_out, size_t bytes)
{
    uintptr_t address;
    const int result = check_request(address_out, bytes);
    if (result != hipSuccess)
        return result;
    if (!sim_memory_alloc(hip_current(), bytes, &address))
        return hipErrorOutOfMemory;
    *address_out = (void *)address;
    return hipSuccess;
}

hipError_t hipMalloc(void **address_out, size_t bytes)
{
    RETURN_CALL(NEEDS_DEVICE | NOT_IN_CAPTURE, alloc(address_out, bytes));
}

/* Frees memory of either kind; work of its device is waited for, as the runtime does. */
static int free_device(void *address)
{
    const sim_range *range = sim_memory_find((uintptr_t)address);
    if (address == NULL)
        return hipSuccess;
    if (range == NULL || range->begin != (uintptr_t)address ||
        (range->kind != SIM_DEVICE && range->kind != SIM_MANAGED))
        return sim_refuse(hipErrorInvalidValue, "%p is not the beginning of an allocation",
                          address);
    const sim_kind kind = range->kind;
    sim_context_wait(range->context);
    sim_memory_remove((uintptr_t)address, kind);
    return hipSuccess;
}

hipError_t hipFree(void *address)
{
    RETURN_CALL(NEEDS_DEVICE | NOT_IN_CAPTURE | GIVES_BACK, free_device(address));
}

static int alloc_host(void **address_out, size_t bytes, sim_kind kind, unsigned flags)
{
    uintptr_t address;
    const int result = check_request(address_out, bytes);
    if (result != hipSuccess)
        return result;
    if (!sim_memory_alloc_host(hip_current(), bytes, kind, flags, &address))
        return hipErrorOutOfMemory;
    *address_out = (void *)address;
    return hipSuccess;
}

static int alloc_pinned(void **address_out, size_t bytes, unsigned flags)
{
    if ((flags & ~(unsigned)HOST_FLAGS) != 0)
        return sim_refuse(hipErrorInvalidValue, "flags 0x%x", flags);
    return alloc_host(address_out, bytes, SIM_PINNED, flags);
}

hipError_t hipHostMalloc(void **address_out, size_t bytes, unsigned flags)
{
    RETURN_CALL(NEEDS_DEVICE | NOT_IN_CAPTURE, alloc_pinned(address_out, bytes, flags));
}

/* Nothing is said about waiting: the program must have waited for work on the memory. */
static int free_host(void *address)
{
    if (!sim_memory_remove((uintptr_t)address, SIM_PINNED))
        return sim_refuse(hipErrorInvalidValue, "%p is not memory of hipHostMalloc", address);
    return hipSuccess;
}

hipError_t hipHostFree(void *address)
{
    RETURN_CALL(NEEDS_DEVICE | NOT_IN_CAPTURE | GIVES_BACK, free_host(address));
}

static int alloc_managed(void **address_out, size_t bytes, unsigned flags)
{
    if (hip_attribute(hip_current()->device, hipDeviceAttributeManagedMemory) == 0)
        return sim_refuse(hipErrorNotSupported, "the device has no managed memory");
    if (flags != ATTACH_GLOBAL && flags != ATTACH_HOST)
        return sim_refuse(hipErrorInvalidValue, "flags 0x%x", flags);
    return alloc_host(address_out, bytes, SIM_MANAGED, flags);
}

hipError_t hipMallocManaged(void **address_out, size_t bytes, unsigned flags)
{
    RETURN_CALL(NEEDS_DEVICE | NOT_IN_CAPTURE, alloc_managed(address_out, bytes, flags));
}

static int register_host(void *address, size_t bytes, unsigned flags)
{
    if (address == NULL || bytes == 0 || bytes > UINTPTR_MAX - (uintptr_t)address)
        return sim_refuse(hipErrorInvalidValue, "hostPtr is NULL or sizeBytes is out of range");
    if ((flags & ~(unsigned)REGISTER_FLAGS) != 0)
        return sim_refuse(hipErrorInvalidValue, "flags 0x%x", flags);
    if (!sim_memory_register(hip_current(), (uintptr_t)address, bytes, flags))
        return hipErrorHostMemoryAlreadyRegistered;
    return hipSuccess;
}

hipError_t hipHostRegister(void *address, size_t bytes, unsigned flags)
{
    RETURN_CALL(NEEDS_DEVICE | NOT_IN_CAPTURE, register_host(address, bytes, flags));
}

static int unregister_host(void *address)
{
    if (!sim_memory_remove((uintptr_t)address, SIM_REGISTERED))
        return sim_refuse(hipErrorHostMemoryNotRegistered,
                          "%p is not the beginning of registered memory", address);
    return hipSuccess;
}

hipError_t hipHostUnregister(void *address)
{
    RETURN_CALL(NEEDS_DEVICE | NOT_IN_CAPTURE | GIVES_BACK, unregister_host(address));
}

static int device_pointer(void **address_out, void *host, unsigned flags)
{
    const sim_range *range = sim_memory_find((uintptr_t)host);
    if (address_out == NULL || flags != 0)
        return sim_refuse(hipErrorInvalidValue, "devPtr is NULL or flags are not 0");
    if (range == NULL || range->kind == SIM_DEVICE)
        return sim_refuse(hipErrorInvalidValue, "%p is not page-locked memory", host);
    *address_out = host;
    return hipSuccess;
}

hipError_t hipHostGetDevicePointer(void **address_out, void *host, unsigned flags)
{
    RETURN_CALL(NEEDS_DEVICE, device_pointer(address_out, host, flags));
}

/*
 * hipMemoryType was renumbered in ROCm 6, where an address that the runtime does not know has a
 * type of its own and is no error any more.
 */
static int pointer_attributes(hipPointerAttribute_t *attributes, const void *address)
{
    const bool renumbered = hip_version() >= 60000000;
    const sim_range *range = sim_memory_find((uintptr_t)address);
    if (attributes == NULL || address == NULL)
        return sim_refuse(hipErrorInvalidValue, "attributes or ptr is NULL");
    if (range == NULL && !renumbered)
        return hipErrorInvalidValue;
    *attributes = (hipPointerAttribute_t){.device = -2};
    if (range == NULL)
        return hipSuccess;
    const int host = renumbered ? 1 : 0;
    attributes->device = range->context->device;
    attributes->devicePointer = (void *)(uintptr_t)address;
    attributes->hostPointer = range->kind == SIM_DEVICE ? NULL : attributes->devicePointer;
    attributes->isManaged = range->kind == SIM_MANAGED;
    attributes->type = range->kind == SIM_DEVICE ? host + 1 : host;
    if (range->kind == SIM_MANAGED)
        attributes->type = renumbered ? 3 : 4;
    attributes->allocationFlags = range->flags;
    return hipSuccess;
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *address)
{
    RETURN_CALL(NEEDS_DEVICE, pointer_attributes(attributes, address));
}

static int address_range(hipDeviceptr_t *base, size_t *bytes, uintptr_t address)
{
    const sim_range *range = sim_memory_find(address);
    if (range == NULL)
        return hipErrorNotFound;
    if (base != NULL)
        *base = (void *)range->begin;
    if (bytes != NULL)
        *bytes = range->bytes;
    return hipSuccess;
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t *base, size_t *bytes, hipDeviceptr_t address)
{
    RETURN_CALL(NEEDS_DEVICE, address_range(base, bytes, (uintptr_t)address));
}
