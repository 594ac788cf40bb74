/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Opening the host backend by its slots alone.
 */
#include "tests/support/host_slots.h"

#include <stdarg.h>
#include <stdio.h>

#include "hal/builtin.h"

static _Thread_local char message[1024];

ASTRIDE_PRINTF(2, 3)
static astride_status keep_message(astride_status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return status;
}

ASTRIDE_PRINTF(2, 3)
static void drop_line(astride_log_level level, const char *format, ...)
{
    (void)level;
    (void)format;
}

static bool there_is_no_trace(void)
{
    return false;
}

static const astride_services services = {
    .struct_size = sizeof services,
    .fail = keep_message,
    .log = drop_line,
    .trace_enabled = there_is_no_trace,
};

const char *test_host_message(void)
{
    return message;
}

void test_host_forget(void)
{
    message[0] = '\0';
}

int test_host_slots_setup(void **state)
{
    static test_host_slots slots;

    slots = (test_host_slots){.plugin = &astride__host_plugin};
    if (slots.plugin->initialize(&services) != ASTRIDE_OK ||
        slots.plugin->device_open(0, &slots.device) != ASTRIDE_OK)
        return 1;
    if (slots.plugin->queue_create(slots.device, &slots.queue) != ASTRIDE_OK) {
        slots.plugin->device_close(slots.device);
        return 1;
    }
    *state = &slots;
    return 0;
}

int test_host_slots_teardown(void **state)
{
    test_host_slots *slots = *state;

    slots->plugin->queue_destroy(slots->queue);
    slots->plugin->device_close(slots->device);
    return 0;
}
