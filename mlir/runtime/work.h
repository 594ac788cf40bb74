/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Work of one exported function on a stream: which queue it goes to, and whether the call waits for
 * it.
 */
#ifndef ASTRIDE_MLIR_RUNTIME_WORK_H
#define ASTRIDE_MLIR_RUNTIME_WORK_H

#include <stdbool.h>

#include <astride/astride.h>

#include "mlir/runtime/context.h"

typedef struct astride__mlir_work {
    const char *function;
    astride_queue *queue;
    bool waits;                             /* the call returns when the work is done */
    astride__mlir_internal_queue *internal; /* NULL: the queue is the stream's */
} astride__mlir_work;

/*
 * Finds the queue for work that touches the memory at `dst` and `src` (either may be NULL). False
 * after a failure, which is reported; otherwise astride__mlir_work_end() must follow.
 */
bool astride__mlir_work_begin(const char *function, void *stream, const void *dst, const void *src,
                              astride__mlir_work *work_out);

/* Reports what enqueueing came to, and where the call waits, what the work came to. */
void astride__mlir_work_end(astride__mlir_work *work, astride_status status);

#endif /* ASTRIDE_MLIR_RUNTIME_WORK_H */
