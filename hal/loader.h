/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Finding plugins in folders and loading them.
 */
#ifndef ASTRIDE_HAL_LOADER_H
#define ASTRIDE_HAL_LOADER_H

#include "hal/registry.h"

/*
 * Offers the plugins of every folder to the registry: those of `plugin_path` (the value of
 * ASTRIDE_PLUGIN_PATH, or NULL), then of the folder beside this library, then of the install
 * folder. A file that cannot be loaded is added as refused. Fails with ASTRIDE_OUT_OF_MEMORY.
 */
astride_status astride__loader_load(astride__registry *registry, const char *plugin_path);

#endif /* ASTRIDE_HAL_LOADER_H */
