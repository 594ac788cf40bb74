/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * `astride devices`: every backend with its devices or the reason why it has none, and every plugin
 * that was refused, as words or as JSON. It opens no device.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <astride/device.h>
#include <astride/version.h>

#include "tools/command.h"
#include "tools/json.h"

#define COMMAND "astride devices"

typedef struct listing {
    astride_backend_info *backends;
    size_t count;
    bool failed; /* a device could not be described */
} listing;

static const char *state_name(const astride_backend_info *backend)
{
    if (backend->available)
        return "available";
    /* Every backend describes itself; a refused plugin was not asked. */
    return backend->description[0] == '\0' ? "refused" : "unavailable";
}

/* Gets the list, which the caller frees. */
static astride_status get_backends(listing *list_out)
{
    listing list = {NULL, 0, false};
    astride_status status = astride_backend_count(&list.count);

    if (status != ASTRIDE_OK)
        return status;
    list.backends = command_allocate(COMMAND, list.count + 1, sizeof(*list.backends));
    for (size_t i = 0; i < list.count; i++) {
        list.backends[i].struct_size = sizeof(list.backends[i]);
        status = astride_backend_get(i, &list.backends[i]);
        if (status != ASTRIDE_OK) {
            free(list.backends);
            return status;
        }
    }
    *list_out = list;
    return ASTRIDE_OK;
}

/* Describes a device. On failure the caller shows astride_last_error() in its place. */
static bool get_device(listing *list, size_t backend, int32_t device, astride_device_info *info_out)
{
    memset(info_out, 0, sizeof(*info_out));
    info_out->struct_size = sizeof(*info_out);
    if (astride_device_get(backend, device, info_out) == ASTRIDE_OK)
        return true;
    list->failed = true;
    return false;
}

static void write_memory(uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double amount = (double)bytes / 1024;
    size_t unit = 0;

    for (; amount >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++)
        amount /= 1024;
    (void)printf(", %.1f %s", amount, units[unit]);
}

/* Prints the devices of a backend, their specs padded to one width. */
static void print_devices(listing *list, size_t backend)
{
    const astride_backend_info *info = &list->backends[backend];
    int width = 0;

    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < info->device_count; i++) {
            astride_device_info device;
            bool described = get_device(list, backend, i, &device);

            if (!described)
                (void)snprintf(device.spec, sizeof(device.spec), "%.40s:%" PRId32, info->name, i);
            if (pass == 0) {
                width = (int)strlen(device.spec) > width ? (int)strlen(device.spec) : width;
                continue;
            }
            (void)printf("  %-*s  ", width, device.spec);
            command_write_clean(described ? device.name : astride_last_error(), stdout);
            if (device.memory_bytes != 0)
                write_memory(device.memory_bytes);
            (void)putchar('\n');
        }
    }
}

static void print_text(listing *list)
{
    int name_width = 0;

    for (size_t i = 0; i < list->count; i++) {
        int width = (int)strlen(list->backends[i].name);

        name_width = width > name_width ? width : name_width;
    }
    for (size_t i = 0; i < list->count; i++) {
        const astride_backend_info *backend = &list->backends[i];

        command_write_clean(backend->name, stdout);
        (void)printf("%*s  %-11s  ", name_width - (int)strlen(backend->name), "",
                     state_name(backend));
        if (backend->available) {
            (void)printf("%" PRId32 " device%s", backend->device_count,
                         backend->device_count == 1 ? "   " : "s  ");
            command_write_clean(backend->origin, stdout);
            (void)putchar('\n');
            print_devices(list, i);
        } else {
            command_write_clean(backend->origin, stdout);
            (void)fputs(": ", stdout);
            command_write_clean(backend->reason, stdout);
            (void)putchar('\n');
        }
    }
}

static void print_device_json(json_writer *json, listing *list, size_t backend, int32_t index)
{
    astride_device_info device;

    json_begin(json, '{');
    if (get_device(list, backend, index, &device)) {
        json_key(json, "spec");
        json_string(json, device.spec);
        json_key(json, "name");
        json_string(json, device.name);
        json_key(json, "memory_bytes");
        if (device.memory_bytes != 0)
            json_unsigned(json, device.memory_bytes);
        else
            json_null(json);
    } else {
        json_key(json, "error");
        json_string(json, astride_last_error());
    }
    json_end(json, '}');
}

static void print_json(listing *list)
{
    json_writer json = {.stream = stdout, .needs_comma = false};

    json_begin(&json, '{');
    json_key(&json, "version");
    json_string(&json, ASTRIDE_VERSION_STRING);
    json_key(&json, "backends");
    json_begin(&json, '[');
    for (size_t i = 0; i < list->count; i++) {
        const astride_backend_info *backend = &list->backends[i];

        json_begin(&json, '{');
        json_key(&json, "name");
        json_string(&json, backend->name);
        json_key(&json, "state");
        json_string(&json, state_name(backend));
        json_key(&json, "description");
        json_string(&json, backend->description);
        json_key(&json, "origin");
        json_string(&json, backend->origin);
        json_key(&json, "reason");
        json_string(&json, backend->reason);
        json_key(&json, "devices");
        json_begin(&json, '[');
        for (int32_t d = 0; d < backend->device_count; d++)
            print_device_json(&json, list, i, d);
        json_end(&json, ']');
        json_end(&json, '}');
    }
    json_end(&json, ']');
    json_end(&json, '}');
    (void)putchar('\n');
}

enum { OPTION_JSON = 256 };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    bool *as_json = state->input;

    switch (key) {
    case OPTION_JSON:
        *as_json = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "it takes no argument, but there is '%s'", argument);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int command_devices(int count, char **arguments)
{
    static const struct argp_option options[] = {
        {"json", OPTION_JSON, NULL, 0, "print one JSON object on one line", 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "List every backend with its devices, or the reason why it has none, and every "
               "plugin that was refused. The first available one is the automatic choice."
               "\vEach line has the backend's name, its state, and where it comes from; below it "
               "are its devices as --device and ASTRIDE_BACKEND name them.\n"
               "\n" COMMAND_HELP_END,
    };
    bool as_json = false;
    listing list;
    astride_status status;

    if (argp_parse(&argp, count, arguments, 0, NULL, &as_json) != 0)
        return COMMAND_USAGE;
    status = get_backends(&list);
    if (status != ASTRIDE_OK)
        return command_report(COMMAND, status);
    if (as_json)
        print_json(&list);
    else
        print_text(&list);
    free(list.backends);
    return list.failed ? COMMAND_FAILURE : COMMAND_SUCCESS;
}
