/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The program `astride`: finds the command among the arguments and hands over to it. Also sees to
 * it that output which could not be written is an error, whichever command wrote it.
 */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <astride/version.h>

#include "tools/command.h"

const char *argp_program_version = "astride " ASTRIDE_VERSION_STRING;

static const struct {
    const char *name;
    char *full_name; /* what the command finds in arguments[0] */
    int (*run)(int count, char **arguments);
} commands[] = {
#define COMMAND_ENTRY(name, summary) {#name, (char[]){"astride " #name}, command_##name},
    COMMAND_LIST(COMMAND_ENTRY)
#undef COMMAND_ENTRY
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Commands:", 1},
#define COMMAND_DOCUMENT(name, summary) {#name, 0, NULL, OPTION_DOC | OPTION_NO_USAGE, summary, 1},
    COMMAND_LIST(COMMAND_DOCUMENT)
#undef COMMAND_DOCUMENT
        {0},
};

/* Which command the arguments name. */
typedef struct choice {
    size_t command;
    int first; /* number of its name among the arguments */
} choice;

static error_t parse(int key, char *argument, struct argp_state *state)
{
    choice *chosen = state->input;

    switch (key) {
    case ARGP_KEY_ARG:
        for (size_t i = 0; i < COMMAND_COUNT; i++) {
            if (strcmp(argument, commands[i].name) == 0) {
                chosen->command = i;
                chosen->first = state->next - 1;
                state->next = state->argc; /* the rest is for the command */
                return 0;
            }
        }
        argp_error(state, "there is no command '%s'", argument);
        return EINVAL;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a command is needed");
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int output_error; /* of the first write that is known to have failed, or 0 */

/* While errno still tells: a driver's own exit handlers may flush standard output, too. */
static void flush_output(void)
{
    if (fflush(stdout) != 0)
        output_error = errno;
}

/* Closes standard output when the program ends, also from within argp's --help. */
static void close_output(void)
{
    int failed = ferror(stdout);

    errno = 0;
    if (fclose(stdout) == 0 && failed == 0)
        return;
    if (output_error == 0)
        output_error = errno;
    (void)fprintf(stderr, "astride: standard output: %s\n",
                  output_error != 0 ? strerror(output_error) : "an earlier write failed");
    _exit(COMMAND_FAILURE);
}

/*
 * Keeps files that are opened later from taking the place of a closed standard stream. The stand-in
 * is opened in the wrong direction, so that using the stream still fails.
 */
static void occupy_standard_streams(void)
{
    for (int stream = 0; stream <= 2; stream++) {
        if (fcntl(stream, F_GETFD) == -1 &&
            open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) != stream)
            _exit(COMMAND_FAILURE);
    }
}

int main(int count, char **arguments)
{
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "COMMAND [ARGUMENT...]",
        .doc = "Strided copies between hosts and devices of any vendor: what this machine has, and "
               "how a copy would be done."
               "\v'astride COMMAND --help' describes a command.\n"
               "\n" COMMAND_HELP_END,
    };
    char program[] = "astride";
    char *no_arguments[] = {program, NULL};
    choice chosen = {0, 0};

    occupy_standard_streams();
    if (atexit(close_output) != 0)
        return COMMAND_FAILURE;
    argp_err_exit_status = COMMAND_USAGE;
    if (count < 1) {
        count = 1;
        arguments = no_arguments;
    }
    arguments[0] = program;
    if (argp_parse(&argp, count, arguments, ARGP_IN_ORDER, NULL, &chosen) != 0)
        return COMMAND_USAGE;
    arguments[chosen.first] = commands[chosen.command].full_name;
    int status = commands[chosen.command].run(count - chosen.first, arguments + chosen.first);
    flush_output();
    return status;
}
