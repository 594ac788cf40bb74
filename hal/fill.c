/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * astride_fill(): by the backend's fill where a kernel reaches the memory, on the host where that
 * does, and otherwise as a copy of one element to all.
 */
#include <stdlib.h>
#include <string.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/overlap.h"
#include "hal/plan.h"
#include "hal/trace.h"

/* A fill that is checked and bound. */
struct ready_fill {
    const astride_fill_desc *desc;
    astride__description description;
    astride__geometry geometry; /* unit = pattern; source strides 0 */
    astride__side dst;
};

/* Turns a widened unit back into a dimension of patterns, which all come from one place. */
static void shape_geometry(const astride__description *description, astride__geometry *geometry)
{
    astride__normalise(description, geometry);
    if (geometry->unit_bytes > description->element_bytes) {
        const int32_t last = geometry->rank++;
        geometry->extents[last] = (int64_t)(geometry->unit_bytes / description->element_bytes);
        geometry->dst_strides[last] = (int64_t)description->element_bytes;
        geometry->unit_bytes = description->element_bytes;
    }
    geometry->src_offset = 0;
    memset(geometry->src_strides, 0, sizeof geometry->src_strides);
}

static astride_status fill_natively(astride_queue *queue, const struct ready_fill *ready)
{
    const astride__geometry *geometry = &ready->geometry;
    const int32_t looped =
        geometry->rank > ASTRIDE_KERNEL_RANK ? geometry->rank - ASTRIDE_KERNEL_RANK : 0;
    astride_strided_fill fill = {.pattern_bytes = geometry->unit_bytes,
                                 .rank = geometry->rank - looped};
    memcpy(fill.pattern, ready->desc->pattern, fill.pattern_bytes);
    for (int32_t i = 0; i < fill.rank; i++) {
        fill.extents[i] = geometry->extents[looped + i];
        fill.strides[i] = geometry->dst_strides[looped + i];
    }

    int64_t index[ASTRIDE_MAX_RANK] = {0};
    int64_t offset = geometry->dst_offset;
    for (;;) {
        fill.dst = astride__side_operand(&ready->dst, offset);
        const astride_status status = queue->device->plugin->fill(queue->backend, &fill);
        if (status != ASTRIDE_OK)
            return status;
        int32_t d = looped - 1;
        for (; d >= 0; d--) {
            offset += geometry->dst_strides[d];
            if (++index[d] < geometry->extents[d])
                break;
            offset -= geometry->extents[d] * geometry->dst_strides[d];
            index[d] = 0;
        }
        if (d < 0)
            return ASTRIDE_OK;
    }
}

/* A fill on the host that waits for its turn in a queue. */
struct host_fill {
    astride__geometry geometry;
    void *dst;
    unsigned char pattern[16];
};

static void run_host_fill(void *argument)
{
    struct host_fill *fill = argument;
    astride__copy_elements(&fill->geometry, fill->dst, fill->pattern);
    free(fill);
}

static astride_status fill_on_host(astride_queue *queue, const struct ready_fill *ready)
{
    struct host_fill *fill = malloc(sizeof *fill);
    if (fill == NULL)
        return astride__fail(ASTRIDE_OUT_OF_MEMORY, "no memory for a fill on the host");
    fill->geometry = ready->geometry;
    fill->dst = astride__side_operand(&ready->dst, ready->geometry.dst_offset).address;
    memcpy(fill->pattern, ready->desc->pattern, ready->desc->element_bytes);
    const astride_status status = astride__queue_host_call(queue, run_host_fill, fill);
    if (status != ASTRIDE_OK)
        free(fill);
    return status;
}

/* Copies the pattern to every element. Waits, since the pattern is only alive during the call. */
static astride_status fill_by_copy(astride_queue *queue, struct ready_fill *ready)
{
    astride__description *description = &ready->description;
    memset(description->src_strides, 0, sizeof description->src_strides);
    description->src = (astride__reach){0, (int64_t)description->element_bytes};
    const astride__binding binding = {
        .dst = ready->dst,
        .src = {.kind = ASTRIDE_MEMORY_HOST, .base = (uintptr_t)ready->desc->pattern}};
    astride_plan *plan;
    astride_status status =
        astride__plan_build(queue->device, description, &binding, binding.dst.kind,
                            binding.src.kind, ASTRIDE_STRATEGY_AUTO, &plan);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__plan_execute(plan, queue, &binding);
    const astride_status waited = queue->device->plugin->queue_wait(queue->backend);
    astride__plan_release(plan);
    return status != ASTRIDE_OK ? status : waited;
}

static astride_status fill(astride_queue *queue, const astride_fill_desc *desc)
{
    struct ready_fill ready = {.desc = desc};
    astride_device *device = queue->device;
    astride_status status = astride__describe_fill(desc, &ready.description);
    if (status != ASTRIDE_OK || ready.description.empty)
        return status;
    status =
        astride__side_resolve(device, "dst", desc->dst.base, &ready.description.dst, &ready.dst);
    if (status == ASTRIDE_OK && ready.dst.foreign)
        status = astride__fail(ASTRIDE_UNSUPPORTED,
                               "dst: %p is memory of %s, which a fill on %s cannot reach",
                               desc->dst.base, ready.dst.owner->spec, device->spec);
    if (status != ASTRIDE_OK)
        return status;
    shape_geometry(&ready.description, &ready.geometry);
    status = astride__check_destination(&ready.description, &ready.geometry);
    if (status != ASTRIDE_OK)
        return status;

    const bool native = device->plugin->fill != NULL && !ready.dst.peer &&
                        astride__kernel_reaches(device, ready.dst.kind);
    if (!native && !astride__host_reaches(device, ready.dst.kind))
        return fill_by_copy(queue, &ready);
    const uint64_t begun = astride__trace_begin();
    pthread_mutex_lock(&queue->lock);
    status = native ? fill_natively(queue, &ready) : fill_on_host(queue, &ready);
    pthread_mutex_unlock(&queue->lock);
    astride__trace_end(begun, native ? "fill" : "fill, host",
                       &(astride__trace_facts){.device = device->spec,
                                               .bytes = ready.description.bytes,
                                               .to = astride__memory_kind_name(ready.dst.kind)});
    return status;
}

astride_status astride_fill(astride_queue *queue, const astride_fill_desc *desc)
{
    astride_status status = astride__queue_check(queue, "astride_fill");
    if (status != ASTRIDE_OK)
        return status;
    status = fill(queue, desc);
    if (status != ASTRIDE_OK)
        astride__fail_prefix("astride_fill: ");
    return status;
}
