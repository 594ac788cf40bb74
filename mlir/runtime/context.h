/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The devices that the exported functions work on, and the internal queues of calls without a
 * stream. Devices that were opened stay open until the process ends: code that unloads modules may
 * run as late as at exit. No stream is known here.
 */
#ifndef ASTRIDE_MLIR_RUNTIME_CONTEXT_H
#define ASTRIDE_MLIR_RUNTIME_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include <astride/astride.h>

/*
 * The device of this thread: the one of the last astride__mlir_device_select() of this thread, else
 * that of ASTRIDE_BACKEND, which is opened at the first call. NULL after a failure, which is
 * reported.
 */
astride_device *astride__mlir_device(const char *function);

/* Makes device `ordinal` of the same backend the one of this thread. False after a reported
 * failure. */
bool astride__mlir_device_select(const char *function, int32_t ordinal);

/*
 * The device for a call without a stream: the one to which the memory at `first`, else at `second`
 * belongs, device memory before host memory, else that of this thread. Either may be NULL. NULL
 * after a failure, which is reported.
 */
astride_device *astride__mlir_device_of(const char *function, const void *first,
                                        const void *second);

/* A queue that one call has for itself, so that it neither waits for others nor sees their errors.
 */
typedef struct astride__mlir_internal_queue astride__mlir_internal_queue;
struct astride__mlir_internal_queue {
    astride_queue *queue;
    astride_device *device;
    astride__mlir_internal_queue *next; /* among the idle ones */
};

/* Takes an idle queue of the device or creates one. NULL after a failure, which is reported. */
astride__mlir_internal_queue *astride__mlir_internal_queue_take(const char *function,
                                                                astride_device *device);

/* Gives a queue back that has no work in flight. */
void astride__mlir_internal_queue_give_back(astride__mlir_internal_queue *queue);

#endif /* ASTRIDE_MLIR_RUNTIME_CONTEXT_H */
