/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Host calls in a queue: the driver's own. When the context has failed before, the driver never
 * makes the call (CUDA driver API 13.0, cuLaunchHostFunc), and what belonged to it is lost with the
 * device.
 */
#include "cuda.h"

/* A driver without host functions: this thread waits and makes the call. */
static astride_status call_at_once(astride_backend_queue *queue, void (*function)(void *argument),
                                   void *argument)
{
    const astride_status status =
        astride__cuda_check("cuStreamSynchronize", astride__cu.StreamSynchronize(queue->native));
    if (status == ASTRIDE_OK)
        function(argument);
    return status;
}

astride_status astride__cuda_host_call(astride_backend_queue *queue,
                                       void (*function)(void *argument), void *argument)
{
    astride_status status = astride__cuda_queue_enter(queue);
    if (status != ASTRIDE_OK)
        return status;
    /* A call is made once; a graph would make it at each of its launches. */
    status = astride__cuda_queue_refuse_capture(queue, "a host call");
    if (status == ASTRIDE_OK && astride__cu.LaunchHostFunc == NULL)
        status = call_at_once(queue, function, argument);
    else if (status == ASTRIDE_OK)
        status = astride__cuda_check("cuLaunchHostFunc",
                                     astride__cu.LaunchHostFunc(queue->native, function, argument));
    queue->host_writes = true;
    astride__cuda_leave();
    return status;
}
