/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The backends that are linked into the library. They go through the same contract as loaded ones.
 */
#ifndef ASTRIDE_HAL_BUILTIN_H
#define ASTRIDE_HAL_BUILTIN_H

#include <astride/plugin.h>

/* Defined in backends/host/plugin.c. */
extern const astride_plugin astride__host_plugin;

#endif /* ASTRIDE_HAL_BUILTIN_H */
