/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Classification and cost: which strategies can carry out a normalised copy on a device, how they
 * split its dimensions between the driver and a loop, and what each is expected to cost. Staging,
 * which combines methods, is in staged.c.
 */
#include <string.h>

#include "hal/device.h"
#include "hal/method.h"

/* Cost of one unit of a copy by the host, and its bandwidth: as of the built-in backend's kernels,
   which do it. */
#define HOST_UNIT_NS 0.3
#define HOST_BYTES_PER_NS 10.0

static const astride_capabilities *capabilities_of(const astride__situation *situation)
{
    return &situation->device->properties.capabilities;
}

static const astride_cost_model *cost_of(const astride__situation *situation)
{
    return &situation->device->properties.cost;
}

static double bytes_of(const astride__geometry *geometry)
{
    return (double)astride__geometry_units(geometry) * (double)geometry->unit_bytes;
}

static astride__candidate impossible(astride__obstacle obstacle)
{
    return (astride__candidate){.obstacle = obstacle};
}

/* Puts every dimension that is not taken natively into the loop, outermost first. */
static void loop_over_rest(const astride__geometry *geometry, astride__split *split)
{
    split->loop_count = 0;
    split->calls = 1;
    for (int32_t d = 0; d < geometry->rank; d++) {
        bool is_inner = false;
        for (int32_t i = 0; i < split->inner_count; i++)
            is_inner = is_inner || split->inner[i] == d;
        if (is_inner)
            continue;
        split->loop[split->loop_count++] = d;
        split->calls *= (uint64_t)geometry->extents[d];
    }
}

static astride__candidate judge_linear(const astride__situation *situation, astride__method *method)
{
    const astride_cost_model *cost = cost_of(situation);
    if (method->geometry.rank != 0)
        return impossible(ASTRIDE__NOT_CONTIGUOUS);
    if (situation->overlapping && !situation->device->properties.linear_overlap)
        return impossible(ASTRIDE__OVERLAP_NEEDS_TEMPORARY);
    if (capabilities_of(situation)->rect_rank[method->direction] < 1)
        return impossible(ASTRIDE__NO_NATIVE_COPY);
    method->split = (astride__split){.calls = 1};
    return (astride__candidate){.cost_ns = cost->linear_call_ns +
                                           bytes_of(&method->geometry) /
                                               cost->bytes_per_ns[method->direction],
                                .calls = 1};
}

/* Whether a dimension can be the rows of a rectangle: no row may run into the next one. */
static bool fits_row_pitch(const astride__situation *situation, const astride__geometry *geometry,
                           int32_t row)
{
    const uint64_t maximum = capabilities_of(situation)->maximum_pitch_bytes;
    const int64_t unit = (int64_t)geometry->unit_bytes;
    const int64_t dst = geometry->dst_strides[row], src = geometry->src_strides[row];
    if (dst < unit || src < unit)
        return false;
    return maximum == 0 || ((uint64_t)dst <= maximum && (uint64_t)src <= maximum);
}

static bool fits_slice_pitch(const astride__situation *situation, int64_t slice, int64_t row,
                             int64_t rows)
{
    if (slice / row < rows)
        return false;
    return !capabilities_of(situation)->slice_multiple_of_row || slice % row == 0;
}

/* Whether `slice` (or -1) and `row` (or -1) make a rectangle that the device takes. */
static astride__obstacle check_rect(const astride__situation *situation,
                                    const astride__geometry *geometry, int32_t slice, int32_t row)
{
    if (row >= 0 && !fits_row_pitch(situation, geometry, row))
        return ASTRIDE__RECT_PITCH;
    if (slice >= 0 && (!fits_slice_pitch(situation, geometry->dst_strides[slice],
                                         geometry->dst_strides[row], geometry->extents[row]) ||
                       !fits_slice_pitch(situation, geometry->src_strides[slice],
                                         geometry->src_strides[row], geometry->extents[row])))
        return ASTRIDE__RECT_PITCH;
    return ASTRIDE__POSSIBLE;
}

/* What any native rectangle needs, whatever its dimensions. */
static astride__obstacle check_any_rect(const astride__situation *situation,
                                        astride_direction direction)
{
    if (situation->overlapping)
        return ASTRIDE__OVERLAP_NEEDS_TEMPORARY;
    if (capabilities_of(situation)->rect_rank[direction] < 1)
        return ASTRIDE__NO_NATIVE_COPY;
    if (situation->same_allocation && !capabilities_of(situation)->rect_within_allocation)
        return ASTRIDE__RECT_ONE_ALLOCATION;
    return ASTRIDE__POSSIBLE;
}

static bool backend_accepts(const astride__situation *situation, const astride__method *method)
{
    const astride_plugin *plugin = situation->device->plugin;
    if (plugin->rect_supported == NULL)
        return true;
    astride_rect rect;
    astride__rect_fill(&method->geometry, &method->split, &rect);
    rect.dst = (astride_operand){.kind = situation->dst_kind};
    rect.src = (astride_operand){.kind = situation->src_kind};
    return plugin->rect_supported(situation->device->backend, &rect);
}

static double rect_cost(const astride__situation *situation, const astride__method *method)
{
    const astride_cost_model *cost = cost_of(situation);
    const double call = method->split.inner_count == 0 ? cost->linear_call_ns : cost->rect_call_ns;
    const double rows = (double)astride__geometry_units(&method->geometry);
    return (double)method->split.calls * call + rows * cost->rect_row_ns[method->direction] +
           bytes_of(&method->geometry) / cost->bytes_per_ns[method->direction];
}

static astride__candidate judge_rect(const astride__situation *situation, astride__method *method)
{
    const astride__geometry *geometry = &method->geometry;
    const int32_t rect_rank = capabilities_of(situation)->rect_rank[method->direction];
    astride__obstacle obstacle = check_any_rect(situation, method->direction);
    if (obstacle == ASTRIDE__POSSIBLE && (rect_rank < 2 || geometry->rank + 1 > rect_rank))
        obstacle = ASTRIDE__RECT_RANK;
    if (obstacle == ASTRIDE__POSSIBLE)
        obstacle =
            check_rect(situation, geometry, geometry->rank == 2 ? 0 : -1, geometry->rank - 1);
    if (obstacle != ASTRIDE__POSSIBLE)
        return impossible(obstacle);
    method->split = (astride__split){.inner_count = geometry->rank, .inner = {0, 1}, .calls = 1};
    if (!backend_accepts(situation, method))
        return impossible(ASTRIDE__RECT_REFUSED);
    return (astride__candidate){.cost_ns = rect_cost(situation, method), .calls = 1};
}

/* Keeps the split if it needs fewer calls than the best so far (calls == 0: none yet). */
static void consider_split(const astride__situation *situation, astride__method *method,
                           const int32_t *inner, int32_t inner_count, astride__split *best)
{
    method->split = (astride__split){.inner_count = inner_count};
    for (int32_t i = 0; i < inner_count; i++)
        method->split.inner[i] = inner[i];
    loop_over_rest(&method->geometry, &method->split);
    if (best->calls != 0 && method->split.calls >= best->calls)
        return;
    if (inner_count > 0 && !backend_accepts(situation, method))
        return;
    *best = method->split;
}

static astride__candidate judge_rect_loop(const astride__situation *situation,
                                          astride__method *method)
{
    const astride__geometry *geometry = &method->geometry;
    const int32_t rect_rank = capabilities_of(situation)->rect_rank[method->direction];
    const astride__obstacle obstacle = check_any_rect(situation, method->direction);
    if (obstacle != ASTRIDE__POSSIBLE)
        return impossible(obstacle);

    astride__split best = {0};
    consider_split(situation, method, NULL, 0, &best);
    for (int32_t row = geometry->rank - 1; row >= 0 && rect_rank >= 2; row--) {
        if (check_rect(situation, geometry, -1, row) != ASTRIDE__POSSIBLE)
            continue;
        consider_split(situation, method, &row, 1, &best);
        /* A slice pitch is larger than the row pitch, and dimensions descend. */
        for (int32_t slice = row - 1; slice >= 0 && rect_rank >= 3; slice--) {
            if (check_rect(situation, geometry, slice, row) == ASTRIDE__POSSIBLE)
                consider_split(situation, method, (int32_t[]){slice, row}, 2, &best);
        }
    }
    method->split = best;
    if (best.calls == 1)
        return impossible(ASTRIDE__NOTHING_TO_LOOP);
    return (astride__candidate){.cost_ns = rect_cost(situation, method), .calls = best.calls};
}

/* Kernels that reach across a bus go at its pace. */
static double kernel_bandwidth(const astride__situation *situation, astride_direction direction)
{
    const astride_cost_model *cost = cost_of(situation);
    if (direction == ASTRIDE_DEVICE_TO_DEVICE ||
        cost->kernel_bytes_per_ns < cost->bytes_per_ns[direction])
        return cost->kernel_bytes_per_ns;
    return cost->bytes_per_ns[direction];
}

static astride__candidate judge_kernel(const astride__situation *situation, astride__method *method)
{
    const astride_cost_model *cost = cost_of(situation);
    const astride__geometry *geometry = &method->geometry;
    if (!capabilities_of(situation)->kernels)
        return impossible(ASTRIDE__NO_KERNELS);
    if (situation->overlapping)
        return impossible(ASTRIDE__OVERLAP_NEEDS_TEMPORARY);
    if (situation->dst_peer || situation->src_peer ||
        !astride__kernel_reaches(situation->device, situation->dst_kind) ||
        !astride__kernel_reaches(situation->device, situation->src_kind))
        return impossible(ASTRIDE__KERNEL_REACH);

    /* Beyond the kernels' rank the shortest dimensions are looped over. */
    bool looped[ASTRIDE_MAX_RANK] = {false};
    for (int32_t excess = geometry->rank - ASTRIDE_KERNEL_RANK; excess > 0; excess--) {
        int32_t shortest = 0;
        while (looped[shortest])
            shortest++;
        for (int32_t d = shortest + 1; d < geometry->rank; d++) {
            if (!looped[d] && geometry->extents[d] < geometry->extents[shortest])
                shortest = d;
        }
        looped[shortest] = true;
    }
    method->split = (astride__split){0};
    for (int32_t d = 0; d < geometry->rank; d++) {
        if (!looped[d])
            method->split.inner[method->split.inner_count++] = d;
    }
    loop_over_rest(geometry, &method->split);
    return (astride__candidate){
        .cost_ns = (double)method->split.calls * cost->kernel_call_ns +
                   (double)astride__geometry_units(geometry) * cost->kernel_unit_ns +
                   bytes_of(geometry) / kernel_bandwidth(situation, method->direction),
        .calls = method->split.calls};
}

static astride__candidate judge_host(const astride__situation *situation, astride__method *method)
{
    if (situation->overlapping)
        return impossible(ASTRIDE__OVERLAP_NEEDS_TEMPORARY);
    if (situation->dst_peer || situation->src_peer ||
        !astride__host_reaches(situation->device, situation->dst_kind) ||
        !astride__host_reaches(situation->device, situation->src_kind))
        return impossible(ASTRIDE__HOST_REACH);
    if (situation->captured)
        return impossible(ASTRIDE__HOST_CAPTURED);
    method->split = (astride__split){.calls = 1};
    return (astride__candidate){.cost_ns = cost_of(situation)->host_call_ns +
                                           (double)astride__geometry_units(&method->geometry) *
                                               HOST_UNIT_NS +
                                           bytes_of(&method->geometry) / HOST_BYTES_PER_NS,
                                .calls = 1};
}

astride__candidate astride__method_judge(const astride__situation *situation,
                                         astride_strategy strategy, astride__method *method)
{
    method->strategy = strategy;
    method->direction = astride__direction(situation->dst_kind, situation->src_kind);
    if (situation->src_owner != NULL)
        return impossible(ASTRIDE__TWO_DEVICES);
    switch (strategy) {
    case ASTRIDE_STRATEGY_LINEAR:
        return judge_linear(situation, method);
    case ASTRIDE_STRATEGY_RECT:
        return judge_rect(situation, method);
    case ASTRIDE_STRATEGY_RECT_LOOP:
        return judge_rect_loop(situation, method);
    case ASTRIDE_STRATEGY_KERNEL:
        return judge_kernel(situation, method);
    case ASTRIDE_STRATEGY_HOST:
        return judge_host(situation, method);
    case ASTRIDE_STRATEGY_AUTO:
    case ASTRIDE_STRATEGY_STAGED:
        break;
    }
    return impossible(ASTRIDE__NO_NATIVE_COPY);
}

astride_strategy astride__cheapest(const astride__candidate *candidates)
{
    /* In order of preference among equals. */
    static const astride_strategy order[] = {ASTRIDE_STRATEGY_LINEAR, ASTRIDE_STRATEGY_RECT,
                                             ASTRIDE_STRATEGY_KERNEL, ASTRIDE_STRATEGY_RECT_LOOP,
                                             ASTRIDE_STRATEGY_HOST,   ASTRIDE_STRATEGY_STAGED};
    astride_strategy best = ASTRIDE_STRATEGY_AUTO;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const astride__candidate *candidate = &candidates[order[i]];
        if (candidate->obstacle == ASTRIDE__POSSIBLE &&
            (best == ASTRIDE_STRATEGY_AUTO || candidate->cost_ns < candidates[best].cost_ns))
            best = order[i];
    }
    return best;
}

bool astride__method_choose(const astride__situation *situation, astride__method *method,
                            astride__candidate *candidate_out)
{
    astride__candidate candidates[ASTRIDE__STRATEGY_COUNT];
    candidates[ASTRIDE_STRATEGY_STAGED] = impossible(ASTRIDE__OVERLAP_NEEDS_TEMPORARY);
    for (int strategy = ASTRIDE_STRATEGY_LINEAR; strategy <= ASTRIDE_STRATEGY_HOST; strategy++) {
        if (strategy != ASTRIDE_STRATEGY_STAGED)
            candidates[strategy] =
                astride__method_judge(situation, (astride_strategy)strategy, method);
    }
    const astride_strategy chosen = astride__cheapest(candidates);
    if (chosen == ASTRIDE_STRATEGY_AUTO)
        return false;
    /* Judging the others has overwritten the method. */
    *candidate_out = astride__method_judge(situation, chosen, method);
    return true;
}
