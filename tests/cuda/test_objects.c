/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The program's own objects beside the library's: contexts, allocations, streams and captured
 * graphs of the simulated driver, and a second device.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backends/cuda/abi.h"
#include "tests/simulated/simulated.h"
#include "tests/support/fixture.h"

/* Functions of the driver that the library does not call, or not so. */
typedef struct CUgraph_st *graph;
typedef struct CUgraphExec_st *graph_exec;
static struct {
    CUresult (*context_create)(CUcontext *, unsigned int, CUdevice);
    CUresult (*context_destroy)(CUcontext);
    CUresult (*context_current)(CUcontext *);
    CUresult (*context_push)(CUcontext);
    CUresult (*context_pop)(CUcontext *);
    CUresult (*context_retain)(CUcontext *, CUdevice);
    CUresult (*context_release)(CUdevice);
    CUresult (*alloc)(CUdeviceptr *, size_t);
    CUresult (*alloc_host)(void **, size_t, unsigned int);
    CUresult (*release)(CUdeviceptr);
    CUresult (*release_host)(void *);
    CUresult (*stream_create)(CUstream *, unsigned int);
    CUresult (*stream_destroy)(CUstream);
    CUresult (*stream_wait)(CUstream);
    CUresult (*begin_capture)(CUstream, unsigned int);
    CUresult (*end_capture)(CUstream, graph *);
    CUresult (*instantiate)(graph_exec *, graph, unsigned long long);
    CUresult (*launch)(graph_exec, CUstream);
    CUresult (*graph_destroy)(graph);
    CUresult (*exec_destroy)(graph_exec);
} cu;

static void find_functions(void)
{
    static const struct {
        const char *name;
        void *slot;
    } functions[] = {
        {"cuCtxCreate_v2", &cu.context_create},
        {"cuCtxDestroy_v2", &cu.context_destroy},
        {"cuCtxGetCurrent", &cu.context_current},
        {"cuCtxPushCurrent_v2", &cu.context_push},
        {"cuCtxPopCurrent_v2", &cu.context_pop},
        {"cuDevicePrimaryCtxRetain", &cu.context_retain},
        {"cuDevicePrimaryCtxRelease_v2", &cu.context_release},
        {"cuMemAlloc_v2", &cu.alloc},
        {"cuMemHostAlloc", &cu.alloc_host},
        {"cuMemFree_v2", &cu.release},
        {"cuMemFreeHost", &cu.release_host},
        {"cuStreamCreate", &cu.stream_create},
        {"cuStreamDestroy_v2", &cu.stream_destroy},
        {"cuStreamSynchronize", &cu.stream_wait},
        {"cuStreamBeginCapture_v2", &cu.begin_capture},
        {"cuStreamEndCapture", &cu.end_capture},
        {"cuGraphInstantiateWithFlags", &cu.instantiate},
        {"cuGraphLaunch", &cu.launch},
        {"cuGraphDestroy", &cu.graph_destroy},
        {"cuGraphExecDestroy", &cu.exec_destroy},
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        *(void **)functions[i].slot = simulated_function(functions[i].name);
}

/* A transposing layout, which only kernels and staging can do within a device. */
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
/* So many that the host packs them for the bus. */
static const simulated_layout small_rows = {.rank = 2,
                                            .element_bytes = 8,
                                            .extents = {20000, 2},
                                            .dst_strides = {16, 8},
                                            .src_strides = {64, 8}};
static const simulated_layout contiguous = {
    .rank = 1, .element_bytes = 8, .extents = {100}, .dst_strides = {8}, .src_strides = {8}};

static CUcontext retain_primary(CUdevice device)
{
    CUcontext context = NULL;
    assert_int_equal(cu.context_retain(&context, device), CUDA_SUCCESS);
    return context;
}

static void current_context_of_the_program_is_restored(void **state)
{
    const test_fixture *fixture = *state;
    CUcontext own = NULL, seen = NULL;
    simulated_copy copy;
    assert_int_equal(cu.context_create(&own, 0, 1), CUDA_SUCCESS);
    simulated_prepare(&transposed, fixture->device, ASTRIDE_MEMORY_DEVICE, fixture->device,
                      ASTRIDE_MEMORY_DEVICE, &copy);
    assert_int_equal(astride_copy(fixture->queue, &copy.desc), ASTRIDE_OK);
    assert_int_equal(cu.context_current(&seen), CUDA_SUCCESS);
    assert_ptr_equal(seen, own);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    simulated_compare(&copy);
    simulated_discard(&copy);
    assert_int_equal(cu.context_current(&seen), CUDA_SUCCESS);
    assert_ptr_equal(seen, own);
    assert_int_equal(cu.context_destroy(own), CUDA_SUCCESS);
    simulated_check_rules();
}

static void memory_of_the_driver_is_known(void **state)
{
    const test_fixture *fixture = *state;
    astride_memory_info info = {.struct_size = sizeof info};
    CUdeviceptr device = 0;
    void *host = NULL;
    int outside = 0;
    assert_int_equal(cu.context_push(retain_primary(0)), CUDA_SUCCESS);
    assert_int_equal(cu.alloc(&device, 1000), CUDA_SUCCESS);
    assert_int_equal(cu.alloc_host(&host, 500, 0), CUDA_SUCCESS);
    assert_int_equal(astride_memory_query(fixture->device, (void *)(uintptr_t)(device + 10), &info),
                     ASTRIDE_OK);
    assert_int_equal(info.kind, ASTRIDE_MEMORY_DEVICE);
    assert_int_equal((uintptr_t)info.base, device);
    assert_int_equal(info.bytes, 1000);
    assert_int_equal(astride_memory_query(fixture->device, (char *)host + 7, &info), ASTRIDE_OK);
    assert_int_equal(info.kind, ASTRIDE_MEMORY_PINNED);
    assert_ptr_equal(info.base, host);
    assert_int_equal(info.bytes, 500);
    assert_int_equal(astride_memory_query(fixture->device, &outside, &info), ASTRIDE_OK);
    assert_int_equal(info.kind, ASTRIDE_MEMORY_HOST);

    memset(host, 0x5a, 500);
    astride_copy_desc desc = {.struct_size = sizeof desc,
                              .element_bytes = 500,
                              .dst = {(void *)(uintptr_t)(device + 500), NULL},
                              .src = {host, NULL}};
    assert_int_equal(astride_copy(fixture->queue, &desc), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
    const unsigned char *view = sim->view((void *)(uintptr_t)device, 1000);
    assert_non_null(view);
    assert_memory_equal(view + 500, host, 500);
    /* Out of the driver's own bounds by one byte. */
    desc.dst.base = (void *)(uintptr_t)(device + 501);
    assert_int_equal(astride_copy(fixture->queue, &desc), ASTRIDE_OUT_OF_BOUNDS);

    assert_int_equal(cu.release(device), CUDA_SUCCESS);
    assert_int_equal(cu.release_host(host), CUDA_SUCCESS);
    assert_int_equal(cu.context_pop(NULL), CUDA_SUCCESS);
    assert_int_equal(cu.context_release(0), CUDA_SUCCESS);
    simulated_check_rules();
}

static void import_wants_memory_of_the_primary_context(void **state)
{
    const test_fixture *fixture = *state;
    CUcontext own = NULL;
    CUdeviceptr mine = 0, other = 0;
    void *address = NULL;
    int outside = 0;
    assert_int_equal(cu.context_push(retain_primary(0)), CUDA_SUCCESS);
    assert_int_equal(cu.alloc(&mine, 1000), CUDA_SUCCESS);
    assert_int_equal(cu.context_pop(NULL), CUDA_SUCCESS);
    void *handle = (void *)(uintptr_t)mine;
    assert_int_equal(astride_memory_import(fixture->device, handle, 1000, &address), ASTRIDE_OK);
    assert_ptr_equal(address, handle);
    assert_int_equal(astride_memory_free(fixture->device, address), ASTRIDE_OK);
    assert_int_equal(astride_memory_import(fixture->device, handle, 1001, &address),
                     ASTRIDE_INVALID_ARGUMENT);
    assert_non_null(strstr(astride_last_error(), "exceed the allocation of 1000 bytes"));
    assert_int_equal(astride_memory_import(fixture->device, &outside, 4, &address),
                     ASTRIDE_INVALID_ARGUMENT);
    assert_non_null(strstr(astride_last_error(), "is no device memory"));
    /* In the context of another device, and in another context. */
    for (CUdevice id = 0; id < 2; id++) {
        assert_int_equal(cu.context_create(&own, 0, id), CUDA_SUCCESS);
        assert_int_equal(cu.alloc(&other, 16), CUDA_SUCCESS);
        assert_int_equal(
            astride_memory_import(fixture->device, (void *)(uintptr_t)other, 16, &address),
            ASTRIDE_INVALID_ARGUMENT);
        assert_non_null(strstr(astride_last_error(), id == 0 ? "not of the device's primary one"
                                                             : "ordinal 1, not of 0"));
        assert_int_equal(cu.context_destroy(own), CUDA_SUCCESS);
    }
    assert_int_equal(cu.context_push(retain_primary(0)), CUDA_SUCCESS);
    assert_int_equal(cu.release(mine), CUDA_SUCCESS);
    assert_int_equal(cu.context_pop(NULL), CUDA_SUCCESS);
    assert_int_equal(cu.context_release(0), CUDA_SUCCESS);
    assert_int_equal(cu.context_release(0), CUDA_SUCCESS);
    simulated_check_rules();
}

static void copy_in(astride_queue *queue, const test_fixture *fixture)
{
    simulated_copy copy;
    simulated_prepare(&rectangle, fixture->device, ASTRIDE_MEMORY_DEVICE, fixture->device,
                      ASTRIDE_MEMORY_PINNED, &copy);
    assert_int_equal(astride_copy(queue, &copy.desc), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(queue), ASTRIDE_OK);
    simulated_compare(&copy);
    simulated_discard(&copy);
}

static void default_streams_can_be_imported(void **state)
{
    const test_fixture *fixture = *state;
    for (uintptr_t handle = 0; handle <= 2; handle++) {
        astride_queue *queue = NULL;
        assert_int_equal(astride_queue_import(fixture->device, (void *)handle, &queue), ASTRIDE_OK);
        copy_in(queue, fixture);
        astride_queue_destroy(queue);
    }
    simulated_check_rules();
}

static void stream_of_the_program_is_used_and_stays_alive(void **state)
{
    const test_fixture *fixture = *state;
    astride_queue *queue = NULL;
    CUstream stream = NULL;
    CUcontext own = NULL;
    assert_int_equal(cu.context_push(retain_primary(0)), CUDA_SUCCESS);
    assert_int_equal(cu.stream_create(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    assert_int_equal(astride_queue_import(fixture->device, stream, &queue), ASTRIDE_OK);
    copy_in(queue, fixture);
    astride_queue_destroy(queue);
    assert_int_equal(cu.stream_destroy(stream), CUDA_SUCCESS);
    assert_int_equal(cu.context_pop(NULL), CUDA_SUCCESS);
    assert_int_equal(cu.context_release(0), CUDA_SUCCESS);

    assert_int_equal(cu.context_create(&own, 0, 0), CUDA_SUCCESS);
    assert_int_equal(cu.stream_create(&stream, 0), CUDA_SUCCESS);
    assert_int_equal(astride_queue_import(fixture->device, stream, &queue),
                     ASTRIDE_INVALID_ARGUMENT);
    assert_non_null(strstr(astride_last_error(), "not of the device's primary one"));
    assert_int_equal(cu.stream_destroy(stream), CUDA_SUCCESS);
    assert_int_equal(cu.context_destroy(own), CUDA_SUCCESS);
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
        {&transposed, ASTRIDE_STRATEGY_RECT_LOOP, ASTRIDE_MEMORY_DEVICE},
        {&transposed, ASTRIDE_STRATEGY_KERNEL, ASTRIDE_MEMORY_DEVICE},
        {&transposed, ASTRIDE_STRATEGY_STAGED, ASTRIDE_MEMORY_DEVICE},
        /* By way of a ring and a second stream, which takes part in the capture. */
        {&transposed, ASTRIDE_STRATEGY_STAGED, ASTRIDE_MEMORY_PINNED},
        /* Outside of a capture the host would pack. */
        {&transposed, ASTRIDE_STRATEGY_STAGED, ASTRIDE_MEMORY_HOST},
        {&small_rows, ASTRIDE_STRATEGY_AUTO, ASTRIDE_MEMORY_HOST},
    };
    const test_fixture *fixture = *state;
    astride_queue *queue = NULL;
    CUstream stream = NULL;
    assert_int_equal(cu.context_push(retain_primary(0)), CUDA_SUCCESS);
    assert_int_equal(cu.stream_create(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    assert_int_equal(astride_queue_import(fixture->device, stream, &queue), ASTRIDE_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const astride_plan_options options = {.struct_size = sizeof options,
                                              .strategy = cases[i].strategy};
        simulated_copy copy;
        astride_plan *plan = NULL;
        graph captured = NULL;
        graph_exec executable = NULL;
        simulated_prepare(cases[i].layout, fixture->device, ASTRIDE_MEMORY_DEVICE, fixture->device,
                          cases[i].src, &copy);
        if (astride_plan_create_with(fixture->device, &copy.desc, &options, &plan) != ASTRIDE_OK)
            fail_msg("%s", astride_last_error());
        sim->reset();
        assert_int_equal(cu.begin_capture(stream, 0), CUDA_SUCCESS);
        if (astride_plan_run(plan, queue, copy.dst, copy.src) != ASTRIDE_OK)
            fail_msg("case %zu: %s", i, astride_last_error());
        assert_int_equal(cu.end_capture(stream, &captured), CUDA_SUCCESS);
        simulated_check_rules();
        assert_int_equal(simulated_waits(), 0);
        assert_int_equal(cu.instantiate(&executable, captured, 0), CUDA_SUCCESS);
        assert_int_equal(cu.launch(executable, stream), CUDA_SUCCESS);
        assert_int_equal(cu.stream_wait(stream), CUDA_SUCCESS);
        simulated_compare(&copy);
        assert_int_equal(cu.exec_destroy(executable), CUDA_SUCCESS);
        assert_int_equal(cu.graph_destroy(captured), CUDA_SUCCESS);
        astride_plan_destroy(plan);
        simulated_discard(&copy);
    }
    astride_queue_destroy(queue);
    assert_int_equal(cu.stream_destroy(stream), CUDA_SUCCESS);
    assert_int_equal(cu.context_pop(NULL), CUDA_SUCCESS);
    assert_int_equal(cu.context_release(0), CUDA_SUCCESS);
}

/* A host call would be made at each launch of the graph, with an argument that the first one frees.
 */
static void copy_by_the_host_is_refused_in_a_capture(void **state)
{
    const test_fixture *fixture = *state;
    const astride_plan_options options = {.struct_size = sizeof options,
                                          .strategy = ASTRIDE_STRATEGY_HOST};
    simulated_copy copy;
    astride_plan *plan = NULL;
    astride_queue *queue = NULL;
    CUstream stream = NULL;
    graph captured = NULL;
    assert_int_equal(cu.context_push(retain_primary(0)), CUDA_SUCCESS);
    assert_int_equal(cu.stream_create(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    assert_int_equal(astride_queue_import(fixture->device, stream, &queue), ASTRIDE_OK);
    simulated_prepare(&transposed, fixture->device, ASTRIDE_MEMORY_PINNED, fixture->device,
                      ASTRIDE_MEMORY_PINNED, &copy);
    assert_int_equal(astride_plan_create_with(fixture->device, &copy.desc, &options, &plan),
                     ASTRIDE_OK);
    assert_int_equal(cu.begin_capture(stream, 0), CUDA_SUCCESS);
    assert_int_equal(astride_plan_run(plan, queue, copy.dst, copy.src), ASTRIDE_UNSUPPORTED);
    /* Destroying the queue leaves the capture alone. */
    astride_queue_destroy(queue);
    assert_int_equal(cu.end_capture(stream, &captured), CUDA_SUCCESS);
    assert_int_equal(cu.graph_destroy(captured), CUDA_SUCCESS);
    astride_plan_destroy(plan);
    simulated_discard(&copy);
    assert_int_equal(cu.stream_destroy(stream), CUDA_SUCCESS);
    assert_int_equal(cu.context_pop(NULL), CUDA_SUCCESS);
    assert_int_equal(cu.context_release(0), CUDA_SUCCESS);
    simulated_check_rules();
}

static void memory_of_another_device_is_copied_natively(void **state)
{
    static const struct {
        const simulated_layout *layout;
        const char *call;
    } cases[] = {{&contiguous, "cuMemcpyPeerAsync"},
                 {&rectangle, "cuMemcpy3DPeerAsync"},
                 {&transposed, NULL}};
    const test_fixture *fixture = *state;
    astride_device *other = NULL;
    assert_int_equal(astride_device_open("cuda:1", &other), ASTRIDE_OK);
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const bool from_other = i % 2 != 0;
        simulated_copy copy;
        simulated_prepare(cases[i / 2].layout, from_other ? fixture->device : other,
                          ASTRIDE_MEMORY_DEVICE, from_other ? other : fixture->device,
                          ASTRIDE_MEMORY_DEVICE, &copy);
        sim->reset();
        if (astride_copy(fixture->queue, &copy.desc) != ASTRIDE_OK)
            fail_msg("%s", astride_last_error());
        if (cases[i / 2].call != NULL) {
            assert_int_equal(sim->count(cases[i / 2].call), 1);
            assert_int_equal(simulated_work(), 1);
        }
        assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
        simulated_check_rules();
        simulated_compare(&copy);
        simulated_discard(&copy);
    }
    astride_device_close(other);
}

/* A plan for memory of this device is none for that of another, and the other way round. */
static void plan_distinguishes_memory_of_another_device(void **state)
{
    const test_fixture *fixture = *state;
    astride_device *other = NULL;
    astride_plan *plan = NULL;
    simulated_copy here, there;
    assert_int_equal(astride_device_open("cuda:1", &other), ASTRIDE_OK);
    simulated_prepare(&transposed, fixture->device, ASTRIDE_MEMORY_DEVICE, fixture->device,
                      ASTRIDE_MEMORY_DEVICE, &here);
    simulated_prepare(&transposed, other, ASTRIDE_MEMORY_DEVICE, fixture->device,
                      ASTRIDE_MEMORY_DEVICE, &there);
    assert_int_equal(astride_plan_create(fixture->device, &here.desc, &plan), ASTRIDE_OK);
    assert_int_equal(astride_plan_run(plan, fixture->queue, there.dst, there.src),
                     ASTRIDE_PLAN_MISMATCH);
    assert_non_null(strstr(astride_last_error(), "dst: planned for memory of the plan's device"));
    astride_plan_destroy(plan);
    simulated_discard(&here);
    simulated_discard(&there);
    astride_device_close(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(current_context_of_the_program_is_restored),
        cmocka_unit_test(memory_of_the_driver_is_known),
        cmocka_unit_test(import_wants_memory_of_the_primary_context),
        cmocka_unit_test(default_streams_can_be_imported),
        cmocka_unit_test(stream_of_the_program_is_used_and_stays_alive),
        cmocka_unit_test(plans_can_be_captured),
        cmocka_unit_test(copy_by_the_host_is_refused_in_a_capture),
        cmocka_unit_test(memory_of_another_device_is_copied_natively),
        cmocka_unit_test(plan_distinguishes_memory_of_another_device),
    };
    /* So that staged copies take several blocks. */
    setenv("ASTRIDE_STAGING_BYTES", "4096", 1);
    simulated_select();
    find_functions();
    return cmocka_run_group_tests(tests, simulated_setup, simulated_teardown);
}
