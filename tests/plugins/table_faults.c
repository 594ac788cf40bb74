/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Plugins for the tests of the loader. This file is compiled once for each of them, with macros
 * that put one fault or peculiarity into a table that is otherwise in order; local.mk has the list.
 * No device of these plugins can be used; astride-example.c is the one to learn from.
 */
#include <dlfcn.h>
#include <stdio.h>

#include <astride/plugin.h>

#ifndef PLUGIN_NAME
#define PLUGIN_NAME "sound"
#endif
#ifndef PLUGIN_ABI
#define PLUGIN_ABI ASTRIDE_PLUGIN_ABI
#endif
#ifndef PLUGIN_STRUCT_SIZE
#define PLUGIN_STRUCT_SIZE sizeof(astride_plugin)
#endif
#ifndef PLUGIN_QUEUE_WAIT
#define PLUGIN_QUEUE_WAIT queue_wait
#endif
#ifndef PLUGIN_MEMORY_REGISTER
#define PLUGIN_MEMORY_REGISTER NULL
#endif
#ifndef PLUGIN_DEVICE_COUNT
#define PLUGIN_DEVICE_COUNT 1
#endif
#ifndef PLUGIN_PRIORITY
#define PLUGIN_PRIORITY -10
#endif
#ifndef PLUGIN_CALLS_BACK
#define PLUGIN_CALLS_BACK false
#endif

/* The status that a slot fails with, and its text; ASTRIDE_OK: it does not fail. */
#ifndef PLUGIN_INITIALIZE_STATUS
#define PLUGIN_INITIALIZE_STATUS ASTRIDE_OK
#endif
#ifndef PLUGIN_PROBE_STATUS
#define PLUGIN_PROBE_STATUS ASTRIDE_OK
#endif
#ifndef PLUGIN_OPEN_STATUS
#define PLUGIN_OPEN_STATUS ASTRIDE_OK
#endif

#define UNUSED __attribute__((unused))

static const astride_status initialize_status = PLUGIN_INITIALIZE_STATUS;
static const astride_status probe_status = PLUGIN_PROBE_STATUS;
static const astride_status open_status = PLUGIN_OPEN_STATUS;

static const astride_services *services;
static int initialize_count;
static int probe_count;
static char callback_outcome[64] = "none";

/* What a driver that uses this library would do: it must get an error, not a deadlock. */
static void call_back(void)
{
    astride_status (*count)(size_t *) = NULL;
    const char *(*name)(astride_status) = NULL;
    size_t backend_count = 0;

    *(void **)&count = dlsym(RTLD_DEFAULT, "astride_backend_count");
    *(void **)&name = dlsym(RTLD_DEFAULT, "astride_status_name");
    if (count != NULL && name != NULL)
        snprintf(callback_outcome, sizeof(callback_outcome), "%s", name(count(&backend_count)));
}

static astride_status initialize(const astride_services *the_services)
{
    services = the_services;
    initialize_count++;
    if (PLUGIN_CALLS_BACK)
        call_back();
    if (initialize_status != ASTRIDE_OK)
        return services->fail(initialize_status, "libwidget.so.1 is not there");
    return ASTRIDE_OK;
}

static astride_status probe(int32_t *device_count_out)
{
    probe_count++;
    if (probe_status != ASTRIDE_OK)
        return services->fail(probe_status, "widgetCount: WIDGET_NONE (code %d)", 7);
    *device_count_out = PLUGIN_DEVICE_COUNT;
    return ASTRIDE_OK;
}

/* Lets a test see how often the slots were called. */
static astride_status describe(int32_t index, astride_device_info *info_out)
{
    (void)index;
    snprintf(info_out->name, sizeof(info_out->name), "initialize %d, probe %d, callback %s",
             initialize_count, probe_count, callback_outcome);
    return ASTRIDE_OK;
}

static astride_status device_open(int32_t index, astride_backend_device **device_out)
{
    static int device;

    (void)index;
    if (open_status != ASTRIDE_OK)
        return services->fail(open_status, "widgetOpen: WIDGET_BUSY (code %d)", 9);
    *device_out = (astride_backend_device *)&device;
    return ASTRIDE_OK;
}

static void device_close(astride_backend_device *device)
{
    (void)device;
}

static astride_status properties(astride_backend_device *device,
                                 astride_backend_properties *properties_out)
{
    (void)device;
#ifdef PLUGIN_RECT_RANK
    properties_out->capabilities.rect_rank[ASTRIDE_DEVICE_TO_HOST] = PLUGIN_RECT_RANK;
#endif
#ifdef PLUGIN_STAGING_DEPTH
    properties_out->staging_depth = PLUGIN_STAGING_DEPTH;
#endif
#ifdef PLUGIN_LINEAR_CALL_NS
    properties_out->cost.linear_call_ns = PLUGIN_LINEAR_CALL_NS;
#else
    properties_out->cost.linear_call_ns = 1;
#endif
    return ASTRIDE_OK;
}

static astride_status memory_alloc(astride_backend_device *device, size_t bytes,
                                   astride_memory_kind kind, void **address_out,
                                   void **allocation_out)
{
    (void)device;
    (void)bytes;
    (void)kind;
    (void)allocation_out;
#ifdef PLUGIN_ADDRESS
    *address_out = (void *)PLUGIN_ADDRESS;
    return ASTRIDE_OK;
#else
    (void)address_out;
    return services->fail(ASTRIDE_OUT_OF_MEMORY, "widgetAlloc: WIDGET_FULL");
#endif
}

static void memory_free(astride_backend_device *device, void *address, void *allocation)
{
    (void)device;
    (void)address;
    (void)allocation;
}

static UNUSED astride_status memory_register(astride_backend_device *device, void *address,
                                             size_t bytes, void **allocation_out)
{
    (void)device;
    (void)address;
    (void)bytes;
    (void)allocation_out;
    return ASTRIDE_OK;
}

static astride_status queue_create(astride_backend_device *device,
                                   astride_backend_queue **queue_out)
{
    (void)device;
    (void)queue_out;
    return services->fail(ASTRIDE_DRIVER_ERROR, "widgetQueue: WIDGET_FULL");
}

static void queue_destroy(astride_backend_queue *queue)
{
    (void)queue;
}

static UNUSED astride_status queue_wait(astride_backend_queue *queue)
{
    (void)queue;
    return ASTRIDE_OK;
}

static astride_status queue_query(astride_backend_queue *queue)
{
    (void)queue;
    return ASTRIDE_OK;
}

static astride_status event_create(astride_backend_device *device,
                                   astride_backend_event **event_out)
{
    (void)device;
    (void)event_out;
    return services->fail(ASTRIDE_DRIVER_ERROR, "widgetEvent: WIDGET_FULL");
}

static void event_destroy(astride_backend_event *event)
{
    (void)event;
}

static astride_status event_record(astride_backend_event *event, astride_backend_queue *queue)
{
    (void)event;
    (void)queue;
    return ASTRIDE_OK;
}

static astride_status event_wait(astride_backend_event *event)
{
    (void)event;
    return ASTRIDE_OK;
}

static astride_status event_query(astride_backend_event *event)
{
    (void)event;
    return ASTRIDE_OK;
}

static astride_status queue_wait_event(astride_backend_queue *queue, astride_backend_event *event)
{
    (void)queue;
    (void)event;
    return ASTRIDE_OK;
}

static astride_status copy_linear(astride_backend_queue *queue, const astride_operand *dst,
                                  const astride_operand *src, size_t bytes)
{
    (void)queue;
    (void)dst;
    (void)src;
    (void)bytes;
    return ASTRIDE_OK;
}

/* Behind what a plugin says its table has there may be anything; these must never be called. */
static UNUSED astride_status module_load(astride_backend_device *device, const void *image,
                                         size_t image_bytes, astride_backend_module **module_out)
{
    (void)device;
    (void)image;
    (void)image_bytes;
    (void)module_out;
    __builtin_trap();
}

#define TABLE                                                                                      \
    .abi = PLUGIN_ABI, .struct_size = PLUGIN_STRUCT_SIZE, .name = PLUGIN_NAME,                     \
    .description = "a plugin of the tests", .priority = PLUGIN_PRIORITY, .initialize = initialize, \
    .probe = probe, .describe = describe, .device_open = device_open,                              \
    .device_close = device_close, .properties = properties, .memory_alloc = memory_alloc,          \
    .memory_free = memory_free, .memory_register = PLUGIN_MEMORY_REGISTER,                         \
    .queue_create = queue_create, .queue_destroy = queue_destroy, .queue_wait = PLUGIN_QUEUE_WAIT, \
    .queue_query = queue_query, .event_create = event_create, .event_destroy = event_destroy,      \
    .event_record = event_record, .event_wait = event_wait, .event_query = event_query,            \
    .queue_wait_event = queue_wait_event, .copy_linear = copy_linear

#ifdef PLUGIN_IS_NEWER
/* A table of a later header, with slots that the library of this tree does not know. */
typedef struct newer_plugin {
    astride_plugin plugin;
    void (*later[4])(void);
} newer_plugin;

ASTRIDE_PLUGIN_EXPORT const newer_plugin astride_plugin_entry = {
    .plugin = {TABLE},
};
#elif defined(PLUGIN_IS_OLDER)
ASTRIDE_PLUGIN_EXPORT const astride_plugin astride_plugin_entry = {TABLE,
                                                                   .module_load = module_load};
#else
ASTRIDE_PLUGIN_EXPORT const astride_plugin astride_plugin_entry = {TABLE};
#endif

#ifdef PLUGIN_IS_LENDER
/* Lets entry_faults.c depend on the library that this is. */
ASTRIDE_API int astride_test_lender_anchor;
int astride_test_lender_anchor = 1;
#endif
