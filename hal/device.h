/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The device object: a backend's device with what the core adds. Opening and closing are in
 * device.c.
 */
#ifndef ASTRIDE_HAL_DEVICE_H
#define ASTRIDE_HAL_DEVICE_H

#include <stdint.h>

#include <astride/copy.h>
#include <astride/device.h>
#include <astride/plugin.h>

struct astride__backend;
struct astride__packer;
struct astride__plan_cache;

/* Where a device is in its life. A thread that wants one that opens or closes waits for the end. */
typedef enum astride__device_state {
    ASTRIDE__DEVICE_OPENING,
    ASTRIDE__DEVICE_OPEN,
    ASTRIDE__DEVICE_CLOSING
} astride__device_state;

struct astride_device {
    const astride_plugin *plugin;    /* a full table: slots that the plugin left out are NULL */
    astride_backend_device *backend; /* the plugin's own object */
    astride_backend_properties properties;  /* read once, when opened */
    astride_strategy forced_strategy;       /* of ASTRIDE_STRATEGY; ASTRIDE_STRATEGY_AUTO: none */
    size_t staging_bytes;                   /* of ASTRIDE_STAGING_BYTES; 0: the backend's wish */
    int32_t staging_depth;                  /* of ASTRIDE_STAGING_DEPTH; 0: the backend's wish */
    struct astride__plan_cache *plan_cache; /* see plan_cache.h */
    struct astride__packer *packer; /* copies by the host in its queues; NULL before the first */
    char spec[64];                  /* "host:0" */
    int32_t index;                  /* of the device in its backend */
    int32_t open_count;             /* guarded by the lock of the list of devices */
    astride__device_state state;    /* guarded by the same lock */
    uint64_t forgot;                /* number of the last forgetting; device.c */
    uint32_t process;               /* astride__process_number() when it was opened */
    struct astride_device *next;    /* in the list of open devices */
};

/*
 * Fails with ASTRIDE_INVALID_ARGUMENT for NULL ("CALL: device is NULL") and with ASTRIDE_AFTER_FORK
 * in a child of the process that opened it.
 */
astride_status astride__device_check(const astride_device *device, const char *call);

/*
 * Opens device `index` of a backend, or counts one more open of it. Fails with the backend's status
 * and detail, or with ASTRIDE_OUT_OF_MEMORY.
 */
astride_status astride__device_acquire(const struct astride__backend *backend, int32_t index,
                                       astride_device **device_out);

/* Records that the device's backend lacks an optional slot: "CALL: backend host has no SLOT". */
astride_status astride__device_lacks(const astride_device *device, const char *call,
                                     const char *slot);

#endif /* ASTRIDE_HAL_DEVICE_H */
