/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * `astride bench`: how long copies of a few typical layouts take on a device, by the strategy that
 * the library chooses, by each other one, and by one call per row. The measuring is in bench_run.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bench.h"
#include "tools/command.h"
#include "tools/json.h"

#define COMMAND "astride bench"

typedef struct request {
    const char *device; /* NULL: the library's choice */
    uint64_t bytes;
    uint64_t repeats;
    bool as_json;
} request;

/* The smallest size leaves every layout at least one element in each dimension. */
enum { BYTES_LEAST = 65536, USUAL_BYTES = 4 << 20, USUAL_REPEATS = 11, MOST_REPEATS = 1001 };
#define BYTES_MOST (UINT64_C(1) << 36)

enum { OPTION_JSON = 256 };

static const char *const direction_names[BENCH_DIRECTION_COUNT] = {
    "device-to-device",
    "host-to-device",
    "device-to-host",
};

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
    case 'b':
        wanted->bytes = read_number(state, "--bytes", argument, BYTES_LEAST, BYTES_MOST);
        return 0;
    case 'r':
        wanted->repeats = read_number(state, "--repeats", argument, 1, MOST_REPEATS);
        return 0;
    case OPTION_JSON:
        wanted->as_json = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "it takes no argument, but there is '%s'", argument);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static double best_of(const bench_times *times)
{
    double best = times->strategies[times->chosen];

    for (int s = 1; s < BENCH_STRATEGY_COUNT; s++)
        if (times->strategies[s] > 0 && times->strategies[s] < best)
            best = times->strategies[s];
    return best;
}

static void print_head(const char *device, const request *wanted)
{
    (void)printf("device %s, %" PRIu64 " bytes, medians of %" PRIu64 " in microseconds\n%-16s "
                 "%-15s %-9s",
                 device, wanted->bytes, wanted->repeats, "direction", "layout", "chosen");
    for (int s = 1; s < BENCH_STRATEGY_COUNT; s++)
        (void)printf(" %9s", astride_strategy_name((astride_strategy)s));
    (void)printf(" %9s %8s %8s\n", "per row", "to best", "to row");
}

static void print_time(double ns)
{
    if (ns > 0)
        (void)printf(" %9.1f", ns / 1000);
    else
        (void)printf(" %9s", "-");
}

static void print_row(const bench_layout *layout, bench_direction direction,
                      const bench_times *times)
{
    const double chosen = times->strategies[times->chosen];

    (void)printf("%-16s %-15s %-9s", direction_names[direction], layout->name,
                 astride_strategy_name(times->chosen));
    for (int s = 1; s < BENCH_STRATEGY_COUNT; s++)
        print_time(times->strategies[s]);
    print_time(times->per_row);
    (void)printf(" %8.2f %8.1f\n", chosen / best_of(times), times->per_row / chosen);
    (void)fflush(stdout);
}

static void write_row(json_writer *json, const bench_layout *layout, bench_direction direction,
                      const bench_times *times)
{
    json_begin(json, '{');
    json_key(json, "direction");
    json_string(json, direction_names[direction]);
    json_key(json, "layout");
    json_string(json, layout->name);
    json_key(json, "bytes");
    json_unsigned(json, layout->bytes);
    json_key(json, "chosen");
    json_string(json, astride_strategy_name(times->chosen));
    json_key(json, "strategies_ns");
    json_begin(json, '{');
    for (int s = 1; s < BENCH_STRATEGY_COUNT; s++) {
        if (times->strategies[s] <= 0)
            continue;
        json_key(json, astride_strategy_name((astride_strategy)s));
        json_unsigned(json, (uint64_t)times->strategies[s]);
    }
    json_end(json, '}');
    json_key(json, "per_row_ns");
    json_unsigned(json, (uint64_t)times->per_row);
    json_end(json, '}');
}

static astride_status measure_all(const request *wanted, astride_device *device,
                                  astride_queue *queue)
{
    json_writer json = {.stream = stdout};
    astride_status status = ASTRIDE_OK;

    if (wanted->as_json) {
        json_begin(&json, '{');
        json_key(&json, "device");
        json_string(&json, astride_device_spec(device));
        json_key(&json, "copies");
        json_begin(&json, '[');
    } else {
        print_head(astride_device_spec(device), wanted);
    }
    for (int d = 0; d < BENCH_DIRECTION_COUNT; d++) {
        for (int i = 0; i < BENCH_LAYOUT_COUNT && status == ASTRIDE_OK; i++) {
            const bench_layout layout = bench_layout_make(i, (size_t)wanted->bytes);
            bench_times times;

            status =
                bench_run(device, queue, &layout, (bench_direction)d, (int)wanted->repeats, &times);
            if (status != ASTRIDE_OK)
                break;
            if (wanted->as_json)
                write_row(&json, &layout, (bench_direction)d, &times);
            else
                print_row(&layout, (bench_direction)d, &times);
        }
    }
    if (wanted->as_json) {
        json_end(&json, ']');
        json_end(&json, '}');
        (void)putchar('\n');
    }
    return status;
}

static const struct argp_option options[] = {
    {"device", 'd', "SPEC", 0,
     "the device: NAME, NAME:DEVICE or a list of them (see 'astride devices'); "
     "by default $ASTRIDE_BACKEND, else automatic",
     0},
    {"bytes", 'b', "N", 0, "copy about N bytes each time (default 4194304)", 0},
    {"repeats", 'r', "N", 0, "measure each way N times (default 11)", 0},
    {"json", OPTION_JSON, NULL, 0, "print one JSON object on one line, times in nanoseconds", 0},
    {0},
};

int command_bench(int count, char **arguments)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "Measure copies of typical layouts on a device: with the strategy that is chosen, "
               "with each other strategy that can do it, and with one call per row."
               "\vThe layouts are every fourth float of a vector, rows of 64 bytes with gaps, a "
               "5-D subview with rows of 96 bytes, a transpose of floats, and a contiguous copy; "
               "each becomes dense. Host memory is pageable. All ways take turns; a time is from "
               "the call to the end of the copy, '-' where the strategy cannot do it.\n"
               "\n"
               "'to best' is the time of the chosen strategy divided by the best one's, 'to row' "
               "the time of one call per row divided by the chosen strategy's. Of very many rows "
               "8192 are measured and the time of all is calculated.\n"
               "\n" COMMAND_HELP_END,
    };
    request wanted = {.bytes = USUAL_BYTES, .repeats = USUAL_REPEATS};
    const char *strategy = getenv("ASTRIDE_STRATEGY");
    astride_device *device = NULL;
    astride_queue *queue = NULL;
    astride_status status;

    if (argp_parse(&argp, count, arguments, 0, NULL, &wanted) != 0)
        return COMMAND_USAGE;
    if (strategy != NULL && strategy[0] != '\0') {
        (void)fprintf(stderr, "%s: ASTRIDE_STRATEGY is set, but each strategy is measured\n",
                      COMMAND);
        return COMMAND_USAGE;
    }
    status = astride_device_open(wanted.device, &device);
    if (status == ASTRIDE_OK)
        status = astride_queue_create(device, &queue);
    if (status == ASTRIDE_OK)
        status = measure_all(&wanted, device, queue);
    if (status != ASTRIDE_OK)
        status = (astride_status)command_report(COMMAND, status);
    astride_queue_destroy(queue);
    astride_device_close(device);
    return (int)status;
}
