/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The life of a plan: creation from a descriptor, running it with other bases, references, and its
 * figures. How it is built is in plan_build.c.
 */
#include "hal/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/log.h"
#include "hal/remote.h"
#include "hal/staged.h"
#include "hal/trace.h"

const char *astride_strategy_name(astride_strategy strategy)
{
    switch (strategy) {
#define STRATEGY_NAME(name, value, word, text)                                                     \
    case name:                                                                                     \
        return word;
        ASTRIDE_STRATEGY_LIST(STRATEGY_NAME)
#undef STRATEGY_NAME
    }
    return "unknown";
}

void astride__plan_retain(astride_plan *plan)
{
    atomic_fetch_add_explicit(&plan->references, 1, memory_order_relaxed);
}

void astride__plan_release(astride_plan *plan)
{
    if (atomic_fetch_sub_explicit(&plan->references, 1, memory_order_acq_rel) != 1)
        return;
    astride__staged_destroy(plan->staged);
    astride__remote_destroy(plan->remote);
    if (plan->captured != NULL)
        astride__plan_release(plan->captured);
    free(plan);
}

bool astride__plan_is_idle(astride_plan *plan)
{
    if (plan->captured != NULL && !astride__plan_is_idle(plan->captured))
        return false;
    if (plan->remote != NULL)
        return astride__remote_is_idle(plan->remote);
    return plan->staged == NULL || astride__staged_is_idle(plan->staged);
}

void astride__plan_wait_idle(astride_plan *plan)
{
    if (plan->captured != NULL)
        astride__plan_wait_idle(plan->captured);
    if (plan->remote != NULL)
        astride__remote_wait_idle(plan->remote);
    if (plan->staged != NULL)
        astride__staged_wait_idle(plan->staged);
}

uint64_t astride__plan_temporary_bytes(const astride_plan *plan)
{
    uint64_t bytes = 0;
    if (plan->staged != NULL)
        bytes += astride__staged_temporary_bytes(plan->staged);
    if (plan->remote != NULL)
        bytes += astride__plan_temporary_bytes(plan->remote->plan);
    if (plan->captured != NULL)
        bytes += astride__plan_temporary_bytes(plan->captured);
    return bytes;
}

static bool is_kind(astride_memory_kind kind)
{
    return kind == ASTRIDE_MEMORY_HOST || kind == ASTRIDE_MEMORY_DEVICE ||
           kind == ASTRIDE_MEMORY_PINNED || kind == ASTRIDE_MEMORY_SHARED;
}

static astride_status check_options(const astride_plan_options *options)
{
    if (options->struct_size != sizeof *options)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "options: struct_size = %zu, but this version of the structure has "
                             "%zu bytes",
                             options->struct_size, sizeof *options);
    if ((options->flags & ~ASTRIDE_PLAN_UNBOUND) != 0)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "options: flags = 0x%" PRIx32 " has bits beyond ASTRIDE_PLAN_UNBOUND",
                             options->flags);
    if ((int)options->strategy < ASTRIDE_STRATEGY_AUTO ||
        (int)options->strategy > ASTRIDE_STRATEGY_HOST)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "options: strategy = %d is none",
                             (int)options->strategy);
    if ((options->flags & ASTRIDE_PLAN_UNBOUND) == 0)
        return ASTRIDE_OK;
    if (!is_kind(options->dst_kind))
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "options: dst_kind = %d is none",
                             (int)options->dst_kind);
    if (!is_kind(options->src_kind))
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "options: src_kind = %d is none",
                             (int)options->src_kind);
    return ASTRIDE_OK;
}

static astride_status create(astride_device *device, const astride_copy_desc *desc,
                             const astride_plan_options *options, astride_plan **plan_out)
{
    if (plan_out == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "plan_out is NULL");
    astride_status status = ASTRIDE_OK;
    if (options != NULL)
        status = check_options(options);
    astride__description description;
    if (status == ASTRIDE_OK)
        status = astride__describe_copy(desc, &description);
    if (status != ASTRIDE_OK)
        return status;

    astride_strategy strategy = device->forced_strategy;
    if (options != NULL && options->strategy != ASTRIDE_STRATEGY_AUTO)
        strategy = options->strategy;
    if (options != NULL && (options->flags & ASTRIDE_PLAN_UNBOUND) != 0)
        return astride__plan_build(device, &description, NULL, options->dst_kind, options->src_kind,
                                   strategy, plan_out);
    if (description.empty)
        return astride__plan_build(device, &description, NULL, ASTRIDE_MEMORY_HOST,
                                   ASTRIDE_MEMORY_HOST, strategy, plan_out);
    astride__binding binding;
    status = astride__bind(device, &description, desc->dst.base, desc->src.base, &binding);
    if (status != ASTRIDE_OK)
        return status;
    return astride__plan_build(device, &description, &binding, binding.dst.kind, binding.src.kind,
                               strategy, plan_out);
}

static astride_status create_as(const char *call, astride_device *device,
                                const astride_copy_desc *desc, const astride_plan_options *options,
                                astride_plan **plan_out)
{
    astride_status status = astride__device_check(device, call);
    if (status != ASTRIDE_OK)
        return status;
    status = create(device, desc, options, plan_out);
    if (status != ASTRIDE_OK)
        astride__fail_prefix("%s: ", call);
    return status;
}

astride_status astride_plan_create(astride_device *device, const astride_copy_desc *desc,
                                   astride_plan **plan_out)
{
    return create_as("astride_plan_create", device, desc, NULL, plan_out);
}

astride_status astride_plan_create_with(astride_device *device, const astride_copy_desc *desc,
                                        const astride_plan_options *options,
                                        astride_plan **plan_out)
{
    return create_as("astride_plan_create_with", device, desc, options, plan_out);
}

static astride_status fail_peer(const char *name, bool planned_peer, const astride__side *side)
{
    return astride__fail(ASTRIDE_PLAN_MISMATCH, "%s: planned for memory of %s device, %p is of %s",
                         name, planned_peer ? "another" : "the plan's", (void *)side->base,
                         side->peer ? "another one" : "the plan's");
}

static const char *owner_name(const astride_device *owner)
{
    return owner == NULL ? "the host" : owner->spec;
}

/* Whether the sides are where the plan expects them: on its device, or on which other ones. */
static astride_status accepts_places(const astride_plan *plan, const astride__binding *binding)
{
    astride_device *target;
    const bool routed = plan->dst_owner != NULL || plan->src_owner != NULL;
    const astride__side *sides[] = {&binding->dst, &binding->src};
    const astride_device *const owners[] = {plan->dst_owner, plan->src_owner};
    if (!routed && astride__binding_placement(binding, &target) == ASTRIDE__LOCAL)
        return ASTRIDE_OK;
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "dst" : "src";
        if (!routed && sides[i]->foreign)
            return astride__fail(
                ASTRIDE_PLAN_MISMATCH, "%s: planned for memory that %s reaches, %p is memory of %s",
                name, plan->device->spec, (void *)sides[i]->base, owner_name(sides[i]->owner));
        if (routed && sides[i]->owner != owners[i])
            return astride__fail(
                ASTRIDE_PLAN_MISMATCH, "%s: planned for memory of %s, %p is memory of %s", name,
                owner_name(owners[i]), (void *)sides[i]->base, owner_name(sides[i]->owner));
    }
    return ASTRIDE_OK;
}

astride_status astride__plan_accepts(const astride_plan *plan, const astride__binding *binding)
{
    const astride__situation *planned = &plan->situation;
    const astride_status status = accepts_places(plan, binding);
    if (status != ASTRIDE_OK)
        return status;
    if (plan->remote != NULL)
        return astride__remote_accepts(plan->remote, &plan->description, binding);
    if (planned->src_owner != NULL)
        return ASTRIDE_OK; /* from one device to another, the sides never overlap */
    if (binding->dst.kind != planned->dst_kind)
        return astride__fail(ASTRIDE_PLAN_MISMATCH, "dst: planned for %s memory, %p is %s memory",
                             astride__memory_kind_name(planned->dst_kind),
                             (void *)binding->dst.base,
                             astride__memory_kind_name(binding->dst.kind));
    if (binding->src.kind != planned->src_kind)
        return astride__fail(ASTRIDE_PLAN_MISMATCH, "src: planned for %s memory, %p is %s memory",
                             astride__memory_kind_name(planned->src_kind),
                             (void *)binding->src.base,
                             astride__memory_kind_name(binding->src.kind));
    if (binding->dst.peer != planned->dst_peer)
        return fail_peer("dst", planned->dst_peer, &binding->dst);
    if (binding->src.peer != planned->src_peer)
        return fail_peer("src", planned->src_peer, &binding->src);
    if (binding->same_allocation && !planned->same_allocation &&
        !plan->device->properties.capabilities.rect_within_allocation)
        return astride__fail(ASTRIDE_PLAN_MISMATCH,
                             "planned for two allocations, dst and src are in one");
    /* A plan for overlapping sides is right for disjoint ones as well. */
    if (planned->overlapping || !binding->reaches_intersect)
        return ASTRIDE_OK;
    if (plan->bound && plan->distance == binding->dst.base - binding->src.base)
        return ASTRIDE_OK;
    const astride__geometry *geometry = &plan->method.geometry;
    if (astride__overlap_between(geometry, binding->dst.base + (uintptr_t)geometry->dst_offset,
                                 binding->src.base + (uintptr_t)geometry->src_offset) ==
        ASTRIDE__DISJOINT)
        return ASTRIDE_OK;
    return astride__fail(ASTRIDE_PLAN_MISMATCH,
                         "planned for disjoint sides, dst at %p and src at %p overlap",
                         (void *)binding->dst.base, (void *)binding->src.base);
}

static void trace_copy(uint64_t begun, const astride_plan *plan)
{
    char name[32];
    snprintf(name, sizeof name, "copy, %s", astride_strategy_name(plan->strategy));
    const astride__trace_facts facts = {
        .device = plan->device->spec,
        .bytes = plan->description.bytes,
        .from = astride__memory_kind_name(plan->situation.src_kind),
        .to = astride__memory_kind_name(plan->situation.dst_kind),
    };
    astride__trace_end(begun, name, &facts);
}

astride_status astride__plan_execute(astride_plan *plan, astride_queue *queue,
                                     const astride__binding *binding)
{
    astride_status status;
    if (astride__log_enabled(ASTRIDE_LOG_DEBUG))
        astride__log(ASTRIDE_LOG_DEBUG, "%s: %s, %" PRIu64 " bytes from %p to %p",
                     plan->device->spec, astride_strategy_name(plan->strategy),
                     plan->description.bytes, (void *)binding->src.base, (void *)binding->dst.base);
    const uint64_t begun = astride__trace_begin();
    pthread_mutex_lock(&queue->lock);
    if (plan->captured != NULL && queue->device->plugin->queue_captured(queue->backend))
        plan = plan->captured;
    if (plan->remote != NULL)
        status = astride__remote_run(plan->remote, &plan->description, queue, binding);
    else if (plan->staged != NULL)
        status = astride__staged_run(plan->staged, plan, queue, &binding->dst, &binding->src);
    else
        status = astride__method_run(&plan->method, plan, queue, &binding->dst, &binding->src);
    pthread_mutex_unlock(&queue->lock);
    if (begun != 0)
        trace_copy(begun, plan);
    return status;
}

static astride_status run(astride_plan *plan, astride_queue *queue, void *dst_base,
                          const void *src_base)
{
    if (plan->device != queue->device)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "the plan is of %s, the queue of %s",
                             plan->device->spec, queue->device->spec);
    if (plan->description.empty)
        return ASTRIDE_OK;
    astride__binding binding;
    astride_status status =
        astride__bind(plan->device, &plan->description, dst_base, src_base, &binding);
    if (status == ASTRIDE_OK)
        status = astride__plan_accepts(plan, &binding);
    if (status == ASTRIDE_OK)
        status = astride__plan_execute(plan, queue, &binding);
    return status;
}

astride_status astride_plan_run(const astride_plan *plan, astride_queue *queue, void *dst_base,
                                const void *src_base)
{
    if (plan == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "astride_plan_run: plan is NULL");
    astride_status status = astride__queue_check(queue, "astride_plan_run");
    if (status != ASTRIDE_OK)
        return status;
    /* What a run changes, references and the turn at the temporaries, is guarded by itself. */
    status = run((astride_plan *)(uintptr_t)plan, queue, dst_base, src_base);
    if (status != ASTRIDE_OK)
        astride__fail_prefix("astride_plan_run: ");
    return status;
}

void astride_plan_destroy(astride_plan *plan)
{
    if (plan == NULL || astride__device_check(plan->device, "astride_plan_destroy") != ASTRIDE_OK)
        return;
    astride__plan_wait_idle(plan);
    astride__plan_release(plan);
}
