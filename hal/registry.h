/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The list of backends: built in, loaded, and refused. It is made once and constant from then on.
 */
#ifndef ASTRIDE_HAL_REGISTRY_H
#define ASTRIDE_HAL_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <astride/plugin.h>

/* A backend, or a plugin that was refused. Its strings live as long as the process. */
typedef struct astride__backend {
    astride_plugin plugin; /* a full table: slots that the plugin left out are NULL */
    const char *name;
    const char *description;
    const char *origin;   /* path, or "built in" */
    const char *reason;   /* why it is refused or unavailable; "" when it is available */
    int32_t device_count; /* above 0 exactly when it is available */
    bool accepted;        /* false: refused, and `plugin` is all zero */
    size_t sequence;      /* order in which it was found */
} astride__backend;

typedef struct astride__registry {
    astride__backend **backends; /* in the order of astride_backend_get() */
    size_t count;
    size_t capacity;
} astride__registry;

/*
 * Returns the list; the first call of the process makes it. Fails when an environment variable is
 * malformed, when memory is exhausted, or when a plugin that is just being asked calls back.
 */
astride_status astride__registry_get(const astride__registry **registry_out);

/* Finds a backend by name, an accepted one before a refused one; NULL when there is none. */
const astride__backend *astride__registry_find(const astride__registry *registry, const char *name,
                                               size_t name_bytes);

/*
 * For those who fill the list: checks a plugin's table, initialises the plugin and adds it, as
 * refused where it breaks a rule. `claimed_name` is the NAME of its file. Fails with
 * ASTRIDE_OUT_OF_MEMORY.
 */
astride_status astride__registry_offer(astride__registry *registry, const astride_plugin *entry,
                                       const char *claimed_name, const char *origin);

/* Adds what could not even be loaded, with the reason. Fails with ASTRIDE_OUT_OF_MEMORY. */
astride_status astride__registry_refuse(astride__registry *registry, const char *claimed_name,
                                        const char *origin, const char *reason);

#endif /* ASTRIDE_HAL_REGISTRY_H */
