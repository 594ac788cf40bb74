/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Layouts between two devices. Everything goes through one queue, of the source's device or of the
 * destination's by turns: the destination's former contents, the copies, and what is read back. So
 * a copy that is out of order with its queue shows, whichever queues carry it out.
 */
#include "tests/conformance/pair.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/support/reference.h"

/* Keeps the numbers drawn for memory kinds apart from those drawn for layouts. */
static const uint64_t kinds_seed = UINT64_C(0x70616972);

/* Host memory with what an allocation has, or should have. */
typedef struct image {
    unsigned char *bytes;
    size_t capacity;
} image;

enum { SIDES = 2, ARENAS = 2 };

typedef struct session {
    const conformance_pair_options *options;
    conformance_pair_result *result;
    astride_device *from, *to, *third; /* the third one is NULL, or that of the queue to use */
    astride_queue *queues[SIDES];      /* of from, of to */
    astride_queue *third_queue;

    /* The layout at hand. */
    uint64_t index;
    test_layout layout;
    int64_t shift;                             /* by how much both sides can be moved */
    image before, once, twice, source, actual; /* of the destination's allocation, but source */
    test_buffer dst[ARENAS], src[ARENAS];      /* of the same kinds */
    astride_queue *queue;                      /* that this layout uses */
    bool wrong;
} session;

static bool grow(image *self, size_t bytes)
{
    if (bytes <= self->capacity)
        return true;
    free(self->bytes);
    self->capacity = 0;
    self->bytes = malloc(bytes);
    if (self->bytes != NULL)
        self->capacity = bytes;
    return self->bytes != NULL;
}

ASTRIDE_PRINTF(3, 4)
static void report(session *s, const char *how, const char *format, ...)
{
    char what[1536];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    s->wrong = true;
    s->result->failures++;
    if (s->options->report != NULL) {
        const conformance_pair_failure failure = {
            .seed = s->options->seed,
            .index = s->index,
            .dst_origin = s->dst[0].origin,
            .src_origin = s->src[0].origin,
            .queue_spec = astride_device_spec(astride_queue_device(s->queue)),
            .how = how,
            .what = what,
            .layout = &s->layout,
        };
        s->options->report(&failure, s->options->argument);
    }
}

static bool succeeded(session *s, const char *how, const char *call, astride_status status)
{
    if (status != ASTRIDE_OK)
        report(s, how, "%s: %s: %s", call, astride_status_name(status), astride_last_error());
    return status == ASTRIDE_OK;
}

static int64_t pick_shift(test_random *random, const test_layout *layout)
{
    int64_t down, up;

    test_layout_room(layout, &down, &up);
    return down < up ? test_random_between(random, down, up) : 0;
}

/* Draws layout number `index`; false when it is one within a single allocation. */
static bool draw_layout(session *s, uint64_t index, astride_status *status_out)
{
    test_layout *layout = &s->layout;
    test_random random;

    s->index = index;
    *status_out = ASTRIDE_OK;
    test_random_seed(&random, s->options->seed, index);
    test_layout_generate(&random, layout);
    if (layout->placement != TEST_PLACEMENT_SEPARATE)
        return false;
    s->shift = pick_shift(&random, layout);
    if (!grow(&s->before, layout->dst.bytes) || !grow(&s->once, layout->dst.bytes) ||
        !grow(&s->twice, layout->dst.bytes) || !grow(&s->source, layout->src.bytes) ||
        !grow(&s->actual, layout->dst.bytes) || !grow(&s->actual, layout->src.bytes)) {
        *status_out = ASTRIDE_OUT_OF_MEMORY;
        return true;
    }
    test_random_bytes(&random, s->before.bytes, layout->dst.bytes);
    test_random_bytes(&random, s->source.bytes, layout->src.bytes);
    memcpy(s->once.bytes, s->before.bytes, layout->dst.bytes);
    test_reference_copy(layout, 0, s->once.bytes, s->source.bytes);
    memcpy(s->twice.bytes, s->once.bytes, layout->dst.bytes);
    test_reference_copy(layout, s->shift, s->twice.bytes, s->source.bytes);
    return true;
}

static astride_copy_desc describe(const session *s, int arena, int64_t shift)
{
    return test_layout_descriptor(&s->layout, s->dst[arena].address, s->src[arena].address, shift);
}

static bool reset(session *s, const char *how, int arena)
{
    /* What the former run left behind is done; uploads of host memory happen at once. */
    return succeeded(s, how, "astride_queue_wait", astride_queue_wait(s->queue)) &&
           succeeded(s, how, "upload of the destination",
                     test_buffer_upload(s->queue, &s->dst[arena], s->before.bytes));
}

static void compare(session *s, const char *how, const char *name, const test_buffer *buffer,
                    const unsigned char *expected)
{
    const unsigned char *actual = test_buffer_contents(buffer);
    size_t at;

    if (actual == NULL) {
        actual = s->actual.bytes;
        if (!succeeded(s, how, "download", test_buffer_download(s->queue, buffer, s->actual.bytes)))
            return;
    }
    if (!succeeded(s, how, "astride_queue_wait", astride_queue_wait(s->queue)))
        return;
    at = test_first_difference(actual, expected, buffer->bytes);
    if (at < buffer->bytes)
        report(s, how, "byte %zu of the %s's %zu is 0x%02x, expected 0x%02x", at, name,
               buffer->bytes, actual[at], expected[at]);
    if (!test_buffer_guards_intact(buffer))
        report(s, how, "host memory around the %s's allocation was written", name);
}

/* One copy, or two of which the second one is moved. */
static void run_copy(session *s, const char *how, bool repeat)
{
    astride_copy_desc desc = describe(s, 0, 0);

    if (!reset(s, how, 0) || !succeeded(s, how, "astride_copy", astride_copy(s->queue, &desc)))
        return;
    s->result->copies++;
    if (repeat) {
        desc = describe(s, 0, s->shift);
        if (!succeeded(s, how, "astride_copy (moved)", astride_copy(s->queue, &desc)))
            return;
        s->result->copies++;
    }
    compare(s, how, "destination", &s->dst[0], repeat ? s->twice.bytes : s->once.bytes);
}

static bool is_routed(const astride_plan *plan)
{
    char text[4096];

    return astride_plan_describe(plan, ASTRIDE_PLAN_TEXT, text, sizeof text, NULL) == ASTRIDE_OK &&
           strstr(text, "\n  route       ") != NULL;
}

/* A plan that is made for one pair of allocations is run on another pair of the same kinds. */
static void run_plan(session *s)
{
    const char *how = "plan, other allocations";
    astride_copy_desc desc = describe(s, 0, 0);
    astride_plan *plan = NULL;

    if (!succeeded(s, how, "astride_plan_create",
                   astride_plan_create(astride_queue_device(s->queue), &desc, &plan)))
        return;
    s->result->routed += is_routed(plan);
    desc = describe(s, 1, 0);
    if (reset(s, how, 1) &&
        succeeded(s, how, "astride_plan_run",
                  astride_plan_run(plan, s->queue, desc.dst.base, desc.src.base))) {
        s->result->copies++;
        compare(s, how, "destination", &s->dst[1], s->once.bytes);
    }
    astride_plan_destroy(plan);
}

static void run_batch(session *s)
{
    const char *how = "batch";
    const astride_copy_desc descs[] = {describe(s, 0, 0), describe(s, 0, s->shift)};

    if (reset(s, how, 0) &&
        succeeded(s, how, "astride_copy_batch", astride_copy_batch(s->queue, descs, 2))) {
        s->result->copies += 2;
        compare(s, how, "destination", &s->dst[0], s->twice.bytes);
    }
}

/* Mostly the device's own memory: that is what this suite is about. */
static test_buffer_origin pick_origin(test_random *random)
{
    if (test_random_chance(random, 3, 4))
        return TEST_BUFFER_DEVICE;
    return (test_buffer_origin)test_random_between(random, TEST_BUFFER_PAGEABLE,
                                                   TEST_BUFFER_SHARED);
}

static astride_status create_buffers(astride_device *device, test_buffer_origin origin,
                                     size_t bytes, test_buffer *buffers)
{
    astride_status status = ASTRIDE_OK;

    for (int arena = 0; arena < ARENAS && status == ASTRIDE_OK; arena++) {
        status = test_buffer_create(device, origin, bytes, &buffers[arena]);
        if (status == ASTRIDE_UNSUPPORTED)
            status = test_buffer_create(device, TEST_BUFFER_DEVICE, bytes, &buffers[arena]);
    }
    return status;
}

static astride_status create_arenas(session *s)
{
    test_random random;
    astride_status status;

    test_random_seed(&random, s->options->seed ^ kinds_seed, s->index);
    const test_buffer_origin dst = pick_origin(&random), src = pick_origin(&random);
    s->queue = s->queues[test_random_chance(&random, 1, 2)];
    if (s->third_queue != NULL)
        s->queue = s->third_queue;
    status = create_buffers(s->to, dst, s->layout.dst.bytes, s->dst);
    if (status == ASTRIDE_OK)
        status = create_buffers(s->from, src, s->layout.src.bytes, s->src);
    for (int arena = 0; arena < ARENAS && status == ASTRIDE_OK; arena++)
        status = test_buffer_upload(s->queues[0], &s->src[arena], s->source.bytes);
    return status == ASTRIDE_OK ? astride_queue_wait(s->queues[0]) : status;
}

static astride_status destroy_arenas(session *s)
{
    astride_status status = ASTRIDE_OK;

    for (int arena = 0; arena < ARENAS; arena++) {
        astride_status freed = test_buffer_destroy(&s->dst[arena]);
        if (status == ASTRIDE_OK)
            status = freed;
        freed = test_buffer_destroy(&s->src[arena]);
        if (status == ASTRIDE_OK)
            status = freed;
    }
    return status;
}

static astride_status run_layout(session *s)
{
    astride_status status = create_arenas(s);

    if (status == ASTRIDE_OK) {
        s->wrong = false;
        run_copy(s, "copy", false);
        if (!s->wrong)
            run_plan(s);
        if (!s->wrong && test_layout_elements(&s->layout) * s->layout.element_bytes < 65536) {
            run_copy(s, "cached copy", true);
            run_batch(s);
        }
        for (int arena = 0; arena < ARENAS; arena++)
            compare(s, "afterwards", "source", &s->src[arena], s->source.bytes);
        s->result->layouts++;
    }
    const astride_status freed = destroy_arenas(s);
    return status == ASTRIDE_OK ? freed : status;
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static astride_status run_layouts(session *s)
{
    const conformance_pair_options *options = s->options;
    const double started = seconds_now();
    astride_status status = ASTRIDE_OK;

    for (uint64_t index = options->first;
         status == ASTRIDE_OK && s->result->layouts < options->count; index++) {
        if (options->failure_limit > 0 && s->result->failures >= options->failure_limit)
            break;
        if (draw_layout(s, index, &status) && status == ASTRIDE_OK)
            status = run_layout(s);
    }
    s->result->seconds = seconds_now() - started;
    return status;
}

static astride_status open_both(session *s)
{
    astride_status status = astride_device_open(s->options->from_spec, &s->from);

    if (status == ASTRIDE_OK)
        status = astride_device_open(s->options->to_spec, &s->to);
    if (status == ASTRIDE_OK)
        status = astride_queue_create(s->from, &s->queues[0]);
    if (status == ASTRIDE_OK)
        status = astride_queue_create(s->to, &s->queues[1]);
    if (status == ASTRIDE_OK && s->options->queue_spec != NULL)
        status = astride_device_open(s->options->queue_spec, &s->third);
    if (status == ASTRIDE_OK && s->third != NULL)
        status = astride_queue_create(s->third, &s->third_queue);
    if (status != ASTRIDE_OK)
        return status;
    strncpy(s->result->from_spec, astride_device_spec(s->from), sizeof s->result->from_spec - 1);
    strncpy(s->result->to_spec, astride_device_spec(s->to), sizeof s->result->to_spec - 1);
    return ASTRIDE_OK;
}

astride_status conformance_pair_run(const conformance_pair_options *options,
                                    conformance_pair_result *result_out)
{
    conformance_pair_result result = {.layouts = 0};
    session *s = calloc(1, sizeof *s);
    astride_status status = ASTRIDE_OUT_OF_MEMORY;

    if (s == NULL)
        return status;
    s->options = options;
    s->result = &result;
    status = open_both(s);
    if (status == ASTRIDE_OK)
        status = run_layouts(s);
    for (int side = 0; side < SIDES; side++)
        astride_queue_destroy(s->queues[side]);
    astride_queue_destroy(s->third_queue);
    astride_device_close(s->third);
    astride_device_close(s->to);
    astride_device_close(s->from);
    free(s->before.bytes);
    free(s->once.bytes);
    free(s->twice.bytes);
    free(s->source.bytes);
    free(s->actual.bytes);
    free(s);
    if (status == ASTRIDE_OK)
        *result_out = result;
    return status;
}
