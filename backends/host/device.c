/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The host's one device: what it is called, what it can do and what that costs.
 */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels.h"

astride_status astride__host_probe(int32_t *device_count_out)
{
    *device_count_out = 1;
    return ASTRIDE_OK;
}

static uint64_t memory_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : 0;
}

/*
 * The model of the processor as /proc/cpuinfo of x86 has it: "model name : ...". Other
 * architectures give numbers or nothing there; they are called "host".
 */
static void processor_name(char *name, size_t name_bytes)
{
    char line[512];
    snprintf(name, name_bytes, "host");
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file)
        return;
    while (fgets(line, sizeof(line), file)) {
        if (strncmp(line, "model name", strlen("model name")) != 0)
            continue;
        const char *value = strchr(line, ':');
        if (!value)
            continue;
        value += 1 + strspn(value + 1, " \t");
        size_t length = strcspn(value, "\n");
        while (length > 0 && value[length - 1] == ' ')
            length--;
        if (length > 0) {
            snprintf(name, name_bytes, "%.*s", (int)length, value);
            break;
        }
    }
    fclose(file);
}

/* The core asks only for devices that probe counted. */
astride_status astride__host_describe(int32_t index, astride_device_info *info_out)
{
    (void)index;
    processor_name(info_out->name, sizeof(info_out->name));
    info_out->memory_bytes = memory_bytes();
    return ASTRIDE_OK;
}

astride_status astride__host_device_open(int32_t index, astride_backend_device **device_out)
{
    if (index != 0)
        return astride__host_services->fail(
            ASTRIDE_NOT_FOUND, "host: there is no device %d: the host is device 0", (int)index);
    const astride_status status = astride__host_simd_check();
    if (status != ASTRIDE_OK)
        return status;
    astride_backend_device *device = calloc(1, sizeof(*device));
    if (!device)
        goto no_memory;
    if (pthread_mutex_init(&device->lock, NULL) != 0)
        goto free_device;
    *device_out = device;
    return ASTRIDE_OK;

free_device:
    free(device);
no_memory:
    return astride__host_services->fail(ASTRIDE_OUT_OF_MEMORY, "host: no memory for a device");
}

void astride__host_device_close(astride_backend_device *device)
{
    if (!device)
        return;
    pthread_mutex_lock(&device->lock);
    /* No queue should be left; one that is must not look for its device when it is destroyed. */
    for (astride_backend_queue *queue = device->queues; queue; queue = queue->next) {
        astride__host_queue_wait(queue);
        queue->device = NULL;
    }
    pthread_mutex_unlock(&device->lock);
    pthread_mutex_destroy(&device->lock);
    free(device);
}

void astride__host_device_add_queue(astride_backend_device *device, astride_backend_queue *queue)
{
    pthread_mutex_lock(&device->lock);
    queue->next = device->queues;
    if (queue->next)
        queue->next->previous = queue;
    device->queues = queue;
    pthread_mutex_unlock(&device->lock);
}

void astride__host_device_remove_queue(astride_backend_queue *queue)
{
    astride_backend_device *device = queue->device;
    if (!device)
        return;
    pthread_mutex_lock(&device->lock);
    if (queue->previous)
        queue->previous->next = queue->next;
    else
        device->queues = queue->next;
    if (queue->next)
        queue->next->previous = queue->previous;
    pthread_mutex_unlock(&device->lock);
}

/*
 * Rough figures of a 2-core x86-64 machine (EPYC 9004, memcpy of 64 MiB: 12 GB/s), compiled with
 * -O2; a call is what a caller pays per command when it enqueues 200,000 copies of 64 bytes (80 to
 * 125 ns), for a kernel with the choice of its loops. A row is what 262,144 rows of 64 bytes out of
 * 256 took beyond their bytes, out of cache. A unit is the same for 65,536 floats of every second,
 * in cache. Rectangles and kernels run through the same loops, so their bandwidth is the same; a
 * loop of rectangles must not win, because each of its calls would be taken for a small copy.
 */
static const astride_cost_model cost_model = {
    .linear_call_ns = 120,
    .rect_call_ns = 120,
    .kernel_call_ns = 150,
    .rect_row_ns = {5, 5, 5, 5},
    .kernel_unit_ns = 0.3,
    .bytes_per_ns = {10, 10, 10, 10},
    .kernel_bytes_per_ns = 10,
    .host_call_ns = 200,
};

astride_status astride__host_properties(astride_backend_device *device,
                                        astride_backend_properties *properties_out)
{
    (void)device;
    astride_capabilities *capabilities = &properties_out->capabilities;
    for (int direction = 0; direction < ASTRIDE_DIRECTION_COUNT; direction++)
        capabilities->rect_rank[direction] = 3;
    capabilities->rect_within_allocation = true;
    capabilities->kernels = true;
    capabilities->kernel_reaches_pinned = true;
    capabilities->kernel_reaches_pageable = true;
    capabilities->host_reaches_device = true;
    capabilities->unified_addressing = true;
    capabilities->asynchronous = true;
    capabilities->preferred_alignment_bytes = 64;
    capabilities->memory_bytes = memory_bytes();
    properties_out->cost = cost_model;
    properties_out->linear_overlap = true;
    properties_out->pinned_for_all = true;
    /* Each queue has a worker of its own. */
    properties_out->host_calls_may_wait = true;
    return ASTRIDE_OK;
}
