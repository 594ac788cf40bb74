/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the tests of the run-time libraries share: allocations with the contents that they should
 * have, and memref descriptors. Contents move by the library's own copies, on a queue of the
 * fixture.
 */
#ifndef ASTRIDE_TESTS_MLIR_RUNTIME_FIXTURE_H
#define ASTRIDE_TESTS_MLIR_RUNTIME_FIXTURE_H

#include <stddef.h>
#include <stdint.h>

#include <astride/astride.h>
#include <astride/mlir.h>

#include "tests/support/buffer.h"

/* A test_buffer with the contents that are expected of it. */
typedef struct box {
    test_buffer buffer;
    unsigned char *image;
} box;

/* A ranked descriptor as MLIR lays it out. */
typedef struct memref {
    void *allocated;
    void *aligned;
    int64_t offset;
    int64_t numbers[2 * ASTRIDE_MAX_RANK]; /* sizes[rank], strides[rank] */
} memref;

/*
 * Chooses the backend of the whole program: ASTRIDE_BACKEND is set to it, and ASTRIDE_PLUGIN_PATH
 * to the folder of the plugin "native". Must precede every other call. A NULL backend stands for
 * the first one of ASTRIDE_TEST_BACKENDS, else host.
 */
void fixture_use_backend(const char *backend);

/* The device of ASTRIDE_BACKEND. It stays open. */
astride_device *fixture_device(void);
astride_queue *fixture_queue(void);

/* What messages of failed checks start with from now on: which of many trials it is. */
void fixture_describe(const char *format, ...) ASTRIDE_PRINTF(1, 2);

/* Copies and waits; either side may be any memory. */
void fixture_move(void *dst, const void *src, size_t bytes);

/* Bytes drawn from a seed go into both the allocation and the image. */
box box_create(test_buffer_origin origin, size_t bytes, uint64_t seed);
/* The same on another device than that of the fixture, which has the queue. */
box box_create_on(astride_queue *queue, test_buffer_origin origin, size_t bytes, uint64_t seed);
/* A box of 32-bit integers 0, 1, 2, ... */
box box_create_counting(test_buffer_origin origin, size_t count);
/* Fails the test unless the allocation has the contents of the image, and its guards are intact. */
void box_check(const box *made);
void box_destroy(box *made);

/* The address of byte `offset`. It is only computed. */
void *box_at(const box *made, size_t offset);

/* Fills a descriptor; strides NULL: dense. */
memref memref_of(void *aligned, int64_t offset, int64_t rank, const int64_t *sizes,
                 const int64_t *strides);

/* Moves an element for each index in the images, in elements, as the exported functions should. */
void fixture_copy_images(unsigned char *dst_image, const unsigned char *src_image,
                         const int64_t *geometry, int64_t rank, size_t element_bytes);

/* How a piece of a test in a process of its own went. */
typedef struct fixture_outcome {
    int status; /* its exit status, or minus the signal that ended it */
    char text[8192];
} fixture_outcome;

/*
 * Runs `body` in a child with ASTRIDE_MLIR_ON_ERROR set to `policy`; NULL: unset. To be called
 * before the library is first used, so that the child finds it fresh.
 */
fixture_outcome fixture_run(void (*body)(void), const char *policy);

#endif /* ASTRIDE_TESTS_MLIR_RUNTIME_FIXTURE_H */
