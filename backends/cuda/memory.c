/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory: allocations of the three kinds, registration of host memory, and how an operand becomes
 * what the driver's copies and kernels take. All addresses are unified ones, so that device memory
 * is known by the driver's own address.
 */
#include "cuda.h"

#include <stdlib.h>

static astride_status fail_alloc(const char *call, size_t bytes, CUresult code)
{
    return astride__cuda_services->fail(astride__cuda_error_status(code),
                                        "%s of %zu bytes: %s (%u)", call, bytes,
                                        astride__cuda_error_name(code), code);
}

/* Pinned memory of all contexts, which kernels reach at the host's address. */
static astride_status alloc_host(astride__cuda_allocation *allocation, size_t bytes)
{
    const CUresult code = astride__cu.MemHostAlloc(
        &allocation->address, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
    if (code != CUDA_SUCCESS)
        return fail_alloc("cuMemHostAlloc", bytes, code);
    allocation->mapped = (CUdeviceptr)(uintptr_t)allocation->address;
    allocation->is_host = true;
    return ASTRIDE_OK;
}

static astride_status alloc_device(astride__cuda_allocation *allocation, size_t bytes, bool managed)
{
    const CUresult code =
        managed ? astride__cu.MemAllocManaged(&allocation->mapped, bytes, CU_MEM_ATTACH_GLOBAL)
                : astride__cu.MemAlloc(&allocation->mapped, bytes);
    if (code != CUDA_SUCCESS)
        return fail_alloc(managed ? "cuMemAllocManaged" : "cuMemAlloc", bytes, code);
    allocation->address = (void *)(uintptr_t)allocation->mapped;
    return ASTRIDE_OK;
}

astride_status astride__cuda_memory_alloc(astride_backend_device *device, size_t bytes,
                                          astride_memory_kind kind, void **address_out,
                                          void **allocation_out)
{
    astride__cuda_allocation *allocation = calloc(1, sizeof(*allocation));
    if (allocation == NULL)
        return astride__cuda_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for an allocation");
    allocation->device = device;
    astride_status status = astride__cuda_enter(device);
    if (status != ASTRIDE_OK)
        goto free_allocation;
    /* Where host and device may not use managed memory at once, mapped host memory is shared. */
    if (kind == ASTRIDE_MEMORY_DEVICE || (kind == ASTRIDE_MEMORY_SHARED && device->manages_memory))
        status = alloc_device(allocation, bytes, kind == ASTRIDE_MEMORY_SHARED);
    else
        status = alloc_host(allocation, bytes);
    astride__cuda_leave();
    if (status != ASTRIDE_OK)
        goto free_allocation;
    *address_out = allocation->address;
    *allocation_out = allocation;
    return ASTRIDE_OK;

free_allocation:
    free(allocation);
    return status;
}

void astride__cuda_memory_free(astride_backend_device *device, void *address, void *cookie)
{
    astride__cuda_allocation *allocation = cookie;
    (void)address;
    if (astride__cuda_enter_to_release(device)) {
        if (allocation->is_host)
            astride__cuda_check_release("cuMemFreeHost",
                                        astride__cu.MemFreeHost(allocation->address));
        else
            astride__cuda_check_release("cuMemFree", astride__cu.MemFree(allocation->mapped));
        astride__cuda_leave();
    }
    free(allocation);
}

/* The address of registered memory on the device. The context is current. */
static astride_status map_registered(const astride_backend_device *device,
                                     astride__cuda_allocation *allocation)
{
    allocation->mapped = (CUdeviceptr)(uintptr_t)allocation->address;
    if (device->registered_addresses)
        return ASTRIDE_OK;
    return astride__cuda_check(
        "cuMemHostGetDevicePointer",
        astride__cu.MemHostGetDevicePointer(&allocation->mapped, allocation->address, 0));
}

astride_status astride__cuda_memory_register(astride_backend_device *device, void *address,
                                             size_t bytes, void **allocation_out)
{
    if (!device->can_register)
        return astride__cuda_services->fail(ASTRIDE_UNSUPPORTED,
                                            "the device or its driver cannot register host memory "
                                            "(CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED)");
    astride__cuda_allocation *allocation = calloc(1, sizeof(*allocation));
    if (allocation == NULL)
        return astride__cuda_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for an allocation");
    allocation->device = device;
    allocation->address = address;
    astride_status status = astride__cuda_enter(device);
    if (status != ASTRIDE_OK)
        goto free_allocation;
    const CUresult code = astride__cu.MemHostRegister(
        address, bytes, CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP);
    if (code != CUDA_SUCCESS) {
        status = fail_alloc("cuMemHostRegister", bytes, code);
        goto leave;
    }
    status = map_registered(device, allocation);
    if (status != ASTRIDE_OK)
        goto unregister;
    astride__cuda_leave();
    *allocation_out = allocation;
    return ASTRIDE_OK;

unregister:
    astride__cuda_check_release("cuMemHostUnregister", astride__cu.MemHostUnregister(address));
leave:
    astride__cuda_leave();
free_allocation:
    free(allocation);
    return status;
}

void astride__cuda_memory_unregister(astride_backend_device *device, void *address,
                                     void *allocation)
{
    if (astride__cuda_enter_to_release(device)) {
        astride__cuda_check_release("cuMemHostUnregister", astride__cu.MemHostUnregister(address));
        astride__cuda_leave();
    }
    free(allocation);
}

static bool is_on_device(const astride_operand *operand)
{
    return operand->kind == ASTRIDE_MEMORY_DEVICE || operand->kind == ASTRIDE_MEMORY_SHARED;
}

astride__cuda_side astride__cuda_side_of(const astride_backend_queue *queue,
                                         const astride_operand *operand)
{
    const astride__cuda_allocation *allocation = operand->allocation;
    if (!is_on_device(operand))
        return (astride__cuda_side){
            .type = CU_MEMORYTYPE_HOST, .host = operand->address, .device = queue->device};
    return (astride__cuda_side){.type = CU_MEMORYTYPE_DEVICE,
                                .place = (CUdeviceptr)(uintptr_t)operand->address,
                                .device = allocation != NULL ? allocation->device : queue->device};
}

astride_status astride__cuda_kernel_address(const astride_backend_queue *queue,
                                            const astride_operand *operand,
                                            CUdeviceptr *address_out)
{
    const astride__cuda_allocation *allocation = operand->allocation;
    if (operand->kind != ASTRIDE_MEMORY_PINNED) {
        *address_out = (CUdeviceptr)(uintptr_t)operand->address;
        return ASTRIDE_OK;
    }
    if (allocation != NULL) {
        *address_out =
            allocation->mapped + ((uintptr_t)operand->address - (uintptr_t)allocation->address);
        return ASTRIDE_OK;
    }
    /* The program pinned it without us. */
    *address_out = (CUdeviceptr)(uintptr_t)operand->address;
    if (queue->device->registered_addresses || astride__cu.MemHostGetDevicePointer == NULL)
        return ASTRIDE_OK;
    return astride__cuda_check("cuMemHostGetDevicePointer", astride__cu.MemHostGetDevicePointer(
                                                                address_out, operand->address, 0));
}
