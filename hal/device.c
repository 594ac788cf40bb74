/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Making, counting and closing devices, and what they are asked about themselves. Which device a
 * spec stands for is decided in device_open.c.
 */
#include "hal/device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/environment.h"
#include "hal/error.h"
#include "hal/log.h"
#include "hal/memory.h"
#include "hal/packer.h"
#include "hal/plan_cache.h"
#include "hal/plugin_check.h"
#include "hal/process.h"
#include "hal/registry.h"

/* Bytes of astride_capabilities in the first version of the library. */
#define CAPABILITIES_BYTES_MINIMUM (offsetof(astride_capabilities, memory_bytes) + sizeof(uint64_t))

/*
 * Devices that open, are open or close. The lock is not held while a backend opens or closes one;
 * its state keeps other threads from making it twice.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static astride_device *devices;

/*
 * Held while a device that closes gives up its plans, and the other devices give up those that
 * involve it: of two that close at once, one comes after the other. Taken before `lock`.
 */
static pthread_mutex_t forgetting = PTHREAD_MUTEX_INITIALIZER;
static uint64_t forgettings;

astride_status astride__device_check(const astride_device *device, const char *call)
{
    if (device == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: device is NULL", call);
    if (device->process != astride__process_number())
        return astride__fail(ASTRIDE_AFTER_FORK, "%s: %s was opened by a parent of this process",
                             call, device->spec);
    return ASTRIDE_OK;
}

astride_status astride__device_lacks(const astride_device *device, const char *call,
                                     const char *slot)
{
    return astride__fail(ASTRIDE_UNSUPPORTED, "%s: backend %s has no %s", call,
                         device->plugin->name, slot);
}

/* Fills what the backend tells. The backend's device is closed again on failure. */
static astride_status open_backend(astride_device *device)
{
    const astride__environment *environment;
    astride_status status = astride__environment_get(&environment);

    if (status != ASTRIDE_OK)
        return status;
    device->forced_strategy = environment->strategy;
    device->staging_bytes = environment->staging_bytes;
    device->staging_depth = environment->staging_depth;
    status = device->plugin->device_open(device->index, &device->backend);
    if (status != ASTRIDE_OK)
        return status;
    device->properties.capabilities.struct_size = sizeof(astride_capabilities);
    status = device->plugin->properties(device->backend, &device->properties);
    if (status == ASTRIDE_OK)
        status = astride__plugin_check_properties(device->plugin, &device->properties);
    if (status != ASTRIDE_OK)
        goto close_backend;
    device->plan_cache = astride__plan_cache_create();
    if (device->plan_cache == NULL) {
        status =
            astride__fail(ASTRIDE_OUT_OF_MEMORY, "no memory for the plans of %s", device->spec);
        goto close_backend;
    }
    return ASTRIDE_OK;
close_backend:
    device->plugin->device_close(device->backend);
    return status;
}

/* The lock is held by the caller. */
static astride_device *find_device(const astride__backend *backend, int32_t index)
{
    astride_device *device = devices;

    while (device != NULL && (device->plugin != &backend->plugin || device->index != index))
        device = device->next;
    return device;
}

/* The lock is held by the caller. */
static void unlink_device(const astride_device *device)
{
    astride_device **link = &devices;

    while (*link != device)
        link = &(*link)->next;
    *link = device->next;
}

static astride_device *allocate(const astride__backend *backend, int32_t index)
{
    astride_device *device = calloc(1, sizeof(*device));

    if (device == NULL) {
        astride__fail(ASTRIDE_OUT_OF_MEMORY, "no memory for a device of backend %s", backend->name);
        return NULL;
    }
    device->plugin = &backend->plugin;
    device->index = index;
    device->open_count = 1;
    device->state = ASTRIDE__DEVICE_OPENING;
    device->process = astride__process_number();
    snprintf(device->spec, sizeof(device->spec), "%s:%d", backend->name, (int)index);
    return device;
}

astride_status astride__device_acquire(const astride__backend *backend, int32_t index,
                                       astride_device **device_out)
{
    astride_device *made = allocate(backend, index);
    astride_device *found;
    astride_status status;

    if (made == NULL)
        return ASTRIDE_OUT_OF_MEMORY;
    pthread_mutex_lock(&lock);
    while ((found = find_device(backend, index)) != NULL && found->state != ASTRIDE__DEVICE_OPEN)
        pthread_cond_wait(&changed, &lock);
    if (found != NULL) {
        found->open_count++;
        pthread_mutex_unlock(&lock);
        free(made);
        *device_out = found;
        return ASTRIDE_OK;
    }
    made->next = devices;
    devices = made;
    pthread_mutex_unlock(&lock);

    status = open_backend(made);

    pthread_mutex_lock(&lock);
    if (status == ASTRIDE_OK)
        made->state = ASTRIDE__DEVICE_OPEN;
    else
        unlink_device(made);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    if (status != ASTRIDE_OK) {
        free(made);
        return status;
    }
    astride__log(ASTRIDE_LOG_INFO, "%s is open", made->spec);
    *device_out = made;
    return ASTRIDE_OK;
}

/* A device that still has plans, and was not asked yet to forget; NULL: none is left. */
static astride_device *next_to_forget(const astride_device *closing)
{
    pthread_mutex_lock(&lock);
    astride_device *device = devices;
    while (device != NULL && (device == closing || device->state == ASTRIDE__DEVICE_OPENING ||
                              device->plan_cache == NULL || device->forgot == forgettings))
        device = device->next;
    if (device != NULL)
        device->forgot = forgettings;
    pthread_mutex_unlock(&lock);
    return device;
}

/* Frees the plans that a closing device has, and those of others that involve its memory. A device
   has plans as long as it did not come here itself, so that none can vanish meanwhile. */
static void forget_plans(astride_device *closing)
{
    astride_device *other;

    pthread_mutex_lock(&forgetting);
    forgettings++;
    astride__plan_cache_destroy(closing->plan_cache);
    closing->plan_cache = NULL;
    while ((other = next_to_forget(closing)) != NULL)
        astride__plan_cache_forget(other->plan_cache, closing);
    pthread_mutex_unlock(&forgetting);
}

void astride_device_close(astride_device *device)
{
    bool is_last;
    bool is_ours;

    if (device == NULL)
        return;
    is_ours = device->process == astride__process_number();
    pthread_mutex_lock(&lock);
    is_last = --device->open_count == 0;
    if (is_last && is_ours)
        device->state = ASTRIDE__DEVICE_CLOSING;
    pthread_mutex_unlock(&lock);
    if (!is_last)
        return;
    if (!is_ours) {
        /* The plans of a parent's device may hold memory of its driver; they are forgotten too. */
        free(device);
        return;
    }

    astride__error_detail saved;
    astride__error_save(&saved);
    forget_plans(device);
    astride__memory_release_all(device);
    device->plugin->device_close(device->backend);
    astride__packer_destroy(device->packer);
    astride__error_restore(&saved);
    astride__log(ASTRIDE_LOG_INFO, "%s is closed", device->spec);

    pthread_mutex_lock(&lock);
    unlink_device(device);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    free(device);
}

const char *astride_device_spec(const astride_device *device)
{
    return device == NULL ? "" : device->spec;
}

astride_status astride_device_capabilities(const astride_device *device,
                                           astride_capabilities *capabilities_out)
{
    static const char call[] = "astride_device_capabilities";
    astride_status status = astride__device_check(device, call);
    size_t bytes;

    if (status != ASTRIDE_OK)
        return status;
    if (capabilities_out == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: capabilities_out is NULL", call);
    bytes = capabilities_out->struct_size;
    if (bytes < CAPABILITIES_BYTES_MINIMUM)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "%s: capabilities_out->struct_size = %zu is below %zu", call, bytes,
                             CAPABILITIES_BYTES_MINIMUM);
    memcpy(capabilities_out, &device->properties.capabilities,
           bytes < sizeof(*capabilities_out) ? bytes : sizeof(*capabilities_out));
    capabilities_out->struct_size = bytes;
    return ASTRIDE_OK;
}

void astride__device_after_fork(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    forgetting = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    devices = NULL;
}
