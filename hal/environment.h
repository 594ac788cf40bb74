/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The library's environment variables, read and checked once. Ignored in set-uid programs.
 */
#ifndef ASTRIDE_HAL_ENVIRONMENT_H
#define ASTRIDE_HAL_ENVIRONMENT_H

#include <astride/copy.h>
#include <astride/status.h>

typedef struct astride__environment {
    const char *backend;       /* ASTRIDE_BACKEND, or NULL when unset or empty */
    const char *plugin_path;   /* ASTRIDE_PLUGIN_PATH, or NULL when unset or empty */
    astride_strategy strategy; /* ASTRIDE_STRATEGY, or ASTRIDE_STRATEGY_AUTO */
    size_t staging_bytes;      /* ASTRIDE_STAGING_BYTES, or 0 when unset or empty */
    int32_t staging_depth;     /* ASTRIDE_STAGING_DEPTH, or 0 when unset or empty */
} astride__environment;

/*
 * Reads the variables at the first call of the process. Fails, at every call, with
 * ASTRIDE_INVALID_ARGUMENT and a detail that names the variable, its value and the words or numbers
 * allowed.
 */
astride_status astride__environment_get(const astride__environment **environment_out);

#endif /* ASTRIDE_HAL_ENVIRONMENT_H */
