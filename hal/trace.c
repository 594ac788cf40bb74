/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Writing the trace: an array of events in JSON ("Trace Event Format", Google, 2016), complete
 * events (ph X) for spans and metadata events (ph M) for the names of tracks. Events are collected
 * in a buffer of our own and not in a FILE, which a forked child would write a second time. The
 * array is closed when the library is unloaded; readers accept one that ends early.
 */
#include "hal/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hal/error.h"
#include "hal/log.h"

enum { BUFFER_BYTES = 1 << 16, EVENT_BYTES = 1024 };

atomic_bool astride__trace_on;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int file = -1;
static char buffer[BUFFER_BYTES];
static size_t used;
static bool separated; /* the next event needs a comma before it */
static uint64_t origin;
static atomic_uint_fast32_t last_track;
static _Thread_local uint32_t own_track; /* 0: this thread has none yet */

/* An event in the making. What does not fit is cut off between members, so that it stays JSON. */
typedef struct event {
    char text[EVENT_BYTES];
    size_t length;
} event;

uint64_t astride__trace_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool write_all(const char *text, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t written = write(file, text, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        bytes -= (size_t)written;
    }
    return true;
}

/* A trace that cannot go on ends, the program does not. The lock is held. */
static void flush(void)
{
    const int saved_errno = errno;
    if (!write_all(buffer, used)) {
        atomic_store(&astride__trace_on, false);
        astride__log(ASTRIDE_LOG_ERROR, "ASTRIDE_TRACE: the trace ends here: %s", strerror(errno));
    }
    used = 0;
    errno = saved_errno;
}

static void append(event *e, const char *format, ...) ASTRIDE_PRINTF(2, 3);

static void append(event *e, const char *format, ...)
{
    va_list arguments;
    const size_t room = sizeof e->text - e->length;
    va_start(arguments, format);
    const int length = vsnprintf(e->text + e->length, room, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < room)
        e->length += (size_t)length;
}

/* A string of JSON. What is not printable ASCII becomes a question mark: names are for reading. */
static void append_string(event *e, const char *text)
{
    char quoted[256];
    size_t length = 0;
    for (; *text != '\0' && length < sizeof quoted - 2; text++) {
        if (*text == '"' || *text == '\\')
            quoted[length++] = '\\';
        quoted[length++] = *text >= ' ' && *text <= '~' ? *text : '?';
    }
    append(e, "\"%.*s\"", (int)length, quoted);
}

static void put(const event *e)
{
    pthread_mutex_lock(&lock);
    if (file < 0) {
        pthread_mutex_unlock(&lock);
        return;
    }
    if (used + e->length + 2 > sizeof buffer)
        flush();
    if (separated) {
        buffer[used++] = ',';
        buffer[used++] = '\n';
    }
    memcpy(buffer + used, e->text, e->length);
    used += e->length;
    separated = true;
    pthread_mutex_unlock(&lock);
}

static void begin_event(event *e, char phase, uint32_t track, const char *name)
{
    e->length = 0;
    append(e, "{\"ph\":\"%c\",\"pid\":%ld,\"tid\":%" PRIu32 ",\"name\":", phase, (long)getpid(),
           track);
    append_string(e, name);
}

uint32_t astride__trace_track(const char *name)
{
    const uint32_t track = (uint32_t)atomic_fetch_add(&last_track, 1) + 1;
    event e;
    if (!astride__trace_enabled())
        return track;
    begin_event(&e, 'M', track, "thread_name");
    append(&e, ",\"args\":{\"name\":");
    append_string(&e, name);
    append(&e, "}}");
    put(&e);
    return track;
}

static uint32_t track_of_thread(void)
{
    char name[32];
    if (own_track == 0) {
        static atomic_uint threads;
        snprintf(name, sizeof name, "calling thread %u", atomic_fetch_add(&threads, 1) + 1);
        own_track = astride__trace_track(name);
    }
    return own_track;
}

/* Microseconds, as the format has them; the fraction is nanoseconds. */
static void append_times(event *e, uint64_t begin_ns, uint64_t end_ns)
{
    const uint64_t begin = begin_ns > origin ? begin_ns - origin : 0;
    const uint64_t duration = end_ns > begin_ns ? end_ns - begin_ns : 0;
    append(e, ",\"ts\":%" PRIu64 ".%03u,\"dur\":%" PRIu64 ".%03u", begin / 1000,
           (unsigned)(begin % 1000), duration / 1000, (unsigned)(duration % 1000));
}

void astride__trace_span(uint32_t track, const char *name, uint64_t begin_ns, uint64_t end_ns)
{
    event e;
    if (!astride__trace_enabled())
        return;
    begin_event(&e, 'X', track == 0 ? track_of_thread() : track, name);
    append_times(&e, begin_ns, end_ns);
    append(&e, ",\"cat\":\"device\"}");
    put(&e);
}

static void append_fact(event *e, const char **separator, const char *name, const char *value)
{
    if (value == NULL)
        return;
    append(e, "%s\"%s\":", *separator, name);
    append_string(e, value);
    *separator = ",";
}

void astride__trace_end(uint64_t begun, const char *name, const astride__trace_facts *facts)
{
    static const astride__trace_facts none;
    const char *separator = "";
    event e;
    if (begun == 0 || !astride__trace_enabled())
        return;
    const uint64_t now = astride__trace_now();
    if (facts == NULL)
        facts = &none;
    begin_event(&e, 'X', track_of_thread(), name);
    append_times(&e, begun, now);
    append(&e, ",\"cat\":\"call\",\"args\":{");
    append_fact(&e, &separator, "device", facts->device);
    append_fact(&e, &separator, "from", facts->from);
    append_fact(&e, &separator, "to", facts->to);
    if (facts->bytes != 0)
        append(&e, "%s\"bytes\":%" PRIu64, separator, facts->bytes);
    append(&e, "}}");
    put(&e);
}

astride_status astride__trace_open(const char *path)
{
    const int opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (opened < 0)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "ASTRIDE_TRACE: \"%.200s\" cannot be written: %s", path,
                             strerror(errno));
    file = opened;
    origin = astride__trace_now();
    buffer[used++] = '[';
    buffer[used++] = '\n';
    atomic_store(&astride__trace_on, true);
    return ASTRIDE_OK;
}

void astride__trace_after_fork(void)
{
    atomic_store(&astride__trace_on, false);
    if (file >= 0)
        close(file);
    file = -1;
}

/* Threads of drivers may still be at work: what they say from now on is not written. */
__attribute__((destructor)) static void close_trace(void)
{
    if (!astride__trace_enabled())
        return;
    atomic_store(&astride__trace_on, false);
    pthread_mutex_lock(&lock);
    flush();
    (void)write_all("\n]\n", 3);
    close(file);
    file = -1;
    pthread_mutex_unlock(&lock);
}
