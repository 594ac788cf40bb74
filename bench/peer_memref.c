/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * MLIR's memrefCopy of libmlir_c_runner_utils, found by dlopen: in $BENCH_MLIR_RUNNER_UTILS, else
 * where Debian's packages put it.
 */
#include "bench/bench.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The two structures of MLIR's calling convention for unranked memrefs. */
typedef struct memref {
    void *allocated, *aligned;
    int64_t offset;
    int64_t sizes_and_strides[2 * BENCH_MAX_RANK];
} memref;
typedef struct unranked_memref {
    int64_t rank;
    void *descriptor;
} unranked_memref;

typedef struct state {
    void (*copy)(int64_t element_bytes, unranked_memref *src, unranked_memref *dst);
    int64_t element_bytes;
    memref dst, src;
    int64_t rank;
} state;

bool bench_memref_open(bench_peer *peer)
{
    const char *names[] = {
        getenv("BENCH_MLIR_RUNNER_UTILS"), "/usr/lib/llvm-22/lib/libmlir_c_runner_utils.so",
        "/usr/lib/llvm-19/lib/libmlir_c_runner_utils.so", "libmlir_c_runner_utils.so"};
    state *self = calloc(1, sizeof *self);
    void *library = NULL;
    if (self == NULL)
        return false;
    peer->state = self;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && library == NULL; i++) {
        if (names[i] != NULL)
            library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    void *symbol = library == NULL ? NULL : dlsym(library, "memrefCopy");
    memcpy(&self->copy, &symbol, sizeof symbol);
    if (self->copy != NULL)
        return true;
    snprintf(peer->reason, sizeof peer->reason,
             "libmlir_c_runner_utils was not found: set BENCH_MLIR_RUNNER_UTILS");
    return false;
}

/* Strides are counted in elements. */
static bool describe(const bench_layout *layout, unsigned char *base, const int64_t *strides,
                     memref *out)
{
    const int64_t size = (int64_t)layout->element_bytes;
    out->allocated = out->aligned = base;
    out->offset = 0;
    for (int32_t d = 0; d < layout->rank; d++) {
        if (strides[d] % size != 0)
            return false;
        out->sizes_and_strides[d] = layout->extents[d];
        out->sizes_and_strides[layout->rank + d] = strides[d] / size;
    }
    return true;
}

bool bench_memref_prepare(bench_peer *peer, const bench_case *test)
{
    state *self = peer->state;
    const bench_layout *layout = test->layout;
    self->element_bytes = (int64_t)layout->element_bytes;
    self->rank = layout->rank;
    return describe(layout, test->dst + layout->dst_offset, layout->dst_strides, &self->dst) &&
           describe(layout, test->src + layout->src_offset, layout->src_strides, &self->src);
}

double bench_memref_run(bench_peer *peer, uint64_t iterations)
{
    state *self = peer->state;
    unranked_memref dst = {self->rank, &self->dst}, src = {self->rank, &self->src};
    const double begin = bench_now_ns();
    for (uint64_t i = 0; i < iterations; i++)
        self->copy(self->element_bytes, &src, &dst);
    return bench_now_ns() - begin;
}

void bench_memref_finish(bench_peer *peer)
{
    (void)peer;
}
