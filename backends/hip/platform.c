/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which devices there are: listing them and what they are called. Their numbers are the runtime's
 * ordinals, which HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES govern. What a spec means is in
 * spec.c.
 */
#include "hip.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static astride__hip_place *places;
static int32_t place_count;
static int runtime_version;

astride_status astride__hip_attribute(int32_t ordinal, hipDeviceAttribute_t what, int unknown,
                                      int *value_out)
{
    int value = 0;
    const hipError_t code = astride__hip.DeviceGetAttribute(&value, what, ordinal);
    if (code == hipErrorInvalidValue) {
        astride__hip_forget_error();
        value = unknown;
    } else if (code != hipSuccess) {
        return astride__hip_check("hipDeviceGetAttribute", code);
    }
    *value_out = value;
    return ASTRIDE_OK;
}

static astride_status read_pci_address(int32_t ordinal, astride__hip_place *place)
{
    const struct {
        hipDeviceAttribute_t what;
        uint32_t *number;
    } questions[] = {
        {hipDeviceAttributePciDomainID, &place->pci_domain},
        {hipDeviceAttributePciBusId, &place->pci_bus},
        {hipDeviceAttributePciDeviceId, &place->pci_device},
    };
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
        int value = 0;
        const astride_status status = astride__hip_attribute(ordinal, questions[i].what, 0, &value);
        if (status != ASTRIDE_OK)
            return status;
        *questions[i].number = (uint32_t)value;
    }
    return ASTRIDE_OK;
}

/*
 * The runtime gives the unique number of a device as 16 hexadecimal digits, in place of the 16
 * bytes that the structure is named after; ROCR_VISIBLE_DEVICES takes them behind "GPU-".
 */
static void write_uuid(const hipUUID *uuid, char *text, size_t text_bytes)
{
    size_t used = 0, digits = 0;
    while (digits < sizeof(uuid->bytes) && isxdigit((unsigned char)uuid->bytes[digits]))
        digits++;
    if (digits == sizeof(uuid->bytes)) {
        snprintf(text, text_bytes, "%.16s", uuid->bytes);
        return;
    }
    for (size_t i = 0; i < sizeof(uuid->bytes); i++)
        used += (size_t)snprintf(text + used, text_bytes - used, "%02x",
                                 (unsigned)(unsigned char)uuid->bytes[i]);
}

static astride_status fill_place(int32_t ordinal, astride__hip_place *place)
{
    hipUUID uuid;
    size_t bytes = 0;
    hipError_t code = astride__hip.DeviceGetName(place->name, (int)sizeof(place->name), ordinal);
    if (code != hipSuccess)
        return astride__hip_check("hipDeviceGetName", code);
    place->name[sizeof(place->name) - 1] = '\0';
    code = astride__hip.DeviceTotalMem(&bytes, ordinal);
    if (code != hipSuccess)
        return astride__hip_check("hipDeviceTotalMem", code);
    place->memory_bytes = bytes;
    const astride_status status = read_pci_address(ordinal, place);
    if (status != ASTRIDE_OK || astride__hip.DeviceGetUuid == NULL)
        return status;
    if (astride__hip.DeviceGetUuid(&uuid, ordinal) == hipSuccess)
        write_uuid(&uuid, place->uuid, sizeof(place->uuid));
    else
        astride__hip_forget_error();
    return ASTRIDE_OK;
}

/* Without a device the runtime fails its first call, whichever it is; ROCm 5 has both codes. */
static astride_status fail_unavailable(const char *call, hipError_t code)
{
    astride__hip_forget_error();
    return astride__hip_services->fail(
        ASTRIDE_UNAVAILABLE, "%s: %s (%u)%s", call, astride__hip_error_name(code), code,
        code == hipErrorNoDevice || code == hipErrorInvalidDevice
            ? ": there is no device, HIP_VISIBLE_DEVICES hides it, or /dev/kfd may not be opened"
            : "");
}

static astride_status list_devices(void)
{
    int count = 0;
    hipError_t code = astride__hip.Init(0);
    if (code != hipSuccess)
        return fail_unavailable("hipInit", code);
    code = astride__hip.GetDeviceCount(&count);
    if (code != hipSuccess)
        return fail_unavailable("hipGetDeviceCount", code);
    if (count <= 0)
        return fail_unavailable("hipGetDeviceCount", hipErrorNoDevice);
    code = astride__hip.RuntimeGetVersion(&runtime_version);
    if (code != hipSuccess)
        return astride__hip_check("hipRuntimeGetVersion", code);
    astride__hip_place *found = calloc((size_t)count, sizeof(*found));
    if (found == NULL)
        return astride__hip_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory to list devices");
    for (int i = 0; i < count; i++) {
        const astride_status status = fill_place(i, &found[i]);
        if (status != ASTRIDE_OK) {
            free(found);
            return status;
        }
    }
    places = found;
    place_count = count;
    return ASTRIDE_OK;
}

astride_status astride__hip_probe(int32_t *device_count_out)
{
    astride_status status = astride__hip_load();
    if (status != ASTRIDE_OK)
        return status;
    pthread_mutex_lock(&lock);
    if (places == NULL)
        status = list_devices();
    const int32_t count = place_count;
    pthread_mutex_unlock(&lock);
    if (status == ASTRIDE_OK)
        *device_count_out = count;
    return status;
}

int astride__hip_runtime_version(void)
{
    pthread_mutex_lock(&lock);
    const int version = runtime_version;
    pthread_mutex_unlock(&lock);
    return version;
}

bool astride__hip_place_get(int32_t index, astride__hip_place *place_out)
{
    pthread_mutex_lock(&lock);
    const bool exists = index >= 0 && index < place_count;
    if (exists)
        *place_out = places[index];
    pthread_mutex_unlock(&lock);
    return exists;
}

astride_status astride__hip_describe(int32_t index, astride_device_info *info_out)
{
    astride__hip_place place;
    if (!astride__hip_place_get(index, &place))
        return astride__hip_services->fail(ASTRIDE_NOT_FOUND, "there is no device %d", (int)index);
    snprintf(info_out->name, sizeof(info_out->name), "%.60s (%04x:%02x:%02x.0%s%s)", place.name,
             (unsigned)place.pci_domain, (unsigned)place.pci_bus, (unsigned)place.pci_device,
             place.uuid[0] != '\0' ? ", GPU-" : "", place.uuid);
    info_out->memory_bytes = place.memory_bytes;
    return ASTRIDE_OK;
}

astride_status astride__hip_resolve(const char *rest, int32_t *index_out)
{
    pthread_mutex_lock(&lock);
    const int32_t index = astride__hip_spec_find(places, place_count, rest);
    pthread_mutex_unlock(&lock);
    if (index < 0)
        return astride__hip_services->fail(
            ASTRIDE_NOT_FOUND,
            "no device, or more than one, has \"%.100s\" as its UUID, its PCI address or in its "
            "name",
            rest);
    *index_out = index;
    return ASTRIDE_OK;
}
