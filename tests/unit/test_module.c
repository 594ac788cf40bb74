/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Modules, functions and launches: what the core checks before a backend is asked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <astride/queue.h>

#include "hal/device.h"
#include "tests/support/fake_backend.h"

static const uint32_t ones[3] = {1, 1, 1};

static astride_device *fake;
static astride_device *other;
static astride_device *plain;

static int open_devices(void **state)
{
    (void)state;
    fake_reset();
    return astride__device_acquire(&fake_backend, 0, &fake) != ASTRIDE_OK ||
           astride__device_acquire(&fake_backend, 1, &other) != ASTRIDE_OK ||
           astride__device_acquire(&plain_backend, 0, &plain) != ASTRIDE_OK;
}

static int close_devices(void **state)
{
    (void)state;
    astride_device_close(fake);
    astride_device_close(other);
    astride_device_close(plain);
    return 0;
}

static void expect(astride_status status, astride_status expected, const char *detail)
{
    assert_int_equal(status, expected);
    assert_string_equal(astride_last_error(), detail);
}

static void functions_are_found_by_name_and_asked_for_once(void **state)
{
    astride_module *module = NULL;
    astride_function *first = NULL;
    astride_function *again = NULL;

    (void)state;
    assert_int_equal(astride_module_load(fake, "pack", 4, &module), ASTRIDE_OK);
    assert_int_equal(astride_module_function(module, "pack", &first), ASTRIDE_OK);
    assert_int_equal(astride_module_function(module, "pack", &again), ASTRIDE_OK);
    assert_ptr_equal(first, again);
    assert_int_equal(fake_count.module_function, 1);
    again = NULL;
    expect(astride_module_function(module, "unpack", &again), ASTRIDE_NOT_FOUND,
           "fake: module_function: as wished");
    assert_null(again);
    astride_module_unload(module);
    assert_int_equal(fake_count.module_unload, 1);
}

static void bad_arguments_of_modules_are_named(void **state)
{
    astride_module *module = NULL;
    astride_function *function = NULL;

    (void)state;
    expect(astride_module_load(NULL, "x", 1, &module), ASTRIDE_INVALID_ARGUMENT,
           "astride_module_load: device is NULL");
    expect(astride_module_load(fake, NULL, 1, &module), ASTRIDE_INVALID_ARGUMENT,
           "astride_module_load: image is NULL");
    expect(astride_module_load(fake, "x", 1, NULL), ASTRIDE_INVALID_ARGUMENT,
           "astride_module_load: module_out is NULL");
    expect(astride_module_load(plain, "x", 1, &module), ASTRIDE_UNSUPPORTED,
           "astride_module_load: backend plain has no module_load");
    expect(astride_module_load(fake, "a name of many bytes", 20, &module), ASTRIDE_DRIVER_ERROR,
           "fake: module_load: as wished");
    assert_null(module);
    assert_int_equal(astride_module_load(fake, "pack", 4, &module), ASTRIDE_OK);
    expect(astride_module_function(NULL, "pack", &function), ASTRIDE_INVALID_ARGUMENT,
           "astride_module_function: module is NULL");
    expect(astride_module_function(module, NULL, &function), ASTRIDE_INVALID_ARGUMENT,
           "astride_module_function: name is NULL");
    expect(astride_module_function(module, "pack", NULL), ASTRIDE_INVALID_ARGUMENT,
           "astride_module_function: function_out is NULL");
    astride_module_unload(module);
    astride_module_unload(NULL);
}

static void launches_are_checked_before_the_backend_is_asked(void **state)
{
    static const uint32_t flat[3] = {4, 0, 1};
    astride_module *module = NULL;
    astride_function *function = NULL;
    astride_queue *queue = NULL;
    astride_queue *of_other = NULL;
    astride_queue *of_plain = NULL;
    void *parameters[1] = {&queue};

    (void)state;
    assert_int_equal(astride_module_load(fake, "pack", 4, &module), ASTRIDE_OK);
    assert_int_equal(astride_module_function(module, "pack", &function), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(fake, &queue), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(other, &of_other), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(plain, &of_plain), ASTRIDE_OK);

    expect(astride_launch(NULL, function, ones, ones, 0, NULL, 0), ASTRIDE_INVALID_ARGUMENT,
           "astride_launch: queue is NULL");
    expect(astride_launch(of_plain, function, ones, ones, 0, NULL, 0), ASTRIDE_UNSUPPORTED,
           "astride_launch: backend plain has no launch");
    expect(astride_launch(queue, NULL, ones, ones, 0, NULL, 0), ASTRIDE_INVALID_ARGUMENT,
           "astride_launch: function is NULL");
    expect(astride_launch(queue, function, NULL, ones, 0, NULL, 0), ASTRIDE_INVALID_ARGUMENT,
           "astride_launch: grid is NULL");
    expect(astride_launch(queue, function, ones, NULL, 0, NULL, 0), ASTRIDE_INVALID_ARGUMENT,
           "astride_launch: block is NULL");
    expect(astride_launch(queue, function, flat, ones, 0, NULL, 0), ASTRIDE_INVALID_ARGUMENT,
           "astride_launch: grid[1] is 0");
    expect(astride_launch(queue, function, ones, flat, 0, NULL, 0), ASTRIDE_INVALID_ARGUMENT,
           "astride_launch: block[1] is 0");
    expect(astride_launch(queue, function, ones, ones, 0, NULL, 2), ASTRIDE_INVALID_ARGUMENT,
           "astride_launch: parameters is NULL, parameter_count is 2");
    expect(astride_launch(of_other, function, ones, ones, 0, NULL, 0), ASTRIDE_INVALID_ARGUMENT,
           "astride_launch: the function is of fake:0, the queue of fake:1");
    assert_int_equal(fake_count.launch, 0);
    assert_int_equal(astride_launch(queue, function, ones, ones, 0, parameters, 1), ASTRIDE_OK);
    assert_int_equal(astride_launch(queue, function, ones, ones, 0, NULL, 0), ASTRIDE_OK);
    assert_int_equal(fake_count.launch, 2);

    astride_queue_destroy(of_plain);
    astride_queue_destroy(of_other);
    astride_queue_destroy(queue);
    astride_module_unload(module);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, open_devices, close_devices)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(functions_are_found_by_name_and_asked_for_once),
        CASE(bad_arguments_of_modules_are_named),
        CASE(launches_are_checked_before_the_backend_is_asked),
    };

    return cmocka_run_group_tests_name("module", tests, NULL, NULL);
}
