/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Contexts, buffers and queues that a program brings along: they work like the backend's own, are
 * alive afterwards, and are refused with a reason where OpenCL could not use them together.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dlfcn.h>

#include "tests/opencl/fixture.h"
#include "tests/support/refusal.h"

enum { ROWS = 24, COLUMNS = 40, BYTES = ROWS * COLUMNS };

/* A context of the program and a device of the library in it. */
static cl_context context;
static cl_device_id native_device;
static astride_device *device;

static int make_context(void **state)
{
    cl_int code = CL_SUCCESS;
    char spec[64];

    (void)state;
    native_device = opencl_native_device();
    context = astride__cl.CreateContext(NULL, 1, &native_device, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return 1;
    snprintf(spec, sizeof spec, "opencl:context=%p", (void *)context);
    return astride_device_open(spec, &device) != ASTRIDE_OK;
}

static int drop_context(void **state)
{
    (void)state;
    astride_device_close(device);
    return astride__cl.ReleaseContext(context) != CL_SUCCESS;
}

static cl_command_queue make_queue(cl_command_queue_properties properties)
{
    cl_int code = CL_SUCCESS;
    cl_command_queue queue =
        astride__cl.CreateCommandQueue(context, native_device, properties, &code);

    return code == CL_SUCCESS ? queue : NULL;
}

static cl_mem make_buffer(cl_mem_flags flags, size_t bytes)
{
    cl_int code = CL_SUCCESS;
    cl_mem buffer = astride__cl.CreateBuffer(context, flags, bytes, NULL, &code);

    assert_int_equal(code, CL_SUCCESS);
    /* cppcheck-suppress returnDanglingLifetime ; the driver keeps no address of the code */
    return buffer;
}

static unsigned char *import_buffer(cl_mem buffer, size_t bytes)
{
    void *address = NULL;

    assert_int_equal(astride_memory_import(device, buffer, bytes, &address), ASTRIDE_OK);
    return address;
}

static unsigned char value(size_t i, int round)
{
    return (unsigned char)(i * 13 + (size_t)round * 101 + i / 256);
}

/*
 * The program writes its buffer with its queue, the library copies every other column out of it
 * into memory of its own and on into a second buffer of the program, which the program reads. Many
 * rounds without waiting between the parts: the order of the queue is all there is.
 */
static void work_together(cl_command_queue native)
{
    enum { ROUNDS = 20 };
    const int64_t extents[] = {ROWS, COLUMNS / 2}, strides[] = {COLUMNS, 2};
    unsigned char in[ROUNDS][BYTES], out[ROUNDS][BYTES / 2];
    cl_mem first = make_buffer(CL_MEM_READ_WRITE, BYTES);
    cl_mem second = make_buffer(CL_MEM_READ_WRITE, BYTES);
    unsigned char *src = import_buffer(first, BYTES), *dst = import_buffer(second, BYTES);
    void *between = NULL;
    astride_queue *queue = NULL;

    assert_int_equal(astride_queue_import(device, native, &queue), ASTRIDE_OK);
    assert_int_equal(astride_memory_alloc(device, BYTES, ASTRIDE_MEMORY_DEVICE, &between),
                     ASTRIDE_OK);
    for (int round = 0; round < ROUNDS; round++) {
        const astride_copy_desc pack = {
            .struct_size = sizeof pack,
            .rank = 2,
            .element_bytes = 1,
            .extents = extents,
            .dst = {.base = between},
            .src = {.base = src + 1, .strides = strides},
        };
        astride_copy_desc move = pack;

        move.dst.base = dst;
        move.src = (astride_region){.base = between};
        for (size_t i = 0; i < BYTES; i++)
            in[round][i] = value(i, round);
        assert_int_equal(astride__cl.EnqueueWriteBuffer(native, first, CL_FALSE, 0, BYTES,
                                                        in[round], 0, NULL, NULL),
                         CL_SUCCESS);
        assert_int_equal(astride_copy(queue, &pack), ASTRIDE_OK);
        assert_int_equal(astride_copy(queue, &move), ASTRIDE_OK);
        assert_int_equal(astride__cl.EnqueueReadBuffer(native, second, CL_FALSE, 0, BYTES / 2,
                                                       out[round], 0, NULL, NULL),
                         CL_SUCCESS);
        /* The program's own read is to be over before the next copy, also out of order. */
        assert_int_equal(astride__cl.EnqueueBarrierWithWaitList(native, 0, NULL, NULL), CL_SUCCESS);
    }
    assert_int_equal(astride_queue_wait(queue), ASTRIDE_OK);
    for (int round = 0; round < ROUNDS; round++)
        for (size_t row = 0; row < ROWS; row++)
            for (size_t column = 0; column < COLUMNS / 2; column++)
                assert_int_equal(out[round][row * (COLUMNS / 2) + column],
                                 value(row * COLUMNS + 2 * column + 1, round));
    astride_queue_destroy(queue);
    assert_int_equal(astride_memory_free(device, between), ASTRIDE_OK);
    assert_int_equal(astride_memory_free(device, src), ASTRIDE_OK);
    assert_int_equal(astride_memory_free(device, dst), ASTRIDE_OK);
    /* All of it is still the program's. */
    assert_int_equal(astride__cl.Finish(native), CL_SUCCESS);
    assert_int_equal(astride__cl.ReleaseMemObject(first), CL_SUCCESS);
    assert_int_equal(astride__cl.ReleaseMemObject(second), CL_SUCCESS);
    assert_int_equal(astride__cl.ReleaseCommandQueue(native), CL_SUCCESS);
}

static void objects_of_the_program_work_together_with_our_own(void **state)
{
    cl_command_queue queue = make_queue(0);

    (void)state;
    assert_non_null(queue);
    work_together(queue);
}

static void a_queue_that_executes_out_of_order_is_put_in_order(void **state)
{
    cl_command_queue queue = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);

    (void)state;
    /* Devices need not have such queues. */
    if (queue != NULL)
        work_together(queue);
}

static void objects_of_another_context_are_refused(void **state)
{
    cl_mem buffer = make_buffer(CL_MEM_READ_WRITE, 64);
    cl_command_queue native = make_queue(0);
    astride_queue *queue = NULL;
    void *address = NULL;
    char advice[64];

    (void)state;
    snprintf(advice, sizeof advice, "open the device as opencl:context=%p", (void *)context);
    test_refused(astride_memory_import(opencl_device, buffer, 64, &address),
                 ASTRIDE_INVALID_ARGUMENT, "", "the buffer is of the context", advice);
    test_refused(astride_queue_import(opencl_device, native, &queue), ASTRIDE_INVALID_ARGUMENT, "",
                 "the queue is of the context", advice);
    assert_null(address);
    assert_null(queue);
    assert_int_equal(astride__cl.ReleaseCommandQueue(native), CL_SUCCESS);
    assert_int_equal(astride__cl.ReleaseMemObject(buffer), CL_SUCCESS);
}

static void buffers_that_cannot_be_used_are_refused(void **state)
{
    cl_mem read_only = make_buffer(CL_MEM_READ_ONLY, 64);
    cl_mem buffer = make_buffer(CL_MEM_READ_WRITE, 64);
    void *address = NULL;
    unsigned char *first;

    (void)state;
    test_refused(astride_memory_import(device, read_only, 64, &address), ASTRIDE_INVALID_ARGUMENT,
                 "", "the buffer's flags 0x4", "");
    test_refused(astride_memory_import(device, buffer, 65, &address), ASTRIDE_INVALID_ARGUMENT, "",
                 "65 bytes exceed the buffer's 64", "");
    first = import_buffer(buffer, 64);
    test_refused(astride_memory_import(device, buffer, 64, &address), ASTRIDE_INVALID_ARGUMENT, "",
                 "are imported already", "");
    assert_null(address);
    assert_int_equal(astride_memory_free(device, first), ASTRIDE_OK);
    first = import_buffer(buffer, 64);
    assert_int_equal(astride_memory_free(device, first), ASTRIDE_OK);
    assert_int_equal(astride__cl.ReleaseMemObject(read_only), CL_SUCCESS);
    assert_int_equal(astride__cl.ReleaseMemObject(buffer), CL_SUCCESS);
}

/* What clCreateSubBuffer takes; the backend itself makes no sub-buffers. */
typedef struct part {
    size_t origin, size;
} part;
typedef cl_mem (*create_sub_buffer)(cl_mem, cl_mem_flags, cl_uint, const void *, cl_int *);
#define CREATE_TYPE_REGION 0x1220

static void a_sub_buffer_is_its_part_of_the_parent(void **state)
{
    const part middle = {4096, 1024};
    unsigned char bytes[16384], expected[16384], back[1024];
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL), *address = NULL;
    cl_int code = CL_SUCCESS;
    cl_mem parent = make_buffer(CL_MEM_READ_WRITE, sizeof bytes);
    create_sub_buffer create = NULL;
    astride_queue *queue = NULL;

    (void)state;
    assert_non_null(library);
    *(void **)(void *)&create = dlsym(library, "clCreateSubBuffer");
    assert_non_null((void *)(uintptr_t)create);
    cl_mem sub = create(parent, CL_MEM_READ_WRITE, CREATE_TYPE_REGION, &middle, &code);
    assert_int_equal(code, CL_SUCCESS);
    cl_command_queue native = make_queue(0);
    assert_int_equal(astride_queue_import(device, native, &queue), ASTRIDE_OK);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = value(i, 1);
    assert_int_equal(astride__cl.EnqueueWriteBuffer(native, parent, CL_TRUE, 0, sizeof bytes, bytes,
                                                    0, NULL, NULL),
                     CL_SUCCESS);
    unsigned char *part_address = import_buffer(sub, middle.size);
    /* The same bytes by way of the parent would be a second address of them. */
    test_refused(astride_memory_import(device, parent, sizeof bytes, &address),
                 ASTRIDE_INVALID_ARGUMENT, "", "are imported already", "");
    assert_int_equal(opencl_copy(queue, back, part_address, middle.size), ASTRIDE_OK);
    assert_memory_equal(back, bytes + middle.origin, middle.size);
    assert_int_equal(opencl_copy(queue, part_address + 8, back, 100), ASTRIDE_OK);
    memcpy(expected, bytes, sizeof expected);
    memcpy(expected + middle.origin + 8, bytes + middle.origin, 100);
    assert_int_equal(astride__cl.EnqueueReadBuffer(native, parent, CL_TRUE, 0, sizeof bytes, bytes,
                                                   0, NULL, NULL),
                     CL_SUCCESS);
    assert_memory_equal(bytes, expected, sizeof bytes);
    astride_queue_destroy(queue);
    assert_int_equal(astride_memory_free(device, part_address), ASTRIDE_OK);
    assert_int_equal(astride__cl.ReleaseCommandQueue(native), CL_SUCCESS);
    assert_int_equal(astride__cl.ReleaseMemObject(sub), CL_SUCCESS);
    assert_int_equal(astride__cl.ReleaseMemObject(parent), CL_SUCCESS);
}

static void malformed_contexts_are_refused(void **state)
{
    static const char *const specs[] = {"opencl:context=", "opencl:context=0",
                                        "opencl:context=0x10.", "opencl:context=0x10.1x",
                                        "opencl:context=here"};
    astride_device *opened = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++)
        test_refused(astride_device_open(specs[i], &opened), ASTRIDE_INVALID_ARGUMENT, "",
                     "a context is named as context=ADDRESS", "");
    assert_null(opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_of_the_program_work_together_with_our_own),
        cmocka_unit_test(a_queue_that_executes_out_of_order_is_put_in_order),
        cmocka_unit_test(objects_of_another_context_are_refused),
        cmocka_unit_test(buffers_that_cannot_be_used_are_refused),
        cmocka_unit_test(a_sub_buffer_is_its_part_of_the_parent),
        cmocka_unit_test(malformed_contexts_are_refused),
    };
    int failed;

    if (!opencl_fixture_open())
        return 0;
    failed = cmocka_run_group_tests(tests, make_context, drop_context);
    opencl_fixture_close();
    return failed;
}
