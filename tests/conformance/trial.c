/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Setting up one layout in memory of given kinds, copying it in every way that the library offers,
 * and comparing whole allocations, gaps and guards included.
 */
#include "tests/conformance/trial.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/reference.h"

/* Layouts that copy more are run once per strategy, not by every call. */
enum { HEAVY_BYTES = 64 << 10 };

/* Keeps the numbers drawn for memory kinds apart from those drawn for layouts. */
static const uint64_t kinds_seed = UINT64_C(0x6b696e6473);

/* A pair of allocations; with both sides in one, src is not used. */
typedef struct arena {
    test_buffer dst, src;
} arena;

typedef struct trial {
    conformance_session *session;
    conformance_direction direction;
    bool one_allocation;
    test_buffer_origin dst_origin, src_origin;
    arena first, second; /* of the same kinds */

    /* Of the run at hand. */
    astride_strategy strategy;
    bool wrong;
} trial;

static bool grow(conformance_image *image, size_t bytes)
{
    if (bytes <= image->capacity)
        return true;
    free(image->bytes);
    image->capacity = 0;
    image->bytes = malloc(bytes);
    if (image->bytes == NULL)
        return false;
    image->capacity = bytes;
    return true;
}

void conformance_end_session(conformance_session *session)
{
    free(session->before.bytes);
    free(session->once.bytes);
    free(session->twice.bytes);
    free(session->source.bytes);
    free(session->actual.bytes);
}

/* A distance by which both sides can be moved, rarely 0 where there is room. */
static int64_t pick_shift(test_random *random, const test_layout *layout)
{
    int64_t down, up;

    test_layout_room(layout, &down, &up);
    for (int i = 0; i < 3 && down < up; i++) {
        int64_t shift = test_random_between(random, down, up);

        if (shift != 0)
            return shift;
    }
    return 0;
}

astride_status conformance_begin_layout(conformance_session *session, uint64_t index)
{
    test_layout *layout = &session->layout;
    bool one_allocation;
    test_random random;

    session->index = index;
    test_random_seed(&random, session->options->seed, index);
    test_layout_generate(&random, layout);
    session->shift = pick_shift(&random, layout);
    session->overlapping = test_layout_sides_overlap(layout);
    session->heavy = test_layout_elements(layout) * layout->element_bytes > HEAVY_BYTES;
    if (!grow(&session->before, layout->dst.bytes) || !grow(&session->once, layout->dst.bytes) ||
        !grow(&session->twice, layout->dst.bytes) || !grow(&session->actual, layout->dst.bytes) ||
        !grow(&session->actual, layout->src.bytes) || !grow(&session->source, layout->src.bytes))
        return ASTRIDE_OUT_OF_MEMORY;

    one_allocation = layout->placement != TEST_PLACEMENT_SEPARATE;
    test_random_bytes(&random, session->before.bytes, layout->dst.bytes);
    test_random_bytes(&random, session->source.bytes, layout->src.bytes);
    memcpy(session->once.bytes, session->before.bytes, layout->dst.bytes);
    test_reference_copy(layout, 0, session->once.bytes,
                        one_allocation ? session->once.bytes : session->source.bytes);
    memcpy(session->twice.bytes, session->once.bytes, layout->dst.bytes);
    test_reference_copy(layout, session->shift, session->twice.bytes,
                        one_allocation ? session->twice.bytes : session->source.bytes);
    return ASTRIDE_OK;
}

ASTRIDE_PRINTF(3, 4)
static void report(trial *t, const char *how, const char *format, ...)
{
    const conformance_options *options = t->session->options;
    char what[1536];
    conformance_failure failure = {
        .device_spec = t->session->result->device_spec,
        .seed = options->seed,
        .index = t->session->index,
        .direction = t->direction,
        .strategy = t->strategy,
        .dst_origin = t->dst_origin,
        .src_origin = t->src_origin,
        .how = how,
        .what = what,
        .layout = &t->session->layout,
    };
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    t->wrong = true;
    t->session->result->failures++;
    t->session->result->tallies[t->direction][t->strategy].reports++;
    if (options->report != NULL)
        options->report(&failure, options->argument);
}

/* False, and a report, when a call failed. */
static bool succeeded(trial *t, const char *how, const char *call, astride_status status)
{
    if (status != ASTRIDE_OK)
        report(t, how, "%s: %s: %s", call, astride_status_name(status), astride_last_error());
    return status == ASTRIDE_OK;
}

/* The descriptor of the layout in an arena, moved by `shift`. */
static astride_copy_desc describe(const trial *t, const arena *a, int64_t shift)
{
    return test_layout_descriptor(&t->session->layout, a->dst.address,
                                  t->one_allocation ? a->dst.address : a->src.address, shift);
}

static bool reset_on(trial *t, const char *how, const arena *a, astride_queue *queue)
{
    /* A run that was given up may have left work behind. */
    if (t->wrong)
        (void)astride_queue_wait(queue);
    return succeeded(t, how, "upload of the destination",
                     test_buffer_upload(queue, &a->dst, t->session->before.bytes));
}

static bool reset(trial *t, const char *how, const arena *a)
{
    return reset_on(t, how, a, t->session->queue);
}

/* Waits for a queue and compares an allocation with an image of it. */
static void compare(trial *t, const char *how, const char *name, const test_buffer *buffer,
                    const unsigned char *expected, astride_queue *queue)
{
    const unsigned char *actual = test_buffer_contents(buffer);
    size_t at;

    if (actual == NULL) {
        actual = t->session->actual.bytes;
        if (!succeeded(t, how, "download",
                       test_buffer_download(queue, buffer, t->session->actual.bytes)))
            return;
    }
    if (!succeeded(t, how, "astride_queue_wait", astride_queue_wait(queue)))
        return;
    at = test_first_difference(actual, expected, buffer->bytes);
    if (at < buffer->bytes)
        report(t, how, "byte %zu of the %s's %zu is 0x%02x, expected 0x%02x (was 0x%02x before)",
               at, name, buffer->bytes, actual[at], expected[at],
               buffer == &t->first.src || buffer == &t->second.src ? expected[at]
                                                                   : t->session->before.bytes[at]);
    if (!test_buffer_guards_intact(buffer))
        report(t, how, "host memory around the %s's allocation was written", name);
}

static void compare_dst(trial *t, const char *how, const arena *a, const conformance_image *image)
{
    compare(t, how, "destination", &a->dst, image->bytes, t->session->queue);
}

/* What a plan says of itself must fit the layout. */
static void check_info(trial *t, const char *how, const astride_plan *plan,
                       astride_strategy *strategy_out)
{
    const test_layout *layout = &t->session->layout;
    astride_plan_info info = {.struct_size = sizeof info};
    uint64_t bytes = test_layout_elements(layout) * layout->element_bytes;

    if (!succeeded(t, how, "astride_plan_get_info", astride_plan_get_info(plan, &info)))
        return;
    *strategy_out = info.strategy;
    if (info.bytes != bytes)
        report(t, how, "the plan copies %" PRIu64 " bytes, the layout has %" PRIu64, info.bytes,
               bytes);
    if (bytes == 0)
        return;
    if (info.strategy <= ASTRIDE_STRATEGY_AUTO || info.strategy > ASTRIDE_STRATEGY_HOST)
        report(t, how, "the plan's strategy is %d", (int)info.strategy);
    if (info.rank < 0 || info.rank > layout->rank)
        report(t, how, "the plan's rank is %" PRId32 ", the layout's %" PRId32, info.rank,
               layout->rank);
    if (info.unit_bytes == 0 || bytes % info.unit_bytes != 0 || info.call_count == 0)
        report(t, how, "the plan has units of %" PRIu64 " bytes and %" PRIu64 " calls",
               info.unit_bytes, info.call_count);
    if (t->session->overlapping && !info.overlapping)
        report(t, how, "the sides overlap, the plan says that they do not");
    if (info.overlapping && layout->placement != TEST_PLACEMENT_OVERLAPPING)
        report(t, how, "the sides do not overlap, the plan says that they may");
    if ((info.temporary_bytes > 0) != (info.strategy == ASTRIDE_STRATEGY_STAGED))
        report(t, how, "strategy %s with %" PRIu64 " bytes of temporary memory",
               astride_strategy_name(info.strategy), info.temporary_bytes);
}

static void run_plan(trial *t, const char *how, const astride_plan *plan, const arena *a,
                     bool repeat)
{
    astride_copy_desc desc = describe(t, a, 0);
    const conformance_image *expected = repeat ? &t->session->twice : &t->session->once;

    if (!reset(t, how, a) ||
        !succeeded(t, how, "astride_plan_run",
                   astride_plan_run(plan, t->session->queue, desc.dst.base, desc.src.base)))
        return;
    if (repeat) {
        desc = describe(t, a, t->session->shift);
        if (!succeeded(t, how, "astride_plan_run (moved)",
                       astride_plan_run(plan, t->session->queue, desc.dst.base, desc.src.base)))
            return;
    }
    compare_dst(t, how, a, expected);
}

/* Runs a plan on both pairs of allocations at once, in two queues: its temporary serves one run. */
static void run_plan_in_two_queues(trial *t, const char *how, const astride_plan *plan)
{
    astride_queue *const queues[] = {t->session->queue, t->session->second_queue};
    const arena *const arenas[] = {&t->first, &t->second};
    bool running = true;

    for (int i = 0; i < 2 && running; i++)
        running = reset_on(t, how, arenas[i], queues[i]);
    for (int i = 0; i < 2 && running; i++) {
        astride_copy_desc desc = describe(t, arenas[i], 0);

        running = succeeded(t, how, "astride_plan_run",
                            astride_plan_run(plan, queues[i], desc.dst.base, desc.src.base));
    }
    for (int i = 0; i < 2 && running; i++)
        compare(t, how, "destination", &arenas[i]->dst, t->session->once.bytes, queues[i]);
    (void)succeeded(t, how, "astride_queue_wait", astride_queue_wait(queues[1]));
}

/* A strategy that is forced: it is carried out, by itself, or refused as unsupported. */
static void run_forced(trial *t, astride_strategy strategy)
{
    conformance_tally *tally = &t->session->result->tallies[t->direction][strategy];
    const astride_plan_options options = {.struct_size = sizeof options, .strategy = strategy};
    astride_copy_desc desc = describe(t, &t->first, 0);
    astride_strategy actual = ASTRIDE_STRATEGY_AUTO;
    bool empty = test_layout_elements(&t->session->layout) == 0;
    astride_plan *plan = NULL;
    astride_status status;

    t->strategy = strategy;
    t->wrong = false;
    status = astride_plan_create_with(t->session->device, &desc, &options, &plan);
    if (status == ASTRIDE_UNSUPPORTED) {
        tally->unsupported++;
        if (strstr(astride_last_error(), astride_strategy_name(strategy)) == NULL)
            report(t, "plan", "refused without naming the strategy: %s", astride_last_error());
        if (plan != NULL)
            report(t, "plan", "refused, but plan_out was written");
        return;
    }
    if (succeeded(t, "plan", "astride_plan_create_with", status)) {
        check_info(t, "plan", plan, &actual);
        if (actual != strategy && !empty)
            report(t, "plan", "forced %s, the plan's strategy is %s",
                   astride_strategy_name(strategy), astride_strategy_name(actual));
        run_plan(t, "plan", plan, &t->first, false);
        if (!t->session->heavy && !t->wrong)
            run_plan(t, "plan, run twice", plan, &t->first, true);
        if (!t->session->heavy && !t->wrong && strategy == ASTRIDE_STRATEGY_STAGED)
            run_plan_in_two_queues(t, "plan, two queues", plan);
        astride_plan_destroy(plan);
    }
    if (t->wrong)
        tally->failed++;
    else if (!empty)
        tally->carried_out++;
}

static void run_copy(trial *t, const char *how, bool repeat)
{
    astride_copy_desc desc = describe(t, &t->first, 0);

    if (!reset(t, how, &t->first) ||
        !succeeded(t, how, "astride_copy", astride_copy(t->session->queue, &desc)))
        return;
    if (repeat) {
        desc = describe(t, &t->first, t->session->shift);
        if (!succeeded(t, how, "astride_copy (moved)", astride_copy(t->session->queue, &desc)))
            return;
    }
    compare_dst(t, how, &t->first, repeat ? &t->session->twice : &t->session->once);
}

static void run_batch(trial *t)
{
    const char *how = "batch";
    const astride_copy_desc descs[] = {describe(t, &t->first, 0),
                                       describe(t, &t->first, t->session->shift)};

    if (reset(t, how, &t->first) &&
        succeeded(t, how, "astride_copy_batch", astride_copy_batch(t->session->queue, descs, 2)))
        compare_dst(t, how, &t->first, &t->session->twice);
}

/* A plan that is made for one pair of allocations is run on another pair of the same kinds. */
static void run_elsewhere(trial *t)
{
    const char *how = "plan, other allocations";
    astride_copy_desc desc = describe(t, &t->first, 0);
    astride_strategy chosen = ASTRIDE_STRATEGY_AUTO;
    astride_plan *plan = NULL;

    if (!succeeded(t, how, "astride_plan_create",
                   astride_plan_create(t->session->device, &desc, &plan)))
        return;
    check_info(t, how, plan, &chosen);
    if (test_layout_elements(&t->session->layout) > 0)
        t->session->result->tallies[t->direction][chosen].chosen++;
    run_plan(t, how, plan, &t->second, false);
    if (!t->session->heavy && !t->wrong)
        run_plan_in_two_queues(t, "plan, two queues", plan);
    astride_plan_destroy(plan);
}

static bool kind_of(trial *t, const char *how, const test_buffer *buffer,
                    astride_memory_kind *kind_out)
{
    astride_memory_info info = {.struct_size = sizeof info};

    if (!succeeded(t, how, "astride_memory_query",
                   astride_memory_query(t->session->device, buffer->address, &info)))
        return false;
    *kind_out = info.kind;
    return true;
}

/* A plan that was made without addresses. */
static void run_unbound(trial *t)
{
    const char *how = "unbound plan";
    astride_plan_options options = {.struct_size = sizeof options, .flags = ASTRIDE_PLAN_UNBOUND};
    astride_copy_desc desc = describe(t, &t->first, 0);
    astride_strategy chosen = ASTRIDE_STRATEGY_AUTO;
    astride_plan *plan = NULL;

    if (!kind_of(t, how, &t->first.dst, &options.dst_kind) ||
        !kind_of(t, how, &t->first.src, &options.src_kind))
        return;
    desc.dst.base = NULL;
    desc.src.base = NULL;
    if (!succeeded(t, how, "astride_plan_create_with",
                   astride_plan_create_with(t->session->device, &desc, &options, &plan)))
        return;
    check_info(t, how, plan, &chosen);
    run_plan(t, how, plan, &t->first, true);
    astride_plan_destroy(plan);
}

/* The strategy is the device's choice: every call that copies. */
static void run_auto(trial *t)
{
    conformance_tally *tally = &t->session->result->tallies[t->direction][ASTRIDE_STRATEGY_AUTO];

    t->strategy = ASTRIDE_STRATEGY_AUTO;
    t->wrong = false;
    run_copy(t, "copy", false);
    run_elsewhere(t);
    if (!t->session->heavy) {
        run_copy(t, "cached copy", true);
        run_batch(t);
        if (!t->one_allocation)
            run_unbound(t);
    }
    if (t->wrong)
        tally->failed++;
    else
        tally->carried_out++;
}

/* Draws where a side's memory comes from. */
static test_buffer_origin pick_origin(test_random *random, bool on_device)
{
    if (on_device)
        return test_random_chance(random, 1, 6) ? TEST_BUFFER_SHARED : TEST_BUFFER_DEVICE;
    return (test_buffer_origin)test_random_between(random, TEST_BUFFER_PAGEABLE,
                                                   TEST_BUFFER_REGISTERED);
}

/* Devices need not have every kind of memory: the plain one of that side takes its place. */
static astride_status create_buffer(astride_device *device, test_buffer_origin *origin,
                                    size_t bytes, test_buffer *buffer_out)
{
    astride_status status = test_buffer_create(device, *origin, bytes, buffer_out);

    if (status != ASTRIDE_UNSUPPORTED)
        return status;
    *origin = *origin == TEST_BUFFER_SHARED ? TEST_BUFFER_DEVICE : TEST_BUFFER_PAGEABLE;
    return test_buffer_create(device, *origin, bytes, buffer_out);
}

static astride_status create_arena(trial *t, arena *a)
{
    const test_layout *layout = &t->session->layout;
    astride_status status =
        create_buffer(t->session->device, &t->dst_origin, layout->dst.bytes, &a->dst);

    if (status != ASTRIDE_OK || t->one_allocation)
        return status;
    status = create_buffer(t->session->device, &t->src_origin, layout->src.bytes, &a->src);
    if (status != ASTRIDE_OK)
        return status;
    return test_buffer_upload(t->session->queue, &a->src, t->session->source.bytes);
}

static void destroy_arena(trial *t, arena *a)
{
    (void)succeeded(t, "clean-up", "freeing the destination", test_buffer_destroy(&a->dst));
    (void)succeeded(t, "clean-up", "freeing the source", test_buffer_destroy(&a->src));
}

astride_status conformance_run_direction(conformance_session *session,
                                         conformance_direction direction)
{
    bool dst_on_device = direction == CONFORMANCE_HOST_TO_DEVICE ||
                         direction == CONFORMANCE_DEVICE_TO_DEVICE ||
                         direction == CONFORMANCE_WITHIN_DEVICE;
    bool src_on_device =
        direction == CONFORMANCE_DEVICE_TO_HOST || direction == CONFORMANCE_DEVICE_TO_DEVICE;
    trial t = {
        .session = session,
        .direction = direction,
        .one_allocation = session->layout.placement != TEST_PLACEMENT_SEPARATE,
    };
    test_random random;
    astride_status status;

    test_random_seed(&random, session->options->seed ^ kinds_seed,
                     session->index * CONFORMANCE_DIRECTION_COUNT + (uint64_t)direction);
    t.dst_origin = pick_origin(&random, dst_on_device);
    t.src_origin = t.one_allocation ? t.dst_origin : pick_origin(&random, src_on_device);
    status = create_arena(&t, &t.first);
    if (status == ASTRIDE_OK)
        status = create_arena(&t, &t.second);
    if (status == ASTRIDE_OK) {
        for (int s = ASTRIDE_STRATEGY_LINEAR; s <= ASTRIDE_STRATEGY_HOST; s++)
            if ((session->options->strategies & 1u << s) != 0)
                run_forced(&t, (astride_strategy)s);
        if ((session->options->strategies & 1u << ASTRIDE_STRATEGY_AUTO) != 0)
            run_auto(&t);
        /* Nobody has written to the sources. */
        if (!t.one_allocation) {
            compare(&t, "afterwards", "source", &t.first.src, session->source.bytes,
                    session->queue);
            compare(&t, "afterwards", "source", &t.second.src, session->source.bytes,
                    session->queue);
        }
    }
    /* Uploads that are still in flight read the images. */
    if (astride_queue_wait(session->queue) != ASTRIDE_OK && status == ASTRIDE_OK)
        status = ASTRIDE_INTERNAL;
    destroy_arena(&t, &t.first);
    destroy_arena(&t, &t.second);
    return status;
}
