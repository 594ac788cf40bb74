/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory: allocations of the three kinds, and how an operand becomes a buffer with an offset.
 * OpenCL's buffers have no addresses that a program could calculate with, so device memory is given
 * a range of inaccessible ones of its own: they are unique, and whoever dereferences one faults.
 */
#include "opencl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Alignment of allocations that the contract asks for. */
#define ALIGNMENT_BYTES ((size_t)64)

void *astride__opencl_reserve(size_t bytes, size_t *reserved_bytes_out)
{
    /* One page more than needed: the address behind the last byte belongs to no allocation. */
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (bytes > SIZE_MAX - 2 * page)
        return NULL;
    const size_t reserved_bytes = (bytes / page + 2) * page;
    void *address =
        mmap(NULL, reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED)
        return NULL;
    *reserved_bytes_out = reserved_bytes;
    return address;
}

static astride_status fail_too_large(const astride_backend_device *device, size_t bytes)
{
    return astride__opencl_services->fail(
        ASTRIDE_OUT_OF_MEMORY,
        "%zu bytes exceed the device's largest allocation, CL_DEVICE_MAX_MEM_ALLOC_SIZE = %llu",
        bytes, (unsigned long long)device->allocation_bytes_maximum);
}

static astride_status create_buffer(const astride_backend_device *device, cl_mem_flags flags,
                                    size_t bytes, void *host, cl_mem *buffer_out)
{
    cl_int code = CL_SUCCESS;
    if (bytes > device->allocation_bytes_maximum)
        return fail_too_large(device, bytes);
    cl_mem buffer = astride__cl.CreateBuffer(device->context, flags, bytes, host, &code);
    if (buffer == NULL)
        return astride__opencl_services->fail(astride__opencl_error_status(code),
                                              "clCreateBuffer of %zu bytes: %s (%d)", bytes,
                                              astride__opencl_error_name(code), (int)code);
    *buffer_out = buffer;
    return ASTRIDE_OK;
}

static astride_status alloc_device(const astride_backend_device *device,
                                   astride__opencl_allocation *allocation, void **address_out)
{
    astride_status status =
        create_buffer(device, CL_MEM_READ_WRITE, allocation->bytes, NULL, &allocation->buffer);
    if (status != ASTRIDE_OK)
        return status;
    allocation->reserved = astride__opencl_reserve(allocation->bytes, &allocation->reserved_bytes);
    if (allocation->reserved == NULL) {
        astride__cl.ReleaseMemObject(allocation->buffer);
        return astride__opencl_services->fail(ASTRIDE_OUT_OF_MEMORY,
                                              "mmap of %zu bytes of address space: %s",
                                              allocation->bytes, strerror(errno));
    }
    *address_out = allocation->reserved;
    return ASTRIDE_OK;
}

/*
 * Pinned memory is a buffer that stays mapped for its whole life. Its contents then belong to the
 * host (OpenCL 3.0, section 5.5.2.1): no command and no kernel gets the buffer, the mapped pointer
 * serves as the host side of transfers, which drivers recognise as page-locked.
 */
static astride_status alloc_pinned(astride_backend_device *device,
                                   astride__opencl_allocation *allocation, void **address_out)
{
    cl_int code = CL_SUCCESS;
    /* Room to align: drivers promise less than 64 bytes of a mapping's alignment. */
    const size_t bytes = allocation->bytes + ALIGNMENT_BYTES;
    astride_status status = create_buffer(device, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes,
                                          NULL, &allocation->buffer);
    if (status != ASTRIDE_OK)
        return status;
    pthread_mutex_lock(&device->lock);
    allocation->mapped =
        astride__cl.EnqueueMapBuffer(device->service, allocation->buffer, CL_TRUE,
                                     CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &code);
    pthread_mutex_unlock(&device->lock);
    if (allocation->mapped == NULL) {
        astride__cl.ReleaseMemObject(allocation->buffer);
        return astride__opencl_check("clEnqueueMapBuffer", code);
    }
    const uintptr_t address = (uintptr_t)allocation->mapped + ALIGNMENT_BYTES - 1;
    *address_out = (void *)(address & ~(uintptr_t)(ALIGNMENT_BYTES - 1));
    return ASTRIDE_OK;
}

/*
 * Shared memory is fine-grained virtual memory, which the host may access without mapping it, and
 * at the same time a buffer: one made with CL_MEM_USE_HOST_PTR of what clSVMAlloc gave uses that
 * very memory (OpenCL 3.0, section 5.2.1), so that every command and kernel takes it as it takes
 * any other.
 */
static astride_status alloc_shared(const astride_backend_device *device,
                                   astride__opencl_allocation *allocation, void **address_out)
{
    if (!device->shares_memory)
        return astride__opencl_services->fail(
            ASTRIDE_UNSUPPORTED,
            "the device has no fine-grained shared virtual memory "
            "(CL_DEVICE_SVM_FINE_GRAIN_BUFFER), which the host could access without a call");
    if (allocation->bytes > device->allocation_bytes_maximum)
        return fail_too_large(device, allocation->bytes);
    allocation->shared =
        astride__cl.SVMAlloc(device->context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
                             allocation->bytes, (cl_uint)ALIGNMENT_BYTES);
    if (allocation->shared == NULL)
        return astride__opencl_services->fail(ASTRIDE_OUT_OF_MEMORY,
                                              "clSVMAlloc of %zu bytes: NULL", allocation->bytes);
    const astride_status status =
        create_buffer(device, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, allocation->bytes,
                      allocation->shared, &allocation->buffer);
    if (status != ASTRIDE_OK) {
        astride__cl.SVMFree(device->context, allocation->shared);
        return status;
    }
    *address_out = allocation->shared;
    return ASTRIDE_OK;
}

astride_status astride__opencl_memory_alloc(astride_backend_device *device, size_t bytes,
                                            astride_memory_kind kind, void **address_out,
                                            void **allocation_out)
{
    astride_status status;
    astride__opencl_allocation *allocation = calloc(1, sizeof(*allocation));
    if (allocation == NULL)
        return astride__opencl_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for an allocation");
    allocation->kind = kind;
    allocation->bytes = bytes;
    if (kind == ASTRIDE_MEMORY_DEVICE)
        status = alloc_device(device, allocation, address_out);
    else if (kind == ASTRIDE_MEMORY_PINNED)
        status = alloc_pinned(device, allocation, address_out);
    else
        status = alloc_shared(device, allocation, address_out);
    if (status != ASTRIDE_OK) {
        free(allocation);
        return status;
    }
    *allocation_out = allocation;
    return ASTRIDE_OK;
}

void astride__opencl_memory_free(astride_backend_device *device, void *address, void *cookie)
{
    astride__opencl_allocation *allocation = cookie;
    (void)address;
    if (allocation->mapped != NULL) {
        pthread_mutex_lock(&device->lock);
        if (astride__cl.EnqueueUnmapMemObject(device->service, allocation->buffer,
                                              allocation->mapped, 0, NULL, NULL) == CL_SUCCESS)
            (void)astride__cl.Finish(device->service);
        pthread_mutex_unlock(&device->lock);
    }
    astride__cl.ReleaseMemObject(allocation->buffer);
    if (allocation->shared != NULL)
        astride__cl.SVMFree(device->context, allocation->shared);
    if (allocation->reserved != NULL)
        munmap(allocation->reserved, allocation->reserved_bytes);
    free(allocation);
}

/*
 * OpenCL has no call that pins memory that exists. A buffer of it with CL_MEM_USE_HOST_PTR would
 * allow the driver to keep a copy of all of it on the device, which is worse than nothing, so a
 * registered range is only known: copies are checked against its bounds, and drivers that page-lock
 * during a transfer do so as ever.
 */
astride_status astride__opencl_memory_register(astride_backend_device *device, void *address,
                                               size_t bytes, void **allocation_out)
{
    (void)device;
    (void)address;
    (void)bytes;
    *allocation_out = NULL;
    return ASTRIDE_OK;
}

void astride__opencl_memory_unregister(astride_backend_device *device, void *address,
                                       void *allocation)
{
    (void)device;
    (void)address;
    (void)allocation;
}

astride__opencl_side astride__opencl_side_of(const astride_operand *operand)
{
    const astride__opencl_allocation *allocation = operand->allocation;
    if (allocation == NULL || allocation->kind == ASTRIDE_MEMORY_PINNED)
        return (astride__opencl_side){.host = operand->address};
    return (astride__opencl_side){.buffer = allocation->buffer,
                                  .offset = allocation->buffer_offset + operand->offset_bytes,
                                  .misalignment = allocation->misalignment};
}
