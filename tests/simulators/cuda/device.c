/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Initialisation, versions, names of errors, and devices of the simulated driver.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simulators/cuda/driver.h"

enum { PCI_BUS_FIRST = 0x17, DEFAULT_VERSION = 13000 };

static bool initialized;

bool cuda_initialized(void)
{
    return initialized;
}

static int init(unsigned int flags)
{
    if (flags != 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "flags %u is not 0", flags);
    if (sim_setting.devices == 0)
        return CUDA_ERROR_NO_DEVICE;
    initialized = true;
    return CUDA_SUCCESS;
}

CUresult cuInit(unsigned int flags)
{
    RETURN_CALL(ANY_TIME, init(flags));
}

int cuda_version(void)
{
    return sim_setting.version != 0 ? sim_setting.version : DEFAULT_VERSION;
}

static int get_version(int *version)
{
    if (version == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "driverVersion is NULL");
    *version = cuda_version();
    return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *driverVersion)
{
    RETURN_CALL(ANY_TIME, get_version(driverVersion));
}

/* Neither counted nor made to fail: programs word their errors with these. */
CUresult cuGetErrorName(CUresult error, const char **pStr)
{
    switch (error) {
#define NAME(name, value, text)                                                                    \
    case name:                                                                                     \
        *pStr = #name;                                                                             \
        return CUDA_SUCCESS;
        SIM_CUDA_RESULTS(NAME)
#undef NAME
    default:
        *pStr = NULL;
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuGetErrorString(CUresult error, const char **pStr)
{
    switch (error) {
#define TEXT(name, value, text)                                                                    \
    case name:                                                                                     \
        *pStr = text;                                                                              \
        return CUDA_SUCCESS;
        SIM_CUDA_RESULTS(TEXT)
#undef TEXT
    default:
        *pStr = NULL;
        return CUDA_ERROR_INVALID_VALUE;
    }
}

int cuda_check_device(CUdevice device)
{
    if (device >= 0 && device < sim_setting.devices)
        return CUDA_SUCCESS;
    return sim_refuse(CUDA_ERROR_INVALID_DEVICE, "there is no device %d", device);
}

static int get_count(int *count)
{
    if (count == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "count is NULL");
    *count = sim_setting.devices;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    RETURN_CALL(INITIALIZED, get_count(count));
}

static int get_device(CUdevice *device, int ordinal)
{
    const int result = cuda_check_device(ordinal);
    if (result != CUDA_SUCCESS)
        return result;
    if (device == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "device is NULL");
    *device = ordinal;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    RETURN_CALL(INITIALIZED, get_device(device, ordinal));
}

static int get_name(char *name, int length, CUdevice device)
{
    const int result = cuda_check_device(device);
    if (result != CUDA_SUCCESS)
        return result;
    if (name == NULL || length <= 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "no room for a name");
    snprintf(name, (size_t)length, "Simulated CUDA device");
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int len, CUdevice dev)
{
    RETURN_CALL(INITIALIZED, get_name(name, len, dev));
}

static int get_uuid(CUuuid *uuid, CUdevice device)
{
    const int result = cuda_check_device(device);
    if (result != CUDA_SUCCESS)
        return result;
    if (uuid == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "uuid is NULL");
    for (int i = 0; i < 16; i++)
        uuid->bytes[i] = (char)(0x40 + 0x0b * i + device);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)
{
    RETURN_CALL(INITIALIZED, get_uuid(uuid, dev));
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice dev)
{
    RETURN_CALL(INITIALIZED, get_uuid(uuid, dev));
}

static int total_memory(size_t *bytes, CUdevice device)
{
    const int result = cuda_check_device(device);
    if (result != CUDA_SUCCESS)
        return result;
    if (bytes == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "bytes is NULL");
    *bytes = sim_setting.memory_bytes;
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev)
{
    RETURN_CALL(INITIALIZED, total_memory(bytes, dev));
}

typedef struct attribute {
    CUdevice_attribute name;
    int value;
} attribute;

/* A device of compute capability 8.0. Those that are not listed are 0. */
static const attribute attributes[] = {
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
    {CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 65536},
    {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
    {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
    {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1410000},
    {CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, 512},
    {CU_DEVICE_ATTRIBUTE_GPU_OVERLAP, 1},
    {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 4},
    {CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 1},
    {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 1215000},
    {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 5120},
    {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 41943040},
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
    {CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 3},
    {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
    {CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, 32},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 8},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
    {CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 167936},
    {CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 1},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 166912},
    {CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 1},
};

int cuda_attribute(int device, CUdevice_attribute name)
{
    if (name < SIM_ATTRIBUTES_MAXIMUM && sim_setting.attribute_set[name])
        return sim_setting.attribute[name];
    if (name == CU_DEVICE_ATTRIBUTE_MAX_PITCH)
        return sim_setting.max_pitch > INT32_MAX ? INT32_MAX : (int)sim_setting.max_pitch;
    if (name == CU_DEVICE_ATTRIBUTE_PCI_BUS_ID)
        return PCI_BUS_FIRST + device;
    for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
        if (attributes[i].name == name)
            return attributes[i].value;
    return 0;
}

static int get_attribute(int *value, CUdevice_attribute name, CUdevice device)
{
    const int result = cuda_check_device(device);
    if (result != CUDA_SUCCESS)
        return result;
    if (value == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "pi is NULL");
    if (name == 0 || name >= SIM_ATTRIBUTES_MAXIMUM)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "there is no device attribute %u", name);
    *value = cuda_attribute(device, name);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev)
{
    RETURN_CALL(INITIALIZED, get_attribute(pi, attrib, dev));
}

static int get_pci_id(char *id, int length, CUdevice device)
{
    const int result = cuda_check_device(device);
    if (result != CUDA_SUCCESS)
        return result;
    if (id == NULL || length < 13)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "a PCI id needs 13 bytes, not %d", length);
    snprintf(id, (size_t)length, "0000:%02X:00.0",
             (unsigned)cuda_attribute(device, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID));
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev)
{
    RETURN_CALL(INITIALIZED, get_pci_id(pciBusId, len, dev));
}

/* "[domain]:[bus]:[device].[function]", where domain and function may be left out. */
static int find_by_pci_id(CUdevice *device, const char *id)
{
    unsigned numbers[3] = {0, 0, 0};
    int count = 0;
    if (device == NULL || id == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "dev or pciBusId is NULL");
    for (const char *at = id; count < 3; at++) {
        char *end;
        numbers[count++] = (unsigned)strtoul(at, &end, 16);
        if (end == at)
            return CUDA_ERROR_INVALID_VALUE;
        at = end;
        if (*at != ':')
            break;
    }
    if (count < 2)
        return CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; i < sim_setting.devices; i++) {
        if ((int)numbers[count - 2] == cuda_attribute(i, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID) &&
            numbers[count - 1] == 0 && (count < 3 || numbers[0] == 0)) {
            *device = i;
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId)
{
    RETURN_CALL(INITIALIZED, find_by_pci_id(dev, pciBusId));
}

static int can_access_peer(int *can, CUdevice device, CUdevice peer)
{
    int result = cuda_check_device(device);
    if (result == CUDA_SUCCESS)
        result = cuda_check_device(peer);
    if (result != CUDA_SUCCESS)
        return result;
    if (can == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "canAccessPeer is NULL");
    *can = sim_setting.peer[device][peer];
    return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev)
{
    RETURN_CALL(INITIALIZED, can_access_peer(canAccessPeer, dev, peerDev));
}
