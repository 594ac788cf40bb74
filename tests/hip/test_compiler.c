/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Each call of the runtime compiler fails in turn while a device is opened, without a cache: the
 * error names call and code, nothing is leaked, and the same works right after.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/simulated/simulated.h"

static void open_and_close(void)
{
    astride_device *device = NULL;
    if (astride_device_open("hip:1", &device) != ASTRIDE_OK)
        fail_msg("%s", astride_last_error());
    astride_device_close(device);
}

static void each_call_of_the_compiler_may_fail(void **state)
{
    static const char *const names[] = {"hiprtcVersion", "hiprtcCreateProgram", "hiprtcGetCodeSize",
                                        "hiprtcGetCode"};
    astride_sim_alive before, after;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        astride_device *device = NULL;
        sim->alive(&before);
        sim->reset();
        sim->fail_call(names[i], 1, 11);
        assert_int_equal(astride_device_open("hip:1", &device), ASTRIDE_DRIVER_ERROR);
        assert_non_null(sim->failed());
        assert_non_null(strstr(astride_last_error(), names[i]));
        assert_non_null(strstr(astride_last_error(), "hiprtcResult 11"));
        sim->alive(&after);
        assert_memory_equal(&before, &after, sizeof before);
        sim->reset();
    }
    open_and_close();
    sim->alive(&after);
    assert_memory_equal(&before, &after, sizeof before);
}

static void source_that_does_not_compile_is_told_with_the_compilers_words(void **state)
{
    astride_device *device = NULL;
    (void)state;
    /* A macro of the source, redefined to nonsense. */
    setenv("CXX", "c++ -Dastride_tile=+", 1);
    assert_int_equal(astride_device_open("hip:1", &device), ASTRIDE_DRIVER_ERROR);
    assert_non_null(strstr(astride_last_error(), "hiprtcCompileProgram for gfx0simulated"));
    assert_non_null(strstr(astride_last_error(), "hiprtcResult 6: "));
    assert_non_null(strstr(astride_last_error(), "error:"));
    unsetenv("CXX");
    open_and_close();
    simulated_check_rules();
}

/* What the compiler made is usable although its program could not be destroyed. */
static void failure_to_destroy_a_program_is_only_logged(void **state)
{
    (void)state;
    sim->reset();
    sim->fail_call("hiprtcDestroyProgram", 1, 11);
    open_and_close();
    assert_non_null(sim->failed());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_of_the_compiler_may_fail),
        cmocka_unit_test(source_that_does_not_compile_is_told_with_the_compilers_words),
        cmocka_unit_test(failure_to_destroy_a_program_is_only_logged),
    };
    simulated_select();
    setenv("XDG_CACHE_HOME", "/dev/null/nowhere", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
