/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * @file queue.h
 * Queues (in-order streams of work on a device) and events (points in a queue that others wait
 * for).
 *
 * Any thread may use a queue; work runs in the order in which the calls that enqueued it returned.
 * An error of asynchronous work is kept in its queue and reported once by the next
 * astride_queue_wait() or astride_queue_query(); work behind it in the queue still runs unless the
 * device is lost.
 */
#ifndef ASTRIDE_QUEUE_H
#define ASTRIDE_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include <astride/device.h>
#include <astride/export.h>
#include <astride/status.h>

ASTRIDE_BEGIN_DECLS

/** An in-order stream of work. */
typedef struct astride_queue astride_queue;
/** A point in a queue. */
typedef struct astride_event astride_event;

/**
 * Creates a queue. It does not synchronise with any other queue, nor with the vendor's default one.
 *
 * @param[out] queue_out written on success only; freed by astride_queue_destroy()
 * @retval ASTRIDE_INVALID_ARGUMENT a pointer is NULL
 * @retval ASTRIDE_OUT_OF_MEMORY, ASTRIDE_DRIVER_ERROR it could not be created
 */
ASTRIDE_API astride_status astride_queue_create(astride_device *device, astride_queue **queue_out);

/**
 * Wraps a native queue (CUstream, hipStream_t, cl_command_queue) without taking ownership: the
 * caller destroys the native one after astride_queue_destroy().
 *
 * @param native the vendor's handle; NULL is the vendor's default queue where it has one
 * @retval ASTRIDE_INVALID_ARGUMENT device or queue_out is NULL
 * @retval ASTRIDE_UNSUPPORTED the backend has no native queues
 */
ASTRIDE_API astride_status astride_queue_import(astride_device *device, void *native,
                                                astride_queue **queue_out);

/** The device of a queue; NULL for NULL. The queue does not own it. */
ASTRIDE_API astride_device *astride_queue_device(const astride_queue *queue);

/**
 * Waits until everything enqueued before this call is done.
 *
 * @retval ASTRIDE_INVALID_ARGUMENT queue is NULL
 * @retval other the first error of asynchronous work since the last wait
 */
ASTRIDE_API astride_status astride_queue_wait(astride_queue *queue);

/**
 * Asks, without waiting, whether everything enqueued so far is done.
 *
 * @retval ASTRIDE_OK it is done
 * @retval ASTRIDE_NOT_READY it is not (this is no error: astride_last_error() is left alone)
 * @retval other as astride_queue_wait()
 */
ASTRIDE_API astride_status astride_queue_query(astride_queue *queue);

/**
 * Waits for the queue's work and frees it. NULL is a no-op. An error of that work is only logged:
 * call astride_queue_wait() first to see it.
 */
ASTRIDE_API void astride_queue_destroy(astride_queue *queue);

/**
 * Creates an event that counts as complete until it is recorded.
 *
 * @param[out] event_out written on success only; freed by astride_event_destroy()
 * @retval ASTRIDE_INVALID_ARGUMENT a pointer is NULL
 * @retval ASTRIDE_OUT_OF_MEMORY, ASTRIDE_DRIVER_ERROR it could not be created
 */
ASTRIDE_API astride_status astride_event_create(astride_device *device, astride_event **event_out);

/**
 * Frees an event. NULL is a no-op. Waits that were enqueued on it stay valid.
 */
ASTRIDE_API void astride_event_destroy(astride_event *event);

/**
 * Moves the event to the present end of the queue: it completes when all work enqueued before does.
 * Recording again forgets the earlier point, except for waits that were already enqueued on it.
 *
 * @retval ASTRIDE_INVALID_ARGUMENT a pointer is NULL, or queue and event are of different devices
 */
ASTRIDE_API astride_status astride_event_record(astride_event *event, astride_queue *queue);

/**
 * Makes work enqueued after this call wait for the event's latest record. Does not block the
 * caller. An event that was never recorded is no wait. The event may be of another device, also of
 * another backend; where the two backends cannot wait for each other the calling thread waits
 * instead.
 *
 * @retval ASTRIDE_INVALID_ARGUMENT a pointer is NULL
 */
ASTRIDE_API astride_status astride_queue_wait_event(astride_queue *queue, astride_event *event);

/** Blocks the calling thread until the event's latest record is complete. */
ASTRIDE_API astride_status astride_event_wait(astride_event *event);

/** As astride_queue_query(), for an event. */
ASTRIDE_API astride_status astride_event_query(astride_event *event);

/**
 * Launches a function of a module on a queue.
 *
 * @param grid,block sizes in x, y and z, each at least 1
 * @param shared_bytes dynamic local memory per block
 * @param parameters one pointer to each parameter's value; read before the call returns
 * @param parameter_count number of them; 0 where the code itself tells
 * @retval ASTRIDE_INVALID_ARGUMENT a pointer is NULL, a size is 0, or function and queue are of
 *         different devices
 * @retval ASTRIDE_UNSUPPORTED the backend has no modules
 * @retval ASTRIDE_DRIVER_ERROR the driver refused
 */
ASTRIDE_API astride_status astride_launch(astride_queue *queue, astride_function *function,
                                          const uint32_t grid[3], const uint32_t block[3],
                                          uint32_t shared_bytes, void **parameters,
                                          size_t parameter_count);

ASTRIDE_END_DECLS

#endif /* ASTRIDE_QUEUE_H */
