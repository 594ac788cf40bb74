/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the commands of `astride` share: their list, exit statuses, and the words for errors. Each
 * command is a file command_NAME.c with one function; a new one is a line in COMMAND_LIST.
 */
#ifndef ASTRIDE_TOOLS_COMMAND_H
#define ASTRIDE_TOOLS_COMMAND_H

#include <argp.h>
#include <stddef.h>
#include <stdio.h>

#include <astride/status.h>

/* Every command: its name, and what it does in the words of `astride --help`. */
#define COMMAND_LIST(X)                                                                            \
    X(devices, "list every backend with its devices, or why it has none")                          \
    X(plan, "show how a copy between two memref types would be done, and why")                     \
    X(selftest, "test copies on a device against a plain loop")                                    \
    X(bench, "measure copies on a device, by each strategy and by one call per row")

/* The command's arguments, with "astride NAME" in arguments[0]. Returns the exit status. */
#define COMMAND_DECLARATION(name, summary) int command_##name(int count, char **arguments);
COMMAND_LIST(COMMAND_DECLARATION)
#undef COMMAND_DECLARATION

enum {
    COMMAND_SUCCESS = 0,
    COMMAND_FAILURE = 1, /* the library, the machine or the output failed */
    COMMAND_USAGE = 2    /* an argument or an environment variable breaks a rule */
};

/* The end of every command's help, in the form of which help2man makes sections. */
#define COMMAND_HELP_END                                                                           \
    "Environment:\n"                                                                               \
    "  ASTRIDE_BACKEND      the device where none is named: a list of NAME or\n"                   \
    "                       NAME:DEVICE in order of preference; ^NAME excludes one\n"              \
    "  ASTRIDE_LOG          messages of the library on standard error: error, warn,\n"             \
    "                       info or debug\n"                                                       \
    "  ASTRIDE_PLUGIN_PATH  absolute folders, separated by colons, searched for\n"                 \
    "                       backends before the installed ones\n"                                  \
    "  ASTRIDE_STRATEGY     the strategy of every copy; one that cannot carry out a\n"             \
    "                       copy is an error\n"                                                    \
    "\n"                                                                                           \
    "Exit status:\n"                                                                               \
    "  0  success\n"                                                                               \
    "  1  the library, the machine or the output failed\n"                                         \
    "  2  an argument or an environment variable breaks a rule"

/*
 * Prints "COMMAND: CAUSE" on standard error, with the cause that the library recorded for `status`.
 * Returns the exit status that belongs to it.
 */
int command_report(const char *command, astride_status status);

/* Zeroed memory, to be freed; ends the program with a message where there is none. */
void *command_allocate(const char *command, size_t count, size_t bytes);

/* Writes a text of foreign origin, such as a file name: control characters become '?'. */
void command_write_clean(const char *text, FILE *stream);

#endif /* ASTRIDE_TOOLS_COMMAND_H */
