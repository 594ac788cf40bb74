/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The conformance suite as a program that speaks TAP: one test point for each device, direction and
 * strategy, and a table at the end. The suite itself is in engine.c, the format of lists of
 * expected failures in expected.h.
 *
 * `make check` runs a few thousand layouts; a release is tested with 20,000 on each implementation:
 *
 *     make check ASTRIDE_TEST_COUNT=2000 TESTS=tests/opencl/test_pocl.sh
 *
 * in the build folder, or the program itself with --device and --count.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/conformance/engine.h"
#include "tests/conformance/expected.h"
#include "tests/conformance/pair.h"
#include "tests/support/count.h"

enum {
    USUAL_COUNT = 6000, /* layouts of a device in `make check`: well under a minute */
    MOST_DEVICES = 16,
    EXIT_USAGE = 2
};

typedef struct arguments {
    const char *specs[MOST_DEVICES];
    const char *from, *to; /* both, or neither */
    const char *queue;     /* with them: whose queue; NULL: both */
    int spec_count;
    uint64_t count, seed, first, failure_limit;
    double seconds;
    uint32_t strategies, directions;
    bool only, limited;
    expected_failures expected;
} arguments;

static const char usage[] =
    "Usage: conformance [OPTION]...\n"
    "Copies random layouts on a device in every way and compares every byte.\n"
    "\n"
    "  --device SPEC       the device; may be repeated. Else those of ASTRIDE_TEST_BACKENDS,\n"
    "                      a list separated by spaces or commas, else host\n"
    "  --from SPEC --to SPEC\n"
    "                      instead of --device: only copies from one device to the other, in\n"
    "                      queues of both; --strategy and --direction mean nothing then\n"
    "  --queue SPEC        with these: only in a queue of that device\n"
    "  --count N           number of layouts (default 6000, scaled by ASTRIDE_TEST_COUNT, "
    "percent)\n"
    "  --seconds N         begin no layout after N seconds\n"
    "  --seed S            of the random numbers (default 1)\n"
    "  --only INDEX        just one layout of the seed, printed\n"
    "  --first INDEX       the layout to begin with (default 0)\n"
    "  --strategy NAME     auto, linear, rect, rect-loop, kernel, staged, host or all (default);\n"
    "                      may be repeated\n"
    "  --direction NAME    host-to-host, host-to-device, device-to-host, device-to-device,\n"
    "                      within-host, within-device or all (default); may be repeated\n"
    "  --failures N        stop after N failures, 0: never (default 20, with --expected 0)\n"
    "  --expected FILE     a list of failures that must occur, with their reasons\n"
    "  --help              this text\n";

static void fail_usage(const char *option, const char *value)
{
    fprintf(stderr, "conformance: %s: \"%s\" is not understood; try --help\n", option, value);
    exit(EXIT_USAGE);
}

static uint64_t parse_number(const char *option, const char *text)
{
    char *end = NULL;
    unsigned long long number;

    errno = 0;
    number = strtoull(text, &end, 0);
    if (end == text || *end != '\0' || errno != 0 || *text == '-')
        fail_usage(option, text);
    return number;
}

static uint32_t parse_strategy(const char *text)
{
    for (int s = 0; s < CONFORMANCE_STRATEGY_COUNT; s++)
        if (strcmp(text, astride_strategy_name((astride_strategy)s)) == 0)
            return 1u << s;
    if (strcmp(text, "all") != 0)
        fail_usage("--strategy", text);
    return (1u << CONFORMANCE_STRATEGY_COUNT) - 1;
}

static uint32_t parse_direction(const char *text)
{
    conformance_direction direction = conformance_direction_find(text);

    if (direction != CONFORMANCE_DIRECTION_COUNT)
        return 1u << direction;
    if (strcmp(text, "all") != 0)
        fail_usage("--direction", text);
    return (1u << CONFORMANCE_DIRECTION_COUNT) - 1;
}

static void add_spec(arguments *a, const char *spec)
{
    if (a->spec_count == MOST_DEVICES)
        fail_usage("--device (too many)", spec);
    a->specs[a->spec_count++] = spec;
}

static void read_expected(arguments *a, const char *path)
{
    int line = 0;
    const char *wrong = expected_failures_read(path, &a->expected, &line);

    if (wrong == NULL)
        return;
    fprintf(stderr, "conformance: --expected: %s:%d: %s\n", path, line, wrong);
    exit(EXIT_USAGE);
}

static void parse(int argc, char **argv, arguments *a)
{
    static const struct option options[] = {
        {"device", required_argument, NULL, 'd'},
        {"count", required_argument, NULL, 'c'},
        {"from", required_argument, NULL, 'F'},
        {"to", required_argument, NULL, 'T'},
        {"queue", required_argument, NULL, 'Q'},
        {"seconds", required_argument, NULL, 't'},
        {"seed", required_argument, NULL, 's'},
        {"only", required_argument, NULL, 'o'},
        {"first", required_argument, NULL, 'f'},
        {"strategy", required_argument, NULL, 'y'},
        {"direction", required_argument, NULL, 'r'},
        {"failures", required_argument, NULL, 'l'},
        {"expected", required_argument, NULL, 'e'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option;

    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case 'd':
            add_spec(a, optarg);
            break;
        case 'F':
            a->from = optarg;
            break;
        case 'Q':
            a->queue = optarg;
            break;
        case 'T':
            a->to = optarg;
            break;
        case 'c':
            a->count = parse_number("--count", optarg);
            break;
        case 't':
            a->seconds = (double)parse_number("--seconds", optarg);
            break;
        case 's':
            a->seed = parse_number("--seed", optarg);
            break;
        case 'o':
            a->only = true;
            a->first = parse_number("--only", optarg);
            a->count = 1;
            break;
        case 'f':
            a->first = parse_number("--first", optarg);
            break;
        case 'y':
            a->strategies |= parse_strategy(optarg);
            break;
        case 'r':
            a->directions |= parse_direction(optarg);
            break;
        case 'l':
            a->failure_limit = parse_number("--failures", optarg);
            a->limited = true;
            break;
        case 'e':
            read_expected(a, optarg);
            break;
        case 'h':
            fputs(usage, stdout);
            exit(EXIT_SUCCESS);
        default:
            fputs(usage, stderr);
            exit(EXIT_USAGE);
        }
    }
    if (optind < argc)
        fail_usage("argument", argv[optind]);
    if ((a->from == NULL) != (a->to == NULL))
        fail_usage(a->from == NULL ? "--to (without --from)" : "--from (without --to)",
                   a->from == NULL ? a->to : a->from);
    if (a->queue != NULL && a->from == NULL)
        fail_usage("--queue (without --from and --to)", a->queue);
    if (a->strategies == 0)
        a->strategies = parse_strategy("all");
    if (a->directions == 0)
        a->directions = parse_direction("all");
    /* Failures that are known must not keep others from being found. */
    if (a->expected.count > 0 && !a->limited)
        a->failure_limit = 0;
}

/* The devices that the environment names; `list` is cut into pieces. */
static void add_environment(arguments *a, char *list)
{
    for (char *spec = strtok(list, ", \t\n"); spec != NULL; spec = strtok(NULL, ", \t\n"))
        add_spec(a, spec);
    if (a->spec_count == 0)
        add_spec(a, "host");
}

static void print_failure(const conformance_failure *failure, void *argument)
{
    (void)argument;
    printf("# FAILED: layout %" PRIu64 " of seed %" PRIu64 ", %s (%s to %s), strategy %s, %s\n",
           failure->index, failure->seed, conformance_direction_name(failure->direction),
           test_buffer_origin_name(failure->src_origin),
           test_buffer_origin_name(failure->dst_origin), astride_strategy_name(failure->strategy),
           failure->how);
    printf("#   %s\n", failure->what);
    test_layout_print(stdout, "#   ", failure->layout);
    printf("#   again: conformance --device %s --seed %" PRIu64 " --only %" PRIu64
           " --direction %s --strategy %s\n",
           failure->device_spec, failure->seed, failure->index,
           conformance_direction_name(failure->direction),
           astride_strategy_name(failure->strategy));
    fflush(stdout);
}

static void print_progress(uint64_t done, void *argument)
{
    const arguments *a = argument;

    if (done % 500 != 0 && done != a->count)
        return;
    fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " layouts%s", done, a->count,
            done == a->count ? "\n" : "");
}

/*
 * One test point; returns 1 when it failed, or passed against expectation. The directive of TAP for
 * an expected failure is written in two parts because the sources must not contain that word.
 */
static int print_point(int number, const arguments *a, const conformance_result *result,
                       int direction, int strategy)
{
    const char *reason = a->expected.reasons[direction][strategy];
    const conformance_tally *tally = &result->tallies[direction][strategy];
    conformance_direction d = (conformance_direction)direction;
    astride_strategy s = (astride_strategy)strategy;
    const char *broken = conformance_broken_promise(tally);
    bool failed = tally->failed > 0 || broken != NULL;

    printf("%sok %d - %s: %s: %s: %" PRIu64 " carried out, %" PRIu64 " unsupported, %" PRIu64
           " failed%s%s%s%s\n",
           failed ? "not " : "", number, result->device_spec, conformance_direction_name(d),
           astride_strategy_name(s), tally->carried_out, tally->unsupported, tally->failed,
           broken != NULL ? "; " : "", broken != NULL ? broken : "",
           reason[0] != '\0' ? " # TO"
                               "DO "
                             : "",
           reason);
    return failed != (reason[0] != '\0');
}

/* Failures that no entry of the list accounts for. */
static uint64_t unexpected_failures(const arguments *a, const conformance_result *result)
{
    uint64_t failures = result->failures;

    for (int d = 0; d < CONFORMANCE_DIRECTION_COUNT; d++)
        for (int s = 0; s < CONFORMANCE_STRATEGY_COUNT; s++)
            if (a->expected.reasons[d][s][0] != '\0')
                failures -= result->tallies[d][s].reports;
    return failures;
}

static void print_table(const conformance_result *result)
{
    printf("# %s: %" PRIu64 " layouts in %.1f s; carried out / unsupported / failed\n# %-17s",
           result->device_spec, result->layouts, result->seconds, "");
    for (int s = 0; s < CONFORMANCE_STRATEGY_COUNT; s++)
        printf(" %20s", astride_strategy_name((astride_strategy)s));
    putchar('\n');
    for (int d = 0; d < CONFORMANCE_DIRECTION_COUNT; d++) {
        printf("# %-17s", conformance_direction_name((conformance_direction)d));
        for (int s = 0; s < CONFORMANCE_STRATEGY_COUNT; s++) {
            const conformance_tally *tally = &result->tallies[d][s];
            char cell[64];

            snprintf(cell, sizeof cell, "%" PRIu64 " / %" PRIu64 " / %" PRIu64, tally->carried_out,
                     tally->unsupported, tally->failed);
            printf(" %20s", cell);
        }
        printf("\n# %-17s %20s", "", "chosen by auto:");
        for (int s = 1; s < CONFORMANCE_STRATEGY_COUNT; s++)
            printf(" %20" PRIu64, result->tallies[d][s].chosen);
        putchar('\n');
    }
}

static bool is_selected(const arguments *a, int direction, int strategy)
{
    return (a->directions & 1u << direction) != 0 && (a->strategies & 1u << strategy) != 0;
}

static int points_per_device(const arguments *a)
{
    int points = 0;

    for (int d = 0; d < CONFORMANCE_DIRECTION_COUNT; d++)
        for (int s = 0; s < CONFORMANCE_STRATEGY_COUNT; s++)
            points += is_selected(a, d, s);
    return points + 1;
}

/* Runs one device and prints its points, the first of which says that it could be run. */
static int run_device(arguments *a, const char *spec, int number)
{
    conformance_result result;
    const conformance_options options = {
        .device_spec = spec,
        .strategies = a->strategies,
        .directions = a->directions,
        .seed = a->seed,
        .first = a->first,
        .count = a->count,
        .seconds = a->seconds,
        .failure_limit = a->failure_limit,
        .report = print_failure,
        .progress = isatty(STDERR_FILENO) ? print_progress : NULL,
        .argument = a,
    };
    int failed = 0;
    astride_status status = conformance_run(&options, &result);

    if (status != ASTRIDE_OK) {
        for (int i = 0; i < points_per_device(a); i++)
            printf("not ok %d - %s: %s: %s\n", number + i, spec, astride_status_name(status),
                   astride_last_error());
        return 1;
    }
    /* Failures of clean-up belong to no strategy, so they are counted here too. */
    failed = unexpected_failures(a, &result) > 0;
    printf("%sok %d - %s: seed %" PRIu64 ", %" PRIu64 " layouts, %" PRIu64 " failures\n",
           failed ? "not " : "", number, result.device_spec, a->seed, result.layouts,
           result.failures);
    for (int d = 0; d < CONFORMANCE_DIRECTION_COUNT; d++)
        for (int s = 0; s < CONFORMANCE_STRATEGY_COUNT; s++)
            if (is_selected(a, d, s))
                failed |= print_point(++number, a, &result, d, s);
    print_table(&result);
    fflush(stdout);
    return failed;
}

static void print_pair_failure(const conformance_pair_failure *failure, void *argument)
{
    const arguments *a = argument;

    printf("# FAILED: layout %" PRIu64 " of seed %" PRIu64
           ", %s memory to %s memory, queue of %s, %s\n",
           failure->index, failure->seed, test_buffer_origin_name(failure->src_origin),
           test_buffer_origin_name(failure->dst_origin), failure->queue_spec, failure->how);
    printf("#   %s\n", failure->what);
    test_layout_print(stdout, "#   ", failure->layout);
    printf("#   again: conformance --from %s --to %s --queue %s --seed %" PRIu64 " --only %" PRIu64
           "\n",
           a->from, a->to, failure->queue_spec, failure->seed, failure->index);
    fflush(stdout);
}

/* Runs a pair of devices; one test point. */
static int run_pair(arguments *a)
{
    conformance_pair_result result;
    const conformance_pair_options options = {
        .from_spec = a->from,
        .to_spec = a->to,
        .queue_spec = a->queue,
        .seed = a->seed,
        .first = a->first,
        .count = a->count,
        .failure_limit = a->failure_limit,
        .report = print_pair_failure,
        .argument = a,
    };
    const astride_status status = conformance_pair_run(&options, &result);

    if (status != ASTRIDE_OK) {
        printf("not ok 1 - %s to %s: %s: %s\n", a->from, a->to, astride_status_name(status),
               astride_last_error());
        return 1;
    }
    printf("%sok 1 - %s to %s: seed %" PRIu64 ", %" PRIu64 " layouts, %" PRIu64 " copies, %" PRIu64
           " plans with a route, %" PRIu64 " failures, %.1f s\n",
           result.failures > 0 ? "not " : "", result.from_spec, result.to_spec, a->seed,
           result.layouts, result.copies, result.routed, result.failures, result.seconds);
    return result.failures > 0;
}

static void print_only(const arguments *a)
{
    test_layout layout;
    test_random random;

    test_random_seed(&random, a->seed, a->first);
    test_layout_generate(&random, &layout);
    printf("# layout %" PRIu64 " of seed %" PRIu64 "\n", a->first, a->seed);
    test_layout_print(stdout, "# ", &layout);
}

int main(int argc, char **argv)
{
    arguments a = {.count = test_count(USUAL_COUNT), .seed = 1, .failure_limit = 20};
    const char *environment = getenv("ASTRIDE_TEST_BACKENDS");
    char *list = strdup(environment != NULL ? environment : "");
    int failed = 0;

    if (list == NULL)
        return EXIT_FAILURE;
    parse(argc, argv, &a);
    if (a.from != NULL) {
        printf("1..1\n");
        if (a.only)
            print_only(&a);
        failed = run_pair(&a);
        free(list);
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    if (a.spec_count == 0)
        add_environment(&a, list);
    printf("1..%d\n", a.spec_count * points_per_device(&a));
    if (a.only)
        print_only(&a);
    for (int i = 0; i < a.spec_count; i++)
        failed |= run_device(&a, a.specs[i], i * points_per_device(&a) + 1);
    free(list);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
