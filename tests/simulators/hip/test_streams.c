/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Streams of the simulated runtime: work is late until somebody waits, dependencies are kept, and a
 * missing one shows. Host functions, capture, and what it forbids.
 */
#include "tests/simulators/hip/testing.h"

enum { BYTES = 64, NON_BLOCKING = 1, DISABLE_TIMING = 2, GLOBAL_MODE = 0 };

typedef struct pair {
    unsigned char *a, *b;
    hipStream_t first, second;
    hipEvent_t event;
} pair;

static pair make_pair(unsigned flags_of_first)
{
    pair p;
    void *address;
    assert_done(hipMalloc(&address, BYTES));
    p.a = address;
    assert_done(hipMalloc(&address, BYTES));
    p.b = address;
    assert_done(hipStreamCreateWithFlags(&p.first, flags_of_first));
    assert_done(hipStreamCreateWithFlags(&p.second, NON_BLOCKING));
    assert_done(hipEventCreateWithFlags(&p.event, DISABLE_TIMING));
    return p;
}

static void drop_pair(const pair *p)
{
    assert_done(hipEventDestroy(p->event));
    assert_done(hipStreamDestroy(p->first));
    assert_done(hipStreamDestroy(p->second));
    assert_done(hipFree(p->a));
    assert_done(hipFree(p->b));
}

static void work_is_late_until_somebody_waits(void **state)
{
    const pair p = make_pair(NON_BLOCKING);
    (void)state;
    assert_done(hipMemsetD8Async(p.a, 0x42, BYTES, p.first));
    assert_int_equal(seen(p.a), 0xa5);
    assert_hip(hipErrorNotReady, hipStreamQuery(p.first));
    assert_done(hipStreamSynchronize(p.first));
    assert_int_equal(seen(p.a), 0x42);
    assert_done(hipStreamQuery(p.first));
    drop_pair(&p);
}

static void an_event_orders_two_streams_and_its_lack_shows(void **state)
{
    const pair p = make_pair(NON_BLOCKING);
    (void)state;
    assert_done(hipEventQuery(p.event));
    assert_done(hipMemsetD8Async(p.a, 0x42, BYTES, p.first));
    assert_done(hipEventRecord(p.event, p.first));
    /* Without the event. */
    assert_done(hipMemcpyAsync(p.b, p.a, BYTES, hipMemcpyDeviceToDevice, p.second));
    assert_done(hipStreamSynchronize(p.second));
    assert_int_equal(seen(p.b), 0xa5);
    assert_hip(hipErrorNotReady, hipEventQuery(p.event));

    assert_done(hipStreamWaitEvent(p.second, p.event, 0));
    assert_done(hipMemcpyAsync(p.b, p.a, BYTES, hipMemcpyDeviceToDevice, p.second));
    assert_done(hipStreamSynchronize(p.second));
    assert_int_equal(seen(p.b), 0x42);
    assert_done(hipEventQuery(p.event));
    drop_pair(&p);
}

static void an_event_can_be_waited_for(void **state)
{
    const pair p = make_pair(NON_BLOCKING);
    (void)state;
    assert_done(hipMemsetD8Async(p.a, 0x42, BYTES, p.first));
    assert_done(hipEventRecord(p.event, p.first));
    assert_done(hipMemsetD8Async(p.b, 0x42, BYTES, p.first));
    assert_done(hipEventSynchronize(p.event));
    assert_int_equal(seen(p.a), 0x42);
    assert_int_equal(seen(p.b), 0xa5);
    drop_pair(&p);
}

static void the_null_stream_waits_for_blocking_ones_only(void **state)
{
    const pair p = make_pair(0);
    (void)state;
    assert_done(hipMemsetD8Async(p.a, 0x42, BYTES, p.first));
    assert_done(hipMemsetD8Async(p.b, 0x42, BYTES, p.second));
    assert_done(hipMemsetD8Async(p.a, 0x43, 1, NULL));
    assert_done(hipStreamSynchronize(NULL));
    assert_int_equal(seen(p.a), 0x43);
    assert_int_equal(seen(p.a + 1), 0x42);
    assert_int_equal(seen(p.b), 0xa5);
    assert_done(hipDeviceSynchronize());
    assert_int_equal(seen(p.b), 0x42);
    drop_pair(&p);
}

/* "If host or dest are not pinned, the memory copy will be performed synchronously." */
static void pageable_memory_is_read_at_once_and_pinned_memory_late(void **state)
{
    unsigned char pageable[BYTES];
    void *pinned;
    const pair p = make_pair(NON_BLOCKING);
    (void)state;
    assert_done(hipHostMalloc(&pinned, BYTES, 0));
    memset(pageable, 1, BYTES);
    memset(pinned, 1, BYTES);
    assert_done(hipMemcpyAsync(p.a, pageable, BYTES, hipMemcpyHostToDevice, p.first));
    assert_done(hipMemcpyAsync(p.b, pinned, BYTES, hipMemcpyHostToDevice, p.first));
    memset(pageable, 2, BYTES);
    memset(pinned, 2, BYTES);
    assert_done(hipStreamSynchronize(p.first));
    assert_int_equal(seen(p.a), 1);
    assert_int_equal(seen(p.b), 2);
    assert_done(hipHostFree(pinned));
    drop_pair(&p);
}

static void freeing_pinned_memory_under_a_copy_loses_the_device(void **state)
{
    void *pinned, *a, *other;
    hipStream_t stream;
    (void)state;
    take_device();
    assert_done(hipMalloc(&a, BYTES));
    assert_done(hipHostMalloc(&pinned, BYTES, 0));
    assert_done(hipStreamCreateWithFlags(&stream, NON_BLOCKING));
    assert_done(hipMemcpyAsync(a, pinned, BYTES, hipMemcpyHostToDevice, stream));
    assert_done(hipHostFree(pinned));
    assert_hip(hipErrorIllegalAddress, hipStreamSynchronize(stream));
    assert_int_equal(astride_sim_get()->broken_rules(), 1);
    assert_hip(hipErrorIllegalAddress, hipMalloc(&other, 1));
    /* Given back all the same. */
    assert_hip(hipErrorIllegalAddress, hipFree(a));
    assert_done(hipStreamDestroy(stream));
}

static void count_up(void *argument)
{
    ++*(int *)argument;
}

static void count_up_in(hipStream_t stream, hipError_t result, void *argument)
{
    if (stream != NULL && result == hipSuccess)
        ++*(int *)argument;
}

static void functions_run_in_their_turn(void **state)
{
    int count = 0;
    const pair p = make_pair(NON_BLOCKING);
    (void)state;
    assert_done(hipLaunchHostFunc(p.first, count_up, &count));
    assert_done(hipStreamAddCallback(p.first, count_up_in, &count, 0));
    assert_int_equal(count, 0);
    assert_done(hipStreamSynchronize(p.first));
    assert_int_equal(count, 2);
    assert_hip(hipErrorInvalidValue, hipLaunchHostFunc(p.first, NULL, &count));
    assert_hip(hipErrorInvalidValue, hipStreamAddCallback(p.first, count_up_in, &count, 1));
    drop_pair(&p);
}

static void a_captured_stream_runs_when_its_graph_is_launched(void **state)
{
    hipGraph_t graph;
    hipGraphExec_t executable;
    int status = -1;
    const pair p = make_pair(NON_BLOCKING);
    (void)state;
    assert_done(hipStreamBeginCapture(p.first, GLOBAL_MODE));
    assert_done(hipStreamIsCapturing(p.first, &status));
    assert_int_equal(status, hipStreamCaptureStatusActive);
    assert_done(hipMemsetD8Async(p.a, 0x42, BYTES, p.first));
    assert_done(hipStreamEndCapture(p.first, &graph));
    assert_done(hipGraphInstantiate(&executable, graph, NULL, NULL, 0));
    assert_done(hipGraphDestroy(graph));
    assert_done(hipStreamSynchronize(p.first));
    assert_int_equal(seen(p.a), 0xa5);
    assert_done(hipGraphLaunch(executable, p.first));
    assert_done(hipStreamSynchronize(p.first));
    assert_int_equal(seen(p.a), 0x42);
    assert_done(hipGraphExecDestroy(executable));
    drop_pair(&p);
}

typedef hipError_t (*forbidden)(const pair *p);

static hipError_t allocates(const pair *p)
{
    void *address;
    (void)p;
    return hipMalloc(&address, 1);
}

static hipError_t synchronizes(const pair *p)
{
    return hipStreamSynchronize(p->first);
}

static hipError_t queries(const pair *p)
{
    return hipEventQuery(p->event);
}

static hipError_t waits_for_all(const pair *p)
{
    (void)p;
    return hipDeviceSynchronize();
}

static hipError_t calls_back(const pair *p)
{
    return hipStreamAddCallback(p->first, count_up_in, NULL, 0);
}

static hipError_t records(const pair *p)
{
    return hipEventRecord(p->event, p->first);
}

static void what_a_capture_forbids_breaks_it(void **state)
{
    static const forbidden cases[] = {allocates,     synchronizes, queries,
                                      waits_for_all, calls_back,   records};
    const pair p = make_pair(0);
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        hipGraph_t graph = (hipGraph_t)(uintptr_t)8;
        int status = -1;
        assert_done(hipStreamBeginCapture(p.first, GLOBAL_MODE));
        assert_hip(hipErrorStreamCaptureUnsupported, cases[i](&p));
        assert_done(hipStreamIsCapturing(p.first, &status));
        assert_int_equal(status, hipStreamCaptureStatusInvalidated);
        assert_hip(hipErrorStreamCaptureInvalidated, hipMemsetD8Async(p.a, 0, 1, p.first));
        assert_hip(hipErrorStreamCaptureInvalidated, hipStreamEndCapture(p.first, &graph));
        assert_null(graph);
    }
    drop_pair(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        runtime_test(work_is_late_until_somebody_waits),
        runtime_test(an_event_orders_two_streams_and_its_lack_shows),
        runtime_test(an_event_can_be_waited_for),
        runtime_test(the_null_stream_waits_for_blocking_ones_only),
        runtime_test(pageable_memory_is_read_at_once_and_pinned_memory_late),
        runtime_test(freeing_pinned_memory_under_a_copy_loses_the_device),
        runtime_test(functions_run_in_their_turn),
        runtime_test(a_captured_stream_runs_when_its_graph_is_launched),
        runtime_test(what_a_capture_forbids_breaks_it),
    };
    return cmocka_run_group_tests_name("streams of the simulated HIP runtime", tests, NULL, NULL);
}
