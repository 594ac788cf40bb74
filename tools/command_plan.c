/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * `astride plan SRC DST`: how a copy between two memref types would be carried out on a device, and
 * why. Nothing is allocated or copied; the words and the JSON of the plan are the library's.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <astride/copy.h>
#include <astride/device.h>
#include <astride/memory.h>

#include "tools/command.h"
#include "tools/memref_type.h"

#define COMMAND "astride plan"

typedef struct request {
    const char *types[2]; /* source, destination */
    const char *device;   /* NULL: the library's choice */
    astride_strategy strategy;
    astride_memory_kind kinds[2]; /* source, destination */
    bool as_json;
} request;

enum { SOURCE = 0, DESTINATION = 1 };

static const char *const side_names[] = {"SRC", "DST"};

/* A value of an option, and the word for it. */
typedef struct word {
    const char *name;
    int value;
} word;

static const word strategies[] = {
#define STRATEGY_WORD(name, value, text, meaning) {text, value},
    ASTRIDE_STRATEGY_LIST(STRATEGY_WORD)
#undef STRATEGY_WORD
        {NULL, 0},
};

static const word kinds[] = {
    {"host", ASTRIDE_MEMORY_HOST},
    {"pinned", ASTRIDE_MEMORY_PINNED},
    {"device", ASTRIDE_MEMORY_DEVICE},
    {"shared", ASTRIDE_MEMORY_SHARED},
    {NULL, 0},
};

/* Finds a word's value; ends the program where there is none, with the list of those there are. */
static int find_value(struct argp_state *state, const char *option, const word *words,
                      const char *name)
{
    char list[128] = "";

    for (const word *entry = words; entry->name != NULL; entry++) {
        size_t used = strlen(list);

        if (strcmp(name, entry->name) == 0)
            return entry->value;
        (void)snprintf(list + used, sizeof(list) - used, "%s%s", used == 0 ? "" : ", ",
                       entry->name);
    }
    argp_error(state, "%s: '%s' is none of %s", option, name, list);
    return 0;
}

enum { OPTION_JSON = 256, OPTION_SRC_KIND, OPTION_DST_KIND };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    request *wanted = state->input;

    switch (key) {
    case 'd':
        wanted->device = argument;
        return 0;
    case 's':
        wanted->strategy = (astride_strategy)find_value(state, "--strategy", strategies, argument);
        return 0;
    case OPTION_SRC_KIND:
        wanted->kinds[SOURCE] =
            (astride_memory_kind)find_value(state, "--src-kind", kinds, argument);
        return 0;
    case OPTION_DST_KIND:
        wanted->kinds[DESTINATION] =
            (astride_memory_kind)find_value(state, "--dst-kind", kinds, argument);
        return 0;
    case OPTION_JSON:
        wanted->as_json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "it takes two types, but there is a third argument '%s'", argument);
        else
            wanted->types[state->arg_num] = argument;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2)
            argp_error(state, "two types are needed, SRC and DST");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Parses both types and sees to it that they can be copied to each other; prints why not. */
static bool read_types(const request *wanted, memref_type types[2])
{
    const memref_type *src = &types[SOURCE], *dst = &types[DESTINATION];

    for (int side = 0; side < 2; side++) {
        memref_type_error error;

        if (memref_type_parse(wanted->types[side], &types[side], &error))
            continue;
        (void)fprintf(stderr, "%s: %s, column %zu: %s\n", COMMAND, side_names[side],
                      error.position + 1, error.message);
        memref_type_write_caret(wanted->types[side], &error, stderr);
        return false;
    }
    if (src->rank != dst->rank) {
        (void)fprintf(stderr, "%s: SRC has rank %" PRId32 ", DST has rank %" PRId32 "\n", COMMAND,
                      src->rank, dst->rank);
        return false;
    }
    for (int32_t d = 0; d < src->rank; d++) {
        if (src->extents[d] == dst->extents[d])
            continue;
        (void)fprintf(stderr,
                      "%s: extent %" PRId32 " is %" PRId64 " in SRC and %" PRId64 " in DST\n",
                      COMMAND, d, src->extents[d], dst->extents[d]);
        return false;
    }
    if (!memref_element_equal(&src->element, &dst->element)) {
        (void)fprintf(stderr, "%s: the elements are ", COMMAND);
        memref_element_write(&src->element, stderr);
        (void)fputs(" in SRC and ", stderr);
        memref_element_write(&dst->element, stderr);
        (void)fputs(" in DST\n", stderr);
        return false;
    }
    return true;
}

static astride_status make_plan(const request *wanted, const memref_type types[2],
                                astride_device *device, astride_plan **plan_out)
{
    const memref_type *src = &types[SOURCE], *dst = &types[DESTINATION];
    const astride_copy_desc desc = {
        .struct_size = sizeof(desc),
        .rank = src->rank,
        .element_bytes = (size_t)src->element.bytes,
        .extents = src->extents,
        .dst = {.strides = dst->stride_bytes},
        .src = {.strides = src->stride_bytes},
    };
    const astride_plan_options options = {
        .struct_size = sizeof(options),
        .flags = ASTRIDE_PLAN_UNBOUND,
        .strategy = wanted->strategy,
        .dst_kind = wanted->kinds[DESTINATION],
        .src_kind = wanted->kinds[SOURCE],
    };

    return astride_plan_create_with(device, &desc, &options, plan_out);
}

/* The plan's description, to be freed. */
static astride_status describe(const astride_plan *plan, astride_plan_format format,
                               char **text_out)
{
    size_t bytes;
    astride_status status = astride_plan_describe(plan, format, NULL, 0, &bytes);
    char *text;

    if (status != ASTRIDE_OK)
        return status;
    text = command_allocate(COMMAND, 1, bytes);
    status = astride_plan_describe(plan, format, text, bytes, NULL);
    if (status == ASTRIDE_OK)
        *text_out = text;
    else
        free(text);
    return status;
}

static void print_side(const char *name, const memref_type *type)
{
    (void)printf("%-13s", name);
    memref_type_write(type, stdout);
    (void)putchar('\n');
}

static int run(const request *wanted, const memref_type types[2])
{
    astride_device *device = NULL;
    astride_plan *plan = NULL;
    char *text = NULL;
    astride_status status = astride_device_open(wanted->device, &device);

    if (status == ASTRIDE_OK)
        status = make_plan(wanted, types, device, &plan);
    if (status == ASTRIDE_OK)
        status = describe(plan, wanted->as_json ? ASTRIDE_PLAN_JSON : ASTRIDE_PLAN_TEXT, &text);
    if (status == ASTRIDE_OK) {
        if (!wanted->as_json) {
            (void)printf("%-13s%s\n", "device", astride_device_spec(device));
            print_side("source", &types[SOURCE]);
            print_side("destination", &types[DESTINATION]);
        }
        (void)fputs(text, stdout);
    }
    free(text);
    astride_plan_destroy(plan);
    astride_device_close(device);
    return status == ASTRIDE_OK ? COMMAND_SUCCESS : command_report(COMMAND, status);
}

static const struct argp_option options[] = {
    {"device", 'd', "SPEC", 0,
     "the device: NAME, NAME:DEVICE or a list of them (see 'astride devices'); "
     "by default $ASTRIDE_BACKEND, else automatic",
     1},
    {"strategy", 's', "NAME", 0, "force a strategy instead of choosing the cheapest", 1},
    {"src-kind", OPTION_SRC_KIND, "KIND", 0,
     "memory of the source: host, pinned, device (the default) or shared", 1},
    {"dst-kind", OPTION_DST_KIND, "KIND", 0,
     "memory of the destination: host, pinned, device (the default) or shared", 1},
    {"json", OPTION_JSON, NULL, 0, "print the plan as one JSON object on one line", 1},
    {NULL, 0, NULL, 0, "Strategies:", 2},
#define STRATEGY_DOCUMENT(name, value, text, meaning)                                              \
    {text, 0, NULL, OPTION_DOC | OPTION_NO_USAGE, meaning, 2},
    ASTRIDE_STRATEGY_LIST(STRATEGY_DOCUMENT)
#undef STRATEGY_DOCUMENT
        {0},
};

static const char documentation[] =
    "Show how a copy from memory of type SRC to memory of type DST would be done on a "
    "device, and why. Nothing is copied."
    "\vSRC and DST are MLIR memref types of one shape and one element type, with numbers "
    "for all extents, strides and offsets. A layout is strided<[STRIDE, ...], offset: N>, "
    "an affine_map with one linear result, or an affine_map that permutes the "
    "dimensions. The two are taken to be apart in memory.\n"
    "\n"
    "An element has the size that MLIR's lowering to LLVM gives it: integers take whole "
    "bytes, rounded up to a power of two up to 128 bits (i1 and i4: 1, i24: 4); index "
    "takes 8, f80 and f128 take 16; complex<T> takes two elements, and the innermost "
    "extent of a vector is packed and rounded up to a power of two bytes "
    "(vector<3xf32>: 16).\n"
    "\n"
    "Examples:\n"
    "  astride plan 'memref<1xf32, strided<[1], offset: 10>>' 'memref<1xf32>'\n"
    "\n"
    "  astride plan -s kernel 'memref<4x2xf32, strided<[1, 4]>>' 'memref<4x2xf32>'\n"
    "\n" COMMAND_HELP_END;

int command_plan(int count, char **arguments)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "SRC DST",
        .doc = documentation,
    };
    request wanted = {
        .strategy = ASTRIDE_STRATEGY_AUTO,
        .kinds = {ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_DEVICE},
    };
    memref_type types[2];

    if (argp_parse(&argp, count, arguments, 0, NULL, &wanted) != 0)
        return COMMAND_USAGE;
    return read_types(&wanted, types) ? run(&wanted, types) : COMMAND_USAGE;
}
