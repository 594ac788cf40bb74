/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a child of fork() may do: objects of its parent are refused and forgotten, its own work.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>

#include <astride/astride.h>

#include "hal/device.h"
#include "tests/support/child.h"
#include "tests/support/fake_backend.h"

/* ThreadSanitizer supports no child of fork() that makes threads, as the host's queues do. */
#if defined(__SANITIZE_THREAD__)
#define CHILD_MAY_MAKE_THREADS 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CHILD_MAY_MAKE_THREADS 0
#endif
#endif
#ifndef CHILD_MAY_MAKE_THREADS
#define CHILD_MAY_MAKE_THREADS 1
#endif

typedef struct parents_objects {
    astride_device *device;
    astride_queue *queue;
    astride_event *event;
    astride_module *module;
    astride_function *function;
    void *memory;
} parents_objects;

static void make_objects(parents_objects *made)
{
    astride_device *host = NULL;

    /* The registry is what starts the counting of forks. */
    assert_int_equal(astride_device_open("host", &host), ASTRIDE_OK);
    astride_device_close(host);
    fake_reset();
    assert_int_equal(astride__device_acquire(&fake_backend, 0, &made->device), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(made->device, &made->queue), ASTRIDE_OK);
    assert_int_equal(astride_event_create(made->device, &made->event), ASTRIDE_OK);
    assert_int_equal(astride_module_load(made->device, "pack", 4, &made->module), ASTRIDE_OK);
    assert_int_equal(astride_module_function(made->module, "pack", &made->function), ASTRIDE_OK);
    assert_int_equal(astride_memory_alloc(made->device, 64, ASTRIDE_MEMORY_DEVICE, &made->memory),
                     ASTRIDE_OK);
}

static void destroy_objects(parents_objects *made)
{
    astride_memory_free(made->device, made->memory);
    astride_module_unload(made->module);
    astride_event_destroy(made->event);
    astride_queue_destroy(made->queue);
    astride_device_close(made->device);
}

static void show(const char *call, astride_status status)
{
    if (status == ASTRIDE_AFTER_FORK)
        printf("%s\n", astride_last_error());
    else
        printf("%s: %s\n", call, astride_status_name(status));
}

static void use_parents_objects(void *argument)
{
    static const uint32_t ones[3] = {1, 1, 1};
    parents_objects *made = argument;
    astride_capabilities capabilities = {.struct_size = sizeof(capabilities)};
    astride_memory_info info = {.struct_size = sizeof(info)};
    astride_function *function = NULL;
    astride_copy_desc desc = {.struct_size = sizeof(desc), .element_bytes = 1};
    astride_plan *plan = NULL;
    void *address = NULL;

    desc.dst.base = made->memory;
    desc.src.base = made->memory;
    show("capabilities", astride_device_capabilities(made->device, &capabilities));
    show("alloc", astride_memory_alloc(made->device, 1, ASTRIDE_MEMORY_DEVICE, &address));
    show("free", astride_memory_free(made->device, made->memory));
    show("register", astride_memory_register(made->device, &address, 1));
    show("unregister", astride_memory_unregister(made->device, &address));
    show("import", astride_memory_import(made->device, &address, 1, &address));
    show("query", astride_memory_query(made->device, made->memory, &info));
    show("create", astride_queue_create(made->device, &made->queue));
    show("wait", astride_queue_wait(made->queue));
    show("query", astride_queue_query(made->queue));
    show("create", astride_event_create(made->device, &made->event));
    show("record", astride_event_record(made->event, made->queue));
    show("wait event", astride_queue_wait_event(made->queue, made->event));
    show("wait", astride_event_wait(made->event));
    show("query", astride_event_query(made->event));
    show("load", astride_module_load(made->device, "pack", 4, &made->module));
    show("function", astride_module_function(made->module, "pack", &function));
    show("launch", astride_launch(made->queue, made->function, ones, ones, 0, NULL, 0));
    show("copy", astride_copy(made->queue, &desc));
    show("plan", astride_plan_create(made->device, &desc, &plan));
}

static void objects_of_the_parent_are_refused(void **state)
{
    parents_objects made;
    char text[4096];

    (void)state;
    make_objects(&made);
    assert_int_equal(test_child_run(use_parents_objects, &made, text, sizeof(text)), 0);
    assert_string_equal(
        text, "astride_device_capabilities: fake:0 was opened by a parent of this process\n"
              "astride_memory_alloc: fake:0 was opened by a parent of this process\n"
              "astride_memory_free: fake:0 was opened by a parent of this process\n"
              "astride_memory_register: fake:0 was opened by a parent of this process\n"
              "astride_memory_unregister: fake:0 was opened by a parent of this process\n"
              "astride_memory_import: fake:0 was opened by a parent of this process\n"
              "astride_memory_query: fake:0 was opened by a parent of this process\n"
              "astride_queue_create: fake:0 was opened by a parent of this process\n"
              "astride_queue_wait: the queue was made by a parent of this process\n"
              "astride_queue_query: the queue was made by a parent of this process\n"
              "astride_event_create: fake:0 was opened by a parent of this process\n"
              "astride_event_record: the event was made by a parent of this process\n"
              "astride_queue_wait_event: the event was made by a parent of this process\n"
              "astride_event_wait: the event was made by a parent of this process\n"
              "astride_event_query: the event was made by a parent of this process\n"
              "astride_module_load: fake:0 was opened by a parent of this process\n"
              "astride_module_function: the module was loaded by a parent of this process\n"
              "astride_launch: the queue was made by a parent of this process\n"
              "astride_copy: the queue was made by a parent of this process\n"
              "astride_plan_create: fake:0 was opened by a parent of this process\n");
    destroy_objects(&made);
}

static void forget_parents_objects(void *argument)
{
    parents_objects *made = argument;

    fake_reset();
    astride_module_unload(made->module);
    astride_event_destroy(made->event);
    astride_queue_destroy(made->queue);
    astride_device_close(made->device);
    printf("%d %d %d %d %d %d\n", fake_count.module_unload, fake_count.event_destroy,
           fake_count.queue_destroy, fake_count.queue_wait, fake_count.memory_free,
           fake_count.device_close);
}

static void forgetting_them_touches_no_driver(void **state)
{
    parents_objects made;
    char text[256];

    (void)state;
    make_objects(&made);
    assert_int_equal(test_child_run(forget_parents_objects, &made, text, sizeof(text)), 0);
    assert_string_equal(text, "0 0 0 0 0 0\n");
    destroy_objects(&made);
    assert_int_equal(fake_count.device_close, 1);
    assert_int_equal(fake_count.memory_free, 1);
}

/* In the child: opens the host, copies every second of six bytes, and shows them. */
static void copy_on_own_device(void *parents_device)
{
    const int64_t extent = 3;
    const int64_t stride = 2;
    char source[7] = "a-b-c-";
    char result[4] = "";
    astride_copy_desc desc = {.struct_size = sizeof(desc),
                              .rank = 1,
                              .element_bytes = 1,
                              .extents = &extent,
                              .dst = {result, NULL},
                              .src = {source, &stride}};
    astride_device *device = NULL;
    astride_queue *queue = NULL;
    astride_status status = astride_device_open("host", &device);

    if (status == ASTRIDE_OK)
        status = astride_queue_create(device, &queue);
    if (status == ASTRIDE_OK)
        status = astride_copy(queue, &desc);
    if (status == ASTRIDE_OK)
        status = astride_queue_wait(queue);
    if (status != ASTRIDE_OK) {
        printf("%s: %s\n", astride_status_name(status), astride_last_error());
        return;
    }
    printf("%s on %s\n", result, device == parents_device ? "the parent's" : "its own");
    astride_queue_destroy(queue);
    astride_device_close(device);
}

static void expect_child(void (*body)(void *), void *argument, const char *expected)
{
    char text[4096];
    int result = test_child_run(body, argument, text, sizeof(text));

    /* The text first: where it is wrong it says more than the exit status. */
    assert_string_equal(text, expected);
    assert_int_equal(result, 0);
}

static void the_child_has_devices_of_its_own(void **state)
{
    astride_device *device = NULL;
    astride_queue *queue = NULL;

    (void)state;
    assert_int_equal(astride_device_open("host", &device), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(device, &queue), ASTRIDE_OK);
    expect_child(copy_on_own_device, device, "abc on its own\n");
    astride_queue_destroy(queue);
    astride_device_close(device);
}

static void query_parents_memory(void *address)
{
    astride_memory_info info = {.struct_size = sizeof(info)};

    printf("%s ", astride_status_name(astride_memory_query(NULL, address, &info)));
    printf("%d %s\n", (int)info.kind, info.device == NULL ? "none" : "a device");
}

static void ranges_of_the_parent_are_forgotten(void **state)
{
    parents_objects made;

    (void)state;
    make_objects(&made);
    expect_child(query_parents_memory, made.memory, "ASTRIDE_OK 0 none\n");
    destroy_objects(&made);
}

/* In the child: takes every lock of the core once. */
static void use_own_fake(void *parents_device)
{
    astride_memory_info info = {.struct_size = sizeof(info)};
    astride_device *device = NULL;
    void *memory = NULL;
    astride_status status = astride__device_acquire(&fake_backend, 0, &device);

    if (status == ASTRIDE_OK)
        status = astride_memory_alloc(device, 3, ASTRIDE_MEMORY_PINNED, &memory);
    if (status == ASTRIDE_OK)
        status = astride_memory_query(NULL, memory, &info);
    if (status == ASTRIDE_OK)
        status = astride_memory_free(device, memory);
    printf("%s, %s, %s\n", astride_status_name(status),
           device == parents_device ? "the parent's" : "its own",
           info.device == device && info.bytes == 3 ? "known" : "unknown");
    astride_device_close(device);
}

static atomic_bool stop;

/* Keeps every lock of the core busy, so that some fork happens while one is held. */
static void *keep_busy(void *device_pointer)
{
    astride_device *device = device_pointer;
    uintptr_t failures = 0;

    while (!atomic_load(&stop)) {
        astride_device *again = NULL;
        void *memory = NULL;
        failures += astride__device_acquire(&fake_backend, 1, &again) != ASTRIDE_OK;
        failures += astride_memory_alloc(device, 64, ASTRIDE_MEMORY_DEVICE, &memory) != ASTRIDE_OK;
        failures += astride_memory_free(device, memory) != ASTRIDE_OK;
        astride_device_close(again);
    }
    return (void *)failures;
}

static void locks_that_other_threads_held_are_free_in_the_child(void **state)
{
    astride_device *device = NULL;
    pthread_t threads[3];

    (void)state;
    fake_reset();
    atomic_store(&stop, false);
    assert_int_equal(astride__device_acquire(&fake_backend, 0, &device), ASTRIDE_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, keep_busy, device), 0);
    for (int i = 0; i < 50; i++)
        expect_child(use_own_fake, device, "ASTRIDE_OK, its own, known\n");
    atomic_store(&stop, true);
    for (int i = 0; i < 3; i++) {
        void *failures = NULL;
        pthread_join(threads[i], &failures);
        assert_null(failures);
    }
    astride_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_of_the_parent_are_refused),
        cmocka_unit_test(forgetting_them_touches_no_driver),
        cmocka_unit_test(ranges_of_the_parent_are_forgotten),
        cmocka_unit_test(locks_that_other_threads_held_are_free_in_the_child),
        cmocka_unit_test(the_child_has_devices_of_its_own),
    };
    size_t count = sizeof(tests) / sizeof(tests[0]);

    if (!CHILD_MAY_MAKE_THREADS) {
        printf("# the_child_has_devices_of_its_own is left out under ThreadSanitizer\n");
        count--;
    }
    return _cmocka_run_group_tests("fork", tests, count, NULL, NULL);
}
