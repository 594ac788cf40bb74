/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the parts of the benchmark share: the case that is measured, the contestants that copy it,
 * and the figures that come out.
 */
#ifndef ASTRIDE_BENCH_BENCH_H
#define ASTRIDE_BENCH_BENCH_H

#include "bench/layouts.h"

/* A layout with its buffers, the same for every contestant of this process. */
typedef struct bench_case {
    const bench_layout *layout;
    size_t index; /* of the layout in the table */
    unsigned char *dst, *src;
    const unsigned char *expected; /* the destination's buffer after the copy */
    uint64_t expected_hash;
} bench_case;

/*
 * A contestant. `open` says whether it is there; `prepare` whether it can express the case, and
 * does what a program would do once; `run` copies `iterations` times and returns the nanoseconds
 * for all of them together, below 0 after a failure. A contestant that copies between other
 * buffers than the case's has `hash` return that of its destination after one copy into poisoned
 * memory.
 */
typedef struct bench_peer bench_peer;
struct bench_peer {
    const char *name;
    bool (*open)(bench_peer *peer);
    bool (*prepare)(bench_peer *peer, const bench_case *test);
    double (*run)(bench_peer *peer, uint64_t iterations);
    bool (*hash)(bench_peer *peer, uint64_t *hash_out);
    void (*finish)(bench_peer *peer); /* undoes prepare */
    const char *const *command;       /* of a contestant in a process of its own */
    void *state;
    int threads;      /* of Astride */
    char reason[160]; /* why it takes no part */
};

/* Byte that destinations are filled with before a copy that is verified. */
#define BENCH_POISON 0xA5

double bench_now_ns(void);
void *bench_allocate(size_t bytes);
void bench_free(void *address, size_t bytes);
/* The source's bytes: the same in every process. */
void bench_fill_source(unsigned char *bytes, size_t count);
/* Over all bytes of a buffer; the last, partial word counts as filled up with zeros. */
uint64_t bench_hash(const unsigned char *bytes, size_t count);
/* The plain nested loop that every result is held against. */
void bench_plain_copy(const bench_layout *layout, unsigned char *dst, const unsigned char *src);

/* The contestants, by file. */
bool bench_astride_open(bench_peer *peer);
bool bench_astride_prepare(bench_peer *peer, const bench_case *test);
double bench_astride_run(bench_peer *peer, uint64_t iterations);
void bench_astride_finish(bench_peer *peer);
/* Nanoseconds a call of plan_run and of astride_copy for the case that is prepared. */
void bench_astride_calls(bench_peer *peer, double *plan_run_ns_out, double *copy_ns_out);

bool bench_specialised_open(bench_peer *peer);
bool bench_specialised_prepare(bench_peer *peer, const bench_case *test);
double bench_specialised_run(bench_peer *peer, uint64_t iterations);
void bench_specialised_finish(bench_peer *peer);

bool bench_memref_open(bench_peer *peer);
bool bench_memref_prepare(bench_peer *peer, const bench_case *test);
double bench_memref_run(bench_peer *peer, uint64_t iterations);
void bench_memref_finish(bench_peer *peer);

bool bench_gomp_open(bench_peer *peer);
bool bench_gomp_prepare(bench_peer *peer, const bench_case *test);
double bench_gomp_run(bench_peer *peer, uint64_t iterations);
void bench_gomp_finish(bench_peer *peer);

bool bench_process_open(bench_peer *peer);
bool bench_process_prepare(bench_peer *peer, const bench_case *test);
double bench_process_run(bench_peer *peer, uint64_t iterations);
bool bench_process_hash(bench_peer *peer, uint64_t *hash_out);
void bench_process_finish(bench_peer *peer);

/* Figures of one layout: nanoseconds a copy by contestant, below 0 where it took no part. */
#define BENCH_MAX_PEERS 12
typedef struct bench_result {
    bench_layout layout;
    double memcpy_ns;
    double ns[BENCH_MAX_PEERS];
} bench_result;

/* report.c */
void bench_report_heading(const bench_peer *peers, size_t peer_count);
void bench_report_row(const bench_result *result, size_t peer_count);
void bench_report_means(const bench_result *results, size_t result_count, const bench_peer *peers,
                        size_t peer_count);
bool bench_report_json(const char *path, const bench_result *results, size_t result_count,
                       const bench_peer *peers, size_t peer_count);
bool bench_report_plot(const char *path, const bench_result *results, size_t result_count,
                       const bench_peer *peers, size_t peer_count);

/*
 * random.c: the random layouts of a seed from number `first` on, each held against the plain loop;
 * the slower ones are printed. False when there is one, or a wrong result.
 */
bool bench_random(bench_peer *astride, uint64_t seed, uint64_t first, uint64_t count);

#endif /* ASTRIDE_BENCH_BENCH_H */
