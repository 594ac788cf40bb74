/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The run-time functions that lowered programs call, made for finding faults in the lowering: it
 * knows nothing of libastride. Device memory cannot be touched by the host, work on a stream is
 * done as late as the rules allow, and the file $ASTRIDE_TEST_TRACE receives every call with its
 * arguments. A broken rule ends the program with one line. For one thread only. */

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define FORMAT_LIKE_PRINTF __attribute__((format(printf, 1, 2)))

enum { max_rank = 32, max_objects = 64, max_element_bytes = 256 };

typedef struct event event;

enum work_kind { work_copy, work_set, work_record, work_wait };

/* Strides are in elements, as the calls have them. */
typedef struct work {
    enum work_kind kind;
    unsigned char *dst;
    const unsigned char *src;
    unsigned char pattern[max_element_bytes];
    int64_t rank;
    int64_t element_bytes;
    int64_t sizes[max_rank];
    int64_t dst_strides[max_rank];
    int64_t src_strides[max_rank];
    event *event;
    struct work *next;
} work;

typedef struct stream {
    int number;
    bool running;
    work *first;
    work *last;
} stream;

/* recorded_on is NULL before the record is asked for and after it is carried out. Pending work may
 * still need an event that the program has destroyed. */
struct event {
    int number;
    int pending_uses;
    bool destroyed;
    stream *recorded_on;
};

/* Device memory is mapped twice: front, which is handed out, forbids every access; back is where
 * the copies really go. */
typedef struct allocation {
    unsigned char *front;
    unsigned char *back;
    size_t bytes;
    size_t mapped_bytes;
} allocation;

static allocation allocations[max_objects];
static stream *streams[max_objects];
static event *events[max_objects];
static int streams_made;
static int events_made;
static FILE *trace_file;

FORMAT_LIKE_PRINTF __attribute__((noreturn)) static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("trace_runtime: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

FORMAT_LIKE_PRINTF static void trace(const char *format, ...)
{
    va_list arguments;
    if (!trace_file) {
        return;
    }
    va_start(arguments, format);
    vfprintf(trace_file, format, arguments);
    va_end(arguments);
}

static void trace_numbers(const char *name, const int64_t *numbers, int64_t count)
{
    trace(" %s=", name);
    for (int64_t i = 0; i < count; i++) {
        trace("%s%" PRId64, i ? "," : "", numbers[i]);
    }
}

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory) {
        fail("out of memory");
    }
    return memory;
}

__attribute__((constructor)) static void open_trace(void)
{
    const char *path = getenv("ASTRIDE_TEST_TRACE");
    if (path && *path) {
        trace_file = fopen(path, "w");
        if (!trace_file) {
            fail("cannot write $ASTRIDE_TEST_TRACE = %s", path);
        }
    }
}

/* What a correct program leaves is nothing, but MLIR's own lowering of gpu.wait leaves streams. */
__attribute__((destructor)) static void close_trace(void)
{
    int counts[3] = {0, 0, 0};
    for (int i = 0; i < max_objects; i++) {
        counts[0] += streams[i] != NULL;
        counts[1] += events[i] != NULL;
        counts[2] += allocations[i].front != NULL;
        if (streams[i] && streams[i]->first) {
            trace("undone stream=%d\n", streams[i]->number);
        }
    }
    trace("left streams=%d events=%d allocations=%d\n", counts[0], counts[1], counts[2]);
    if (trace_file) {
        fclose(trace_file);
    }
}

static stream *checked_stream(void *handle, const char *caller)
{
    for (int i = 0; i < max_objects; i++) {
        if (handle && streams[i] == handle) {
            return streams[i];
        }
    }
    fail("%s: %p is no stream", caller, handle);
}

static event *checked_event(void *handle, const char *caller)
{
    for (int i = 0; i < max_objects; i++) {
        if (handle && events[i] == handle) {
            return events[i];
        }
    }
    fail("%s: %p is no event", caller, handle);
}

/* The place in real memory of a region that starts at base and whose elements are between lowest
 * and end (bytes relative to base). What is in no device allocation is host memory. */
static unsigned char *resolve(const void *base, int64_t lowest, int64_t end, const char *caller)
{
    uintptr_t address = (uintptr_t)base;
    for (int i = 0; i < max_objects; i++) {
        uintptr_t front = (uintptr_t)allocations[i].front;
        int64_t bytes = (int64_t)allocations[i].bytes;
        if (front == 0 || address < front || address >= front + allocations[i].mapped_bytes) {
            continue;
        }
        int64_t start = (int64_t)(address - front);
        if (start + lowest < 0 || start + end > bytes) {
            fail("%s: bytes %" PRId64 " to %" PRId64 " of a device allocation of %" PRId64, caller,
                 start + lowest, start + end, bytes);
        }
        return allocations[i].back + start;
    }
    return (unsigned char *)address;
}

/* The same for a strided region; offset and strides are in elements. */
static unsigned char *resolve_strided(const void *base, int64_t offset, const work *shape,
                                      const int64_t *strides, const char *caller)
{
    int64_t lowest = offset;
    int64_t highest = offset;
    for (int64_t i = 0; i < shape->rank; i++) {
        int64_t reach = (shape->sizes[i] - 1) * strides[i];
        if (shape->sizes[i] < 0) {
            fail("%s: size %" PRId64 " is %" PRId64, caller, i, shape->sizes[i]);
        }
        if (shape->sizes[i] == 0) {
            return NULL;
        }
        lowest += reach < 0 ? reach : 0;
        highest += reach > 0 ? reach : 0;
    }
    int64_t bytes = shape->element_bytes;
    return resolve(base, lowest * bytes, (highest + 1) * bytes, caller) + offset * bytes;
}

/* Moves every element between its place and a dense buffer, in index order. */
static void walk(const work *item, unsigned char *place, const int64_t *strides, bool to_place,
                 unsigned char *dense, int64_t dimension)
{
    static int64_t done;
    if (dimension == 0) {
        done = 0;
    }
    if (dimension == item->rank) {
        size_t bytes = (size_t)item->element_bytes;
        unsigned char *element = dense + done * item->element_bytes;
        memcpy(to_place ? place : element, to_place ? element : place, bytes);
        done++;
        return;
    }
    for (int64_t i = 0; i < item->sizes[dimension]; i++) {
        walk(item, place + i * strides[dimension] * item->element_bytes, strides, to_place, dense,
             dimension + 1);
    }
}

static void carry_out_copy(const work *item)
{
    int64_t count = 1;
    for (int64_t i = 0; i < item->rank; i++) {
        count *= item->sizes[i];
    }
    if (count == 0) {
        return;
    }
    unsigned char *dense = allocate((size_t)(count * item->element_bytes));
    if (item->kind == work_copy) {
        walk(item, (unsigned char *)(uintptr_t)item->src, item->src_strides, false, dense, 0);
    } else {
        for (int64_t i = 0; i < count; i++) {
            memcpy(dense + i * item->element_bytes, item->pattern, (size_t)item->element_bytes);
        }
    }
    walk(item, item->dst, item->dst_strides, true, dense, 0);
    free(dense);
}

static void release_event(event *released)
{
    if (released->destroyed && released->pending_uses == 0) {
        free(released);
    }
}

/* Carries out a stream's work in order, up to the record of one event, or all of it. */
static void drain(stream *queue, const event *until)
{
    if (queue->running) {
        fail("stream %d waits for itself", queue->number);
    }
    queue->running = true;
    for (bool stop = false; queue->first && !stop;) {
        work *item = queue->first;
        queue->first = item->next;
        if (!queue->first) {
            queue->last = NULL;
        }
        if (item->kind == work_wait && item->event->recorded_on) {
            drain(item->event->recorded_on, item->event);
        } else if (item->kind == work_record) {
            item->event->recorded_on = NULL;
            stop = item->event == until;
        } else if (item->kind != work_wait) {
            carry_out_copy(item);
        }
        if (item->event) {
            item->event->pending_uses--;
            release_event(item->event);
        }
        free(item);
    }
    queue->running = false;
}

/* Takes ownership of the work. Without a stream it is done on return. */
static void submit(work *item, void *handle, const char *caller)
{
    if (!handle) {
        carry_out_copy(item);
        free(item);
        return;
    }
    stream *queue = checked_stream(handle, caller);
    if (item->event) {
        item->event->pending_uses++;
    }
    if (queue->last) {
        queue->last->next = item;
    } else {
        queue->first = item;
    }
    queue->last = item;
}

static int number_of_stream(void *handle, const char *caller)
{
    return handle ? checked_stream(handle, caller)->number : 0;
}

static work *new_work(enum work_kind kind, int64_t rank, int64_t element_bytes, const char *caller)
{
    if (rank < 0 || rank > max_rank) {
        fail("%s: rank is %" PRId64, caller, rank);
    }
    if (element_bytes < 1 || element_bytes > max_element_bytes) {
        fail("%s: element_bytes is %" PRId64, caller, element_bytes);
    }
    work *item = allocate(sizeof *item);
    item->kind = kind;
    item->rank = rank;
    item->element_bytes = element_bytes;
    return item;
}

static void copy_numbers(int64_t *to, const int64_t *from, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        to[i] = from[i];
    }
}

EXPORT void mgpuMemcpyStrided(void *dst, void *src, const int64_t *geometry, int64_t rank,
                              int64_t element_bytes, void *handle);
EXPORT void mgpuMemsetStrided(void *dst, const void *pattern, const int64_t *geometry, int64_t rank,
                              int64_t element_bytes, void *handle);
EXPORT void mgpuMemcpy(void *dst, void *src, size_t bytes, void *handle);
EXPORT void mgpuMemset32(void *dst, unsigned int value, size_t count, void *handle);
EXPORT void mgpuMemset16(void *dst, unsigned short value, size_t count, void *handle);
EXPORT void *mgpuMemAlloc(uint64_t bytes, void *handle, bool host_shared);
EXPORT void mgpuMemFree(void *memory, void *handle);
EXPORT void *mgpuStreamCreate(void);
EXPORT void mgpuStreamDestroy(void *handle);
EXPORT void mgpuStreamSynchronize(void *handle);
EXPORT void mgpuStreamWaitEvent(void *handle, void *event_handle);
EXPORT void *mgpuEventCreate(void);
EXPORT void mgpuEventDestroy(void *handle);
EXPORT void mgpuEventSynchronize(void *handle);
EXPORT void mgpuEventRecord(void *handle, void *stream_handle);

void mgpuMemcpyStrided(void *dst, void *src, const int64_t *geometry, int64_t rank,
                       int64_t element_bytes, void *handle)
{
    work *item = new_work(work_copy, rank, element_bytes, __func__);
    copy_numbers(item->sizes, geometry + 2, rank);
    copy_numbers(item->dst_strides, geometry + 2 + rank, rank);
    copy_numbers(item->src_strides, geometry + 2 + 2 * rank, rank);
    trace("memcpy_strided bytes=%" PRId64 " dst_offset=%" PRId64 " src_offset=%" PRId64,
          element_bytes, geometry[0], geometry[1]);
    trace_numbers("sizes", item->sizes, rank);
    trace_numbers("dst", item->dst_strides, rank);
    trace_numbers("src", item->src_strides, rank);
    trace(" stream=%d\n", number_of_stream(handle, __func__));
    item->dst = resolve_strided(dst, geometry[0], item, item->dst_strides, __func__);
    item->src = resolve_strided(src, geometry[1], item, item->src_strides, __func__);
    submit(item, handle, __func__);
}

void mgpuMemsetStrided(void *dst, const void *pattern, const int64_t *geometry, int64_t rank,
                       int64_t element_bytes, void *handle)
{
    work *item = new_work(work_set, rank, element_bytes, __func__);
    copy_numbers(item->sizes, geometry + 1, rank);
    copy_numbers(item->dst_strides, geometry + 1 + rank, rank);
    memcpy(item->pattern, pattern, (size_t)element_bytes);
    trace("memset_strided bytes=%" PRId64 " dst_offset=%" PRId64, element_bytes, geometry[0]);
    trace_numbers("sizes", item->sizes, rank);
    trace_numbers("dst", item->dst_strides, rank);
    trace(" stream=%d\n", number_of_stream(handle, __func__));
    item->dst = resolve_strided(dst, geometry[0], item, item->dst_strides, __func__);
    submit(item, handle, __func__);
}

void mgpuMemcpy(void *dst, void *src, size_t bytes, void *handle)
{
    work *item = new_work(work_copy, 1, 1, __func__);
    item->sizes[0] = (int64_t)bytes;
    item->dst_strides[0] = 1;
    item->src_strides[0] = 1;
    trace("memcpy bytes=%zu stream=%d\n", bytes, number_of_stream(handle, __func__));
    item->dst = resolve_strided(dst, 0, item, item->dst_strides, __func__);
    item->src = resolve_strided(src, 0, item, item->src_strides, __func__);
    submit(item, handle, __func__);
}

static void set_flat(void *dst, const void *value, int64_t value_bytes, size_t count, void *handle,
                     const char *caller)
{
    work *item = new_work(work_set, 1, value_bytes, caller);
    item->sizes[0] = (int64_t)count;
    item->dst_strides[0] = 1;
    memcpy(item->pattern, value, (size_t)value_bytes);
    trace("memset bytes=%" PRId64 " count=%zu stream=%d\n", value_bytes, count,
          number_of_stream(handle, caller));
    item->dst = resolve_strided(dst, 0, item, item->dst_strides, caller);
    submit(item, handle, caller);
}

void mgpuMemset32(void *dst, unsigned int value, size_t count, void *handle)
{
    uint32_t pattern = value;
    set_flat(dst, &pattern, 4, count, handle, __func__);
}

void mgpuMemset16(void *dst, unsigned short value, size_t count, void *handle)
{
    uint16_t pattern = value;
    set_flat(dst, &pattern, 2, count, handle, __func__);
}

void *mgpuMemAlloc(uint64_t bytes, void *handle, bool host_shared)
{
    int free_slot = 0;
    while (free_slot < max_objects && allocations[free_slot].front) {
        free_slot++;
    }
    if (free_slot == max_objects) {
        fail("%s: more than %d allocations", __func__, max_objects);
    }
    trace("alloc bytes=%" PRIu64 " shared=%d stream=%d\n", bytes, host_shared,
          number_of_stream(handle, __func__));
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    allocation *made = &allocations[free_slot];
    made->bytes = (size_t)bytes;
    made->mapped_bytes = (made->bytes / page + 1) * page;
    int file = memfd_create("device", 0);
    if (file < 0 || ftruncate(file, (off_t)made->mapped_bytes) != 0) {
        fail("%s: no memory for %" PRIu64 " bytes", __func__, bytes);
    }
    int access = host_shared ? PROT_READ | PROT_WRITE : PROT_NONE;
    void *front = mmap(NULL, made->mapped_bytes, access, MAP_SHARED, file, 0);
    void *back = mmap(NULL, made->mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (front == MAP_FAILED || back == MAP_FAILED) {
        fail("%s: no addresses for %" PRIu64 " bytes", __func__, bytes);
    }
    memset(back, 0xa5, made->mapped_bytes);
    made->front = front;
    made->back = back;
    return front;
}

void mgpuMemFree(void *memory, void *handle)
{
    trace("free stream=%d\n", number_of_stream(handle, __func__));
    for (int i = 0; i < max_objects; i++) {
        if (memory && allocations[i].front == memory) {
            for (int j = 0; j < max_objects; j++) {
                if (streams[j]) {
                    drain(streams[j], NULL);
                }
            }
            munmap(allocations[i].front, allocations[i].mapped_bytes);
            munmap(allocations[i].back, allocations[i].mapped_bytes);
            memset(&allocations[i], 0, sizeof allocations[i]);
            return;
        }
    }
    fail("%s: %p was not allocated", __func__, memory);
}

void *mgpuStreamCreate(void)
{
    stream *made = allocate(sizeof *made);
    made->number = ++streams_made;
    trace("stream_create %d\n", made->number);
    for (int i = 0; i < max_objects; i++) {
        if (!streams[i]) {
            streams[i] = made;
            return made;
        }
    }
    fail("%s: more than %d streams", __func__, max_objects);
}

void mgpuStreamDestroy(void *handle)
{
    stream *queue = checked_stream(handle, __func__);
    trace("stream_destroy %d\n", queue->number);
    if (queue->first) {
        fail("%s: stream %d has work that nothing waited for", __func__, queue->number);
    }
    for (int i = 0; i < max_objects; i++) {
        if (streams[i] == queue) {
            streams[i] = NULL;
        }
    }
    free(queue);
}

void mgpuStreamSynchronize(void *handle)
{
    stream *queue = checked_stream(handle, __func__);
    trace("stream_synchronize %d\n", queue->number);
    drain(queue, NULL);
}

void mgpuStreamWaitEvent(void *handle, void *event_handle)
{
    event *awaited = checked_event(event_handle, __func__);
    trace("stream_wait_event %d event=%d\n", number_of_stream(handle, __func__), awaited->number);
    work *item = new_work(work_wait, 0, 1, __func__);
    item->event = awaited;
    submit(item, checked_stream(handle, __func__), __func__);
}

void *mgpuEventCreate(void)
{
    event *made = allocate(sizeof *made);
    made->number = ++events_made;
    trace("event_create %d\n", made->number);
    for (int i = 0; i < max_objects; i++) {
        if (!events[i]) {
            events[i] = made;
            return made;
        }
    }
    fail("%s: more than %d events", __func__, max_objects);
}

void mgpuEventDestroy(void *handle)
{
    event *destroyed = checked_event(handle, __func__);
    trace("event_destroy %d\n", destroyed->number);
    for (int i = 0; i < max_objects; i++) {
        if (events[i] == destroyed) {
            events[i] = NULL;
        }
    }
    destroyed->destroyed = true;
    release_event(destroyed);
}

void mgpuEventSynchronize(void *handle)
{
    event *awaited = checked_event(handle, __func__);
    trace("event_synchronize %d\n", awaited->number);
    if (awaited->recorded_on) {
        drain(awaited->recorded_on, awaited);
    }
}

void mgpuEventRecord(void *handle, void *stream_handle)
{
    event *recorded = checked_event(handle, __func__);
    stream *queue = checked_stream(stream_handle, __func__);
    trace("event_record %d stream=%d\n", recorded->number, queue->number);
    work *item = new_work(work_record, 0, 1, __func__);
    item->event = recorded;
    recorded->recorded_on = queue;
    submit(item, queue, __func__);
}
