/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Holds our declarations of the CUDA driver API against NVIDIA's own header. There is nothing to
 * run: what differs does not compile. Built where configure found the header.
 */
#include <cuda.h>
#include <cudaTypedefs.h>

#include "backends/cuda/abi.h"

#define SAME_TYPE(type, ...) _Generic((type)0, __VA_ARGS__ : 1, default : 0)

/* Scalar types and handles. A C enumeration is a type that is compatible with its integer's. */
#define CHECK_TYPE(type, what)                                                                     \
    _Static_assert(SAME_TYPE(type, what), #type " is another type than " #what);                   \
    _Static_assert(sizeof(type) == sizeof(what), #type " has another size than " #what);
ASTRIDE__CUDA_TYPES(CHECK_TYPE)
_Static_assert(SAME_TYPE(CUhostFn, void (*)(void *)), "CUhostFn is another type");
_Static_assert(SAME_TYPE(CUdriverProcAddressQueryResult, unsigned int), "another type");
_Static_assert(SAME_TYPE(cuuint64_t, uint64_t), "cuuint64_t is another type");

/* Constants. */
#define CHECK_VALUE(name, value)                                                                   \
    _Static_assert((long long)(name) == (value), #name " has another value than " #value);
ASTRIDE__CUDA_CONSTANTS(CHECK_VALUE)
ASTRIDE__CUDA_FLAGS(CHECK_VALUE)
ASTRIDE__CUDA_ERRORS(CHECK_VALUE)

/* Structures: each field's place, size and type, and that no field is missing. */
#define CHECK_FIELD(ours, theirs, type, name)                                                      \
    _Static_assert(offsetof(ours, name) == offsetof(theirs, name),                                 \
                   #theirs "." #name " is elsewhere");                                             \
    _Static_assert(sizeof(((ours *)NULL)->name) == sizeof(((theirs *)NULL)->name),                 \
                   #theirs "." #name " has another size");                                         \
    _Static_assert(_Generic(&((theirs *)NULL)->name, type * : 1, default : 0),                     \
                   #theirs "." #name " is no " #type);
#define CHECK_SIZE(ours, theirs)                                                                   \
    _Static_assert(sizeof(ours) == sizeof(theirs), #theirs " has another size");                   \
    _Static_assert(_Alignof(ours) == _Alignof(theirs), #theirs " has another alignment");

#define CHECK_2D(type, name) CHECK_FIELD(astride__cuda_memcpy2d, CUDA_MEMCPY2D, type, name)
ASTRIDE__CUDA_MEMCPY2D_FIELDS(CHECK_2D)
CHECK_SIZE(astride__cuda_memcpy2d, CUDA_MEMCPY2D)

#define CHECK_3D(type, name) CHECK_FIELD(astride__cuda_memcpy3d, CUDA_MEMCPY3D, type, name)
ASTRIDE__CUDA_MEMCPY3D_FIELDS(CHECK_3D)
CHECK_SIZE(astride__cuda_memcpy3d, CUDA_MEMCPY3D)

#define CHECK_PEER(type, name)                                                                     \
    CHECK_FIELD(astride__cuda_memcpy3d_peer, CUDA_MEMCPY3D_PEER, type, name)
ASTRIDE__CUDA_MEMCPY3D_PEER_FIELDS(CHECK_PEER)
CHECK_SIZE(astride__cuda_memcpy3d_peer, CUDA_MEMCPY3D_PEER)

CHECK_SIZE(astride__cuda_uuid, CUuuid)
_Static_assert(offsetof(astride__cuda_uuid, bytes) == offsetof(CUuuid, bytes), "elsewhere");

/*
 * Functions: the symbol has our parameters, and so has what cuGetProcAddress gives for the name
 * and version (the SDK declares a type PFN_<name>_v<version> for each of them).
 */
#define CHECK_FUNCTION(need, name, symbol, version, parameters)                                    \
    _Static_assert(_Generic(&symbol, CUresult(*) parameters : 1, default : 0),                     \
                   #symbol " has other parameters");                                               \
    _Static_assert(                                                                                \
        _Generic((PFN_cu##name##_v##version)NULL, CUresult(*) parameters : 1, default : 0),        \
        "cu" #name " of version " #version " has other parameters");
ASTRIDE__CUDA_FUNCTIONS(CHECK_FUNCTION)
_Static_assert(SAME_TYPE(PFN_cuGetProcAddress_v11030, astride__cuda_get_proc_address_v1),
               "the first cuGetProcAddress has other parameters");
_Static_assert(SAME_TYPE(PFN_cuGetProcAddress_v12000, astride__cuda_get_proc_address_v2),
               "the second cuGetProcAddress has other parameters");
