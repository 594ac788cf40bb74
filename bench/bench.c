/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The benchmark: every layout of the table, copied by every contestant that is found, each result
 * verified before it is timed. The contestants take turns, so that a disturbance of the machine
 * hits all of them; the median of each one's rounds counts.
 */
#include "bench/bench.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A timed round of a short copy repeats it for about this long. */
#define ROUND_NS 5e5
/* A contestant this many times slower than memcpy is timed in fewer rounds. */
#define SLOW_RATIO 10

#ifndef BENCH_LIBEXEC
#define BENCH_LIBEXEC "bench"
#endif
#ifndef BENCH_SOURCE
#define BENCH_SOURCE "bench"
#endif
#ifndef BENCH_PYTHON
#define BENCH_PYTHON "python3"
#endif

static const char *const numpy_command[] = {BENCH_PYTHON, BENCH_SOURCE "/peer_numpy.py", NULL};
static const char *const mpich_command[] = {BENCH_LIBEXEC "/peer_mpich", NULL};
static const char *const openmpi_command[] = {BENCH_LIBEXEC "/peer_openmpi", NULL};

#define IN_PROCESS(kind)                                                                           \
    .open = bench_##kind##_open, .prepare = bench_##kind##_prepare, .run = bench_##kind##_run,     \
    .finish = bench_##kind##_finish
#define OWN_PROCESS(words) IN_PROCESS(process), .hash = bench_process_hash, .command = (words)

static bench_peer peers[BENCH_MAX_PEERS] = {
    {.name = "Astride", IN_PROCESS(astride), .threads = 1},
    {.name = "2 threads", IN_PROCESS(astride), .threads = 2},
    {.name = "specialised", IN_PROCESS(specialised)},
    {.name = "memrefCopy", IN_PROCESS(memref)},
    {.name = "NumPy", OWN_PROCESS(numpy_command)},
    {.name = "MPICH", OWN_PROCESS(mpich_command)},
    {.name = "Open MPI", OWN_PROCESS(openmpi_command)},
    {.name = "libgomp", IN_PROCESS(gomp)},
};
static size_t peer_count;

typedef struct options {
    size_t bytes;
    int rounds;
    const char *only;       /* layouts whose name contains this */
    const char *contenders; /* comma list of names; NULL: all */
    const char *json, *plot;
    bool verify_only;
    bool minimum;
    uint64_t random_count; /* of random layouts; 0: the table */
    uint64_t seed, first;
    bool growth;
} options;

static int compare_doubles(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

static bool minimum_counts;

/* The figure that counts for a contestant's rounds. */
static double summarise(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    if (minimum_counts)
        return values[0];
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* memcpy of the same payload between dense buffers of its own. */
static unsigned char *flat_dst, *flat_src;

static double run_memcpy(size_t bytes, uint64_t iterations)
{
    const double begin = bench_now_ns();
    for (uint64_t i = 0; i < iterations; i++) {
        memcpy(flat_dst, flat_src, bytes);
        /* The copy must happen each time. */
        __asm__ volatile("" : : "r"(flat_dst), "r"(flat_src) : "memory");
    }
    return bench_now_ns() - begin;
}

/* One copy into poisoned memory; what must come out is known. */
static bool verify(bench_peer *peer, const bench_case *test)
{
    uint64_t hash;
    if (peer->hash != NULL)
        return peer->hash(peer, &hash) && hash == test->expected_hash;
    memset(test->dst, BENCH_POISON, test->layout->dst_bytes);
    return peer->run(peer, 1) >= 0 &&
           memcmp(test->dst, test->expected, test->layout->dst_bytes) == 0;
}

static bool measure(const bench_case *test, const options *want, bench_result *result)
{
    double samples[BENCH_MAX_PEERS + 1][64];
    int counts[BENCH_MAX_PEERS + 1] = {0};
    uint64_t iterations[BENCH_MAX_PEERS + 1] = {0};
    bool takes_part[BENCH_MAX_PEERS] = {false};
    const size_t bytes = test->layout->payload_bytes;
    bool good = true;

    for (size_t p = 0; p < peer_count; p++) {
        result->ns[p] = -1;
        if (!peers[p].prepare(&peers[p], test))
            continue;
        takes_part[p] = verify(&peers[p], test);
        if (takes_part[p])
            continue;
        fprintf(stderr, "bench: %s: the result of %s is wrong: it is left out\n",
                test->layout->name, peers[p].name);
        good = good && peers[p].threads == 0;
        peers[p].finish(&peers[p]);
    }
    for (int round = -1; round < (want->verify_only ? 0 : want->rounds); round++) {
        for (size_t p = 0; p <= peer_count; p++) {
            if (p < peer_count && !takes_part[p])
                continue;
            /* The first round only finds out how often to repeat. */
            const uint64_t n = round < 0 ? 1 : iterations[p];
            /* Slow contestants are left out of most rounds, but of none of the first three. */
            if (round >= 3 && p < peer_count && iterations[p] == 1 && counts[peer_count] > 0 &&
                samples[p][0] > SLOW_RATIO * samples[peer_count][0] && round % 4 != 0)
                continue;
            if (p < peer_count)
                (void)peers[p].run(&peers[p], 1);
            else
                (void)run_memcpy(bytes, 1);
            const double ns = p < peer_count ? peers[p].run(&peers[p], n) : run_memcpy(bytes, n);
            if (round < 0)
                iterations[p] = ns < ROUND_NS ? (uint64_t)(ROUND_NS / (ns + 10)) + 1 : 1;
            else
                samples[p][counts[p]++] = ns / (double)n;
        }
    }
    for (size_t p = 0; p < peer_count; p++) {
        if (counts[p] > 0)
            result->ns[p] = summarise(samples[p], counts[p]);
        if (takes_part[p])
            peers[p].finish(&peers[p]);
    }
    result->memcpy_ns =
        counts[peer_count] > 0 ? summarise(samples[peer_count], counts[peer_count]) : -1;
    return good;
}

static bool run_layout(size_t index, const options *want, bench_result *result)
{
    bench_layout *layout = &result->layout;
    bench_case test = {.layout = layout, .index = index};
    bool good = false;

    unsigned char *expected = bench_allocate(layout->dst_bytes);
    test.dst = bench_allocate(layout->dst_bytes);
    test.src = bench_allocate(layout->src_bytes);
    flat_dst = bench_allocate(layout->payload_bytes);
    flat_src = bench_allocate(layout->payload_bytes);
    if (expected == NULL || test.dst == NULL || test.src == NULL || flat_dst == NULL ||
        flat_src == NULL) {
        fprintf(stderr, "bench: no memory for %s\n", layout->name);
        goto free_buffers;
    }
    bench_fill_source(test.src, layout->src_bytes);
    memset(expected, BENCH_POISON, layout->dst_bytes);
    bench_plain_copy(layout, expected, test.src);
    test.expected = expected;
    test.expected_hash = bench_hash(expected, layout->dst_bytes);
    good = measure(&test, want, result);

free_buffers:
    bench_free(flat_src, layout->payload_bytes);
    bench_free(flat_dst, layout->payload_bytes);
    bench_free(test.src, layout->src_bytes);
    bench_free(test.dst, layout->dst_bytes);
    bench_free(expected, layout->dst_bytes);
    return good;
}

/* The fixed cost of a call: 1 KiB as 16 rows of 64 bytes. */
static void report_calls(void)
{
    enum { REPEATS = 9 };
    static unsigned char dst[1024] __attribute__((aligned(64)));
    static unsigned char src[4096] __attribute__((aligned(64)));
    const bench_layout layout = {.name = "1 KiB as 16 x 64 B",
                                 .element_bytes = 1,
                                 .rank = 2,
                                 .extents = {16, 64},
                                 .dst_strides = {64, 1},
                                 .src_strides = {256, 1},
                                 .dst_bytes = sizeof dst,
                                 .src_bytes = sizeof src,
                                 .payload_bytes = sizeof dst};
    const bench_case test = {.layout = &layout, .dst = dst, .src = src};
    double plan_run[REPEATS], copy[REPEATS], flat[REPEATS];
    if (peers[0].threads == 0 || !peers[0].prepare(&peers[0], &test))
        return;
    flat_dst = dst;
    flat_src = src;
    for (int i = 0; i < REPEATS; i++) {
        bench_astride_calls(&peers[0], &plan_run[i], &copy[i]);
        flat[i] = run_memcpy(sizeof dst, 100000) / 100000;
    }
    const double memcpy_ns = summarise(flat, REPEATS);
    const double plan_ns = summarise(plan_run, REPEATS), copy_ns = summarise(copy, REPEATS);
    printf("\nper call, 1 KiB as 16 x 64 B: plan_run %.0f ns (%.1f x memcpy), copy %.0f ns "
           "(%.1f x memcpy), memcpy %.1f ns\n",
           plan_ns, plan_ns / memcpy_ns, copy_ns, copy_ns / memcpy_ns, memcpy_ns);
    peers[0].finish(&peers[0]);
}

static bool is_wanted(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at != NULL && *at != '\0';) {
        const size_t word = strcspn(at, ",");
        if (word == length && strncasecmp(at, name, length) == 0)
            return true;
        at += word + (at[word] == ',');
    }
    return list == NULL;
}

/* Keeps the contestants that are wanted and found; says why others are not. */
static void open_peers(const options *want)
{
    size_t kept = 0;
    for (size_t p = 0; p < BENCH_MAX_PEERS && peers[p].name != NULL; p++) {
        if (!is_wanted(want->contenders, peers[p].name))
            continue;
        if (peers[p].open(&peers[p])) {
            peers[kept++] = peers[p];
            continue;
        }
        fprintf(stderr, "bench: without %s: %s\n", peers[p].name,
                peers[p].reason[0] != '\0' ? peers[p].reason : "no memory");
    }
    peer_count = kept;
}

static size_t parse_bytes(const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    const unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (errno != 0 || end == text || value == 0 || value > (1ull << 34 >> shift) ||
        (*end != '\0' && (shift == 0 || end[1] != '\0'))) {
        fprintf(stderr, "bench: --bytes=%s is no size between 1 and 16G\n", text);
        exit(2);
    }
    return (size_t)value << shift;
}

static uint64_t parse_number(const char *option, const char *text)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || *text == '-') {
        fprintf(stderr, "bench: --%s=%s is no number\n", option, text);
        exit(2);
    }
    return value;
}

static void usage(FILE *stream)
{
    fputs(
        "usage: bench [OPTION...]\n"
        "  --bytes=N[K|M|G]   payload of each copy (64M)\n"
        "  --rounds=N         timed rounds of each contestant (9, at most 64)\n"
        "  --layout=WORDS     only layouts whose name contains WORDS\n"
        "  --peers=LIST       only these contestants, by name\n"
        "  --json=FILE        write the figures as JSON\n"
        "  --plot=FILE.svg    write a picture of the ratios\n"
        "  --minimum          the best round counts, not the median: for machines that are busy\n"
        "  --verify           copy once and compare, time nothing\n"
        "  --random=N         N random layouts of 1 to 16 MiB, each held against the plain loop\n"
        "  --seed=N           which random layouts (1)\n"
        "  --first=N          the number of the first one (0): --random=1 --first=N repeats one\n"
        "  --growth           how the times of 8, 16 and 64 times the payload grow (--bytes=16M)\n"
        "  --list             name layouts and contestants\n",
        stream);
}

static void list_all(void)
{
    for (size_t i = 0; i < bench_layout_count(); i++)
        puts(bench_layout_name(i));
    for (size_t p = 0; p < BENCH_MAX_PEERS && peers[p].name != NULL; p++)
        printf("contestant: %s\n", peers[p].name);
}

static void parse(int argc, char **argv, options *want)
{
    static const struct option long_options[] = {
        {"bytes", required_argument, NULL, 'b'},
        {"rounds", required_argument, NULL, 'r'},
        {"layout", required_argument, NULL, 'l'},
        {"peers", required_argument, NULL, 'p'},
        {"json", required_argument, NULL, 'j'},
        {"plot", required_argument, NULL, 's'},
        {"minimum", no_argument, NULL, 'm'},
        {"verify", no_argument, NULL, 'v'},
        {"random", required_argument, NULL, 'n'},
        {"seed", required_argument, NULL, 'e'},
        {"first", required_argument, NULL, 'f'},
        {"growth", no_argument, NULL, 'g'},
        {"list", no_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option;
    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        switch (option) {
        case 'b':
            want->bytes = parse_bytes(optarg);
            break;
        case 'r':
            want->rounds = (int)strtol(optarg, NULL, 10);
            break;
        case 'l':
            want->only = optarg;
            break;
        case 'p':
            want->contenders = optarg;
            break;
        case 'j':
            want->json = optarg;
            break;
        case 's':
            want->plot = optarg;
            break;
        case 'm':
            want->minimum = true;
            break;
        case 'v':
            want->verify_only = true;
            break;
        case 'n':
            want->random_count = parse_number("random", optarg);
            break;
        case 'e':
            want->seed = parse_number("seed", optarg);
            break;
        case 'f':
            want->first = parse_number("first", optarg);
            break;
        case 'g':
            want->growth = true;
            break;
        case 't':
            list_all();
            exit(0);
        case 'h':
            usage(stdout);
            exit(0);
        default:
            usage(stderr);
            exit(2);
        }
    }
    if (optind < argc || want->rounds < 1 || want->rounds > 64) {
        usage(stderr);
        exit(2);
    }
}

/* Whether the buffers of a layout fit in the memory that is there, with some to spare. */
static bool fits_memory(const bench_layout *layout)
{
    const double needed =
        2.0 * (double)(layout->dst_bytes + layout->payload_bytes) + (double)layout->src_bytes;
    return needed < 0.8 * (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

/*
 * One layout at several payloads: the time of each, as a part of what the bytes would make of that
 * of the first. False when Astride's grows faster than the bytes and 15 %, or a result is wrong.
 */
static bool grow_layout(size_t index, const options *want)
{
    static const size_t factors[] = {1, 8, 16, 64};
    bench_result first = {0};
    bool good = true;
    printf("%-32s", bench_layout_name(index));
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        bench_result result;
        if (!bench_layout_expand(index, want->bytes * factors[i], &result.layout) ||
            !fits_memory(&result.layout)) {
            printf("           -           -");
            continue;
        }
        good = run_layout(index, want, &result) && good;
        if (i == 0) {
            first = result;
            printf(" %8.0f us", result.ns[0] / 1e3);
            continue;
        }
        const double bytes =
            (double)result.layout.payload_bytes / (double)first.layout.payload_bytes;
        const double growth = result.ns[0] / first.ns[0] / bytes;
        printf(" %5.2f%c(%.2f)", growth, growth > 1.15 ? '!' : ' ',
               result.memcpy_ns / first.memcpy_ns / bytes);
        good = good && growth <= 1.15;
    }
    putchar('\n');
    fflush(stdout);
    return good;
}

static bool report_growth(const options *want)
{
    bool good = true;
    printf("payloads of %zu bytes and 8, 16, 64 times as many: time by the bytes, 1 at the first; "
           "memcpy's in brackets; ! over 1.15\n",
           want->bytes);
    for (size_t i = 0; i < bench_layout_count(); i++) {
        bench_layout layout;
        if ((want->only == NULL || strstr(bench_layout_name(i), want->only) != NULL) &&
            bench_layout_expand(i, want->bytes, &layout))
            good = grow_layout(i, want) && good;
    }
    return good;
}

int main(int argc, char **argv)
{
    static bench_result results[128];
    options want = {.rounds = 9, .seed = 1};
    size_t result_count = 0;
    bool good = true;

    parse(argc, argv, &want);
    minimum_counts = want.minimum;
    if (want.bytes == 0)
        want.bytes = (size_t)(want.growth ? 16 : 64) << 20;
    if (want.random_count > 0 || want.growth) {
        want.contenders = peers[0].name;
        open_peers(&want);
        if (want.growth)
            return peer_count == 1 && report_growth(&want) ? 0 : 1;
        return peer_count == 1 && bench_random(&peers[0], want.seed, want.first, want.random_count)
                   ? 0
                   : 1;
    }
    open_peers(&want);
    printf("payload %zu bytes, %s of %d rounds, ratio to memcpy of the same payload\n", want.bytes,
           want.minimum ? "minimum" : "median", want.rounds);
    bench_report_heading(peers, peer_count);
    for (size_t i = 0; i < bench_layout_count(); i++) {
        bench_result *result = &results[result_count];
        if ((want.only != NULL && strstr(bench_layout_name(i), want.only) == NULL) ||
            !bench_layout_expand(i, want.bytes, &result->layout))
            continue;
        good = run_layout(i, &want, result) && good;
        bench_report_row(result, peer_count);
        result_count++;
    }
    if (!want.verify_only && want.only == NULL) {
        bench_report_means(results, result_count, peers, peer_count);
        report_calls();
    }
    if (want.json != NULL)
        good = bench_report_json(want.json, results, result_count, peers, peer_count) && good;
    if (want.plot != NULL)
        good = bench_report_plot(want.plot, results, result_count, peers, peer_count) && good;
    if (want.verify_only)
        printf("%zu layouts, %zu contestants: %s\n", result_count, peer_count,
               good ? "Astride's results are right" : "failed");
    return good ? 0 : 1;
}
