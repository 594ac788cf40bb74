/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The profiling times of an OpenCL device in the trace: one span for each command, in order, and
 * within the time in which the calls were made.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <unistd.h>

#include "tests/opencl/fixture.h"
#include "tests/support/child.h"
#include "tests/support/trace_file.h"

enum { BYTES = 1 << 20, COPIES = 20 };

static char path[] = "/tmp/astride-trace-XXXXXX";

/* There and back again. */
static void copy_often(void *argument)
{
    void *device = NULL;
    unsigned char *bytes = calloc(1, BYTES);
    (void)argument;
    setenv("ASTRIDE_TRACE", path, 1);
    if (bytes == NULL)
        exit(1);
    if (!opencl_fixture_open())
        exit(0);
    if (astride_memory_alloc(opencl_device, BYTES, ASTRIDE_MEMORY_DEVICE, &device) != ASTRIDE_OK)
        exit(1);
    for (int i = 0; i < COPIES; i++) {
        if (opencl_copy(opencl_queue, device, bytes, BYTES) != ASTRIDE_OK ||
            opencl_copy(opencl_queue, bytes, device, BYTES) != ASTRIDE_OK)
            exit(1);
    }
    (void)astride_memory_free(opencl_device, device);
    opencl_fixture_close();
    free(bytes);
    exit(0); /* with the library's destructors, which end the file */
}

static void each_command_has_its_profiling_times(void **state)
{
    (void)state;
    test_trace *trace = test_trace_load(path);
    /* A driver may tell of a command's end after it has let the program go on. */
    assert_in_range(test_trace_count(trace, "opencl, queue", "clEnqueueWriteBuffer"), COPIES - 1,
                    COPIES);
    assert_in_range(test_trace_count(trace, "opencl, queue", "clEnqueueReadBuffer"), COPIES - 1,
                    COPIES);
    test_trace_check_times(trace, "opencl", 1000);
    test_trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_command_has_its_profiling_times)};
    char words[1024];
    const int file = mkstemp(path);
    if (file < 0) {
        perror(path);
        return 99;
    }
    close(file);
    /* The library reads the variable once, and ends the file when the program ends. */
    const int status = test_child_run(copy_often, NULL, words, sizeof words);
    int failed = 0;
    if (status != 0) {
        fprintf(stderr, "status %d: %s\n", status, words);
        failed = 99;
    } else if (words[0] != '\0') {
        fputs(words, stdout); /* that all is skipped */
    } else {
        failed = cmocka_run_group_tests(tests, NULL, NULL);
    }
    unlink(path);
    return failed;
}
