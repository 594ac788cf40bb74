/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Streams of the simulated driver, host functions in them, and their capture into graphs.
 */
#include <stdlib.h>

#include "tests/simulators/cuda/driver.h"

static bool alive(const void *handle)
{
    return sim_handle_alive(SIM_HANDLE_STREAM, handle);
}

int cuda_stream(CUstream handle, sim_stream **stream_out)
{
    sim_stream *stream = (sim_stream *)handle;
    if (handle == NULL || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD) {
        sim_context *context = cuda_current();
        if (context == NULL || !context->live)
            return sim_refuse(CUDA_ERROR_INVALID_CONTEXT, "no context is current to the thread");
        stream = handle == CU_STREAM_PER_THREAD ? sim_stream_of_thread(context)
                                                : sim_stream_legacy(context);
        if (stream == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
    } else if (!alive(handle)) {
        return sim_refuse(CUDA_ERROR_INVALID_HANDLE, "no stream has the handle %p", (void *)handle);
    }
    *stream_out = stream;
    return CUDA_SUCCESS;
}

int cuda_work_stream(CUstream handle, sim_stream **stream_out)
{
    const int result = cuda_stream(handle, stream_out);
    if (result == CUDA_SUCCESS && (*stream_out)->context != cuda_current())
        return sim_refuse(CUDA_ERROR_INVALID_HANDLE, "the stream is of another context");
    if (result == CUDA_SUCCESS && (*stream_out)->capture != NULL && (*stream_out)->capture->invalid)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    return result;
}

static int create(CUstream *stream_out, unsigned flags, int priority)
{
    if (stream_out == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "phStream is NULL");
    if ((flags & ~(unsigned)CU_STREAM_NON_BLOCKING) != 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "stream flags 0x%x", flags);
    sim_stream *stream = sim_stream_create(cuda_current(), (flags & CU_STREAM_NON_BLOCKING) == 0);
    if (stream == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    stream->flags = flags;
    stream->priority = priority;
    sim_handle_add(SIM_HANDLE_STREAM, stream);
    sim_alive.streams++;
    *stream_out = (CUstream)stream;
    return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags)
{
    RETURN_CALL(HAS_CONTEXT, create(phStream, Flags, 0));
}

CUresult cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority)
{
    RETURN_CALL(HAS_CONTEXT, create(phStream, flags, priority));
}

static void close_stream(sim_stream *stream)
{
    if (alive(stream)) {
        sim_handle_forget(SIM_HANDLE_STREAM, stream);
        sim_alive.streams--;
    }
    sim_stream_close(stream);
}

static int destroy(CUstream handle)
{
    sim_stream *stream = NULL;
    if (handle == NULL || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD)
        return sim_refuse(CUDA_ERROR_INVALID_HANDLE, "a default stream cannot be destroyed");
    const int result = cuda_stream(handle, &stream);
    if (result == CUDA_SUCCESS)
        close_stream(stream);
    return result;
}

CUresult cuStreamDestroy_v2(CUstream hStream)
{
    RETURN_CALL(INITIALIZED | GIVES_BACK, destroy(hStream));
}

int cuda_close_context_streams(sim_context *context)
{
    while (context->streams != NULL)
        close_stream(context->streams);
    return CUDA_SUCCESS;
}

static int synchronize(CUstream handle)
{
    sim_stream *stream = NULL;
    int result = cuda_stream(handle, &stream);
    if (result == CUDA_SUCCESS)
        result = sim_capture_forbids_stream(stream);
    if (result != CUDA_SUCCESS)
        return result;
    sim_context *context = stream->context;
    sim_stream_wait(stream);
    return context->lost;
}

CUresult cuStreamSynchronize(CUstream hStream)
{
    RETURN_CALL(INITIALIZED, synchronize(hStream));
}

static int query(CUstream handle)
{
    sim_stream *stream = NULL;
    int result = cuda_stream(handle, &stream);
    if (result == CUDA_SUCCESS)
        result = sim_capture_forbids_stream(stream);
    if (result != CUDA_SUCCESS || stream->context->lost != 0)
        return result != CUDA_SUCCESS ? result : stream->context->lost;
    return stream->done == stream->enqueued ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult cuStreamQuery(CUstream hStream)
{
    RETURN_CALL(INITIALIZED, query(hStream));
}

static int get_flags(CUstream handle, unsigned int *flags)
{
    sim_stream *stream = NULL;
    const int result = cuda_stream(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (flags == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "flags is NULL");
    *flags = stream->flags;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetFlags(CUstream hStream, unsigned int *flags)
{
    RETURN_CALL(INITIALIZED, get_flags(hStream, flags));
}

static int get_priority(CUstream handle, int *priority)
{
    sim_stream *stream = NULL;
    const int result = cuda_stream(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (priority == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "priority is NULL");
    *priority = stream->priority;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetPriority(CUstream hStream, int *priority)
{
    RETURN_CALL(INITIALIZED, get_priority(hStream, priority));
}

static int get_context(CUstream handle, CUcontext *context_out)
{
    sim_stream *stream = NULL;
    const int result = cuda_stream(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (context_out == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "pctx is NULL");
    *context_out = stream->context;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCtx(CUstream hStream, CUcontext *pctx)
{
    RETURN_CALL(INITIALIZED, get_context(hStream, pctx));
}

static int get_id(CUstream handle, unsigned long long *id)
{
    sim_stream *stream = NULL;
    const int result = cuda_stream(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (id == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "streamId is NULL");
    *id = stream->id;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetId(CUstream hStream, unsigned long long *streamId)
{
    RETURN_CALL(INITIALIZED, get_id(hStream, streamId));
}

/* A function of the program's, on the thread of the stream. */
typedef struct host_call {
    CUhostFn function;
    void *argument;
} host_call;

static int run_host_call(void *argument)
{
    const host_call *call = argument;
    call->function(call->argument);
    return CUDA_SUCCESS;
}

static int launch_host(CUstream handle, CUhostFn function, void *argument)
{
    sim_stream *stream = NULL;
    const int result = cuda_stream(handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (function == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "fn is NULL");
    host_call *call = malloc(sizeof(*call));
    if (call == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *call = (host_call){function, argument};
    return sim_stream_add(
        stream, sim_task_timed("function", stream, 0, (sim_work){run_host_call, free, call}));
}

CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData)
{
    RETURN_CALL(HAS_CONTEXT, launch_host(hStream, fn, userData));
}
