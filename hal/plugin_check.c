/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Checks of a plugin's table and of what it says about its devices. Nothing here calls a plugin.
 */
#include "hal/plugin_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hal/error.h"

#define NAME_BYTES_MAXIMUM 31

/* Bytes of the table up to the end of the last required slot. */
#define REQUIRED_BYTES (offsetof(astride_plugin, copy_linear) + sizeof(void (*)(void)))

bool astride__plugin_name_is_valid(const char *name, size_t bytes)
{
    if (bytes == 0 || bytes > NAME_BYTES_MAXIMUM || name[0] < 'a' || name[0] > 'z')
        return false;
    for (size_t i = 1; i < bytes; i++) {
        bool letter = name[i] >= 'a' && name[i] <= 'z';
        bool digit = name[i] >= '0' && name[i] <= '9';
        if (!letter && !digit && name[i] != '_')
            return false;
    }
    return true;
}

static bool check_size(const astride_plugin *entry, char *reason, size_t reason_bytes)
{
    if (entry->struct_size < REQUIRED_BYTES) {
        snprintf(reason, reason_bytes,
                 "struct_size is %zu, which is truncated: the required slots take %zu bytes",
                 entry->struct_size, REQUIRED_BYTES);
        return false;
    }
    if (entry->struct_size % sizeof(void (*)(void)) != 0) {
        snprintf(reason, reason_bytes, "struct_size is %zu, which cuts a slot in two",
                 entry->struct_size);
        return false;
    }
    return true;
}

static bool check_name(const char *name, const char *claimed_name, char *reason,
                       size_t reason_bytes)
{
    if (name == NULL) {
        snprintf(reason, reason_bytes, "name is NULL");
        return false;
    }
    if (!astride__plugin_name_is_valid(name, strnlen(name, NAME_BYTES_MAXIMUM + 1))) {
        snprintf(reason, reason_bytes, "name \"%.*s\" is not [a-z][a-z0-9_]* of at most %d bytes",
                 NAME_BYTES_MAXIMUM + 1, name, NAME_BYTES_MAXIMUM);
        return false;
    }
    if (strcmp(name, claimed_name) != 0) {
        snprintf(reason, reason_bytes, "name is \"%s\", but the file's name says \"%s\"", name,
                 claimed_name);
        return false;
    }
    return true;
}

static bool check_slots(const astride_plugin *plugin, char *reason, size_t reason_bytes)
{
    const struct {
        const char *name;
        bool is_present;
        const char *because; /* the slot that makes it required; NULL: it always is */
        bool is_needed;
    } slots[] = {
#define REQUIRED(slot) {#slot, plugin->slot != NULL, NULL, true}
#define REQUIRED_WITH(slot, other)                                                                 \
    {                                                                                              \
#slot, plugin->slot != NULL, #other, plugin->other != NULL                                 \
    }
        REQUIRED(probe),
        REQUIRED(device_open),
        REQUIRED(device_close),
        REQUIRED(properties),
        REQUIRED(memory_alloc),
        REQUIRED(memory_free),
        REQUIRED(queue_create),
        REQUIRED(queue_destroy),
        REQUIRED(queue_wait),
        REQUIRED(queue_query),
        REQUIRED(event_create),
        REQUIRED(event_destroy),
        REQUIRED(event_record),
        REQUIRED(event_wait),
        REQUIRED(event_query),
        REQUIRED(queue_wait_event),
        REQUIRED(copy_linear),
        REQUIRED_WITH(memory_unregister, memory_register),
        REQUIRED_WITH(memory_release, memory_import),
        REQUIRED_WITH(module_unload, module_load),
        REQUIRED_WITH(module_function, module_load),
        REQUIRED_WITH(launch, module_load),
#undef REQUIRED
#undef REQUIRED_WITH
    };

    for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
        if (slots[i].is_present || !slots[i].is_needed)
            continue;
        if (slots[i].because == NULL)
            snprintf(reason, reason_bytes, "the required slot %s is missing", slots[i].name);
        else
            snprintf(reason, reason_bytes, "the slot %s is missing, which %s requires",
                     slots[i].name, slots[i].because);
        return false;
    }
    return true;
}

bool astride__plugin_check(const astride_plugin *entry, const char *claimed_name,
                           astride_plugin *plugin_out, char *reason, size_t reason_bytes)
{
    astride_plugin plugin;

    if (entry->abi != ASTRIDE_PLUGIN_ABI) {
        snprintf(reason, reason_bytes, "its ABI number is %u, this library's is %u",
                 (unsigned)entry->abi, ASTRIDE_PLUGIN_ABI);
        return false;
    }
    if (!check_size(entry, reason, reason_bytes))
        return false;

    memset(&plugin, 0, sizeof(plugin));
    memcpy(&plugin, entry,
           entry->struct_size < sizeof(plugin) ? entry->struct_size : sizeof(plugin));
    plugin.struct_size = sizeof(plugin);
    if (plugin.description == NULL)
        plugin.description = "";
    if (!check_name(plugin.name, claimed_name, reason, reason_bytes) ||
        !check_slots(&plugin, reason, reason_bytes))
        return false;
    *plugin_out = plugin;
    return true;
}

static astride_status check_capabilities(const astride_plugin *plugin,
                                         const astride_capabilities *capabilities)
{
    for (int i = 0; i < ASTRIDE_DIRECTION_COUNT; i++) {
        int32_t rank = capabilities->rect_rank[i];
        if (rank < 0 || rank > 3)
            return astride__fail(ASTRIDE_INTERNAL,
                                 "backend %s: properties: rect_rank[%d] = %d is not in 0 to 3",
                                 plugin->name, i, (int)rank);
        if (rank > 1 && plugin->copy_rect == NULL)
            return astride__fail(ASTRIDE_INTERNAL,
                                 "backend %s: properties: rect_rank[%d] = %d, but the slot "
                                 "copy_rect is missing",
                                 plugin->name, i, (int)rank);
    }
    if (capabilities->kernels && plugin->copy_kernel == NULL)
        return astride__fail(ASTRIDE_INTERNAL,
                             "backend %s: properties: kernels is set, but the slot copy_kernel is "
                             "missing",
                             plugin->name);
    if (capabilities->modules && plugin->module_load == NULL)
        return astride__fail(ASTRIDE_INTERNAL,
                             "backend %s: properties: modules is set, but the slot module_load is "
                             "missing",
                             plugin->name);
    return ASTRIDE_OK;
}

static astride_status check_cost(const astride_plugin *plugin, const char *name, double value)
{
    if (isfinite(value) && value > 0)
        return ASTRIDE_OK;
    return astride__fail(ASTRIDE_INTERNAL,
                         "backend %s: properties: cost.%s = %g is not above 0 and finite",
                         plugin->name, name, value);
}

/* Only the costs of what the device can do are looked at. */
static astride_status check_costs(const astride_plugin *plugin,
                                  const astride_backend_properties *properties)
{
    const astride_cost_model *cost = &properties->cost;
    astride_status status = check_cost(plugin, "linear_call_ns", cost->linear_call_ns);
    char name[40];

    for (int i = 0; i < ASTRIDE_DIRECTION_COUNT && status == ASTRIDE_OK; i++) {
        int32_t rank = properties->capabilities.rect_rank[i];
        if (rank >= 1) {
            snprintf(name, sizeof(name), "bytes_per_ns[%d]", i);
            status = check_cost(plugin, name, cost->bytes_per_ns[i]);
        }
        if (rank > 1 && status == ASTRIDE_OK) {
            snprintf(name, sizeof(name), "rect_row_ns[%d]", i);
            status = check_cost(plugin, name, cost->rect_row_ns[i]);
        }
        if (rank > 1 && status == ASTRIDE_OK)
            status = check_cost(plugin, "rect_call_ns", cost->rect_call_ns);
    }
    if (properties->capabilities.kernels && status == ASTRIDE_OK)
        status = check_cost(plugin, "kernel_call_ns", cost->kernel_call_ns);
    if (properties->capabilities.kernels && status == ASTRIDE_OK)
        status = check_cost(plugin, "kernel_unit_ns", cost->kernel_unit_ns);
    if (properties->capabilities.kernels && status == ASTRIDE_OK)
        status = check_cost(plugin, "kernel_bytes_per_ns", cost->kernel_bytes_per_ns);
    return status;
}

astride_status astride__plugin_check_properties(const astride_plugin *plugin,
                                                const astride_backend_properties *properties)
{
    astride_status status = check_capabilities(plugin, &properties->capabilities);

    if (status == ASTRIDE_OK)
        status = check_costs(plugin, properties);
    if (status == ASTRIDE_OK && (properties->staging_depth < 0 ||
                                 properties->staging_depth > ASTRIDE_STAGING_DEPTH_MAXIMUM))
        status = astride__fail(
            ASTRIDE_INTERNAL, "backend %s: properties: staging_depth = %d is not in 0 to %d",
            plugin->name, (int)properties->staging_depth, ASTRIDE_STAGING_DEPTH_MAXIMUM);
    return status;
}
