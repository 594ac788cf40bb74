/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The part of the CUDA driver API's binary interface that this backend uses, declared here so that
 * it is built where no SDK is. All of it is tables; tests/cuda/abi_check.c includes the real cuda.h
 * first, in which case only structures are declared here (under names of our own), and holds every
 * table against it. Enumerations of the interface have the size of unsigned int.
 */
#ifndef ASTRIDE_BACKENDS_CUDA_ABI_H
#define ASTRIDE_BACKENDS_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "entry_points.h"

/* X(TYPE, WHAT-IT-IS) */
#define ASTRIDE__CUDA_TYPES(X)                                                                     \
    X(CUresult, unsigned int)                                                                      \
    X(CUdevice, int)                                                                               \
    X(CUdeviceptr, unsigned long long)                                                             \
    X(CUmemorytype, unsigned int)                                                                  \
    X(CUdevice_attribute, unsigned int)                                                            \
    X(CUpointer_attribute, unsigned int)                                                           \
    X(CUfunction_attribute, unsigned int)                                                          \
    X(CUjit_option, unsigned int)                                                                  \
    X(CUstreamCaptureStatus, unsigned int)                                                         \
    X(CUcontext, struct CUctx_st *)                                                                \
    X(CUmodule, struct CUmod_st *)                                                                 \
    X(CUfunction, struct CUfunc_st *)                                                              \
    X(CUstream, struct CUstream_st *)                                                              \
    X(CUevent, struct CUevent_st *)                                                                \
    X(CUarray, struct CUarray_st *)

/* X(NAME, VALUE) */
#define ASTRIDE__CUDA_CONSTANTS(X)                                                                 \
    X(CU_MEMORYTYPE_HOST, 1)                                                                       \
    X(CU_MEMORYTYPE_DEVICE, 2)                                                                     \
    X(CU_MEMORYTYPE_ARRAY, 3)                                                                      \
    X(CU_MEMORYTYPE_UNIFIED, 4)                                                                    \
    X(CU_DEVICE_ATTRIBUTE_MAX_PITCH, 11)                                                           \
    X(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16)                                                \
    X(CU_DEVICE_ATTRIBUTE_INTEGRATED, 18)                                                          \
    X(CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 19)                                                 \
    X(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 33)                                                          \
    X(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, 34)                                                       \
    X(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 36)                                                   \
    X(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 37)                                             \
    X(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 41)                                                  \
    X(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, 50)                                                       \
    X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75)                                            \
    X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76)                                            \
    X(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 83)                                                      \
    X(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 88)                                              \
    X(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 89)                                           \
    X(CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 91)                             \
    X(CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 99)                                             \
    X(CU_POINTER_ATTRIBUTE_CONTEXT, 1)                                                             \
    X(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 2)                                                         \
    X(CU_POINTER_ATTRIBUTE_IS_MANAGED, 8)                                                          \
    X(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, 9)                                                      \
    X(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, 11)                                                   \
    X(CU_POINTER_ATTRIBUTE_RANGE_SIZE, 12)                                                         \
    X(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0)                                                  \
    X(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1)                                                      \
    X(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8)                                          \
    X(CU_JIT_INFO_LOG_BUFFER, 3)                                                                   \
    X(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, 4)                                                        \
    X(CU_JIT_ERROR_LOG_BUFFER, 5)                                                                  \
    X(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, 6)                                                       \
    X(CU_STREAM_NON_BLOCKING, 1)                                                                   \
    X(CU_STREAM_CAPTURE_STATUS_NONE, 0)                                                            \
    X(CU_EVENT_DISABLE_TIMING, 2)                                                                  \
    X(CU_MEM_ATTACH_GLOBAL, 1)                                                                     \
    X(CU_GET_PROC_ADDRESS_LEGACY_STREAM, 1)

/* X(NAME, VALUE): those that are macros in the real header. */
#define ASTRIDE__CUDA_FLAGS(X)                                                                     \
    X(CU_MEMHOSTALLOC_PORTABLE, 1)                                                                 \
    X(CU_MEMHOSTALLOC_DEVICEMAP, 2)                                                                \
    X(CU_MEMHOSTREGISTER_PORTABLE, 1)                                                              \
    X(CU_MEMHOSTREGISTER_DEVICEMAP, 2)

/* X(NAME, VALUE): error codes; errors.c names them in messages. */
#define ASTRIDE__CUDA_ERRORS(X)                                                                    \
    X(CUDA_SUCCESS, 0)                                                                             \
    X(CUDA_ERROR_INVALID_VALUE, 1)                                                                 \
    X(CUDA_ERROR_OUT_OF_MEMORY, 2)                                                                 \
    X(CUDA_ERROR_NOT_INITIALIZED, 3)                                                               \
    X(CUDA_ERROR_DEINITIALIZED, 4)                                                                 \
    X(CUDA_ERROR_PROFILER_DISABLED, 5)                                                             \
    X(CUDA_ERROR_PROFILER_NOT_INITIALIZED, 6)                                                      \
    X(CUDA_ERROR_PROFILER_ALREADY_STARTED, 7)                                                      \
    X(CUDA_ERROR_PROFILER_ALREADY_STOPPED, 8)                                                      \
    X(CUDA_ERROR_STUB_LIBRARY, 34)                                                                 \
    X(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, 36)                                                   \
    X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46)                                                           \
    X(CUDA_ERROR_NO_DEVICE, 100)                                                                   \
    X(CUDA_ERROR_INVALID_DEVICE, 101)                                                              \
    X(CUDA_ERROR_DEVICE_NOT_LICENSED, 102)                                                         \
    X(CUDA_ERROR_INVALID_IMAGE, 200)                                                               \
    X(CUDA_ERROR_INVALID_CONTEXT, 201)                                                             \
    X(CUDA_ERROR_CONTEXT_ALREADY_CURRENT, 202)                                                     \
    X(CUDA_ERROR_MAP_FAILED, 205)                                                                  \
    X(CUDA_ERROR_UNMAP_FAILED, 206)                                                                \
    X(CUDA_ERROR_ARRAY_IS_MAPPED, 207)                                                             \
    X(CUDA_ERROR_ALREADY_MAPPED, 208)                                                              \
    X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209)                                                           \
    X(CUDA_ERROR_ALREADY_ACQUIRED, 210)                                                            \
    X(CUDA_ERROR_NOT_MAPPED, 211)                                                                  \
    X(CUDA_ERROR_NOT_MAPPED_AS_ARRAY, 212)                                                         \
    X(CUDA_ERROR_NOT_MAPPED_AS_POINTER, 213)                                                       \
    X(CUDA_ERROR_ECC_UNCORRECTABLE, 214)                                                           \
    X(CUDA_ERROR_UNSUPPORTED_LIMIT, 215)                                                           \
    X(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, 216)                                                      \
    X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217)                                                     \
    X(CUDA_ERROR_INVALID_PTX, 218)                                                                 \
    X(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, 219)                                                    \
    X(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220)                                                        \
    X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221)                                                      \
    X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222)                                                     \
    X(CUDA_ERROR_JIT_COMPILATION_DISABLED, 223)                                                    \
    X(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, 224)                                                   \
    X(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, 225)                                                    \
    X(CUDA_ERROR_CONTAINED, 226)                                                                   \
    X(CUDA_ERROR_INVALID_SOURCE, 300)                                                              \
    X(CUDA_ERROR_FILE_NOT_FOUND, 301)                                                              \
    X(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302)                                              \
    X(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303)                                                   \
    X(CUDA_ERROR_OPERATING_SYSTEM, 304)                                                            \
    X(CUDA_ERROR_INVALID_HANDLE, 400)                                                              \
    X(CUDA_ERROR_ILLEGAL_STATE, 401)                                                               \
    X(CUDA_ERROR_LOSSY_QUERY, 402)                                                                 \
    X(CUDA_ERROR_NOT_FOUND, 500)                                                                   \
    X(CUDA_ERROR_NOT_READY, 600)                                                                   \
    X(CUDA_ERROR_ILLEGAL_ADDRESS, 700)                                                             \
    X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701)                                                     \
    X(CUDA_ERROR_LAUNCH_TIMEOUT, 702)                                                              \
    X(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, 703)                                               \
    X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704)                                                 \
    X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705)                                                     \
    X(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708)                                                      \
    X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709)                                                        \
    X(CUDA_ERROR_ASSERT, 710)                                                                      \
    X(CUDA_ERROR_TOO_MANY_PEERS, 711)                                                              \
    X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712)                                              \
    X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713)                                                  \
    X(CUDA_ERROR_HARDWARE_STACK_ERROR, 714)                                                        \
    X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715)                                                         \
    X(CUDA_ERROR_MISALIGNED_ADDRESS, 716)                                                          \
    X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717)                                                       \
    X(CUDA_ERROR_INVALID_PC, 718)                                                                  \
    X(CUDA_ERROR_LAUNCH_FAILED, 719)                                                               \
    X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720)                                                \
    X(CUDA_ERROR_TENSOR_MEMORY_LEAK, 721)                                                          \
    X(CUDA_ERROR_NOT_PERMITTED, 800)                                                               \
    X(CUDA_ERROR_NOT_SUPPORTED, 801)                                                               \
    X(CUDA_ERROR_SYSTEM_NOT_READY, 802)                                                            \
    X(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803)                                                      \
    X(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804)                                              \
    X(CUDA_ERROR_MPS_CONNECTION_FAILED, 805)                                                       \
    X(CUDA_ERROR_MPS_RPC_FAILURE, 806)                                                             \
    X(CUDA_ERROR_MPS_SERVER_NOT_READY, 807)                                                        \
    X(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, 808)                                                     \
    X(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, 809)                                                 \
    X(CUDA_ERROR_MPS_CLIENT_TERMINATED, 810)                                                       \
    X(CUDA_ERROR_CDP_NOT_SUPPORTED, 811)                                                           \
    X(CUDA_ERROR_CDP_VERSION_MISMATCH, 812)                                                        \
    X(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900)                                                  \
    X(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901)                                                  \
    X(CUDA_ERROR_STREAM_CAPTURE_MERGE, 902)                                                        \
    X(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, 903)                                                    \
    X(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, 904)                                                     \
    X(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, 905)                                                    \
    X(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, 906)                                                     \
    X(CUDA_ERROR_CAPTURED_EVENT, 907)                                                              \
    X(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, 908)                                                 \
    X(CUDA_ERROR_TIMEOUT, 909)                                                                     \
    X(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, 910)                                                   \
    X(CUDA_ERROR_EXTERNAL_DEVICE, 911)                                                             \
    X(CUDA_ERROR_INVALID_CLUSTER_SIZE, 912)                                                        \
    X(CUDA_ERROR_FUNCTION_NOT_LOADED, 913)                                                         \
    X(CUDA_ERROR_INVALID_RESOURCE_TYPE, 914)                                                       \
    X(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, 915)                                              \
    X(CUDA_ERROR_KEY_ROTATION, 916)                                                                \
    X(CUDA_ERROR_UNKNOWN, 999)

#ifndef CUDA_VERSION /* The real header is not there. */
#define ASTRIDE__CUDA_TYPEDEF(name, what) typedef what name;
ASTRIDE__CUDA_TYPES(ASTRIDE__CUDA_TYPEDEF)
#undef ASTRIDE__CUDA_TYPEDEF
typedef void (*CUhostFn)(void *);
#define ASTRIDE__CUDA_ENUMERATOR(name, value) name = value,
enum { ASTRIDE__CUDA_ERRORS(ASTRIDE__CUDA_ENUMERATOR) };
enum { ASTRIDE__CUDA_CONSTANTS(ASTRIDE__CUDA_ENUMERATOR) };
enum { ASTRIDE__CUDA_FLAGS(ASTRIDE__CUDA_ENUMERATOR) };
#undef ASTRIDE__CUDA_ENUMERATOR
#endif

/* Structures: X(TYPE, FIELD) in the order of the interface. */
#define ASTRIDE__CUDA_MEMCPY2D_FIELDS(X)                                                           \
    X(size_t, srcXInBytes)                                                                         \
    X(size_t, srcY)                                                                                \
    X(CUmemorytype, srcMemoryType)                                                                 \
    X(const void *, srcHost)                                                                       \
    X(CUdeviceptr, srcDevice)                                                                      \
    X(CUarray, srcArray)                                                                           \
    X(size_t, srcPitch)                                                                            \
    X(size_t, dstXInBytes)                                                                         \
    X(size_t, dstY)                                                                                \
    X(CUmemorytype, dstMemoryType)                                                                 \
    X(void *, dstHost)                                                                             \
    X(CUdeviceptr, dstDevice)                                                                      \
    X(CUarray, dstArray)                                                                           \
    X(size_t, dstPitch)                                                                            \
    X(size_t, WidthInBytes)                                                                        \
    X(size_t, Height)

/* The two 3-D copies differ in one member of each side: reserved, or the side's context. */
#define ASTRIDE__CUDA_MEMCPY3D_FIELDS_WITH(X, type, src_member, dst_member)                        \
    X(size_t, srcXInBytes)                                                                         \
    X(size_t, srcY)                                                                                \
    X(size_t, srcZ)                                                                                \
    X(size_t, srcLOD)                                                                              \
    X(CUmemorytype, srcMemoryType)                                                                 \
    X(const void *, srcHost)                                                                       \
    X(CUdeviceptr, srcDevice)                                                                      \
    X(CUarray, srcArray)                                                                           \
    X(type, src_member)                                                                            \
    X(size_t, srcPitch)                                                                            \
    X(size_t, srcHeight)                                                                           \
    X(size_t, dstXInBytes)                                                                         \
    X(size_t, dstY)                                                                                \
    X(size_t, dstZ)                                                                                \
    X(size_t, dstLOD)                                                                              \
    X(CUmemorytype, dstMemoryType)                                                                 \
    X(void *, dstHost)                                                                             \
    X(CUdeviceptr, dstDevice)                                                                      \
    X(CUarray, dstArray)                                                                           \
    X(type, dst_member)                                                                            \
    X(size_t, dstPitch)                                                                            \
    X(size_t, dstHeight)                                                                           \
    X(size_t, WidthInBytes)                                                                        \
    X(size_t, Height)                                                                              \
    X(size_t, Depth)
#define ASTRIDE__CUDA_MEMCPY3D_FIELDS(X)                                                           \
    ASTRIDE__CUDA_MEMCPY3D_FIELDS_WITH(X, void *, reserved0, reserved1)
#define ASTRIDE__CUDA_MEMCPY3D_PEER_FIELDS(X)                                                      \
    ASTRIDE__CUDA_MEMCPY3D_FIELDS_WITH(X, CUcontext, srcContext, dstContext)

#define ASTRIDE__CUDA_FIELD(type, name) type name;
typedef struct astride__cuda_memcpy2d {
    ASTRIDE__CUDA_MEMCPY2D_FIELDS(ASTRIDE__CUDA_FIELD)
} astride__cuda_memcpy2d;
typedef struct astride__cuda_memcpy3d {
    ASTRIDE__CUDA_MEMCPY3D_FIELDS(ASTRIDE__CUDA_FIELD)
} astride__cuda_memcpy3d;
typedef struct astride__cuda_memcpy3d_peer {
    ASTRIDE__CUDA_MEMCPY3D_PEER_FIELDS(ASTRIDE__CUDA_FIELD)
} astride__cuda_memcpy3d_peer;
#undef ASTRIDE__CUDA_FIELD
typedef struct astride__cuda_uuid {
    char bytes[16];
} astride__cuda_uuid;

#ifndef CUDA_VERSION
typedef astride__cuda_memcpy2d CUDA_MEMCPY2D;
typedef astride__cuda_memcpy3d CUDA_MEMCPY3D;
typedef astride__cuda_memcpy3d_peer CUDA_MEMCPY3D_PEER;
typedef astride__cuda_uuid CUuuid;
#endif

/*
 * How functions are found by name and version: with one signature since CUDA 11.3 under the plain
 * name, with another one since CUDA 12.0 under "cuGetProcAddress_v2"; the last argument says
 * whether the name is unknown or the version too old.
 */
#define ASTRIDE__CUDA_GET_PROC_ADDRESS_V1 "cuGetProcAddress"
#define ASTRIDE__CUDA_GET_PROC_ADDRESS_V2 "cuGetProcAddress_v2"
typedef CUresult (*astride__cuda_get_proc_address_v1)(const char *, void **, int, uint64_t);
typedef CUresult (*astride__cuda_get_proc_address_v2)(const char *, void **, int, uint64_t,
                                                      unsigned int *);

/* The driver's functions by name: api.StreamQuery is cuStreamQuery. */
typedef struct astride__cuda_api {
#define ASTRIDE__CUDA_MEMBER(need, name, symbol, version, parameters) CUresult(*name) parameters;
    ASTRIDE__CUDA_FUNCTIONS(ASTRIDE__CUDA_MEMBER)
#undef ASTRIDE__CUDA_MEMBER
} astride__cuda_api;

#endif /* ASTRIDE_BACKENDS_CUDA_ABI_H */
