/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * astride_copy() and astride_copy_batch(): a descriptor becomes a plan, from the device's cache
 * where it was seen before, and the plan runs.
 */
#include <astride/copy.h>

#include <stdlib.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/plan.h"
#include "hal/plan_cache.h"
#include "hal/queue.h"

/* A descriptor that is checked, bound and planned: nothing but running it is left to do. */
typedef struct ready_copy {
    astride_plan *plan; /* a reference; NULL when there is nothing to copy */
    astride__binding binding;
} ready_copy;

static astride_status make_ready(astride_device *device, const astride_copy_desc *desc,
                                 ready_copy *copy)
{
    astride__description description;
    copy->plan = NULL;
    astride_status status = astride__describe_copy(desc, &description);
    if (status != ASTRIDE_OK || description.empty)
        return status;
    status = astride__bind(device, &description, desc->dst.base, desc->src.base, &copy->binding);
    if (status != ASTRIDE_OK)
        return status;
    return astride__plan_cache_get(device->plan_cache, device, &description, &copy->binding,
                                   &copy->plan);
}

static astride_status run_ready(astride_queue *queue, const ready_copy *copy)
{
    if (copy->plan == NULL)
        return ASTRIDE_OK;
    return astride__plan_execute(copy->plan, queue, &copy->binding);
}

static void give_back(ready_copy *copy)
{
    if (copy->plan != NULL)
        astride__plan_release(copy->plan);
}

astride_status astride_copy(astride_queue *queue, const astride_copy_desc *desc)
{
    astride_status status = astride__queue_check(queue, "astride_copy");
    if (status != ASTRIDE_OK)
        return status;
    ready_copy copy;
    status = make_ready(queue->device, desc, &copy);
    if (status == ASTRIDE_OK) {
        status = run_ready(queue, &copy);
        give_back(&copy);
    }
    if (status != ASTRIDE_OK)
        astride__fail_prefix("astride_copy: ");
    return status;
}

astride_status astride_copy_batch(astride_queue *queue, const astride_copy_desc *descs,
                                  size_t count)
{
    astride_status status = astride__queue_check(queue, "astride_copy_batch");
    if (status != ASTRIDE_OK || count == 0)
        return status;
    if (descs == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "astride_copy_batch: descs is NULL with count = %zu", count);
    ready_copy *copies = calloc(count, sizeof *copies);
    if (copies == NULL)
        return astride__fail(ASTRIDE_OUT_OF_MEMORY,
                             "astride_copy_batch: no memory for %zu descriptors", count);

    size_t ready_count = 0, done_count = 0;
    while (status == ASTRIDE_OK && ready_count < count) {
        status = make_ready(queue->device, &descs[ready_count], &copies[ready_count]);
        if (status == ASTRIDE_OK)
            ready_count++;
    }
    if (status != ASTRIDE_OK) {
        astride__fail_prefix("astride_copy_batch: descs[%zu]: ", ready_count);
        goto give_back_copies;
    }
    while (status == ASTRIDE_OK && done_count < count) {
        status = run_ready(queue, &copies[done_count]);
        if (status == ASTRIDE_OK)
            done_count++;
    }
    if (status != ASTRIDE_OK)
        astride__fail_prefix("astride_copy_batch: descs[%zu]: ", done_count);

give_back_copies:
    for (size_t i = 0; i < ready_count; i++)
        give_back(&copies[i]);
    free(copies);
    return status;
}
