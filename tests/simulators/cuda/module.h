/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a loaded module and one of its functions are, for module.c and launch.c.
 */
#ifndef ASTRIDE_TESTS_SIMULATORS_CUDA_MODULE_H
#define ASTRIDE_TESTS_SIMULATORS_CUDA_MODULE_H

#include "tests/simulators/cuda/driver.h"
#include "tests/simulators/cuda/ptx.h"

typedef struct loaded_module {
    sim_context *context;
    ptx_module code;
    unsigned launches; /* that use the code and are not done */
    bool unloaded;
} loaded_module;

typedef struct loaded_function {
    loaded_module *module;
    const ptx_kernel *kernel;
    unsigned shared_maximum; /* dynamic, that a launch may ask for */
} loaded_function;

int cuda_find_function(CUfunction handle, loaded_function **function_out);
/* The code of a module goes when it is unloaded and the last launch that uses it is done. */
void cuda_drop_module(loaded_module *m);

#endif /* ASTRIDE_TESTS_SIMULATORS_CUDA_MODULE_H */
