/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Specs, the choice among backends with its messages, and the life of a device. The backends are
 * the host, the plugins of the tests, and fakes that never pass through the registry.
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

#include <astride/device.h>

#include "hal/device.h"
#include "hal/device_spec.h"
#include "hal/error.h"
#include "tests/support/child.h"
#include "tests/support/fake_backend.h"

#define THREAD_COUNT 8

static int reset_fakes(void **state)
{
    (void)state;
    fake_reset();
    return 0;
}

static void expect_malformed(const char *spec, const char *expected)
{
    char detail[1024];

    assert_int_equal(astride__spec_check("spec", spec), ASTRIDE_INVALID_ARGUMENT);
    snprintf(detail, sizeof(detail), "spec: \"%s\" is malformed: %s", spec, expected);
    assert_string_equal(astride_last_error(), detail);
}

static void malformed_specs_name_the_entry_and_the_rule(void **state)
{
    static const char name_rule[] = "a backend's name is [a-z][a-z0-9_]* of at most 31 bytes";
    char expected[300];
    char longest[300];

    (void)state;
    expect_malformed("a,,b", "entry 2, \"\": it is empty");
    expect_malformed(",a", "entry 1, \"\": it is empty");
    expect_malformed("a,", "entry 2, \"\": it is empty");
    expect_malformed(",", "entry 1, \"\": it is empty");
    expect_malformed("a:", "entry 1, \"a:\": nothing follows the colon");
    expect_malformed("b,^a:1", "entry 2, \"^a:1\": an exclusion takes the name of a backend only");
    snprintf(expected, sizeof(expected), "entry 2, \" b\": %s", name_rule);
    expect_malformed("a, b", expected);
    snprintf(expected, sizeof(expected), "entry 1, \"Host\": %s", name_rule);
    expect_malformed("Host", expected);
    snprintf(expected, sizeof(expected), "entry 1, \"1a\": %s", name_rule);
    expect_malformed("1a", expected);
    snprintf(expected, sizeof(expected), "entry 1, \":0\": %s", name_rule);
    expect_malformed(":0", expected);
    snprintf(expected, sizeof(expected), "entry 1, \"^\": %s", name_rule);
    expect_malformed("^", expected);
    snprintf(expected, sizeof(expected), "entry 1, \"abcdefghijklmnopqrstuvwxyz_01234\": %s",
             name_rule);
    expect_malformed("abcdefghijklmnopqrstuvwxyz_01234", expected);

    memset(longest, 'x', sizeof(longest));
    memcpy(longest, "a:", 2);
    longest[257] = '\0';
    assert_int_equal(astride__spec_check("spec", longest), ASTRIDE_OK);
    longest[257] = 'x';
    longest[258] = '\0';
    assert_int_equal(astride__spec_check("spec", longest), ASTRIDE_INVALID_ARGUMENT);
    assert_non_null(strstr(astride_last_error(), ": more than 255 bytes follow the colon"));
}

static void entries_are_read_in_order(void **state)
{
    const char *position = "cuda:1,^hip,b_2:x:y";
    astride__spec_entry entry;

    (void)state;
    assert_int_equal(astride__spec_check("spec", position), ASTRIDE_OK);
    assert_true(astride__spec_next(&position, &entry));
    assert_int_equal(entry.name_bytes, 4);
    assert_memory_equal(entry.name, "cuda", 4);
    assert_int_equal(entry.rest_bytes, 1);
    assert_memory_equal(entry.rest, "1", 1);
    assert_false(entry.is_excluded);
    assert_true(astride__spec_next(&position, &entry));
    assert_int_equal(entry.name_bytes, 3);
    assert_memory_equal(entry.name, "hip", 3);
    assert_null(entry.rest);
    assert_true(entry.is_excluded);
    assert_true(astride__spec_next(&position, &entry));
    assert_int_equal(entry.name_bytes, 3);
    assert_memory_equal(entry.name, "b_2", 3);
    assert_int_equal(entry.rest_bytes, 3);
    assert_memory_equal(entry.rest, "x:y", 3);
    assert_false(astride__spec_next(&position, &entry));
}

static void exclusions_are_recognised(void **state)
{
    (void)state;
    assert_true(astride__spec_only_excludes("^a,^b"));
    assert_false(astride__spec_only_excludes("^a,b"));
    assert_true(astride__spec_excludes("a,^bc,d", "bc", 2));
    assert_false(astride__spec_excludes("a,^bc,d", "b", 1));
    assert_false(astride__spec_excludes("a,^bc,d", "a", 1));
}

static void expect_open(const char *spec, const char *opened)
{
    astride_device *device = NULL;

    if (astride_device_open(spec, &device) != ASTRIDE_OK)
        fail_msg("%s: %s", spec, astride_last_error());
    assert_string_equal(astride_device_spec(device), opened);
    astride_device_close(device);
}

/* The detail may end with the list of backends, which depends on what is installed. */
static void expect_refusal(const char *spec, astride_status status, const char *detail)
{
    astride_device *device = (astride_device *)&device;
    astride_device *untouched = device;

    assert_int_equal(astride_device_open(spec, &device), status);
    assert_ptr_equal(device, untouched);
    if (strncmp(astride_last_error(), detail, strlen(detail)) != 0)
        assert_string_equal(astride_last_error(), detail);
    if (astride_last_error()[strlen(detail)] != '\0')
        assert_memory_equal(astride_last_error() + strlen(detail), " (backends here: ", 17);
}

static void names_and_numbers_open_their_device(void **state)
{
    (void)state;
    expect_open("host", "host:0");
    expect_open("host:0", "host:0");
    expect_open("host:000", "host:0");
    expect_open("example", "example:0");
    expect_open("example:1", "example:1");
}

static void rest_is_resolved_by_the_backend(void **state)
{
    (void)state;
    expect_open("example:right", "example:1");
    expect_refusal("example:up", ASTRIDE_NOT_FOUND,
                   "astride_device_open: \"example:up\": example:up: no device is called \"up\"");
    expect_refusal("host:up", ASTRIDE_INVALID_ARGUMENT,
                   "astride_device_open: \"host:up\": host:up: \"up\" is not the number of a "
                   "device");
}

static void lists_take_the_first_that_can_run(void **state)
{
    (void)state;
    expect_open("nosuch,host", "host:0");
    expect_open("unavailable,example:1,host", "example:1");
    expect_open("busy,example", "example:0");
    expect_open("example:7,host", "host:0");
    expect_open("example,host,^example", "host:0");
}

static void a_choice_that_works_leaves_no_detail(void **state)
{
    (void)state;
    astride__fail(ASTRIDE_INTERNAL, "an earlier failure");
    expect_open("nosuch,busy,host", "host:0");
    assert_string_equal(astride_last_error(), "an earlier failure");
}

static void every_candidate_is_listed_with_its_reason(void **state)
{
    (void)state;
    expect_refusal("nosuch", ASTRIDE_NOT_FOUND,
                   "astride_device_open: \"nosuch\": nosuch: no such backend");
    expect_refusal("host:1", ASTRIDE_NOT_FOUND,
                   "astride_device_open: \"host:1\": host:1: its devices are numbered 0 to 0");
    expect_refusal(
        "example:2,host:99999999999", ASTRIDE_NOT_FOUND,
        "astride_device_open: \"example:2,host:99999999999\": example:2: its devices are "
        "numbered 0 to 1; host:99999999999: its devices are numbered 0 to 0");
    expect_refusal("unavailable", ASTRIDE_UNAVAILABLE,
                   "astride_device_open: \"unavailable\": unavailable: widgetCount: WIDGET_NONE "
                   "(code 7)");
    expect_refusal("nosuch,no_devices,unavailable:1", ASTRIDE_UNAVAILABLE,
                   "astride_device_open: \"nosuch,no_devices,unavailable:1\": nosuch: no such "
                   "backend; no_devices: probe counted 0 devices; unavailable:1: widgetCount: "
                   "WIDGET_NONE (code 7)");
    expect_refusal("busy,nosuch", ASTRIDE_DRIVER_ERROR,
                   "astride_device_open: \"busy,nosuch\": busy: widgetOpen: WIDGET_BUSY (code 9); "
                   "nosuch: no such backend");
    expect_refusal("host,^host", ASTRIDE_NOT_FOUND,
                   "astride_device_open: \"host,^host\": host: excluded");
}

static void refused_plugins_are_candidates_with_their_reason(void **state)
{
    char expected[1024];

    (void)state;
    snprintf(expected, sizeof(expected),
             "astride_device_open: \"wrong_abi\": wrong_abi: %.400s/astride-wrong_abi.so is "
             "refused: its ABI number is 2, this library's is 1",
             getenv("ASTRIDE_TEST_PLUGINS"));
    expect_refusal("wrong_abi", ASTRIDE_UNAVAILABLE, expected);
}

static void defects_of_a_plugin_are_told_when_it_is_opened(void **state)
{
    (void)state;
    expect_refusal(
        "needs_rect", ASTRIDE_INTERNAL,
        "astride_device_open: \"needs_rect\": needs_rect: backend needs_rect: properties: "
        "rect_rank[2] = 2, but the slot copy_rect is missing");
    expect_refusal("bad_rank", ASTRIDE_INTERNAL,
                   "astride_device_open: \"bad_rank\": bad_rank: backend bad_rank: properties: "
                   "rect_rank[2] = 4 is not in 0 to 3");
    expect_refusal("bad_costs", ASTRIDE_INTERNAL,
                   "astride_device_open: \"bad_costs\": bad_costs: backend bad_costs: properties: "
                   "cost.linear_call_ns = -1 is not above 0 and finite");
    expect_refusal("bad_depth", ASTRIDE_INTERNAL,
                   "astride_device_open: \"bad_depth\": bad_depth: backend bad_depth: properties: "
                   "staging_depth = 65 is not in 0 to 64");
}

static void malformed_specs_are_refused_with_the_call(void **state)
{
    (void)state;
    expect_refusal("a,", ASTRIDE_INVALID_ARGUMENT,
                   "astride_device_open: spec: \"a,\" is malformed: entry 2, \"\": it is empty");
    assert_int_equal(astride_device_open("host", NULL), ASTRIDE_INVALID_ARGUMENT);
    assert_string_equal(astride_last_error(), "astride_device_open: device_out is NULL");
}

/* In a child: opens with ASTRIDE_BACKEND and a spec, and shows what came of it. */
static void open_and_show(void *arguments)
{
    const char *const *text = arguments;
    astride_device *device = NULL;
    astride_status status;

    if (text[0] != NULL)
        setenv("ASTRIDE_BACKEND", text[0], 1);
    if (text[2] != NULL)
        setenv("ASTRIDE_LOG", text[2], 1);
    for (int i = 0; i < 2; i++) {
        status = astride_device_open(text[1], &device);
        printf("%s: %s\n", astride_status_name(status),
               status == ASTRIDE_OK ? astride_device_spec(device) : astride_last_error());
        if (status == ASTRIDE_OK)
            astride_device_close(device);
    }
}

static void expect_child(const char *variable, const char *spec, const char *line)
{
    const char *arguments[3] = {variable, spec, NULL};
    char text[4096];
    char expected[4096];

    assert_int_equal(test_child_run(open_and_show, arguments, text, sizeof(text)), 0);
    snprintf(expected, sizeof(expected), "%s\n%s\n", line, line);
    assert_string_equal(text, expected);
}

static void the_variable_is_used_without_a_spec(void **state)
{
    (void)state;
    expect_child("example:right", NULL, "ASTRIDE_OK: example:1");
    expect_child("example:right", "", "ASTRIDE_OK: example:1");
    expect_child("example:right", "host", "ASTRIDE_OK: host:0");
    expect_child("unavailable,host:4", NULL,
                 "ASTRIDE_UNAVAILABLE: astride_device_open: "
                 "ASTRIDE_BACKEND=\"unavailable,host:4\": unavailable: widgetCount: WIDGET_NONE "
                 "(code 7); host:4: its devices are numbered 0 to 0");
}

static void a_malformed_variable_is_told_at_every_open(void **state)
{
    static const char line[] = "ASTRIDE_INVALID_ARGUMENT: ASTRIDE_BACKEND: \"CUDA\" is malformed: "
                               "entry 1, \"CUDA\": a backend's name is [a-z][a-z0-9_]* of at most "
                               "31 bytes";

    (void)state;
    expect_child("CUDA", NULL, line);
    expect_child("CUDA", "host", line);
}

static void other_malformed_variables_are_told_at_every_open(void **state)
{
    const char *arguments[3] = {NULL, "host", "loud"};
    char text[1024];

    (void)state;
    assert_int_equal(test_child_run(open_and_show, arguments, text, sizeof(text)), 0);
    assert_string_equal(text, "ASTRIDE_INVALID_ARGUMENT: ASTRIDE_LOG: \"loud\" is none of error, "
                              "warn, info, debug\n"
                              "ASTRIDE_INVALID_ARGUMENT: ASTRIDE_LOG: \"loud\" is none of error, "
                              "warn, info, debug\n");
}

/*
 * By priority: unavailable 70, older 60, example 50, then -10 in the order of names: bad_costs,
 * bad_rank, ..., newer, ...; the host after all of them.
 */
static void automatic_choice_takes_the_first_available(void **state)
{
    (void)state;
    expect_child(NULL, NULL, "ASTRIDE_OK: older:0");
    expect_child("^older", NULL, "ASTRIDE_OK: example:0");
    expect_child("^older,^example", NULL, "ASTRIDE_OK: counts:0");
    expect_child(NULL, "^older,^example,^counts,^misaligned,^newer", "ASTRIDE_OK: host:0");
}

static void automatic_choice_logs_its_fall_back_to_the_host_once(void **state)
{
    const char *arguments[3] = {"^older,^example,^counts,^misaligned,^newer", NULL, "warn"};
    static const char start[] = "astride: warn: automatic choice falls back to host: unavailable: "
                                "widgetCount: WIDGET_NONE (code 7); ";
    char text[16384];
    const char *line;

    (void)state;
    assert_int_equal(test_child_run(open_and_show, arguments, text, sizeof(text)), 0);
    line = strstr(text, "astride: warn: automatic choice");
    assert_non_null(line);
    assert_memory_equal(line, start, strlen(start));
    assert_null(strstr(line + 1, "astride: warn: automatic choice"));
}

static void opening_again_counts(void **state)
{
    astride_device *first = NULL;
    astride_device *second = NULL;
    astride_device *other = NULL;

    (void)state;
    assert_int_equal(astride__device_acquire(&fake_backend, 1, &first), ASTRIDE_OK);
    assert_int_equal(astride__device_acquire(&fake_backend, 1, &second), ASTRIDE_OK);
    assert_int_equal(astride__device_acquire(&plain_backend, 1, &other), ASTRIDE_OK);
    assert_ptr_equal(first, second);
    assert_ptr_not_equal(first, other);
    assert_string_equal(astride_device_spec(first), "fake:1");
    assert_int_equal(fake_count.device_open, 2);
    astride_device_close(first);
    assert_int_equal(fake_count.device_close, 0);
    astride_device_close(second);
    assert_int_equal(fake_count.device_close, 1);
    astride_device_close(other);
    assert_int_equal(fake_count.device_close, 2);
}

static void a_failed_open_can_be_repeated(void **state)
{
    astride_device *device = NULL;

    (void)state;
    fake_wish.open = ASTRIDE_OUT_OF_MEMORY;
    assert_int_equal(astride__device_acquire(&fake_backend, 0, &device), ASTRIDE_OUT_OF_MEMORY);
    assert_string_equal(astride_last_error(), "fake: device_open: as wished");
    assert_null(device);
    fake_wish.open = ASTRIDE_OK;
    assert_int_equal(astride__device_acquire(&fake_backend, 0, &device), ASTRIDE_OK);
    astride_device_close(device);
    assert_int_equal(fake_count.device_open, 2);
    assert_int_equal(fake_count.device_close, 1);
}

/* Threads that start at the same moment. */
typedef struct crowd {
    pthread_barrier_t barrier;
    astride_device *devices[THREAD_COUNT];
    astride_status statuses[THREAD_COUNT];
    _Atomic int next;
} crowd;

static void *open_in_crowd(void *argument)
{
    crowd *self = argument;
    int number = self->next++;

    pthread_barrier_wait(&self->barrier);
    self->statuses[number] = astride__device_acquire(&fake_backend, 0, &self->devices[number]);
    return NULL;
}

static void *open_and_close_in_crowd(void *argument)
{
    crowd *self = argument;
    int number = self->next++;

    pthread_barrier_wait(&self->barrier);
    self->statuses[number] = ASTRIDE_OK;
    for (int i = 0; i < 200 && self->statuses[number] == ASTRIDE_OK; i++) {
        astride_device *device = NULL;
        self->statuses[number] = astride__device_acquire(&fake_backend, i % 2, &device);
        if (self->statuses[number] == ASTRIDE_OK)
            astride_device_close(device);
    }
    return NULL;
}

static void run_crowd(crowd *self, void *(*body)(void *))
{
    pthread_t threads[THREAD_COUNT];

    memset(self, 0, sizeof(*self));
    assert_int_equal(pthread_barrier_init(&self->barrier, NULL, THREAD_COUNT), 0);
    for (int i = 0; i < THREAD_COUNT; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, self), 0);
    for (int i = 0; i < THREAD_COUNT; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&self->barrier);
}

static void threads_that_open_one_device_get_one_object(void **state)
{
    crowd self;

    (void)state;
    fake_wish.open_milliseconds = 20;
    run_crowd(&self, open_in_crowd);
    for (int i = 0; i < THREAD_COUNT; i++) {
        assert_int_equal(self.statuses[i], ASTRIDE_OK);
        assert_ptr_equal(self.devices[i], self.devices[0]);
    }
    assert_int_equal(fake_count.device_open, 1);
    for (int i = 0; i < THREAD_COUNT; i++)
        astride_device_close(self.devices[0]);
    assert_int_equal(fake_count.device_close, 1);
}

static void threads_that_wait_for_a_failing_open_try_themselves(void **state)
{
    crowd self;

    (void)state;
    fake_wish.open_milliseconds = 5;
    fake_wish.open = ASTRIDE_DRIVER_ERROR;
    run_crowd(&self, open_in_crowd);
    for (int i = 0; i < THREAD_COUNT; i++)
        assert_int_equal(self.statuses[i], ASTRIDE_DRIVER_ERROR);
    assert_int_equal(fake_count.device_open, THREAD_COUNT);
    assert_int_equal(fake_count.device_close, 0);
}

static void threads_that_open_and_close_leave_nothing_open(void **state)
{
    crowd self;

    (void)state;
    run_crowd(&self, open_and_close_in_crowd);
    for (int i = 0; i < THREAD_COUNT; i++)
        assert_int_equal(self.statuses[i], ASTRIDE_OK);
    assert_true(fake_count.device_open > 0);
    assert_int_equal(fake_count.device_open, fake_count.device_close);
}

static void null_devices_are_named_or_ignored(void **state)
{
    astride_capabilities capabilities = {.struct_size = sizeof(capabilities)};

    (void)state;
    astride_device_close(NULL);
    assert_string_equal(astride_device_spec(NULL), "");
    assert_int_equal(astride_device_capabilities(NULL, &capabilities), ASTRIDE_INVALID_ARGUMENT);
    assert_string_equal(astride_last_error(), "astride_device_capabilities: device is NULL");
}

static void capabilities_are_filled_as_far_as_the_caller_knows_them(void **state)
{
    struct {
        astride_capabilities capabilities;
        uint64_t later;
    } newer = {.capabilities = {.struct_size = sizeof(newer)}, .later = 77};
    astride_device *device = NULL;

    (void)state;
    assert_int_equal(astride__device_acquire(&fake_backend, 0, &device), ASTRIDE_OK);
    assert_int_equal(astride_device_capabilities(device, &newer.capabilities), ASTRIDE_OK);
    assert_int_equal(newer.capabilities.memory_bytes, 4096);
    assert_int_equal(newer.capabilities.struct_size, sizeof(newer));
    assert_int_equal(newer.later, 77);

    newer.capabilities.struct_size = 8;
    newer.capabilities.memory_bytes = 5;
    assert_int_equal(astride_device_capabilities(device, &newer.capabilities),
                     ASTRIDE_INVALID_ARGUMENT);
    assert_non_null(strstr(astride_last_error(),
                           "astride_device_capabilities: capabilities_out->struct_size = 8 is "
                           "below "));
    assert_int_equal(newer.capabilities.memory_bytes, 5);
    assert_int_equal(astride_device_capabilities(device, NULL), ASTRIDE_INVALID_ARGUMENT);
    assert_string_equal(astride_last_error(),
                        "astride_device_capabilities: capabilities_out is NULL");
    astride_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_specs_name_the_entry_and_the_rule),
        cmocka_unit_test(entries_are_read_in_order),
        cmocka_unit_test(exclusions_are_recognised),
        /* Children first: the list of backends is made once per process, also by a fork of it. */
        cmocka_unit_test(the_variable_is_used_without_a_spec),
        cmocka_unit_test(a_malformed_variable_is_told_at_every_open),
        cmocka_unit_test(other_malformed_variables_are_told_at_every_open),
        cmocka_unit_test(automatic_choice_takes_the_first_available),
        cmocka_unit_test(automatic_choice_logs_its_fall_back_to_the_host_once),
        cmocka_unit_test(names_and_numbers_open_their_device),
        cmocka_unit_test(rest_is_resolved_by_the_backend),
        cmocka_unit_test(lists_take_the_first_that_can_run),
        cmocka_unit_test(a_choice_that_works_leaves_no_detail),
        cmocka_unit_test(every_candidate_is_listed_with_its_reason),
        cmocka_unit_test(refused_plugins_are_candidates_with_their_reason),
        cmocka_unit_test(defects_of_a_plugin_are_told_when_it_is_opened),
        cmocka_unit_test(malformed_specs_are_refused_with_the_call),
        cmocka_unit_test_setup(opening_again_counts, reset_fakes),
        cmocka_unit_test_setup(a_failed_open_can_be_repeated, reset_fakes),
        cmocka_unit_test_setup(threads_that_open_one_device_get_one_object, reset_fakes),
        cmocka_unit_test_setup(threads_that_wait_for_a_failing_open_try_themselves, reset_fakes),
        cmocka_unit_test_setup(threads_that_open_and_close_leave_nothing_open, reset_fakes),
        cmocka_unit_test(null_devices_are_named_or_ignored),
        cmocka_unit_test_setup(capabilities_are_filled_as_far_as_the_caller_knows_them,
                               reset_fakes),
    };
    const char *plugins = getenv("ASTRIDE_TEST_PLUGINS");

    if (plugins == NULL) {
        fprintf(stderr, "ASTRIDE_TEST_PLUGINS must name the folder of the test plugins\n");
        return EXIT_FAILURE;
    }
    setenv("ASTRIDE_PLUGIN_PATH", plugins, 1);
    return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
