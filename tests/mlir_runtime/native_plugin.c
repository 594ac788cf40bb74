/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The backend "native" of the tests. Its device memory is a range of addresses without access, with
 * the bytes elsewhere: whoever dereferences it dies. All it can do is to copy contiguous bytes, so
 * that what is strided goes the longest way through the core.
 */
#include "tests/mlir_runtime/native.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <astride/plugin.h>

enum { DEVICE_COUNT = 2 };

struct astride_backend_device {
    int32_t index;
};

struct astride_backend_queue {
    native_stream *stream; /* NULL: a queue that was created here */
};

struct astride_backend_event {
    int32_t unused; /* work is done at once, so an event is always complete */
};

struct astride_backend_module {
    const native_image *image;
};

/* The functions of an image are its own; see function_of(). */
struct astride_backend_function {
    native_function function;
};

/* Where the bytes of an allocation are. */
typedef struct allocation {
    unsigned char *bytes;
    size_t reserved_bytes; /* of the range without access; 0: the bytes are at the address itself */
} allocation;

ASTRIDE_API extern native_stream native_default_stream;
native_stream native_default_stream;

static const astride_services *services;

static astride_status initialize(const astride_services *given)
{
    services = given;
    return ASTRIDE_OK;
}

static astride_status probe(int32_t *device_count_out)
{
    *device_count_out = DEVICE_COUNT;
    return ASTRIDE_OK;
}

static astride_status device_open(int32_t index, astride_backend_device **device_out)
{
    astride_backend_device *device = calloc(1, sizeof *device);
    if (device == NULL)
        return services->fail(ASTRIDE_OUT_OF_MEMORY, "native: no memory for a device");
    device->index = index;
    *device_out = device;
    return ASTRIDE_OK;
}

static void device_close(astride_backend_device *device)
{
    free(device);
}

static astride_status properties(astride_backend_device *device,
                                 astride_backend_properties *properties_out)
{
    (void)device;
    for (int i = 0; i < ASTRIDE_DIRECTION_COUNT; i++) {
        properties_out->capabilities.rect_rank[i] = 1;
        properties_out->cost.rect_row_ns[i] = 10;
        properties_out->cost.bytes_per_ns[i] = 10;
    }
    properties_out->capabilities.unified_addressing = true;
    properties_out->capabilities.modules = true;
    properties_out->capabilities.preferred_alignment_bytes = 64;
    properties_out->cost.linear_call_ns = 100;
    properties_out->cost.rect_call_ns = 100;
    properties_out->cost.kernel_call_ns = 100;
    properties_out->cost.kernel_unit_ns = 1;
    properties_out->cost.kernel_bytes_per_ns = 1;
    properties_out->cost.host_call_ns = 100;
    properties_out->linear_overlap = true;
    return ASTRIDE_OK;
}

static astride_status memory_alloc(astride_backend_device *device, size_t bytes,
                                   astride_memory_kind kind, void **address_out,
                                   void **allocation_out)
{
    void *memory = NULL;
    allocation *made = calloc(1, sizeof *made);
    (void)device;
    if (made == NULL || posix_memalign(&memory, 64, bytes) != 0)
        goto no_memory;
    made->bytes = memory;
    *address_out = memory;
    if (kind == ASTRIDE_MEMORY_DEVICE) {
        void *range = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (range == MAP_FAILED)
            goto no_memory;
        made->reserved_bytes = bytes;
        *address_out = range;
    }
    *allocation_out = made;
    return ASTRIDE_OK;

no_memory:
    free(memory);
    free(made);
    return services->fail(ASTRIDE_OUT_OF_MEMORY, "native: no memory for %zu bytes", bytes);
}

static void memory_free(astride_backend_device *device, void *address, void *cookie)
{
    allocation *made = cookie;
    (void)device;
    if (made->reserved_bytes > 0)
        (void)munmap(address, made->reserved_bytes);
    free(made->bytes);
    free(made);
}

static astride_status memory_register(astride_backend_device *device, void *address, size_t bytes,
                                      void **allocation_out)
{
    (void)device;
    (void)address;
    if (bytes > NATIVE_REGISTER_BYTES)
        return services->fail(ASTRIDE_DRIVER_ERROR, "native: nativeRegister: %zu bytes: TOO_LARGE",
                              bytes);
    *allocation_out = NULL;
    return ASTRIDE_OK;
}

static void memory_unregister(astride_backend_device *device, void *address, void *cookie)
{
    (void)device;
    (void)address;
    (void)cookie;
}

static astride_status make_queue(native_stream *stream, astride_backend_queue **queue_out)
{
    astride_backend_queue *queue = calloc(1, sizeof *queue);
    if (queue == NULL)
        return services->fail(ASTRIDE_OUT_OF_MEMORY, "native: no memory for a queue");
    queue->stream = stream;
    *queue_out = queue;
    return ASTRIDE_OK;
}

static astride_status queue_create(astride_backend_device *device,
                                   astride_backend_queue **queue_out)
{
    (void)device;
    return make_queue(NULL, queue_out);
}

static astride_status queue_import(astride_backend_device *device, void *native,
                                   astride_backend_queue **queue_out)
{
    native_stream *stream = native == NULL ? &native_default_stream : native;
    (void)device;
    atomic_fetch_add(&stream->imports, 1);
    return make_queue(stream, queue_out);
}

static void queue_destroy(astride_backend_queue *queue)
{
    free(queue);
}

static astride_status queue_wait(astride_backend_queue *queue)
{
    if (queue->stream != NULL)
        atomic_fetch_add(&queue->stream->waits, 1);
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
    astride_backend_event *event = calloc(1, sizeof *event);
    if (event == NULL)
        return services->fail(ASTRIDE_OUT_OF_MEMORY, "native: no memory for an event");
    *event_out = event;
    return ASTRIDE_OK;
}

static void event_destroy(astride_backend_event *event)
{
    free(event);
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

static astride_status queue_wait_event(astride_backend_queue *queue, astride_backend_event *event)
{
    (void)queue;
    (void)event;
    return ASTRIDE_OK;
}

static unsigned char *bytes_of(const astride_operand *operand)
{
    const allocation *made = operand->allocation;
    return made != NULL ? made->bytes + operand->offset_bytes : operand->address;
}

static astride_status copy_linear(astride_backend_queue *queue, const astride_operand *dst,
                                  const astride_operand *src, size_t bytes)
{
    if (queue->stream != NULL)
        atomic_fetch_add(&queue->stream->operations, 1);
    memmove(bytes_of(dst), bytes_of(src), bytes);
    return ASTRIDE_OK;
}

static astride_status module_load(astride_backend_device *device, const void *image,
                                  size_t image_bytes, astride_backend_module **module_out)
{
    const native_image *code = image;
    (void)device;
    if ((image_bytes != 0 && image_bytes != sizeof *code) || code->magic != NATIVE_IMAGE_MAGIC)
        return services->fail(ASTRIDE_DRIVER_ERROR,
                              "native: nativeModuleLoad: BAD_IMAGE\nline 2\n");
    astride_backend_module *module = calloc(1, sizeof *module);
    if (module == NULL)
        return services->fail(ASTRIDE_OUT_OF_MEMORY, "native: no memory for a module");
    module->image = code;
    *module_out = module;
    return ASTRIDE_OK;
}

static void module_unload(astride_backend_module *module)
{
    free(module);
}

static astride_status module_function(astride_backend_module *module, const char *name,
                                      astride_backend_function **function_out)
{
    for (const native_function *function = module->image->functions; function->name != NULL;
         function++) {
        if (strcmp(function->name, name) == 0) {
            *function_out = (astride_backend_function *)(uintptr_t)function;
            return ASTRIDE_OK;
        }
    }
    return services->fail(ASTRIDE_NOT_FOUND, "native: nativeModuleGetFunction: no function \"%s\"",
                          name);
}

static astride_status launch(astride_backend_queue *queue, astride_backend_function *function,
                             const uint32_t grid[3], const uint32_t block[3], uint32_t shared_bytes,
                             void **parameters, size_t parameter_count)
{
    const native_launch given = {.grid = {grid[0], grid[1], grid[2]},
                                 .block = {block[0], block[1], block[2]},
                                 .shared_bytes = shared_bytes,
                                 .parameters = parameters,
                                 .parameter_count = parameter_count};
    (void)queue;
    function->function.run(&given);
    return ASTRIDE_OK;
}

ASTRIDE_PLUGIN_EXPORT const astride_plugin astride_plugin_entry = {
    .abi = ASTRIDE_PLUGIN_ABI,
    .struct_size = sizeof(astride_plugin),
    .name = "native",
    .description = "a vendor that only tests know",
    .priority = 1,

    .initialize = initialize,
    .probe = probe,
    .device_open = device_open,
    .device_close = device_close,
    .properties = properties,

    .memory_alloc = memory_alloc,
    .memory_free = memory_free,
    .memory_register = memory_register,
    .memory_unregister = memory_unregister,

    .queue_create = queue_create,
    .queue_import = queue_import,
    .queue_destroy = queue_destroy,
    .queue_wait = queue_wait,
    .queue_query = queue_query,

    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_wait = event_wait,
    .event_query = event_wait,
    .queue_wait_event = queue_wait_event,

    .copy_linear = copy_linear,

    .module_load = module_load,
    .module_unload = module_unload,
    .module_function = module_function,
    .launch = launch,
};
