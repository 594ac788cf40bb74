/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * libgomp's omp_target_memcpy_rect from the host to the host, found by dlopen. It takes boxes of
 * dense arrays: strides that nest, each a multiple of the next.
 */
#include "bench/bench.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANK (BENCH_MAX_RANK + 1)

typedef struct state {
    int (*copy)(void *dst, const void *src, size_t element_size, int rank, const size_t *volume,
                const size_t *dst_offsets, const size_t *src_offsets, const size_t *dst_extents,
                const size_t *src_extents, int dst_device, int src_device);
    int host;
    unsigned char *dst, *src;
    size_t element_bytes, volume[RANK], dst_extents[RANK], src_extents[RANK];
    int rank;
} state;

bool bench_gomp_open(bench_peer *peer)
{
    state *self = calloc(1, sizeof *self);
    int (*initial_device)(void) = NULL;
    if (self == NULL)
        return false;
    peer->state = self;
    void *library = dlopen("libgomp.so.1", RTLD_NOW | RTLD_LOCAL);
    void *symbol = library == NULL ? NULL : dlsym(library, "omp_target_memcpy_rect");
    memcpy(&self->copy, &symbol, sizeof symbol);
    symbol = library == NULL ? NULL : dlsym(library, "omp_get_initial_device");
    memcpy(&initial_device, &symbol, sizeof symbol);
    if (self->copy == NULL || initial_device == NULL) {
        snprintf(peer->reason, sizeof peer->reason, "libgomp.so.1 was not found");
        return false;
    }
    self->host = initial_device();
    return true;
}

/* The extents of the dense array that the strides walk over, with one more dimension inside for a
 * step between elements. */
static bool parent_extents(const bench_layout *layout, const int64_t *strides, size_t *extents)
{
    const int32_t rank = layout->rank;
    int64_t inner = (int64_t)layout->element_bytes;
    for (int32_t d = rank - 1; d >= 0; d--) {
        if (strides[d] <= 0 || strides[d] % inner != 0)
            return false;
        extents[d + 1] = (size_t)(strides[d] / inner);
        if (d < rank - 1 && (int64_t)extents[d + 1] < layout->extents[d + 1])
            return false;
        inner = strides[d];
    }
    extents[0] = (size_t)layout->extents[0];
    return true;
}

bool bench_gomp_prepare(bench_peer *peer, const bench_case *test)
{
    state *self = peer->state;
    const bench_layout *layout = test->layout;
    self->element_bytes = layout->element_bytes;
    self->dst = test->dst + layout->dst_offset;
    self->src = test->src + layout->src_offset;
    self->rank = layout->rank + 1;
    for (int32_t d = 0; d < layout->rank; d++)
        self->volume[d] = (size_t)layout->extents[d];
    self->volume[layout->rank] = 1;
    if (!parent_extents(layout, layout->dst_strides, self->dst_extents) ||
        !parent_extents(layout, layout->src_strides, self->src_extents))
        return false;
    /* A dense innermost dimension needs no further one. */
    if (self->dst_extents[layout->rank] == 1 && self->src_extents[layout->rank] == 1)
        self->rank--;
    return true;
}

double bench_gomp_run(bench_peer *peer, uint64_t iterations)
{
    static const size_t zeros[RANK];
    const state *self = peer->state;
    const double begin = bench_now_ns();
    for (uint64_t i = 0; i < iterations; i++) {
        if (self->copy(self->dst, self->src, self->element_bytes, self->rank, self->volume, zeros,
                       zeros, self->dst_extents, self->src_extents, self->host, self->host) != 0)
            return -1;
    }
    return bench_now_ns() - begin;
}

void bench_gomp_finish(bench_peer *peer)
{
    (void)peer;
}
