/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Making the list of backends: collect, initialise, order, ask each for its devices. Where plugins
 * are looked for is in loader.c, what a table must keep in plugin_check.c.
 */
#include "hal/registry.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/builtin.h"
#include "hal/environment.h"
#include "hal/error.h"
#include "hal/loader.h"
#include "hal/log.h"
#include "hal/plugin_check.h"
#include "hal/process.h"
#include "hal/trace.h"

typedef enum registry_state {
    STATE_EMPTY,
    STATE_BUILDING,
    STATE_READY,
    STATE_FAILED
} registry_state;

/*
 * The lock guards the state only. It is free while plugins initialise and count their devices: a
 * driver may take long for that, start threads, or call back into this library.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Atomic registry_state state;
static pthread_t builder; /* meaningful while building */
static astride__registry the_registry;

static bool trace_enabled(void)
{
    return astride__trace_enabled();
}

static const astride_services services = {
    .struct_size = sizeof(astride_services),
    .properties_bytes = sizeof(astride_backend_properties),
    .fail = astride__fail,
    .log = astride__log,
    .trace_enabled = trace_enabled,
    .trace_now = astride__trace_now,
    .trace_track = astride__trace_track,
    .trace_span = astride__trace_span,
};

static astride_status out_of_memory(const char *origin)
{
    return astride__fail(ASTRIDE_OUT_OF_MEMORY, "no memory to list the backend of %s", origin);
}

static astride_status append(astride__registry *registry, const astride__backend *backend)
{
    astride__backend *copy;

    if (registry->count == registry->capacity) {
        size_t capacity = registry->capacity == 0 ? 8 : 2 * registry->capacity;
        astride__backend **backends =
            realloc(registry->backends, capacity * sizeof(registry->backends[0]));
        if (backends == NULL)
            return out_of_memory(backend->origin);
        registry->backends = backends;
        registry->capacity = capacity;
    }
    copy = malloc(sizeof(*copy));
    if (copy == NULL)
        return out_of_memory(backend->origin);
    *copy = *backend;
    copy->sequence = registry->count;
    registry->backends[registry->count++] = copy;
    return ASTRIDE_OK;
}

astride_status astride__registry_refuse(astride__registry *registry, const char *claimed_name,
                                        const char *origin, const char *reason)
{
    astride__backend backend = {.description = "", .accepted = false};
    char *name = strdup(claimed_name);
    char *path = strdup(origin);
    char *text = strdup(reason);

    astride__log(ASTRIDE_LOG_WARN, "plugin %s is refused: %s", origin, reason);
    backend.name = name;
    backend.origin = path;
    backend.reason = text;
    if (name != NULL && path != NULL && text != NULL && append(registry, &backend) == ASTRIDE_OK)
        return ASTRIDE_OK;
    free(name);
    free(path);
    free(text);
    return out_of_memory(origin);
}

static const astride__backend *find_accepted(const astride__registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->count; i++)
        if (registry->backends[i]->accepted && strcmp(registry->backends[i]->name, name) == 0)
            return registry->backends[i];
    return NULL;
}

/* The detail that a failing slot left, or the meaning of its status where it left none. */
static void take_reason(astride_status status, char *reason, size_t reason_bytes)
{
    const char *detail = astride_last_error();

    snprintf(reason, reason_bytes, "%s", detail[0] != '\0' ? detail : astride_status_text(status));
}

static bool initialize(const astride_plugin *plugin, char *reason, size_t reason_bytes)
{
    static const astride__error_detail none = {""};
    astride__error_detail saved;
    astride_status status;

    if (plugin->initialize == NULL)
        return true;
    astride__error_save(&saved);
    astride__error_restore(&none);
    status = plugin->initialize(&services);
    if (status != ASTRIDE_OK) {
        size_t used = (size_t)snprintf(reason, reason_bytes, "initialize: ");
        take_reason(status, reason + used, reason_bytes - used);
    }
    astride__error_restore(&saved);
    return status == ASTRIDE_OK;
}

astride_status astride__registry_offer(astride__registry *registry, const astride_plugin *entry,
                                       const char *claimed_name, const char *origin)
{
    astride__backend backend = {.reason = "", .accepted = true};
    const astride__backend *namesake;
    char reason[1024];
    char *path;

    if (!astride__plugin_check(entry, claimed_name, &backend.plugin, reason, sizeof(reason)))
        return astride__registry_refuse(registry, claimed_name, origin, reason);
    namesake = find_accepted(registry, backend.plugin.name);
    if (namesake != NULL) {
        snprintf(reason, sizeof(reason), "the name \"%s\" is taken (%.800s)", namesake->name,
                 namesake->origin);
        return astride__registry_refuse(registry, claimed_name, origin, reason);
    }
    if (!initialize(&backend.plugin, reason, sizeof(reason)))
        return astride__registry_refuse(registry, claimed_name, origin, reason);

    path = strdup(origin);
    if (path == NULL)
        return out_of_memory(origin);
    backend.name = backend.plugin.name;
    backend.description = backend.plugin.description;
    backend.origin = path;
    if (append(registry, &backend) != ASTRIDE_OK) {
        free(path);
        return out_of_memory(origin);
    }
    astride__log(ASTRIDE_LOG_INFO, "backend %s: %s", backend.name, origin);
    return ASTRIDE_OK;
}

/* Refused ones last, as they were found; before them the host; before it the fastest first. */
static int compare(const void *left_pointer, const void *right_pointer)
{
    const astride__backend *left = *(astride__backend *const *)left_pointer;
    const astride__backend *right = *(astride__backend *const *)right_pointer;
    bool left_is_host = strcmp(left->name, astride__host_plugin.name) == 0;
    bool right_is_host = strcmp(right->name, astride__host_plugin.name) == 0;

    if (left->accepted != right->accepted)
        return left->accepted ? -1 : 1;
    if (!left->accepted)
        return left->sequence < right->sequence ? -1 : 1;
    if (left_is_host != right_is_host)
        return left_is_host ? 1 : -1;
    if (left->plugin.priority != right->plugin.priority)
        return left->plugin.priority > right->plugin.priority ? -1 : 1;
    return strcmp(left->name, right->name);
}

static astride_status probe(astride__backend *backend)
{
    static const astride__error_detail none = {""};
    astride__error_detail saved;
    char reason[1024] = "";
    int32_t device_count = 0;

    astride__error_save(&saved);
    astride__error_restore(&none);
    astride_status status = backend->plugin.probe(&device_count);
    if (status != ASTRIDE_OK)
        take_reason(status, reason, sizeof(reason));
    else if (device_count < 1)
        snprintf(reason, sizeof(reason), "probe counted %d devices", (int)device_count);
    astride__error_restore(&saved);

    if (reason[0] == '\0') {
        backend->device_count = device_count;
        return ASTRIDE_OK;
    }
    astride__log(ASTRIDE_LOG_INFO, "backend %s is unavailable: %s", backend->name, reason);
    backend->reason = strdup(reason);
    return backend->reason != NULL ? ASTRIDE_OK : out_of_memory(backend->origin);
}

static astride_status build(astride__registry *registry)
{
    const astride__environment *environment;
    astride_status status = astride__environment_get(&environment);

    if (status == ASTRIDE_OK)
        status = astride__registry_offer(registry, &astride__host_plugin, astride__host_plugin.name,
                                         "built in");
    if (status == ASTRIDE_OK)
        status = astride__loader_load(registry, environment->plugin_path);
    if (status == ASTRIDE_OK)
        qsort(registry->backends, registry->count, sizeof(registry->backends[0]), compare);
    for (size_t i = 0; i < registry->count && status == ASTRIDE_OK; i++)
        if (registry->backends[i]->accepted)
            status = probe(registry->backends[i]);
    return status;
}

/* What the refused call is told; the cause itself was told to the call that met it. */
static astride_status fail_again(void)
{
    const astride__environment *environment;
    astride_status status = astride__environment_get(&environment);

    if (status != ASTRIDE_OK)
        return status;
    return astride__fail(ASTRIDE_OUT_OF_MEMORY, "no memory to list the backends");
}

/* Makes the list, or waits for the thread that does. */
static astride_status build_once(void)
{
    astride__registry registry = {0};
    astride_status status = astride__process_watch();

    if (status != ASTRIDE_OK)
        return status;
    pthread_mutex_lock(&lock);
    if (state == STATE_BUILDING && pthread_equal(builder, pthread_self())) {
        pthread_mutex_unlock(&lock);
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "the backends are being listed: a plugin called the library from "
                             "initialize or probe");
    }
    while (state == STATE_BUILDING)
        pthread_cond_wait(&changed, &lock);
    if (state != STATE_EMPTY) {
        registry_state reached = state;
        pthread_mutex_unlock(&lock);
        return reached == STATE_READY ? ASTRIDE_OK : fail_again();
    }
    state = STATE_BUILDING;
    builder = pthread_self();
    pthread_mutex_unlock(&lock);

    status = build(&registry);

    pthread_mutex_lock(&lock);
    the_registry = registry;
    atomic_store_explicit(&state, status == ASTRIDE_OK ? STATE_READY : STATE_FAILED,
                          memory_order_release);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return status;
}

astride_status astride__registry_get(const astride__registry **registry_out)
{
    if (atomic_load_explicit(&state, memory_order_acquire) != STATE_READY) {
        astride_status status = build_once();
        if (status != ASTRIDE_OK)
            return status;
    }
    *registry_out = &the_registry;
    return ASTRIDE_OK;
}

const astride__backend *astride__registry_find(const astride__registry *registry, const char *name,
                                               size_t name_bytes)
{
    const astride__backend *refused = NULL;

    for (size_t i = 0; i < registry->count; i++) {
        const astride__backend *backend = registry->backends[i];
        if (strlen(backend->name) != name_bytes || memcmp(backend->name, name, name_bytes) != 0)
            continue;
        if (backend->accepted)
            return backend;
        if (refused == NULL)
            refused = backend;
    }
    return refused;
}

void astride__registry_after_fork(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    /* The thread that was making the list is not in this process, unless it is the one that forked.
     */
    if (state == STATE_BUILDING && !pthread_equal(builder, pthread_self()))
        state = STATE_EMPTY;
}
