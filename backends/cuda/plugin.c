/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The CUDA backend's table. The driver's library is opened when the backend is asked for its
 * devices, so that a machine without one only learns why there are none.
 */
#include "cuda.h"

static astride_status initialize(const astride_services *services)
{
    astride__cuda_services = services;
    return ASTRIDE_OK;
}

ASTRIDE_PLUGIN_EXPORT const astride_plugin astride_plugin_entry = {
    .abi = ASTRIDE_PLUGIN_ABI,
    .struct_size = sizeof(astride_plugin),
    .name = "cuda",
    .description = "NVIDIA devices by the CUDA driver API",
    .priority = 60,

    .initialize = initialize,
    .probe = astride__cuda_probe,
    .describe = astride__cuda_describe,
    .resolve = astride__cuda_resolve,
    .device_open = astride__cuda_device_open,
    .device_close = astride__cuda_device_close,
    .properties = astride__cuda_properties,

    .memory_alloc = astride__cuda_memory_alloc,
    .memory_free = astride__cuda_memory_free,
    .memory_register = astride__cuda_memory_register,
    .memory_unregister = astride__cuda_memory_unregister,
    .memory_import = astride__cuda_memory_import,
    .memory_release = astride__cuda_memory_release,
    .memory_query = astride__cuda_memory_query,

    .queue_create = astride__cuda_queue_create,
    .queue_import = astride__cuda_queue_import,
    .queue_destroy = astride__cuda_queue_destroy,
    .queue_wait = astride__cuda_queue_wait,
    .queue_query = astride__cuda_queue_query,
    .host_call = astride__cuda_host_call,

    .event_create = astride__cuda_event_create,
    .event_destroy = astride__cuda_event_destroy,
    .event_record = astride__cuda_event_record,
    .event_wait = astride__cuda_event_wait,
    .event_query = astride__cuda_event_query,
    .queue_wait_event = astride__cuda_queue_wait_event,

    .copy_linear = astride__cuda_copy_linear,
    .copy_rect = astride__cuda_copy_rect,
    .copy_kernel = astride__cuda_copy_kernel,
    .fill = astride__cuda_fill,

    .module_load = astride__cuda_module_load,
    .module_unload = astride__cuda_module_unload,
    .module_function = astride__cuda_module_function,
    .launch = astride__cuda_module_launch,

    .queue_captured = astride__cuda_queue_captured,
};
