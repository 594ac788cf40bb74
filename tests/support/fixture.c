/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Opening and closing the device that a unit test works with.
 */
#include "tests/support/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int test_fixture_setup(void **state)
{
    const char *backends = getenv("ASTRIDE_TEST_BACKENDS");
    test_fixture *fixture = calloc(1, sizeof *fixture);
    char spec[128] = "host";
    astride_status status;

    if (fixture == NULL)
        return 1;
    if (backends != NULL)
        sscanf(backends, " %127[^, \t\n]", spec);
    status = astride_device_open(spec, &fixture->device);
    if (status == ASTRIDE_OK)
        status = astride_queue_create(fixture->device, &fixture->queue);
    *state = fixture;
    if (status == ASTRIDE_OK)
        return 0;
    fprintf(stderr, "%s: %s\n", astride_status_name(status), astride_last_error());
    (void)test_fixture_teardown(state);
    return 1;
}

int test_fixture_teardown(void **state)
{
    test_fixture *fixture = *state;

    if (fixture == NULL)
        return 0;
    astride_queue_destroy(fixture->queue);
    astride_device_close(fixture->device);
    free(fixture);
    *state = NULL;
    return 0;
}
