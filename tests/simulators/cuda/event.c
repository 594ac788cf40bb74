/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Events of the simulated driver. An event remembers a place in a stream; waiting for it makes the
 * work before that place begin.
 */
#include <stdlib.h>

#include "tests/simulators/cuda/driver.h"

/* When a place was reached, in nanoseconds; work in the stream writes it. */
typedef struct stamp {
    unsigned references;
    uint64_t time;
} stamp;

typedef struct event {
    sim_context *context;
    unsigned flags;
    sim_point point;
    stamp *reached;
    sim_capture *capture; /* it was last recorded in a stream that was captured */
    sim_stream *captured; /* that stream, and how many nodes it had; never followed when stale */
    uint64_t captured_nodes;
} event;

static int find(CUevent handle, event **event_out)
{
    if (!sim_handle_alive(SIM_HANDLE_EVENT, handle))
        return sim_refuse(CUDA_ERROR_INVALID_HANDLE, "no event has the handle %p", (void *)handle);
    *event_out = (event *)handle;
    return CUDA_SUCCESS;
}

static int create(CUevent *event_out, unsigned flags)
{
    const unsigned all = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    if (event_out == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "phEvent is NULL");
    if ((flags & ~all) != 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "event flags 0x%x", flags);
    if ((flags & CU_EVENT_INTERPROCESS) != 0 && (flags & CU_EVENT_DISABLE_TIMING) == 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "INTERPROCESS without DISABLE_TIMING");
    event *e = calloc(1, sizeof(*e));
    if (e == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    e->context = cuda_current();
    e->flags = flags;
    sim_handle_add(SIM_HANDLE_EVENT, e);
    sim_alive.events++;
    *event_out = (CUevent)e;
    return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags)
{
    RETURN_CALL(HAS_CONTEXT, create(phEvent, Flags));
}

static void drop_stamp(void *argument)
{
    stamp *s = argument;
    if (s != NULL && --s->references == 0)
        free(s);
}

static void forget_record(event *e)
{
    sim_point_drop(&e->point);
    drop_stamp(e->reached);
    e->reached = NULL;
    if (e->capture != NULL)
        sim_capture_drop(e->capture);
    e->capture = NULL;
}

static void retire(event *e)
{
    forget_record(e);
    sim_alive.events--;
    sim_handle_retire(SIM_HANDLE_EVENT, e);
}

static int destroy(CUevent handle)
{
    event *e = NULL;
    const int result = find(handle, &e);
    if (result == CUDA_SUCCESS)
        retire(e);
    return result;
}

CUresult cuEventDestroy_v2(CUevent hEvent)
{
    RETURN_CALL(INITIALIZED | GIVES_BACK, destroy(hEvent));
}

static void retire_of_context(void *object, void *context)
{
    event *e = object;
    if (e->context == context)
        retire(e);
}

void cuda_destroy_events(sim_context *context)
{
    sim_handle_each(SIM_HANDLE_EVENT, retire_of_context, context);
}

static int take_time(void *argument)
{
    stamp *s = argument;
    sim_lock();
    s->time = sim_now();
    sim_unlock();
    return CUDA_SUCCESS;
}

static int record_captured(event *e, sim_stream *stream)
{
    if (stream->capture->invalid)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    forget_record(e);
    e->capture = stream->capture;
    e->capture->references++;
    e->captured = stream;
    e->captured_nodes = stream->captured;
    return CUDA_SUCCESS;
}

static int record(CUevent handle, CUstream stream_handle)
{
    event *e = NULL;
    sim_stream *stream = NULL;
    int result = find(handle, &e);
    if (result == CUDA_SUCCESS)
        result = cuda_stream(stream_handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (stream->context != e->context)
        return sim_refuse(CUDA_ERROR_INVALID_HANDLE, "event and stream are of different contexts");
    if (stream->capture != NULL)
        return record_captured(e, stream);
    stamp *reached = calloc(1, sizeof(*reached));
    if (reached == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    reached->references = 2;
    result = sim_stream_add(stream, (sim_work){take_time, drop_stamp, reached});
    if (result != CUDA_SUCCESS) {
        drop_stamp(reached);
        return result;
    }
    forget_record(e);
    e->reached = reached;
    e->point = sim_stream_tail(stream);
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent hEvent, CUstream hStream)
{
    RETURN_CALL(INITIALIZED, record(hEvent, hStream));
}

/* An event that belongs to a capture has no state of its own; asking for it breaks the capture. */
static int forbid_captured(event *e)
{
    if (e->capture == NULL)
        return CUDA_SUCCESS;
    e->capture->invalid = true;
    return sim_refuse(CUDA_ERROR_CAPTURED_EVENT, "the event was recorded in a captured stream");
}

static int synchronize(CUevent handle)
{
    event *e = NULL;
    int result = find(handle, &e);
    if (result == CUDA_SUCCESS)
        result = forbid_captured(e);
    if (result != CUDA_SUCCESS)
        return result;
    sim_context *context = e->context;
    sim_point_wait(e->point);
    return context->lost;
}

CUresult cuEventSynchronize(CUevent hEvent)
{
    RETURN_CALL(INITIALIZED | NOT_IN_CAPTURE, synchronize(hEvent));
}

static int query(CUevent handle)
{
    event *e = NULL;
    int result = find(handle, &e);
    if (result == CUDA_SUCCESS)
        result = forbid_captured(e);
    if (result != CUDA_SUCCESS || e->context->lost != 0)
        return result != CUDA_SUCCESS ? result : e->context->lost;
    return sim_point_done(e->point) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult cuEventQuery(CUevent hEvent)
{
    RETURN_CALL(INITIALIZED | NOT_IN_CAPTURE, query(hEvent));
}

static int elapsed(float *milliseconds, CUevent start_handle, CUevent end_handle)
{
    event *start = NULL, *end = NULL;
    int result = find(start_handle, &start);
    if (result == CUDA_SUCCESS)
        result = find(end_handle, &end);
    if (result != CUDA_SUCCESS)
        return result;
    if (milliseconds == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "pMilliseconds is NULL");
    if (start->reached == NULL || end->reached == NULL ||
        ((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING) != 0)
        return sim_refuse(CUDA_ERROR_INVALID_HANDLE, "an event was not recorded or has no timing");
    if (!sim_point_done(start->point) || !sim_point_done(end->point))
        return CUDA_ERROR_NOT_READY;
    *milliseconds = (float)((double)(int64_t)(end->reached->time - start->reached->time) / 1e6);
    return CUDA_SUCCESS;
}

CUresult cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd)
{
    RETURN_CALL(INITIALIZED, elapsed(pMilliseconds, hStart, hEnd));
}

CUresult cuEventElapsedTime_v2(float *pMilliseconds, CUevent hStart, CUevent hEnd)
{
    RETURN_CALL(INITIALIZED, elapsed(pMilliseconds, hStart, hEnd));
}

/* A wait for a captured event lets the stream take part in the capture, or joins two streams of it.
 */
static int wait_captured(sim_stream *stream, event *e)
{
    if (e->capture->graph == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "the capture of the event has ended");
    if (stream->capture != NULL && stream->capture != e->capture) {
        stream->capture->invalid = e->capture->invalid = true;
        return sim_refuse(CUDA_ERROR_STREAM_CAPTURE_MERGE, "stream and event are of two captures");
    }
    if (stream->capture == NULL)
        sim_capture_enter(stream, e->capture);
    if (e->captured != stream && e->captured->capture == e->capture &&
        e->captured->joined < e->captured_nodes)
        e->captured->joined = e->captured_nodes;
    return CUDA_SUCCESS;
}

static int wait_event(CUstream stream_handle, CUevent handle, unsigned flags)
{
    event *e = NULL;
    sim_stream *stream = NULL;
    int result = find(handle, &e);
    if (result == CUDA_SUCCESS)
        result = cuda_stream(stream_handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if ((flags & ~(unsigned)CU_EVENT_WAIT_EXTERNAL) != 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "flags 0x%x", flags);
    if (e->capture != NULL)
        return wait_captured(stream, e);
    if (stream->capture != NULL && (flags & CU_EVENT_WAIT_EXTERNAL) == 0) {
        stream->capture->invalid = true;
        return sim_refuse(CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
                          "a captured stream waits for an event outside of its capture");
    }
    return sim_stream_add_wait(stream, e->point);
}

CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)
{
    RETURN_CALL(INITIALIZED, wait_event(hStream, hEvent, Flags));
}
