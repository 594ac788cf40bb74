/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Copies from several threads at once, each in a queue of its own or all in one: they share the
 * device's cache of plans, its map of memory and a plan with a temporary, and every result is
 * compared with a plain loop. Mostly of use under ThreadSanitizer.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/buffer.h"
#include "tests/support/count.h"
#include "tests/support/fixture.h"
#include "tests/support/layout.h"
#include "tests/support/reference.h"

enum { THREADS = 4, MOST_BYTES = 8 << 10, SHARED_LAYOUTS = 90 };

static const uint64_t seed = 3;

typedef struct worker {
    const test_fixture *fixture;
    astride_queue *queue; /* its own, or everybody's */
    uint64_t number, count;
    const astride_plan *shared_plan; /* of `reversal` */
    char failure[2048];              /* "" while all is well */
} worker;

/* In place and overlapping, so that its plan has a temporary. */
static const test_layout reversal = {.rank = 1,
                                     .element_bytes = 3,
                                     .extents = {100},
                                     .placement = TEST_PLACEMENT_OVERLAPPING,
                                     .dst = {.strides = {3}, .offset = 0, .bytes = 300},
                                     .src = {.strides = {-3}, .offset = 297, .bytes = 300},
                                     .shape = "reversal"};

/* Few enough that threads meet at the same plans, more than the cache holds. */
static void draw_layout(test_random *random, test_layout *layout_out)
{
    test_random shared;

    test_random_seed(&shared, seed, test_random_below(random, SHARED_LAYOUTS));
    do {
        test_layout_generate(&shared, layout_out);
    } while (layout_out->dst.bytes > MOST_BYTES || layout_out->src.bytes > MOST_BYTES);
}

static bool succeeded(worker *w, const char *call, astride_status status)
{
    if (status != ASTRIDE_OK && w->failure[0] == '\0')
        snprintf(w->failure, sizeof w->failure, "%s: %s: %s", call, astride_status_name(status),
                 astride_last_error());
    return status == ASTRIDE_OK;
}

/* One copy between buffers of the thread; by `plan`, or as astride_copy() does it. */
static void copy_once(worker *w, test_random *random, const test_layout *layout,
                      const astride_plan *plan)
{
    bool one = layout->placement != TEST_PLACEMENT_SEPARATE;
    bool on_device = test_random_chance(random, 1, 2);
    test_buffer dst = {.address = NULL}, src = {.address = NULL};
    unsigned char before[MOST_BYTES], source[MOST_BYTES], actual[MOST_BYTES];
    const unsigned char *contents = actual;
    astride_copy_desc desc;
    test_buffer_origin origin = on_device || plan ? TEST_BUFFER_DEVICE : TEST_BUFFER_PAGEABLE;

    test_random_bytes(random, before, layout->dst.bytes);
    test_random_bytes(random, source, layout->src.bytes);
    if (!succeeded(w, "create",
                   test_buffer_create(w->fixture->device, origin, layout->dst.bytes, &dst)) ||
        !succeeded(w, "upload", test_buffer_upload(w->queue, &dst, before)))
        goto destroy;
    if (!one &&
        (!succeeded(w, "create",
                    test_buffer_create(w->fixture->device, origin, layout->src.bytes, &src)) ||
         !succeeded(w, "upload", test_buffer_upload(w->queue, &src, source))))
        goto destroy;

    desc = test_layout_descriptor(layout, dst.address, one ? dst.address : src.address, 0);
    if (!succeeded(w, "copy",
                   plan != NULL ? astride_plan_run(plan, w->queue, desc.dst.base, desc.src.base)
                                : astride_copy(w->queue, &desc)))
        goto destroy;
    if (test_buffer_contents(&dst) != NULL)
        contents = test_buffer_contents(&dst);
    else
        (void)succeeded(w, "download", test_buffer_download(w->queue, &dst, actual));
    if (!succeeded(w, "wait", astride_queue_wait(w->queue)))
        goto destroy;
    test_reference_copy(layout, 0, before, one ? before : source);
    if (test_first_difference(contents, before, layout->dst.bytes) != layout->dst.bytes &&
        w->failure[0] == '\0')
        snprintf(w->failure, sizeof w->failure, "a %s of rank %d, %s, went wrong", layout->shape,
                 (int)layout->rank, test_placement_name(layout->placement));

destroy:
    /* What was enqueued before a failure still uses the buffers. */
    (void)astride_queue_wait(w->queue);
    (void)succeeded(w, "destroy", test_buffer_destroy(&dst));
    (void)succeeded(w, "destroy", test_buffer_destroy(&src));
}

static void *work(void *argument)
{
    worker *w = argument;
    test_random random;

    test_random_seed(&random, seed, 1000 + w->number);
    for (uint64_t i = 0; i < w->count && w->failure[0] == '\0'; i++) {
        test_layout layout = reversal;
        const astride_plan *plan = w->shared_plan;

        if (test_random_chance(&random, 3, 4)) {
            draw_layout(&random, &layout);
            plan = NULL;
        }
        copy_once(w, &random, &layout, plan);
    }
    return NULL;
}

static astride_plan *plan_reversal(const test_fixture *fixture)
{
    astride_plan_info info = {.struct_size = sizeof info};
    test_buffer buffer;
    astride_copy_desc desc;
    astride_plan *plan = NULL;

    assert_int_equal(
        test_buffer_create(fixture->device, TEST_BUFFER_DEVICE, reversal.dst.bytes, &buffer),
        ASTRIDE_OK);
    desc = test_layout_descriptor(&reversal, buffer.address, buffer.address, 0);
    assert_int_equal(astride_plan_create(fixture->device, &desc, &plan), ASTRIDE_OK);
    assert_int_equal(astride_plan_get_info(plan, &info), ASTRIDE_OK);
    assert_int_equal(info.strategy, ASTRIDE_STRATEGY_STAGED);
    assert_int_equal(test_buffer_destroy(&buffer), ASTRIDE_OK);
    return plan;
}

static void run_workers(const test_fixture *fixture, bool own_queues)
{
    static worker workers[THREADS];
    pthread_t threads[THREADS];
    astride_plan *plan = plan_reversal(fixture);

    for (size_t i = 0; i < THREADS; i++) {
        workers[i] = (worker){.fixture = fixture,
                              .queue = fixture->queue,
                              .number = i,
                              .count = test_count(400),
                              .shared_plan = plan};
        if (own_queues)
            assert_int_equal(astride_queue_create(fixture->device, &workers[i].queue), ASTRIDE_OK);
    }
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    astride_plan_destroy(plan);
    for (size_t i = 0; i < THREADS; i++) {
        if (own_queues)
            astride_queue_destroy(workers[i].queue);
        assert_string_equal(workers[i].failure, "");
    }
}

static void threads_with_own_queues_copy_rightly(void **state)
{
    run_workers(*state, true);
}

static void threads_with_one_queue_copy_rightly(void **state)
{
    run_workers(*state, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_with_own_queues_copy_rightly),
        cmocka_unit_test(threads_with_one_queue_copy_rightly),
    };

    return cmocka_run_group_tests_name("copy threads", tests, test_fixture_setup,
                                       test_fixture_teardown);
}
