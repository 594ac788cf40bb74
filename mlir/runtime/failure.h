/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What becomes of a failure that has no status to be returned in: one line on standard error, then
 * an abort, unless ASTRIDE_MLIR_ON_ERROR says warn. Every function here takes the name of the
 * exported function that the program called.
 */
#ifndef ASTRIDE_MLIR_RUNTIME_FAILURE_H
#define ASTRIDE_MLIR_RUNTIME_FAILURE_H

#include <stdbool.h>

#include <astride/astride.h>

/* Reads ASTRIDE_MLIR_ON_ERROR at the first call of the process; a malformed value aborts there. */
void astride__mlir_failure_setup(void);

/* Reports "astride: FUNCTION: TEXT". Returns only where the policy is warn. */
void astride__mlir_fail(const char *function, const char *format, ...) ASTRIDE_PRINTF(2, 3);

/* True when status is ASTRIDE_OK; otherwise reports astride_last_error(). */
bool astride__mlir_ok(const char *function, astride_status status);

#endif /* ASTRIDE_MLIR_RUNTIME_FAILURE_H */
