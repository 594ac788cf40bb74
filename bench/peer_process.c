/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Contestants in processes of their own, because they cannot share one with each other: a line of
 * words is written to them, a line comes back.
 *
 *   hello                                            -> ready | a reason
 *   layout ELEMENT RANK DST_BYTES SRC_BYTES DST_OFFSET SRC_OFFSET EXTENTS... DST... SRC...
 *                                                    -> ok | no
 *   hash   (one copy into poisoned memory)           -> HASH
 *   run N                                            -> NANOSECONDS
 */
#include "bench/bench.h"

#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

typedef struct state {
    FILE *to, *from;
    char answer[256];
} state;

static bool ask(state *self, const char *line)
{
    if (fputs(line, self->to) == EOF || fflush(self->to) != 0 ||
        fgets(self->answer, sizeof self->answer, self->from) == NULL)
        return false;
    self->answer[strcspn(self->answer, "\n")] = '\0';
    return true;
}

/* Starts the command with its standard streams on two pipes. */
static bool start(state *self, const char *const *command)
{
    posix_spawn_file_actions_t actions;
    int down[2], up[2];
    pid_t child;
    char *words[4] = {NULL};
    if (pipe(down) != 0 || pipe(up) != 0)
        return false;
    for (int i = 0; i < 3 && command[i] != NULL; i++)
        memcpy(&words[i], &command[i], sizeof words[i]); /* posix_spawnp changes none of them */
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, down[0], 0);
    posix_spawn_file_actions_adddup2(&actions, up[1], 1);
    posix_spawn_file_actions_addclose(&actions, down[1]);
    posix_spawn_file_actions_addclose(&actions, up[0]);
    const int error = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(down[0]);
    close(up[1]);
    if (error != 0) {
        close(down[1]);
        close(up[0]);
        return false;
    }
    self->to = fdopen(down[1], "w");
    self->from = fdopen(up[0], "r");
    return self->to != NULL && self->from != NULL;
}

bool bench_process_open(bench_peer *peer)
{
    state *self = calloc(1, sizeof *self);
    if (self == NULL)
        return false;
    peer->state = self;
    signal(SIGPIPE, SIG_IGN);
    if (!start(self, peer->command) || !ask(self, "hello\n")) {
        snprintf(peer->reason, sizeof peer->reason, "%s does not run", peer->command[0]);
        return false;
    }
    if (strcmp(self->answer, "ready") == 0)
        return true;
    snprintf(peer->reason, sizeof peer->reason, "%.150s", self->answer);
    return false;
}

static int append(char *line, int used, size_t room, const int64_t *numbers, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        used += snprintf(line + used, room - (size_t)used, " %" PRId64, numbers[i]);
    return used;
}

bool bench_process_prepare(bench_peer *peer, const bench_case *test)
{
    const bench_layout *layout = test->layout;
    char line[1024];
    int used = snprintf(line, sizeof line, "layout %zu %" PRId32 " %zu %zu %zu %zu",
                        layout->element_bytes, layout->rank, layout->dst_bytes, layout->src_bytes,
                        layout->dst_offset, layout->src_offset);
    used = append(line, used, sizeof line, layout->extents, layout->rank);
    used = append(line, used, sizeof line, layout->dst_strides, layout->rank);
    used = append(line, used, sizeof line, layout->src_strides, layout->rank);
    snprintf(line + used, sizeof line - (size_t)used, "\n");
    state *self = peer->state;
    return ask(self, line) && strcmp(self->answer, "ok") == 0;
}

bool bench_process_hash(bench_peer *peer, uint64_t *hash_out)
{
    state *self = peer->state;
    if (!ask(self, "hash\n"))
        return false;
    *hash_out = strtoull(self->answer, NULL, 10);
    return true;
}

double bench_process_run(bench_peer *peer, uint64_t iterations)
{
    state *self = peer->state;
    char line[64];
    snprintf(line, sizeof line, "run %" PRIu64 "\n", iterations);
    return ask(self, line) ? strtod(self->answer, NULL) : -1;
}

void bench_process_finish(bench_peer *peer)
{
    (void)peer;
}
