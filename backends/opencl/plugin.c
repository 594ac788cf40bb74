/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The OpenCL backend's table. The OpenCL library is opened when the backend is asked for its
 * devices, so that a machine without one only learns why there are none.
 */
#include "opencl.h"

static astride_status initialize(const astride_services *services)
{
    astride__opencl_services = services;
    return ASTRIDE_OK;
}

ASTRIDE_PLUGIN_EXPORT const astride_plugin astride_plugin_entry = {
    .abi = ASTRIDE_PLUGIN_ABI,
    .struct_size = sizeof(astride_plugin),
    .name = "opencl",
    .description = "devices with an OpenCL 1.2 driver",
    .priority = 20,

    .initialize = initialize,
    .probe = astride__opencl_probe,
    .describe = astride__opencl_describe,
    .resolve = astride__opencl_resolve,
    .automatic = astride__opencl_automatic,
    .device_open = astride__opencl_device_open,
    .device_close = astride__opencl_device_close,
    .properties = astride__opencl_properties,

    .memory_alloc = astride__opencl_memory_alloc,
    .memory_free = astride__opencl_memory_free,
    .memory_register = astride__opencl_memory_register,
    .memory_unregister = astride__opencl_memory_unregister,
    .memory_import = astride__opencl_memory_import,
    .memory_release = astride__opencl_memory_release,

    .queue_create = astride__opencl_queue_create,
    .queue_import = astride__opencl_queue_import,
    .queue_destroy = astride__opencl_queue_destroy,
    .queue_wait = astride__opencl_queue_wait,
    .queue_query = astride__opencl_queue_query,
    .host_call = astride__opencl_host_call,

    .event_create = astride__opencl_event_create,
    .event_destroy = astride__opencl_event_destroy,
    .event_record = astride__opencl_event_record,
    .event_wait = astride__opencl_event_wait,
    .event_query = astride__opencl_event_query,
    .queue_wait_event = astride__opencl_queue_wait_event,

    .copy_linear = astride__opencl_copy_linear,
    .copy_rect = astride__opencl_copy_rect,
    .copy_kernel = astride__opencl_copy_kernel,
    .fill = astride__opencl_fill,
};
