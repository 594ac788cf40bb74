/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The loop of the conformance suite over layouts and directions, and its bookkeeping. How one
 * layout is run in one direction is in trial.c.
 */
#include "tests/conformance/engine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/conformance/trial.h"

/* So many layouts of a direction contain some for every strategy; the rarest is one in twelve. */
enum { ENOUGH_LAYOUTS = 200 };

static const char *const direction_names[CONFORMANCE_DIRECTION_COUNT] = {
    "host-to-host",     "host-to-device", "device-to-host",
    "device-to-device", "within-host",    "within-device",
};

const char *conformance_direction_name(conformance_direction direction)
{
    return direction_names[direction];
}

conformance_direction conformance_direction_find(const char *name)
{
    int i = 0;

    while (i < CONFORMANCE_DIRECTION_COUNT && strcmp(direction_names[i], name) != 0)
        i++;
    return (conformance_direction)i;
}

/* The direction of copies as the capabilities count them. */
static astride_direction native_direction(conformance_direction direction)
{
    switch (direction) {
    case CONFORMANCE_HOST_TO_DEVICE:
        return ASTRIDE_HOST_TO_DEVICE;
    case CONFORMANCE_DEVICE_TO_HOST:
        return ASTRIDE_DEVICE_TO_HOST;
    case CONFORMANCE_DEVICE_TO_DEVICE:
    case CONFORMANCE_WITHIN_DEVICE:
        return ASTRIDE_DEVICE_TO_DEVICE;
    default:
        return ASTRIDE_HOST_TO_HOST;
    }
}

/* Certain when `possible` is all that it takes; within one allocation a native call may need more.
 */
static conformance_promise promise_if(bool possible, bool certain)
{
    if (!possible)
        return CONFORMANCE_MUST_NOT;
    return certain ? CONFORMANCE_MUST : CONFORMANCE_PERHAPS;
}

static conformance_promise find_promise(const astride_capabilities *capabilities,
                                        conformance_direction direction, astride_strategy strategy)
{
    astride_direction native = native_direction(direction);
    bool one_allocation =
        direction == CONFORMANCE_WITHIN_HOST || direction == CONFORMANCE_WITHIN_DEVICE;
    bool rect_allowed = !one_allocation || capabilities->rect_within_allocation;
    bool touches_host = native != ASTRIDE_DEVICE_TO_DEVICE;
    bool touches_device = native != ASTRIDE_HOST_TO_HOST;

    switch (strategy) {
    case ASTRIDE_STRATEGY_LINEAR:
        return promise_if(capabilities->rect_rank[native] >= 1, true);
    case ASTRIDE_STRATEGY_RECT:
        return promise_if(capabilities->rect_rank[native] >= 2, rect_allowed);
    case ASTRIDE_STRATEGY_RECT_LOOP:
        return promise_if(capabilities->rect_rank[native] >= 1, rect_allowed);
    case ASTRIDE_STRATEGY_KERNEL:
        return promise_if(capabilities->kernels, !touches_host ||
                                                     capabilities->kernel_reaches_pinned ||
                                                     capabilities->kernel_reaches_pageable);
    case ASTRIDE_STRATEGY_HOST:
        /* Shared memory counts as the device's, and the host always reaches it. */
        return !touches_device || capabilities->host_reaches_device ? CONFORMANCE_MUST
                                                                    : CONFORMANCE_PERHAPS;
    case ASTRIDE_STRATEGY_AUTO:
    case ASTRIDE_STRATEGY_STAGED:
        break;
    }
    /* Whatever the device has, some way through a temporary must exist, and so must some way. */
    return CONFORMANCE_MUST;
}

const char *conformance_broken_promise(const conformance_tally *tally)
{
    if (tally->promise == CONFORMANCE_MUST && tally->carried_out == 0 &&
        tally->unsupported + tally->failed >= ENOUGH_LAYOUTS)
        return "never carried out although the capabilities allow it";
    if (tally->promise == CONFORMANCE_MUST_NOT && tally->carried_out > 0)
        return "carried out although the capabilities exclude it";
    return NULL;
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_applicable(const test_layout *layout, conformance_direction direction)
{
    bool one_allocation =
        direction == CONFORMANCE_WITHIN_HOST || direction == CONFORMANCE_WITHIN_DEVICE;

    return one_allocation == (layout->placement != TEST_PLACEMENT_SEPARATE);
}

/* Whether another layout may be begun. */
static bool goes_on(const conformance_options *options, const conformance_result *result,
                    double started)
{
    if (options->failure_limit > 0 && result->failures >= options->failure_limit)
        return false;
    return options->seconds <= 0 || seconds_now() - started < options->seconds;
}

static astride_status run_layouts(conformance_session *session)
{
    const conformance_options *options = session->options;
    conformance_result *result = session->result;
    double started = seconds_now();
    astride_status status = ASTRIDE_OK;

    for (uint64_t i = 0; i < options->count && goes_on(options, result, started); i++) {
        status = conformance_begin_layout(session, options->first + i);
        for (int d = 0; d < CONFORMANCE_DIRECTION_COUNT && status == ASTRIDE_OK; d++)
            if ((options->directions & 1u << d) != 0 &&
                is_applicable(&session->layout, (conformance_direction)d))
                status = conformance_run_direction(session, (conformance_direction)d);
        if (status != ASTRIDE_OK)
            break;
        result->layouts++;
        if (options->progress != NULL)
            options->progress(i + 1, options->argument);
    }
    result->seconds = seconds_now() - started;
    return status;
}

astride_status conformance_run(const conformance_options *options, conformance_result *result_out)
{
    conformance_result *result = calloc(1, sizeof *result);
    conformance_session session = {.options = options, .result = result};
    astride_capabilities capabilities = {.struct_size = sizeof capabilities};
    astride_status status = ASTRIDE_OUT_OF_MEMORY;

    if (result == NULL)
        return status;
    status = astride_device_open(options->device_spec, &session.device);
    if (status == ASTRIDE_OK)
        status = astride_queue_create(session.device, &session.queue);
    if (status == ASTRIDE_OK)
        status = astride_queue_create(session.device, &session.second_queue);
    if (status == ASTRIDE_OK)
        status = astride_device_capabilities(session.device, &capabilities);
    if (status != ASTRIDE_OK)
        goto close;
    strncpy(result->device_spec, astride_device_spec(session.device),
            sizeof result->device_spec - 1);
    for (int d = 0; d < CONFORMANCE_DIRECTION_COUNT; d++)
        for (int s = 0; s < CONFORMANCE_STRATEGY_COUNT; s++)
            result->tallies[d][s].promise =
                find_promise(&capabilities, (conformance_direction)d, (astride_strategy)s);
    status = run_layouts(&session);
    if (status == ASTRIDE_OK)
        *result_out = *result;

close:
    conformance_end_session(&session);
    astride_queue_destroy(session.second_queue);
    astride_queue_destroy(session.queue);
    astride_device_close(session.device);
    free(result);
    return status;
}
