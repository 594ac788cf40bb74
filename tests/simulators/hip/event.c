/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Events of the simulated runtime. An event remembers a place in a stream; waiting for it makes the
 * work before that place begin. Events in captured streams are not simulated, and refused.
 */
#include <stdlib.h>

#include "tests/simulators/hip/runtime.h"

enum { BLOCKING_SYNC = 1, DISABLE_TIMING = 2 };

typedef struct event {
    sim_context *context;
    sim_point point;
} event;

static int find(hipEvent_t handle, event **event_out)
{
    if (!sim_handle_alive(SIM_HANDLE_EVENT, handle))
        return sim_refuse(hipErrorInvalidHandle, "no event has the handle %p", (void *)handle);
    *event_out = (event *)handle;
    return hipSuccess;
}

static int create(hipEvent_t *event_out, unsigned flags)
{
    if (event_out == NULL || (flags & ~(unsigned)(BLOCKING_SYNC | DISABLE_TIMING)) != 0)
        return sim_refuse(hipErrorInvalidValue, "event is NULL or flags 0x%x are wrong", flags);
    event *e = calloc(1, sizeof(*e));
    if (e == NULL)
        return hipErrorOutOfMemory;
    e->context = hip_current();
    sim_handle_add(SIM_HANDLE_EVENT, e);
    sim_alive.events++;
    *event_out = (hipEvent_t)e;
    return hipSuccess;
}

hipError_t hipEventCreateWithFlags(hipEvent_t *handle, unsigned flags)
{
    RETURN_CALL(NEEDS_DEVICE, create(handle, flags));
}

static int destroy(hipEvent_t handle)
{
    event *e = NULL;
    const int result = find(handle, &e);
    if (result != hipSuccess)
        return result;
    sim_point_drop(&e->point);
    sim_alive.events--;
    sim_handle_retire(SIM_HANDLE_EVENT, e);
    return hipSuccess;
}

hipError_t hipEventDestroy(hipEvent_t handle)
{
    RETURN_CALL(GIVES_BACK, destroy(handle));
}

static int find_both(hipEvent_t handle, hipStream_t stream_handle, event **e, sim_stream **stream)
{
    int result = find(handle, e);
    if (result == hipSuccess)
        result = hip_stream(stream_handle, stream);
    if (result == hipSuccess && (*stream)->capture != NULL) {
        (*stream)->capture->invalid = true;
        return sim_refuse(hipErrorStreamCaptureUnsupported, "an event in a captured stream");
    }
    return result;
}

static int record(hipEvent_t handle, hipStream_t stream_handle)
{
    event *e = NULL;
    sim_stream *stream = NULL;
    const int result = find_both(handle, stream_handle, &e, &stream);
    if (result != hipSuccess)
        return result;
    if (stream->context != e->context)
        return sim_refuse(hipErrorInvalidHandle, "event and stream are of different devices");
    sim_point_drop(&e->point);
    e->point = sim_stream_tail(stream);
    return hipSuccess;
}

hipError_t hipEventRecord(hipEvent_t handle, hipStream_t stream)
{
    RETURN_CALL(NEEDS_DEVICE, record(handle, stream));
}

static int synchronize(hipEvent_t handle)
{
    event *e = NULL;
    const int result = find(handle, &e);
    if (result != hipSuccess)
        return result;
    sim_context *context = e->context;
    sim_point_wait(e->point);
    return context->lost;
}

hipError_t hipEventSynchronize(hipEvent_t handle)
{
    RETURN_CALL(NEEDS_DEVICE | NOT_IN_CAPTURE, synchronize(handle));
}

static int query(hipEvent_t handle)
{
    event *e = NULL;
    const int result = find(handle, &e);
    if (result != hipSuccess || e->context->lost != 0)
        return result != hipSuccess ? result : e->context->lost;
    return sim_point_done(e->point) ? hipSuccess : hipErrorNotReady;
}

hipError_t hipEventQuery(hipEvent_t handle)
{
    RETURN_CALL(NEEDS_DEVICE | NOT_IN_CAPTURE, query(handle));
}

static int wait_event(hipStream_t stream_handle, hipEvent_t handle, unsigned flags)
{
    event *e = NULL;
    sim_stream *stream = NULL;
    const int result = find_both(handle, stream_handle, &e, &stream);
    if (result != hipSuccess)
        return result;
    if (flags != 0)
        return sim_refuse(hipErrorInvalidValue, "flags 0x%x are not 0", flags);
    return sim_stream_add_wait(stream, e->point);
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t handle, unsigned flags)
{
    RETURN_CALL(NEEDS_DEVICE, wait_event(stream, handle, flags));
}
