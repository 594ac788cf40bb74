/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Opening and closing a device, what it can do and what that costs.
 */
#include "cuda.h"

#include <stdlib.h>

/* What is asked of a device when it is opened. */
typedef struct attributes {
    int unified, maximum_pitch, unit_count, clock_kilohertz, bus_bits;
    int managed, concurrent, registered_addresses, can_register, pageable;
} attributes;

static astride_status read_attributes(CUdevice id, attributes *found)
{
    const struct {
        CUdevice_attribute what;
        int unknown;
        int *value;
    } questions[] = {
        {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 0, &found->unified},
        {CU_DEVICE_ATTRIBUTE_MAX_PITCH, 0, &found->maximum_pitch},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 1, &found->unit_count},
        {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 0, &found->clock_kilohertz},
        {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 0, &found->bus_bits},
        {CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 0, &found->managed},
        {CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 0, &found->concurrent},
        {CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 0,
         &found->registered_addresses},
        {CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 1, &found->can_register},
        {CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 0, &found->pageable},
    };
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
        const astride_status status = astride__cuda_attribute(
            id, questions[i].what, questions[i].unknown, questions[i].value);
        if (status != ASTRIDE_OK)
            return status;
    }
    return ASTRIDE_OK;
}

/* Twice the clock, since the memory transfers at both edges; kilohertz times bytes is 1e3 / s. */
static double memory_bandwidth(const attributes *found)
{
    if (found->clock_kilohertz <= 0 || found->bus_bits <= 0)
        return 0;
    return 2.0 * found->clock_kilohertz * found->bus_bits / 8 / 1e6;
}

static void take_attributes(astride_backend_device *device, const attributes *found)
{
    device->maximum_pitch = found->maximum_pitch > 0 ? (uint64_t)found->maximum_pitch : 0;
    device->unit_count = found->unit_count;
    device->memory_bytes_ns = memory_bandwidth(found);
    /* Without concurrent access the host faults on managed memory while any kernel runs. */
    device->manages_memory =
        astride__cu.MemAllocManaged != NULL && found->managed != 0 && found->concurrent != 0;
    device->registered_addresses = found->registered_addresses != 0;
    device->can_register =
        astride__cu.MemHostRegister != NULL && astride__cu.MemHostUnregister != NULL &&
        (device->registered_addresses || astride__cu.MemHostGetDevicePointer != NULL) &&
        found->can_register != 0;
    device->reads_pageable = found->pageable != 0;
}

static astride_status prepare(astride_backend_device *device)
{
    astride_status status = astride__cuda_enter(device);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__cuda_program_load(device);
    astride__cuda_leave();
    return status;
}

astride_status astride__cuda_device_open(int32_t index, astride_backend_device **device_out)
{
    astride__cuda_place place;
    attributes found;
    if (!astride__cuda_place_get(index, &place))
        return astride__cuda_services->fail(ASTRIDE_NOT_FOUND, "there is no device %d", (int)index);
    astride_status status = read_attributes(place.id, &found);
    if (status != ASTRIDE_OK)
        return status;
    /* Addresses that mean one thing each are what the core's map of memory rests on. */
    if (found.unified == 0)
        return astride__cuda_services->fail(ASTRIDE_UNSUPPORTED,
                                            "device %d has no unified addressing "
                                            "(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING)",
                                            (int)index);
    status = ASTRIDE_OUT_OF_MEMORY;
    astride_backend_device *device = calloc(1, sizeof(*device));
    if (device == NULL || pthread_mutex_init(&device->lock, NULL) != 0) {
        astride__cuda_services->fail(status, "no memory for a device");
        goto free_device;
    }
    device->id = place.id;
    device->ordinal = index;
    device->memory_bytes = place.memory_bytes;
    take_attributes(device, &found);
    status = astride__cuda_check("cuDevicePrimaryCtxRetain",
                                 astride__cu.DevicePrimaryCtxRetain(&device->context, device->id));
    if (status != ASTRIDE_OK)
        goto destroy_lock;
    status = prepare(device);
    if (status != ASTRIDE_OK)
        goto release_context;
    *device_out = device;
    return ASTRIDE_OK;

release_context:
    astride__cuda_check_release("cuDevicePrimaryCtxRelease",
                                astride__cu.DevicePrimaryCtxRelease(device->id));
destroy_lock:
    pthread_mutex_destroy(&device->lock);
free_device:
    free(device);
    return status;
}

void astride__cuda_device_close(astride_backend_device *device)
{
    if (device == NULL)
        return;
    if (astride__cuda_enter_to_release(device)) {
        pthread_mutex_lock(&device->lock);
        for (astride_backend_queue *queue = device->queues; queue != NULL; queue = queue->next)
            astride__cuda_check_release("cuStreamSynchronize",
                                        astride__cu.StreamSynchronize(queue->native));
        pthread_mutex_unlock(&device->lock);
        if (device->module != NULL)
            astride__cuda_check_release("cuModuleUnload", astride__cu.ModuleUnload(device->module));
        astride__cuda_leave();
    }
    astride__cuda_check_release("cuDevicePrimaryCtxRelease",
                                astride__cu.DevicePrimaryCtxRelease(device->id));
    pthread_mutex_destroy(&device->lock);
    free(device);
}

/*
 * What the driver's operations cost, by what is usual; ratios count, not values.
 * - A call is 2 us on the processor and about as much before the device begins with it; a rectangle
 *   takes the driver longer to prepare. A host call stops the stream, wakes a thread of the driver
 *   and starts the stream again.
 * - Across the bus, copy engines move rows one by one, and the bus is PCI Express 4.0 x16.
 * - Within the device, rectangles may be done by copy engines at a twentieth of what a kernel
 *   reaches (87 to 1,627 GiB/s in nccl#2177), which is charged by the row: rows are short where
 *   that matters.
 * - A kernel spends about 20 ps on each unit beside moving it, with all multiprocessors at work.
 */
static const astride_cost_model usual_cost = {
    .linear_call_ns = 4000,
    .rect_call_ns = 5000,
    .kernel_call_ns = 4000,
    .rect_row_ns = {5, 10, 10, 10},
    .kernel_unit_ns = 0.02,
    .bytes_per_ns = {8, 22, 22, 300},
    .kernel_bytes_per_ns = 290,
    .host_call_ns = 20000,
};

/* A chunk takes the bus about 100 us, several times what its calls cost, and the host about 200 us
   to pack: three of them keep both at work. */
#define STAGING_BYTES ((size_t)2 << 20)
#define STAGING_DEPTH 3

/* Each byte is read and written, and four fifths of the peak is what copies reach. */
#define COPIED_PART (0.8 / 2)

astride_status astride__cuda_properties(astride_backend_device *device,
                                        astride_backend_properties *properties_out)
{
    astride_capabilities *capabilities = &properties_out->capabilities;
    for (int direction = 0; direction < ASTRIDE_DIRECTION_COUNT; direction++)
        capabilities->rect_rank[direction] = 3;
    /* cuMemcpy2DAsync and cuMemcpy3DAsync refuse a larger pitch (CUDA driver API 13.0, "Memory
       management"). */
    capabilities->maximum_pitch_bytes = device->maximum_pitch;
    /* CUDA_MEMCPY3D has a height in place of a slice pitch: rows from slice to slice. */
    capabilities->slice_multiple_of_row = true;
    /* No rule forbids it, and the core sees to it that the sides do not overlap. */
    capabilities->rect_within_allocation = true;
    capabilities->kernels = device->module != NULL;
    capabilities->kernel_reaches_pinned = true;
    capabilities->kernel_reaches_pageable = device->reads_pageable;
    capabilities->unified_addressing = true;
    capabilities->asynchronous = true;
    capabilities->peer_access =
        astride__cu.MemcpyPeerAsync != NULL && astride__cu.Memcpy3DPeerAsync != NULL;
    capabilities->modules = astride__cuda_has_modules();
    /* A line of the second-level cache. */
    capabilities->preferred_alignment_bytes = 128;
    capabilities->memory_bytes = device->memory_bytes;
    properties_out->cost = usual_cost;
    if (device->memory_bytes_ns > 0) {
        const double copied = device->memory_bytes_ns * COPIED_PART;
        properties_out->cost.bytes_per_ns[ASTRIDE_DEVICE_TO_DEVICE] = copied;
        properties_out->cost.kernel_bytes_per_ns = copied * 0.97;
    }
    /* "API synchronization behavior" (CUDA driver API 13.0): from pageable memory the call returns
       when the bytes are in a buffer of the driver, to it when the copy is complete. */
    properties_out->pageable_copies_block = true;
    properties_out->foreign_addresses = astride__cu.PointerGetAttributes != NULL;
    properties_out->staging_chunk_bytes = STAGING_BYTES;
    if (!ASTRIDE_HAS_PROPERTY(astride__cuda_services, events_for_all))
        return ASTRIDE_OK;
    properties_out->staging_depth = STAGING_DEPTH;
    /* Memory of CU_MEMHOSTALLOC_PORTABLE is pinned for all contexts (CUDA driver API 13.0,
       cuMemHostAlloc), and a stream waits for events of other contexts and devices, too
       (cuStreamWaitEvent). A host function, on the other hand, must not wait for work that need not
       run before it (cuLaunchHostFunc). */
    properties_out->pinned_for_all = true;
    properties_out->events_for_all = true;
    return ASTRIDE_OK;
}
