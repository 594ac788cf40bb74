/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the files of the simulated CUDA driver share. Each exported function is one RETURN_CALL: the
 * rules that hold for it, and the function that carries it out. A refusal by sim_refuse() is a
 * broken rule of the documentation; other codes are answers.
 */
#ifndef ASTRIDE_TESTS_SIMULATORS_CUDA_DRIVER_H
#define ASTRIDE_TESTS_SIMULATORS_CUDA_DRIVER_H

#include "tests/simulators/common/internal.h"
#include "tests/simulators/cuda/driver_abi.h"
#include "tests/simulators/cuda/entry_points.h"

/* Every exported function has a prototype from the list. */
#define SIM_CUDA_PROTOTYPE(symbol, name, version, parameters) SIM_EXPORT CUresult symbol parameters;
SIM_CUDA_OLD_FUNCTIONS(SIM_CUDA_PROTOTYPE)
SIM_CUDA_NEW_FUNCTIONS(SIM_CUDA_PROTOTYPE)
#undef SIM_CUDA_PROTOTYPE

/* Rules of a function. */
enum {
    ANY_TIME = 0,
    INITIALIZED = 1,       /* cuInit came before */
    HAS_CONTEXT = 2 | 1,   /* a live context is current */
    NOT_IN_CAPTURE = 4,    /* forbidden while a stream is captured, by the mode of the capture */
    GIVES_BACK = 8,        /* made to fail, it does its work all the same */
    WHATEVER_HAPPENED = 16 /* does not report that the device is lost */
};

/* Checks the rules; anything but CUDA_SUCCESS goes to cuda_end() at once. */
int cuda_begin(const char *name, unsigned rules);
CUresult cuda_end(int result);

#define RETURN_CALL(rules, expression)                                                             \
    do {                                                                                           \
        const int begun = cuda_begin(__func__, (rules));                                           \
        return cuda_end(begun != CUDA_SUCCESS ? begun : (expression));                             \
    } while (0)

/* Initialisation, devices (device.c). */
bool cuda_initialized(void);
int cuda_version(void);
int cuda_check_device(CUdevice device);
int cuda_attribute(int device, CUdevice_attribute attribute);

/* Contexts (context.c). The current one of the thread, NULL: none. */
sim_context *cuda_current(void);
bool cuda_context_alive(const sim_context *context);

/* Streams (stream.c): the stream that a handle means to a context; NULL after a refusal. */
int cuda_stream(CUstream handle, sim_stream **stream_out);
/* Work of the current context in a stream: the stream must be one of it. */
int cuda_work_stream(CUstream handle, sim_stream **stream_out);
int cuda_close_context_streams(sim_context *context);

/* Copies (copy.c): checks memory on both sides and enqueues; or does it at once when `wait` is set.
 */
int cuda_copy_enqueue(const sim_copy *copy, CUstream handle, bool wait);

/* Modules (module.c): of a context that ends. */
void cuda_unload_modules(sim_context *context);
void cuda_destroy_events(sim_context *context);

#endif /* ASTRIDE_TESTS_SIMULATORS_CUDA_DRIVER_H */
