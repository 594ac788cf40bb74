/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Streams that run late. A task begins when somebody waits for it, directly or through another
 * stream, or when it has been there for a while. So work that nobody waits for is really seen to be
 * missing, and two streams never run in the order of their calls by accident only. Whoever waits
 * carries the tasks out; the stream's own thread does so with those that nobody waits for.
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "tests/simulators/common/internal.h"

typedef struct sim_task {
    struct sim_task *next;
    uint64_t sequence, due;
    sim_point wait;
    sim_work work;
} sim_task;

static uint64_t last_stream_id;

uint64_t sim_thread(void)
{
    static uint64_t last;
    static _Thread_local uint64_t number;
    if (number == 0)
        number = ++last;
    return number;
}

static void drop_stream(sim_stream *stream)
{
    if (--stream->references > 0)
        return;
    pthread_cond_destroy(stream->signal);
    free(stream->signal);
    sim_handle_bury(stream);
}

sim_point sim_point_copy(sim_point point)
{
    if (point.stream != NULL)
        point.stream->references++;
    return point;
}

void sim_point_drop(sim_point *point)
{
    if (point->stream != NULL)
        drop_stream(point->stream);
    point->stream = NULL;
}

bool sim_point_done(sim_point point)
{
    return point.stream == NULL || point.stream->done >= point.sequence;
}

/* Whether the stream's thread may begin a task by the clock. */
static bool is_due(sim_stream *stream, const sim_task *task)
{
    if (sim_now() >= task->due)
        return true;
    const struct timespec due = {(time_t)(task->due / 1000000000u),
                                 (long)(task->due % 1000000000u)};
    pthread_cond_timedwait(stream->signal, sim_mutex(), &due);
    return false;
}

static void carry_out(sim_stream *stream, sim_task *task)
{
    stream->busy = true;
    if (task->work.run != NULL && stream->context->lost == 0) {
        sim_unlock();
        const int code = task->work.run(task->work.argument);
        sim_lock();
        if (code != 0 && stream->context->lost == 0)
            stream->context->lost = code;
    }
    stream->first = task->next;
    if (stream->first == NULL)
        stream->last = &stream->first;
    stream->done = task->sequence;
    stream->busy = false;
    sim_point_drop(&task->wait);
    if (task->work.release != NULL)
        task->work.release(task->work.argument);
    free(task);
    sim_progress();
}

static void *run_stream(void *argument)
{
    sim_stream *stream = argument;
    sim_lock();
    for (;;) {
        sim_task *task = stream->first;
        if (task == NULL && stream->closing)
            break;
        if (task == NULL)
            pthread_cond_wait(stream->signal, sim_mutex());
        else if (!stream->busy && !is_due(stream, task))
            continue;
        else if (stream->busy || !sim_point_done(task->wait))
            sim_wait_for_progress();
        else
            carry_out(stream, task);
    }
    drop_stream(stream);
    sim_unlock();
    return NULL;
}

static pthread_cond_t *new_signal(void)
{
    pthread_condattr_t attributes;
    pthread_cond_t *signal = malloc(sizeof(*signal));
    if (signal == NULL)
        return NULL;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    const int failed = pthread_cond_init(signal, &attributes);
    pthread_condattr_destroy(&attributes);
    if (failed == 0)
        return signal;
    free(signal);
    return NULL;
}

/* The thread holds a reference of its own. */
static bool start_thread(sim_stream *stream)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    stream->references++;
    const int failed = pthread_create(&thread, &attributes, run_stream, stream);
    pthread_attr_destroy(&attributes);
    if (failed != 0)
        stream->references--;
    return failed == 0;
}

sim_stream *sim_stream_create(sim_context *context, bool blocking)
{
    sim_stream *stream = calloc(1, sizeof(*stream));
    if (stream == NULL)
        return NULL;
    stream->context = context;
    stream->blocking = blocking;
    stream->references = 1;
    stream->last = &stream->first;
    stream->id = ++last_stream_id;
    stream->signal = new_signal();
    if (stream->signal == NULL || !start_thread(stream)) {
        free(stream->signal);
        free(stream);
        return NULL;
    }
    stream->next = context->streams;
    context->streams = stream;
    return stream;
}

sim_stream *sim_stream_legacy(sim_context *context)
{
    if (context->legacy == NULL) {
        context->legacy = sim_stream_create(context, true);
        if (context->legacy != NULL)
            context->legacy->legacy = true;
    }
    return context->legacy;
}

sim_stream *sim_stream_of_thread(sim_context *context)
{
    const uint64_t thread = sim_thread();
    sim_stream *stream = context->streams;
    while (stream != NULL && stream->thread != thread)
        stream = stream->next;
    if (stream == NULL) {
        stream = sim_stream_create(context, true);
        if (stream != NULL)
            stream->thread = thread;
    }
    return stream;
}

void sim_stream_close(sim_stream *stream)
{
    sim_stream **link = &stream->context->streams;
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
    if (stream->context->legacy == stream)
        stream->context->legacy = NULL;
    if (stream->capture != NULL) {
        stream->capture->invalid = true;
        sim_capture_drop(stream->capture);
        stream->capture = NULL;
    }
    stream->closing = true;
    pthread_cond_signal(stream->signal);
    drop_stream(stream);
}

static int add_task(sim_stream *stream, sim_point wait, sim_work work)
{
    sim_task *task = malloc(sizeof(*task));
    if (task == NULL) {
        if (work.release != NULL)
            work.release(work.argument);
        return SIM_OUT_OF_MEMORY;
    }
    *task = (sim_task){.sequence = ++stream->enqueued,
                       .due = sim_now() + sim_setting.delay_ns,
                       .wait = sim_point_copy(wait),
                       .work = work};
    /* Behind others, the thread finds it by itself. */
    if (stream->first == NULL)
        pthread_cond_signal(stream->signal);
    *stream->last = task;
    stream->last = &task->next;
    return SIM_SUCCESS;
}

/* The legacy stream and the blocking ones wait for each other. */
static int add_implicit_waits(sim_stream *stream)
{
    int result = SIM_SUCCESS;
    for (sim_stream *other = stream->context->streams; other != NULL; other = other->next) {
        if (other == stream || !other->blocking || !stream->blocking ||
            (!stream->legacy && !other->legacy) || other->done == other->enqueued)
            continue;
        const sim_point tail = {other, other->enqueued};
        result = add_task(stream, tail, (sim_work){0});
        if (result != SIM_SUCCESS)
            break;
    }
    return result;
}

static int check_legacy(sim_stream *stream)
{
    if (!stream->legacy)
        return SIM_SUCCESS;
    for (sim_stream *other = stream->context->streams; other != NULL; other = other->next) {
        if (other->capture != NULL && other->blocking) {
            other->capture->invalid = true;
            return sim_refuse(SIM_CAPTURE_IMPLICIT,
                              "work in the legacy stream while a blocking stream is captured");
        }
    }
    return SIM_SUCCESS;
}

int sim_stream_add(sim_stream *stream, sim_work work)
{
    if (stream->capture != NULL)
        return sim_capture_add(stream, work);
    int result = check_legacy(stream);
    if (result == SIM_SUCCESS)
        result = add_implicit_waits(stream);
    if (result == SIM_SUCCESS)
        return add_task(stream, (sim_point){0}, work);
    if (work.release != NULL)
        work.release(work.argument);
    return result;
}

int sim_stream_add_wait(sim_stream *stream, sim_point point)
{
    int result = check_legacy(stream);
    if (result == SIM_SUCCESS)
        result = add_implicit_waits(stream);
    if (result == SIM_SUCCESS && !sim_point_done(point))
        result = add_task(stream, point, (sim_work){0});
    return result;
}

sim_point sim_stream_tail(sim_stream *stream)
{
    return sim_point_copy((sim_point){stream, stream->enqueued});
}

/* Carries out the next task that a place waits for; false: it is another thread's turn. */
static bool help(sim_point point)
{
    sim_stream *stream = point.stream;
    while (!stream->busy && stream->first != NULL && !sim_point_done(stream->first->wait)) {
        point = stream->first->wait;
        stream = point.stream;
    }
    if (stream->busy || stream->first == NULL)
        return false;
    stream->references++;
    carry_out(stream, stream->first);
    drop_stream(stream);
    return true;
}

void sim_point_wait(sim_point point)
{
    sim_point held = sim_point_copy(point);
    while (!sim_point_done(held)) {
        if (!help(held))
            sim_wait_for_progress();
    }
    sim_point_drop(&held);
}

void sim_stream_wait(sim_stream *stream)
{
    sim_point tail = sim_stream_tail(stream);
    sim_point_wait(tail);
    sim_point_drop(&tail);
}

void sim_context_wait(sim_context *context)
{
    /* The list may change while the lock is given up: begin again after each wait. */
    for (;;) {
        sim_stream *stream = context->streams;
        while (stream != NULL && stream->done == stream->enqueued)
            stream = stream->next;
        if (stream == NULL)
            return;
        sim_stream_wait(stream);
    }
}
