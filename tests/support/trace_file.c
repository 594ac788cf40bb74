/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The Trace Event Format as far as the library uses it: complete events and names of tracks.
 */
#include "tests/support/trace_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

enum { TRACKS_MAXIMUM = 64 };

struct test_trace {
    json_t *events;
    const char *names[TRACKS_MAXIMUM]; /* of tracks, by number */
};

static bool begins_with(const char *text, const char *beginning)
{
    return text != NULL && strncmp(text, beginning, strlen(beginning)) == 0;
}

static const char *text_of(const json_t *event, const char *member)
{
    return json_string_value(json_object_get(event, member));
}

static double number_of(const json_t *event, const char *member)
{
    return json_number_value(json_object_get(event, member));
}

static bool is_span(const json_t *event)
{
    return strcmp(text_of(event, "ph"), "X") == 0;
}

static const char *track_of(const test_trace *trace, const json_t *event)
{
    return trace->names[json_integer_value(json_object_get(event, "tid"))];
}

static void check_event(const json_t *event)
{
    const json_t *track = json_object_get(event, "tid");
    assert_non_null(text_of(event, "ph"));
    assert_non_null(text_of(event, "name"));
    assert_true(json_is_integer(json_object_get(event, "pid")));
    assert_true(json_is_integer(track));
    assert_in_range(json_integer_value(track), 1, TRACKS_MAXIMUM - 1);
    if (!is_span(event))
        return;
    assert_true(json_is_real(json_object_get(event, "ts")));
    assert_true(json_is_real(json_object_get(event, "dur")));
    assert_non_null(text_of(event, "cat"));
}

test_trace *test_trace_load(const char *path)
{
    json_error_t error;
    const json_t *event;
    test_trace *trace = calloc(1, sizeof *trace);
    assert_non_null(trace);
    trace->events = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (trace->events == NULL)
        fail_msg("%s, line %d: %s", path, error.line, error.text);
    assert_true(json_is_array(trace->events));
    for (size_t i = 0; (event = json_array_get(trace->events, i)) != NULL; i++) {
        check_event(event);
        if (!is_span(event))
            trace->names[json_integer_value(json_object_get(event, "tid"))] =
                text_of(json_object_get(event, "args"), "name");
    }
    for (size_t i = 0; (event = json_array_get(trace->events, i)) != NULL; i++)
        assert_non_null(track_of(trace, event));
    return trace;
}

void test_trace_free(test_trace *trace)
{
    json_decref(trace->events);
    free(trace);
}

size_t test_trace_count(const test_trace *trace, const char *track, const char *name)
{
    size_t count = 0;
    const json_t *event;
    for (size_t i = 0; (event = json_array_get(trace->events, i)) != NULL; i++)
        count += is_span(event) && begins_with(track_of(trace, event), track) &&
                 begins_with(text_of(event, "name"), name);
    return count;
}

long long test_trace_bytes(const test_trace *trace, const char *name)
{
    long long bytes = 0;
    const json_t *event;
    for (size_t i = 0; (event = json_array_get(trace->events, i)) != NULL; i++) {
        const json_t *facts = json_object_get(event, "args");
        if (is_span(event) && begins_with(text_of(event, "name"), name))
            bytes += json_integer_value(json_object_get(facts, "bytes"));
    }
    return bytes;
}

/* The time that the spans of the other tracks cover. */
static void find_frame(const test_trace *trace, const char *track, double *first, double *last)
{
    const json_t *event;
    *first = 1e18;
    *last = 0;
    for (size_t i = 0; (event = json_array_get(trace->events, i)) != NULL; i++) {
        if (!is_span(event) || begins_with(track_of(trace, event), track))
            continue;
        const double begin = number_of(event, "ts"), end = begin + number_of(event, "dur");
        *first = begin < *first ? begin : *first;
        *last = end > *last ? end : *last;
    }
}

static void check_apart(const json_t *one, const json_t *other)
{
    const double begin = number_of(one, "ts"), end = begin + number_of(one, "dur");
    const double other_begin = number_of(other, "ts");
    const double other_end = other_begin + number_of(other, "dur");
    /* Times are rounded to nanoseconds. */
    if (begin < other_end - 0.002 && other_begin < end - 0.002)
        fail_msg("%s at %.3f to %.3f overlaps %s at %.3f to %.3f", text_of(one, "name"), begin, end,
                 text_of(other, "name"), other_begin, other_end);
}

void test_trace_check_times(const test_trace *trace, const char *track, double slack_us)
{
    double first, last;
    const json_t *event, *other;
    find_frame(trace, track, &first, &last);
    for (size_t i = 0; (event = json_array_get(trace->events, i)) != NULL; i++) {
        if (!is_span(event) || !begins_with(track_of(trace, event), track))
            continue;
        const double begin = number_of(event, "ts"), end = begin + number_of(event, "dur");
        if (begin < first - slack_us || end > last + slack_us)
            fail_msg("%s at %.3f to %.3f is outside %.3f to %.3f", text_of(event, "name"), begin,
                     end, first, last);
        for (size_t j = 0; j < i; j++) {
            other = json_array_get(trace->events, j);
            if (is_span(other) && track_of(trace, other) == track_of(trace, event))
                check_apart(event, other);
        }
    }
}
