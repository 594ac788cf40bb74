/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A complete backend in one file, to start one's own from: the required slots, rectangles, and
 * names for its devices. Its two devices are pieces of ordinary memory that only this file
 * dereferences, and work is done before the call that enqueues it returns. The rules for rectangles
 * are strict on purpose; a call that breaks one is refused as a defect of the core.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <astride/plugin.h>

#define DEVICE_COUNT 2
#define MEMORY_BYTES ((size_t)64 << 20) /* of each device */
#define ALIGNMENT_BYTES 64
#define MAXIMUM_PITCH_BYTES 4096
#define STAGING_CHUNK_BYTES 1000 /* so small that the core's staging takes many of them */
#define PITCH_MULTIPLE_BYTES 4   /* told by rect_supported, since no capability says it */

static const char *const device_names[DEVICE_COUNT] = {"left", "right"};

/* The contract only declares these; what is in them is the plugin's own business. */
struct astride_backend_device {
    int32_t index;
    atomic_size_t used_bytes; /* of MEMORY_BYTES */
};

struct astride_backend_queue {
    astride_backend_device *device;
};

/* Since all work is done when the enqueueing call returns, an event is always complete. */
struct astride_backend_event {
    astride_backend_device *device;
};

/* The cookie of an allocation, which the core hands back in every operand. */
typedef struct allocation {
    unsigned char *address;
    size_t bytes;
    astride_memory_kind kind;
} allocation;

static const astride_services *services;

static astride_status initialize(const astride_services *the_services)
{
    services = the_services;
    return ASTRIDE_OK;
}

/* A real backend opens its driver here, and says what is missing where that fails. */
static astride_status probe(int32_t *device_count_out)
{
    *device_count_out = DEVICE_COUNT;
    return ASTRIDE_OK;
}

static astride_status describe(int32_t index, astride_device_info *info_out)
{
    snprintf(info_out->name, sizeof(info_out->name), "example device %s", device_names[index]);
    info_out->memory_bytes = MEMORY_BYTES;
    return ASTRIDE_OK;
}

/* "example:right"; the core itself understands "example:1". */
static astride_status resolve(const char *rest, int32_t *index_out)
{
    for (int32_t i = 0; i < DEVICE_COUNT; i++) {
        if (strcmp(rest, device_names[i]) == 0) {
            *index_out = i;
            return ASTRIDE_OK;
        }
    }
    return services->fail(ASTRIDE_NOT_FOUND, "no device is called \"%s\"", rest);
}

static astride_status device_open(int32_t index, astride_backend_device **device_out)
{
    astride_backend_device *device = calloc(1, sizeof(*device));

    if (device == NULL)
        return services->fail(ASTRIDE_OUT_OF_MEMORY, "example: no memory for a device");
    device->index = index;
    *device_out = device;
    return ASTRIDE_OK;
}

static void device_close(astride_backend_device *device)
{
    services->log(ASTRIDE_LOG_DEBUG, "example: device %s had %zu bytes in use when it was closed",
                  device_names[device->index], atomic_load(&device->used_bytes));
    free(device);
}

static astride_status properties(astride_backend_device *device,
                                 astride_backend_properties *properties_out)
{
    astride_capabilities *capabilities = &properties_out->capabilities;
    astride_cost_model *cost = &properties_out->cost;

    (void)device;
    capabilities->rect_rank[ASTRIDE_HOST_TO_HOST] = 1;
    capabilities->rect_rank[ASTRIDE_HOST_TO_DEVICE] = 2;
    capabilities->rect_rank[ASTRIDE_DEVICE_TO_HOST] = 2;
    capabilities->rect_rank[ASTRIDE_DEVICE_TO_DEVICE] = 2;
    capabilities->maximum_pitch_bytes = MAXIMUM_PITCH_BYTES;
    capabilities->slice_multiple_of_row = true;
    capabilities->rect_within_allocation = false;
    capabilities->preferred_alignment_bytes = ALIGNMENT_BYTES;
    capabilities->memory_bytes = MEMORY_BYTES;

    cost->linear_call_ns = 100;
    cost->rect_call_ns = 150;
    cost->host_call_ns = 100;
    for (int i = 0; i < ASTRIDE_DIRECTION_COUNT; i++) {
        cost->rect_row_ns[i] = 5;
        cost->bytes_per_ns[i] = 8;
    }
    properties_out->pageable_copies_block = true;
    properties_out->staging_chunk_bytes = STAGING_CHUNK_BYTES;
    return ASTRIDE_OK;
}

/* Takes `bytes` of the device's memory; false when they are not there. */
static bool reserve(astride_backend_device *device, size_t bytes)
{
    size_t used = atomic_load(&device->used_bytes);

    do {
        if (bytes > MEMORY_BYTES - used)
            return false;
    } while (!atomic_compare_exchange_weak(&device->used_bytes, &used, used + bytes));
    return true;
}

static astride_status memory_alloc(astride_backend_device *device, size_t bytes,
                                   astride_memory_kind kind, void **address_out,
                                   void **allocation_out)
{
    bool is_device = kind == ASTRIDE_MEMORY_DEVICE;
    allocation *made;

    if (kind == ASTRIDE_MEMORY_SHARED)
        return services->fail(ASTRIDE_UNSUPPORTED, "example: it shares no memory with the host");
    if (is_device && !reserve(device, bytes))
        return services->fail(ASTRIDE_OUT_OF_MEMORY,
                              "example: %zu bytes are too many, device %s has %zu in all", bytes,
                              device_names[device->index], MEMORY_BYTES);
    made = malloc(sizeof(*made));
    if (made == NULL)
        goto give_back;
    made->bytes = bytes;
    made->kind = kind;
    /* The size that aligned_alloc() takes must be a multiple of the alignment. */
    made->address = aligned_alloc(ALIGNMENT_BYTES, (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES *
                                                       ALIGNMENT_BYTES);
    if (made->address == NULL)
        goto free_cookie;
    *address_out = made->address;
    *allocation_out = made;
    return ASTRIDE_OK;
free_cookie:
    free(made);
give_back:
    if (is_device)
        atomic_fetch_sub(&device->used_bytes, bytes);
    return services->fail(ASTRIDE_OUT_OF_MEMORY, "example: no memory for %zu bytes", bytes);
}

static void memory_free(astride_backend_device *device, void *address, void *cookie)
{
    allocation *freed = cookie;

    if (freed->kind == ASTRIDE_MEMORY_DEVICE)
        atomic_fetch_sub(&device->used_bytes, freed->bytes);
    free(address);
    free(freed);
}

static astride_status queue_create(astride_backend_device *device,
                                   astride_backend_queue **queue_out)
{
    astride_backend_queue *queue = calloc(1, sizeof(*queue));

    if (queue == NULL)
        return services->fail(ASTRIDE_OUT_OF_MEMORY, "example: no memory for a queue");
    queue->device = device;
    *queue_out = queue;
    return ASTRIDE_OK;
}

static void queue_destroy(astride_backend_queue *queue)
{
    free(queue);
}

static astride_status queue_wait(astride_backend_queue *queue)
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
    astride_backend_event *event = calloc(1, sizeof(*event));

    if (event == NULL)
        return services->fail(ASTRIDE_OUT_OF_MEMORY, "example: no memory for an event");
    event->device = device;
    *event_out = event;
    return ASTRIDE_OK;
}

static void event_destroy(astride_backend_event *event)
{
    free(event);
}

static astride_status event_record(astride_backend_event *event, astride_backend_queue *queue)
{
    if (event->device != queue->device)
        return services->fail(ASTRIDE_INTERNAL, "example: event and queue are of two devices");
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
    if (event->device != queue->device)
        return services->fail(ASTRIDE_INTERNAL, "example: event and queue are of two devices");
    return ASTRIDE_OK;
}

/* A backend may rely on the core; this one checks it, so that tests of the core can rely on this.
 */
static astride_status check_operand(const char *side, const astride_operand *operand, size_t bytes)
{
    const allocation *owner = operand->allocation;

    if (owner == NULL && operand->kind == ASTRIDE_MEMORY_DEVICE)
        return services->fail(ASTRIDE_INTERNAL, "example: %s: device memory of no allocation",
                              side);
    if (owner == NULL)
        return ASTRIDE_OK;
    if (operand->kind != owner->kind)
        return services->fail(ASTRIDE_INTERNAL, "example: %s: kind %d of an allocation of kind %d",
                              side, (int)operand->kind, (int)owner->kind);
    if (owner->address + operand->offset_bytes != operand->address)
        return services->fail(ASTRIDE_INTERNAL, "example: %s: offset %zu is not that of %p", side,
                              operand->offset_bytes, operand->address);
    if (operand->offset_bytes > owner->bytes || bytes > owner->bytes - operand->offset_bytes)
        return services->fail(
            ASTRIDE_INTERNAL,
            "example: %s: %zu bytes at offset %zu leave the %zu of the allocation", side, bytes,
            operand->offset_bytes, owner->bytes);
    return ASTRIDE_OK;
}

static astride_status copy_linear(astride_backend_queue *queue, const astride_operand *dst,
                                  const astride_operand *src, size_t bytes)
{
    astride_status status = check_operand("dst", dst, bytes);

    (void)queue;
    if (status == ASTRIDE_OK)
        status = check_operand("src", src, bytes);
    if (status == ASTRIDE_OK)
        memcpy(dst->address, src->address, bytes);
    return status;
}

/* What no capability expresses: pitches must be multiples of four bytes. */
static bool rect_supported(astride_backend_device *device, const astride_rect *rect)
{
    (void)device;
    return rect->rows == 1 || (rect->dst_row_pitch % PITCH_MULTIPLE_BYTES == 0 &&
                               rect->src_row_pitch % PITCH_MULTIPLE_BYTES == 0);
}

/* The rule that a rectangle breaks, or NULL. */
static const char *broken_rule(astride_backend_device *device, const astride_rect *rect)
{
    if (rect->row_bytes < 1 || rect->rows < 1)
        return "it is empty";
    if (rect->slices != 1)
        return "it has more than one slice";
    if (rect->dst_row_pitch < rect->row_bytes || rect->src_row_pitch < rect->row_bytes)
        return "a pitch is below the row";
    if (rect->rows > 1 &&
        (rect->dst_row_pitch > MAXIMUM_PITCH_BYTES || rect->src_row_pitch > MAXIMUM_PITCH_BYTES))
        return "a pitch exceeds the maximum";
    if (rect->dst.allocation != NULL && rect->dst.allocation == rect->src.allocation)
        return "both sides are in one allocation";
    if (rect->dst.kind != ASTRIDE_MEMORY_DEVICE && rect->src.kind != ASTRIDE_MEMORY_DEVICE)
        return "no side is on the device";
    if (!rect_supported(device, rect))
        return "rect_supported refuses it";
    return NULL;
}

static astride_status copy_rect(astride_backend_queue *queue, const astride_rect *rect)
{
    const char *rule = broken_rule(queue->device, rect);
    unsigned char *dst = rect->dst.address;
    const unsigned char *src = rect->src.address;
    astride_status status;

    if (rule != NULL)
        return services->fail(
            ASTRIDE_INTERNAL,
            "example: copy_rect: %s: %zu bytes, %zu rows, %zu slices, row pitches "
            "%zu and %zu",
            rule, rect->row_bytes, rect->rows, rect->slices, rect->dst_row_pitch,
            rect->src_row_pitch);
    status =
        check_operand("dst", &rect->dst, (rect->rows - 1) * rect->dst_row_pitch + rect->row_bytes);
    if (status == ASTRIDE_OK)
        status = check_operand("src", &rect->src,
                               (rect->rows - 1) * rect->src_row_pitch + rect->row_bytes);
    if (status != ASTRIDE_OK)
        return status;
    for (size_t row = 0; row < rect->rows; row++)
        memcpy(dst + row * rect->dst_row_pitch, src + row * rect->src_row_pitch, rect->row_bytes);
    return ASTRIDE_OK;
}

ASTRIDE_PLUGIN_EXPORT const astride_plugin astride_plugin_entry = {
    .abi = ASTRIDE_PLUGIN_ABI,
    .struct_size = sizeof(astride_plugin),
    .name = "example",
    .description = "a device that is ordinary memory",
    .priority = 50,

    .initialize = initialize,
    .probe = probe,
    .describe = describe,
    .resolve = resolve,
    .device_open = device_open,
    .device_close = device_close,
    .properties = properties,

    .memory_alloc = memory_alloc,
    .memory_free = memory_free,

    .queue_create = queue_create,
    .queue_destroy = queue_destroy,
    .queue_wait = queue_wait,
    .queue_query = queue_query,

    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_wait = event_wait,
    .event_query = event_query,
    .queue_wait_event = queue_wait_event,

    .copy_linear = copy_linear,
    .rect_supported = rect_supported,
    .copy_rect = copy_rect,
};
