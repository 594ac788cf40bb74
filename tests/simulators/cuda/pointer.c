/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Attributes of pointers in the simulated driver.
 */
#include <string.h>

#include "tests/simulators/cuda/driver.h"

static void put(void *data, const void *value, size_t bytes)
{
    memcpy(data, value, bytes);
}

/* Memory that the host may touch at the address has it as its host pointer. */
static int host_pointer(const sim_range *range, uintptr_t address, void *data)
{
    void *host = (void *)address;
    if (range->kind == SIM_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    put(data, &host, sizeof(host));
    return CUDA_SUCCESS;
}

static void put_unsigned(void *data, unsigned value)
{
    put(data, &value, sizeof(value));
}

/* One attribute of an address that the driver knows. */
static int get_known(void *data, CUpointer_attribute attribute, const sim_range *range,
                     uintptr_t address)
{
    const bool on_device = range->kind == SIM_DEVICE || range->kind == SIM_MANAGED;
    const CUdeviceptr device_address = address, begin = range->begin;
    const unsigned char managed = range->kind == SIM_MANAGED;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        put(data, &range->context, sizeof(range->context));
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        put_unsigned(data, on_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        put(data, &device_address, sizeof(device_address));
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        return host_pointer(range, address, data);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        put_unsigned(data, 0);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
        put(data, &range->id, sizeof(range->id));
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        put(data, &managed, sizeof(managed)); /* one byte, whatever comes behind it */
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        put(data, &range->context->device, sizeof(range->context->device));
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        put(data, &begin, sizeof(begin));
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        put(data, &range->bytes, sizeof(range->bytes));
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPED:
        put_unsigned(data, 1);
        return CUDA_SUCCESS;
    default:
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "pointer attribute %u", attribute);
    }
}

static int get_attribute(void *data, CUpointer_attribute attribute, CUdeviceptr address)
{
    const sim_range *range = sim_memory_find((uintptr_t)address);
    if (data == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "data is NULL");
    if (range == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    return get_known(data, attribute, range, (uintptr_t)address);
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr)
{
    RETURN_CALL(HAS_CONTEXT, get_attribute(data, attribute, ptr));
}

/* The default of an address that is not the driver's; -2 is the ordinal of no device. */
static void get_unknown(void *data, CUpointer_attribute attribute)
{
    static const unsigned char zero[sizeof(CUdeviceptr)];
    const int no_device = -2;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        put(data, &no_device, sizeof(no_device));
        break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        put(data, zero, 1);
        break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        put(data, zero, sizeof(unsigned));
        break;
    default:
        put(data, zero, sizeof(zero));
        break;
    }
}

static int get_attributes(unsigned count, const CUpointer_attribute *attributes, void **data,
                          CUdeviceptr address)
{
    const sim_range *range = sim_memory_find((uintptr_t)address);
    if (count == 0 || attributes == NULL || data == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "no attributes, or nowhere to put them");
    for (unsigned i = 0; i < count; i++) {
        if (data[i] == NULL)
            return sim_refuse(CUDA_ERROR_INVALID_VALUE, "data[%u] is NULL", i);
        if (range == NULL ||
            (attributes[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER && range->kind == SIM_DEVICE)) {
            get_unknown(data[i], attributes[i]);
            continue;
        }
        const int result = get_known(data[i], attributes[i], range, (uintptr_t)address);
        if (result != CUDA_SUCCESS)
            return result;
    }
    return CUDA_SUCCESS;
}

CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute *attributes,
                                void **data, CUdeviceptr ptr)
{
    RETURN_CALL(HAS_CONTEXT, get_attributes(numAttributes, attributes, data, ptr));
}
