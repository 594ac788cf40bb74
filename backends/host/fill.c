/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The fill slot: a strided copy that reads its pattern again and again, with strides of 0. The
 * kernels know that case.
 */
#include "host.h"

#include <string.h>

#include "kernels.h"

/* The pattern is in the command itself, whose address is known only here. */
static void run_fill(astride_backend_queue *queue, const astride__host_command *command)
{
    astride_strided copy = command->strided.copy;
    uint8_t pattern[sizeof(command->strided.pattern)];
    memcpy(pattern, command->strided.pattern, sizeof(pattern));
    copy.src.address = pattern;
    astride__host_copy_on_worker(queue, &copy);
}

/* Adds a dimension to `copy`, before those of smaller stride. */
static void insert_dimension(astride_strided *copy, int64_t extent, int64_t stride)
{
    int32_t d = copy->rank++;
    for (; d > 0 && copy->dst_strides[d - 1] < stride; d--) {
        copy->extents[d] = copy->extents[d - 1];
        copy->dst_strides[d] = copy->dst_strides[d - 1];
    }
    copy->extents[d] = extent;
    copy->dst_strides[d] = stride;
}

astride_status astride__host_fill(astride_backend_queue *queue, const astride_strided_fill *fill)
{
    astride__host_command *command = astride__host_queue_reserve(queue);
    astride_strided *copy = &command->strided.copy;
    memset(copy, 0, sizeof(*copy));
    copy->dst = fill->dst;
    copy->unit_bytes = fill->pattern_bytes;
    for (int32_t d = 0; d < fill->rank; d++)
        insert_dimension(copy, fill->extents[d], fill->strides[d]);
    memcpy(command->strided.pattern, fill->pattern, sizeof(command->strided.pattern));
    command->run = run_fill;
    command->name = "fill";
    astride__host_queue_commit(queue);
    return ASTRIDE_OK;
}
