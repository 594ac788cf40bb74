/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What libastride_mlir_runtime says and does when it fails: the exact line for each cause, and the
 * two policies. Each case has a process of its own.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <astride/astride.h>
#include <astride/mlir.h>

#include "tests/mlir_runtime/fixture.h"

/* Ends a case in which a call did what it must not do. */
static void require(bool holds, const char *what)
{
    if (!holds) {
        (void)fprintf(stderr, "NOT SO: %s\n", what);
        _exit(1);
    }
}

/* What the line of a failed call must be when the library found the cause. */
static void say_last_error(const char *function)
{
    (void)fprintf(stderr, "astride: %s: %s\n", function, astride_last_error());
}

static void negative_size_case(void)
{
    const int64_t geometry[] = {0, 0, 2, -3, 3, 1, 3, 1};
    unsigned char dst[6] = {0};
    unsigned char src[6] = {1, 1, 1, 1, 1, 1};
    fixture_use_backend("host");
    mgpuMemcpyStrided(dst, src, geometry, 2, 1, NULL);
    for (size_t i = 0; i < sizeof dst; i++)
        require(dst[i] == 0, "nothing is copied");
}

static void valid_case(void)
{
    fixture_use_backend("host");
    mgpuStreamDestroy(mgpuStreamCreate());
}

static void library_error_case(void)
{
    const int64_t outside[] = {0, 0, 5, 1, 1};
    const int64_t coinciding[] = {0, 0, 4, 0, 1};
    int32_t host[5] = {1, 2, 3, 4, 5};
    fixture_use_backend("host");
    void *device = mgpuMemAlloc(16, NULL, false);
    mgpuMemset32(device, 7, 4, NULL);
    mgpuMemcpyStrided(device, host, outside, 1, 4, NULL);
    say_last_error("mgpuMemcpyStrided");
    mgpuMemcpyStrided(device, host, coinciding, 1, 4, NULL);
    say_last_error("mgpuMemcpyStrided");
    mgpuMemFree((char *)device + 1, NULL);
    say_last_error("mgpuMemFree");
    mgpuMemcpy(host, device, 16, NULL);
    for (int i = 0; i < 4; i++)
        require(host[i] == 7, "nothing is copied");
    mgpuMemFree(device, NULL);
}

static void arguments_case(void)
{
    const int64_t zeros[8] = {0};
    const int64_t far_offset[] = {INT64_MAX / 2, 0, 1, 1, 1};
    const int64_t low_offset[] = {-1, 0, 1, 1, 1};
    const int64_t far_stride[] = {0, 0, 2, INT64_MAX / 2, INT64_MIN / 2};
    const int64_t fill_geometry[] = {0, 2, -7};
    unsigned char memory[8] = {0};
    fixture_use_backend("host");
    mgpuMemcpyStrided(memory, memory, NULL, 1, 1, NULL);
    mgpuMemcpyStrided(memory, memory, zeros, 65, 1, NULL);
    mgpuMemcpyStrided(memory, memory, zeros, -1, 1, NULL);
    mgpuMemcpyStrided(memory, memory, zeros, 0, 0, NULL);
    mgpuMemcpyStrided(memory, memory, zeros, 0, -4, NULL);
    mgpuMemcpyStrided(NULL, memory, zeros, 0, 4, NULL);
    mgpuMemcpyStrided(memory, NULL, zeros, 0, 4, NULL);
    mgpuMemcpyStrided((void *)16, memory, far_offset, 1, 4, NULL);
    mgpuMemcpyStrided((void *)16, memory, low_offset, 1, 32, NULL);
    mgpuMemcpyStrided(memory, memory, far_stride, 1, 4, NULL);
    mgpuMemsetStrided(memory, NULL, zeros, 0, 4, NULL);
    mgpuMemsetStrided(memory, memory, NULL, 0, 4, NULL);
    mgpuMemsetStrided((void *)16, "abc", fill_geometry, 1, 3, NULL);
    mgpuMemset16(memory, 0, SIZE_MAX, NULL);
    require(mgpuMemAlloc(UINT64_MAX, NULL, true) == NULL, "NULL is returned");
    mgpuSetDefaultDevice(-1);
    mgpuStreamDestroy((void *)64);
    mgpuMemHostRegister((void *)64, UINT64_MAX);
    mgpuMemHostRegisterMemRef(1, NULL, 4);
}

static const char arguments_lines[] =
    "astride: mgpuMemcpyStrided: geometry is NULL\n"
    "astride: mgpuMemcpyStrided: rank = 65 is not in 0 to 64\n"
    "astride: mgpuMemcpyStrided: rank = -1 is not in 0 to 64\n"
    "astride: mgpuMemcpyStrided: element_bytes = 0 is not in 1 to 9223372036854775807\n"
    "astride: mgpuMemcpyStrided: element_bytes = -4 is not in 1 to 9223372036854775807\n"
    "astride: mgpuMemcpyStrided: dst is NULL\n"
    "astride: mgpuMemcpyStrided: src is NULL\n"
    "astride: mgpuMemcpyStrided: dst offset = 4611686018427387903 elements of 4 bytes from 0x10 "
    "leaves the address space\n"
    "astride: mgpuMemcpyStrided: dst offset = -1 elements of 32 bytes from 0x10 leaves the address "
    "space\n"
    "astride: mgpuMemcpyStrided: dst strides[0] = 4611686018427387903 elements of 4 bytes exceeds "
    "63 "
    "bits\n"
    "astride: mgpuMemsetStrided: pattern is NULL\n"
    "astride: mgpuMemsetStrided: geometry is NULL\n"
    "astride: mgpuMemsetStrided: dst: the elements from 0x10 leave the address space\n"
    "astride: mgpuMemset16: count = 18446744073709551615 values of 2 bytes exceeds the address "
    "space\n"
    "astride: mgpuMemAlloc: size_bytes = 18446744073709551615 exceeds the address space\n"
    "astride: mgpuSetDefaultDevice: device = -1 is negative\n"
    "astride: mgpuStreamDestroy: 0x40 is no stream of mgpuStreamCreate, or was destroyed before\n"
    "astride: mgpuMemHostRegister: 18446744073709551615 bytes at 0x40 are no host memory\n"
    "astride: mgpuMemHostRegisterMemRef: the descriptor of memref is NULL\n";

static void memrefs_case(void)
{
    float values[6] = {0};
    const int64_t sizes[2][2] = {{2, 3}, {3, 2}};
    memref first = memref_of(values, 0, 2, sizes[0], NULL);
    memref second = memref_of(values, 0, 2, sizes[1], NULL);
    astride_unranked_memref dst = {2, &first};
    astride_unranked_memref src = {2, &second};
    astride_unranked_memref flat = {1, &second};
    astride_unranked_memref none = {1, NULL};
    astride_unranked_memref odd = {-2, &second};
    fixture_use_backend("host");
    _mlir_ciface_astride_memcpy_f32(NULL, &dst, &src);
    _mlir_ciface_astride_memcpy_f32(NULL, &dst, &flat);
    _mlir_ciface_astride_memcpy_i1(NULL, NULL, &flat);
    _mlir_ciface_astride_memcpy_complex_f64(NULL, &dst, NULL);
    _mlir_ciface_astride_memcpy_f64(NULL, &none, &flat);
    _mlir_ciface_astride_memcpy_f64(NULL, &flat, &none);
    _mlir_ciface_astride_memcpy_bf16(NULL, &odd, &odd);
}

static const char memrefs_lines[] = "astride: astride_memcpy_f32: sizes[0] of dst is 2, of src 3\n"
                                    "astride: astride_memcpy_f32: dst has rank 2, src has rank 1\n"
                                    "astride: astride_memcpy_i1: dst is NULL\n"
                                    "astride: astride_memcpy_complex_f64: src is NULL\n"
                                    "astride: astride_memcpy_f64: the descriptor of dst is NULL\n"
                                    "astride: astride_memcpy_f64: the descriptor of src is NULL\n"
                                    "astride: astride_memcpy_bf16: rank = -2 is not in 0 to 64\n";

static void no_device_case(void)
{
    fixture_use_backend("nonesuch");
    require(mgpuStreamCreate() == NULL, "NULL is returned");
    say_last_error("mgpuStreamCreate");
    require(mgpuMemAlloc(1, NULL, false) == NULL, "NULL is returned");
    say_last_error("mgpuMemAlloc");
}

static void no_code_case(void)
{
    char code[] = "code";
    fixture_use_backend("host");
    require(mgpuModuleLoad(code, sizeof code) == NULL, "NULL is returned");
    say_last_error("mgpuModuleLoad");
    require(mgpuModuleLoadJIT(code, 2, 0) == NULL, "NULL is returned");
    say_last_error("mgpuModuleLoadJIT");
    require(mgpuModuleGetFunction(NULL, "f") == NULL, "NULL is returned");
    say_last_error("mgpuModuleGetFunction");
    mgpuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL, 0);
    say_last_error("mgpuLaunchKernel");
    require(strstr(astride_last_error(), "backend host has no launch") != NULL, "it is named");
}

static void launch_case(void)
{
    void *extra[1] = {NULL};
    fixture_use_backend("native");
    mgpuLaunchKernel(NULL, 1, 0, 1, 1, 1, 1, 0, NULL, NULL, NULL, 0);
    mgpuLaunchKernel(NULL, 1, 1, 1, 1, 1, -1, 0, NULL, NULL, NULL, 0);
    mgpuLaunchKernel(NULL, INT64_C(4294967296), 1, 1, 1, 1, 1, 0, NULL, NULL, NULL, 0);
    mgpuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, -1, NULL, NULL, NULL, 0);
    mgpuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra, 0);
    /* The driver's own text has a line end in it. */
    require(mgpuModuleLoad(extra, 1) == NULL, "NULL is returned");
}

static const char launch_lines[] =
    "astride: mgpuLaunchKernel: grid_y = 0 is not in 1 to 4294967295\n"
    "astride: mgpuLaunchKernel: block_z = -1 is not in 1 to 4294967295\n"
    "astride: mgpuLaunchKernel: grid_x = 4294967296 is not in 1 to 4294967295\n"
    "astride: mgpuLaunchKernel: shared_bytes = -1 is negative\n"
    "astride: mgpuLaunchKernel: extra is not NULL: pass each parameter in `parameters`\n"
    "astride: mgpuModuleLoad: native: nativeModuleLoad: BAD_IMAGE line 2\n";

/* Elements of 3 bytes are written in parts, but either all parts or none. */
static void fill_out_of_bounds_case(void)
{
    const int64_t geometry[] = {0, 4, 1};
    unsigned char host[11];
    char line[256];
    fixture_use_backend("host");
    unsigned char *device = mgpuMemAlloc(sizeof host, NULL, false);
    memset(host, 5, sizeof host);
    mgpuMemcpy(device, host, sizeof host, NULL);
    mgpuMemsetStrided(device, "abc", geometry, 1, 3, NULL);
    (void)snprintf(
        line, sizeof line,
        "astride: mgpuMemsetStrided: dst: 12 bytes from %p on leave the allocation of 11 "
        "bytes at %p\n",
        (void *)device, (void *)device);
    (void)fputs(line, stderr);
    mgpuMemcpy(host, device, sizeof host, NULL);
    for (size_t i = 0; i < sizeof host; i++)
        require(host[i] == 5, "nothing is written");
    mgpuMemFree(device, NULL);
}

static const char negative_size_line[] = "astride: mgpuMemcpyStrided: sizes[1] = -3 is negative\n";

static void failure_aborts_by_default(void **state)
{
    static const char *const policies[] = {NULL, "abort", ""};
    (void)state;
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        fixture_outcome outcome = fixture_run(negative_size_case, policies[i]);
        assert_int_equal(outcome.status, -SIGABRT);
        assert_string_equal(outcome.text, negative_size_line);
    }
}

static void failure_with_warn_goes_on(void **state)
{
    (void)state;
    fixture_outcome outcome = fixture_run(negative_size_case, "warn");
    assert_int_equal(outcome.status, 0);
    assert_string_equal(outcome.text, negative_size_line);
}

static void malformed_policy_aborts_the_first_call(void **state)
{
    (void)state;
    fixture_outcome outcome = fixture_run(valid_case, "loud");
    assert_int_equal(outcome.status, -SIGABRT);
    assert_string_equal(outcome.text, "astride: ASTRIDE_MLIR_ON_ERROR: \"loud\" is neither "
                                      "\"abort\" nor \"warn\"\n");
}

static void success_says_nothing(void **state)
{
    (void)state;
    fixture_outcome outcome = fixture_run(valid_case, "warn");
    assert_int_equal(outcome.status, 0);
    assert_string_equal(outcome.text, "");
}

/* A case that writes after each line of the library the line that it should be. */
static void assert_lines_in_pairs(void (*body)(void), size_t pair_count)
{
    fixture_outcome outcome = fixture_run(body, "warn");
    char *rest = outcome.text;
    if (outcome.status != 0)
        fail_msg("status %d: %s", outcome.status, outcome.text);
    for (size_t i = 0; i < pair_count; i++) {
        char *said = strsep(&rest, "\n");
        char *expected = strsep(&rest, "\n");
        assert_non_null(rest);
        assert_string_equal(said, expected);
    }
    assert_string_equal(rest, "");
}

static void assert_lines(void (*body)(void), const char *lines)
{
    fixture_outcome outcome = fixture_run(body, "warn");
    assert_string_equal(outcome.text, lines);
    assert_int_equal(outcome.status, 0);
}

static void error_of_the_library_is_passed_on(void **state)
{
    (void)state;
    assert_lines_in_pairs(library_error_case, 3);
}

static void unavailable_backend_is_reported_by_every_call(void **state)
{
    (void)state;
    assert_lines_in_pairs(no_device_case, 2);
}

static void backend_without_code_is_named(void **state)
{
    (void)state;
    assert_lines_in_pairs(no_code_case, 4);
}

static void fill_out_of_bounds_writes_nothing(void **state)
{
    (void)state;
    assert_lines_in_pairs(fill_out_of_bounds_case, 1);
}

static void wrong_arguments_are_named_with_their_values(void **state)
{
    (void)state;
    assert_lines(arguments_case, arguments_lines);
}

static void memrefs_that_do_not_match_are_refused(void **state)
{
    (void)state;
    assert_lines(memrefs_case, memrefs_lines);
}

static void wrong_launches_are_refused(void **state)
{
    (void)state;
    assert_lines(launch_case, launch_lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failure_aborts_by_default),
        cmocka_unit_test(failure_with_warn_goes_on),
        cmocka_unit_test(malformed_policy_aborts_the_first_call),
        cmocka_unit_test(success_says_nothing),
        cmocka_unit_test(error_of_the_library_is_passed_on),
        cmocka_unit_test(unavailable_backend_is_reported_by_every_call),
        cmocka_unit_test(backend_without_code_is_named),
        cmocka_unit_test(fill_out_of_bounds_writes_nothing),
        cmocka_unit_test(wrong_arguments_are_named_with_their_values),
        cmocka_unit_test(memrefs_that_do_not_match_are_refused),
        cmocka_unit_test(wrong_launches_are_refused),
    };
    return cmocka_run_group_tests_name("mlir_failure", tests, NULL, NULL);
}
