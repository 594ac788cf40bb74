/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Listing backends and their devices for users. How the list comes about is in registry.c.
 */
#include <stdio.h>
#include <string.h>

#include <astride/device.h>

#include "hal/error.h"
#include "hal/registry.h"

/* Bytes of the structures in the first version of the library. */
#define BACKEND_INFO_BYTES_MINIMUM (offsetof(astride_backend_info, device_count) + sizeof(int32_t))
#define DEVICE_INFO_BYTES_MINIMUM (offsetof(astride_device_info, memory_bytes) + sizeof(uint64_t))

/* Gives the list, or fails with the call's name before the cause. */
static astride_status get_registry(const char *call, const astride__registry **registry_out)
{
    astride_status status = astride__registry_get(registry_out);

    if (status != ASTRIDE_OK)
        astride__fail_prefix("%s: ", call);
    return status;
}

static astride_status check_info(const char *call, const size_t *struct_size, size_t minimum)
{
    if (struct_size == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: info_out is NULL", call);
    if (*struct_size < minimum)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "%s: info_out->struct_size = %zu is below %zu", call, *struct_size,
                             minimum);
    return ASTRIDE_OK;
}

static astride_status check_index(const char *call, const char *argument, size_t index,
                                  const astride__registry *registry)
{
    if (index < registry->count)
        return ASTRIDE_OK;
    return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: %s = %zu is not below %zu", call, argument,
                         index, registry->count);
}

astride_status astride_backend_count(size_t *count_out)
{
    static const char call[] = "astride_backend_count";
    const astride__registry *registry;
    astride_status status;

    if (count_out == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: count_out is NULL", call);
    status = get_registry(call, &registry);
    if (status == ASTRIDE_OK)
        *count_out = registry->count;
    return status;
}

astride_status astride_backend_get(size_t index, astride_backend_info *info_out)
{
    static const char call[] = "astride_backend_get";
    const astride__registry *registry;
    astride_backend_info info;
    astride_status status = check_info(call, info_out == NULL ? NULL : &info_out->struct_size,
                                       BACKEND_INFO_BYTES_MINIMUM);

    if (status == ASTRIDE_OK)
        status = get_registry(call, &registry);
    if (status == ASTRIDE_OK)
        status = check_index(call, "index", index, registry);
    if (status != ASTRIDE_OK)
        return status;

    const astride__backend *backend = registry->backends[index];
    memset(&info, 0, sizeof(info));
    info.struct_size = info_out->struct_size;
    info.name = backend->name;
    info.description = backend->description;
    info.origin = backend->origin;
    info.available = backend->device_count > 0;
    info.reason = backend->reason;
    info.device_count = backend->device_count;
    memcpy(info_out, &info, info.struct_size < sizeof(info) ? info.struct_size : sizeof(info));
    return ASTRIDE_OK;
}

/* Asks the backend, if it can tell; its description and no size where it cannot. */
static astride_status describe(const astride__backend *backend, int32_t index,
                               astride_device_info *info)
{
    astride_status status = ASTRIDE_OK;

    memset(info, 0, sizeof(*info));
    info->struct_size = sizeof(*info);
    if (backend->plugin.describe != NULL)
        status = backend->plugin.describe(index, info);
    else
        snprintf(info->name, sizeof(info->name), "%s", backend->description);
    if (status == ASTRIDE_OK)
        snprintf(info->spec, sizeof(info->spec), "%s:%d", backend->name, (int)index);
    return status;
}

astride_status astride_device_get(size_t backend_index, int32_t device_index,
                                  astride_device_info *info_out)
{
    static const char call[] = "astride_device_get";
    const astride__registry *registry;
    astride_device_info info;
    astride_status status = check_info(call, info_out == NULL ? NULL : &info_out->struct_size,
                                       DEVICE_INFO_BYTES_MINIMUM);

    if (status == ASTRIDE_OK)
        status = get_registry(call, &registry);
    if (status == ASTRIDE_OK)
        status = check_index(call, "backend_index", backend_index, registry);
    if (status != ASTRIDE_OK)
        return status;

    const astride__backend *backend = registry->backends[backend_index];
    if (backend->device_count < 1)
        return astride__fail(ASTRIDE_UNAVAILABLE, "%s: backend %s is not available: %s", call,
                             backend->name, backend->reason);
    if (device_index < 0 || device_index >= backend->device_count)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "%s: device_index = %d: devices of backend %s are numbered 0 to %d",
                             call, (int)device_index, backend->name,
                             (int)backend->device_count - 1);
    status = describe(backend, device_index, &info);
    if (status != ASTRIDE_OK)
        return status;
    info.struct_size = info_out->struct_size;
    memcpy(info_out, &info, info.struct_size < sizeof(info) ? info.struct_size : sizeof(info));
    return ASTRIDE_OK;
}
