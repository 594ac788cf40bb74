/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Running a piece of a test in a process of its own: for what the library does once per process,
 * and for what it does after fork().
 */
#ifndef ASTRIDE_TESTS_CHILD_H
#define ASTRIDE_TESTS_CHILD_H

#include <stddef.h>

/*
 * Forks, runs `body(argument)` in the child and collects all that it writes to standard output and
 * standard error in `text_out`, terminated. Returns the child's exit status, 0 when body returned;
 * a child that dies by a signal, or runs longer than a minute, gives minus that signal. Ends the
 * program where it cannot fork.
 */
int test_child_run(void (*body)(void *argument), void *argument, char *text_out, size_t text_bytes);

#endif /* ASTRIDE_TESTS_CHILD_H */
