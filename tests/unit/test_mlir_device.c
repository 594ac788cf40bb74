/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * libastride_mlir_runtime on the backend "native": device memory that the host cannot touch, two
 * devices, and device code.
 */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <astride/astride.h>
#include <astride/mlir.h>

#include "tests/mlir_runtime/fixture.h"
#include "tests/mlir_runtime/native.h"
#include "tests/mlir_runtime/strided_cases.h"

static const char *device_of(const void *address)
{
    astride_memory_info info = {.struct_size = sizeof info};
    if (astride_memory_query(NULL, address, &info) != ASTRIDE_OK || info.device == NULL)
        return "none";
    return astride_device_spec(info.device);
}

static void *allocate_on_device_1(void *argument)
{
    (void)argument;
    mgpuSetDefaultDevice(1);
    return mgpuMemAlloc(64, NULL, false);
}

static void default_device_is_that_of_its_thread(void **state)
{
    pthread_t thread;
    void *other = NULL;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, allocate_on_device_1, NULL), 0);
    assert_int_equal(pthread_join(thread, &other), 0);
    void *own = mgpuMemAlloc(64, NULL, false);
    assert_string_equal(device_of(other), "native:1");
    assert_string_equal(device_of(own), "native:0");
    mgpuMemFree(other, NULL);
    mgpuMemFree(own, NULL);
}

static void default_device_can_be_changed_again(void **state)
{
    (void)state;
    for (int32_t device = 1; device >= 0; device--) {
        mgpuSetDefaultDevice(device);
        void *address = mgpuMemAlloc(64, NULL, true);
        void *stream = mgpuStreamCreate();
        const char *expected = device == 1 ? "native:1" : "native:0";
        assert_string_equal(device_of(address), expected);
        assert_string_equal(astride_device_spec(astride_queue_device(stream)), expected);
        /* A stream keeps its device. */
        mgpuSetDefaultDevice(0);
        void *on_stream = mgpuMemAlloc(64, stream, false);
        assert_string_equal(device_of(on_stream), expected);
        mgpuMemFree(on_stream, NULL);
        mgpuMemFree(address, stream);
        mgpuStreamDestroy(stream);
    }
}

static void null_stream_works_where_the_memory_is(void **state)
{
    const int64_t geometry[] = {0, 15, 16, 1, -1};
    const int64_t fill_geometry[] = {3, 2, 5};
    const uint32_t value = 77;
    astride_device *second;
    astride_queue *queue;
    (void)state;
    assert_int_equal(astride_device_open("native:1", &second), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(second, &queue), ASTRIDE_OK);
    box dst = box_create_on(queue, TEST_BUFFER_DEVICE, 64, 1);
    box src = box_create_on(queue, TEST_BUFFER_DEVICE, 64, 2);
    mgpuMemcpyStrided(dst.buffer.address, src.buffer.address, geometry, 1, 4, NULL);
    mgpuMemsetStrided(dst.buffer.address, &value, fill_geometry, 1, 4, NULL);
    fixture_copy_images(dst.image, src.image, geometry, 1, 4);
    memcpy(dst.image + 12, &value, 4);
    memcpy(dst.image + 32, &value, 4);
    box_check(&dst);
    box_check(&src);
    box_destroy(&dst);
    box_destroy(&src);
    void *left = NULL;
    assert_int_equal(astride_memory_alloc(second, 64, ASTRIDE_MEMORY_DEVICE, &left), ASTRIDE_OK);
    astride_queue_destroy(queue);
    astride_device_close(second);
    /* The runtime has an idle queue there, so it must have kept the device open for itself; its
       last close would have freed the allocation. */
    assert_string_equal(device_of(left), "native:1");
    mgpuMemset32(left, 1, 16, NULL);
    mgpuMemFree(left, NULL);
    assert_string_equal(device_of(left), "none");
}

static native_launch launched;
static int32_t launched_sum;

static void add(const native_launch *launch)
{
    int32_t first;
    int64_t second;
    launched = *launch;
    memcpy(&first, launch->parameters[0], sizeof first);
    memcpy(&second, launch->parameters[1], sizeof second);
    launched_sum = first + (int32_t)second;
}

static void nothing(const native_launch *launch)
{
    launched = *launch;
}

static sem_t entered;
static sem_t may_leave;

static void block(const native_launch *launch)
{
    (void)launch;
    (void)sem_post(&entered);
    (void)sem_wait(&may_leave);
}

static native_image image = {NATIVE_IMAGE_MAGIC,
                             {{"add", add}, {"nothing", nothing}, {"block", block}, {NULL, NULL}}};

static void kernel_gets_sizes_and_parameters(void **state)
{
    int32_t first = 40;
    int64_t second = 2;
    void *parameters[] = {&first, &second};
    (void)state;
    for (int jit = 0; jit < 2; jit++) {
        void *stream = jit ? NULL : strided_stream;
        void *module =
            jit ? mgpuModuleLoadJIT(&image, 3, 12345) : mgpuModuleLoad(&image, sizeof image);
        assert_non_null(module);
        void *function = mgpuModuleGetFunction(module, "add");
        assert_non_null(function);
        launched_sum = 0;
        mgpuLaunchKernel(function, 1, 2, UINT32_MAX, 4, 5, 6, 256, stream, parameters, NULL, 2);
        mgpuStreamSynchronize(stream);
        assert_int_equal(launched_sum, 42);
        assert_int_equal(launched.grid[0], 1);
        assert_int_equal(launched.grid[1], 2);
        assert_int_equal(launched.grid[2], UINT32_MAX);
        assert_int_equal(launched.block[0], 4);
        assert_int_equal(launched.block[1], 5);
        assert_int_equal(launched.block[2], 6);
        assert_int_equal(launched.shared_bytes, 256);
        assert_int_equal(launched.parameter_count, 2);

        function = mgpuModuleGetFunction(module, "nothing");
        mgpuLaunchKernel(function, 7, 1, 1, 1, 1, 1, 0, stream, NULL, NULL, 0);
        mgpuStreamSynchronize(stream);
        assert_int_equal(launched.grid[0], 7);
        assert_int_equal(launched.parameter_count, 0);
        mgpuModuleUnload(module);
    }
}

static void *launch_block(void *module)
{
    void *stream = mgpuStreamCreate();
    mgpuLaunchKernel(mgpuModuleGetFunction(module, "block"), 1, 1, 1, 1, 1, 1, 0, stream, NULL,
                     NULL, 0);
    mgpuStreamDestroy(stream);
    return NULL;
}

static void null_stream_does_not_wait_for_other_work(void **state)
{
    pthread_t thread;
    uint32_t value = 0;
    (void)state;
    assert_int_equal(sem_init(&entered, 0, 0), 0);
    assert_int_equal(sem_init(&may_leave, 0, 0), 0);
    void *module = mgpuModuleLoad(&image, 0);
    void *address = mgpuMemAlloc(64, NULL, false);
    assert_int_equal(pthread_create(&thread, NULL, launch_block, module), 0);
    (void)sem_wait(&entered);
    /* The kernel runs until it is let go, which is after these. */
    mgpuMemset32(address, 123, 16, NULL);
    mgpuMemcpy(&value, address, 4, NULL);
    assert_int_equal(value, 123);
    void *stream = mgpuStreamCreate();
    mgpuMemset32(address, 124, 16, stream);
    mgpuStreamDestroy(stream);
    (void)sem_post(&may_leave);
    assert_int_equal(pthread_join(thread, NULL), 0);
    mgpuModuleUnload(module);
    mgpuMemFree(address, NULL);
    (void)sem_destroy(&entered);
    (void)sem_destroy(&may_leave);
}

static int make_stream(void **state)
{
    (void)state;
    strided_stream = mgpuStreamCreate();
    strided_stream_wait = mgpuStreamSynchronize;
    return strided_stream == NULL;
}

static int destroy_stream(void **state)
{
    (void)state;
    mgpuStreamDestroy(strided_stream);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STRIDED_CASES,
        /* Before the runtime itself opens the second device. */
        cmocka_unit_test(null_stream_works_where_the_memory_is),
        cmocka_unit_test(default_device_is_that_of_its_thread),
        cmocka_unit_test(default_device_can_be_changed_again),
        cmocka_unit_test(kernel_gets_sizes_and_parameters),
        cmocka_unit_test(null_stream_does_not_wait_for_other_work),
    };
    fixture_use_backend("native");
    return cmocka_run_group_tests_name("mlir_device", tests, make_stream, destroy_stream);
}
