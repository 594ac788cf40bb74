/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Streams of the simulated runtime, host functions in them, and their capture into graphs.
 */
#include <stdlib.h>

#include "tests/simulators/hip/runtime.h"

#define PER_THREAD ((hipStream_t)2)
enum { NON_BLOCKING = 1, MODE_RELAXED = 2 };

static bool alive(const void *handle)
{
    return sim_handle_alive(SIM_HANDLE_STREAM, handle);
}

/* The null stream is the current device's. */
int hip_stream(hipStream_t handle, sim_stream **stream_out)
{
    sim_stream *stream = (sim_stream *)handle;
    if (handle == NULL)
        stream = sim_stream_legacy(hip_current());
    else if (handle == PER_THREAD)
        stream = sim_stream_of_thread(hip_current());
    else if (!alive(handle))
        return sim_refuse(hipErrorInvalidHandle, "no stream has the handle %p", (void *)handle);
    if (stream == NULL)
        return hipErrorOutOfMemory;
    *stream_out = stream;
    return hipSuccess;
}

/* Work goes to the stream's device; that it is the current one too is what portable programs do. */
int hip_work_stream(hipStream_t handle, sim_stream **stream_out)
{
    const int result = hip_stream(handle, stream_out);
    if (result == hipSuccess && (*stream_out)->context != hip_current())
        return sim_refuse(hipErrorInvalidHandle, "the stream is of another device");
    if (result == hipSuccess && (*stream_out)->capture != NULL && (*stream_out)->capture->invalid)
        return hipErrorStreamCaptureInvalidated;
    return result;
}

static int create(hipStream_t *stream_out, unsigned flags)
{
    if (stream_out == NULL || (flags & ~(unsigned)NON_BLOCKING) != 0)
        return sim_refuse(hipErrorInvalidValue, "stream is NULL or flags 0x%x are wrong", flags);
    sim_stream *stream = sim_stream_create(hip_current(), (flags & NON_BLOCKING) == 0);
    if (stream == NULL)
        return hipErrorOutOfMemory;
    stream->flags = flags;
    sim_handle_add(SIM_HANDLE_STREAM, stream);
    sim_alive.streams++;
    *stream_out = (hipStream_t)stream;
    return hipSuccess;
}

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags)
{
    RETURN_CALL(NEEDS_DEVICE, create(stream, flags));
}

static int destroy(hipStream_t handle)
{
    if (!alive(handle))
        return sim_refuse(hipErrorInvalidHandle, "%p is no stream that can be destroyed",
                          (void *)handle);
    sim_handle_forget(SIM_HANDLE_STREAM, handle);
    sim_alive.streams--;
    sim_stream_close((sim_stream *)handle);
    return hipSuccess;
}

hipError_t hipStreamDestroy(hipStream_t stream)
{
    RETURN_CALL(GIVES_BACK, destroy(stream));
}

static int synchronize(hipStream_t handle)
{
    sim_stream *stream = NULL;
    int result = hip_stream(handle, &stream);
    if (result == hipSuccess)
        result = sim_capture_forbids_stream(stream);
    if (result != hipSuccess)
        return result;
    sim_context *context = stream->context;
    sim_stream_wait(stream);
    return context->lost;
}

hipError_t hipStreamSynchronize(hipStream_t stream)
{
    RETURN_CALL(NEEDS_DEVICE, synchronize(stream));
}

static int query(hipStream_t handle)
{
    sim_stream *stream = NULL;
    int result = hip_stream(handle, &stream);
    if (result == hipSuccess)
        result = sim_capture_forbids_stream(stream);
    if (result != hipSuccess || stream->context->lost != 0)
        return result != hipSuccess ? result : stream->context->lost;
    return stream->done == stream->enqueued ? hipSuccess : hipErrorNotReady;
}

hipError_t hipStreamQuery(hipStream_t stream)
{
    RETURN_CALL(NEEDS_DEVICE, query(stream));
}

/* A function of the program's, on some thread of the runtime's; one of the two forms is set. */
typedef struct host_call {
    hipHostFn_t function;
    hipStreamCallback_t callback;
    hipStream_t stream;
    void *argument;
} host_call;

static int run_host_call(void *argument)
{
    const host_call *call = argument;
    if (call->function != NULL)
        call->function(call->argument);
    else
        call->callback(call->stream, hipSuccess, call->argument);
    return hipSuccess;
}

static int launch_host(host_call wanted)
{
    sim_stream *stream = NULL;
    const int result = hip_work_stream(wanted.stream, &stream);
    if (result != hipSuccess)
        return result;
    if (wanted.function == NULL && wanted.callback == NULL)
        return sim_refuse(hipErrorInvalidValue, "the function is NULL");
    host_call *call = malloc(sizeof(*call));
    if (call == NULL)
        return hipErrorOutOfMemory;
    *call = wanted;
    return sim_stream_add(
        stream, sim_task_timed("function", stream, 0, (sim_work){run_host_call, free, call}));
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *argument)
{
    RETURN_CALL(NEEDS_DEVICE, launch_host((host_call){function, NULL, stream, argument}));
}

static int add_callback(host_call wanted, unsigned flags)
{
    sim_stream *stream = NULL;
    const int result = hip_work_stream(wanted.stream, &stream);
    if (result != hipSuccess)
        return result;
    if (flags != 0)
        return sim_refuse(hipErrorInvalidValue, "flags %u are not 0", flags);
    if (stream->capture != NULL) {
        stream->capture->invalid = true;
        return sim_refuse(hipErrorStreamCaptureUnsupported, "a callback in a captured stream");
    }
    return launch_host(wanted);
}

hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void *argument,
                                unsigned flags)
{
    RETURN_CALL(NEEDS_DEVICE, add_callback((host_call){NULL, callback, stream, argument}, flags));
}

static int is_capturing(hipStream_t handle, int *state)
{
    sim_stream *stream = NULL;
    const int result = hip_stream(handle, &stream);
    if (result != hipSuccess)
        return result;
    if (state == NULL)
        return sim_refuse(hipErrorInvalidValue, "pCaptureStatus is NULL");
    *state = stream->capture == NULL    ? hipStreamCaptureStatusNone
             : stream->capture->invalid ? hipStreamCaptureStatusInvalidated
                                        : hipStreamCaptureStatusActive;
    return hipSuccess;
}

hipError_t hipStreamIsCapturing(hipStream_t stream, int *state)
{
    RETURN_CALL(NEEDS_DEVICE, is_capturing(stream, state));
}

static int begin_capture(hipStream_t handle, int mode)
{
    sim_stream *stream = NULL;
    const int result = hip_stream(handle, &stream);
    if (result != hipSuccess)
        return result;
    if (mode < 0 || mode > MODE_RELAXED || stream->legacy || stream->capture != NULL)
        return sim_refuse(hipErrorIllegalState, "the stream cannot be captured in mode %d", mode);
    return sim_capture_start(stream, mode);
}

hipError_t hipStreamBeginCapture(hipStream_t stream, int mode)
{
    RETURN_CALL(NEEDS_DEVICE, begin_capture(stream, mode));
}

/* What a graph and an executable graph are: handles of their own to what was captured. */
typedef struct graph_handle {
    sim_graph *graph;
} graph_handle;

static int make_handle(sim_handle_kind kind, sim_graph *graph, void **handle_out)
{
    graph_handle *h = malloc(sizeof(*h));
    if (h == NULL) {
        sim_graph_drop(graph);
        return hipErrorOutOfMemory;
    }
    h->graph = graph;
    sim_handle_add(kind, h);
    sim_alive.graphs++;
    *handle_out = h;
    return hipSuccess;
}

static int end_capture(hipStream_t handle, hipGraph_t *graph_out)
{
    sim_stream *stream = NULL;
    sim_graph *graph = NULL;
    void *h = NULL;
    int result = hip_stream(handle, &stream);
    if (result != hipSuccess)
        return result;
    if (graph_out == NULL || stream->capture == NULL)
        return sim_refuse(hipErrorIllegalState, "pGraph is NULL, or the stream is not captured");
    result = sim_capture_stop(stream, &graph);
    if (result == hipSuccess)
        result = make_handle(SIM_HANDLE_GRAPH, graph, &h);
    *graph_out = h;
    return result;
}

hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph)
{
    RETURN_CALL(NEEDS_DEVICE, end_capture(stream, graph));
}

static int instantiate(hipGraphExec_t *executable_out, hipGraph_t graph)
{
    void *h = NULL;
    if (executable_out == NULL || !sim_handle_alive(SIM_HANDLE_GRAPH, graph))
        return sim_refuse(hipErrorInvalidValue, "%p is no graph", (void *)graph);
    sim_graph *captured = ((graph_handle *)(void *)graph)->graph;
    captured->references++;
    const int result = make_handle(SIM_HANDLE_EXECUTABLE, captured, &h);
    *executable_out = h;
    return result;
}

hipError_t hipGraphInstantiate(hipGraphExec_t *executable, hipGraph_t graph, void *error_node,
                               char *log, size_t log_bytes)
{
    (void)error_node, (void)log, (void)log_bytes;
    RETURN_CALL(NEEDS_DEVICE, instantiate(executable, graph));
}

static int launch_graph(hipGraphExec_t executable, hipStream_t handle)
{
    sim_stream *stream = NULL;
    if (!sim_handle_alive(SIM_HANDLE_EXECUTABLE, executable))
        return sim_refuse(hipErrorInvalidValue, "%p is no executable graph", (void *)executable);
    const int result = hip_work_stream(handle, &stream);
    if (result != hipSuccess)
        return result;
    return sim_graph_launch(((graph_handle *)(void *)executable)->graph, stream);
}

hipError_t hipGraphLaunch(hipGraphExec_t executable, hipStream_t stream)
{
    RETURN_CALL(NEEDS_DEVICE, launch_graph(executable, stream));
}

static int drop_handle(sim_handle_kind kind, void *handle)
{
    if (!sim_handle_alive(kind, handle))
        return sim_refuse(hipErrorInvalidValue, "no graph has the handle %p", handle);
    sim_graph_drop(((graph_handle *)handle)->graph);
    sim_alive.graphs--;
    sim_handle_retire(kind, handle);
    return hipSuccess;
}

hipError_t hipGraphDestroy(hipGraph_t graph)
{
    RETURN_CALL(GIVES_BACK, drop_handle(SIM_HANDLE_GRAPH, graph));
}

hipError_t hipGraphExecDestroy(hipGraphExec_t executable)
{
    RETURN_CALL(GIVES_BACK, drop_handle(SIM_HANDLE_EXECUTABLE, executable));
}
