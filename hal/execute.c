/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Carrying out a method: the loop over the dimensions that the driver does not take, and one
 * backend call at each step of it.
 */
#include "hal/device.h"
#include "hal/method.h"
#include "hal/packer.h"
#include "hal/plan.h"

void astride__rect_fill(const astride__geometry *geometry, const astride__split *split,
                        astride_rect *rect)
{
    const int32_t row = split->inner_count > 0 ? split->inner[split->inner_count - 1] : -1;
    const int32_t slice = split->inner_count > 1 ? split->inner[0] : -1;

    rect->row_bytes = geometry->unit_bytes;
    rect->rows = row < 0 ? 1 : (size_t)geometry->extents[row];
    rect->slices = slice < 0 ? 1 : (size_t)geometry->extents[slice];
    rect->dst_row_pitch = row < 0 ? rect->row_bytes : (size_t)geometry->dst_strides[row];
    rect->src_row_pitch = row < 0 ? rect->row_bytes : (size_t)geometry->src_strides[row];
    rect->dst_slice_pitch =
        slice < 0 ? rect->rows * rect->dst_row_pitch : (size_t)geometry->dst_strides[slice];
    rect->src_slice_pitch =
        slice < 0 ? rect->rows * rect->src_row_pitch : (size_t)geometry->src_strides[slice];
}

static void fill_strided(const astride__method *method, astride_strided *copy)
{
    copy->unit_bytes = method->geometry.unit_bytes;
    copy->rank = method->split.inner_count;
    for (int32_t i = 0; i < copy->rank; i++) {
        const int32_t d = method->split.inner[i];
        copy->extents[i] = method->geometry.extents[d];
        copy->dst_strides[i] = method->geometry.dst_strides[d];
        copy->src_strides[i] = method->geometry.src_strides[d];
    }
}

/* The operation that a method repeats; only its operands change from call to call. */
union operation {
    astride_rect rect;
    astride_strided strided;
};

/* The operands are written straight to where the backend reads them: short copies notice. */
static astride_status call_backend(const astride__method *method, astride_queue *queue,
                                   union operation *operation, const astride__side *dst,
                                   int64_t dst_offset, const astride__side *src, int64_t src_offset)
{
    const astride_plugin *plugin = queue->device->plugin;
    if (method->strategy == ASTRIDE_STRATEGY_KERNEL) {
        operation->strided.dst = astride__side_operand(dst, dst_offset);
        operation->strided.src = astride__side_operand(src, src_offset);
        return plugin->copy_kernel(queue->backend, &operation->strided);
    }
    if (method->strategy == ASTRIDE_STRATEGY_LINEAR ||
        (method->strategy == ASTRIDE_STRATEGY_RECT_LOOP && method->split.inner_count == 0)) {
        const astride_operand dst_operand = astride__side_operand(dst, dst_offset);
        const astride_operand src_operand = astride__side_operand(src, src_offset);
        return plugin->copy_linear(queue->backend, &dst_operand, &src_operand,
                                   method->geometry.unit_bytes);
    }
    operation->rect.dst = astride__side_operand(dst, dst_offset);
    operation->rect.src = astride__side_operand(src, src_offset);
    return plugin->copy_rect(queue->backend, &operation->rect);
}

static astride_status run_loop(const astride__method *method, astride_queue *queue,
                               const astride__side *dst, const astride__side *src)
{
    const astride__geometry *geometry = &method->geometry;
    const astride__split *split = &method->split;
    int64_t index[ASTRIDE_MAX_RANK];
    int64_t dst_offset = geometry->dst_offset, src_offset = geometry->src_offset;
    union operation operation;

    for (int32_t i = 0; i < split->loop_count; i++)
        index[i] = 0;
    if (method->strategy == ASTRIDE_STRATEGY_KERNEL)
        fill_strided(method, &operation.strided);
    else
        astride__rect_fill(geometry, split, &operation.rect);

    for (;;) {
        const astride_status status =
            call_backend(method, queue, &operation, dst, dst_offset, src, src_offset);
        if (status != ASTRIDE_OK)
            return status;

        int32_t i = split->loop_count - 1;
        for (; i >= 0; i--) {
            const int32_t d = split->loop[i];
            dst_offset += geometry->dst_strides[d];
            src_offset += geometry->src_strides[d];
            if (++index[i] < geometry->extents[d])
                break;
            dst_offset -= geometry->extents[d] * geometry->dst_strides[d];
            src_offset -= geometry->extents[d] * geometry->src_strides[d];
            index[i] = 0;
        }
        if (i < 0)
            return ASTRIDE_OK;
    }
}

/* A staged plan lives until it is idle; any other one is kept by the copy. */
static astride_status enqueue_host_copy(const astride__method *method, astride_plan *plan,
                                        astride_queue *queue, const astride__side *dst,
                                        const astride__side *src)
{
    return astride__packer_enqueue(plan->packer, queue, plan->staged != NULL ? NULL : plan,
                                   &method->geometry,
                                   astride__side_operand(dst, method->geometry.dst_offset).address,
                                   astride__side_operand(src, method->geometry.src_offset).address);
}

astride_status astride__method_run(const astride__method *method, astride_plan *plan,
                                   astride_queue *queue, const astride__side *dst,
                                   const astride__side *src)
{
    if (method->strategy == ASTRIDE_STRATEGY_HOST)
        return enqueue_host_copy(method, plan, queue, dst, src);
    return run_loop(method, queue, dst, src);
}
