/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Child processes of tests and the pipe that brings back what they write.
 */
#include "tests/support/child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT_SECONDS 60

static void give_up(const char *call)
{
    perror(call);
    exit(EXIT_FAILURE);
}

static void run_and_exit(void (*body)(void *argument), void *argument, int output)
{
    alarm(LIMIT_SECONDS);
    if (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
        _exit(EXIT_FAILURE);
    close(output);
    setvbuf(stdout, NULL, _IONBF, 0);
    body(argument);
    /* Without exit handlers: those belong to the parent's test framework. */
    _exit(EXIT_SUCCESS);
}

/* Reads to the end; what does not fit is read and dropped, so that the child does not block. */
static void read_all(int input, char *text_out, size_t text_bytes)
{
    size_t used = 0;
    char rest[256];

    for (;;) {
        size_t room = text_bytes - 1 - used;
        ssize_t got =
            read(input, room > 0 ? text_out + used : rest, room > 0 ? room : sizeof(rest));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        if (room > 0)
            used += (size_t)got;
    }
    text_out[used] = '\0';
}

int test_child_run(void (*body)(void *argument), void *argument, char *text_out, size_t text_bytes)
{
    int ends[2];
    int status = 0;
    pid_t child;

    fflush(stdout);
    fflush(stderr);
    if (pipe(ends) != 0)
        give_up("pipe");
    child = fork();
    if (child < 0)
        give_up("fork");
    if (child == 0) {
        close(ends[0]);
        run_and_exit(body, argument, ends[1]);
    }
    close(ends[1]);
    read_all(ends[0], text_out, text_bytes);
    close(ends[0]);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            give_up("waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
