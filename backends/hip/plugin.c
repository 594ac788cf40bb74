/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The HIP backend's table. The runtime's library is opened when the backend is asked for its
 * devices, so that a machine without one only learns why there are none.
 */
#include "hip.h"

static astride_status initialize(const astride_services *services)
{
    astride__hip_services = services;
    return ASTRIDE_OK;
}

ASTRIDE_PLUGIN_EXPORT const astride_plugin astride_plugin_entry = {
    .abi = ASTRIDE_PLUGIN_ABI,
    .struct_size = sizeof(astride_plugin),
    .name = "hip",
    .description = "AMD devices by the HIP runtime",
    .priority = 50,

    .initialize = initialize,
    .probe = astride__hip_probe,
    .describe = astride__hip_describe,
    .resolve = astride__hip_resolve,
    .device_open = astride__hip_device_open,
    .device_close = astride__hip_device_close,
    .properties = astride__hip_properties,

    .memory_alloc = astride__hip_memory_alloc,
    .memory_free = astride__hip_memory_free,
    .memory_register = astride__hip_memory_register,
    .memory_unregister = astride__hip_memory_unregister,
    .memory_import = astride__hip_memory_import,
    .memory_release = astride__hip_memory_release,
    .memory_query = astride__hip_memory_query,

    .queue_create = astride__hip_queue_create,
    .queue_import = astride__hip_queue_import,
    .queue_destroy = astride__hip_queue_destroy,
    .queue_wait = astride__hip_queue_wait,
    .queue_query = astride__hip_queue_query,
    .host_call = astride__hip_host_call,

    .event_create = astride__hip_event_create,
    .event_destroy = astride__hip_event_destroy,
    .event_record = astride__hip_event_record,
    .event_wait = astride__hip_event_wait,
    .event_query = astride__hip_event_query,
    .queue_wait_event = astride__hip_queue_wait_event,

    .copy_linear = astride__hip_copy_linear,
    .rect_supported = astride__hip_rect_supported,
    .copy_rect = astride__hip_copy_rect,
    .copy_kernel = astride__hip_copy_kernel,
    .fill = astride__hip_fill,

    .module_load = astride__hip_module_load,
    .module_unload = astride__hip_module_unload,
    .module_function = astride__hip_module_function,
    .launch = astride__hip_module_launch,

    .queue_captured = astride__hip_queue_captured,
};
