/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Streams of the simulated driver: work is late until somebody waits, dependencies are kept, and a
 * missing one shows. Capture, and what it forbids.
 */
#include "tests/simulators/cuda/testing.h"

enum { BYTES = 64 };

static unsigned char seen(CUdeviceptr address)
{
    return *(unsigned char *)astride_sim_get()->view((const void *)(uintptr_t)address, 1);
}

static void work_is_late_until_somebody_waits(void **state)
{
    CUdeviceptr a;
    CUstream stream;
    (void)state;
    assert_done(cuMemAlloc_v2(&a, BYTES));
    assert_done(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    assert_done(cuMemsetD8Async(a, 0x42, BYTES, stream));
    assert_int_equal(seen(a), 0xa5);
    assert_cuda(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
    assert_done(cuStreamSynchronize(stream));
    assert_int_equal(seen(a), 0x42);
    assert_done(cuStreamQuery(stream));
    assert_done(cuStreamDestroy_v2(stream));
    assert_done(cuMemFree_v2(a));
}

static void an_event_orders_two_streams_and_its_lack_shows(void **state)
{
    CUdeviceptr a, b;
    CUstream first, second;
    CUevent event;
    (void)state;
    assert_done(cuMemAlloc_v2(&a, BYTES));
    assert_done(cuMemAlloc_v2(&b, BYTES));
    assert_done(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
    assert_done(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
    assert_done(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    assert_done(cuEventQuery(event));

    assert_done(cuMemsetD8Async(a, 0x42, BYTES, first));
    assert_done(cuEventRecord(event, first));
    assert_done(cuMemcpyDtoDAsync_v2(b, a, BYTES, second)); /* without the event */
    assert_done(cuStreamSynchronize(second));
    assert_int_equal(seen(b), 0xa5);
    assert_cuda(CUDA_ERROR_NOT_READY, cuEventQuery(event));

    assert_done(cuStreamWaitEvent(second, event, 0));
    assert_done(cuMemcpyDtoDAsync_v2(b, a, BYTES, second));
    assert_done(cuStreamSynchronize(second));
    assert_int_equal(seen(b), 0x42);
    assert_done(cuEventQuery(event));

    assert_done(cuEventDestroy_v2(event));
    assert_done(cuStreamDestroy_v2(first));
    assert_done(cuStreamDestroy_v2(second));
    assert_done(cuMemFree_v2(a));
    assert_done(cuMemFree_v2(b));
}

static void the_legacy_stream_waits_for_blocking_ones_only(void **state)
{
    CUdeviceptr a, b;
    CUstream blocking, other;
    (void)state;
    assert_done(cuMemAlloc_v2(&a, BYTES));
    assert_done(cuMemAlloc_v2(&b, BYTES));
    assert_done(cuStreamCreate(&blocking, 0));
    assert_done(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    assert_done(cuMemsetD8Async(a, 0x42, BYTES, blocking));
    assert_done(cuMemsetD8Async(b, 0x42, BYTES, other));
    assert_done(cuMemsetD8Async(a, 0x43, 1, NULL));
    assert_done(cuStreamSynchronize(CU_STREAM_LEGACY));
    assert_int_equal(seen(a), 0x43);
    assert_int_equal(seen(a + 1), 0x42);
    assert_int_equal(seen(b), 0xa5);
    assert_done(cuCtxSynchronize());
    assert_int_equal(seen(b), 0x42);
    assert_done(cuStreamDestroy_v2(blocking));
    assert_done(cuStreamDestroy_v2(other));
    assert_done(cuMemFree_v2(a));
    assert_done(cuMemFree_v2(b));
}

static void pageable_memory_is_read_at_once_and_pinned_memory_late(void **state)
{
    unsigned char pageable[BYTES];
    void *memory;
    CUdeviceptr a, b;
    CUstream stream;
    (void)state;
    assert_done(cuMemAlloc_v2(&a, BYTES));
    assert_done(cuMemAlloc_v2(&b, BYTES));
    assert_done(cuMemHostAlloc(&memory, BYTES, 0));
    assert_done(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    memset(pageable, 1, BYTES);
    memset(memory, 1, BYTES);
    assert_done(cuMemcpyHtoDAsync_v2(a, pageable, BYTES, stream));
    assert_done(cuMemcpyHtoDAsync_v2(b, memory, BYTES, stream));
    memset(pageable, 2, BYTES);
    memset(memory, 2, BYTES);
    assert_done(cuStreamSynchronize(stream));
    assert_int_equal(seen(a), 1);
    assert_int_equal(seen(b), 2);
    assert_done(cuStreamDestroy_v2(stream));
    assert_done(cuMemFreeHost(memory));
    assert_done(cuMemFree_v2(a));
    assert_done(cuMemFree_v2(b));
}

static void freeing_pinned_memory_under_a_copy_loses_the_device(void **state)
{
    void *memory;
    CUdeviceptr a, other;
    CUstream stream;
    (void)state;
    assert_done(cuMemAlloc_v2(&a, BYTES));
    assert_done(cuMemHostAlloc(&memory, BYTES, 0));
    assert_done(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    assert_done(cuMemcpyHtoDAsync_v2(a, memory, BYTES, stream));
    assert_done(cuMemFreeHost(memory));
    assert_cuda(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(stream));
    assert_int_equal(astride_sim_get()->broken_rules(), 1);
    assert_cuda(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc_v2(&other, 1));
    assert_cuda(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemFree_v2(a));
    assert_done(cuStreamDestroy_v2(stream));
}

static void a_captured_stream_runs_when_its_graph_is_launched(void **state)
{
    CUdeviceptr a;
    CUstream stream;
    CUgraph graph;
    CUgraphExec executable;
    CUstreamCaptureStatus status;
    size_t nodes = 0;
    (void)state;
    assert_done(cuMemAlloc_v2(&a, BYTES));
    assert_done(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    assert_done(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    assert_done(cuStreamIsCapturing(stream, &status));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    assert_done(cuMemsetD8Async(a, 0x42, BYTES, stream));
    assert_done(cuStreamEndCapture(stream, &graph));
    assert_done(cuGraphGetNodes(graph, NULL, &nodes));
    assert_int_equal(nodes, 1);
    assert_done(cuGraphInstantiateWithFlags(&executable, graph, 0));
    assert_done(cuGraphDestroy(graph));
    assert_done(cuStreamSynchronize(stream));
    assert_int_equal(seen(a), 0xa5);
    assert_done(cuGraphLaunch(executable, stream));
    assert_done(cuStreamSynchronize(stream));
    assert_int_equal(seen(a), 0x42);
    assert_done(cuGraphExecDestroy(executable));
    assert_done(cuStreamDestroy_v2(stream));
    assert_done(cuMemFree_v2(a));
}

typedef CUresult (*forbidden)(CUdeviceptr address, CUstream stream, CUevent event);

static CUresult allocates(CUdeviceptr address, CUstream stream, CUevent event)
{
    (void)address, (void)stream, (void)event;
    return cuMemAlloc_v2(&address, 1);
}

static CUresult synchronizes(CUdeviceptr address, CUstream stream, CUevent event)
{
    (void)address, (void)event;
    return cuStreamSynchronize(stream);
}

static CUresult queries(CUdeviceptr address, CUstream stream, CUevent event)
{
    (void)address, (void)stream;
    return cuEventQuery(event);
}

static CUresult waits_for_all(CUdeviceptr address, CUstream stream, CUevent event)
{
    (void)address, (void)stream, (void)event;
    return cuCtxSynchronize();
}

static CUresult waits_outside(CUdeviceptr address, CUstream stream, CUevent event)
{
    (void)address;
    return cuStreamWaitEvent(stream, event, 0);
}

static CUresult uses_the_legacy_stream(CUdeviceptr address, CUstream stream, CUevent event)
{
    (void)stream, (void)event;
    return cuMemsetD8Async(address, 0, 1, NULL);
}

static void what_a_capture_forbids_breaks_it(void **state)
{
    static const struct {
        forbidden call;
        CUresult code;
    } cases[] = {{allocates, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED},
                 {synchronizes, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED},
                 {queries, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED},
                 {waits_for_all, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED},
                 {waits_outside, CUDA_ERROR_STREAM_CAPTURE_ISOLATION},
                 {uses_the_legacy_stream, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT}};
    CUdeviceptr a;
    CUstream stream;
    CUevent event;
    CUgraph graph;
    (void)state;
    assert_done(cuMemAlloc_v2(&a, BYTES));
    assert_done(cuStreamCreate(&stream, 0));
    assert_done(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_done(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
        assert_cuda(cases[i].code, cases[i].call(a, stream, event));
        assert_cuda(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuMemsetD8Async(a, 0, 1, stream));
        assert_cuda(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
        assert_null(graph);
    }
    assert_done(cuEventDestroy_v2(event));
    assert_done(cuStreamDestroy_v2(stream));
    assert_done(cuMemFree_v2(a));
}

static void a_fork_of_a_capture_must_be_joined(void **state)
{
    CUdeviceptr a;
    CUstream origin, branch;
    CUevent event;
    CUgraph graph;
    (void)state;
    assert_done(cuMemAlloc_v2(&a, BYTES));
    assert_done(cuStreamCreate(&origin, CU_STREAM_NON_BLOCKING));
    assert_done(cuStreamCreate(&branch, CU_STREAM_NON_BLOCKING));
    assert_done(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    for (int joined = 0; joined < 2; joined++) {
        assert_done(cuStreamBeginCapture_v2(origin, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
        assert_done(cuEventRecord(event, origin));
        assert_done(cuStreamWaitEvent(branch, event, 0));
        assert_done(cuMemsetD8Async(a, 0, 1, branch));
        if (joined != 0) {
            assert_done(cuEventRecord(event, branch));
            assert_done(cuStreamWaitEvent(origin, event, 0));
        }
        assert_cuda(joined != 0 ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
                    cuStreamEndCapture(origin, &graph));
    }
    assert_done(cuGraphDestroy(graph));
    assert_done(cuEventDestroy_v2(event));
    assert_done(cuStreamDestroy_v2(origin));
    assert_done(cuStreamDestroy_v2(branch));
    assert_done(cuMemFree_v2(a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        driver_test(work_is_late_until_somebody_waits),
        driver_test(an_event_orders_two_streams_and_its_lack_shows),
        driver_test(the_legacy_stream_waits_for_blocking_ones_only),
        driver_test(pageable_memory_is_read_at_once_and_pinned_memory_late),
        driver_test(freeing_pinned_memory_under_a_copy_loses_the_device),
        driver_test(a_captured_stream_runs_when_its_graph_is_launched),
        driver_test(what_a_capture_forbids_breaks_it),
        driver_test(a_fork_of_a_capture_must_be_joined),
    };
    return cmocka_run_group_tests_name("streams of the simulated CUDA driver", tests, NULL, NULL);
}
