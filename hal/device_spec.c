/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reading device specs. Nothing here knows which backends there are.
 */
#include "hal/device_spec.h"

#include <string.h>

#include "hal/error.h"
#include "hal/plugin_check.h"

bool astride__spec_next(const char **position, astride__spec_entry *entry_out)
{
    const char *start = *position;
    size_t bytes;
    const char *colon;

    if (start[0] == '\0')
        return false;
    bytes = strcspn(start, ",");
    *position = start + bytes + (start[bytes] == ',' ? 1 : 0);
    entry_out->is_excluded = start[0] == '^';
    if (entry_out->is_excluded) {
        start++;
        bytes--;
    }
    colon = memchr(start, ':', bytes);
    entry_out->name = start;
    entry_out->name_bytes = colon == NULL ? bytes : (size_t)(colon - start);
    entry_out->rest = colon == NULL ? NULL : colon + 1;
    entry_out->rest_bytes = colon == NULL ? 0 : bytes - entry_out->name_bytes - 1;
    return true;
}

static const char *broken_rule(const astride__spec_entry *entry)
{
    if (!astride__plugin_name_is_valid(entry->name, entry->name_bytes))
        return "a backend's name is [a-z][a-z0-9_]* of at most 31 bytes";
    if (entry->is_excluded && entry->rest != NULL)
        return "an exclusion takes the name of a backend only";
    if (entry->rest != NULL && entry->rest_bytes == 0)
        return "nothing follows the colon";
    if (entry->rest_bytes > ASTRIDE__SPEC_REST_MAXIMUM)
        return "more than 255 bytes follow the colon";
    return NULL;
}

astride_status astride__spec_check(const char *prefix, const char *spec)
{
    const char *position = spec;
    astride__spec_entry entry;

    /* A comma at the end leaves an empty entry behind it, which the walk does not see. */
    for (int number = 1;; number++) {
        const char *start = position;
        const char *rule = "it is empty";
        if (astride__spec_next(&position, &entry))
            rule = broken_rule(&entry);
        int shown_bytes = (int)strnlen(start, (size_t)(position - start));
        if (shown_bytes > 0 && start[shown_bytes - 1] == ',')
            shown_bytes--;
        if (shown_bytes == 0)
            rule = "it is empty";
        if (rule != NULL)
            return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                                 "%s: \"%.200s\" is malformed: entry %d, \"%.*s\": %s", prefix,
                                 spec, number, shown_bytes < 100 ? shown_bytes : 100, start, rule);
        if (position[0] == '\0' && position[-1] != ',')
            return ASTRIDE_OK;
    }
}

bool astride__spec_only_excludes(const char *spec)
{
    astride__spec_entry entry;

    while (astride__spec_next(&spec, &entry))
        if (!entry.is_excluded)
            return false;
    return true;
}

bool astride__spec_excludes(const char *spec, const char *name, size_t name_bytes)
{
    astride__spec_entry entry;

    while (astride__spec_next(&spec, &entry))
        if (entry.is_excluded && entry.name_bytes == name_bytes &&
            memcmp(entry.name, name, name_bytes) == 0)
            return true;
    return false;
}
