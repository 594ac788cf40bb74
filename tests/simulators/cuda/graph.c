/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Capture of streams and launches of what was captured, in the simulated driver.
 */
#include <stdlib.h>

#include "tests/simulators/cuda/driver.h"

/* What a CUgraph and a CUgraphExec are: handles of their own to a captured graph. */
typedef struct handle {
    sim_graph *graph;
} handle;

static int make_handle(sim_handle_kind kind, sim_graph *graph, handle **handle_out)
{
    handle *h = malloc(sizeof(*h));
    if (h == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    h->graph = graph;
    sim_handle_add(kind, h);
    sim_alive.graphs++;
    *handle_out = h;
    return CUDA_SUCCESS;
}

static int begin_capture(CUstream stream_handle, CUstreamCaptureMode mode)
{
    sim_stream *stream = NULL;
    const int result = cuda_stream(stream_handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "there is no capture mode %u", mode);
    if (stream->legacy)
        return sim_refuse(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                          "the legacy stream is not captured");
    if (stream->capture != NULL)
        return sim_refuse(CUDA_ERROR_ILLEGAL_STATE, "the stream is captured already");
    return sim_capture_start(stream, (int)mode);
}

CUresult cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode)
{
    RETURN_CALL(INITIALIZED, begin_capture(hStream, mode));
}

static int end_capture(CUstream stream_handle, CUgraph *graph_out)
{
    sim_stream *stream = NULL;
    sim_graph *graph = NULL;
    handle *h = NULL;
    int result = cuda_stream(stream_handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (graph_out == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "phGraph is NULL");
    *graph_out = NULL;
    if (stream->capture == NULL)
        return sim_refuse(CUDA_ERROR_ILLEGAL_STATE, "the stream is not captured");
    result = sim_capture_stop(stream, &graph);
    if (result == CUDA_SUCCESS) {
        result = make_handle(SIM_HANDLE_GRAPH, graph, &h);
        if (result != CUDA_SUCCESS)
            sim_graph_drop(graph);
    }
    *graph_out = (CUgraph)h;
    return result;
}

CUresult cuStreamEndCapture(CUstream hStream, CUgraph *phGraph)
{
    RETURN_CALL(INITIALIZED, end_capture(hStream, phGraph));
}

static int is_capturing(CUstream stream_handle, CUstreamCaptureStatus *status)
{
    sim_stream *stream = NULL;
    const int result = cuda_stream(stream_handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (status == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "captureStatus is NULL");
    if (stream->legacy) {
        for (sim_stream *other = stream->context->streams; other != NULL; other = other->next)
            if (other->capture != NULL && other->blocking)
                return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
    *status = stream->capture == NULL    ? CU_STREAM_CAPTURE_STATUS_NONE
              : stream->capture->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                         : CU_STREAM_CAPTURE_STATUS_ACTIVE;
    return CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus)
{
    RETURN_CALL(INITIALIZED, is_capturing(hStream, captureStatus));
}

static int exchange_mode(CUstreamCaptureMode *mode)
{
    if (mode == NULL || *mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "mode is NULL or none");
    *mode = (CUstreamCaptureMode)sim_capture_exchange_mode((int)*mode);
    return CUDA_SUCCESS;
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    RETURN_CALL(ANY_TIME, exchange_mode(mode));
}

static int find(sim_handle_kind kind, const void *pointer, handle **handle_out)
{
    if (!sim_handle_alive(kind, pointer))
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "no graph has the handle %p", pointer);
    *handle_out = (handle *)(uintptr_t)pointer;
    return CUDA_SUCCESS;
}

static int instantiate(CUgraphExec *executable_out, CUgraph graph_handle, unsigned long long flags)
{
    handle *h = NULL, *executable;
    int result = find(SIM_HANDLE_GRAPH, graph_handle, &h);
    if (result != CUDA_SUCCESS)
        return result;
    if (executable_out == NULL || flags > 15)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "phGraphExec is NULL, or flags 0x%llx", flags);
    result = make_handle(SIM_HANDLE_EXECUTABLE, h->graph, &executable);
    if (result != CUDA_SUCCESS)
        return result;
    h->graph->references++;
    *executable_out = (CUgraphExec)executable;
    return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *phGraphExec, CUgraph hGraph,
                                     unsigned long long flags)
{
    RETURN_CALL(INITIALIZED, instantiate(phGraphExec, hGraph, flags));
}

static int launch(CUgraphExec executable, CUstream stream_handle)
{
    handle *h = NULL;
    sim_stream *stream = NULL;
    int result = find(SIM_HANDLE_EXECUTABLE, executable, &h);
    if (result == CUDA_SUCCESS)
        result = cuda_stream(stream_handle, &stream);
    return result == CUDA_SUCCESS ? sim_graph_launch(h->graph, stream) : result;
}

CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream)
{
    RETURN_CALL(INITIALIZED, launch(hGraphExec, hStream));
}

/* Only their number is told: nodes are not handles here. */
static int count_nodes(CUgraph graph_handle, CUgraphNode *nodes, size_t *count)
{
    handle *h = NULL;
    const int result = find(SIM_HANDLE_GRAPH, graph_handle, &h);
    if (result != CUDA_SUCCESS)
        return result;
    if (count == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "numNodes is NULL");
    if (nodes != NULL)
        return CUDA_ERROR_NOT_SUPPORTED;
    *count = h->graph->count;
    return CUDA_SUCCESS;
}

CUresult cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes)
{
    RETURN_CALL(INITIALIZED, count_nodes(hGraph, nodes, numNodes));
}

static int destroy(sim_handle_kind kind, const void *pointer)
{
    handle *h = NULL;
    const int result = find(kind, pointer, &h);
    if (result != CUDA_SUCCESS)
        return result;
    sim_graph_drop(h->graph);
    h->graph = NULL;
    sim_alive.graphs--;
    sim_handle_retire(kind, h);
    return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec hGraphExec)
{
    RETURN_CALL(INITIALIZED | GIVES_BACK, destroy(SIM_HANDLE_EXECUTABLE, hGraphExec));
}

CUresult cuGraphDestroy(CUgraph hGraph)
{
    RETURN_CALL(INITIALIZED | GIVES_BACK, destroy(SIM_HANDLE_GRAPH, hGraph));
}
