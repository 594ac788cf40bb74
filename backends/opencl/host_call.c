/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Host calls in a queue: a marker tells a worker thread that the work before the call is done, and
 * a barrier behind the marker waits for a user event that the worker sets when the function has
 * returned. A queue has its worker from its first host call on.
 */
#include "opencl.h"

#include <signal.h>
#include <stdlib.h>

struct astride__opencl_call {
    astride__opencl_call *next;
    cl_event before;   /* reached when it is the call's turn */
    cl_event finished; /* user event that the queue waits for */
    void (*function)(void *argument);
    void *argument;
};

static void run_call(astride_backend_queue *queue, astride__opencl_call *call)
{
    const cl_int code = astride__cl.WaitForEvents(1, &call->before);
    /* Also after a failure: the function owns what it is given, and the queue must go on. */
    call->function(call->argument);
    if (code != CL_SUCCESS) {
        pthread_mutex_lock(&queue->lock);
        if (queue->call_error == CL_SUCCESS)
            queue->call_error = code;
        pthread_mutex_unlock(&queue->lock);
    }
    (void)astride__cl.SetUserEventStatus(call->finished, CL_COMPLETE);
    astride__cl.ReleaseEvent(call->finished);
    astride__cl.ReleaseEvent(call->before);
    free(call);
}

/* The next call, or NULL when the queue is stopping and all are done. */
static astride__opencl_call *next_call(astride_backend_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->first == NULL && !queue->stopping)
        pthread_cond_wait(&queue->work, &queue->lock);
    astride__opencl_call *call = queue->first;
    if (call != NULL)
        queue->first = call->next;
    pthread_mutex_unlock(&queue->lock);
    return call;
}

static void *work(void *argument)
{
    astride_backend_queue *queue = argument;
    astride__opencl_call *call;
    while ((call = next_call(queue)) != NULL)
        run_call(queue, call);
    return NULL;
}

/*
 * Starts the worker with the signals blocked that are meant for the process; faults are the
 * thread's own. Only the enqueueing side comes here, one thread at a time.
 */
static astride_status need_worker(astride_backend_queue *queue)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    sigset_t blocked, before;
    if (queue->has_worker)
        return ASTRIDE_OK;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
        sigdelset(&blocked, faults[i]);
    int error = pthread_sigmask(SIG_BLOCK, &blocked, &before);
    if (error == 0) {
        error = pthread_create(&queue->worker, NULL, work, queue);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (error != 0)
        return astride__opencl_services->fail(
            ASTRIDE_DRIVER_ERROR, "no thread for the host calls of a queue: error %d", error);
    queue->has_worker = true;
    return ASTRIDE_OK;
}

static void append(astride_backend_queue *queue, astride__opencl_call *call)
{
    pthread_mutex_lock(&queue->lock);
    if (queue->first == NULL)
        queue->first = call;
    else
        queue->last->next = call;
    queue->last = call;
    pthread_mutex_unlock(&queue->lock);
    pthread_cond_signal(&queue->work);
}

/* Where only the waiting thread executes commands, that thread makes the call. */
static astride_status call_at_once(astride_backend_queue *queue, void (*function)(void *argument),
                                   void *argument)
{
    const astride_status status = astride__opencl_queue_wait(queue);
    if (status == ASTRIDE_OK)
        function(argument);
    return status;
}

astride_status astride__opencl_host_call(astride_backend_queue *queue,
                                         void (*function)(void *argument), void *argument)
{
    cl_int code = CL_SUCCESS;
    if (queue->device->runs_in_caller)
        return call_at_once(queue, function, argument);
    astride_status status = need_worker(queue);
    if (status != ASTRIDE_OK)
        return status;
    astride__opencl_call *call = calloc(1, sizeof(*call));
    if (call == NULL)
        return astride__opencl_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for a host call");
    call->function = function;
    call->argument = argument;
    call->finished = astride__cl.CreateUserEvent(queue->device->context, &code);
    if (call->finished == NULL) {
        status = astride__opencl_check("clCreateUserEvent", code);
        goto free_call;
    }
    code = astride__cl.EnqueueMarkerWithWaitList(queue->native, 0, NULL, &call->before);
    if (code != CL_SUCCESS) {
        status = astride__opencl_check("clEnqueueMarkerWithWaitList", code);
        goto release_finished;
    }
    code = astride__cl.EnqueueBarrierWithWaitList(queue->native, 1, &call->finished, NULL);
    if (code != CL_SUCCESS) {
        status = astride__opencl_check("clEnqueueBarrierWithWaitList", code);
        goto release_before;
    }
    /* From here on the queue waits for the call, which is therefore made whatever happens. */
    status = astride__opencl_queue_submitted(queue, "clEnqueueBarrierWithWaitList", CL_SUCCESS);
    append(queue, call);
    return status;

release_before:
    astride__cl.ReleaseEvent(call->before);
release_finished:
    astride__cl.ReleaseEvent(call->finished);
free_call:
    free(call);
    return status;
}

void astride__opencl_host_calls_stop(astride_backend_queue *queue)
{
    if (!queue->has_worker)
        return;
    pthread_mutex_lock(&queue->lock);
    queue->stopping = true;
    pthread_mutex_unlock(&queue->lock);
    pthread_cond_signal(&queue->work);
    pthread_join(queue->worker, NULL);
    queue->has_worker = false;
}
