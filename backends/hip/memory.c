/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory: allocations of the three kinds, registration of host memory, and how an operand becomes
 * what the runtime's copies and kernels take. All addresses are unified ones, so that device memory
 * is known by the runtime's own address.
 */
#include "hip.h"

#include <stdlib.h>

static astride_status fail_alloc(const char *call, size_t bytes, hipError_t code)
{
    astride__hip_forget_error();
    return astride__hip_services->fail(astride__hip_error_status(code), "%s of %zu bytes: %s (%u)",
                                       call, bytes, astride__hip_error_name(code), code);
}

/* Pinned memory of all contexts, which kernels reach at the host's address. */
static astride_status alloc_host(astride__hip_allocation *allocation, size_t bytes)
{
    const hipError_t code = astride__hip.HostMalloc(&allocation->address, bytes,
                                                    hipHostMallocPortable | hipHostMallocMapped);
    if (code != hipSuccess)
        return fail_alloc("hipHostMalloc", bytes, code);
    allocation->mapped = allocation->address;
    allocation->is_host = true;
    return ASTRIDE_OK;
}

static astride_status alloc_device(astride__hip_allocation *allocation, size_t bytes, bool managed)
{
    const hipError_t code =
        managed ? astride__hip.MallocManaged(&allocation->mapped, bytes, hipMemAttachGlobal)
                : astride__hip.Malloc(&allocation->mapped, bytes);
    if (code != hipSuccess)
        return fail_alloc(managed ? "hipMallocManaged" : "hipMalloc", bytes, code);
    allocation->address = allocation->mapped;
    return ASTRIDE_OK;
}

astride_status astride__hip_memory_alloc(astride_backend_device *device, size_t bytes,
                                         astride_memory_kind kind, void **address_out,
                                         void **allocation_out)
{
    astride__hip_allocation *allocation = calloc(1, sizeof(*allocation));
    if (allocation == NULL)
        return astride__hip_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for an allocation");
    allocation->device = device;
    astride_status status = astride__hip_enter(device);
    if (status != ASTRIDE_OK)
        goto free_allocation;
    /* Where host and device may not use managed memory at once, mapped host memory is shared. */
    if (kind == ASTRIDE_MEMORY_DEVICE || (kind == ASTRIDE_MEMORY_SHARED && device->manages_memory))
        status = alloc_device(allocation, bytes, kind == ASTRIDE_MEMORY_SHARED);
    else
        status = alloc_host(allocation, bytes);
    astride__hip_leave();
    if (status != ASTRIDE_OK)
        goto free_allocation;
    *address_out = allocation->address;
    *allocation_out = allocation;
    return ASTRIDE_OK;

free_allocation:
    free(allocation);
    return status;
}

void astride__hip_memory_free(astride_backend_device *device, void *address, void *cookie)
{
    astride__hip_allocation *allocation = cookie;
    (void)address;
    if (astride__hip_enter_to_release(device)) {
        if (allocation->is_host)
            astride__hip_check_release("hipHostFree", astride__hip.HostFree(allocation->address));
        else
            astride__hip_check_release("hipFree", astride__hip.Free(allocation->mapped));
        astride__hip_leave();
    }
    free(allocation);
}

/* The address of registered memory on the device. The device is current. */
static astride_status map_registered(const astride_backend_device *device,
                                     astride__hip_allocation *allocation)
{
    allocation->mapped = allocation->address;
    if (device->registered_addresses)
        return ASTRIDE_OK;
    return astride__hip_check(
        "hipHostGetDevicePointer",
        astride__hip.HostGetDevicePointer(&allocation->mapped, allocation->address, 0));
}

astride_status astride__hip_memory_register(astride_backend_device *device, void *address,
                                            size_t bytes, void **allocation_out)
{
    if (!device->can_register)
        return astride__hip_services->fail(ASTRIDE_UNSUPPORTED,
                                           "the runtime lacks hipHostRegister");
    astride__hip_allocation *allocation = calloc(1, sizeof(*allocation));
    if (allocation == NULL)
        return astride__hip_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for an allocation");
    allocation->device = device;
    allocation->address = address;
    astride_status status = astride__hip_enter(device);
    if (status != ASTRIDE_OK)
        goto free_allocation;
    const hipError_t code =
        astride__hip.HostRegister(address, bytes, hipHostRegisterPortable | hipHostRegisterMapped);
    if (code != hipSuccess) {
        status = fail_alloc("hipHostRegister", bytes, code);
        goto leave;
    }
    status = map_registered(device, allocation);
    if (status != ASTRIDE_OK)
        goto unregister;
    astride__hip_leave();
    *allocation_out = allocation;
    return ASTRIDE_OK;

unregister:
    astride__hip_check_release("hipHostUnregister", astride__hip.HostUnregister(address));
leave:
    astride__hip_leave();
free_allocation:
    free(allocation);
    return status;
}

void astride__hip_memory_unregister(astride_backend_device *device, void *address, void *allocation)
{
    if (astride__hip_enter_to_release(device)) {
        astride__hip_check_release("hipHostUnregister", astride__hip.HostUnregister(address));
        astride__hip_leave();
    }
    free(allocation);
}

/* Shared memory is the device's where it is managed, else the host's. */
static bool is_host_memory(const astride_operand *operand)
{
    const astride__hip_allocation *allocation = operand->allocation;
    if (operand->kind == ASTRIDE_MEMORY_SHARED)
        return allocation != NULL && allocation->is_host;
    return operand->kind != ASTRIDE_MEMORY_DEVICE;
}

astride__hip_side astride__hip_side_of(const astride_operand *operand)
{
    return (astride__hip_side){operand->address, is_host_memory(operand)};
}

/*
 * Memory of this backend's, registered memory included, has an address for the device; other memory
 * has only one.
 */
astride_status astride__hip_kernel_address(const astride_backend_queue *queue,
                                           const astride_operand *operand, void **address_out)
{
    const astride__hip_allocation *allocation = operand->allocation;
    void *mapped = operand->address;
    if (allocation != NULL) {
        *address_out =
            (char *)allocation->mapped + ((char *)operand->address - (char *)allocation->address);
        return ASTRIDE_OK;
    }
    if (operand->kind == ASTRIDE_MEMORY_PINNED && !queue->device->registered_addresses &&
        astride__hip.HostGetDevicePointer != NULL) {
        const astride_status status =
            astride__hip_check("hipHostGetDevicePointer",
                               astride__hip.HostGetDevicePointer(&mapped, operand->address, 0));
        if (status != ASTRIDE_OK)
            return status;
    }
    *address_out = mapped;
    return ASTRIDE_OK;
}
