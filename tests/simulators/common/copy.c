/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copies of a simulated driver: the checks of memory, and what copies do when they run. Pageable
 * memory is read before the call returns and written before it returns, which is what the vendors
 * allow at the worst (CUDA driver API, "API synchronization behavior"; HIP runtime API reference,
 * hipMemcpyAsync); all else is late.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/simulators/common/internal.h"

/* A copy as its stream carries it out. */
typedef struct job {
    uintptr_t dst, src;            /* as the program knows them */
    uint64_t dst_range, src_range; /* numbers of the allocations; 0: pageable */
    unsigned char *to;
    const unsigned char *from;
    size_t dst_pitch, dst_slice, src_pitch, src_slice;
    size_t width, height, depth;
    unsigned char *staged; /* the source as it was at the call, or NULL */
} job;

int sim_check_memory(const char *what, uintptr_t address, size_t bytes, sim_memory_type type,
                     sim_context *context)
{
    const sim_range *range = sim_memory_find(address);
    if (address == 0)
        return sim_refuse(SIM_INVALID_VALUE, "%s is NULL", what);
    if (type == SIM_TYPE_HOST && range != NULL && range->kind == SIM_DEVICE)
        return sim_refuse(SIM_INVALID_VALUE, "%s is device memory, given as host memory", what);
    if (type == SIM_TYPE_DEVICE && range == NULL)
        return sim_refuse(SIM_INVALID_VALUE, "%s %p is not in a live allocation", what,
                          (void *)address);
    if (range == NULL)
        return SIM_SUCCESS;
    if (bytes > range->bytes - (address - range->begin))
        return sim_refuse(SIM_INVALID_VALUE,
                          "%s: %zu bytes from offset %zu on reach out of an allocation of %zu",
                          what, bytes, (size_t)(address - range->begin), range->bytes);
    if (type == SIM_TYPE_DEVICE && !sim_memory_reachable(context, range))
        return sim_refuse(SIM_INVALID_VALUE,
                          "%s is memory of device %d, which device %d has no access to", what,
                          range->context->device, context->device);
    return SIM_SUCCESS;
}

unsigned char *sim_view(uintptr_t address)
{
    const sim_range *range = sim_memory_find(address);
    return (unsigned char *)address + (range != NULL ? range->to_private : 0);
}

static uint64_t range_of(uintptr_t address)
{
    const sim_range *range = sim_memory_find(address);
    return range != NULL ? range->id : 0;
}

/* Memory that was freed between the call and its turn. */
static bool still_alive(uintptr_t address, uint64_t range)
{
    return range == 0 || range_of(address) == range;
}

static void copy_rows(const job *j)
{
    for (size_t z = 0; z < j->depth; z++)
        for (size_t y = 0; y < j->height; y++)
            memmove(j->to + z * j->dst_slice + y * j->dst_pitch,
                    j->from + z * j->src_slice + y * j->src_pitch, j->width);
}

static int run_job(void *argument)
{
    const job *j = argument;
    sim_lock();
    const bool alive = still_alive(j->dst, j->dst_range) && still_alive(j->src, j->src_range);
    if (!alive)
        sim_complain("memory was freed before a copy that uses it had run");
    sim_unlock();
    if (!alive)
        return SIM_ILLEGAL_ADDRESS;
    copy_rows(j);
    return SIM_SUCCESS;
}

static void release_job(void *argument)
{
    job *j = argument;
    free(j->staged);
    free(j);
}

/* Keeps what pageable memory holds now. */
static bool stage(job *j)
{
    job packing = *j;
    j->staged = malloc(j->width * j->height * j->depth);
    if (j->staged == NULL)
        return false;
    packing.to = j->staged;
    packing.dst_pitch = j->width;
    packing.dst_slice = j->width * j->height;
    copy_rows(&packing);
    j->from = j->staged;
    j->src_pitch = packing.dst_pitch;
    j->src_slice = packing.dst_slice;
    return true;
}

static size_t span_of(const sim_copy *copy, const sim_side *side)
{
    return (copy->depth - 1) * side->slice + (copy->height - 1) * side->pitch + copy->width;
}

static bool is_device(uintptr_t address)
{
    const sim_range *range = sim_memory_find(address);
    return range != NULL && range->kind != SIM_PINNED && range->kind != SIM_REGISTERED;
}

static const char *direction_of(const sim_copy *copy)
{
    const bool to_device = is_device(copy->dst.address);
    const bool from_device = is_device(copy->src.address);
    if (to_device == from_device)
        return "other copy";
    return to_device ? "host to device" : "device to host";
}

static int check_sides(const sim_copy *copy)
{
    int result = sim_check_memory("the destination", copy->dst.address, span_of(copy, &copy->dst),
                                  copy->dst.type, copy->dst.context);
    if (result == SIM_SUCCESS)
        result = sim_check_memory("the source", copy->src.address, span_of(copy, &copy->src),
                                  copy->src.type, copy->src.context);
    const bool flat = copy->height * copy->depth == 1;
    if (result == SIM_SUCCESS && flat && copy->dst.address < copy->src.address + copy->width &&
        copy->src.address < copy->dst.address + copy->width)
        return sim_refuse(SIM_INVALID_VALUE, "source and destination overlap");
    return result;
}

static int enqueue(const sim_copy *copy, sim_stream *stream, bool wait)
{
    const bool captured = stream->capture != NULL;
    job *j = malloc(sizeof(*j));
    if (j == NULL)
        return SIM_OUT_OF_MEMORY;
    *j = (job){.dst = copy->dst.address,
               .src = copy->src.address,
               .dst_range = range_of(copy->dst.address),
               .src_range = range_of(copy->src.address),
               .to = sim_view(copy->dst.address),
               .from = sim_view(copy->src.address),
               .dst_pitch = copy->dst.pitch,
               .dst_slice = copy->dst.slice,
               .src_pitch = copy->src.pitch,
               .src_slice = copy->src.slice,
               .width = copy->width,
               .height = copy->height,
               .depth = copy->depth};
    const bool staged = j->src_range == 0 && j->dst_range != 0 && !captured;
    const bool pageable_dst = j->dst_range == 0;
    const bool on_devices = is_device(copy->dst.address) && is_device(copy->src.address);
    const bool on_host = !is_device(copy->dst.address) && !is_device(copy->src.address);
    if (staged && !stage(j)) {
        free(j);
        return SIM_OUT_OF_MEMORY;
    }
    const char *name = direction_of(copy);
    const size_t bytes = j->width * j->height * j->depth;
    const int result = sim_stream_add(
        stream, sim_task_timed(name, stream, bytes, (sim_work){run_job, release_job, j}));
    const bool must_wait = pageable_dst || on_host || (wait && !staged && !on_devices);
    if (result != SIM_SUCCESS || captured || !must_wait)
        return result;
    sim_context *context = stream->context;
    sim_stream_wait(stream);
    return context->lost;
}

int sim_copy_enqueue(const sim_copy *copy, sim_stream *stream, bool wait)
{
    if (copy->width == 0 || copy->height == 0 || copy->depth == 0)
        return SIM_SUCCESS;
    const int result = check_sides(copy);
    return result == SIM_SUCCESS ? enqueue(copy, stream, wait) : result;
}
