/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reporting of failures and the policy of ASTRIDE_MLIR_ON_ERROR. Nothing here knows what failed.
 */
#include "mlir/runtime/failure.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Holds the longest astride_last_error(), 1023 bytes, with what is put before it. */
#define LINE_BYTES 1280

static pthread_once_t policy_once = PTHREAD_ONCE_INIT;
static bool policy_warns; /* written by read_policy() only */

/* Takes part of one message; standard error is unbuffered, so that one call writes the whole line.
 */
static void print_line(char *line)
{
    /* A driver's own text, such as a compiler's log, may have line ends. */
    for (char *character = line; *character != '\0'; ++character) {
        if (*character == '\n' || *character == '\r')
            *character = ' ';
    }
    size_t length = strlen(line);
    while (length > 0 && line[length - 1] == ' ')
        --length;
    line[length] = '\n';
    (void)fwrite(line, 1, length + 1, stderr);
}

static void read_policy(void)
{
    const char *value = secure_getenv("ASTRIDE_MLIR_ON_ERROR");
    if (value == NULL || *value == '\0' || strcmp(value, "abort") == 0)
        return;
    if (strcmp(value, "warn") == 0) {
        policy_warns = true;
        return;
    }
    char line[LINE_BYTES];
    (void)snprintf(line, sizeof line - 1,
                   "astride: ASTRIDE_MLIR_ON_ERROR: \"%s\" is neither \"abort\" nor \"warn\"",
                   value);
    print_line(line);
    abort();
}

void astride__mlir_failure_setup(void)
{
    (void)pthread_once(&policy_once, read_policy);
}

void astride__mlir_fail(const char *function, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list arguments;

    astride__mlir_failure_setup();
    /* One byte is kept free: print_line() needs no terminator but a line end. */
    int prefix = snprintf(line, sizeof line - 1, "astride: %s: ", function);
    va_start(arguments, format);
    (void)vsnprintf(line + prefix, sizeof line - 1 - (size_t)prefix, format, arguments);
    va_end(arguments);
    print_line(line);
    if (!policy_warns)
        abort();
}

bool astride__mlir_ok(const char *function, astride_status status)
{
    if (status == ASTRIDE_OK)
        return true;
    astride__mlir_fail(function, "%s", astride_last_error());
    return false;
}
