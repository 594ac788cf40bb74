/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Allocations with expected contents, and the plain loop over images. The functions under test are
 * not called here.
 */
#include "tests/mlir_runtime/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "tests/support/child.h"
#include "tests/support/random.h"
#include "tests/support/reference.h"

static astride_device *device;
static astride_queue *queue;

static char description[256];

void fixture_describe(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(description, sizeof description, format, arguments);
    va_end(arguments);
}

static void check(astride_status status)
{
    if (status != ASTRIDE_OK)
        fail_msg("%s%s: %s", description, astride_status_name(status), astride_last_error());
}

void fixture_use_backend(const char *backend)
{
    char path[4096];
    char first[64];
    const char *build = getenv("abs_top_builddir");
    const char *backends = getenv("ASTRIDE_TEST_BACKENDS");
    const char *others = getenv("ASTRIDE_PLUGIN_PATH");

    if (backend == NULL && backends != NULL && *backends != '\0') {
        (void)snprintf(first, sizeof first, "%.*s", (int)strcspn(backends, ","), backends);
        backend = first;
    }
    (void)setenv("ASTRIDE_BACKEND", backend != NULL ? backend : "host", 1);
    if (build == NULL)
        build = getenv("PWD");
    /* The tests' own plugin first; what is on the path already has ASTRIDE_TEST_BACKENDS. */
    (void)snprintf(path, sizeof path, "%s/tests/mlir_runtime/.libs%s%s", build != NULL ? build : "",
                   others != NULL && *others != '\0' ? ":" : "", others != NULL ? others : "");
    (void)setenv("ASTRIDE_PLUGIN_PATH", path, 1);
}

astride_device *fixture_device(void)
{
    if (device == NULL)
        check(astride_device_open(NULL, &device));
    return device;
}

astride_queue *fixture_queue(void)
{
    if (queue == NULL)
        check(astride_queue_create(fixture_device(), &queue));
    return queue;
}

static void move(astride_queue *on, void *dst, const void *src, size_t bytes)
{
    const astride_copy_desc desc = {.struct_size = sizeof desc,
                                    .element_bytes = bytes,
                                    .dst = {.base = dst},
                                    .src = {.base = (void *)(uintptr_t)src}};
    check(astride_copy(on, &desc));
    check(astride_queue_wait(on));
}

void fixture_move(void *dst, const void *src, size_t bytes)
{
    move(fixture_queue(), dst, src, bytes);
}

box box_create_on(astride_queue *on, test_buffer_origin origin, size_t bytes, uint64_t seed)
{
    box made;
    test_random random;

    check(test_buffer_create(astride_queue_device(on), origin, bytes, &made.buffer));
    made.image = malloc(bytes);
    assert_non_null(made.image);
    test_random_seed(&random, seed, 0);
    test_random_bytes(&random, made.image, bytes);
    move(on, made.buffer.address, made.image, bytes);
    return made;
}

box box_create(test_buffer_origin origin, size_t bytes, uint64_t seed)
{
    return box_create_on(fixture_queue(), origin, bytes, seed);
}

box box_create_counting(test_buffer_origin origin, size_t count)
{
    box made = box_create(origin, count * sizeof(int32_t), 0);
    for (size_t i = 0; i < count; i++) {
        const int32_t value = (int32_t)i;
        memcpy(made.image + i * sizeof value, &value, sizeof value);
    }
    fixture_move(made.buffer.address, made.image, made.buffer.bytes);
    return made;
}

void box_check(const box *made)
{
    size_t bytes = made->buffer.bytes;
    unsigned char *contents = malloc(bytes);
    astride_queue *own;

    assert_non_null(contents);
    check(astride_queue_create(made->buffer.device, &own));
    move(own, contents, made->buffer.address, bytes);
    astride_queue_destroy(own);
    size_t difference = test_first_difference(contents, made->image, bytes);
    if (difference < bytes)
        fail_msg("%sbyte %zu of %zu is 0x%02x instead of 0x%02x", description, difference, bytes,
                 (unsigned)contents[difference], (unsigned)made->image[difference]);
    free(contents);
    assert_true(test_buffer_guards_intact(&made->buffer));
}

void box_destroy(box *made)
{
    check(test_buffer_destroy(&made->buffer));
    free(made->image);
}

void *box_at(const box *made, size_t offset)
{
    return (void *)((uintptr_t)made->buffer.address + offset);
}

memref memref_of(void *aligned, int64_t offset, int64_t rank, const int64_t *sizes,
                 const int64_t *strides)
{
    /* The allocated pointer must not be used: it is where the original buffer starts. */
    memref made = {.allocated = (void *)(uintptr_t)64, .aligned = aligned, .offset = offset};
    int64_t stride = 1;

    for (int64_t i = rank - 1; i >= 0; i--) {
        made.numbers[i] = sizes[i];
        made.numbers[rank + i] = strides != NULL ? strides[i] : stride;
        stride *= sizes[i];
    }
    return made;
}

void fixture_copy_images(unsigned char *dst_image, const unsigned char *src_image,
                         const int64_t *geometry, int64_t rank, size_t element_bytes)
{
    const int64_t *sizes = geometry + 2;
    int64_t index[ASTRIDE_MAX_RANK] = {0};

    for (int64_t i = 0; i < rank; i++)
        if (sizes[i] == 0)
            return;
    for (;;) {
        int64_t dst = geometry[0];
        int64_t src = geometry[1];
        int64_t dimension = rank - 1;
        for (int64_t i = 0; i < rank; i++) {
            dst += index[i] * sizes[rank + i];
            src += index[i] * sizes[2 * rank + i];
        }
        memcpy(dst_image + dst * (int64_t)element_bytes, src_image + src * (int64_t)element_bytes,
               element_bytes);
        while (dimension >= 0 && ++index[dimension] == sizes[dimension])
            index[dimension--] = 0;
        if (dimension < 0)
            return;
    }
}

typedef struct child_job {
    void (*body)(void);
    const char *policy;
} child_job;

static void run_job(void *argument)
{
    const child_job *job = argument;
    /* An abort that is expected leaves no core file. */
    const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    if (job->policy != NULL)
        (void)setenv("ASTRIDE_MLIR_ON_ERROR", job->policy, 1);
    else
        (void)unsetenv("ASTRIDE_MLIR_ON_ERROR");
    job->body();
}

fixture_outcome fixture_run(void (*body)(void), const char *policy)
{
    child_job job = {body, policy};
    fixture_outcome outcome;
    outcome.status = test_child_run(run_job, &job, outcome.text, sizeof outcome.text);
    return outcome;
}
