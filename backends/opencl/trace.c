/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Profiling times for the trace. A traced command leaves an event, which is asked for its times
 * when the command is complete (OpenCL 3.0, section 5.14). Those are of the device's clock: the
 * moment at which the command was enqueued is known by both clocks, and that is where the two are
 * laid over each other.
 */
#include "opencl.h"

#include <stdio.h>
#include <stdlib.h>

/* A command whose times are to come. */
typedef struct command {
    const char *call;
    uint32_t track;
    uint64_t enqueued_ns; /* by the clock of traces */
} command;

bool astride__opencl_tracing(void)
{
    const size_t needed =
        offsetof(astride_services, trace_span) + sizeof(astride__opencl_services->trace_span);
    return astride__opencl_services->struct_size >= needed &&
           astride__opencl_services->trace_enabled();
}

void astride__opencl_trace_begin(astride_backend_queue *queue)
{
    static atomic_uint queues;
    char name[48];
    snprintf(name, sizeof(name), "opencl, queue %u", atomic_fetch_add(&queues, 1) + 1);
    queue->track = astride__opencl_services->trace_track(name);
}

cl_event *astride__opencl_traced(astride_backend_queue *queue)
{
    if (queue->track == 0)
        return NULL;
    queue->traced = NULL;
    queue->traced_ns = astride__opencl_services->trace_now();
    return &queue->traced;
}

static bool time_of(cl_event event, cl_profiling_info what, uint64_t *time_out)
{
    cl_ulong time = 0;
    const cl_int code = astride__cl.GetEventProfilingInfo(event, what, sizeof(time), &time, NULL);
    *time_out = time;
    return code == CL_SUCCESS;
}

/* Called by the driver, on a thread of its own. */
static void command_done(cl_event event, cl_int state, void *argument)
{
    command *done = argument;
    uint64_t queued, start, end;
    if (state == CL_COMPLETE && time_of(event, CL_PROFILING_COMMAND_QUEUED, &queued) &&
        time_of(event, CL_PROFILING_COMMAND_START, &start) &&
        time_of(event, CL_PROFILING_COMMAND_END, &end)) {
        const uint64_t shift = done->enqueued_ns - queued;
        astride__opencl_services->trace_span(done->track, done->call, start + shift, end + shift);
    }
    astride__cl.ReleaseEvent(event);
    free(done);
}

void astride__opencl_trace_command(astride_backend_queue *queue, const char *call)
{
    if (queue->track == 0 || queue->traced == NULL)
        return;
    const cl_event event = queue->traced;
    command *traced = malloc(sizeof(*traced));
    queue->traced = NULL;
    if (traced != NULL) {
        *traced = (command){call, queue->track, queue->traced_ns};
        if (astride__cl.SetEventCallback(event, CL_COMPLETE, command_done, traced) == CL_SUCCESS)
            return; // cppcheck-suppress memleak ; command_done() frees it
        free(traced);
    }
    /* A span is lost, the command is not. */
    astride__cl.ReleaseEvent(event);
}
