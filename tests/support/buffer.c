/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Allocating the memory that tests copy between, and moving images in and out of it.
 */
#include "tests/support/buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Guard bytes on either side; a multiple of the strictest alignment of malloc. */
enum { GUARD_BYTES = 192 };

/* Differs from byte to byte, so that a guard that was moved is noticed too. */
static unsigned char guard_byte(size_t position)
{
    return (unsigned char)(0xa5 ^ (position * 7));
}

static astride_status create_on_host(astride_device *device, test_buffer_origin origin,
                                     size_t bytes, test_buffer *buffer)
{
    astride_status status = ASTRIDE_OK;

    buffer->block = malloc(bytes + 2 * GUARD_BYTES);
    if (buffer->block == NULL)
        return ASTRIDE_OUT_OF_MEMORY;
    buffer->address = buffer->block + GUARD_BYTES;
    for (size_t i = 0; i < GUARD_BYTES; i++) {
        buffer->block[i] = guard_byte(i);
        buffer->block[GUARD_BYTES + bytes + i] = guard_byte(GUARD_BYTES + i);
    }
    if (origin == TEST_BUFFER_REGISTERED)
        status = astride_memory_register(device, buffer->address, bytes);
    if (status != ASTRIDE_OK)
        free(buffer->block);
    return status;
}

astride_status test_buffer_create(astride_device *device, test_buffer_origin origin, size_t bytes,
                                  test_buffer *buffer_out)
{
    test_buffer buffer = {.origin = origin, .device = device, .bytes = bytes};
    astride_memory_kind kind = origin == TEST_BUFFER_PINNED   ? ASTRIDE_MEMORY_PINNED
                               : origin == TEST_BUFFER_DEVICE ? ASTRIDE_MEMORY_DEVICE
                                                              : ASTRIDE_MEMORY_SHARED;
    astride_status status;

    if (origin == TEST_BUFFER_PAGEABLE || origin == TEST_BUFFER_REGISTERED)
        status = create_on_host(device, origin, bytes, &buffer);
    else
        status = astride_memory_alloc(device, bytes, kind, &buffer.address);
    if (status == ASTRIDE_OK)
        *buffer_out = buffer;
    return status;
}

astride_status test_buffer_destroy(test_buffer *buffer)
{
    astride_status status = ASTRIDE_OK;

    if (buffer->address == NULL)
        return ASTRIDE_OK;
    if (buffer->origin == TEST_BUFFER_REGISTERED)
        status = astride_memory_unregister(buffer->device, buffer->address);
    else if (buffer->origin != TEST_BUFFER_PAGEABLE)
        status = astride_memory_free(buffer->device, buffer->address);
    free(buffer->block);
    *buffer = (test_buffer){.address = NULL};
    return status;
}

const unsigned char *test_buffer_contents(const test_buffer *buffer)
{
    return buffer->origin <= TEST_BUFFER_REGISTERED ? buffer->address : NULL;
}

static astride_status copy_dense(astride_queue *queue, void *dst, void *src, size_t bytes)
{
    const int64_t extent = (int64_t)bytes;
    const astride_copy_desc desc = {
        .struct_size = sizeof desc,
        .rank = 1,
        .element_bytes = 1,
        .extents = &extent,
        .dst = {dst, NULL},
        .src = {src, NULL},
    };

    return astride_copy(queue, &desc);
}

astride_status test_buffer_upload(astride_queue *queue, const test_buffer *buffer,
                                  const unsigned char *image)
{
    if (test_buffer_contents(buffer) == NULL)
        return copy_dense(queue, buffer->address, (void *)(uintptr_t)image, buffer->bytes);
    if (buffer->bytes > 0)
        memcpy(buffer->address, image, buffer->bytes);
    return ASTRIDE_OK;
}

astride_status test_buffer_download(astride_queue *queue, const test_buffer *buffer,
                                    unsigned char *image_out)
{
    if (test_buffer_contents(buffer) == NULL)
        return copy_dense(queue, image_out, buffer->address, buffer->bytes);
    if (buffer->bytes > 0)
        memcpy(image_out, buffer->address, buffer->bytes);
    return ASTRIDE_OK;
}

bool test_buffer_guards_intact(const test_buffer *buffer)
{
    if (buffer->block == NULL)
        return true;
    for (size_t i = 0; i < GUARD_BYTES; i++)
        if (buffer->block[i] != guard_byte(i) ||
            buffer->block[GUARD_BYTES + buffer->bytes + i] != guard_byte(GUARD_BYTES + i))
            return false;
    return true;
}

const char *test_buffer_origin_name(test_buffer_origin origin)
{
    static const char *const names[TEST_BUFFER_ORIGIN_COUNT] = {"pageable", "pinned", "registered",
                                                                "device", "shared"};

    return names[origin];
}
