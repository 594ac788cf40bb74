/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Names and texts of the status codes and the detail of the latest failure.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "hal/error.h"

static void codes_have_their_values_and_names(void **state)
{
    static const struct {
        astride_status status;
        int value;
        const char *name;
    } expected[] = {
        {ASTRIDE_OK, 0, "ASTRIDE_OK"},
        {ASTRIDE_NOT_READY, 1, "ASTRIDE_NOT_READY"},
        {ASTRIDE_INVALID_ARGUMENT, 2, "ASTRIDE_INVALID_ARGUMENT"},
        {ASTRIDE_OVERFLOW, 3, "ASTRIDE_OVERFLOW"},
        {ASTRIDE_OUT_OF_BOUNDS, 4, "ASTRIDE_OUT_OF_BOUNDS"},
        {ASTRIDE_OVERLAP, 5, "ASTRIDE_OVERLAP"},
        {ASTRIDE_UNSUPPORTED, 6, "ASTRIDE_UNSUPPORTED"},
        {ASTRIDE_UNAVAILABLE, 7, "ASTRIDE_UNAVAILABLE"},
        {ASTRIDE_NOT_FOUND, 8, "ASTRIDE_NOT_FOUND"},
        {ASTRIDE_PLAN_MISMATCH, 9, "ASTRIDE_PLAN_MISMATCH"},
        {ASTRIDE_OUT_OF_MEMORY, 10, "ASTRIDE_OUT_OF_MEMORY"},
        {ASTRIDE_DRIVER_ERROR, 11, "ASTRIDE_DRIVER_ERROR"},
        {ASTRIDE_DEVICE_LOST, 12, "ASTRIDE_DEVICE_LOST"},
        {ASTRIDE_AFTER_FORK, 13, "ASTRIDE_AFTER_FORK"},
        {ASTRIDE_INTERNAL, 14, "ASTRIDE_INTERNAL"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        assert_int_equal(expected[i].status, expected[i].value);
        assert_string_equal(astride_status_name(expected[i].status), expected[i].name);
    }
}

static void values_that_are_no_code_have_a_name_and_a_text_too(void **state)
{
    (void)state;
    assert_string_equal(astride_status_name((astride_status)15), "ASTRIDE_UNKNOWN_STATUS");
    assert_string_equal(astride_status_name((astride_status)-1), "ASTRIDE_UNKNOWN_STATUS");
    assert_string_equal(astride_status_text((astride_status)15), "unknown status: report it");
}

static void texts_say_what_to_do(void **state)
{
    (void)state;
    assert_string_equal(astride_status_text(ASTRIDE_OK), "success");
    assert_string_equal(astride_status_text(ASTRIDE_OVERLAP),
                        "elements of the destination share bytes: correct its strides");
    assert_string_equal(astride_status_text(ASTRIDE_INTERNAL),
                        "a defect of the library or of a plugin: report it");
}

static void *read_detail_of_a_fresh_thread(void *text)
{
    memcpy(text, astride_last_error(), strlen(astride_last_error()) + 1);
    astride__fail(ASTRIDE_INTERNAL, "of the other thread");
    return NULL;
}

static void each_thread_has_its_own_detail(void **state)
{
    char text[1024] = "not written";
    pthread_t thread;

    (void)state;
    astride__fail(ASTRIDE_INTERNAL, "of this thread");
    assert_int_equal(pthread_create(&thread, NULL, read_detail_of_a_fresh_thread, text), 0);
    pthread_join(thread, NULL);
    assert_string_equal(text, "");
    assert_string_equal(astride_last_error(), "of this thread");
}

static void fail_formats_and_returns_its_status(void **state)
{
    (void)state;
    assert_int_equal(astride__fail(ASTRIDE_OVERLAP, "dst: stride[%d] = %ld", 1, 2L),
                     ASTRIDE_OVERLAP);
    assert_string_equal(astride_last_error(), "dst: stride[1] = 2");
}

static void the_detail_may_be_an_argument_of_the_next(void **state)
{
    (void)state;
    astride__fail(ASTRIDE_INTERNAL, "inner");
    astride__fail(ASTRIDE_INTERNAL, "outer: %s", astride_last_error());
    assert_string_equal(astride_last_error(), "outer: inner");
}

static void long_details_are_cut_at_1023_bytes(void **state)
{
    char text[2001];

    (void)state;
    memset(text, 'a', 2000);
    text[2000] = '\0';
    astride__fail(ASTRIDE_INTERNAL, "%s", text);
    assert_int_equal(strlen(astride_last_error()), 1023);
    assert_memory_equal(astride_last_error(), text, 1023);

    astride__fail_prefix("descs[%d]: ", 3);
    assert_int_equal(strlen(astride_last_error()), 1023);
    assert_memory_equal(astride_last_error(), "descs[3]: aaaa", 14);

    astride__fail_prefix("%s", text);
    assert_int_equal(strlen(astride_last_error()), 1023);
    assert_memory_equal(astride_last_error(), text, 1023);
}

static void prefixes_go_before_the_detail(void **state)
{
    (void)state;
    astride__fail(ASTRIDE_INTERNAL, "dst: too short");
    astride__fail_prefix("descs[%d]: ", 3);
    astride__fail_prefix("astride_copy_batch: ");
    assert_string_equal(astride_last_error(), "astride_copy_batch: descs[3]: dst: too short");
}

static void saved_details_come_back(void **state)
{
    astride__error_detail saved;

    (void)state;
    astride__fail(ASTRIDE_INTERNAL, "the cause");
    astride__error_save(&saved);
    astride__fail(ASTRIDE_INTERNAL, "a consequence");
    astride__error_restore(&saved);
    assert_string_equal(astride_last_error(), "the cause");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_have_their_values_and_names),
        cmocka_unit_test(values_that_are_no_code_have_a_name_and_a_text_too),
        cmocka_unit_test(texts_say_what_to_do),
        cmocka_unit_test(each_thread_has_its_own_detail),
        cmocka_unit_test(fail_formats_and_returns_its_status),
        cmocka_unit_test(the_detail_may_be_an_argument_of_the_next),
        cmocka_unit_test(long_details_are_cut_at_1023_bytes),
        cmocka_unit_test(prefixes_go_before_the_detail),
        cmocka_unit_test(saved_details_come_back),
    };

    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
