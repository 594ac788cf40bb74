/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Recording the exact cause of a failure, for astride_last_error(). The first function that decides
 * on an error calls astride__fail(); callers above it only pass the status on.
 */
#ifndef ASTRIDE_HAL_ERROR_H
#define ASTRIDE_HAL_ERROR_H

#include <stdarg.h>

#include <astride/status.h>

/* Records a formatted detail for this thread and returns `status`. Never allocates. */
astride_status astride__fail(astride_status status, const char *format, ...) ASTRIDE_PRINTF(2, 3);
astride_status astride__fail_va(astride_status status, const char *format, va_list arguments)
    ASTRIDE_PRINTF(2, 0);

/* Puts a formatted prefix before this thread's detail: "descs[3]: " before "dst: ...". */
void astride__fail_prefix(const char *format, ...) ASTRIDE_PRINTF(1, 2);

/* Saves and restores the detail around work whose failure must not show (cleanup, probing). */
typedef struct astride__error_detail {
    char text[1024];
} astride__error_detail;
void astride__error_save(astride__error_detail *detail_out);
void astride__error_restore(const astride__error_detail *detail);

#endif /* ASTRIDE_HAL_ERROR_H */
