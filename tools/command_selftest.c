/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * `astride selftest`: the conformance suite on a device of this machine, for as long as the user
 * likes. The suite is the one that the project tests itself with; here are only its options and the
 * table of what came out.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/conformance/engine.h"
#include "tools/command.h"

#define COMMAND "astride selftest"

enum { USUAL_SECONDS = 10, FAILURE_LIMIT = 20, LONGEST_SECONDS = 1000000 };

typedef struct request {
    const char *device; /* NULL: the library's choice */
    uint64_t seconds;
    uint64_t seed;
} request;

static uint64_t read_number(struct argp_state *state, const char *option, const char *text,
                            uint64_t least, uint64_t most)
{
    char *end = NULL;
    unsigned long long number;

    errno = 0;
    number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || number < least || number > most)
        argp_error(state, "%s: '%s' is no number from %" PRIu64 " to %" PRIu64, option, text, least,
                   most);
    return number;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    request *wanted = state->input;

    switch (key) {
    case 'd':
        wanted->device = argument;
        return 0;
    case 't':
        wanted->seconds = read_number(state, "--seconds", argument, 1, LONGEST_SECONDS);
        return 0;
    case 's':
        wanted->seed = read_number(state, "--seed", argument, 0, UINT64_MAX);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "it takes no argument, but there is '%s'", argument);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_failure(const conformance_failure *failure, void *argument)
{
    (void)argument;
    (void)printf("wrong: layout %" PRIu64 " of seed %" PRIu64 ", %s, strategy %s, %s: ",
                 failure->index, failure->seed, conformance_direction_name(failure->direction),
                 astride_strategy_name(failure->strategy), failure->how);
    command_write_clean(failure->what, stdout);
    (void)putchar('\n');
    test_layout_print(stdout, "  ", failure->layout);
}

static void print_progress(uint64_t done, void *argument)
{
    (void)argument;
    if (done % 100 == 0)
        (void)fprintf(stderr, "\r%" PRIu64 " layouts", done);
}

/* One cell: copies that are right, with "!" and the number of wrong ones behind if there are any.
 */
static void print_cell(const conformance_tally *tally)
{
    char cell[64];

    if (tally->failed > 0)
        (void)snprintf(cell, sizeof(cell), "%" PRIu64 "!%" PRIu64, tally->carried_out,
                       tally->failed);
    else if (tally->carried_out > 0)
        (void)snprintf(cell, sizeof(cell), "%" PRIu64, tally->carried_out);
    else
        (void)snprintf(cell, sizeof(cell), "-");
    (void)printf(" %9s", cell);
}

/* Prints the table; returns how many copies were right. */
static uint64_t print_table(const conformance_result *result)
{
    uint64_t right = 0;

    (void)printf("%-17s", "");
    for (int s = 0; s < CONFORMANCE_STRATEGY_COUNT; s++)
        (void)printf(" %9s", astride_strategy_name((astride_strategy)s));
    (void)putchar('\n');
    for (int d = 0; d < CONFORMANCE_DIRECTION_COUNT; d++) {
        (void)printf("%-17s", conformance_direction_name((conformance_direction)d));
        for (int s = 0; s < CONFORMANCE_STRATEGY_COUNT; s++) {
            print_cell(&result->tallies[d][s]);
            right += result->tallies[d][s].carried_out;
        }
        (void)putchar('\n');
    }
    return right;
}

/* Says where the device does not do what its capabilities say; returns how often. */
static uint64_t print_broken_promises(const conformance_result *result)
{
    uint64_t count = 0;

    for (int d = 0; d < CONFORMANCE_DIRECTION_COUNT; d++) {
        for (int s = 0; s < CONFORMANCE_STRATEGY_COUNT; s++) {
            const char *broken = conformance_broken_promise(&result->tallies[d][s]);

            if (broken == NULL)
                continue;
            (void)printf("wrong: %s, strategy %s: %s\n",
                         conformance_direction_name((conformance_direction)d),
                         astride_strategy_name((astride_strategy)s), broken);
            count++;
        }
    }
    return count;
}

static int run(const request *wanted)
{
    conformance_result result;
    const conformance_options options = {
        .device_spec = wanted->device,
        .strategies = (1u << CONFORMANCE_STRATEGY_COUNT) - 1,
        .directions = (1u << CONFORMANCE_DIRECTION_COUNT) - 1,
        .seed = wanted->seed,
        .count = UINT64_MAX,
        .seconds = (double)wanted->seconds,
        .failure_limit = FAILURE_LIMIT,
        .report = print_failure,
        .progress = isatty(STDERR_FILENO) ? print_progress : NULL,
    };
    astride_status status = conformance_run(&options, &result);
    uint64_t right, broken;

    if (options.progress != NULL)
        (void)fputc('\r', stderr);
    if (status != ASTRIDE_OK)
        return command_report(COMMAND, status);
    (void)printf("device %s, seed %" PRIu64 ": copies that are right, by direction and strategy\n",
                 result.device_spec, wanted->seed);
    right = print_table(&result);
    broken = print_broken_promises(&result);
    if (result.failures == 0 && broken == 0) {
        (void)printf("passed: %" PRIu64 " copies of %" PRIu64 " layouts are right, %.1f s\n", right,
                     result.layouts, result.seconds);
        return COMMAND_SUCCESS;
    }
    (void)printf("FAILED: %" PRIu64 " faults in %" PRIu64 " layouts, %.1f s%s\n",
                 result.failures + broken, result.layouts, result.seconds,
                 result.failures >= FAILURE_LIMIT ? "; given up after so many" : "");
    return COMMAND_FAILURE;
}

static const struct argp_option options[] = {
    {"device", 'd', "SPEC", 0,
     "the device: NAME, NAME:DEVICE or a list of them (see 'astride devices'); "
     "by default $ASTRIDE_BACKEND, else automatic",
     0},
    {"seconds", 't', "N", 0, "begin no further layout after N seconds (default 10)", 0},
    {"seed", 's', "S", 0, "of the random layouts (default 1)", 0},
    {0},
};

int command_selftest(int count, char **arguments)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "Copy random layouts on a device in every direction and by every strategy, and "
               "compare every byte with a plain loop."
               "\vThe table has the number of copies that are right; '-' where the device cannot "
               "use a strategy in a direction, as its capabilities say; N!M for N that are right "
               "and M that are wrong. The last line begins with 'passed' or 'FAILED'. Each wrong "
               "copy is printed with its layout.\n"
               "\n" COMMAND_HELP_END,
    };
    request wanted = {.seconds = USUAL_SECONDS, .seed = 1};
    const char *strategy = getenv("ASTRIDE_STRATEGY");

    if (argp_parse(&argp, count, arguments, 0, NULL, &wanted) != 0)
        return COMMAND_USAGE;
    if (strategy != NULL && strategy[0] != '\0') {
        (void)fprintf(stderr,
                      "%s: ASTRIDE_STRATEGY is set, but the test chooses each strategy "
                      "itself\n",
                      COMMAND);
        return COMMAND_USAGE;
    }
    return run(&wanted);
}
