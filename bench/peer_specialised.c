/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The loop nest with every extent and stride a constant, compiled while the benchmark runs: what a
 * code generator would put in line. Needs a compiler; which one is in $BENCH_CC, else "cc".
 */
#include "bench/bench.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct state {
    char folder[64];
    void *library;
    void (*copy)(unsigned char *dst, const unsigned char *src);
    unsigned char *dst, *src;
} state;

bool bench_specialised_open(bench_peer *peer)
{
    state *self = calloc(1, sizeof *self);
    if (self == NULL)
        return false;
    peer->state = self;
    if (system("${BENCH_CC:-cc} --version >/dev/null 2>&1") == 0) /* NOLINT(bugprone-*) */
        return true;
    snprintf(peer->reason, sizeof peer->reason, "no C compiler: set BENCH_CC");
    return false;
}

static bool write_source(const char *path, const bench_layout *layout)
{
    FILE *file = fopen(path, "we");
    if (file == NULL)
        return false;
    fputs("void copy(unsigned char *restrict d, const unsigned char *restrict s)\n{\n", file);
    for (int32_t i = 0; i < layout->rank; i++)
        fprintf(file, "for (long i%d = 0; i%d < %" PRId64 "; i%d++)\n", i, i, layout->extents[i],
                i);
    fprintf(file, "__builtin_memcpy(d");
    for (int32_t i = 0; i < layout->rank; i++)
        fprintf(file, " + i%d * %" PRId64 "L", i, layout->dst_strides[i]);
    fprintf(file, ", s");
    for (int32_t i = 0; i < layout->rank; i++)
        fprintf(file, " + i%d * %" PRId64 "L", i, layout->src_strides[i]);
    fprintf(file, ", %zu);\n}\n", layout->element_bytes);
    return fclose(file) == 0;
}

bool bench_specialised_prepare(bench_peer *peer, const bench_case *test)
{
    state *self = peer->state;
    char source[96], object[96], command[400];
    snprintf(self->folder, sizeof self->folder, "/tmp/astride-bench-XXXXXX");
    if (mkdtemp(self->folder) == NULL)
        return false;
    snprintf(source, sizeof source, "%s/loop.c", self->folder);
    snprintf(object, sizeof object, "%s/loop.so", self->folder);
    snprintf(command, sizeof command,
             "${BENCH_CC:-cc} -O3 -march=native -shared -fPIC -o '%s' '%s' >/dev/null 2>&1", object,
             source);
    const bool built =
        write_source(source, test->layout) && system(command) == 0; /* NOLINT(bugprone-*) */
    if (built)
        self->library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    unlink(source);
    unlink(object);
    rmdir(self->folder);
    if (self->library == NULL)
        return false;
    void *symbol = dlsym(self->library, "copy");
    memcpy(&self->copy, &symbol, sizeof symbol);
    self->dst = test->dst + test->layout->dst_offset;
    self->src = test->src + test->layout->src_offset;
    return self->copy != NULL;
}

double bench_specialised_run(bench_peer *peer, uint64_t iterations)
{
    const state *self = peer->state;
    const double begin = bench_now_ns();
    for (uint64_t i = 0; i < iterations; i++)
        self->copy(self->dst, self->src);
    return bench_now_ns() - begin;
}

void bench_specialised_finish(bench_peer *peer)
{
    state *self = peer->state;
    dlclose(self->library);
    self->library = NULL;
}
