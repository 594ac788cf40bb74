/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ASTRIDE_TRACE: what the file has of calls and of the host's queues, when it cannot be written,
 * and that a forked child leaves it alone. The variable is read once per process, so every case
 * runs in a child.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

#include <astride/astride.h>

#include "hal/trace.h"
#include "tests/support/child.h"
#include "tests/support/trace_file.h"

static char path[] = "/tmp/astride-trace-XXXXXX";

/* Read by the sanitizer: a forked child leaves its parent's objects alone, and ends. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

#define MUST(call)                                                                                 \
    do {                                                                                           \
        if ((call) != ASTRIDE_OK) {                                                                \
            printf("%s: %s\n", #call, astride_last_error());                                       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* 8 MiB, too large to be copied at once: rows of 1 KiB with gaps. */
static void copy_rows(astride_queue *queue, unsigned char *memory)
{
    const int64_t extents[2] = {8192, 1024}, strides[2] = {2048, 1};
    const astride_copy_desc desc = {
        .struct_size = sizeof desc,
        .rank = 2,
        .element_bytes = 1,
        .extents = extents,
        .dst = {memory, NULL},
        .src = {memory + (8 << 20), strides},
    };
    MUST(astride_copy(queue, &desc));
}

static void work(bool fork_between)
{
    astride_device *device;
    astride_queue *queue;
    void *memory;
    MUST(astride_device_open("host", &device));
    MUST(astride_queue_create(device, &queue));
    MUST(astride_memory_alloc(device, (size_t)24 << 20, ASTRIDE_MEMORY_DEVICE, &memory));
    copy_rows(queue, memory);
    MUST(astride_queue_wait(queue));
    if (fork_between) {
        const pid_t child = fork();
        if (child == 0) {
            /* What it traces is not the parent's business. */
            astride_device *own;
            MUST(astride_device_open("host", &own));
            astride_device_close(own);
            exit(0);
        }
        waitpid(child, NULL, 0);
    }
    copy_rows(queue, memory);
    copy_rows(queue, memory);
    MUST(astride_queue_wait(queue));
    MUST(astride_memory_free(device, memory));
    astride_queue_destroy(queue);
    astride_device_close(device);
}

static void trace_work(void *fork_between)
{
    setenv("ASTRIDE_TRACE", path, 1);
    work(fork_between != NULL);
    exit(0); /* with the library's destructors, which end the file */
}

static void check_work(void *fork_between)
{
    char words[1024];
    assert_int_equal(test_child_run(trace_work, fork_between, words, sizeof words), 0);
    assert_string_equal(words, "");
    test_trace *trace = test_trace_load(path);
    assert_int_equal(test_trace_count(trace, "calling thread 1", "copy, kernel"), 3);
    assert_int_equal(test_trace_count(trace, "calling thread 1", "wait for queue"), 2);
    assert_int_equal(test_trace_count(trace, "calling thread 1", "plan"), 1);
    assert_int_equal(test_trace_count(trace, "host, queue 1", "copy"), 3);
    assert_int_equal(test_trace_bytes(trace, "copy, kernel"), 3 * (8 << 20));
    assert_int_equal(test_trace_bytes(trace, "allocate"), 24 << 20);
    test_trace_check_times(trace, "host", 0);
    test_trace_free(trace);
}

static void calls_and_queues_are_in_the_trace(void **state)
{
    (void)state;
    check_work(NULL);
}

static void a_forked_child_leaves_the_trace_alone(void **state)
{
    (void)state;
    check_work(path);
}

static void many_spans(void *argument)
{
    (void)argument;
    if (astride__trace_open(path) != ASTRIDE_OK)
        exit(1);
    const uint32_t track = astride__trace_track("a \"quoted\" \\ name\n");
    for (uint64_t i = 0; i < 3000; i++)
        astride__trace_span(track, "a span with a name of some length, to fill the buffer", i, i);
    exit(0);
}

static void the_buffer_is_written_when_full(void **state)
{
    char words[1024];
    (void)state;
    assert_int_equal(test_child_run(many_spans, NULL, words, sizeof words), 0);
    test_trace *trace = test_trace_load(path);
    assert_int_equal(test_trace_count(trace, "a \"quoted\" \\ name?", "a span"), 3000);
    test_trace_free(trace);
}

static void open_elsewhere(void *argument)
{
    astride_device *device = NULL;
    setenv("ASTRIDE_TRACE", argument, 1);
    const astride_status status = astride_device_open("host", &device);
    printf("%s: %s\n", astride_status_name(status), astride_last_error());
    exit(0);
}

static void a_file_that_cannot_be_written_is_an_error(void **state)
{
    char words[1024];
    (void)state;
    assert_int_equal(
        test_child_run(open_elsewhere, (void *)"/nowhere/trace.json", words, sizeof words), 0);
    assert_string_equal(words, "ASTRIDE_INVALID_ARGUMENT: ASTRIDE_TRACE: "
                               "\"/nowhere/trace.json\" cannot be written: No such file or "
                               "directory\n");
}

static void a_full_disk_ends_the_trace_and_not_the_program(void **state)
{
    char words[1024];
    (void)state;
    setenv("ASTRIDE_LOG", "error", 1);
    assert_int_equal(test_child_run(open_elsewhere, (void *)"/dev/full", words, sizeof words), 0);
    unsetenv("ASTRIDE_LOG");
    assert_non_null(strstr(words, "ASTRIDE_OK"));
    assert_non_null(strstr(words, "ASTRIDE_TRACE: the trace ends here: No space left on device"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_and_queues_are_in_the_trace),
        cmocka_unit_test(a_forked_child_leaves_the_trace_alone),
        cmocka_unit_test(the_buffer_is_written_when_full),
        cmocka_unit_test(a_file_that_cannot_be_written_is_an_error),
        cmocka_unit_test(a_full_disk_ends_the_trace_and_not_the_program),
    };
    const int file = mkstemp(path);
    if (file < 0) {
        perror(path);
        return 99;
    }
    close(file);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
