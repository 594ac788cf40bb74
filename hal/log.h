/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The log that ASTRIDE_LOG turns on: one line per message on standard error. Silent otherwise.
 */
#ifndef ASTRIDE_HAL_LOG_H
#define ASTRIDE_HAL_LOG_H

#include <stdbool.h>

#include <astride/plugin.h>

/* Sets the most talkative level that is written; 0: nothing. Called once, by the environment. */
void astride__log_set_level(int level);
bool astride__log_enabled(astride_log_level level);
void astride__log(astride_log_level level, const char *format, ...) ASTRIDE_PRINTF(2, 3);

#endif /* ASTRIDE_HAL_LOG_H */
