/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the stream argument of an exported function means. There are two answers, each in libraries
 * of its own: stream_handle_own.c, where a stream is one of our queues, and stream_handle_native.c,
 * where it is the vendor's handle.
 */
#ifndef ASTRIDE_MLIR_RUNTIME_STREAM_HANDLE_H
#define ASTRIDE_MLIR_RUNTIME_STREAM_HANDLE_H

#include <stdbool.h>

#include <astride/astride.h>

/*
 * The queue of a stream; NULL in *queue_out where `stream` is NULL and an internal queue shall do.
 * `device` is the device of the work, for a NULL stream. False after a failure, which is reported.
 */
bool astride__mlir_stream_queue(const char *function, void *stream, astride_device *device,
                                astride_queue **queue_out);

#endif /* ASTRIDE_MLIR_RUNTIME_STREAM_HANDLE_H */
