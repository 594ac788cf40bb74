/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Queues: in-order command queues, waiting for them and asking whether they are idle. Host calls
 * are in host_call.c, import is in import.c.
 */
#include "opencl.h"

#include <stdlib.h>

static void add_to_device(astride_backend_device *device, astride_backend_queue *queue)
{
    pthread_mutex_lock(&device->lock);
    queue->next = device->queues;
    if (queue->next != NULL)
        queue->next->previous = queue;
    device->queues = queue;
    pthread_mutex_unlock(&device->lock);
}

static void remove_from_device(astride_backend_device *device, astride_backend_queue *queue)
{
    pthread_mutex_lock(&device->lock);
    if (queue->previous != NULL)
        queue->previous->next = queue->next;
    else
        device->queues = queue->next;
    if (queue->next != NULL)
        queue->next->previous = queue->previous;
    pthread_mutex_unlock(&device->lock);
}

astride_status astride__opencl_queue_wrap(astride_backend_device *device, cl_command_queue native,
                                          bool imported, astride_backend_queue **queue_out)
{
    astride_backend_queue *queue = calloc(1, sizeof(*queue));
    if (queue == NULL)
        goto no_memory;
    queue->device = device;
    queue->native = native;
    queue->imported = imported;
    atomic_init(&queue->enqueued, 0);
    if (pthread_mutex_init(&queue->lock, NULL) != 0)
        goto free_queue;
    if (pthread_cond_init(&queue->work, NULL) != 0)
        goto destroy_lock;
    add_to_device(device, queue);
    *queue_out = queue;
    return ASTRIDE_OK;

destroy_lock:
    pthread_mutex_destroy(&queue->lock);
free_queue:
    free(queue);
no_memory:
    return astride__opencl_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for a queue");
}

astride_status astride__opencl_queue_create(astride_backend_device *device,
                                            astride_backend_queue **queue_out)
{
    cl_int code = CL_SUCCESS;
    const cl_command_queue_properties properties =
        astride__opencl_tracing() ? CL_QUEUE_PROFILING_ENABLE : 0;
    cl_command_queue native =
        astride__cl.CreateCommandQueue(device->context, device->id, properties, &code);
    if (native == NULL)
        return astride__opencl_check("clCreateCommandQueue", code);
    const astride_status status = astride__opencl_queue_wrap(device, native, false, queue_out);
    if (status != ASTRIDE_OK)
        astride__cl.ReleaseCommandQueue(native);
    else if (properties != 0)
        astride__opencl_trace_begin(*queue_out);
    return status;
}

void astride__opencl_queue_destroy(astride_backend_queue *queue)
{
    if (queue == NULL)
        return;
    astride__opencl_host_calls_stop(queue);
    (void)astride__cl.Finish(queue->native);
    remove_from_device(queue->device, queue);
    for (int i = 0; i < ASTRIDE__KERNEL_COUNT; i++) {
        if (queue->kernels[i] != NULL)
            astride__cl.ReleaseKernel(queue->kernels[i]);
    }
    if (queue->marker != NULL)
        astride__cl.ReleaseEvent(queue->marker);
    astride__cl.ReleaseCommandQueue(queue->native);
    pthread_cond_destroy(&queue->work);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
}

astride_status astride__opencl_queue_wait(astride_backend_queue *queue)
{
    cl_int code = astride__cl.Finish(queue->native);
    if (code != CL_SUCCESS)
        return astride__opencl_check("clFinish", code);
    pthread_mutex_lock(&queue->lock);
    code = queue->call_error;
    queue->call_error = CL_SUCCESS;
    pthread_mutex_unlock(&queue->lock);
    return astride__opencl_check("clWaitForEvents, before a host call", code);
}

/* Whether the event's command is done; an error of it is one of the query. */
static astride_status event_state(cl_event event)
{
    cl_int state = CL_COMPLETE;
    const cl_int code = astride__cl.GetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                                 sizeof(state), &state, NULL);
    if (code != CL_SUCCESS)
        return astride__opencl_check("clGetEventInfo", code);
    if (state < 0)
        return astride__opencl_check("a command of the queue", state);
    return state == CL_COMPLETE ? ASTRIDE_OK : ASTRIDE_NOT_READY;
}

/*
 * OpenCL cannot be asked whether a queue is idle, but whether a marker in it is reached. A program
 * that polls does not fill the queue with markers: a new one comes only when the last one is
 * reached and there may be something behind it. The lock is held.
 */
static astride_status query_marker(astride_backend_queue *queue)
{
    if (queue->marker != NULL) {
        const astride_status status = event_state(queue->marker);
        if (status == ASTRIDE_NOT_READY)
            return status;
        astride__cl.ReleaseEvent(queue->marker);
        queue->marker = NULL;
        if (status != ASTRIDE_OK)
            return status;
        if (!queue->imported && queue->marked == atomic_load(&queue->enqueued))
            return ASTRIDE_OK;
    }
    queue->marked = atomic_load(&queue->enqueued);
    const cl_int code =
        astride__cl.EnqueueMarkerWithWaitList(queue->native, 0, NULL, &queue->marker);
    if (code != CL_SUCCESS) {
        queue->marker = NULL;
        return astride__opencl_check("clEnqueueMarkerWithWaitList", code);
    }
    (void)astride__cl.Flush(queue->native);
    return event_state(queue->marker);
}

astride_status astride__opencl_queue_query(astride_backend_queue *queue)
{
    /* Nothing executes there before somebody waits. */
    if (queue->device->runs_in_caller)
        return astride__opencl_queue_wait(queue);
    pthread_mutex_lock(&queue->lock);
    const astride_status status = query_marker(queue);
    pthread_mutex_unlock(&queue->lock);
    return status;
}

/*
 * A barrier waits for all commands before it, and those behind it wait for it (OpenCL 3.0, section
 * 5.11). One stands before each of our commands, for those of the program, and one behind.
 */
astride_status astride__opencl_queue_begin(astride_backend_queue *queue)
{
    if (!queue->out_of_order)
        return ASTRIDE_OK;
    return astride__opencl_check(
        "clEnqueueBarrierWithWaitList",
        astride__cl.EnqueueBarrierWithWaitList(queue->native, 0, NULL, NULL));
}

astride_status astride__opencl_queue_submitted(astride_backend_queue *queue, const char *call,
                                               cl_int code)
{
    if (code != CL_SUCCESS)
        return astride__opencl_check(call, code);
    atomic_fetch_add(&queue->enqueued, 1);
    astride__opencl_trace_command(queue, call);
    const astride_status status = astride__opencl_queue_begin(queue);
    if (status != ASTRIDE_OK)
        return status;
    /* Drivers may keep commands back until they are told; the caller expects them to run. */
    return astride__opencl_check("clFlush", astride__cl.Flush(queue->native));
}

astride_status astride__opencl_queue_kernel(astride_backend_queue *queue, astride__kernel kernel,
                                            cl_kernel *kernel_out)
{
    cl_int code = CL_SUCCESS;
    if (queue->kernels[kernel] == NULL) {
        queue->kernels[kernel] =
            astride__cl.CreateKernel(queue->device->program, astride__kernel_names[kernel], &code);
        if (queue->kernels[kernel] == NULL)
            return astride__opencl_check("clCreateKernel", code);
    }
    *kernel_out = queue->kernels[kernel];
    return ASTRIDE_OK;
}
