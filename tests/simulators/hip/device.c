/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Versions, devices and the current one of each thread in the simulated runtime.
 */
#include <stdio.h>
#include <string.h>

#include "tests/simulators/hip/runtime.h"

enum { DEFAULT_VERSION = 60300000, PCI_BUS_FIRST = 0x83 };

/* Where hipDeviceProp_t has the name of the architecture, and how large it is. */
enum { R0000_BYTES = 792, R0000_ARCHITECTURE = 396, R0600_BYTES = 1472, R0600_ARCHITECTURE = 1160 };

/* No device of the vendor's has it, so that what is compiled for it is not taken for a device's. */
#define ARCHITECTURE "gfx0simulated:sramecc+:xnack-"

sim_context *sim_contexts;

static sim_context contexts[SIM_DEVICES_MAXIMUM];
static _Thread_local int current_device;

int hip_version(void)
{
    return sim_setting.version != 0 ? sim_setting.version : DEFAULT_VERSION;
}

/* A device's context is there when it is first used, and stays. */
static sim_context *context_of(int device)
{
    sim_context *context = &contexts[device];
    if (!context->live) {
        *context =
            (sim_context){.device = device, .primary = true, .live = true, .next = sim_contexts};
        sim_contexts = context;
    }
    return context;
}

sim_context *hip_current(void)
{
    return context_of(current_device);
}

int hip_check_device(int device)
{
    if (device >= 0 && device < sim_setting.devices)
        return hipSuccess;
    return sim_refuse(hipErrorInvalidDevice, "there is no device %d", device);
}

static int init(unsigned flags)
{
    if (flags != 0)
        return sim_refuse(hipErrorInvalidValue, "flags %u is not 0", flags);
    return sim_setting.devices == 0 ? hipErrorNoDevice : hipSuccess;
}

hipError_t hipInit(unsigned flags)
{
    RETURN_CALL(ANY_TIME, init(flags));
}

static int put(int *number_out, int number)
{
    if (number_out == NULL)
        return sim_refuse(hipErrorInvalidValue, "the pointer for the answer is NULL");
    *number_out = number;
    return hipSuccess;
}

hipError_t hipDriverGetVersion(int *version)
{
    RETURN_CALL(ANY_TIME, put(version, hip_version()));
}

hipError_t hipRuntimeGetVersion(int *version)
{
    RETURN_CALL(ANY_TIME, put(version, hip_version()));
}

hipError_t hipGetDeviceCount(int *count)
{
    RETURN_CALL(NEEDS_DEVICE, put(count, sim_setting.devices));
}

hipError_t hipGetDevice(int *device)
{
    RETURN_CALL(ANY_TIME, put(device, current_device));
}

static int set_device(int device)
{
    const int result = hip_check_device(device);
    if (result == hipSuccess)
        current_device = device;
    return result;
}

hipError_t hipSetDevice(int device)
{
    RETURN_CALL(ANY_TIME, set_device(device));
}

static int synchronize(void)
{
    sim_context *context = hip_current();
    const int result = sim_capture_forbids_context(context);
    if (result != hipSuccess)
        return result;
    sim_context_wait(context);
    return context->lost;
}

hipError_t hipDeviceSynchronize(void)
{
    RETURN_CALL(NEEDS_DEVICE, synchronize());
}

static int get_name(char *name, int length, int device)
{
    const int result = hip_check_device(device);
    if (result != hipSuccess)
        return result;
    if (name == NULL || length <= 0)
        return sim_refuse(hipErrorInvalidValue, "no room for a name");
    snprintf(name, (size_t)length, "Simulated HIP device");
    return hipSuccess;
}

hipError_t hipDeviceGetName(char *name, int len, hipDevice_t device)
{
    RETURN_CALL(NEEDS_DEVICE, get_name(name, len, device));
}

static int total_memory(size_t *bytes, int device)
{
    const int result = hip_check_device(device);
    if (result != hipSuccess)
        return result;
    if (bytes == NULL)
        return sim_refuse(hipErrorInvalidValue, "bytes is NULL");
    *bytes = sim_setting.memory_bytes;
    return hipSuccess;
}

hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device)
{
    RETURN_CALL(NEEDS_DEVICE, total_memory(bytes, device));
}

/* Digits, as the vendor's runtime gives them. */
static int get_uuid(hipUUID *uuid, int device)
{
    char digits[17];
    const int result = hip_check_device(device);
    if (result != hipSuccess)
        return result;
    if (uuid == NULL)
        return sim_refuse(hipErrorInvalidValue, "uuid is NULL");
    snprintf(digits, sizeof(digits), "5f1c2e3b4d5a69%02x", (unsigned)device);
    memcpy(uuid->bytes, digits, sizeof(uuid->bytes));
    return hipSuccess;
}

hipError_t hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device)
{
    RETURN_CALL(NEEDS_DEVICE, get_uuid(uuid, device));
}

int hip_attribute(int device, int attribute)
{
    if (attribute >= 0 && attribute < SIM_ATTRIBUTES_MAXIMUM &&
        sim_setting.attribute_set[attribute])
        return sim_setting.attribute[attribute];
    switch (attribute) {
    case hipDeviceAttributeCanMapHostMemory:
    case hipDeviceAttributeCanUseHostPointerForRegisteredMem:
    case hipDeviceAttributeConcurrentManagedAccess:
    case hipDeviceAttributeManagedMemory:
    case hipDeviceAttributeUnifiedAddressing:
        return 1;
    case hipDeviceAttributeIntegrated:
    case hipDeviceAttributePageableMemoryAccess:
    case hipDeviceAttributePciDeviceId:
    case hipDeviceAttributePciDomainID:
        return 0;
    case hipDeviceAttributeMaxThreadsPerBlock:
        return 1024;
    case hipDeviceAttributeMaxPitch:
        return sim_setting.max_pitch > INT32_MAX ? INT32_MAX : (int)sim_setting.max_pitch;
    case hipDeviceAttributeMemoryBusWidth:
        return 4096;
    case hipDeviceAttributeMemoryClockRate:
        return 1600000;
    case hipDeviceAttributeMultiprocessorCount:
        return 4;
    case hipDeviceAttributePciBusId:
        return PCI_BUS_FIRST + device;
    case hipDeviceAttributeWarpSize:
        return 64;
    default:
        return -1;
    }
}

static int get_attribute(int *value, int attribute, int device)
{
    const int result = hip_check_device(device);
    if (result != hipSuccess)
        return result;
    const int found = hip_attribute(device, attribute);
    if (found < 0)
        return sim_refuse(hipErrorInvalidValue, "device attribute %d", attribute);
    return put(value, found);
}

hipError_t hipDeviceGetAttribute(int *value, int attribute, int device)
{
    RETURN_CALL(NEEDS_DEVICE, get_attribute(value, attribute, device));
}

/* The structure with a name and an architecture, all else 0. */
static int get_properties(void *properties, int device, size_t bytes, size_t architecture)
{
    const int result = hip_check_device(device);
    if (result != hipSuccess)
        return result;
    if (properties == NULL)
        return sim_refuse(hipErrorInvalidValue, "prop is NULL");
    memset(properties, 0, bytes);
    memcpy(properties, "Simulated HIP device", sizeof("Simulated HIP device"));
    memcpy((char *)properties + architecture, ARCHITECTURE, sizeof(ARCHITECTURE));
    return hipSuccess;
}

hipError_t hipGetDeviceProperties(void *properties, int device)
{
    RETURN_CALL(NEEDS_DEVICE, get_properties(properties, device, R0000_BYTES, R0000_ARCHITECTURE));
}

hipError_t hipGetDevicePropertiesR0600(void *properties, int device)
{
    RETURN_CALL(NEEDS_DEVICE, get_properties(properties, device, R0600_BYTES, R0600_ARCHITECTURE));
}

static int can_access_peer(int *answer, int device, int peer)
{
    int result = hip_check_device(device);
    if (result == hipSuccess)
        result = hip_check_device(peer);
    return result == hipSuccess ? put(answer, sim_setting.peer[device][peer]) : result;
}

hipError_t hipDeviceCanAccessPeer(int *answer, int device, int peer)
{
    RETURN_CALL(NEEDS_DEVICE, can_access_peer(answer, device, peer));
}

static int enable_peer(int peer, unsigned flags)
{
    sim_context *context = hip_current();
    const int result = hip_check_device(peer);
    if (result != hipSuccess)
        return result;
    if (flags != 0 || !sim_setting.peer[context->device][peer])
        return sim_refuse(hipErrorInvalidDevice, "device %d cannot reach device %d",
                          context->device, peer);
    if (context->peers[peer] != NULL)
        return hipErrorPeerAccessAlreadyEnabled;
    context->peers[peer] = context_of(peer);
    return hipSuccess;
}

hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags)
{
    RETURN_CALL(NEEDS_DEVICE, enable_peer(peer, flags));
}
