/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Names and texts of the status codes, and the detail of the latest failure of each thread. Nothing
 * here allocates, so that running out of memory can be reported too.
 */
#include "hal/error.h"

#include <stdio.h>
#include <string.h>

static _Thread_local astride__error_detail latest;

const char *astride_status_name(astride_status status)
{
    switch (status) {
#define STATUS_NAME(name, value, text)                                                             \
    case name:                                                                                     \
        return #name;
        ASTRIDE_STATUS_LIST(STATUS_NAME)
#undef STATUS_NAME
    }
    return "ASTRIDE_UNKNOWN_STATUS";
}

const char *astride_status_text(astride_status status)
{
    switch (status) {
#define STATUS_TEXT(name, value, text)                                                             \
    case name:                                                                                     \
        return text;
        ASTRIDE_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
    }
    return "unknown status: report it";
}

const char *astride_last_error(void)
{
    return latest.text;
}

astride_status astride__fail(astride_status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    astride__fail_va(status, format, arguments);
    va_end(arguments);
    return status;
}

astride_status astride__fail_va(astride_status status, const char *format, va_list arguments)
{
    /* Formatted apart first, because an argument may be the present detail itself. */
    astride__error_detail detail;

    if (vsnprintf(detail.text, sizeof(detail.text), format, arguments) < 0)
        detail.text[0] = '\0';
    memcpy(latest.text, detail.text, strlen(detail.text) + 1);
    return status;
}

void astride__fail_prefix(const char *format, ...)
{
    astride__error_detail detail;
    va_list arguments;
    int written;

    va_start(arguments, format);
    written = vsnprintf(detail.text, sizeof(detail.text), format, arguments);
    va_end(arguments);
    if (written < 0)
        return;

    size_t prefix_bytes = strlen(detail.text);
    size_t kept_bytes = strnlen(latest.text, sizeof(detail.text) - 1 - prefix_bytes);
    memcpy(detail.text + prefix_bytes, latest.text, kept_bytes);
    detail.text[prefix_bytes + kept_bytes] = '\0';
    memcpy(latest.text, detail.text, prefix_bytes + kept_bytes + 1);
}

void astride__error_save(astride__error_detail *detail_out)
{
    memcpy(detail_out->text, latest.text, strlen(latest.text) + 1);
}

void astride__error_restore(const astride__error_detail *detail)
{
    memcpy(latest.text, detail->text, strlen(detail->text) + 1);
}
