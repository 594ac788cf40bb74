/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Astride itself: a plan, made once, run on a queue and waited for each time.
 */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

#include <astride/astride.h>

typedef struct state {
    astride_device *device;
    astride_queue *queue;
    astride_plan *plan;
    astride_copy_desc desc;
} state;

static bool refuse(bench_peer *peer, const char *call)
{
    snprintf(peer->reason, sizeof peer->reason, "%s: %s", call, astride_last_error());
    return false;
}

bool bench_astride_open(bench_peer *peer)
{
    state *self = calloc(1, sizeof *self);
    char threads[16];
    if (self == NULL)
        return false;
    peer->state = self;
    /* A queue takes its number of threads from the environment when it is made. */
    snprintf(threads, sizeof threads, "%d", peer->threads);
    setenv("ASTRIDE_THREADS", threads, 1);
    if (astride_device_open("host", &self->device) != ASTRIDE_OK)
        return refuse(peer, "astride_device_open");
    if (astride_queue_create(self->device, &self->queue) != ASTRIDE_OK)
        return refuse(peer, "astride_queue_create");
    return true;
}

bool bench_astride_prepare(bench_peer *peer, const bench_case *test)
{
    state *self = peer->state;
    const bench_layout *layout = test->layout;
    self->desc = (astride_copy_desc){
        .struct_size = sizeof self->desc,
        .rank = layout->rank,
        .element_bytes = layout->element_bytes,
        .extents = layout->extents,
        .dst = {test->dst + layout->dst_offset, layout->dst_strides},
        .src = {test->src + layout->src_offset, layout->src_strides},
    };
    if (astride_plan_create(self->device, &self->desc, &self->plan) != ASTRIDE_OK)
        return refuse(peer, "astride_plan_create");
    return true;
}

double bench_astride_run(bench_peer *peer, uint64_t iterations)
{
    state *self = peer->state;
    const double begin = bench_now_ns();
    for (uint64_t i = 0; i < iterations; i++) {
        if (astride_plan_run(self->plan, self->queue, self->desc.dst.base, self->desc.src.base) !=
                ASTRIDE_OK ||
            astride_queue_wait(self->queue) != ASTRIDE_OK)
            return -1;
    }
    return bench_now_ns() - begin;
}

void bench_astride_calls(bench_peer *peer, double *plan_run_ns_out, double *copy_ns_out)
{
    enum { CALLS = 20000 };
    state *self = peer->state;
    double begin = bench_now_ns();
    for (int i = 0; i < CALLS; i++)
        (void)astride_plan_run(self->plan, self->queue, self->desc.dst.base, self->desc.src.base);
    *plan_run_ns_out = (bench_now_ns() - begin) / CALLS;
    (void)astride_queue_wait(self->queue);
    begin = bench_now_ns();
    for (int i = 0; i < CALLS; i++)
        (void)astride_copy(self->queue, &self->desc);
    *copy_ns_out = (bench_now_ns() - begin) / CALLS;
    (void)astride_queue_wait(self->queue);
}

void bench_astride_finish(bench_peer *peer)
{
    state *self = peer->state;
    astride_plan_destroy(self->plan);
    self->plan = NULL;
}
