/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What is the same in every command: the report of what the library says, memory, and texts of
 * foreign origin. Nothing here knows a particular command.
 */
#include "tools/command.h"

#include <stdlib.h>

int command_report(const char *command, astride_status status)
{
    const char *cause = astride_last_error();

    (void)fprintf(stderr, "%s: ", command);
    command_write_clean(cause[0] != '\0' ? cause : astride_status_text(status), stderr);
    (void)fputc('\n', stderr);
    return status == ASTRIDE_INVALID_ARGUMENT ? COMMAND_USAGE : COMMAND_FAILURE;
}

void *command_allocate(const char *command, size_t count, size_t bytes)
{
    void *memory = calloc(count, bytes);

    if (memory == NULL) {
        (void)fprintf(stderr, "%s: no memory for %zu times %zu bytes\n", command, count, bytes);
        exit(COMMAND_FAILURE);
    }
    return memory;
}

void command_write_clean(const char *text, FILE *stream)
{
    for (; *text != '\0'; text++)
        (void)fputc((*text >= 0 && *text < ' ') || *text == 0x7f ? '?' : *text, stream);
}
