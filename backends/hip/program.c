/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loading the packing kernels on a device, once when it is opened, and deciding how their work is
 * shared there. They are compiled for its architecture, or found in the cache.
 */
#include "hip.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The shared source in its own words for HIP. */
#define PRELUDE "#define ASTRIDE_TARGET_HIP 1\n"

/* Eight groups of 256 fill a compute unit's 2048 work-items; more of them share the work evenly. */
#define GROUPS_PER_UNIT 32u

/* Takes the name, "gfx90a:sramecc+:xnack-", from the structure that the runtime fills. */
static astride_status read_architecture(const astride_backend_device *device,
                                        char name[ASTRIDE__HIP_ARCHITECTURE_BYTES])
{
    union {
        char bytes[ASTRIDE__HIP_PROPERTIES_BYTES];
        uint64_t alignment;
    } properties;
    const bool newer = astride__hip.GetDevicePropertiesR0600 != NULL;
    const astride__hip_get_properties get =
        newer ? astride__hip.GetDevicePropertiesR0600 : astride__hip.GetDeviceProperties;
    if (get == NULL)
        return astride__hip_services->fail(ASTRIDE_UNSUPPORTED,
                                           "the runtime lacks " ASTRIDE__HIP_PROPERTIES);
    memset(&properties, 0, sizeof(properties));
    const hipError_t code = get(&properties, device->ordinal);
    if (code != hipSuccess)
        return astride__hip_check(newer ? ASTRIDE__HIP_PROPERTIES_R0600 : ASTRIDE__HIP_PROPERTIES,
                                  code);
    memcpy(name,
           properties.bytes +
               (newer ? ASTRIDE__HIP_ARCHITECTURE_AT_R0600 : ASTRIDE__HIP_ARCHITECTURE_AT),
           ASTRIDE__HIP_ARCHITECTURE_BYTES);
    name[ASTRIDE__HIP_ARCHITECTURE_BYTES - 1] = '\0';
    return ASTRIDE_OK;
}

/* FNV-1a, 64 bits: the source differs between builds of this library. */
static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

static char *copy_source(void)
{
    const size_t bytes = sizeof(PRELUDE) + strlen(astride__kernel_source);
    char *source = malloc(bytes);
    if (source != NULL)
        snprintf(source, bytes, "%s%s", PRELUDE, astride__kernel_source);
    return source;
}

static astride_status make_code(const char *architecture, astride__hip_code *code)
{
    char key[512];
    int major = 0, minor = 0;
    astride_status status = astride__hip_load_compiler();
    if (status == ASTRIDE_OK)
        status = astride__hip_compiler_version(&major, &minor);
    if (status != ASTRIDE_OK)
        return status;
    char *source = copy_source();
    if (source == NULL)
        return astride__hip_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for a source");
    snprintf(key, sizeof(key), "kernels %016" PRIx64 " %zu for %s by hiprtc %d.%d, runtime %d",
             hash_of(source), strlen(source), architecture, major, minor,
             astride__hip_runtime_version());
    if (!astride__hip_cache_find(key, code)) {
        status = astride__hip_compile(source, architecture, code);
        if (status == ASTRIDE_OK)
            astride__hip_cache_store(key, code);
    }
    free(source);
    return status;
}

static astride_status load_module(astride_backend_device *device, const astride__hip_code *code)
{
    astride_status status = astride__hip_check(
        "hipModuleLoadData", astride__hip.ModuleLoadData(&device->module, code->bytes));
    if (status != ASTRIDE_OK) {
        device->module = NULL;
        return status;
    }
    for (int kernel = 0; status == ASTRIDE_OK && kernel < ASTRIDE__KERNEL_COUNT; kernel++)
        status = astride__hip_check("hipModuleGetFunction",
                                    astride__hip.ModuleGetFunction(&device->kernels[kernel],
                                                                   device->module,
                                                                   astride__kernel_names[kernel]));
    if (status != ASTRIDE_OK) {
        astride__hip_check_release("hipModuleUnload", astride__hip.ModuleUnload(device->module));
        device->module = NULL;
    }
    return status;
}

/* Without a compiler copies do without kernels; a compiler that fails is an error. */
astride_status astride__hip_program_load(astride_backend_device *device)
{
    char architecture[ASTRIDE__HIP_ARCHITECTURE_BYTES] = "";
    astride__hip_code code = {0};
    astride_status status = ASTRIDE_OK;
    const uint32_t units = device->unit_count > 0 ? (uint32_t)device->unit_count : 1;
    device->sharing = (astride__kernel_sharing){
        .runs = false,
        .groups_maximum = GROUPS_PER_UNIT * (units > 4096 ? 4096 : units),
        .run_minimum = 1,
    };
    if (!astride__hip_has_modules()) {
        astride__hip_services->log(ASTRIDE_LOG_WARN, "copies do without kernels: the runtime lacks "
                                                     "functions for modules");
        return ASTRIDE_OK;
    }
    status = read_architecture(device, architecture);
    if (status == ASTRIDE_OK)
        status = make_code(architecture, &code);
    if (status == ASTRIDE_UNAVAILABLE) {
        astride__hip_services->log(ASTRIDE_LOG_WARN,
                                   "copies do without kernels: neither a libhiprtc of the "
                                   "runtime's release nor the runtime compiles them");
        return ASTRIDE_OK;
    }
    if (status == ASTRIDE_OK)
        status = load_module(device, &code);
    free(code.bytes);
    return status;
}
