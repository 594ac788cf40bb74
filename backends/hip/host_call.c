/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Host calls in a queue: by hipLaunchHostFunc, or, in releases that lack it, by the older
 * hipStreamAddCallback, which tells the stream's state too.
 */
#include "hip.h"

#include <stdlib.h>

/* A call in the form of the older function. */
typedef struct host_call {
    void (*function)(void *argument);
    void *argument;
} host_call;

static void run_callback(hipStream_t stream, hipError_t state, void *argument)
{
    const host_call call = *(host_call *)argument;
    (void)stream;
    (void)state; /* the wait for the queue reports it */
    free(argument);
    call.function(call.argument);
}

static astride_status add_callback(astride_backend_queue *queue, void (*function)(void *argument),
                                   void *argument)
{
    host_call *call = malloc(sizeof(*call));
    if (call == NULL)
        return astride__hip_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for a host call");
    *call = (host_call){function, argument};
    const astride_status status =
        astride__hip_check("hipStreamAddCallback",
                           astride__hip.StreamAddCallback(queue->native, run_callback, call, 0));
    if (status != ASTRIDE_OK)
        free(call);
    return status;
}

/* A runtime without either: this thread waits and makes the call. */
static astride_status call_at_once(astride_backend_queue *queue, void (*function)(void *argument),
                                   void *argument)
{
    const astride_status status =
        astride__hip_check("hipStreamSynchronize", astride__hip.StreamSynchronize(queue->native));
    if (status == ASTRIDE_OK)
        function(argument);
    return status;
}

astride_status astride__hip_host_call(astride_backend_queue *queue,
                                      void (*function)(void *argument), void *argument)
{
    astride_status status = astride__hip_queue_enter(queue);
    if (status != ASTRIDE_OK)
        return status;
    /* A call is made once; a graph would make it at each of its launches. */
    status = astride__hip_queue_refuse_capture(queue, "a host call");
    if (status == ASTRIDE_OK && astride__hip.LaunchHostFunc != NULL)
        status = astride__hip_check("hipLaunchHostFunc",
                                    astride__hip.LaunchHostFunc(queue->native, function, argument));
    else if (status == ASTRIDE_OK && astride__hip.StreamAddCallback != NULL)
        status = add_callback(queue, function, argument);
    else if (status == ASTRIDE_OK)
        status = call_at_once(queue, function, argument);
    queue->host_writes = true;
    astride__hip_leave();
    return status;
}
