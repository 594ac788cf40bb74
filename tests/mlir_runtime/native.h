/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the backend "native" and the tests that open it have in common. It stands for a vendor: two
 * devices with memory that the host cannot touch, streams with handles, and code of its own.
 */
#ifndef ASTRIDE_TESTS_MLIR_RUNTIME_NATIVE_H
#define ASTRIDE_TESTS_MLIR_RUNTIME_NATIVE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Larger host memory is refused by its memory_register. */
#define NATIVE_REGISTER_BYTES ((size_t)1 << 20)

/* A stream of the vendor, made by the program. Work on it is done at once. */
typedef struct native_stream {
    atomic_uint imports;    /* by astride_queue_import() */
    atomic_uint operations; /* copies that were enqueued */
    atomic_uint waits;
} native_stream;

/* Exported by the plugin: the stream of the NULL handle. */
#define NATIVE_DEFAULT_STREAM_SYMBOL "native_default_stream"

/* What a function of the vendor's is given. */
typedef struct native_launch {
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t shared_bytes;
    void **parameters;
    size_t parameter_count;
} native_launch;

typedef struct native_function {
    const char *name;
    void (*run)(const native_launch *launch);
} native_function;

/* "Device code": a list of functions that ends with a NULL name. */
typedef struct native_image {
    uint64_t magic;
    native_function functions[4];
} native_image;

#define NATIVE_IMAGE_MAGIC UINT64_C(0x6e6174697665)

#endif /* ASTRIDE_TESTS_MLIR_RUNTIME_NATIVE_H */
