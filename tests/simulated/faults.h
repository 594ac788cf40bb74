/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Letting each call of the simulated driver fail in turn.
 */
#ifndef ASTRIDE_TESTS_SIMULATED_FAULTS_H
#define ASTRIDE_TESTS_SIMULATED_FAULTS_H

#include <stdint.h>

#include <astride/astride.h>

/* A thing that a program does, from beginning to end; gives back what it made whatever happens. */
typedef astride_status (*faults_operation)(void *argument);

/*
 * Lets call 1, 2, ... of an operation fail; returns how many there were. Each time the error names
 * the call and its code, nothing is leaked, no rule is broken, and the operation works right after.
 * The operation may succeed although one of `survived`, names separated by spaces, failed.
 */
uint64_t faults_fail_each(faults_operation run, void *argument, const char *survived);

#endif /* ASTRIDE_TESTS_SIMULATED_FAULTS_H */
