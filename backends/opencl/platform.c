/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which devices there are: listing them, what they are called, and what a spec means. Devices of
 * all platforms are numbered in one row, processors of the host last, since the first device is
 * what "opencl" alone means. Contexts that programs bring along become further places behind them.
 */
#include "opencl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Spec of a device in a context of the program: "opencl:context=0x55d0c0ffee00.1". */
#define CONTEXT_PREFIX "context="

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static astride__opencl_place *places;
static int32_t place_count;  /* contexts of programs included */
static int32_t device_count; /* as probe counted */

cl_ulong astride__opencl_device_number(cl_device_id device, cl_device_info what)
{
    /* The answer has 4 or 8 bytes; the rest stays 0 on a little-endian machine. */
    cl_ulong wide = 0;
    cl_uint narrow = 0;
    size_t bytes = 0;
    if (astride__cl.GetDeviceInfo(device, what, sizeof(wide), &wide, &bytes) != CL_SUCCESS)
        return 0;
    if (bytes != sizeof(narrow))
        return wide;
    memcpy(&narrow, &wide, sizeof(narrow));
    return narrow;
}

static void device_text(cl_device_id device, cl_device_info what, char *text, size_t text_bytes)
{
    /* A text that does not fit is refused as a whole, so it is read into ample room first. */
    char all[1024] = "";
    if (astride__cl.GetDeviceInfo(device, what, sizeof(all), all, NULL) != CL_SUCCESS)
        all[0] = '\0';
    all[sizeof(all) - 1] = '\0';
    snprintf(text, text_bytes, "%.*s", (int)text_bytes - 1, all + strspn(all, " "));
}

static void platform_text(cl_platform_id platform, cl_platform_info what, char *text,
                          size_t text_bytes)
{
    char all[1024] = "";
    if (astride__cl.GetPlatformInfo(platform, what, sizeof(all), all, NULL) != CL_SUCCESS)
        all[0] = '\0';
    all[sizeof(all) - 1] = '\0';
    snprintf(text, text_bytes, "%.*s", (int)text_bytes - 1, all);
}

/* Whether a device is OpenCL 1.2 or newer, by "OpenCL MAJOR.MINOR ...". */
static bool is_new_enough(cl_device_id device)
{
    char version[64];
    unsigned major = 0, minor = 0;
    device_text(device, CL_DEVICE_VERSION, version, sizeof(version));
    if (sscanf(version, "OpenCL %u.%u", &major, &minor) != 2)
        return false;
    return major > 1 || (major == 1 && minor >= 2);
}

/* Fills what a place says about its device and platform. */
static void fill_place(astride__opencl_place *place, cl_platform_id platform, cl_device_id device)
{
    char name[32], vendor[24], version[32];
    place->device = device;
    place->is_cpu =
        (astride__opencl_device_number(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
    platform_text(platform, CL_PLATFORM_NAME, name, sizeof(name));
    platform_text(platform, CL_PLATFORM_VENDOR, vendor, sizeof(vendor));
    platform_text(platform, CL_PLATFORM_VERSION, version, sizeof(version));
    snprintf(place->platform_name, sizeof(place->platform_name), "%s, %s, %s", name, vendor,
             version);
    device_text(device, CL_DEVICE_NAME, place->device_name, sizeof(place->device_name));
    /*
     * Oclgrind (21.10) executes commands in the thread that waits for them and keeps track of them
     * in maps without a lock (src/runtime/async_queue.cpp), so that no second thread may wait.
     */
    place->runs_in_caller = strcmp(name, "Oclgrind") == 0;
}

/* Appends a place; false when there is no memory. The lock is held. */
static bool append(const astride__opencl_place *place)
{
    astride__opencl_place *grown =
        realloc(places, (size_t)(place_count + 1) * sizeof(astride__opencl_place));
    if (grown == NULL)
        return false;
    places = grown;
    places[place_count++] = *place;
    return true;
}

/* What kept devices from being listed, for the case that none is left. */
typedef struct search {
    char reasons[512];
    size_t used;
} search;

ASTRIDE_PRINTF(2, 3)
static void add_reason(search *found, const char *format, ...)
{
    const size_t room = sizeof(found->reasons) - found->used;
    va_list arguments;
    if (found->used > 0 && room > 2) {
        found->used += (size_t)snprintf(found->reasons + found->used, room, "; ");
    }
    va_start(arguments, format);
    const int length = vsnprintf(found->reasons + found->used, sizeof(found->reasons) - found->used,
                                 format, arguments);
    va_end(arguments);
    if (length > 0)
        found->used += (size_t)length;
    if (found->used >= sizeof(found->reasons))
        found->used = sizeof(found->reasons) - 1;
}

/* Adds the devices of one platform; processors of the host, or all others, as `cpus` says. */
static bool add_devices(cl_platform_id platform, int32_t platform_number, bool cpus, search *found)
{
    astride__opencl_place place = {.platform_number = platform_number};
    cl_uint count = 0;
    bool has_memory = true;
    cl_int code = astride__cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
    if (code != CL_SUCCESS || count == 0) {
        if (cpus)
            add_reason(found, "platform %d: clGetDeviceIDs: %s (%d)", (int)platform_number,
                       astride__opencl_error_name(code), (int)code);
        return true;
    }
    cl_device_id *devices = calloc(count, sizeof(*devices));
    if (devices == NULL)
        return false;
    code = astride__cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices, NULL);
    for (cl_uint i = 0; code == CL_SUCCESS && has_memory && i < count; i++) {
        fill_place(&place, platform, devices[i]);
        place.device_number = (int32_t)i;
        if (place.is_cpu != cpus)
            continue;
        if (!is_new_enough(devices[i]))
            add_reason(found, "device %d.%d (%s) is older than OpenCL 1.2", (int)platform_number,
                       (int)i, place.device_name);
        else if (astride__opencl_device_number(devices[i], CL_DEVICE_AVAILABLE) == CL_FALSE)
            add_reason(found, "device %d.%d (%s) says that it is not available",
                       (int)platform_number, (int)i, place.device_name);
        else
            has_memory = append(&place);
    }
    free(devices);
    return has_memory;
}

static astride_status list_devices(void)
{
    search found = {.used = 0};
    cl_uint count = 0;
    bool has_memory = true;
    cl_int code = astride__cl.GetPlatformIDs(0, NULL, &count);
    if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && count == 0))
        return astride__opencl_services->fail(
            ASTRIDE_UNAVAILABLE,
            "clGetPlatformIDs: %s (%d): the OpenCL library knows no driver (none is installed, or "
            "OCL_ICD_VENDORS names a place without one)",
            astride__opencl_error_name(code), (int)code);
    if (code != CL_SUCCESS)
        return astride__opencl_services->fail(ASTRIDE_UNAVAILABLE, "clGetPlatformIDs: %s (%d)",
                                              astride__opencl_error_name(code), (int)code);
    cl_platform_id *platforms = calloc(count, sizeof(*platforms));
    if (platforms == NULL)
        goto no_memory;
    code = astride__cl.GetPlatformIDs(count, platforms, NULL);
    for (int cpus = 0; code == CL_SUCCESS && cpus < 2; cpus++)
        for (cl_uint i = 0; has_memory && i < count; i++)
            has_memory = add_devices(platforms[i], (int32_t)i, cpus == 1, &found);
    free(platforms);
    if (!has_memory)
        goto no_memory;
    if (place_count == 0)
        return astride__opencl_services->fail(ASTRIDE_UNAVAILABLE, "no device: %s", found.reasons);
    return ASTRIDE_OK;

no_memory:
    return astride__opencl_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory to list devices");
}

astride_status astride__opencl_probe(int32_t *device_count_out)
{
    astride_status status = astride__opencl_load();
    if (status != ASTRIDE_OK)
        return status;
    pthread_mutex_lock(&lock);
    status = list_devices();
    device_count = place_count;
    pthread_mutex_unlock(&lock);
    if (status == ASTRIDE_OK)
        *device_count_out = device_count;
    return status;
}

bool astride__opencl_automatic(void)
{
    astride__opencl_place place;
    return astride__opencl_place_get(0, &place) && !place.is_cpu;
}

bool astride__opencl_place_get(int32_t index, astride__opencl_place *place_out)
{
    pthread_mutex_lock(&lock);
    const bool exists = index >= 0 && index < place_count;
    if (exists)
        *place_out = places[index];
    pthread_mutex_unlock(&lock);
    return exists;
}

astride_status astride__opencl_describe(int32_t index, astride_device_info *info_out)
{
    astride__opencl_place place;
    if (!astride__opencl_place_get(index, &place))
        return astride__opencl_services->fail(ASTRIDE_NOT_FOUND, "there is no device %d",
                                              (int)index);
    snprintf(info_out->name, sizeof(info_out->name), "%.64s (%d.%d, %.50s)", place.device_name,
             (int)place.platform_number, (int)place.device_number, place.platform_name);
    info_out->memory_bytes = astride__opencl_device_number(place.device, CL_DEVICE_GLOBAL_MEM_SIZE);
    return ASTRIDE_OK;
}

/* Reads "P.D"; false when the text is something else. */
static bool read_pair(const char *text, int32_t *platform_out, int32_t *device_out)
{
    char *end = NULL;
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 9 || text[digits] != '.')
        return false;
    const char *second = text + digits + 1;
    const size_t more = strspn(second, "0123456789");
    if (more == 0 || more > 9 || second[more] != '\0')
        return false;
    *platform_out = (int32_t)strtol(text, &end, 10);
    *device_out = (int32_t)strtol(second, &end, 10);
    return true;
}

static astride_status resolve_pair(int32_t platform, int32_t device, int32_t *index_out)
{
    pthread_mutex_lock(&lock);
    int32_t i = 0;
    while (i < device_count &&
           (places[i].platform_number != platform || places[i].device_number != device))
        i++;
    const bool found = i < device_count;
    pthread_mutex_unlock(&lock);
    if (!found)
        return astride__opencl_services->fail(
            ASTRIDE_NOT_FOUND, "platform %d has no usable device %d", (int)platform, (int)device);
    *index_out = i;
    return ASTRIDE_OK;
}

static astride_status resolve_name(const char *part, int32_t *index_out)
{
    pthread_mutex_lock(&lock);
    int32_t i = 0;
    while (i < device_count && strcasestr(places[i].device_name, part) == NULL &&
           strcasestr(places[i].platform_name, part) == NULL)
        i++;
    const bool found = i < device_count;
    pthread_mutex_unlock(&lock);
    if (!found)
        return astride__opencl_services->fail(
            ASTRIDE_NOT_FOUND, "no device or platform has \"%.100s\" in its name", part);
    *index_out = i;
    return ASTRIDE_OK;
}

static astride_status fail_context(const char *text)
{
    return astride__opencl_services->fail(ASTRIDE_INVALID_ARGUMENT,
                                          "\"%.100s\": a context is named as " CONTEXT_PREFIX
                                          "ADDRESS or " CONTEXT_PREFIX
                                          "ADDRESS.DEVICE, the address being that of a cl_context",
                                          text);
}

/* Reads what follows "context=". */
static bool read_context(const char *text, cl_context *context_out, uint32_t *number_out)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long address = strtoull(text, &end, 0);
    if (end == text || errno != 0 || text[0] == '-' || address == 0 || address > UINTPTR_MAX)
        return false;
    *number_out = 0;
    if (*end == '.') {
        const char *digits = end + 1;
        const size_t count = strspn(digits, "0123456789");
        if (count == 0 || count > 9)
            return false;
        *number_out = (uint32_t)strtoul(digits, &end, 10);
    }
    *context_out = (cl_context)(uintptr_t)address;
    return *end == '\0';
}

/* The place of a device in a program's context, which is made where it is new. The lock is held. */
static astride_status context_place(cl_context context, cl_device_id device, int32_t *index_out)
{
    astride__opencl_place place = {.context = context, .platform_number = -1, .device_number = -1};
    cl_platform_id platform = NULL;
    for (int32_t i = device_count; i < place_count; i++) {
        if (places[i].context == context && places[i].device == device) {
            *index_out = i;
            return ASTRIDE_OK;
        }
    }
    const cl_int code =
        astride__cl.GetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL);
    if (code != CL_SUCCESS)
        return astride__opencl_check("clGetDeviceInfo", code);
    if (!is_new_enough(device))
        return astride__opencl_services->fail(ASTRIDE_UNSUPPORTED,
                                              "the context's device is older than OpenCL 1.2");
    fill_place(&place, platform, device);
    if (!append(&place))
        return astride__opencl_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for a device");
    *index_out = place_count - 1;
    return ASTRIDE_OK;
}

static astride_status resolve_context(const char *text, int32_t *index_out)
{
    cl_context context = NULL;
    uint32_t number = 0;
    size_t bytes = 0;
    if (!read_context(text + strlen(CONTEXT_PREFIX), &context, &number))
        return fail_context(text);
    cl_int code = astride__cl.GetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes);
    if (code != CL_SUCCESS)
        return astride__opencl_check("clGetContextInfo", code);
    if (number >= bytes / sizeof(cl_device_id))
        return astride__opencl_services->fail(ASTRIDE_NOT_FOUND,
                                              "%.100s: the context has %zu devices", text,
                                              bytes / sizeof(cl_device_id));
    cl_device_id *devices = malloc(bytes);
    if (devices == NULL)
        return astride__opencl_services->fail(ASTRIDE_OUT_OF_MEMORY,
                                              "no memory for the devices of a context");
    code = astride__cl.GetContextInfo(context, CL_CONTEXT_DEVICES, bytes, devices, NULL);
    astride_status status = astride__opencl_check("clGetContextInfo", code);
    if (status == ASTRIDE_OK) {
        pthread_mutex_lock(&lock);
        status = context_place(context, devices[number], index_out);
        pthread_mutex_unlock(&lock);
    }
    free(devices);
    return status;
}

astride_status astride__opencl_resolve(const char *rest, int32_t *index_out)
{
    int32_t platform, device;
    if (strncmp(rest, CONTEXT_PREFIX, strlen(CONTEXT_PREFIX)) == 0)
        return resolve_context(rest, index_out);
    if (read_pair(rest, &platform, &device))
        return resolve_pair(platform, device, index_out);
    return resolve_name(rest, index_out);
}
