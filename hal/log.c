/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Writing the log. Which level is written is decided by environment.c; what is worth a line is
 * decided where it happens.
 */
#include "hal/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int most_talkative_level;

void astride__log_set_level(int level)
{
    atomic_store_explicit(&most_talkative_level, level, memory_order_relaxed);
}

bool astride__log_enabled(astride_log_level level)
{
    return (int)level <= atomic_load_explicit(&most_talkative_level, memory_order_relaxed);
}

static const char *level_word(astride_log_level level)
{
    switch (level) {
    case ASTRIDE_LOG_ERROR:
        return "error";
    case ASTRIDE_LOG_WARN:
        return "warn";
    case ASTRIDE_LOG_INFO:
        return "info";
    case ASTRIDE_LOG_DEBUG:
        break;
    }
    return "debug";
}

void astride__log(astride_log_level level, const char *format, ...)
{
    char line[2048];
    va_list arguments;
    int saved_errno = errno;

    if (!astride__log_enabled(level))
        return;

    /* One byte stays free for the newline; the line is written at once so that lines of several
       threads do not mix. */
    size_t room = sizeof(line) - 1;
    int prefix = snprintf(line, room, "astride: %s: ", level_word(level));
    size_t length = prefix < 0 ? 0 : (size_t)prefix;
    va_start(arguments, format);
    if (vsnprintf(line + length, room - length, format, arguments) < 0)
        line[length] = '\0';
    va_end(arguments);
    length += strlen(line + length);
    line[length++] = '\n';
    fwrite(line, 1, length, stderr);
    errno = saved_errno;
}
