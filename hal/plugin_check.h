/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The rules that a plugin's table must keep, whether it was loaded or is linked in.
 */
#ifndef ASTRIDE_HAL_PLUGIN_CHECK_H
#define ASTRIDE_HAL_PLUGIN_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include <astride/plugin.h>

/*
 * Copies the table of a plugin, of whatever size, into a full one and checks it. `claimed_name` is
 * the NAME of its file. On failure writes the rule that is broken to `reason` and returns false.
 */
bool astride__plugin_check(const astride_plugin *entry, const char *claimed_name,
                           astride_plugin *plugin_out, char *reason, size_t reason_bytes);

/* Whether a text of `bytes` bytes is a backend's name: [a-z][a-z0-9_]*, at most 31. */
bool astride__plugin_name_is_valid(const char *name, size_t bytes);

/*
 * Checks what a plugin told about a device it opened: capabilities in range, with the slots that
 * they need, and costs that are numbers. Records the defect as ASTRIDE_INTERNAL.
 */
astride_status astride__plugin_check_properties(const astride_plugin *plugin,
                                                const astride_backend_properties *properties);

#endif /* ASTRIDE_HAL_PLUGIN_CHECK_H */
