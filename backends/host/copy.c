/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The copying slots: they put a copy into a queue. A rectangle becomes a strided copy of its rows,
 * so that both go through the same kernels.
 */
#include "host.h"

#include <string.h>

#include "kernels.h"

static bool is_for_team(const astride_backend_queue *queue, size_t bytes)
{
    return queue->team_size > 1 && astride__host_team_pays(bytes);
}

void astride__host_copy_on_worker(astride_backend_queue *queue, const astride_strided *copy)
{
    if (is_for_team(queue, astride__host_strided_bytes(copy))) {
        if (queue->team == NULL)
            queue->team = astride__host_team_create(queue->team_size);
        if (queue->team != NULL) {
            astride__host_team_copy(queue->team, copy);
            return;
        }
    }
    astride__host_copy_strided(copy);
}

/* The two sides may overlap, which only memmove knows how to deal with. */
static bool overlaps(const void *dst, const void *src, size_t bytes)
{
    const uintptr_t to = (uintptr_t)dst, from = (uintptr_t)src;
    return to - from < bytes || from - to < bytes;
}

static void run_linear(astride_backend_queue *queue, const astride__host_command *command)
{
    const size_t bytes = command->linear.bytes;
    if (overlaps(command->linear.dst, command->linear.src, bytes)) {
        memmove(command->linear.dst, command->linear.src, bytes);
        return;
    }
    const astride_strided copy = {
        .dst.address = command->linear.dst,
        .src.address = (void *)(uintptr_t)command->linear.src,
        .unit_bytes = bytes,
    };
    astride__host_copy_on_worker(queue, &copy);
}

astride_status astride__host_copy_linear(astride_backend_queue *queue, const astride_operand *dst,
                                         const astride_operand *src, size_t bytes)
{
    if (astride__host_queue_takes_at_once(queue, bytes)) {
        if (overlaps(dst->address, src->address, bytes))
            memmove(dst->address, src->address, bytes);
        else
            astride__host_copy_run(dst->address, src->address, bytes);
        return ASTRIDE_OK;
    }
    astride__host_command *command = astride__host_queue_reserve(queue);
    command->run = run_linear;
    command->name = "copy";
    command->anywhere = !is_for_team(queue, bytes);
    command->linear.dst = dst->address;
    command->linear.src = src->address;
    command->linear.bytes = bytes;
    astride__host_queue_commit(queue);
    return ASTRIDE_OK;
}

static void run_strided(astride_backend_queue *queue, const astride__host_command *command)
{
    astride__host_copy_on_worker(queue, &command->strided.copy);
}

/* Puts a dimension outside of those that `copy` has, unless its extent is 1. */
static void add_outer_dimension(astride_strided *copy, size_t extent, size_t dst_stride,
                                size_t src_stride)
{
    if (extent == 1)
        return;
    for (int32_t d = copy->rank; d > 0; d--) {
        copy->extents[d] = copy->extents[d - 1];
        copy->dst_strides[d] = copy->dst_strides[d - 1];
        copy->src_strides[d] = copy->src_strides[d - 1];
    }
    copy->extents[0] = (int64_t)extent;
    copy->dst_strides[0] = (int64_t)dst_stride;
    copy->src_strides[0] = (int64_t)src_stride;
    copy->rank++;
}

static bool dense_rows(const astride_rect *rect)
{
    return rect->rows == 1 ||
           (rect->dst_row_pitch == rect->row_bytes && rect->src_row_pitch == rect->row_bytes);
}

static void rect_as_strided(const astride_rect *rect, astride_strided *copy)
{
    copy->dst = rect->dst;
    copy->src = rect->src;
    copy->unit_bytes = rect->row_bytes;
    copy->rank = 0;
    if (dense_rows(rect))
        copy->unit_bytes *= rect->rows;
    else
        add_outer_dimension(copy, rect->rows, rect->dst_row_pitch, rect->src_row_pitch);
    add_outer_dimension(copy, rect->slices, rect->dst_slice_pitch, rect->src_slice_pitch);
}

astride_status astride__host_copy_rect(astride_backend_queue *queue, const astride_rect *rect)
{
    const size_t bytes = rect->row_bytes * rect->rows * rect->slices;
    if (astride__host_queue_takes_at_once(queue, bytes)) {
        astride_strided copy;
        rect_as_strided(rect, &copy);
        astride__host_copy_strided(&copy);
        return ASTRIDE_OK;
    }
    astride__host_command *command = astride__host_queue_reserve(queue);
    command->run = run_strided;
    command->name = "copy";
    command->anywhere = !is_for_team(queue, bytes);
    rect_as_strided(rect, &command->strided.copy);
    astride__host_queue_commit(queue);
    return ASTRIDE_OK;
}

astride_status astride__host_copy_kernel(astride_backend_queue *queue, const astride_strided *copy)
{
    const size_t bytes = astride__host_strided_bytes(copy);
    if (astride__host_queue_takes_at_once(queue, bytes)) {
        astride__host_copy_part(copy, bytes);
        return ASTRIDE_OK;
    }
    astride__host_command *command = astride__host_queue_reserve(queue);
    command->run = run_strided;
    command->name = "copy";
    command->anywhere = !is_for_team(queue, bytes);
    command->strided.copy = *copy;
    astride__host_queue_commit(queue);
    return ASTRIDE_OK;
}
