/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The slots of the fake backends.
 */
#include "tests/support/fake_backend.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/error.h"

fake_counts fake_count;
fake_wishes fake_wish;
fake_last fake_latest;

struct astride_backend_device {
    int32_t index;
};

struct astride_backend_queue {
    astride_backend_device *device;
};

struct astride_backend_event {
    astride_backend_device *device;
};

struct astride_backend_module {
    char function_name[16]; /* the one function that it has */
};

struct astride_backend_function {
    int unused;
};

void fake_reset(void)
{
    memset(&fake_count, 0, sizeof(fake_count));
    memset(&fake_wish, 0, sizeof(fake_wish));
    memset(&fake_latest, 0, sizeof(fake_latest));
}

static astride_status outcome(astride_status status, const char *slot)
{
    return status == ASTRIDE_OK ? ASTRIDE_OK : astride__fail(status, "fake: %s: as wished", slot);
}

static void take_time(void)
{
    usleep((useconds_t)fake_wish.open_milliseconds * 1000);
}

static astride_status probe(int32_t *device_count_out)
{
    *device_count_out = 2;
    return ASTRIDE_OK;
}

static astride_status device_open(int32_t index, astride_backend_device **device_out)
{
    astride_backend_device *device;

    fake_count.device_open++;
    take_time();
    if (fake_wish.open != ASTRIDE_OK)
        return outcome(fake_wish.open, "device_open");
    device = calloc(1, sizeof(*device));
    if (device == NULL)
        return outcome(ASTRIDE_OUT_OF_MEMORY, "device_open");
    device->index = index;
    *device_out = device;
    return ASTRIDE_OK;
}

static void device_close(astride_backend_device *device)
{
    fake_count.device_close++;
    take_time();
    free(device);
}

static astride_status properties(astride_backend_device *device,
                                 astride_backend_properties *properties_out)
{
    (void)device;
    properties_out->cost.linear_call_ns = 1;
    properties_out->foreign_addresses = true;
    properties_out->capabilities.memory_bytes = 4096;
    return ASTRIDE_OK;
}

static astride_status memory_alloc(astride_backend_device *device, size_t bytes,
                                   astride_memory_kind kind, void **address_out,
                                   void **allocation_out)
{
    (void)device;
    (void)kind;
    fake_count.memory_alloc++;
    fake_latest.bytes = bytes;
    if (fake_wish.alloc != ASTRIDE_OK)
        return outcome(fake_wish.alloc, "memory_alloc");
    *allocation_out = NULL;
    *address_out = fake_wish.address;
    if (*address_out != NULL)
        return ASTRIDE_OK;
    *allocation_out = aligned_alloc(64, (bytes + 63) / 64 * 64);
    *address_out = *allocation_out;
    return *address_out != NULL ? ASTRIDE_OK : outcome(ASTRIDE_OUT_OF_MEMORY, "memory_alloc");
}

/* The cookie is the memory to free, and NULL where the test chose the address. */
static void memory_free(astride_backend_device *device, void *address, void *allocation)
{
    (void)device;
    (void)address;
    fake_count.memory_free++;
    fake_latest.allocation = allocation;
    free(allocation);
}

static astride_status memory_register(astride_backend_device *device, void *address, size_t bytes,
                                      void **allocation_out)
{
    (void)device;
    fake_count.memory_register++;
    fake_latest.bytes = bytes;
    if (fake_wish.reg != ASTRIDE_OK)
        return outcome(fake_wish.reg, "memory_register");
    *allocation_out = (char *)address + 1;
    return ASTRIDE_OK;
}

static void memory_unregister(astride_backend_device *device, void *address, void *allocation)
{
    (void)device;
    (void)address;
    fake_count.memory_unregister++;
    fake_latest.allocation = allocation;
}

static astride_status memory_import(astride_backend_device *device, void *handle, size_t bytes,
                                    void **address_out, void **allocation_out)
{
    (void)device;
    fake_count.memory_import++;
    fake_latest.bytes = bytes;
    *address_out = fake_wish.address != NULL ? fake_wish.address : handle;
    *allocation_out = handle;
    return ASTRIDE_OK;
}

static void memory_release(astride_backend_device *device, void *address, void *allocation)
{
    (void)device;
    (void)address;
    fake_count.memory_release++;
    fake_latest.allocation = allocation;
}

static astride_status memory_query(astride_backend_device *device, const void *address,
                                   astride_memory_kind *kind_out, void **base_out,
                                   size_t *bytes_out)
{
    (void)device;
    (void)address;
    fake_count.memory_query++;
    if (fake_wish.query != ASTRIDE_OK)
        return outcome(fake_wish.query, "memory_query");
    *kind_out = ASTRIDE_MEMORY_DEVICE;
    *base_out = fake_wish.query_base;
    *bytes_out = fake_wish.query_bytes;
    return ASTRIDE_OK;
}

static astride_status queue_create(astride_backend_device *device,
                                   astride_backend_queue **queue_out)
{
    astride_backend_queue *queue;

    fake_count.queue_create++;
    if (fake_wish.queue != ASTRIDE_OK)
        return outcome(fake_wish.queue, "queue_create");
    queue = calloc(1, sizeof(*queue));
    if (queue == NULL)
        return outcome(ASTRIDE_OUT_OF_MEMORY, "queue_create");
    queue->device = device;
    *queue_out = queue;
    return ASTRIDE_OK;
}

static astride_status queue_import(astride_backend_device *device, void *native,
                                   astride_backend_queue **queue_out)
{
    fake_count.queue_import++;
    fake_latest.native = native;
    return queue_create(device, queue_out);
}

static void queue_destroy(astride_backend_queue *queue)
{
    fake_count.queue_destroy++;
    free(queue);
}

static astride_status queue_wait(astride_backend_queue *queue)
{
    (void)queue;
    fake_count.queue_wait++;
    return outcome(fake_wish.queue, "queue_wait");
}

static astride_status queue_query(astride_backend_queue *queue)
{
    (void)queue;
    return fake_wish.queue;
}

static astride_status event_create(astride_backend_device *device,
                                   astride_backend_event **event_out)
{
    astride_backend_event *event;

    fake_count.event_create++;
    if (fake_wish.event != ASTRIDE_OK)
        return outcome(fake_wish.event, "event_create");
    event = calloc(1, sizeof(*event));
    if (event == NULL)
        return outcome(ASTRIDE_OUT_OF_MEMORY, "event_create");
    event->device = device;
    *event_out = event;
    return ASTRIDE_OK;
}

static void event_destroy(astride_backend_event *event)
{
    fake_count.event_destroy++;
    free(event);
}

static astride_status event_record(astride_backend_event *event, astride_backend_queue *queue)
{
    (void)event;
    (void)queue;
    fake_count.event_record++;
    return ASTRIDE_OK;
}

static astride_status event_wait(astride_backend_event *event)
{
    (void)event;
    fake_count.event_wait++;
    return ASTRIDE_OK;
}

static astride_status event_query(astride_backend_event *event)
{
    (void)event;
    return fake_wish.event;
}

static astride_status queue_wait_event(astride_backend_queue *queue, astride_backend_event *event)
{
    (void)queue;
    (void)event;
    fake_count.queue_wait_event++;
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

/* A module's image is the name of its one function. */
static astride_status module_load(astride_backend_device *device, const void *image,
                                  size_t image_bytes, astride_backend_module **module_out)
{
    astride_backend_module *module;

    (void)device;
    fake_count.module_load++;
    if (image_bytes >= sizeof(module->function_name))
        return outcome(ASTRIDE_DRIVER_ERROR, "module_load");
    module = calloc(1, sizeof(*module));
    if (module == NULL)
        return outcome(ASTRIDE_OUT_OF_MEMORY, "module_load");
    memcpy(module->function_name, image, image_bytes);
    *module_out = module;
    return ASTRIDE_OK;
}

static void module_unload(astride_backend_module *module)
{
    fake_count.module_unload++;
    free(module);
}

static astride_status module_function(astride_backend_module *module, const char *name,
                                      astride_backend_function **function_out)
{
    static astride_backend_function function;

    fake_count.module_function++;
    if (strcmp(name, module->function_name) != 0)
        return outcome(ASTRIDE_NOT_FOUND, "module_function");
    *function_out = &function;
    return ASTRIDE_OK;
}

static astride_status launch(astride_backend_queue *queue, astride_backend_function *function,
                             const uint32_t grid[3], const uint32_t block[3], uint32_t shared_bytes,
                             void **parameters, size_t parameter_count)
{
    (void)queue;
    (void)function;
    (void)grid;
    (void)block;
    (void)shared_bytes;
    (void)parameters;
    (void)parameter_count;
    fake_count.launch++;
    return ASTRIDE_OK;
}

#define REQUIRED_SLOTS                                                                             \
    .abi = ASTRIDE_PLUGIN_ABI, .struct_size = sizeof(astride_plugin), .probe = probe,              \
    .device_open = device_open, .device_close = device_close, .properties = properties,            \
    .memory_alloc = memory_alloc, .memory_free = memory_free, .queue_create = queue_create,        \
    .queue_destroy = queue_destroy, .queue_wait = queue_wait, .queue_query = queue_query,          \
    .event_create = event_create, .event_destroy = event_destroy, .event_record = event_record,    \
    .event_wait = event_wait, .event_query = event_query, .queue_wait_event = queue_wait_event,    \
    .copy_linear = copy_linear

const astride__backend fake_backend = {
    .plugin = {REQUIRED_SLOTS, .name = "fake", .description = "",
               .memory_register = memory_register, .memory_unregister = memory_unregister,
               .memory_import = memory_import, .memory_release = memory_release,
               .memory_query = memory_query, .queue_import = queue_import,
               .module_load = module_load, .module_unload = module_unload,
               .module_function = module_function, .launch = launch},
    .name = "fake",
    .description = "",
    .origin = "a test",
    .reason = "",
    .device_count = 2,
    .accepted = true,
};

const astride__backend plain_backend = {
    .plugin = {REQUIRED_SLOTS, .name = "plain", .description = ""},
    .name = "plain",
    .description = "",
    .origin = "a test",
    .reason = "",
    .device_count = 2,
    .accepted = true,
};
