/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a program has made with HIP itself: memory, streams, captured streams and device code. Also
 * run as a runtime of ROCm 5 by test_rocm5.sh, whose numbers of memory types are others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/simulated/simulated.h"
#include "tests/simulators/hip/runtime_abi.h"
#include "tests/support/fixture.h"

/* The runtime's functions as the program calls them. */
static struct functions {
    hipError_t (*malloc)(void **address, size_t bytes);
    hipError_t (*free)(void *address);
    hipError_t (*host_malloc)(void **address, size_t bytes, unsigned flags);
    hipError_t (*host_free)(void *address);
    hipError_t (*malloc_managed)(void **address, size_t bytes, unsigned flags);
    hipError_t (*set_device)(int device);
    hipError_t (*stream_create)(hipStream_t *stream, unsigned flags);
    hipError_t (*stream_destroy)(hipStream_t stream);
    hipError_t (*stream_wait)(hipStream_t stream);
    hipError_t (*begin_capture)(hipStream_t stream, int mode);
    hipError_t (*end_capture)(hipStream_t stream, hipGraph_t *graph);
    hipError_t (*instantiate)(hipGraphExec_t *executable, hipGraph_t graph, void *node, char *log,
                              size_t bytes);
    hipError_t (*launch)(hipGraphExec_t executable, hipStream_t stream);
    hipError_t (*graph_destroy)(hipGraph_t graph);
    hipError_t (*exec_destroy)(hipGraphExec_t executable);
    hiprtcResult (*create_program)(hiprtcProgram *program, const char *source, const char *name,
                                   int count, const char **headers, const char **names);
    hiprtcResult (*compile)(hiprtcProgram program, int count, const char **options);
    hiprtcResult (*code_size)(hiprtcProgram program, size_t *bytes);
    hiprtcResult (*get_code)(hiprtcProgram program, char *code);
    hiprtcResult (*destroy_program)(hiprtcProgram *program);
} hip;

static void find_functions(void)
{
    const struct {
        void *slot;
        const char *name;
    } wanted[] = {
        {&hip.malloc, "hipMalloc"},
        {&hip.free, "hipFree"},
        {&hip.host_malloc, "hipHostMalloc"},
        {&hip.host_free, "hipHostFree"},
        {&hip.malloc_managed, "hipMallocManaged"},
        {&hip.set_device, "hipSetDevice"},
        {&hip.stream_create, "hipStreamCreateWithFlags"},
        {&hip.stream_destroy, "hipStreamDestroy"},
        {&hip.stream_wait, "hipStreamSynchronize"},
        {&hip.begin_capture, "hipStreamBeginCapture"},
        {&hip.end_capture, "hipStreamEndCapture"},
        {&hip.instantiate, "hipGraphInstantiate"},
        {&hip.launch, "hipGraphLaunch"},
        {&hip.graph_destroy, "hipGraphDestroy"},
        {&hip.exec_destroy, "hipGraphExecDestroy"},
        {&hip.create_program, "hiprtcCreateProgram"},
        {&hip.compile, "hiprtcCompileProgram"},
        {&hip.code_size, "hiprtcGetCodeSize"},
        {&hip.get_code, "hiprtcGetCode"},
        {&hip.destroy_program, "hiprtcDestroyProgram"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        *(void **)wanted[i].slot = simulated_function(wanted[i].name);
}

static const simulated_layout transposed = {.rank = 2,
                                            .element_bytes = 4,
                                            .extents = {40, 50},
                                            .dst_strides = {200, 4},
                                            .src_strides = {4, 160}};
static const simulated_layout rectangle = {.rank = 2,
                                           .element_bytes = 24,
                                           .extents = {3, 5},
                                           .dst_strides = {160, 32},
                                           .src_strides = {240, 40}};
static const simulated_layout contiguous = {
    .rank = 1, .element_bytes = 8, .extents = {100}, .dst_strides = {8}, .src_strides = {8}};

static astride_status copy_bytes(astride_queue *queue, void *dst, const void *src, int64_t bytes)
{
    const astride_copy_desc desc = {.struct_size = sizeof desc,
                                    .rank = 1,
                                    .element_bytes = 1,
                                    .extents = &bytes,
                                    .dst = {dst, NULL},
                                    .src = {(void *)(uintptr_t)src, NULL}};
    const astride_status status = astride_copy(queue, &desc);
    return status == ASTRIDE_OK ? astride_queue_wait(queue) : status;
}

static void expect_kind(const test_fixture *fixture, void *address, astride_memory_kind kind)
{
    astride_memory_info info = {.struct_size = sizeof info};
    if (astride_memory_query(fixture->device, (char *)address + 10, &info) != ASTRIDE_OK)
        fail_msg("%s", astride_last_error());
    assert_int_equal(info.kind, kind);
    assert_ptr_equal(info.base, address);
    assert_int_equal(info.bytes, 1000);
}

static void memory_of_the_runtime_is_known(void **state)
{
    const test_fixture *fixture = *state;
    unsigned char bytes[1000], back[1000];
    void *device, *pinned, *managed;
    for (int i = 0; i < 1000; i++)
        bytes[i] = (unsigned char)(i * 3);
    assert_int_equal(hip.malloc(&device, 1000), hipSuccess);
    assert_int_equal(hip.host_malloc(&pinned, 1000, 0), hipSuccess);
    assert_int_equal(hip.malloc_managed(&managed, 1000, 1), hipSuccess);
    expect_kind(fixture, device, ASTRIDE_MEMORY_DEVICE);
    expect_kind(fixture, pinned, ASTRIDE_MEMORY_PINNED);
    expect_kind(fixture, managed, ASTRIDE_MEMORY_SHARED);
    assert_int_equal(copy_bytes(fixture->queue, device, bytes, 1000), ASTRIDE_OK);
    assert_int_equal(copy_bytes(fixture->queue, managed, device, 1000), ASTRIDE_OK);
    assert_int_equal(copy_bytes(fixture->queue, pinned, managed, 1000), ASTRIDE_OK);
    assert_int_equal(copy_bytes(fixture->queue, back, pinned, 1000), ASTRIDE_OK);
    assert_memory_equal(back, bytes, 1000);
    assert_int_equal(copy_bytes(fixture->queue, (char *)device + 1, bytes, 1000),
                     ASTRIDE_OUT_OF_BOUNDS);
    assert_int_equal(hip.free(device), hipSuccess);
    assert_int_equal(hip.host_free(pinned), hipSuccess);
    assert_int_equal(hip.free(managed), hipSuccess);
    simulated_check_rules();
}

static void import_wants_memory_of_the_device(void **state)
{
    const test_fixture *fixture = *state;
    void *device, *pinned, *address = NULL;
    assert_int_equal(hip.malloc(&device, 1000), hipSuccess);
    assert_int_equal(hip.host_malloc(&pinned, 1000, 0), hipSuccess);
    assert_int_equal(astride_memory_import(fixture->device, pinned, 1000, &address),
                     ASTRIDE_INVALID_ARGUMENT);
    assert_non_null(strstr(astride_last_error(), "is no device memory"));
    assert_int_equal(astride_memory_import(fixture->device, device, 1001, &address),
                     ASTRIDE_INVALID_ARGUMENT);
    assert_non_null(strstr(astride_last_error(), "exceed the allocation of 1000 bytes"));
    assert_int_equal(astride_memory_import(fixture->device, device, 1000, &address), ASTRIDE_OK);
    assert_ptr_equal(address, device);
    assert_int_equal(astride_memory_free(fixture->device, address), ASTRIDE_OK);
    assert_int_equal(hip.free(device), hipSuccess);
    assert_int_equal(hip.host_free(pinned), hipSuccess);
    /* The other device's. */
    assert_int_equal(hip.set_device(1), hipSuccess);
    assert_int_equal(hip.malloc(&device, 1000), hipSuccess);
    assert_int_equal(hip.set_device(0), hipSuccess);
    assert_int_equal(astride_memory_import(fixture->device, device, 1000, &address),
                     ASTRIDE_INVALID_ARGUMENT);
    assert_non_null(strstr(astride_last_error(), "memory of the device with ordinal 1, not of 0"));
    assert_int_equal(hip.free(device), hipSuccess);
}

static void streams_of_the_program_are_used_and_stay_alive(void **state)
{
    const test_fixture *fixture = *state;
    hipStream_t own = NULL;
    assert_int_equal(hip.stream_create(&own, 0), hipSuccess);
    const hipStream_t streams[] = {own, NULL, (hipStream_t)2};
    for (size_t i = 0; i < 3; i++) {
        astride_queue *queue = NULL;
        simulated_copy copy;
        assert_int_equal(astride_queue_import(fixture->device, streams[i], &queue), ASTRIDE_OK);
        simulated_prepare(&transposed, fixture->device, ASTRIDE_MEMORY_DEVICE, fixture->device,
                          ASTRIDE_MEMORY_PINNED, &copy);
        if (astride_copy(queue, &copy.desc) != ASTRIDE_OK)
            fail_msg("stream %zu: %s", i, astride_last_error());
        assert_int_equal(hip.stream_wait(streams[i]), hipSuccess);
        simulated_compare(&copy);
        simulated_discard(&copy);
        astride_queue_destroy(queue);
    }
    assert_int_equal(hip.stream_destroy(own), hipSuccess);
    simulated_check_rules();
}

static void plans_can_be_captured(void **state)
{
    static const struct {
        const simulated_layout *layout;
        astride_strategy strategy;
        astride_memory_kind src;
    } cases[] = {
        {&contiguous, ASTRIDE_STRATEGY_LINEAR, ASTRIDE_MEMORY_PINNED},
        {&rectangle, ASTRIDE_STRATEGY_RECT, ASTRIDE_MEMORY_PINNED},
        {&rectangle, ASTRIDE_STRATEGY_RECT, ASTRIDE_MEMORY_DEVICE},
        {&transposed, ASTRIDE_STRATEGY_KERNEL, ASTRIDE_MEMORY_DEVICE},
    };
    const test_fixture *fixture = *state;
    astride_queue *queue = NULL;
    hipStream_t stream = NULL;
    assert_int_equal(hip.stream_create(&stream, 1), hipSuccess);
    assert_int_equal(astride_queue_import(fixture->device, stream, &queue), ASTRIDE_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const astride_plan_options options = {.struct_size = sizeof options,
                                              .strategy = cases[i].strategy};
        simulated_copy copy;
        astride_plan *plan = NULL;
        hipGraph_t graph = NULL;
        hipGraphExec_t executable = NULL;
        simulated_prepare(cases[i].layout, fixture->device, ASTRIDE_MEMORY_DEVICE, fixture->device,
                          cases[i].src, &copy);
        if (astride_plan_create_with(fixture->device, &copy.desc, &options, &plan) != ASTRIDE_OK)
            fail_msg("%s", astride_last_error());
        sim->reset();
        assert_int_equal(hip.begin_capture(stream, 0), hipSuccess);
        if (astride_plan_run(plan, queue, copy.dst, copy.src) != ASTRIDE_OK)
            fail_msg("case %zu: %s", i, astride_last_error());
        assert_int_equal(hip.end_capture(stream, &graph), hipSuccess);
        simulated_check_rules();
        assert_int_equal(simulated_waits(), 0);
        assert_int_equal(hip.instantiate(&executable, graph, NULL, NULL, 0), hipSuccess);
        assert_int_equal(hip.launch(executable, stream), hipSuccess);
        assert_int_equal(hip.launch(executable, stream), hipSuccess);
        assert_int_equal(hip.stream_wait(stream), hipSuccess);
        simulated_compare(&copy);
        assert_int_equal(hip.exec_destroy(executable), hipSuccess);
        assert_int_equal(hip.graph_destroy(graph), hipSuccess);
        astride_plan_destroy(plan);
        simulated_discard(&copy);
    }
    astride_queue_destroy(queue);
    assert_int_equal(hip.stream_destroy(stream), hipSuccess);
}

static char *compile(const char *source, size_t *bytes_out)
{
    const char *options[] = {"--gpu-architecture=gfx90a"};
    hiprtcProgram program = NULL;
    assert_int_equal(hip.create_program(&program, source, "test", 0, NULL, NULL), HIPRTC_SUCCESS);
    assert_int_equal(hip.compile(program, 1, options), HIPRTC_SUCCESS);
    assert_int_equal(hip.code_size(program, bytes_out), HIPRTC_SUCCESS);
    char *code = malloc(*bytes_out);
    assert_non_null(code);
    assert_int_equal(hip.get_code(program, code), HIPRTC_SUCCESS);
    assert_int_equal(hip.destroy_program(&program), HIPRTC_SUCCESS);
    return code;
}

static void device_code_of_the_program_runs(void **state)
{
    static const char source[] =
        "extern \"C\" __global__ void add(int *to, int number, long more) {\n"
        "    __shared__ int turned[64];\n"
        "    turned[63 - threadIdx.x] = number + (int)more + (int)threadIdx.x;\n"
        "    __syncthreads();\n"
        "    to[blockIdx.x * 64 + threadIdx.x] = turned[threadIdx.x];\n"
        "}\n";
    const test_fixture *fixture = *state;
    const uint32_t grid[3] = {2, 1, 1}, block[3] = {64, 1, 1};
    astride_module *module = NULL;
    astride_function *function = NULL;
    void *device;
    int number = 1000, back[128];
    long more = 5;
    size_t bytes = 0;
    char *code = compile(source, &bytes);
    assert_int_equal(astride_memory_alloc(fixture->device, 512, ASTRIDE_MEMORY_DEVICE, &device),
                     ASTRIDE_OK);
    assert_int_equal(astride_module_load(fixture->device, code, bytes, &module), ASTRIDE_OK);
    assert_int_equal(astride_module_function(module, "subtract", &function), ASTRIDE_NOT_FOUND);
    assert_int_equal(astride_module_function(module, "add", &function), ASTRIDE_OK);
    void *parameters[] = {&device, &number, &more};
    assert_int_equal(astride_launch(fixture->queue, function, grid, block, 0, parameters, 3),
                     ASTRIDE_OK);
    assert_int_equal(copy_bytes(fixture->queue, back, device, 512), ASTRIDE_OK);
    for (int i = 0; i < 128; i++)
        assert_int_equal(back[i], 1005 + 63 - i % 64);
    astride_module_unload(module);
    assert_int_equal(astride_memory_free(fixture->device, device), ASTRIDE_OK);
    assert_int_equal(astride_module_load(fixture->device, "no code at all", 14, &module),
                     ASTRIDE_DRIVER_ERROR);
    assert_non_null(
        strstr(astride_last_error(), "hipModuleLoadData: hipErrorNoBinaryForGpu (209)"));
    free(code);
    simulated_check_rules();
}

static int setup(void **state)
{
    find_functions();
    return simulated_setup(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_the_runtime_is_known),
        cmocka_unit_test(import_wants_memory_of_the_device),
        cmocka_unit_test(streams_of_the_program_are_used_and_stay_alive),
        cmocka_unit_test(plans_can_be_captured),
        cmocka_unit_test(device_code_of_the_program_runs),
    };
    simulated_select();
    return cmocka_run_group_tests(tests, setup, simulated_teardown);
}
