/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which devices there are: listing them and what they are called. Their numbers are the driver's
 * ordinals, which CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER govern. What a spec means is in
 * spec.c.
 */
#include "cuda.h"

#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static astride__cuda_place *places;
static int32_t place_count;

astride_status astride__cuda_attribute(CUdevice id, CUdevice_attribute what, int unknown,
                                       int *value_out)
{
    int value = 0;
    const CUresult code = astride__cu.DeviceGetAttribute(&value, what, id);
    if (code == CUDA_ERROR_INVALID_VALUE)
        value = unknown;
    else if (code != CUDA_SUCCESS)
        return astride__cuda_check("cuDeviceGetAttribute", code);
    *value_out = value;
    return ASTRIDE_OK;
}

static astride_status read_pci_address(astride__cuda_place *place)
{
    const struct {
        CUdevice_attribute what;
        uint32_t *number;
    } questions[] = {
        {CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, &place->pci_domain},
        {CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, &place->pci_bus},
        {CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, &place->pci_device},
    };
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
        int value = 0;
        const astride_status status =
            astride__cuda_attribute(place->id, questions[i].what, 0, &value);
        if (status != ASTRIDE_OK)
            return status;
        *questions[i].number = (uint32_t)value;
    }
    return ASTRIDE_OK;
}

static void write_uuid(const CUuuid *uuid, char *text, size_t text_bytes)
{
    size_t used = 0;
    for (size_t i = 0; i < sizeof(uuid->bytes); i++) {
        const bool begins = i == 4 || i == 6 || i == 8 || i == 10;
        used += (size_t)snprintf(text + used, text_bytes - used, "%s%02x", begins ? "-" : "",
                                 (unsigned)(unsigned char)uuid->bytes[i]);
    }
}

static astride_status fill_place(int ordinal, astride__cuda_place *place)
{
    CUuuid uuid;
    size_t bytes = 0;
    CUresult code = astride__cu.DeviceGet(&place->id, ordinal);
    if (code != CUDA_SUCCESS)
        return astride__cuda_check("cuDeviceGet", code);
    code = astride__cu.DeviceGetName(place->name, (int)sizeof(place->name), place->id);
    if (code != CUDA_SUCCESS)
        return astride__cuda_check("cuDeviceGetName", code);
    place->name[sizeof(place->name) - 1] = '\0';
    code = astride__cu.DeviceTotalMem(&bytes, place->id);
    if (code != CUDA_SUCCESS)
        return astride__cuda_check("cuDeviceTotalMem", code);
    place->memory_bytes = bytes;
    const astride_status status = read_pci_address(place);
    if (status != ASTRIDE_OK)
        return status;
    if (astride__cu.DeviceGetUuid != NULL &&
        astride__cu.DeviceGetUuid(&uuid, place->id) == CUDA_SUCCESS)
        write_uuid(&uuid, place->uuid, sizeof(place->uuid));
    return ASTRIDE_OK;
}

/* What to do about the failures of cuInit that come from the machine, not from the program. */
static const char *advice(CUresult code)
{
    switch (code) {
    case CUDA_ERROR_NO_DEVICE:
        return ": there is no device, or CUDA_VISIBLE_DEVICES hides it";
    case CUDA_ERROR_STUB_LIBRARY:
        return ": the library is the SDK's stub, not the driver";
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
        return ": the library and the kernel module are of different releases";
    default:
        return "";
    }
}

static astride_status list_devices(void)
{
    int count = 0;
    CUresult code = astride__cu.Init(0);
    if (code != CUDA_SUCCESS)
        return astride__cuda_services->fail(ASTRIDE_UNAVAILABLE, "cuInit: %s (%u)%s",
                                            astride__cuda_error_name(code), code, advice(code));
    code = astride__cu.DeviceGetCount(&count);
    if (code != CUDA_SUCCESS)
        return astride__cuda_check("cuDeviceGetCount", code);
    if (count <= 0)
        return astride__cuda_services->fail(
            ASTRIDE_UNAVAILABLE, "cuDeviceGetCount: no device (CUDA_VISIBLE_DEVICES may hide it)");
    astride__cuda_place *found = calloc((size_t)count, sizeof(*found));
    if (found == NULL)
        return astride__cuda_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory to list devices");
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

astride_status astride__cuda_probe(int32_t *device_count_out)
{
    astride_status status = astride__cuda_load();
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

bool astride__cuda_place_get(int32_t index, astride__cuda_place *place_out)
{
    pthread_mutex_lock(&lock);
    const bool exists = index >= 0 && index < place_count;
    if (exists)
        *place_out = places[index];
    pthread_mutex_unlock(&lock);
    return exists;
}

astride_status astride__cuda_describe(int32_t index, astride_device_info *info_out)
{
    astride__cuda_place place;
    if (!astride__cuda_place_get(index, &place))
        return astride__cuda_services->fail(ASTRIDE_NOT_FOUND, "there is no device %d", (int)index);
    snprintf(info_out->name, sizeof(info_out->name), "%.60s (%04x:%02x:%02x.0%s%s)", place.name,
             (unsigned)place.pci_domain, (unsigned)place.pci_bus, (unsigned)place.pci_device,
             place.uuid[0] != '\0' ? ", GPU-" : "", place.uuid);
    info_out->memory_bytes = place.memory_bytes;
    return ASTRIDE_OK;
}

astride_status astride__cuda_resolve(const char *rest, int32_t *index_out)
{
    pthread_mutex_lock(&lock);
    const int32_t index = astride__cuda_spec_find(places, place_count, rest);
    pthread_mutex_unlock(&lock);
    if (index < 0)
        return astride__cuda_services->fail(
            ASTRIDE_NOT_FOUND,
            "no device, or more than one, has \"%.100s\" as its UUID, its PCI address or in its "
            "name",
            rest);
    *index_out = index;
    return ASTRIDE_OK;
}
