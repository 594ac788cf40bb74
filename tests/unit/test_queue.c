/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Queues and events: order on the host backend, which is asynchronous, and calls and messages on
 * fake backends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include <astride/queue.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/queue.h"
#include "tests/support/fake_backend.h"

#define CALL_COUNT 1000
#define THREAD_COUNT 4

static astride_device *host;
static astride_device *fake;
static astride_device *plain;

static int open_devices(void **state)
{
    (void)state;
    fake_reset();
    return astride_device_open("host", &host) != ASTRIDE_OK ||
           astride__device_acquire(&fake_backend, 0, &fake) != ASTRIDE_OK ||
           astride__device_acquire(&plain_backend, 0, &plain) != ASTRIDE_OK;
}

static int close_devices(void **state)
{
    (void)state;
    astride_device_close(host);
    astride_device_close(fake);
    astride_device_close(plain);
    return 0;
}

static astride_queue *create_queue(astride_device *device)
{
    astride_queue *queue = NULL;

    assert_int_equal(astride_queue_create(device, &queue), ASTRIDE_OK);
    return queue;
}

static astride_event *create_event(astride_device *device)
{
    astride_event *event = NULL;

    assert_int_equal(astride_event_create(device, &event), ASTRIDE_OK);
    return event;
}

static astride_status call_in_order(astride_queue *queue, void (*function)(void *), void *argument)
{
    astride_status status;

    pthread_mutex_lock(&queue->lock);
    status = astride__queue_host_call(queue, function, argument);
    pthread_mutex_unlock(&queue->lock);
    return status;
}

static void wait_for_semaphore(void *semaphore)
{
    sem_wait(semaphore);
}

static void set_flag(void *flag)
{
    atomic_store((atomic_int *)flag, 1);
}

/* What calls note down, in the order in which they run. */
typedef struct notes {
    int numbers[CALL_COUNT * THREAD_COUNT];
    int count; /* only calls of one queue write here, so none runs beside another */
} notes;

typedef struct note {
    notes *to;
    int number;
} note;

static void take_note(void *argument)
{
    note *self = argument;

    self->to->numbers[self->to->count++] = self->number;
}

static void calls_run_in_the_order_of_enqueueing(void **state)
{
    static notes written;
    static note calls[CALL_COUNT];
    astride_queue *queue = create_queue(host);

    (void)state;
    written.count = 0;
    for (int i = 0; i < CALL_COUNT; i++) {
        calls[i] = (note){&written, i};
        assert_int_equal(call_in_order(queue, take_note, &calls[i]), ASTRIDE_OK);
    }
    assert_int_equal(astride_queue_wait(queue), ASTRIDE_OK);
    assert_int_equal(written.count, CALL_COUNT);
    for (int i = 0; i < CALL_COUNT; i++)
        assert_int_equal(written.numbers[i], i);
    astride_queue_destroy(queue);
}

typedef struct writer {
    astride_queue *queue;
    note calls[CALL_COUNT];
    astride_status status;
} writer;

static void *enqueue_notes(void *argument)
{
    writer *self = argument;

    for (int i = 0; i < CALL_COUNT && self->status == ASTRIDE_OK; i++)
        self->status = call_in_order(self->queue, take_note, &self->calls[i]);
    return NULL;
}

static void threads_share_a_queue_and_each_keeps_its_order(void **state)
{
    static notes written;
    static writer writers[THREAD_COUNT];
    pthread_t threads[THREAD_COUNT];
    int seen[THREAD_COUNT] = {0};
    astride_queue *queue = create_queue(host);

    (void)state;
    written.count = 0;
    for (int t = 0; t < THREAD_COUNT; t++) {
        writers[t].queue = queue;
        for (int i = 0; i < CALL_COUNT; i++)
            writers[t].calls[i] = (note){&written, t * CALL_COUNT + i};
        assert_int_equal(pthread_create(&threads[t], NULL, enqueue_notes, &writers[t]), 0);
    }
    for (int t = 0; t < THREAD_COUNT; t++) {
        pthread_join(threads[t], NULL);
        assert_int_equal(writers[t].status, ASTRIDE_OK);
    }
    assert_int_equal(astride_queue_wait(queue), ASTRIDE_OK);
    assert_int_equal(written.count, CALL_COUNT * THREAD_COUNT);
    for (int i = 0; i < written.count; i++) {
        int thread = written.numbers[i] / CALL_COUNT;
        assert_int_equal(written.numbers[i] % CALL_COUNT, seen[thread]++);
    }
    astride_queue_destroy(queue);
}

static void query_tells_whether_work_is_done_and_is_no_failure(void **state)
{
    sem_t gate;
    astride_queue *queue = create_queue(host);
    astride_event *event = create_event(host);

    (void)state;
    sem_init(&gate, 0, 0);
    astride__fail(ASTRIDE_INTERNAL, "an earlier failure");
    assert_int_equal(astride_queue_query(queue), ASTRIDE_OK);
    assert_int_equal(call_in_order(queue, wait_for_semaphore, &gate), ASTRIDE_OK);
    assert_int_equal(astride_event_record(event, queue), ASTRIDE_OK);
    assert_int_equal(astride_queue_query(queue), ASTRIDE_NOT_READY);
    assert_int_equal(astride_event_query(event), ASTRIDE_NOT_READY);
    assert_string_equal(astride_last_error(), "an earlier failure");
    sem_post(&gate);
    assert_int_equal(astride_event_wait(event), ASTRIDE_OK);
    assert_int_equal(astride_event_query(event), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(queue), ASTRIDE_OK);
    assert_int_equal(astride_queue_query(queue), ASTRIDE_OK);
    astride_event_destroy(event);
    astride_queue_destroy(queue);
    sem_destroy(&gate);
}

static void a_queue_waits_for_an_event_of_another(void **state)
{
    sem_t gate;
    atomic_int flag = 0;
    astride_queue *first = create_queue(host);
    astride_queue *second = create_queue(host);
    astride_event *event = create_event(host);

    (void)state;
    sem_init(&gate, 0, 0);
    assert_int_equal(call_in_order(first, wait_for_semaphore, &gate), ASTRIDE_OK);
    assert_int_equal(astride_event_record(event, first), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait_event(second, event), ASTRIDE_OK);
    assert_int_equal(call_in_order(second, set_flag, &flag), ASTRIDE_OK);
    /* The wait that was enqueued stays valid without the event. */
    astride_event_destroy(event);
    assert_int_equal(astride_queue_query(second), ASTRIDE_NOT_READY);
    assert_int_equal(atomic_load(&flag), 0);
    sem_post(&gate);
    assert_int_equal(astride_queue_wait(second), ASTRIDE_OK);
    assert_int_equal(atomic_load(&flag), 1);
    astride_queue_destroy(first);
    astride_queue_destroy(second);
    sem_destroy(&gate);
}

static void an_event_that_was_never_recorded_is_no_wait(void **state)
{
    atomic_int flag = 0;
    astride_queue *queue = create_queue(host);
    astride_event *event = create_event(host);

    (void)state;
    assert_int_equal(astride_event_query(event), ASTRIDE_OK);
    assert_int_equal(astride_event_wait(event), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait_event(queue, event), ASTRIDE_OK);
    assert_int_equal(call_in_order(queue, set_flag, &flag), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(queue), ASTRIDE_OK);
    assert_int_equal(atomic_load(&flag), 1);
    astride_event_destroy(event);
    astride_queue_destroy(queue);
}

static void recording_again_moves_the_event(void **state)
{
    sem_t gate;
    astride_queue *blocked = create_queue(host);
    astride_queue *idle = create_queue(host);
    astride_event *event = create_event(host);

    (void)state;
    sem_init(&gate, 0, 0);
    assert_int_equal(call_in_order(blocked, wait_for_semaphore, &gate), ASTRIDE_OK);
    assert_int_equal(astride_event_record(event, blocked), ASTRIDE_OK);
    assert_int_equal(astride_event_query(event), ASTRIDE_NOT_READY);
    assert_int_equal(astride_event_record(event, idle), ASTRIDE_OK);
    assert_int_equal(astride_event_wait(event), ASTRIDE_OK);
    assert_int_equal(astride_queue_query(blocked), ASTRIDE_NOT_READY);
    sem_post(&gate);
    astride_event_destroy(event);
    astride_queue_destroy(idle);
    astride_queue_destroy(blocked);
    sem_destroy(&gate);
}

static void destroying_a_queue_waits_for_its_work(void **state)
{
    atomic_int flag = 0;
    astride_queue *queue = create_queue(host);

    (void)state;
    assert_int_equal(call_in_order(queue, set_flag, &flag), ASTRIDE_OK);
    astride_queue_destroy(queue);
    assert_int_equal(atomic_load(&flag), 1);
}

typedef struct late_post {
    sem_t *gate;
    atomic_int posted;
} late_post;

static void *post_later(void *argument)
{
    late_post *self = argument;
    struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};

    nanosleep(&pause, NULL);
    atomic_store(&self->posted, 1);
    sem_post(self->gate);
    return NULL;
}

static void the_caller_waits_for_events_of_other_backends(void **state)
{
    sem_t gate;
    late_post post = {.gate = &gate};
    pthread_t thread;
    astride_queue *first = create_queue(host);
    astride_queue *second = create_queue(fake);
    astride_event *event = create_event(host);
    astride_event *foreign = create_event(fake);

    (void)state;
    sem_init(&gate, 0, 0);
    assert_int_equal(call_in_order(first, wait_for_semaphore, &gate), ASTRIDE_OK);
    assert_int_equal(astride_event_record(event, first), ASTRIDE_OK);
    assert_int_equal(pthread_create(&thread, NULL, post_later, &post), 0);
    assert_int_equal(astride_queue_wait_event(second, event), ASTRIDE_OK);
    assert_int_equal(atomic_load(&post.posted), 1);
    assert_int_equal(astride_event_query(event), ASTRIDE_OK);
    assert_int_equal(fake_count.queue_wait_event, 0);
    pthread_join(thread, NULL);

    assert_int_equal(astride_queue_wait_event(first, foreign), ASTRIDE_OK);
    assert_int_equal(fake_count.event_wait, 1);
    assert_int_equal(astride_queue_wait_event(second, foreign), ASTRIDE_OK);
    assert_int_equal(fake_count.queue_wait_event, 1);
    assert_int_equal(fake_count.event_wait, 1);
    astride_event_destroy(foreign);
    astride_event_destroy(event);
    astride_queue_destroy(second);
    astride_queue_destroy(first);
    sem_destroy(&gate);
}

static void without_host_call_the_core_waits_and_calls(void **state)
{
    atomic_int flag = 0;
    astride_queue *queue = create_queue(plain);

    (void)state;
    assert_int_equal(call_in_order(queue, set_flag, &flag), ASTRIDE_OK);
    assert_int_equal(fake_count.queue_wait, 1);
    assert_int_equal(atomic_load(&flag), 1);

    atomic_store(&flag, 0);
    fake_wish.queue = ASTRIDE_DEVICE_LOST;
    assert_int_equal(call_in_order(queue, set_flag, &flag), ASTRIDE_DEVICE_LOST);
    assert_string_equal(astride_last_error(), "fake: queue_wait: as wished");
    assert_int_equal(atomic_load(&flag), 0);
    astride_queue_destroy(queue);
    assert_int_equal(fake_count.queue_destroy, 1);
}

static void a_failed_creation_writes_nothing(void **state)
{
    astride_queue *queue = NULL;
    astride_event *event = NULL;

    (void)state;
    fake_wish.queue = ASTRIDE_DRIVER_ERROR;
    fake_wish.event = ASTRIDE_OUT_OF_MEMORY;
    assert_int_equal(astride_queue_create(fake, &queue), ASTRIDE_DRIVER_ERROR);
    assert_string_equal(astride_last_error(), "fake: queue_create: as wished");
    assert_int_equal(astride_queue_import(fake, NULL, &queue), ASTRIDE_DRIVER_ERROR);
    assert_null(queue);
    assert_int_equal(astride_event_create(fake, &event), ASTRIDE_OUT_OF_MEMORY);
    assert_string_equal(astride_last_error(), "fake: event_create: as wished");
    assert_null(event);
}

static void native_queues_are_imported_where_the_backend_can(void **state)
{
    int native;
    astride_queue *queue = NULL;

    (void)state;
    assert_int_equal(astride_queue_import(fake, &native, &queue), ASTRIDE_OK);
    assert_ptr_equal(fake_latest.native, &native);
    assert_ptr_equal(astride_queue_device(queue), fake);
    astride_queue_destroy(queue);
    queue = NULL;
    assert_int_equal(astride_queue_import(plain, &native, &queue), ASTRIDE_UNSUPPORTED);
    assert_string_equal(astride_last_error(),
                        "astride_queue_import: backend plain has no queue_import");
    assert_int_equal(astride_queue_import(host, &native, &queue), ASTRIDE_UNSUPPORTED);
    assert_string_equal(astride_last_error(),
                        "astride_queue_import: backend host has no queue_import");
    assert_null(queue);
}

static void expect_invalid(astride_status status, const char *detail)
{
    assert_int_equal(status, ASTRIDE_INVALID_ARGUMENT);
    assert_string_equal(astride_last_error(), detail);
}

static void null_arguments_are_named(void **state)
{
    astride_queue *queue = create_queue(host);
    astride_event *event = create_event(host);

    (void)state;
    expect_invalid(astride_queue_create(NULL, &queue), "astride_queue_create: device is NULL");
    expect_invalid(astride_queue_create(host, NULL), "astride_queue_create: queue_out is NULL");
    expect_invalid(astride_queue_import(NULL, NULL, &queue),
                   "astride_queue_import: device is NULL");
    expect_invalid(astride_queue_import(fake, NULL, NULL),
                   "astride_queue_import: queue_out is NULL");
    expect_invalid(astride_queue_wait(NULL), "astride_queue_wait: queue is NULL");
    expect_invalid(astride_queue_query(NULL), "astride_queue_query: queue is NULL");
    expect_invalid(astride_event_create(NULL, &event), "astride_event_create: device is NULL");
    expect_invalid(astride_event_create(host, NULL), "astride_event_create: event_out is NULL");
    expect_invalid(astride_event_record(NULL, queue), "astride_event_record: event is NULL");
    expect_invalid(astride_event_record(event, NULL), "astride_event_record: queue is NULL");
    expect_invalid(astride_queue_wait_event(queue, NULL),
                   "astride_queue_wait_event: event is NULL");
    expect_invalid(astride_queue_wait_event(NULL, event),
                   "astride_queue_wait_event: queue is NULL");
    expect_invalid(astride_event_wait(NULL), "astride_event_wait: event is NULL");
    expect_invalid(astride_event_query(NULL), "astride_event_query: event is NULL");
    assert_null(astride_queue_device(NULL));
    astride_queue_destroy(NULL);
    astride_event_destroy(NULL);
    astride_event_destroy(event);
    astride_queue_destroy(queue);
}

static void events_are_recorded_on_queues_of_their_device_only(void **state)
{
    astride_queue *queue = create_queue(fake);
    astride_event *event = create_event(host);

    (void)state;
    expect_invalid(astride_event_record(event, queue),
                   "astride_event_record: the event is of host:0, the queue of fake:0");
    assert_int_equal(fake_count.event_record, 0);
    astride_event_destroy(event);
    astride_queue_destroy(queue);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_devices, close_devices)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(calls_run_in_the_order_of_enqueueing),
        CASE(threads_share_a_queue_and_each_keeps_its_order),
        CASE(query_tells_whether_work_is_done_and_is_no_failure),
        CASE(a_queue_waits_for_an_event_of_another),
        CASE(an_event_that_was_never_recorded_is_no_wait),
        CASE(recording_again_moves_the_event),
        CASE(destroying_a_queue_waits_for_its_work),
        CASE(the_caller_waits_for_events_of_other_backends),
        CASE(without_host_call_the_core_waits_and_calls),
        CASE(a_failed_creation_writes_nothing),
        CASE(native_queues_are_imported_where_the_backend_can),
        CASE(null_arguments_are_named),
        CASE(events_are_recorded_on_queues_of_their_device_only),
    };

    return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
