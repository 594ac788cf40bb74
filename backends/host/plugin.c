/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The host backend's table. The host has no native queues and no modules, so those slots are left
 * out; a device is named by its number, which the core reads itself.
 */
#include "host.h"

#include "hal/builtin.h"

const astride_services *astride__host_services;

static astride_status initialize(const astride_services *services)
{
    astride__host_services = services;
    return ASTRIDE_OK;
}

const astride_plugin astride__host_plugin = {
    .abi = ASTRIDE_PLUGIN_ABI,
    .struct_size = sizeof(astride_plugin),
    .name = "host",
    .description = "copies within host memory",
    .priority = 0,

    .initialize = initialize,
    .probe = astride__host_probe,
    .describe = astride__host_describe,
    .device_open = astride__host_device_open,
    .device_close = astride__host_device_close,
    .properties = astride__host_properties,

    .memory_alloc = astride__host_memory_alloc,
    .memory_free = astride__host_memory_free,
    .memory_register = astride__host_memory_register,
    .memory_unregister = astride__host_memory_unregister,
    .memory_import = astride__host_memory_import,
    .memory_release = astride__host_memory_release,

    .queue_create = astride__host_queue_create,
    .queue_destroy = astride__host_queue_destroy,
    .queue_wait = astride__host_queue_wait,
    .queue_query = astride__host_queue_query,
    .host_call = astride__host_host_call,

    .event_create = astride__host_event_create,
    .event_destroy = astride__host_event_destroy,
    .event_record = astride__host_event_record,
    .event_wait = astride__host_event_wait,
    .event_query = astride__host_event_query,
    .queue_wait_event = astride__host_queue_wait_event,

    .copy_linear = astride__host_copy_linear,
    .copy_rect = astride__host_copy_rect,
    .copy_kernel = astride__host_copy_kernel,
    .fill = astride__host_fill,
};
