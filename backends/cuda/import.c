/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Objects of the program: its allocations and streams. Both must belong to the primary context of
 * the device, which the runtime API uses too; memory that belongs to no context (of pools, or
 * mapped by hand) is taken by its device.
 */
#include "cuda.h"

#include <stdlib.h>

/* What the driver says of an address. */
typedef struct address_facts {
    CUmemorytype type; /* 0: nothing that the driver knows */
    unsigned int managed;
    int ordinal;
    CUcontext context; /* NULL: of none */
    CUdeviceptr base;
    size_t bytes; /* 0: the driver does not say */
} address_facts;

/* The context is current. */
static CUresult ask_driver(const void *address, address_facts *facts)
{
    const CUdeviceptr place = (CUdeviceptr)(uintptr_t)address;
    CUpointer_attribute whats[] = {
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_CONTEXT};
    void *answers[] = {&facts->type, &facts->managed, &facts->ordinal, &facts->context};
    CUpointer_attribute range_whats[] = {CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                         CU_POINTER_ATTRIBUTE_RANGE_SIZE};
    void *range_answers[] = {&facts->base, &facts->bytes};
    *facts = (address_facts){.type = 0};
    CUresult code = astride__cu.PointerGetAttributes(4, whats, answers, place);
    /* An address of a context without unified addressing is no concern of ours. */
    if (code == CUDA_ERROR_INVALID_CONTEXT) {
        facts->type = 0;
        return CUDA_SUCCESS;
    }
    if (code != CUDA_SUCCESS || facts->type == 0)
        return code;
    /* These two are younger than the others, and only bounds are checked less without them. */
    code = astride__cu.PointerGetAttributes(2, range_whats, range_answers, place);
    if (code != CUDA_ERROR_INVALID_VALUE)
        return code;
    facts->base = 0;
    facts->bytes = 0;
    return CUDA_SUCCESS;
}

static astride_status ask(const astride_backend_device *device, const void *address,
                          address_facts *facts)
{
    const astride_status status = astride__cuda_enter(device);
    if (status != ASTRIDE_OK)
        return status;
    const CUresult code = ask_driver(address, facts);
    astride__cuda_leave();
    return astride__cuda_check("cuPointerGetAttributes", code);
}

static astride_status check_import(const astride_backend_device *device, const address_facts *facts,
                                   uintptr_t address, size_t bytes)
{
    if (facts->type != CU_MEMORYTYPE_DEVICE)
        return astride__cuda_services->fail(
            ASTRIDE_INVALID_ARGUMENT,
            "%p is no device memory (CU_POINTER_ATTRIBUTE_MEMORY_TYPE "
            "= %u)",
            (void *)address, facts->type);
    if (facts->ordinal != device->ordinal)
        return astride__cuda_services->fail(ASTRIDE_INVALID_ARGUMENT,
                                            "%p is memory of the device with ordinal %d, not of %d",
                                            (void *)address, facts->ordinal, (int)device->ordinal);
    if (facts->context != NULL && facts->context != device->context)
        return astride__cuda_services->fail(
            ASTRIDE_INVALID_ARGUMENT,
            "%p is memory of the context %p, not of the device's primary one %p", (void *)address,
            (void *)facts->context, (void *)device->context);
    const size_t offset = address - (uintptr_t)facts->base;
    if (facts->bytes != 0 && (offset > facts->bytes || bytes > facts->bytes - offset))
        return astride__cuda_services->fail(
            ASTRIDE_INVALID_ARGUMENT,
            "%zu bytes at %p exceed the allocation of %zu bytes at 0x%llx", bytes, (void *)address,
            facts->bytes, facts->base);
    return ASTRIDE_OK;
}

astride_status astride__cuda_memory_import(astride_backend_device *device, void *handle,
                                           size_t bytes, void **address_out, void **allocation_out)
{
    address_facts facts;
    astride_status status = ASTRIDE_OK;
    if (astride__cu.PointerGetAttributes != NULL)
        status = ask(device, handle, &facts);
    if (status == ASTRIDE_OK && astride__cu.PointerGetAttributes != NULL)
        status = check_import(device, &facts, (uintptr_t)handle, bytes);
    if (status != ASTRIDE_OK)
        return status;
    astride__cuda_allocation *allocation = calloc(1, sizeof(*allocation));
    if (allocation == NULL)
        return astride__cuda_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for an allocation");
    allocation->device = device;
    allocation->address = handle;
    allocation->mapped = (CUdeviceptr)(uintptr_t)handle;
    *address_out = handle;
    *allocation_out = allocation;
    return ASTRIDE_OK;
}

void astride__cuda_memory_release(astride_backend_device *device, void *address, void *allocation)
{
    (void)device;
    (void)address;
    free(allocation);
}

/* Pinned memory is every device's; device memory of another device or context is not ours. */
astride_status astride__cuda_memory_query(astride_backend_device *device, const void *address,
                                          astride_memory_kind *kind_out, void **base_out,
                                          size_t *bytes_out)
{
    address_facts facts;
    if (astride__cu.PointerGetAttributes == NULL)
        return ASTRIDE_NOT_FOUND;
    const astride_status status = ask(device, address, &facts);
    if (status != ASTRIDE_OK)
        return status;
    if (facts.type != CU_MEMORYTYPE_HOST && facts.type != CU_MEMORYTYPE_DEVICE)
        return ASTRIDE_NOT_FOUND;
    astride_memory_kind kind = ASTRIDE_MEMORY_PINNED;
    if (facts.managed != 0)
        kind = ASTRIDE_MEMORY_SHARED;
    else if (facts.type == CU_MEMORYTYPE_DEVICE)
        kind = ASTRIDE_MEMORY_DEVICE;
    if (kind == ASTRIDE_MEMORY_DEVICE &&
        (facts.ordinal != device->ordinal ||
         (facts.context != NULL && facts.context != device->context)))
        return astride__cuda_services->fail(ASTRIDE_UNSUPPORTED,
                                            "%p is memory of another context (device ordinal %d)",
                                            address, facts.ordinal);
    *kind_out = kind;
    *base_out = facts.bytes != 0 ? (void *)(uintptr_t)facts.base : NULL;
    *bytes_out = facts.bytes;
    return ASTRIDE_OK;
}

/*
 * A stream handle of 1 is the legacy default stream and 2 the calling thread's default stream (CUDA
 * driver API 13.0, "Stream synchronization behavior"); both are taken as they are, in the device's
 * context. NULL is the first of them, by its name that means the same to every version of a call.
 */
#define LEGACY_STREAM ((uintptr_t)1)
#define PER_THREAD_STREAM ((uintptr_t)2)

static astride_status check_stream(const astride_backend_device *device, CUstream stream)
{
    CUcontext context = NULL;
    if (astride__cu.StreamGetCtx == NULL || (uintptr_t)stream == LEGACY_STREAM ||
        (uintptr_t)stream == PER_THREAD_STREAM)
        return ASTRIDE_OK;
    astride_status status = astride__cuda_enter(device);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__cuda_check("cuStreamGetCtx", astride__cu.StreamGetCtx(stream, &context));
    astride__cuda_leave();
    if (status == ASTRIDE_OK && context != device->context)
        return astride__cuda_services->fail(
            ASTRIDE_INVALID_ARGUMENT,
            "the stream is of the context %p, not of the device's primary one %p", (void *)context,
            (void *)device->context);
    return status;
}

astride_status astride__cuda_queue_import(astride_backend_device *device, void *native,
                                          astride_backend_queue **queue_out)
{
    const CUstream stream = native != NULL ? native : (CUstream)LEGACY_STREAM;
    astride_status status = check_stream(device, stream);
    if (status != ASTRIDE_OK)
        return status;
    astride_backend_queue *queue = NULL;
    status = astride__cuda_queue_wrap(device, stream, true, &queue);
    if (status != ASTRIDE_OK)
        return status;
    queue->of_thread = (uintptr_t)stream == PER_THREAD_STREAM;
    queue->thread = pthread_self();
    *queue_out = queue;
    return ASTRIDE_OK;
}
