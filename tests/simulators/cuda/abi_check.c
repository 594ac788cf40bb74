/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Compiled, never run, with the real cuda.h: the simulated driver's own view of the binary
 * interface is the same, constant by constant, field by field, prototype by prototype.
 */
#include <cuda.h>

#define SIM_CUDA_REAL_HEADER
#include "tests/simulators/cuda/driver_abi.h"
#include "tests/simulators/cuda/entry_points.h"

#define CONSTANT(name, value)                                                                      \
    _Static_assert((long long)(name) == (long long)(value), #name " has another value");
SIM_CUDA_CONSTANTS(CONSTANT)
#define RESULT(name, value, text)                                                                  \
    _Static_assert((long long)(name) == (long long)(value), #name " has another value");
SIM_CUDA_RESULTS(RESULT)

/* A structure of the same fields, in the order of the list, is laid out the same. */
#define FIELD(type, name) type name;
typedef struct own_memcpy2d {
    SIM_CUDA_MEMCPY2D(FIELD)
} own_memcpy2d;
typedef struct own_memcpy3d {
    SIM_CUDA_MEMCPY3D(FIELD)
} own_memcpy3d;
typedef struct own_memcpy3d_peer {
    SIM_CUDA_MEMCPY3D_PEER(FIELD)
} own_memcpy3d_peer;

#define SAME_FIELD(own, real, name)                                                                \
    _Static_assert(offsetof(own, name) == offsetof(real, name) &&                                  \
                       sizeof(((own *)0)->name) == sizeof(((real *)0)->name),                      \
                   #real "." #name " is elsewhere");
#define SAME_2D(type, name) SAME_FIELD(own_memcpy2d, CUDA_MEMCPY2D, name)
SIM_CUDA_MEMCPY2D(SAME_2D)
#define SAME_3D(type, name) SAME_FIELD(own_memcpy3d, CUDA_MEMCPY3D, name)
SIM_CUDA_MEMCPY3D(SAME_3D)
#define SAME_PEER(type, name) SAME_FIELD(own_memcpy3d_peer, CUDA_MEMCPY3D_PEER, name)
SIM_CUDA_MEMCPY3D_PEER(SAME_PEER)
_Static_assert(sizeof(own_memcpy2d) == sizeof(CUDA_MEMCPY2D), "CUDA_MEMCPY2D");
_Static_assert(sizeof(own_memcpy3d) == sizeof(CUDA_MEMCPY3D), "CUDA_MEMCPY3D");
_Static_assert(sizeof(own_memcpy3d_peer) == sizeof(CUDA_MEMCPY3D_PEER), "CUDA_MEMCPY3D_PEER");

/* What the simulated driver has as plain integers and pointers. */
_Static_assert(sizeof(CUresult) == 4 && sizeof(CUdevice) == 4 && sizeof(CUdeviceptr) == 8 &&
                   sizeof(CUmemorytype) == 4 && sizeof(CUuuid) == 16 && sizeof(cuuint64_t) == 8,
               "a type has another size");
_Static_assert(__builtin_types_compatible_p(CUcontext, struct CUctx_st *) &&
                   __builtin_types_compatible_p(CUstream, struct CUstream_st *) &&
                   __builtin_types_compatible_p(CUhostFn, void (*)(void *)),
               "a handle has another type");

#define PROTOTYPE(symbol, name, version, parameters)                                               \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&(symbol)), CUresult(*) parameters),    \
                   #symbol " has another prototype");
SIM_CUDA_NEW_FUNCTIONS(PROTOTYPE)
