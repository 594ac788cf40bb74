/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Allocations that tests copy between, of every kind that a side can have, with guards around those
 * that lie in host memory. Contents go in and out as images in ordinary host memory, by dense
 * copies of the library, since the host may not be able to dereference a device's memory.
 */
#ifndef ASTRIDE_TESTS_BUFFER_H
#define ASTRIDE_TESTS_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#include <astride/astride.h>

/* Where a buffer comes from. */
typedef enum test_buffer_origin {
    TEST_BUFFER_PAGEABLE,   /* ordinary host memory that the library does not know */
    TEST_BUFFER_PINNED,     /* host memory of the device */
    TEST_BUFFER_REGISTERED, /* ordinary host memory, registered with the device */
    TEST_BUFFER_DEVICE,     /* the device's own */
    TEST_BUFFER_SHARED,     /* of both */
    TEST_BUFFER_ORIGIN_COUNT
} test_buffer_origin;

typedef struct test_buffer {
    test_buffer_origin origin;
    astride_device *device;
    void *address; /* start of the allocation */
    size_t bytes;
    unsigned char *block; /* what malloc gave, or NULL */
} test_buffer;

/*
 * Allocates. ASTRIDE_UNSUPPORTED where the device has no such memory; buffer_out is written on
 * success only and freed by test_buffer_destroy().
 */
astride_status test_buffer_create(astride_device *device, test_buffer_origin origin, size_t bytes,
                                  test_buffer *buffer_out);

/* Frees a buffer; one that is all zero is a no-op. Fails when the library refuses to let it go. */
astride_status test_buffer_destroy(test_buffer *buffer);

/*
 * Writes an image of the whole buffer, or reads one. Host memory is accessed at once, so work on it
 * must be complete; for the rest a dense copy is enqueued, the image stays alive until that is
 * done.
 */
astride_status test_buffer_upload(astride_queue *queue, const test_buffer *buffer,
                                  const unsigned char *image);
astride_status test_buffer_download(astride_queue *queue, const test_buffer *buffer,
                                    unsigned char *image_out);

/*
 * The contents for reading, where the host may read them in place; NULL where they must be
 * downloaded.
 */
const unsigned char *test_buffer_contents(const test_buffer *buffer);

/* Whether the host memory around the allocation is as it was. True where there is none. */
bool test_buffer_guards_intact(const test_buffer *buffer);

const char *test_buffer_origin_name(test_buffer_origin origin);

#endif /* ASTRIDE_TESTS_BUFFER_H */
