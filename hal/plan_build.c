/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * From a checked description to a plan: bind the bases to memory, normalise, prove the destination
 * free of self-overlap, find how the sides overlap, judge every strategy and take the cheapest.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/log.h"
#include "hal/packer.h"
#include "hal/plan.h"
#include "hal/remote.h"
#include "hal/staged.h"
#include "hal/trace.h"

astride_status astride__bind(astride_device *device, const astride__description *description,
                             const void *dst_base, const void *src_base, astride__binding *binding)
{
    const astride__reach *dst = &description->dst, *src = &description->src;
    astride_status status = astride__side_resolve(device, "dst", dst_base, dst, &binding->dst);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__side_resolve(device, "src", src_base, src, &binding->src);
    if (status != ASTRIDE_OK)
        return status;
    binding->same_allocation = astride__sides_share_allocation(&binding->dst, &binding->src);
    /* Neither end wraps: the bases were checked. */
    binding->reaches_intersect =
        binding->dst.base + (uintptr_t)dst->low < binding->src.base + (uintptr_t)src->high &&
        binding->src.base + (uintptr_t)src->low < binding->dst.base + (uintptr_t)dst->high;
    return ASTRIDE_OK;
}

/* Whether one device copies between its own memory and that of another. */
static bool are_peers(const astride_device *first, const astride_device *second)
{
    return first->plugin == second->plugin && first->properties.capabilities.peer_access &&
           second->properties.capabilities.peer_access;
}

astride__placement astride__binding_placement(const astride__binding *binding,
                                              astride_device **target_out)
{
    astride_device *const dst = binding->dst.owner, *const src = binding->src.owner;
    if (!binding->dst.foreign && !binding->src.foreign)
        return ASTRIDE__LOCAL;
    if (dst != NULL && src != NULL && dst != src && !are_peers(dst, src))
        return ASTRIDE__BETWEEN;
    *target_out = dst != NULL ? dst : src;
    return ASTRIDE__REMOTE;
}

/* Names the dimensions of the descriptor along which two elements of the destination share bytes.
 */
static astride_status fail_overlap(const astride__description *description)
{
    astride__geometry unmerged = {.unit_bytes = description->element_bytes};
    int32_t dimensions[ASTRIDE_MAX_RANK];
    for (int32_t d = 0; d < description->rank; d++) {
        const int64_t stride = description->dst_strides[d];
        if (description->extents[d] == 1)
            continue;
        dimensions[unmerged.rank] = d;
        unmerged.extents[unmerged.rank] = description->extents[d];
        unmerged.dst_strides[unmerged.rank] = stride < 0 ? -stride : stride;
        unmerged.rank++;
    }

    int64_t difference[ASTRIDE_MAX_RANK] = {0};
    char words[256] = "";
    size_t used = 0;
    if (astride__overlap_within(&unmerged, difference) == ASTRIDE__OVERLAPPING) {
        for (int32_t i = 0; i < unmerged.rank && used < sizeof words; i++) {
            const int32_t d = dimensions[i];
            if (difference[i] == 0)
                continue;
            const int64_t steps = description->dst_strides[d] < 0 ? -difference[i] : difference[i];
            const int length =
                snprintf(words + used, sizeof words - used,
                         "%s%" PRId64 " of strides[%" PRId32 "] = %" PRId64,
                         used == 0 ? ": steps " : ", ", steps, d, description->dst_strides[d]);
            used += length > 0 ? (size_t)length : 0;
        }
    }
    return astride__fail(ASTRIDE_OVERLAP, "dst: two elements of %zu bytes share bytes%s",
                         description->element_bytes, words);
}

astride_status astride__check_destination(const astride__description *description,
                                          const astride__geometry *geometry)
{
    switch (astride__overlap_within(geometry, NULL)) {
    case ASTRIDE__DISJOINT:
        return ASTRIDE_OK;
    case ASTRIDE__OVERLAPPING:
        return fail_overlap(description);
    case ASTRIDE__UNDECIDED:
        break;
    }
    return astride__fail(ASTRIDE_UNSUPPORTED,
                         "dst: could not prove within bounded effort that no two elements of %zu "
                         "bytes share bytes",
                         description->element_bytes);
}

/* Judges every strategy. The design of staging is kept, for it may win. */
static void judge_all(astride_plan *plan)
{
    for (int strategy = ASTRIDE_STRATEGY_LINEAR; strategy <= ASTRIDE_STRATEGY_HOST; strategy++) {
        if (strategy == ASTRIDE_STRATEGY_STAGED)
            plan->staged = astride__staged_design(&plan->situation, &plan->method.geometry,
                                                  &plan->candidates[strategy]);
        else
            plan->candidates[strategy] =
                astride__method_judge(&plan->situation, (astride_strategy)strategy, &plan->method);
    }
}

/* A plan that waits beside another one for a queue that is captured holds no temporaries of its
   own where it can do without. */
static astride_strategy cheapest(const astride_plan *plan)
{
    astride__candidate candidates[ASTRIDE__STRATEGY_COUNT];
    if (!plan->situation.captured)
        return astride__cheapest(plan->candidates);
    memcpy(candidates, plan->candidates, sizeof candidates);
    candidates[ASTRIDE_STRATEGY_STAGED].obstacle = ASTRIDE__TEMPORARY_MEMORY;
    const astride_strategy single = astride__cheapest(candidates);
    return single != ASTRIDE_STRATEGY_AUTO ? single : astride__cheapest(plan->candidates);
}

static astride_status choose(astride_plan *plan, astride_strategy forced)
{
    judge_all(plan);
    if (forced == ASTRIDE_STRATEGY_AUTO) {
        plan->strategy = cheapest(plan);
        if (plan->strategy == ASTRIDE_STRATEGY_AUTO)
            return astride__fail(ASTRIDE_UNSUPPORTED, "no strategy of %s can carry out this copy",
                                 plan->device->spec);
    } else {
        const astride__candidate *candidate = &plan->candidates[forced];
        if (candidate->obstacle != ASTRIDE__POSSIBLE)
            return astride__fail(
                ASTRIDE_UNSUPPORTED, "strategy %s, which is forced, cannot carry out this copy: %s",
                astride_strategy_name(forced), astride__obstacle_text(candidate->obstacle));
        plan->strategy = forced;
        plan->forced = true;
    }
    if (plan->strategy == ASTRIDE_STRATEGY_STAGED)
        return astride__staged_prepare(plan->staged);
    astride__staged_destroy(plan->staged);
    plan->staged = NULL;
    /* Judging the others has overwritten the method. */
    (void)astride__method_judge(&plan->situation, plan->strategy, &plan->method);
    return ASTRIDE_OK;
}

bool astride__plan_calls_host(const astride_plan *plan)
{
    if (plan->remote != NULL)
        return false;
    if (plan->staged == NULL)
        return plan->strategy == ASTRIDE_STRATEGY_HOST;
    for (int32_t leg = 0; leg < astride__staged_leg_count(plan->staged); leg++) {
        astride_memory_kind to;
        if (astride__staged_leg(plan->staged, leg, &to)->strategy == ASTRIDE_STRATEGY_HOST)
            return true;
    }
    return false;
}

/* The log has each plan once: how a program's copies are carried out, without a line per copy. */
static void log_plan(const astride_plan *plan)
{
    char words[256];
    if (!astride__log_enabled(ASTRIDE_LOG_INFO) || plan->description.empty)
        return;
    (void)astride_plan_describe(plan, ASTRIDE_PLAN_TEXT, words, sizeof words, NULL);
    words[strcspn(words, "\n")] = '\0';
    astride__log(ASTRIDE_LOG_INFO, "plan for %" PRIu64 " bytes, %s to %s memory: %s",
                 plan->description.bytes, astride__memory_kind_name(plan->situation.src_kind),
                 astride__memory_kind_name(plan->situation.dst_kind), words);
}

/* What the sides' places mean for the plan; what is left of `situation` is as for unknown ones. */
static void place_sides(astride_plan *plan, const astride__binding *binding)
{
    const astride__geometry *geometry = &plan->method.geometry;
    astride__situation *situation = &plan->situation;
    situation->same_allocation = binding->same_allocation;
    situation->dst_peer = binding->dst.peer;
    situation->src_peer = binding->src.peer;
    plan->bound = binding->reaches_intersect;
    plan->distance = binding->dst.base - binding->src.base;
    situation->overlapping =
        binding->reaches_intersect &&
        astride__overlap_between(geometry, binding->dst.base + (uintptr_t)geometry->dst_offset,
                                 binding->src.base + (uintptr_t)geometry->src_offset) !=
            ASTRIDE__DISJOINT;
}

/* Another device carries it out, by the strategy that is the cheapest there. */
static astride_status choose_remotely(astride_plan *plan, astride_device *target,
                                      const astride__binding *binding, astride_strategy forced)
{
    const astride_status status = astride__remote_create(plan->device, target, &plan->description,
                                                         binding, forced, &plan->remote);
    if (status != ASTRIDE_OK)
        return status;
    const astride_plan *theirs = plan->remote->plan;
    plan->strategy = theirs->strategy;
    plan->forced = theirs->forced;
    memcpy(plan->candidates, theirs->candidates, sizeof plan->candidates);
    return ASTRIDE_OK;
}

static astride_status choose_for(astride_plan *plan, const astride__binding *binding,
                                 astride_strategy forced)
{
    astride_device *target = NULL;
    const astride__placement placement =
        binding == NULL ? ASTRIDE__LOCAL : astride__binding_placement(binding, &target);
    if (placement == ASTRIDE__LOCAL)
        return choose(plan, forced);
    plan->dst_owner = binding->dst.owner;
    plan->src_owner = binding->src.owner;
    if (placement == ASTRIDE__REMOTE)
        return choose_remotely(plan, target, binding, forced);
    plan->situation.dst_owner = binding->dst.owner;
    plan->situation.src_owner = binding->src.owner;
    return choose(plan, forced);
}

static astride_status prepare_host_calls(astride_plan *plan, const astride__binding *binding,
                                         astride_strategy strategy);

static astride_status build(const astride__situation *situation,
                            const astride__description *description,
                            const astride__binding *binding, astride_strategy strategy,
                            astride_plan **plan_out)
{
    astride_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return astride__fail(ASTRIDE_OUT_OF_MEMORY, "no memory for a plan");
    const uint64_t begun = astride__trace_begin();
    atomic_init(&plan->references, 1);
    plan->device = situation->device;
    plan->description = *description;
    plan->situation = *situation;

    astride_status status = ASTRIDE_OK;
    if (!description->empty) {
        astride__geometry *geometry = &plan->method.geometry;
        astride__normalise(description, geometry);
        status = astride__check_destination(description, geometry);
        if (status == ASTRIDE_OK && binding != NULL)
            place_sides(plan, binding);
        if (status == ASTRIDE_OK)
            status = choose_for(plan, binding, strategy);
        if (status == ASTRIDE_OK && astride__plan_calls_host(plan))
            status = prepare_host_calls(plan, binding, strategy);
    }
    if (status != ASTRIDE_OK) {
        astride__plan_release(plan);
        return status;
    }
    astride__trace_end(begun, "plan", &(astride__trace_facts){.device = plan->device->spec});
    *plan_out = plan;
    return ASTRIDE_OK;
}

/*
 * What copies by the host need. A queue that is captured refuses them: where queues can be, there
 * is a second plan without them, unless the user wants the host to copy.
 */
static astride_status prepare_host_calls(astride_plan *plan, const astride__binding *binding,
                                         astride_strategy strategy)
{
    astride__error_detail saved;
    astride_status status = astride__packer_of(plan->device, &plan->packer);
    if (status != ASTRIDE_OK || plan->device->plugin->queue_captured == NULL ||
        strategy == ASTRIDE_STRATEGY_HOST)
        return status;
    const astride__situation captured = {.device = plan->device,
                                         .dst_kind = plan->situation.dst_kind,
                                         .src_kind = plan->situation.src_kind,
                                         .captured = true};
    astride__error_save(&saved);
    status = build(&captured, &plan->description, binding, strategy, &plan->captured);
    if (status != ASTRIDE_UNSUPPORTED)
        return status;
    astride__error_restore(&saved);
    return ASTRIDE_OK;
}

astride_status astride__plan_build(astride_device *device, const astride__description *description,
                                   const astride__binding *binding, astride_memory_kind dst_kind,
                                   astride_memory_kind src_kind, astride_strategy strategy,
                                   astride_plan **plan_out)
{
    const astride__situation situation = {
        .device = device, .dst_kind = dst_kind, .src_kind = src_kind};
    const astride_status status = build(&situation, description, binding, strategy, plan_out);
    if (status == ASTRIDE_OK)
        log_plan(*plan_out);
    return status;
}
