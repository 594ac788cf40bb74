/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Choosing a device: what a spec asks for, who comes into question, and why each candidate was not
 * taken. The devices themselves are made in device.c.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <astride/device.h>

#include "hal/device.h"
#include "hal/device_spec.h"
#include "hal/environment.h"
#include "hal/error.h"
#include "hal/log.h"
#include "hal/registry.h"

static const char call[] = "astride_device_open";

/* A choice under way: who was turned down so far. */
typedef struct choice {
    const astride__registry *registry;
    const char *spec;  /* NULL: automatic choice */
    char wish[256];    /* how messages name the spec: "\"host:3\"" or "ASTRIDE_BACKEND=\"...\"" */
    char reasons[900]; /* "NAME: REASON; NAME: REASON" */
    size_t reasons_bytes;
    astride_status status; /* of the failure so far that tells the caller most */
    bool name_is_unknown;  /* a candidate is no backend at all */
    bool is_fallback;      /* a candidate before the one taken could not run */
} choice;

/* How much a status tells: a driver that failed more than one that is missing. */
static int weight(astride_status status)
{
    switch (status) {
    case ASTRIDE_OK:
        return 0;
    case ASTRIDE_NOT_FOUND:
        return 1;
    case ASTRIDE_UNAVAILABLE:
        return 2;
    case ASTRIDE_INVALID_ARGUMENT:
        return 3;
    default:
        return 4;
    }
}

static void turn_down(choice *self, astride_status status, const char *name, size_t name_bytes,
                      const char *reason)
{
    size_t room = sizeof(self->reasons) - self->reasons_bytes;
    int written = snprintf(self->reasons + self->reasons_bytes, room, "%s%.*s: %s",
                           self->reasons_bytes == 0 ? "" : "; ", (int)name_bytes, name, reason);

    if (written > 0)
        self->reasons_bytes += (size_t)written < room ? (size_t)written : room - 1;
    if (weight(status) > weight(self->status))
        self->status = status;
}

static astride_status fail_choice(const choice *self)
{
    char names[200] = "";
    size_t used = 0;

    if (!self->name_is_unknown)
        return astride__fail(self->status, "%s: %s: %s", call, self->wish, self->reasons);
    for (size_t i = 0; i < self->registry->count && used < sizeof(names); i++)
        if (self->registry->backends[i]->accepted)
            used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
                                     used == 0 ? "" : ", ", self->registry->backends[i]->name);
    return astride__fail(self->status, "%s: %s: %s (backends here: %s)", call, self->wish,
                         self->reasons, names);
}

/* Turns REST into an index: a number of a device that was counted, else as the backend says. */
static astride_status resolve(const astride__backend *backend, const char *rest, size_t rest_bytes,
                              int32_t *index_out)
{
    char text[ASTRIDE__SPEC_REST_MAXIMUM + 1];
    astride_status status;

    memcpy(text, rest, rest_bytes);
    text[rest_bytes] = '\0';
    if (strspn(text, "0123456789") == rest_bytes) {
        long long number = rest_bytes > 10 ? INT64_MAX : strtoll(text, NULL, 10);
        if (number >= backend->device_count)
            return astride__fail(ASTRIDE_NOT_FOUND, "its devices are numbered 0 to %d",
                                 (int)backend->device_count - 1);
        *index_out = (int32_t)number;
        return ASTRIDE_OK;
    }
    if (backend->plugin.resolve == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "\"%s\" is not the number of a device",
                             text);
    status = backend->plugin.resolve(text, index_out);
    if (status == ASTRIDE_OK && *index_out < 0)
        return astride__fail(ASTRIDE_INTERNAL, "\"%s\": backend %s resolves it to device %d", text,
                             backend->name, (int)*index_out);
    return status;
}

/* Opens a backend's device; on failure adds the reason and returns false. */
static bool try_candidate(choice *self, const astride__spec_entry *entry,
                          const astride__backend *backend, astride_device **device_out)
{
    /* In messages a candidate is called as the spec calls it: "name:1". */
    size_t shown_bytes = entry->name_bytes + (entry->rest == NULL ? 0 : 1 + entry->rest_bytes);
    int32_t index = 0;
    char reason[1024];
    astride_status status = ASTRIDE_OK;

    if (!backend->accepted) {
        snprintf(reason, sizeof(reason), "%.400s is refused: %.600s", backend->origin,
                 backend->reason);
        turn_down(self, ASTRIDE_UNAVAILABLE, entry->name, shown_bytes, reason);
        return false;
    }
    if (backend->device_count < 1) {
        turn_down(self, ASTRIDE_UNAVAILABLE, entry->name, shown_bytes, backend->reason);
        return false;
    }
    if (entry->rest != NULL)
        status = resolve(backend, entry->rest, entry->rest_bytes, &index);
    if (status == ASTRIDE_OK)
        status = astride__device_acquire(backend, index, device_out);
    if (status == ASTRIDE_OK)
        return true;
    snprintf(reason, sizeof(reason), "%s", astride_last_error());
    turn_down(self, status, entry->name, shown_bytes, reason);
    return false;
}

static astride_status choose_listed(choice *self, astride_device **device_out)
{
    const char *position = self->spec;
    astride__spec_entry entry;

    while (astride__spec_next(&position, &entry)) {
        const astride__backend *backend;
        if (entry.is_excluded)
            continue;
        if (astride__spec_excludes(self->spec, entry.name, entry.name_bytes)) {
            turn_down(self, ASTRIDE_NOT_FOUND, entry.name, entry.name_bytes, "excluded");
            continue;
        }
        backend = astride__registry_find(self->registry, entry.name, entry.name_bytes);
        if (backend == NULL) {
            self->name_is_unknown = true;
            turn_down(self, ASTRIDE_NOT_FOUND, entry.name, entry.name_bytes, "no such backend");
            continue;
        }
        if (try_candidate(self, &entry, backend, device_out))
            return ASTRIDE_OK;
    }
    return fail_choice(self);
}

/* Tells once that nothing faster than the host could be had. */
static void log_fallback(const choice *self, const astride__backend *taken)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;

    if (taken->device_count > 0 && taken->plugin.priority <= 0 && self->is_fallback &&
        !atomic_flag_test_and_set(&told))
        astride__log(ASTRIDE_LOG_WARN, "automatic choice falls back to %s: %s", taken->name,
                     self->reasons);
}

static astride_status choose_automatically(choice *self, astride_device **device_out)
{
    for (size_t i = 0; i < self->registry->count; i++) {
        const astride__backend *backend = self->registry->backends[i];
        astride__spec_entry entry = {.name = backend->name, .name_bytes = strlen(backend->name)};
        if (self->spec != NULL &&
            astride__spec_excludes(self->spec, entry.name, entry.name_bytes)) {
            turn_down(self, ASTRIDE_NOT_FOUND, entry.name, entry.name_bytes, "excluded");
            continue;
        }
        if (backend->device_count > 0 && backend->plugin.automatic != NULL &&
            !backend->plugin.automatic()) {
            turn_down(self, ASTRIDE_NOT_FOUND, entry.name, entry.name_bytes,
                      "it only has devices that automatic choice does not take");
            continue;
        }
        if (try_candidate(self, &entry, backend, device_out)) {
            log_fallback(self, backend);
            return ASTRIDE_OK;
        }
        self->is_fallback = true;
    }
    return fail_choice(self);
}

astride_status astride_device_open(const char *spec, astride_device **device_out)
{
    const astride__environment *environment;
    astride_device *device = NULL;
    choice self = {.spec = NULL};
    astride__error_detail saved;
    astride_status status;

    if (device_out == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: device_out is NULL", call);
    status = astride__environment_get(&environment);
    /* A malformed variable is told even where the caller's own spec makes it irrelevant: somebody
       believes that it has an effect. */
    if (status == ASTRIDE_OK && environment->backend != NULL)
        status = astride__spec_check("ASTRIDE_BACKEND", environment->backend);
    if (status != ASTRIDE_OK)
        return status;

    if (spec != NULL && spec[0] != '\0') {
        status = astride__spec_check("astride_device_open: spec", spec);
        self.spec = spec;
        snprintf(self.wish, sizeof(self.wish), "\"%.200s\"", spec);
    } else if (environment->backend != NULL) {
        self.spec = environment->backend;
        snprintf(self.wish, sizeof(self.wish), "ASTRIDE_BACKEND=\"%.200s\"", self.spec);
    } else {
        snprintf(self.wish, sizeof(self.wish), "automatic choice");
    }
    if (status == ASTRIDE_OK)
        status = astride__registry_get(&self.registry);
    if (status != ASTRIDE_OK)
        return status;

    /* Candidates that are turned down on the way to one that works leave no detail behind. */
    astride__error_save(&saved);
    if (self.spec == NULL || astride__spec_only_excludes(self.spec))
        status = choose_automatically(&self, &device);
    else
        status = choose_listed(&self, &device);
    if (status != ASTRIDE_OK)
        return status;
    astride__error_restore(&saved);
    *device_out = device;
    return ASTRIDE_OK;
}
