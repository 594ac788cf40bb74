/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fills of a simulated driver: values of 8, 16 and 32 bits, flat and by rows.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/simulators/common/internal.h"

typedef struct job {
    uintptr_t dst;
    unsigned char *to;
    size_t pitch, width, height; /* width in values */
    size_t value_bytes;
    unsigned value;
    uint64_t range;
} job;

static void fill_row(const job *j, unsigned char *row)
{
    const size_t bytes = j->width * j->value_bytes;
    if (j->value_bytes == 1) {
        memset(row, (int)j->value, bytes);
        return;
    }
    /* The first value, then what there is once more, and so on. */
    memcpy(row, &j->value, j->value_bytes);
    for (size_t done = j->value_bytes; done < bytes; done *= 2)
        memcpy(row + done, row, done < bytes - done ? done : bytes - done);
}

static int run_job(void *argument)
{
    const job *j = argument;
    sim_lock();
    const sim_range *range = sim_memory_find(j->dst);
    const bool alive = range != NULL && range->id == j->range;
    if (!alive)
        sim_complain("memory was freed before a fill of it had run");
    sim_unlock();
    if (!alive)
        return SIM_ILLEGAL_ADDRESS;
    for (size_t y = 0; y < j->height; y++)
        fill_row(j, j->to + y * j->pitch);
    return SIM_SUCCESS;
}

static int check(const job *j, sim_context *context)
{
    size_t row, span;
    if (j->dst % j->value_bytes != 0)
        return sim_refuse(SIM_INVALID_VALUE, "the destination is not aligned to %zu bytes",
                          j->value_bytes);
    if (__builtin_mul_overflow(j->width, j->value_bytes, &row))
        return sim_refuse(SIM_INVALID_VALUE, "the width is larger than memory");
    if (j->height > 1 && (j->pitch % j->value_bytes != 0 || j->pitch < row))
        return sim_refuse(SIM_INVALID_VALUE, "the pitch %zu is below %zu or not aligned to %zu",
                          j->pitch, row, j->value_bytes);
    if (j->height > 1 && j->pitch > sim_setting.max_pitch)
        return sim_refuse(SIM_INVALID_VALUE, "the pitch %zu is above the maximum of %llu", j->pitch,
                          (unsigned long long)sim_setting.max_pitch);
    if (__builtin_mul_overflow(j->height - 1, j->height > 1 ? j->pitch : 0, &span) ||
        __builtin_add_overflow(span, row, &span))
        return sim_refuse(SIM_INVALID_VALUE, "the region is larger than memory");
    return sim_check_memory("the destination", j->dst, span, SIM_TYPE_DEVICE, context);
}

int sim_fill_enqueue(const sim_fill *fill, sim_context *context, sim_stream *stream, bool wait)
{
    if (fill->width == 0 || fill->height == 0)
        return SIM_SUCCESS;
    job *j = malloc(sizeof(*j));
    if (j == NULL)
        return SIM_OUT_OF_MEMORY;
    *j = (job){fill->dst,   NULL, fill->pitch, fill->width, fill->height, fill->value_bytes,
               fill->value, 0};
    int result = check(j, context);
    if (result != SIM_SUCCESS) {
        free(j);
        return result;
    }
    sim_note("%zu x %zu values of %zu bytes, pitch %zu", j->width, j->height, j->value_bytes,
             j->pitch);
    j->to = sim_view(j->dst);
    j->range = sim_memory_find(j->dst)->id;
    const bool on_host = sim_memory_find(j->dst)->kind != SIM_DEVICE;
    result = sim_stream_add(stream, (sim_work){run_job, free, j});
    /* Fills of device memory are asynchronous even without a stream; of host memory they are not.
     */
    if (result != SIM_SUCCESS || !wait || !on_host)
        return result;
    sim_stream_wait(stream);
    return context->lost;
}
