/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Opening and closing a device, what it can do and what that costs.
 */
#include "hip.h"

#include <stdlib.h>

/* What is asked of a device when it is opened. */
typedef struct attributes {
    int maximum_pitch, unit_count, clock_kilohertz, bus_bits;
    int managed, concurrent, registered_addresses, pageable;
} attributes;

static astride_status read_attributes(int32_t ordinal, attributes *found)
{
    const struct {
        hipDeviceAttribute_t what;
        int unknown;
        int *value;
    } questions[] = {
        {hipDeviceAttributeMaxPitch, 0, &found->maximum_pitch},
        {hipDeviceAttributeMultiprocessorCount, 1, &found->unit_count},
        {hipDeviceAttributeMemoryClockRate, 0, &found->clock_kilohertz},
        {hipDeviceAttributeMemoryBusWidth, 0, &found->bus_bits},
        {hipDeviceAttributeManagedMemory, 0, &found->managed},
        {hipDeviceAttributeConcurrentManagedAccess, 0, &found->concurrent},
        {hipDeviceAttributeCanUseHostPointerForRegisteredMem, 0, &found->registered_addresses},
        {hipDeviceAttributePageableMemoryAccess, 0, &found->pageable},
    };
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
        const astride_status status = astride__hip_attribute(
            ordinal, questions[i].what, questions[i].unknown, questions[i].value);
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
        astride__hip.MallocManaged != NULL && found->managed != 0 && found->concurrent != 0;
    device->registered_addresses = found->registered_addresses != 0;
    device->can_register =
        astride__hip.HostRegister != NULL && astride__hip.HostUnregister != NULL &&
        (device->registered_addresses || astride__hip.HostGetDevicePointer != NULL);
    device->reads_pageable = found->pageable != 0;
}

static astride_status prepare(astride_backend_device *device)
{
    astride_status status = astride__hip_enter(device);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__hip_program_load(device);
    astride__hip_leave();
    return status;
}

astride_status astride__hip_device_open(int32_t index, astride_backend_device **device_out)
{
    astride__hip_place place;
    attributes found;
    if (!astride__hip_place_get(index, &place))
        return astride__hip_services->fail(ASTRIDE_NOT_FOUND, "there is no device %d", (int)index);
    astride_status status = read_attributes(index, &found);
    if (status != ASTRIDE_OK)
        return status;
    status = ASTRIDE_OUT_OF_MEMORY;
    astride_backend_device *device = calloc(1, sizeof(*device));
    if (device == NULL || pthread_mutex_init(&device->lock, NULL) != 0) {
        astride__hip_services->fail(status, "no memory for a device");
        goto free_device;
    }
    device->ordinal = index;
    device->memory_bytes = place.memory_bytes;
    take_attributes(device, &found);
    status = prepare(device);
    if (status != ASTRIDE_OK)
        goto destroy_lock;
    *device_out = device;
    return ASTRIDE_OK;

destroy_lock:
    pthread_mutex_destroy(&device->lock);
free_device:
    free(device);
    return status;
}

void astride__hip_device_close(astride_backend_device *device)
{
    if (device == NULL)
        return;
    if (astride__hip_enter_to_release(device)) {
        pthread_mutex_lock(&device->lock);
        for (astride_backend_queue *queue = device->queues; queue != NULL; queue = queue->next)
            astride__hip_check_release("hipStreamSynchronize",
                                       astride__hip.StreamSynchronize(queue->native));
        pthread_mutex_unlock(&device->lock);
        if (device->module != NULL)
            astride__hip_check_release("hipModuleUnload",
                                       astride__hip.ModuleUnload(device->module));
        astride__hip_leave();
    }
    pthread_mutex_destroy(&device->lock);
    free(device);
}

/*
 * What the runtime's operations cost, by what is usual; ratios count, not values.
 * - A call is 5 us on the processor; a host call stops the stream, wakes a thread of the runtime
 * and starts the stream again.
 * - Across the bus, the DMA engine moves rows one by one, and narrow ones take microseconds each
 *   (ROCm/rocm-systems#6910); the bus is PCI Express 4.0 x16.
 * - Within the device, rectangles are moved by the runtime's own kernels.
 * - A kernel spends about 20 ps on each unit beside moving it, with all compute units at work.
 */
static const astride_cost_model usual_cost = {
    .linear_call_ns = 6000,
    .rect_call_ns = 9000,
    .kernel_call_ns = 6000,
    .rect_row_ns = {5, 200, 200, 5},
    .kernel_unit_ns = 0.02,
    .bytes_per_ns = {8, 22, 22, 300},
    .kernel_bytes_per_ns = 290,
    .host_call_ns = 30000,
};

/* A chunk takes the bus about 100 us, several times what its calls cost, and the host about 200 us
   to pack: three of them keep both at work. */
#define STAGING_BYTES ((size_t)2 << 20)
#define STAGING_DEPTH 3

/* Each byte is read and written, and four fifths of the peak is what copies reach. */
#define COPIED_PART (0.8 / 2)

/*
 * Between host and device, a rectangle whose pitches or rows are no multiples of 4 is done by one
 * copy per row, some 60 times slower (ROCm/rocm-systems#5646), so that it is no rectangle to us.
 * The runtime refuses pitches near the maximum, which it keeps in an int.
 */
bool astride__hip_rect_supported(astride_backend_device *device, const astride_rect *rect)
{
    (void)device;
    const bool within_device =
        rect->dst.kind != ASTRIDE_MEMORY_HOST && rect->dst.kind != ASTRIDE_MEMORY_PINNED &&
        rect->src.kind != ASTRIDE_MEMORY_HOST && rect->src.kind != ASTRIDE_MEMORY_PINNED;
    if (within_device || rect->rows * rect->slices == 1)
        return true;
    return (rect->row_bytes | rect->dst_row_pitch | rect->src_row_pitch | rect->dst_slice_pitch |
            rect->src_slice_pitch) %
               4 ==
           0;
}

astride_status astride__hip_properties(astride_backend_device *device,
                                       astride_backend_properties *properties_out)
{
    astride_capabilities *capabilities = &properties_out->capabilities;
    for (int direction = 0; direction < ASTRIDE_DIRECTION_COUNT; direction++)
        capabilities->rect_rank[direction] = 3;
    /* hipMemcpy2DAsync and hipMemcpy3DAsync refuse a larger pitch (HIP runtime API reference,
       "Memory management", hipErrorInvalidPitchValue). */
    capabilities->maximum_pitch_bytes = device->maximum_pitch;
    /* hipPitchedPtr has a height in place of a slice pitch: rows from slice to slice. */
    capabilities->slice_multiple_of_row = true;
    /* No rule forbids it, and the core sees to it that the sides do not overlap. */
    capabilities->rect_within_allocation = true;
    capabilities->kernels = device->module != NULL;
    capabilities->kernel_reaches_pinned = true;
    capabilities->kernel_reaches_pageable = device->reads_pageable;
    capabilities->unified_addressing = true;
    capabilities->asynchronous = true;
    /* There is no copy of rectangles between devices that is the same in all releases. */
    capabilities->peer_access = false;
    capabilities->modules = astride__hip_has_modules();
    /* A line of the second-level cache. */
    capabilities->preferred_alignment_bytes = 128;
    capabilities->memory_bytes = device->memory_bytes;
    properties_out->cost = usual_cost;
    if (device->memory_bytes_ns > 0) {
        const double copied = device->memory_bytes_ns * COPIED_PART;
        properties_out->cost.bytes_per_ns[ASTRIDE_DEVICE_TO_DEVICE] = copied;
        properties_out->cost.kernel_bytes_per_ns = copied * 0.97;
    }
    /* "If host or dest are not pinned, the memory copy will be performed synchronously" (HIP
       runtime API reference, hipMemcpyAsync). */
    properties_out->pageable_copies_block = true;
    properties_out->foreign_addresses = astride__hip.PointerGetAttributes != NULL;
    properties_out->staging_chunk_bytes = STAGING_BYTES;
    properties_out->staging_depth = STAGING_DEPTH;
    /* Memory of hipHostMallocPortable is pinned for all devices, and a stream waits for events of
       other devices, too (HIP runtime API reference, hipHostMalloc, hipStreamWaitEvent). */
    properties_out->pinned_for_all = true;
    properties_out->events_for_all = true;
    return ASTRIDE_OK;
}
