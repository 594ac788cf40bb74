/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * When work ran: the beginning and the end of copies and host functions, for tests of what overlaps
 * what. Such work can be slowed down, so that what a test sees does not hang on how fast a machine
 * happens to be.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/simulators/common/internal.h"

enum { TASKS_MAXIMUM = 4096 };

static astride_sim_task tasks[TASKS_MAXIMUM];
static uint64_t task_count; /* since the last reset */
static uint64_t resets;

/* Work with its number among the tasks of a time between two resets. */
typedef struct timed {
    sim_work work;
    uint64_t index, reset;
} timed;

static astride_sim_task *task_of(const timed *self)
{
    return self->reset == resets ? &tasks[self->index % TASKS_MAXIMUM] : NULL;
}

static void take_time(uint64_t ns)
{
    const struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    if (ns > 0)
        nanosleep(&time, NULL);
}

static int run_timed(void *argument)
{
    const timed *self = argument;
    sim_lock();
    astride_sim_task *task = task_of(self);
    if (task != NULL)
        task->begin_ns = sim_now();
    const uint64_t slow_ns = sim_setting.slow_ns;
    sim_unlock();
    take_time(slow_ns);
    const int result = self->work.run(self->work.argument);
    sim_lock();
    task = task_of(self);
    if (task != NULL)
        task->end_ns = sim_now();
    sim_unlock();
    return result;
}

static void release_timed(void *argument)
{
    timed *self = argument;
    if (self->work.release != NULL)
        self->work.release(self->work.argument);
    free(self);
}

sim_work sim_task_timed(const char *name, const sim_stream *stream, size_t bytes, sim_work work)
{
    timed *self = malloc(sizeof(*self));
    if (self == NULL)
        return work;
    *self = (timed){work, task_count++, resets};
    tasks[self->index % TASKS_MAXIMUM] =
        (astride_sim_task){.name = name, .stream = stream->id, .bytes = bytes};
    return (sim_work){run_timed, release_timed, self};
}

void sim_task_reset(void)
{
    task_count = 0;
    resets++;
}

bool sim_task_get(uint64_t index, astride_sim_task *task_out)
{
    sim_lock();
    const bool kept = index < task_count && task_count - index <= TASKS_MAXIMUM;
    if (kept)
        *task_out = tasks[index % TASKS_MAXIMUM];
    sim_unlock();
    return kept;
}
