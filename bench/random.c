/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Random layouts of the tests' generator, each held against the plain nested loop: no layout should
 * be slower than what a program without a library would do. The plain loop goes through the
 * dimensions as the descriptor names them, with the element's size a constant where it is 1, 2, 4,
 * 8 or 16.
 */
#include "bench/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/layout.h"

#define LEAST_BYTES ((int64_t)1 << 20)
#define MOST_BYTES ((int64_t)16 << 20)

/* The best of so many rounds counts, and of further ones before a layout is said to be slower. */
enum { ROUNDS = 3, FURTHER_ROUNDS = 25 };
/* Less than this is noise. */
#define NOISE 1.15

/* Inlined into one loop for each size that is a constant. */
static inline __attribute__((always_inline)) void
copy_nest(const bench_layout *layout, unsigned char *dst, const unsigned char *src, size_t size)
{
    const int32_t inner = layout->rank - 1;
    const int64_t count = inner < 0 ? 1 : layout->extents[inner];
    const int64_t dst_step = inner < 0 ? 0 : layout->dst_strides[inner];
    const int64_t src_step = inner < 0 ? 0 : layout->src_strides[inner];
    int64_t index[BENCH_MAX_RANK] = {0};
    int32_t d;
    do {
        for (int64_t i = 0; i < count; i++)
            memcpy(dst + i * dst_step, src + i * src_step, size);
        for (d = inner - 1; d >= 0; d--) {
            dst += layout->dst_strides[d];
            src += layout->src_strides[d];
            if (++index[d] < layout->extents[d])
                break;
            dst -= layout->dst_strides[d] * layout->extents[d];
            src -= layout->src_strides[d] * layout->extents[d];
            index[d] = 0;
        }
    } while (d >= 0);
}

static double time_plain(const bench_case *test)
{
    const bench_layout *layout = test->layout;
    unsigned char *dst = test->dst + layout->dst_offset;
    const unsigned char *src = test->src + layout->src_offset;
    const double begin = bench_now_ns();
    switch (layout->element_bytes) {
    case 1:
        copy_nest(layout, dst, src, 1);
        break;
    case 2:
        copy_nest(layout, dst, src, 2);
        break;
    case 4:
        copy_nest(layout, dst, src, 4);
        break;
    case 8:
        copy_nest(layout, dst, src, 8);
        break;
    case 16:
        copy_nest(layout, dst, src, 16);
        break;
    default:
        copy_nest(layout, dst, src, layout->element_bytes);
        break;
    }
    return bench_now_ns() - begin;
}

typedef struct times {
    double plain_ns, astride_ns; /* the best so far */
} times;

static bool take_turns(bench_peer *astride, const bench_case *test, int rounds, times *best)
{
    for (int round = 0; round < rounds; round++) {
        const double plain_ns = time_plain(test);
        const double astride_ns = astride->run(astride, 1);
        if (astride_ns < 0)
            return false;
        best->plain_ns = fmin(best->plain_ns, plain_ns);
        best->astride_ns = fmin(best->astride_ns, astride_ns);
    }
    return true;
}

static void expand(const test_layout *from, bench_layout *layout)
{
    *layout = (bench_layout){
        .name = from->shape,
        .element_bytes = from->element_bytes,
        .rank = from->rank,
        .dst_bytes = from->dst.bytes,
        .src_bytes = from->src.bytes,
        .dst_offset = from->dst.offset,
        .src_offset = from->src.offset,
        .payload_bytes = test_layout_elements(from) * from->element_bytes,
    };
    for (int32_t d = 0; d < from->rank; d++) {
        layout->extents[d] = from->extents[d];
        layout->dst_strides[d] = from->extents[d] == 1 ? 0 : from->dst.strides[d];
        layout->src_strides[d] = from->extents[d] == 1 ? 0 : from->src.strides[d];
    }
}

static void print_numbers(const char *what, const int64_t *numbers, int32_t count)
{
    printf(", %s [", what);
    for (int32_t d = 0; d < count; d++)
        printf("%s%" PRId64, d == 0 ? "" : ", ", numbers[d]);
    putchar(']');
}

static void print_layout(uint64_t number, const bench_layout *layout, const times *best)
{
    printf("slower: layout %" PRIu64 " (%s): %.0f us, the plain loop %.0f us (%.2f x): "
           "element_bytes %zu",
           number, layout->name, best->astride_ns / 1e3, best->plain_ns / 1e3,
           best->astride_ns / best->plain_ns, layout->element_bytes);
    print_numbers("extents", layout->extents, layout->rank);
    print_numbers("dst strides", layout->dst_strides, layout->rank);
    print_numbers("src strides", layout->src_strides, layout->rank);
    putchar('\n');
    fflush(stdout);
}

/* Buffers that all layouts share; they grow. The source is filled whenever it does. */
typedef struct buffers {
    unsigned char *dst, *src, *expected;
    size_t dst_bytes, src_bytes;
} buffers;

static bool make_room(buffers *own, const bench_layout *layout)
{
    if (layout->dst_bytes > own->dst_bytes) {
        bench_free(own->dst, own->dst_bytes);
        bench_free(own->expected, own->dst_bytes);
        own->dst = bench_allocate(layout->dst_bytes);
        own->expected = bench_allocate(layout->dst_bytes);
        own->dst_bytes = layout->dst_bytes;
    }
    if (layout->src_bytes > own->src_bytes) {
        bench_free(own->src, own->src_bytes);
        own->src = bench_allocate(layout->src_bytes);
        own->src_bytes = layout->src_bytes;
        if (own->src != NULL)
            bench_fill_source(own->src, layout->src_bytes);
    }
    return own->dst != NULL && own->src != NULL && own->expected != NULL;
}

/* One layout: whether the result is right; `best` is what it took. */
static bool race(bench_peer *astride, const bench_layout *layout, buffers *own, times *best)
{
    *best = (times){INFINITY, INFINITY};
    if (!make_room(own, layout))
        return false;
    const bench_case test = {.layout = layout, .dst = own->dst, .src = own->src};
    if (!astride->prepare(astride, &test)) {
        fprintf(stderr, "bench: %s\n", astride->reason);
        return false;
    }
    memset(own->dst, BENCH_POISON, layout->dst_bytes);
    memset(own->expected, BENCH_POISON, layout->dst_bytes);
    bench_plain_copy(layout, own->expected, own->src);
    bool right = astride->run(astride, 1) >= 0 &&
                 memcmp(own->dst, own->expected, layout->dst_bytes) == 0 &&
                 take_turns(astride, &test, ROUNDS, best);
    if (right && best->astride_ns > best->plain_ns)
        right = take_turns(astride, &test, FURTHER_ROUNDS, best);
    astride->finish(astride);
    return right;
}

bool bench_random(bench_peer *astride, uint64_t seed, uint64_t first, uint64_t count)
{
    buffers own = {0};
    uint64_t slower = 0, wrong = 0;
    double worst = 0, sum = 0;
    for (uint64_t i = first; i < first + count; i++) {
        test_random random;
        test_layout drawn;
        bench_layout layout;
        times best;
        test_random_seed(&random, seed, i);
        const int64_t bytes =
            LEAST_BYTES * test_random_magnitude(&random, MOST_BYTES / LEAST_BYTES);
        test_layout_generate_sized(&random, bytes, BENCH_MAX_RANK, &drawn);
        expand(&drawn, &layout);
        if (!race(astride, &layout, &own, &best)) {
            printf("wrong, or no memory: layout %" PRIu64 "\n", i);
            wrong++;
            continue;
        }
        const double ratio = best.astride_ns / best.plain_ns;
        sum += log(ratio);
        worst = fmax(worst, ratio);
        if (ratio > NOISE) {
            print_layout(i, &layout, &best);
            slower++;
        }
    }
    bench_free(own.dst, own.dst_bytes);
    bench_free(own.src, own.src_bytes);
    bench_free(own.expected, own.dst_bytes);
    printf("%" PRIu64 " random layouts of seed %" PRIu64 ": %" PRIu64
           " slower than the plain loop, %" PRIu64
           " wrong; time as a part of the plain loop's: geometric mean %.3f, worst %.3f\n",
           count, seed, slower, wrong, count > wrong ? exp(sum / (double)(count - wrong)) : 0,
           worst);
    return slower == 0 && wrong == 0;
}
