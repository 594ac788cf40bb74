/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The grammar of device specs: a list of "NAME", "NAME:REST" and "^NAME", separated by commas. What
 * the names stand for is decided in device_open.c.
 */
#ifndef ASTRIDE_HAL_DEVICE_SPEC_H
#define ASTRIDE_HAL_DEVICE_SPEC_H

#include <stdbool.h>
#include <stddef.h>

#include <astride/status.h>

/* Largest number of bytes of REST. */
#define ASTRIDE__SPEC_REST_MAXIMUM 255

/* One entry of a list. The texts lie in the spec and are not terminated. */
typedef struct astride__spec_entry {
    const char *name;
    size_t name_bytes;
    const char *rest; /* NULL where there is no colon */
    size_t rest_bytes;
    bool is_excluded; /* "^NAME" */
} astride__spec_entry;

/*
 * Checks a whole list. Fails with ASTRIDE_INVALID_ARGUMENT and a detail that begins with `prefix`
 * and names the entry and the rule.
 */
astride_status astride__spec_check(const char *prefix, const char *spec);

/*
 * Reads the entry at `*position` of a list that was checked and moves behind it. Returns false at
 * the end.
 */
bool astride__spec_next(const char **position, astride__spec_entry *entry_out);

/* Whether a list that was checked only excludes. */
bool astride__spec_only_excludes(const char *spec);

/* Whether a list that was checked has the entry "^NAME". */
bool astride__spec_excludes(const char *spec, const char *name, size_t name_bytes);

#endif /* ASTRIDE_HAL_DEVICE_SPEC_H */
