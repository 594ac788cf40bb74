/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The host backend's queues and events by their slots: order, back-pressure, points in time, what
 * may be destroyed while others wait for it, and what happens when there are no threads or memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "backends/host/host.h"
#include "tests/support/count.h"
#include "tests/support/host_slots.h"

/*
 * The linker puts these between the backend and the C library (see tests/local.mk). They count down
 * to a failure: 1 fails the next call of any of them, 0 none.
 */
void *__real_calloc(size_t count, size_t bytes);
int __real_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __real_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);
void *__wrap_calloc(size_t count, size_t bytes);
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);

static int calls_to_failure;

static bool fails_now(void)
{
    return calls_to_failure > 0 && --calls_to_failure == 0;
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails_now() ? NULL : __real_calloc(count, bytes);
}

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    return fails_now() ? ENOMEM : __real_pthread_mutex_init(mutex, attributes);
}

int __wrap_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
    return fails_now() ? ENOMEM : __real_pthread_cond_init(condition, attributes);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument)
{
    return fails_now() ? EAGAIN : __real_pthread_create(thread, attributes, start, argument);
}

static const astride_plugin *plugin;
static astride_backend_device *device;

static int setup(void **state)
{
    if (test_host_slots_setup(state) != 0)
        return 1;
    plugin = ((const test_host_slots *)*state)->plugin;
    device = ((const test_host_slots *)*state)->device;
    return 0;
}

static astride_backend_queue *create_queue(void)
{
    astride_backend_queue *queue = NULL;

    assert_int_equal(plugin->queue_create(device, &queue), ASTRIDE_OK);
    assert_non_null(queue);
    return queue;
}

static astride_backend_event *create_event(void)
{
    astride_backend_event *event = NULL;

    assert_int_equal(plugin->event_create(device, &event), ASTRIDE_OK);
    assert_non_null(event);
    return event;
}

static void call(astride_backend_queue *queue, void (*function)(void *), void *argument)
{
    assert_int_equal(plugin->host_call(queue, function, argument), ASTRIDE_OK);
}

/* A gate holds a queue up until the test opens it. */
static void pass_gate(void *gate)
{
    while (sem_wait(gate) != 0)
        ;
}

static void add_one(void *counter)
{
    atomic_fetch_add((atomic_int *)counter, 1);
}

static void sleep_ms(long milliseconds)
{
    const struct timespec pause = {.tv_nsec = milliseconds * 1000000};

    nanosleep(&pause, NULL);
}

/* A list that calls append their own number to. */
enum { LIST_LENGTH = 1000 };
typedef struct list {
    int numbers[LIST_LENGTH];
    int count;
} list;
typedef struct item {
    list *list;
    int number;
} item;

static void append(void *argument)
{
    const item *added = argument;

    added->list->numbers[added->list->count++] = added->number;
}

static void commands_of_a_queue_run_in_order(void **state)
{
    static list called;
    static item items[LIST_LENGTH];
    astride_backend_queue *queue = create_queue();

    (void)state;
    for (int i = 0; i < LIST_LENGTH; i++) {
        items[i] = (item){&called, i};
        call(queue, append, &items[i]);
    }
    assert_int_equal(plugin->queue_wait(queue), ASTRIDE_OK);
    assert_int_equal(called.count, LIST_LENGTH);
    for (int i = 0; i < LIST_LENGTH; i++)
        assert_int_equal(called.numbers[i], i);
    plugin->queue_destroy(queue);
}

static void copies_and_calls_keep_their_order(void **state)
{
    astride_backend_queue *queue = create_queue();
    uint32_t from = 0, copied = 0, filled = 0;
    const astride_operand src = {.address = &from}, dst = {.address = &copied};
    astride_strided_fill fill = {.dst = {.address = &from}, .pattern_bytes = 4};

    (void)state;
    for (uint32_t round = 1; round <= 500; round++) {
        memcpy(fill.pattern, &round, sizeof round);
        assert_int_equal(plugin->fill(queue, &fill), ASTRIDE_OK);
        assert_int_equal(plugin->copy_linear(queue, &dst, &src, sizeof from), ASTRIDE_OK);
    }
    fill.dst.address = &filled;
    assert_int_equal(plugin->fill(queue, &fill), ASTRIDE_OK);
    assert_int_equal(plugin->queue_wait(queue), ASTRIDE_OK);
    assert_int_equal(from, 500);
    assert_int_equal(copied, 500);
    assert_int_equal(filled, 500);
    plugin->queue_destroy(queue);
}

static void busy_queue_is_not_ready_until_its_work_is_done(void **state)
{
    astride_backend_queue *queue = create_queue();
    atomic_int counter = 0;
    sem_t gate;

    (void)state;
    assert_int_equal(plugin->queue_query(queue), ASTRIDE_OK);
    sem_init(&gate, 0, 0);
    test_host_forget();
    call(queue, pass_gate, &gate);
    call(queue, add_one, &counter);
    assert_int_equal(plugin->queue_query(queue), ASTRIDE_NOT_READY);
    assert_string_equal(test_host_message(), "");
    assert_int_equal(counter, 0);
    sem_post(&gate);
    assert_int_equal(plugin->queue_wait(queue), ASTRIDE_OK);
    assert_int_equal(plugin->queue_query(queue), ASTRIDE_OK);
    assert_int_equal(counter, 1);
    plugin->queue_destroy(queue);
    sem_destroy(&gate);
}

static void destroying_a_queue_runs_what_it_holds(void **state)
{
    astride_backend_queue *queue = create_queue();
    atomic_int counter = 0;
    sem_t gate;

    (void)state;
    sem_init(&gate, 0, 0);
    call(queue, pass_gate, &gate);
    for (int i = 0; i < 100; i++)
        call(queue, add_one, &counter);
    sem_post(&gate);
    plugin->queue_destroy(queue);
    assert_int_equal(counter, 100);
    plugin->queue_destroy(NULL);
    sem_destroy(&gate);
}

static void slow_add_one(void *counter)
{
    sleep_ms(1);
    add_one(counter);
}

static void closing_a_device_waits_for_its_queues(void **state)
{
    astride_backend_device *other;
    astride_backend_queue *queues[3];
    atomic_int counter = 0;

    (void)state;
    assert_int_equal(plugin->device_open(0, &other), ASTRIDE_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(plugin->queue_create(other, &queues[i]), ASTRIDE_OK);
    plugin->queue_destroy(queues[1]);
    for (int i = 0; i < 20; i++) {
        call(queues[0], slow_add_one, &counter);
        call(queues[2], slow_add_one, &counter);
    }
    plugin->device_close(other);
    assert_int_equal(counter, 40);
    /* Queues that are destroyed too late have nothing to do with the device any more. */
    plugin->queue_destroy(queues[0]);
    plugin->queue_destroy(queues[2]);
    plugin->device_close(NULL);
}

/* Enqueues calls from a thread of its own and counts those that were accepted. */
typedef struct producer {
    astride_backend_queue *queue;
    int calls;
    atomic_int accepted, run;
} producer;

static void *produce(void *argument)
{
    producer *self = argument;

    for (int i = 0; i < self->calls; i++) {
        plugin->host_call(self->queue, add_one, &self->run);
        atomic_fetch_add(&self->accepted, 1);
    }
    return NULL;
}

static void full_queue_holds_its_caller_up(void **state)
{
    producer self = {.queue = create_queue(), .calls = 3 * (int)ASTRIDE__HOST_QUEUE_SLOTS};
    pthread_t thread;
    sem_t gate;

    (void)state;
    sem_init(&gate, 0, 0);
    call(self.queue, pass_gate, &gate);
    assert_int_equal(pthread_create(&thread, NULL, produce, &self), 0);
    /* One slot is the gate's; the call after the last free one must not return. */
    for (int i = 0; i < 5000 && atomic_load(&self.accepted) < (int)ASTRIDE__HOST_QUEUE_SLOTS - 1;
         i++)
        sleep_ms(1);
    sleep_ms(50);
    assert_int_equal(self.accepted, ASTRIDE__HOST_QUEUE_SLOTS - 1);
    assert_int_equal(self.run, 0);
    sem_post(&gate);
    pthread_join(thread, NULL);
    assert_int_equal(self.accepted, self.calls);
    assert_int_equal(plugin->queue_wait(self.queue), ASTRIDE_OK);
    assert_int_equal(self.run, self.calls);
    plugin->queue_destroy(self.queue);
    sem_destroy(&gate);
}

static void event_that_was_never_recorded_is_complete(void **state)
{
    astride_backend_queue *queue = create_queue();
    astride_backend_event *event = create_event();

    (void)state;
    assert_int_equal(plugin->event_query(event), ASTRIDE_OK);
    assert_int_equal(plugin->event_wait(event), ASTRIDE_OK);
    assert_int_equal(plugin->queue_wait_event(queue, event), ASTRIDE_OK);
    assert_int_equal(plugin->queue_wait(queue), ASTRIDE_OK);
    plugin->event_destroy(event);
    plugin->event_destroy(NULL);
    plugin->queue_destroy(queue);
}

static void event_completes_with_the_work_before_it(void **state)
{
    astride_backend_queue *queue = create_queue();
    astride_backend_event *event = create_event();
    atomic_int counter = 0;
    sem_t gate, later;

    (void)state;
    sem_init(&gate, 0, 0);
    sem_init(&later, 0, 0);
    test_host_forget();
    call(queue, pass_gate, &gate);
    call(queue, add_one, &counter);
    assert_int_equal(plugin->event_record(event, queue), ASTRIDE_OK);
    call(queue, pass_gate, &later);
    assert_int_equal(plugin->event_query(event), ASTRIDE_NOT_READY);
    assert_string_equal(test_host_message(), "");
    sem_post(&gate);
    /* The queue itself is still busy behind the event. */
    assert_int_equal(plugin->event_wait(event), ASTRIDE_OK);
    assert_int_equal(counter, 1);
    assert_int_equal(plugin->event_query(event), ASTRIDE_OK);
    assert_int_equal(plugin->queue_query(queue), ASTRIDE_NOT_READY);
    sem_post(&later);
    plugin->queue_destroy(queue);
    plugin->event_destroy(event);
    sem_destroy(&gate);
    sem_destroy(&later);
}

static void event_recorded_on_an_idle_queue_is_complete(void **state)
{
    astride_backend_queue *queue = create_queue();
    astride_backend_event *event = create_event();
    atomic_int counter = 0;

    (void)state;
    call(queue, add_one, &counter);
    assert_int_equal(plugin->queue_wait(queue), ASTRIDE_OK);
    assert_int_equal(plugin->event_record(event, queue), ASTRIDE_OK);
    assert_int_equal(plugin->event_query(event), ASTRIDE_OK);
    plugin->queue_destroy(queue);
    /* The point outlives its queue. */
    assert_int_equal(plugin->event_query(event), ASTRIDE_OK);
    assert_int_equal(plugin->event_wait(event), ASTRIDE_OK);
    plugin->event_destroy(event);
}

static void queue_waits_for_an_event_of_another_queue(void **state)
{
    astride_backend_queue *first = create_queue(), *second = create_queue();
    astride_backend_event *event = create_event();
    atomic_int before = 0, behind = 0;
    sem_t gate;

    (void)state;
    sem_init(&gate, 0, 0);
    call(first, pass_gate, &gate);
    call(first, add_one, &before);
    assert_int_equal(plugin->event_record(event, first), ASTRIDE_OK);
    assert_int_equal(plugin->queue_wait_event(second, event), ASTRIDE_OK);
    call(second, add_one, &behind);
    sleep_ms(20);
    assert_int_equal(behind, 0);
    assert_int_equal(plugin->queue_query(second), ASTRIDE_NOT_READY);
    sem_post(&gate);
    assert_int_equal(plugin->queue_wait(second), ASTRIDE_OK);
    assert_int_equal(before, 1);
    assert_int_equal(behind, 1);
    plugin->queue_destroy(first);
    plugin->queue_destroy(second);
    plugin->event_destroy(event);
    sem_destroy(&gate);
}

/*
 * A wait keeps the point that the event named when the wait was enqueued, even when a later point,
 * in another queue, comes earlier in time.
 */
static void recording_again_leaves_earlier_waits_alone(void **state)
{
    astride_backend_queue *slow = create_queue(), *fast = create_queue(), *waiting = create_queue();
    astride_backend_event *event = create_event();
    atomic_int behind = 0;
    sem_t gate;

    (void)state;
    sem_init(&gate, 0, 0);
    call(slow, pass_gate, &gate);
    assert_int_equal(plugin->event_record(event, slow), ASTRIDE_OK);
    assert_int_equal(plugin->queue_wait_event(waiting, event), ASTRIDE_OK);
    call(waiting, add_one, &behind);
    assert_int_equal(plugin->event_record(event, fast), ASTRIDE_OK);
    assert_int_equal(plugin->event_query(event), ASTRIDE_OK);
    assert_int_equal(plugin->event_wait(event), ASTRIDE_OK);
    sleep_ms(20);
    assert_int_equal(behind, 0);
    sem_post(&gate);
    assert_int_equal(plugin->queue_wait(waiting), ASTRIDE_OK);
    assert_int_equal(behind, 1);
    plugin->queue_destroy(slow);
    plugin->queue_destroy(fast);
    plugin->queue_destroy(waiting);
    plugin->event_destroy(event);
    sem_destroy(&gate);
}

static void waits_survive_their_event_and_its_queue(void **state)
{
    astride_backend_queue *first = create_queue(), *second = create_queue();
    astride_backend_event *event = create_event();
    atomic_int behind = 0;
    sem_t gate, start;

    (void)state;
    sem_init(&gate, 0, 0);
    sem_init(&start, 0, 0);
    call(second, pass_gate, &start);
    call(first, pass_gate, &gate);
    assert_int_equal(plugin->event_record(event, first), ASTRIDE_OK);
    assert_int_equal(plugin->queue_wait_event(second, event), ASTRIDE_OK);
    call(second, add_one, &behind);
    plugin->event_destroy(event);
    sem_post(&gate);
    plugin->queue_destroy(first);
    /* The wait begins only now that both are gone. */
    sem_post(&start);
    assert_int_equal(plugin->queue_wait(second), ASTRIDE_OK);
    assert_int_equal(behind, 1);
    plugin->queue_destroy(second);
    sem_destroy(&gate);
    sem_destroy(&start);
}

/* A ring of queues hands a plain counter on; only the events order its accesses. */
static void add_to_plain(void *counter)
{
    *(int *)counter += 1;
}

static void chain_of_events_orders_queues(void **state)
{
    enum { QUEUES = 4, ROUNDS = 500 };
    astride_backend_queue *queues[QUEUES];
    astride_backend_event *event = create_event();
    int counter = 0;

    (void)state;
    for (int i = 0; i < QUEUES; i++)
        queues[i] = create_queue();
    for (int round = 0; round < ROUNDS * QUEUES; round++) {
        astride_backend_queue *queue = queues[round % QUEUES];

        assert_int_equal(plugin->queue_wait_event(queue, event), ASTRIDE_OK);
        call(queue, add_to_plain, &counter);
        assert_int_equal(plugin->event_record(event, queue), ASTRIDE_OK);
    }
    assert_int_equal(plugin->event_wait(event), ASTRIDE_OK);
    assert_int_equal(counter, ROUNDS * QUEUES);
    for (int i = 0; i < QUEUES; i++)
        plugin->queue_destroy(queues[i]);
    plugin->event_destroy(event);
}

/* Threads with a queue each that wait for each other's events and record one together. */
typedef struct worker {
    astride_backend_event *shared;
    atomic_int counter;
    int rounds;
    bool failed;
} worker;

static void *work_with_shared_event(void *argument)
{
    worker *self = argument;
    astride_backend_queue *queue;

    if (plugin->queue_create(device, &queue) != ASTRIDE_OK) {
        self->failed = true;
        return NULL;
    }
    for (int i = 0; i < self->rounds; i++) {
        plugin->host_call(queue, add_one, &self->counter);
        self->failed |= plugin->event_record(self->shared, queue) != ASTRIDE_OK;
        self->failed |= plugin->queue_wait_event(queue, self->shared) != ASTRIDE_OK;
        if (i % 7 == 0)
            self->failed |= plugin->event_wait(self->shared) != ASTRIDE_OK;
        if (i % 50 == 0) {
            plugin->queue_destroy(queue);
            if (plugin->queue_create(device, &queue) != ASTRIDE_OK) {
                self->failed = true;
                return NULL;
            }
        }
    }
    plugin->queue_destroy(queue);
    return NULL;
}

static void threads_may_share_an_event(void **state)
{
    enum { THREADS = 4 };
    worker workers[THREADS];
    pthread_t threads[THREADS];
    astride_backend_event *event = create_event();
    const int rounds = (int)test_count(1000);

    (void)state;
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.shared = event, .rounds = rounds};
        assert_int_equal(pthread_create(&threads[i], NULL, work_with_shared_event, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_false(workers[i].failed);
        assert_int_equal(workers[i].counter, rounds);
    }
    assert_int_equal(plugin->event_query(event), ASTRIDE_OK);
    plugin->event_destroy(event);
}

typedef struct thread_facts {
    pthread_t self;
    sigset_t blocked;
} thread_facts;

static void note_thread(void *argument)
{
    thread_facts *facts = argument;

    facts->self = pthread_self();
    pthread_sigmask(SIG_BLOCK, NULL, &facts->blocked);
}

static void worker_leaves_signals_to_the_program(void **state)
{
    astride_backend_queue *queue;
    thread_facts facts;
    sigset_t before, after;

    (void)state;
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    queue = create_queue();
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    for (int number = 1; number < SIGRTMAX; number++)
        assert_int_equal(sigismember(&after, number), sigismember(&before, number));
    call(queue, note_thread, &facts);
    assert_int_equal(plugin->queue_wait(queue), ASTRIDE_OK);
    assert_false(pthread_equal(facts.self, pthread_self()));
    assert_int_equal(sigismember(&facts.blocked, SIGINT), 1);
    assert_int_equal(sigismember(&facts.blocked, SIGTERM), 1);
    assert_int_equal(sigismember(&facts.blocked, SIGCHLD), 1);
    assert_int_equal(sigismember(&facts.blocked, SIGALRM), 1);
    assert_int_equal(sigismember(&facts.blocked, SIGUSR1), 1);
    /* A fault is the thread's own: the program's handler must get it. */
    assert_int_equal(sigismember(&facts.blocked, SIGSEGV), 0);
    assert_int_equal(sigismember(&facts.blocked, SIGBUS), 0);
    plugin->queue_destroy(queue);
}

/* What is left behind by a step that failed is for a leak checker to find. */
static void queue_that_cannot_be_made_is_a_clean_error(void **state)
{
    static const struct {
        astride_status status;
        const char *message;
    } steps[] = {
        {ASTRIDE_OUT_OF_MEMORY, "host: calloc: no memory for a queue"},
        {ASTRIDE_OUT_OF_MEMORY, "host: no memory for a queue's timeline"},
        {ASTRIDE_OUT_OF_MEMORY, "host: no memory for a queue's timeline"},
        {ASTRIDE_OUT_OF_MEMORY, "host: no memory for a queue's timeline"},
        {ASTRIDE_DRIVER_ERROR, "host: pthread_cond_init: ENOMEM (12)"},
        {ASTRIDE_DRIVER_ERROR, "host: pthread_create: EAGAIN (11): no thread for a queue's worker"},
    };
    const int step_count = sizeof steps / sizeof steps[0];
    astride_backend_queue *const untouched = (astride_backend_queue *)&calls_to_failure;
    astride_backend_queue *queue = untouched;

    (void)state;
    for (int step = 0; step < step_count; step++) {
        test_host_forget();
        calls_to_failure = step + 1;
        assert_int_equal(plugin->queue_create(device, &queue), steps[step].status);
        assert_ptr_equal(queue, untouched);
        assert_int_equal(calls_to_failure, 0);
        assert_string_equal(test_host_message(), steps[step].message);
    }
    /* There is no further step, and the device is as it was. */
    calls_to_failure = step_count + 1;
    queue = create_queue();
    assert_int_equal(calls_to_failure, 1);
    calls_to_failure = 0;
    assert_int_equal(plugin->queue_wait(queue), ASTRIDE_OK);
    plugin->queue_destroy(queue);
}

static void event_that_cannot_be_made_is_a_clean_error(void **state)
{
    astride_backend_event *const untouched = (astride_backend_event *)&calls_to_failure;
    astride_backend_event *event = untouched;

    (void)state;
    for (int step = 1; step <= 2; step++) {
        test_host_forget();
        calls_to_failure = step;
        assert_int_equal(plugin->event_create(device, &event), ASTRIDE_OUT_OF_MEMORY);
        assert_ptr_equal(event, untouched);
        assert_int_equal(calls_to_failure, 0);
        assert_string_equal(test_host_message(), "host: no memory for an event");
    }
}

static void device_that_cannot_be_made_is_a_clean_error(void **state)
{
    astride_backend_device *const untouched = (astride_backend_device *)&calls_to_failure;
    astride_backend_device *other = untouched;

    (void)state;
    for (int step = 1; step <= 2; step++) {
        test_host_forget();
        calls_to_failure = step;
        assert_int_equal(plugin->device_open(0, &other), ASTRIDE_OUT_OF_MEMORY);
        assert_ptr_equal(other, untouched);
        assert_int_equal(calls_to_failure, 0);
        assert_string_equal(test_host_message(), "host: no memory for a device");
    }
}

/* Copies between two plain buffers, where the queue is idle and where it is not. */
static void small_copies_are_done_at_once_only_on_an_idle_queue(void **state)
{
    astride_backend_queue *queue = create_queue();
    unsigned char src[64], dst[64] = {0};
    const astride_operand to = {.address = dst}, from = {.address = src};
    sem_t gate;

    (void)state;
    for (size_t i = 0; i < sizeof src; i++)
        src[i] = (unsigned char)(i + 1);
    assert_int_equal(plugin->copy_linear(queue, &to, &from, sizeof src), ASTRIDE_OK);
    assert_memory_equal(dst, src, sizeof src);
    assert_int_equal(plugin->queue_query(queue), ASTRIDE_OK);

    memset(dst, 0, sizeof dst);
    sem_init(&gate, 0, 0);
    call(queue, pass_gate, &gate);
    assert_int_equal(plugin->copy_linear(queue, &to, &from, sizeof src), ASTRIDE_OK);
    assert_int_equal(plugin->queue_query(queue), ASTRIDE_NOT_READY);
    for (size_t i = 0; i < sizeof dst; i++)
        assert_int_equal(dst[i], 0);
    sem_post(&gate);
    assert_int_equal(plugin->queue_wait(queue), ASTRIDE_OK);
    assert_memory_equal(dst, src, sizeof src);
    plugin->queue_destroy(queue);
    sem_destroy(&gate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_of_a_queue_run_in_order),
        cmocka_unit_test(copies_and_calls_keep_their_order),
        cmocka_unit_test(busy_queue_is_not_ready_until_its_work_is_done),
        cmocka_unit_test(destroying_a_queue_runs_what_it_holds),
        cmocka_unit_test(closing_a_device_waits_for_its_queues),
        cmocka_unit_test(full_queue_holds_its_caller_up),
        cmocka_unit_test(event_that_was_never_recorded_is_complete),
        cmocka_unit_test(event_completes_with_the_work_before_it),
        cmocka_unit_test(event_recorded_on_an_idle_queue_is_complete),
        cmocka_unit_test(queue_waits_for_an_event_of_another_queue),
        cmocka_unit_test(recording_again_leaves_earlier_waits_alone),
        cmocka_unit_test(waits_survive_their_event_and_its_queue),
        cmocka_unit_test(chain_of_events_orders_queues),
        cmocka_unit_test(threads_may_share_an_event),
        cmocka_unit_test(small_copies_are_done_at_once_only_on_an_idle_queue),
        cmocka_unit_test(worker_leaves_signals_to_the_program),
        cmocka_unit_test(queue_that_cannot_be_made_is_a_clean_error),
        cmocka_unit_test(event_that_cannot_be_made_is_a_clean_error),
        cmocka_unit_test(device_that_cannot_be_made_is_a_clean_error),
    };

    return cmocka_run_group_tests_name("host_queue", tests, setup, test_host_slots_teardown);
}
