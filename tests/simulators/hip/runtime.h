/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the files of the simulated HIP runtime share. Each exported function is one RETURN_CALL: the
 * rules that hold for it, and the function that carries it out. A refusal by sim_refuse() is a
 * broken rule of the documentation (HIP runtime API reference); other codes are answers.
 */
#ifndef ASTRIDE_TESTS_SIMULATORS_HIP_RUNTIME_H
#define ASTRIDE_TESTS_SIMULATORS_HIP_RUNTIME_H

#include "tests/simulators/common/internal.h"
#include "tests/simulators/hip/runtime_abi.h"

#define SIM_HIP_PROTOTYPE(name, parameters) SIM_EXPORT hipError_t name parameters;
SIM_HIP_FUNCTIONS(SIM_HIP_PROTOTYPE)
SIM_HIP_QUIET_FUNCTIONS(SIM_HIP_PROTOTYPE)
SIM_HIPRTC_FUNCTIONS(SIM_HIP_PROTOTYPE)
#undef SIM_HIP_PROTOTYPE
SIM_EXPORT const char *hipGetErrorName(hipError_t error);

/* Rules of a function. */
enum {
    ANY_TIME = 0,
    NEEDS_DEVICE = 1,   /* there is one, and it was not lost */
    NOT_IN_CAPTURE = 2, /* forbidden while a stream is captured, by the mode of the capture */
    GIVES_BACK = 4      /* made to fail, it does its work all the same */
};

/* Checks the rules; anything but hipSuccess goes to hip_end() at once. */
int hip_begin(const char *name, unsigned rules);
hipError_t hip_end(int result);

#define RETURN_CALL(rules, expression)                                                             \
    do {                                                                                           \
        const int begun = hip_begin(__func__, (rules));                                            \
        return hip_end(begun != hipSuccess ? begun : (expression));                                \
    } while (0)

/* Devices (device.c): the current one of the thread, and the one with a number. */
int hip_version(void);
int hip_check_device(int device);
sim_context *hip_current(void);
int hip_attribute(int device, int attribute);

/* Streams (stream.c): the stream that a handle means; NULL after a refusal. */
int hip_stream(hipStream_t handle, sim_stream **stream_out);
/* Work in a stream, whose capture must not be spoilt. */
int hip_work_stream(hipStream_t handle, sim_stream **stream_out);

/* Code objects (module.c, compile.c): this before a shared object of the host's. */
typedef struct hip_code_header {
    char magic[8];
    uint64_t bytes;
} hip_code_header;
#define HIP_CODE_MAGIC "simulat"
/* What the host's compiler makes of the source; NULL: a log says why. Both from malloc. */
char *hip_compile(const char *source, size_t *bytes_out, char **log_out);

/* Kernels (kernel.c). */
typedef struct hip_dimensions {
    unsigned x, y, z;
} hip_dimensions;

/* What a kernel knows of where it is; kernel_prelude.hpp has the same structure. */
typedef struct hip_place {
    hip_dimensions thread, block, block_size, grid;
    void (*barrier)(struct hip_place *place);
} hip_place;

/* The functions that compile.c adds to a shared object for each kernel. */
typedef struct hip_kernel {
    void (*run)(void **parameters);
    void (*enter)(hip_place *place); /* before `run` goes on at that place */
    void (*begin_block)(void);
} hip_kernel;

/* Runs all blocks. False: the work-items of a block did not meet at a barrier. */
bool hip_kernel_run(const hip_kernel *kernel, hip_dimensions grid, hip_dimensions block,
                    void **parameters);

#endif /* ASTRIDE_TESTS_SIMULATORS_HIP_RUNTIME_H */
