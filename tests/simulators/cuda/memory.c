/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory of the simulated driver: device, page-locked and managed memory, registration of the
 * program's own, and what an address means.
 */
#include "tests/simulators/cuda/driver.h"

enum {
    PITCH_ALIGNMENT = 512,
    HOST_FLAGS = 7,
    REGISTER_FLAGS = 15,
    PORTABLE = 1,
    DEVICEMAP = 2,
    REGISTER_IOMEMORY = 4
};

static int get_info(size_t *free_bytes, size_t *total)
{
    if (free_bytes == NULL || total == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "free or total is NULL");
    *total = sim_setting.memory_bytes;
    *free_bytes = *total - sim_memory_used(cuda_current()->device);
    return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(size_t *free, size_t *total)
{
    RETURN_CALL(HAS_CONTEXT, get_info(free, total));
}

static int alloc(CUdeviceptr *address_out, size_t bytes)
{
    uintptr_t address;
    if (address_out == NULL || bytes == 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "dptr is NULL or bytesize is 0");
    if (!sim_memory_alloc(cuda_current(), bytes, &address))
        return CUDA_ERROR_OUT_OF_MEMORY;
    *address_out = address;
    return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *dptr, size_t bytesize)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE, alloc(dptr, bytesize));
}

static int alloc_pitch(CUdeviceptr *address_out, size_t *pitch_out, size_t width, size_t height,
                       unsigned element)
{
    const size_t pitch = (width + PITCH_ALIGNMENT - 1) / PITCH_ALIGNMENT * PITCH_ALIGNMENT;
    if (element != 4 && element != 8 && element != 16)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "ElementSizeBytes %u is not 4, 8 or 16",
                          element);
    if (pitch_out == NULL || width == 0 || height == 0 || pitch < width ||
        height > SIZE_MAX / pitch)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "pPitch is NULL or a size is out of range");
    const int result = alloc(address_out, pitch * height);
    if (result == CUDA_SUCCESS)
        *pitch_out = pitch;
    return result;
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
                            unsigned int ElementSizeBytes)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE,
                alloc_pitch(dptr, pPitch, WidthInBytes, Height, ElementSizeBytes));
}

/* Frees memory of either kind; work of its context is waited for, as the driver does. */
static int free_device(CUdeviceptr address)
{
    const sim_range *range = sim_memory_find((uintptr_t)address);
    if (address == 0)
        return CUDA_SUCCESS;
    if (range == NULL || range->begin != address ||
        (range->kind != SIM_DEVICE && range->kind != SIM_MANAGED))
        return sim_refuse(CUDA_ERROR_INVALID_VALUE,
                          "0x%llx is not the beginning of an allocation of cuMemAlloc", address);
    const sim_kind kind = range->kind;
    sim_context_wait(range->context);
    sim_memory_remove((uintptr_t)address, kind);
    return CUDA_SUCCESS;
}

CUresult cuMemFree_v2(CUdeviceptr dptr)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE | GIVES_BACK, free_device(dptr));
}

static int address_range(CUdeviceptr *base, size_t *bytes, CUdeviceptr address)
{
    const sim_range *range = sim_memory_find((uintptr_t)address);
    if (range == NULL)
        return CUDA_ERROR_NOT_FOUND;
    if (base != NULL)
        *base = range->begin;
    if (bytes != NULL)
        *bytes = range->bytes;
    return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr)
{
    RETURN_CALL(HAS_CONTEXT, address_range(pbase, psize, dptr));
}

static int alloc_host(void **address_out, size_t bytes, unsigned flags)
{
    uintptr_t address;
    if (address_out == NULL || bytes == 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "pp is NULL or bytesize is 0");
    if ((flags & ~(unsigned)HOST_FLAGS) != 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "flags 0x%x", flags);
    if (!sim_memory_alloc_host(cuda_current(), bytes, SIM_PINNED, flags, &address))
        return CUDA_ERROR_OUT_OF_MEMORY;
    *address_out = (void *)address;
    return CUDA_SUCCESS;
}

CUresult cuMemAllocHost_v2(void **pp, size_t bytesize)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE, alloc_host(pp, bytesize, 0));
}

CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int flags)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE, alloc_host(pp, bytesize, flags));
}

/* Nothing is said about waiting: the program must have waited for work on the memory. */
static int free_host(void *address)
{
    if (!sim_memory_remove((uintptr_t)address, SIM_PINNED))
        return sim_refuse(CUDA_ERROR_INVALID_VALUE,
                          "%p is not the beginning of an allocation of cuMemHostAlloc", address);
    return CUDA_SUCCESS;
}

CUresult cuMemFreeHost(void *p)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE | GIVES_BACK, free_host(p));
}

static int device_pointer(CUdeviceptr *address_out, void *host, unsigned flags)
{
    const sim_range *range = sim_memory_find((uintptr_t)host);
    if (address_out == NULL || flags != 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "pdptr is NULL or flags are not 0");
    if (range == NULL || range->kind == SIM_DEVICE)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "%p is not page-locked memory", host);
    *address_out = (uintptr_t)host;
    return CUDA_SUCCESS;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *pdptr, void *p, unsigned int flags)
{
    RETURN_CALL(HAS_CONTEXT, device_pointer(pdptr, p, flags));
}

/* Under unified addressing all page-locked memory is portable and mapped. */
static int host_flags(unsigned int *flags, void *host)
{
    const sim_range *range = sim_memory_find((uintptr_t)host);
    if (flags == NULL || range == NULL || range->kind != SIM_PINNED)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "%p is not memory of cuMemHostAlloc", host);
    *flags = range->flags | DEVICEMAP;
    return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p)
{
    RETURN_CALL(HAS_CONTEXT, host_flags(pFlags, p));
}

static int alloc_managed(CUdeviceptr *address_out, size_t bytes, unsigned flags)
{
    uintptr_t address;
    sim_context *context = cuda_current();
    if (cuda_attribute(context->device, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY) == 0)
        return sim_refuse(CUDA_ERROR_NOT_SUPPORTED, "the device has no managed memory");
    if (address_out == NULL || bytes == 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "dptr is NULL or bytesize is 0");
    if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "flags 0x%x is not one of GLOBAL and HOST",
                          flags);
    if (!sim_memory_alloc_host(context, bytes, SIM_MANAGED, flags, &address))
        return CUDA_ERROR_OUT_OF_MEMORY;
    *address_out = address;
    return CUDA_SUCCESS;
}

CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE, alloc_managed(dptr, bytesize, flags));
}

static int register_host(void *address, size_t bytes, unsigned flags)
{
    sim_context *context = cuda_current();
    if (cuda_attribute(context->device, CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED) == 0)
        return sim_refuse(CUDA_ERROR_NOT_SUPPORTED, "the device cannot register host memory");
    if (address == NULL || bytes == 0 || bytes > UINTPTR_MAX - (uintptr_t)address)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "p is NULL or bytesize is out of range");
    if ((flags & ~(unsigned)REGISTER_FLAGS) != 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "flags 0x%x", flags);
    if ((flags & REGISTER_IOMEMORY) != 0)
        return sim_refuse(CUDA_ERROR_NOT_PERMITTED, "the memory is not of an I/O device");
    if (!sim_memory_register(context, (uintptr_t)address, bytes, flags))
        return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    return CUDA_SUCCESS;
}

CUresult cuMemHostRegister_v2(void *p, size_t bytesize, unsigned int flags)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE, register_host(p, bytesize, flags));
}

static int unregister_host(void *address)
{
    if (!sim_memory_remove((uintptr_t)address, SIM_REGISTERED))
        return sim_refuse(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED,
                          "%p is not the beginning of registered memory", address);
    return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *p)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE | GIVES_BACK, unregister_host(p));
}
