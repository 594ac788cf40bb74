/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * libastride_mlir_addon: streams are handles of the backend "native", as a vendor's own wrapper
 * would have made them; and a backend that has no handles.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <astride/astride.h>
#include <astride/mlir.h>

#include "tests/mlir_runtime/fixture.h"
#include "tests/mlir_runtime/native.h"
#include "tests/mlir_runtime/strided_cases.h"

enum { THREAD_COUNT = 4, ROUND_COUNT = 100 };

static native_stream own_stream;

static void native_wait(void *stream)
{
    /* The vendor's own call would wait here; a native stream does its work at once. */
    (void)stream;
}

static native_stream *default_stream(void)
{
    const char *folders = getenv("ASTRIDE_PLUGIN_PATH");
    char path[4200];
    assert_non_null(folders);
    (void)snprintf(path, sizeof path, "%.*s/astride-native.so", (int)strcspn(folders, ":"),
                   folders);
    /* Loaded by the library, so that this only finds it. */
    void *plugin = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(plugin);
    native_stream *stream = dlsym(plugin, NATIVE_DEFAULT_STREAM_SYMBOL);
    assert_non_null(stream);
    return stream;
}

static void handle_is_imported_once(void **state)
{
    const int64_t geometry[] = {0, 3, 4, 1, -1};
    native_stream streams[3];
    (void)state;
    box dst = box_create(TEST_BUFFER_DEVICE, 16, 1);
    box src = box_create(TEST_BUFFER_DEVICE, 16, 2);
    memset(streams, 0, sizeof streams);
    for (unsigned round = 1; round <= 3; round++) {
        for (unsigned i = 0; i < 3; i++) {
            unsigned before = atomic_load(&streams[i].operations);
            mgpuMemcpyStrided(dst.buffer.address, src.buffer.address, geometry, 1, 4, &streams[i]);
            assert_int_equal(atomic_load(&streams[i].imports), 1);
            assert_true(atomic_load(&streams[i].operations) > before);
        }
    }
    fixture_copy_images(dst.image, src.image, geometry, 1, 4);
    box_check(&dst);
    box_destroy(&dst);
    box_destroy(&src);
}

static void null_stream_is_the_default_one_and_waited_for(void **state)
{
    const int64_t geometry[] = {0, 0, 1, 1, 1};
    int32_t value = 5;
    (void)state;
    box dst = box_create(TEST_BUFFER_DEVICE, 4, 1);
    native_stream *stream = default_stream();
    unsigned operations = atomic_load(&stream->operations);
    unsigned waits = atomic_load(&stream->waits);
    mgpuMemcpyStrided(dst.buffer.address, &value, geometry, 1, 4, NULL);
    assert_int_equal(atomic_load(&stream->imports), 1);
    assert_true(atomic_load(&stream->operations) > operations);
    assert_true(atomic_load(&stream->waits) > waits);
    memcpy(dst.image, &value, 4);
    box_check(&dst);
    box_destroy(&dst);
}

static void handle_of_a_stream_is_not_waited_for(void **state)
{
    const int64_t geometry[] = {0, 0, 4, 1, 1};
    native_stream stream;
    (void)state;
    memset(&stream, 0, sizeof stream);
    box dst = box_create(TEST_BUFFER_DEVICE, 16, 1);
    box src = box_create(TEST_BUFFER_DEVICE, 16, 2);
    mgpuMemcpyStrided(dst.buffer.address, src.buffer.address, geometry, 1, 4, &stream);
    assert_int_equal(atomic_load(&stream.operations), 1);
    assert_int_equal(atomic_load(&stream.waits), 0);
    box_destroy(&dst);
    box_destroy(&src);
}

/* Handles that threads have in common, and one of each. */
static native_stream common_streams[4];

static void *copy_on_handles(void *argument)
{
    const int64_t geometry[] = {0, 0, 4, 1, 1};
    const int32_t values[] = {1, 2, 3, 4};
    uintptr_t mistakes = 0;
    (void)argument;
    for (int round = 0; round < ROUND_COUNT; round++) {
        int32_t copied[4] = {0};
        mgpuMemcpyStrided(copied, (void *)(uintptr_t)values, geometry, 1, 4,
                          round % 5 == 4 ? NULL : &common_streams[round % 5]);
        mistakes += memcmp(copied, values, sizeof values) != 0;
    }
    return (void *)mistakes;
}

static void threads_share_handles(void **state)
{
    pthread_t threads[THREAD_COUNT];
    (void)state;
    for (int i = 0; i < THREAD_COUNT; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, copy_on_handles, NULL), 0);
    for (int i = 0; i < THREAD_COUNT; i++) {
        void *mistakes = NULL;
        assert_int_equal(pthread_join(threads[i], &mistakes), 0);
        assert_int_equal((uintptr_t)mistakes, 0);
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(atomic_load(&common_streams[i].imports), 1);
}

/* The host has no native queues: a handle cannot be used, a NULL stream can. */
static void no_handles_case(void)
{
    const int64_t geometry[] = {0, 2, 3, 1, -1};
    int32_t src[3] = {1, 2, 3};
    int32_t dst[3] = {0, 0, 0};
    int handle;
    fixture_use_backend("host");
    for (int i = 0; i < 2; i++) {
        mgpuMemcpyStrided(dst, src, geometry, 1, 4, NULL);
        if (dst[0] != 3 || dst[1] != 2 || dst[2] != 1)
            _exit(1);
        memset(dst, 0, sizeof dst);
    }
    mgpuMemcpyStrided(dst, src, geometry, 1, 4, &handle);
    if (dst[0] != 0)
        _exit(2);
}

static void backend_without_handles_is_named(void **state)
{
    static const char line[] =
        "astride: mgpuMemcpyStrided: the stream is taken for a native handle, "
        "and host:0 imports none: pass NULL, or use libastride_mlir_runtime\n";
    (void)state;
    fixture_outcome outcome = fixture_run(no_handles_case, "warn");
    assert_string_equal(outcome.text, line);
    assert_int_equal(outcome.status, 0);
    outcome = fixture_run(no_handles_case, NULL);
    assert_string_equal(outcome.text, line);
    assert_int_equal(outcome.status, -SIGABRT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backend_without_handles_is_named),
        STRIDED_CASES,
        cmocka_unit_test(handle_is_imported_once),
        cmocka_unit_test(null_stream_is_the_default_one_and_waited_for),
        cmocka_unit_test(handle_of_a_stream_is_not_waited_for),
        cmocka_unit_test(threads_share_handles),
    };
    fixture_use_backend("native");
    strided_stream = &own_stream;
    strided_stream_wait = native_wait;
    return cmocka_run_group_tests_name("mlir_addon", tests, NULL, NULL);
}
