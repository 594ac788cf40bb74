/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * @file status.h
 * Result codes and the exact cause of the last error of a thread. A code says what the *caller* can
 * do; the text says what went wrong, naming the call, the argument and the rule that it broke.
 */
#ifndef ASTRIDE_STATUS_H
#define ASTRIDE_STATUS_H

#include <astride/export.h>

ASTRIDE_BEGIN_DECLS

/**
 * Every status: enumerator, value, and what it means for the caller. The one table from which the
 * enumeration, astride_status_name() and astride_status_text() are made.
 */
#define ASTRIDE_STATUS_LIST(X)                                                                     \
    X(ASTRIDE_OK, 0, "success")                                                                    \
    X(ASTRIDE_NOT_READY, 1, "work is still in flight: ask again or wait")                          \
    X(ASTRIDE_INVALID_ARGUMENT, 2, "an argument breaks a rule: correct the call")                  \
    X(ASTRIDE_OVERFLOW, 3, "sizes or strides leave the address space: correct the descriptor")     \
    X(ASTRIDE_OUT_OF_BOUNDS, 4,                                                                    \
      "a region leaves its allocation: correct base, extents or strides")                          \
    X(ASTRIDE_OVERLAP, 5, "elements of the destination share bytes: correct its strides")          \
    X(ASTRIDE_UNSUPPORTED, 6, "this device or strategy cannot do it: use another")                 \
    X(ASTRIDE_UNAVAILABLE, 7, "the backend cannot run on this machine: use another")               \
    X(ASTRIDE_NOT_FOUND, 8, "no such backend, device or symbol: correct the name")                 \
    X(ASTRIDE_PLAN_MISMATCH, 9, "the plan was made for other memory: make a new plan")             \
    X(ASTRIDE_OUT_OF_MEMORY, 10, "memory is exhausted: free some and repeat")                      \
    X(ASTRIDE_DRIVER_ERROR, 11, "a driver call failed: the detail has its name and code")          \
    X(ASTRIDE_DEVICE_LOST, 12, "the device is unusable: close it and open it again")               \
    X(ASTRIDE_AFTER_FORK, 13, "the object belongs to the parent process: open devices anew")       \
    X(ASTRIDE_INTERNAL, 14, "a defect of the library or of a plugin: report it")

/** What a call came to. 0 is success; no other value is. */
typedef enum astride_status {
#define ASTRIDE_STATUS_ENUMERATOR(name, value, text) name = value,
    ASTRIDE_STATUS_LIST(ASTRIDE_STATUS_ENUMERATOR)
#undef ASTRIDE_STATUS_ENUMERATOR
} astride_status;

/**
 * The enumerator's name, such as "ASTRIDE_OUT_OF_BOUNDS"; "ASTRIDE_UNKNOWN_STATUS" for a value that
 * is none of them.
 *
 * @return a string constant; never NULL. Any thread may call.
 */
ASTRIDE_API const char *astride_status_name(astride_status status);

/**
 * One sentence on what the caller can do about a status.
 *
 * @return a string constant; never NULL. Any thread may call.
 */
ASTRIDE_API const char *astride_status_text(astride_status status);

/**
 * The exact cause of the latest failure in the calling thread, such as
 * "astride_copy: dst: stride[1] = 2 makes elements of 4 bytes share bytes".
 *
 * Calls that succeed leave it alone. Errors of asynchronous work are reported by the call that
 * waits for it (astride_queue_wait(), astride_event_wait()) and are recorded in that thread.
 *
 * @return a string in thread-local storage, at most 1023 bytes, valid until the next failing call
 * of this thread; "" when none has failed. Never NULL. Recording it never allocates.
 */
ASTRIDE_API const char *astride_last_error(void);

ASTRIDE_END_DECLS

#endif /* ASTRIDE_STATUS_H */
