/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The part of the driver API's binary interface that the simulated driver has, declared on its own
 * so that it is no copy of the plugin's view. Lists with X, so that abi_check.c can hold each line
 * against the real cuda.h: that file sets SIM_CUDA_REAL_HEADER and gets the lists only.
 */
#ifndef ASTRIDE_TESTS_SIMULATORS_CUDA_DRIVER_ABI_H
#define ASTRIDE_TESTS_SIMULATORS_CUDA_DRIVER_ABI_H

#include <stddef.h>
#include <stdint.h>

/* X(NAME, VALUE): constants. */
#define SIM_CUDA_CONSTANTS(X)                                                                      \
    X(CU_MEMORYTYPE_HOST, 1)                                                                       \
    X(CU_MEMORYTYPE_DEVICE, 2)                                                                     \
    X(CU_MEMORYTYPE_ARRAY, 3)                                                                      \
    X(CU_MEMORYTYPE_UNIFIED, 4)                                                                    \
    X(CU_POINTER_ATTRIBUTE_CONTEXT, 1)                                                             \
    X(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 2)                                                         \
    X(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, 3)                                                      \
    X(CU_POINTER_ATTRIBUTE_HOST_POINTER, 4)                                                        \
    X(CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, 6)                                                         \
    X(CU_POINTER_ATTRIBUTE_BUFFER_ID, 7)                                                           \
    X(CU_POINTER_ATTRIBUTE_IS_MANAGED, 8)                                                          \
    X(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, 9)                                                      \
    X(CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, 10)                                         \
    X(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, 11)                                                   \
    X(CU_POINTER_ATTRIBUTE_RANGE_SIZE, 12)                                                         \
    X(CU_POINTER_ATTRIBUTE_MAPPED, 13)                                                             \
    X(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1)                                                \
    X(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 2)                                                      \
    X(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 3)                                                      \
    X(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 4)                                                      \
    X(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 5)                                                       \
    X(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 6)                                                       \
    X(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 7)                                                       \
    X(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 8)                                          \
    X(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 9)                                                \
    X(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 10)                                                           \
    X(CU_DEVICE_ATTRIBUTE_MAX_PITCH, 11)                                                           \
    X(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 12)                                             \
    X(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 13)                                                          \
    X(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, 14)                                                   \
    X(CU_DEVICE_ATTRIBUTE_GPU_OVERLAP, 15)                                                         \
    X(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16)                                                \
    X(CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 19)                                                 \
    X(CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 31)                                                  \
    X(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 33)                                                          \
    X(CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, 34)                                                       \
    X(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 36)                                                   \
    X(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 37)                                             \
    X(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 38)                                                       \
    X(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 39)                                      \
    X(CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 40)                                                  \
    X(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 41)                                                  \
    X(CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, 50)                                                       \
    X(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, 51)                                             \
    X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 75)                                            \
    X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 76)                                            \
    X(CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 78)                                         \
    X(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 81)                                \
    X(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 83)                                                      \
    X(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 88)                                              \
    X(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 89)                                           \
    X(CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 91)                             \
    X(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97)                                   \
    X(CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 99)                                             \
    X(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0)                                                  \
    X(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, 1)                                                      \
    X(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, 2)                                                       \
    X(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, 3)                                                       \
    X(CU_FUNC_ATTRIBUTE_NUM_REGS, 4)                                                               \
    X(CU_FUNC_ATTRIBUTE_PTX_VERSION, 5)                                                            \
    X(CU_FUNC_ATTRIBUTE_BINARY_VERSION, 6)                                                         \
    X(CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, 7)                                                          \
    X(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 8)                                          \
    X(CU_JIT_INFO_LOG_BUFFER, 3)                                                                   \
    X(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, 4)                                                        \
    X(CU_JIT_ERROR_LOG_BUFFER, 5)                                                                  \
    X(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, 6)                                                       \
    X(CU_JIT_OPTIMIZATION_LEVEL, 7)                                                                \
    X(CU_JIT_CACHE_MODE, 14)                                                                       \
    X(CU_CTX_FLAGS_MASK, 0xff)                                                                     \
    X(CU_STREAM_NON_BLOCKING, 1)                                                                   \
    X(CU_STREAM_CAPTURE_STATUS_NONE, 0)                                                            \
    X(CU_STREAM_CAPTURE_STATUS_ACTIVE, 1)                                                          \
    X(CU_STREAM_CAPTURE_STATUS_INVALIDATED, 2)                                                     \
    X(CU_STREAM_CAPTURE_MODE_GLOBAL, 0)                                                            \
    X(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, 1)                                                      \
    X(CU_STREAM_CAPTURE_MODE_RELAXED, 2)                                                           \
    X(CU_EVENT_BLOCKING_SYNC, 1)                                                                   \
    X(CU_EVENT_DISABLE_TIMING, 2)                                                                  \
    X(CU_EVENT_INTERPROCESS, 4)                                                                    \
    X(CU_EVENT_WAIT_EXTERNAL, 1)                                                                   \
    X(CU_MEM_ATTACH_GLOBAL, 1)                                                                     \
    X(CU_MEM_ATTACH_HOST, 2)                                                                       \
    X(CU_GET_PROC_ADDRESS_LEGACY_STREAM, 1)                                                        \
    X(CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, 2)                                            \
    X(CU_GET_PROC_ADDRESS_SUCCESS, 0)                                                              \
    X(CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND, 1)                                                     \
    X(CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT, 2)

/* X(NAME, VALUE, TEXT): results. */
#define SIM_CUDA_RESULTS(X)                                                                        \
    X(CUDA_SUCCESS, 0, "no error")                                                                 \
    X(CUDA_ERROR_INVALID_VALUE, 1, "invalid argument")                                             \
    X(CUDA_ERROR_OUT_OF_MEMORY, 2, "out of memory")                                                \
    X(CUDA_ERROR_NOT_INITIALIZED, 3, "initialization error")                                       \
    X(CUDA_ERROR_DEINITIALIZED, 4, "driver shutting down")                                         \
    X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46, "device busy or unavailable")                             \
    X(CUDA_ERROR_NO_DEVICE, 100, "no device is detected")                                          \
    X(CUDA_ERROR_INVALID_DEVICE, 101, "invalid device ordinal")                                    \
    X(CUDA_ERROR_INVALID_IMAGE, 200, "kernel image is invalid")                                    \
    X(CUDA_ERROR_INVALID_CONTEXT, 201, "invalid device context")                                   \
    X(CUDA_ERROR_MAP_FAILED, 205, "mapping failed")                                                \
    X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209, "no kernel image for the device")                         \
    X(CUDA_ERROR_ECC_UNCORRECTABLE, 214, "uncorrectable ECC error")                                \
    X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217, "peer access is not supported")                     \
    X(CUDA_ERROR_INVALID_PTX, 218, "the PTX could not be compiled")                                \
    X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221, "PTX JIT compiler library not found")                \
    X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222, "unsupported version of PTX")                       \
    X(CUDA_ERROR_INVALID_SOURCE, 300, "device kernel source is invalid")                           \
    X(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303, "shared object initialization failed")            \
    X(CUDA_ERROR_OPERATING_SYSTEM, 304, "a call of the operating system failed")                   \
    X(CUDA_ERROR_INVALID_HANDLE, 400, "invalid resource handle")                                   \
    X(CUDA_ERROR_ILLEGAL_STATE, 401, "not in a state that allows the operation")                   \
    X(CUDA_ERROR_NOT_FOUND, 500, "named symbol not found")                                         \
    X(CUDA_ERROR_NOT_READY, 600, "device not ready")                                               \
    X(CUDA_ERROR_ILLEGAL_ADDRESS, 700, "an illegal memory access was encountered")                 \
    X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701, "too many resources requested for launch")          \
    X(CUDA_ERROR_LAUNCH_TIMEOUT, 702, "the launch timed out")                                      \
    X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704, "peer access is already enabled")               \
    X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705, "peer access has not been enabled")                 \
    X(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708, "the primary context is in use")                     \
    X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709, "context is destroyed")                                \
    X(CUDA_ERROR_TOO_MANY_PEERS, 711, "too many peers")                                            \
    X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712, "host memory is already registered")         \
    X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713, "host memory is not registered")                 \
    X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715, "an illegal instruction was encountered")               \
    X(CUDA_ERROR_MISALIGNED_ADDRESS, 716, "misaligned address")                                    \
    X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717, "operation not supported on that address space")      \
    X(CUDA_ERROR_LAUNCH_FAILED, 719, "unspecified launch failure")                                 \
    X(CUDA_ERROR_NOT_PERMITTED, 800, "operation not permitted")                                    \
    X(CUDA_ERROR_NOT_SUPPORTED, 801, "operation not supported")                                    \
    X(CUDA_ERROR_SYSTEM_NOT_READY, 802, "system not yet initialized")                              \
    X(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803, "driver and display driver do not match")            \
    X(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900, "not permitted when stream is capturing")        \
    X(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901, "an earlier error broke the capture")            \
    X(CUDA_ERROR_STREAM_CAPTURE_MERGE, 902, "would merge two captures")                            \
    X(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, 903, "the capture was not begun in this stream")        \
    X(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, 904, "a fork was not joined to the origin")              \
    X(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, 905, "dependency on uncaptured work")                   \
    X(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, 906, "implicit dependency on the legacy stream")         \
    X(CUDA_ERROR_CAPTURED_EVENT, 907, "the event was last recorded in a capturing stream")         \
    X(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, 908, "the capture was begun by another thread")      \
    X(CUDA_ERROR_UNKNOWN, 999, "unknown error")

/* X(TYPE, NAME): fields of the structures, in order. */
#define SIM_CUDA_SIDE_2D(X, side, pointer)                                                         \
    X(size_t, side##XInBytes)                                                                      \
    X(size_t, side##Y)                                                                             \
    X(CUmemorytype, side##MemoryType)                                                              \
    X(pointer, side##Host)                                                                         \
    X(CUdeviceptr, side##Device)                                                                   \
    X(CUarray, side##Array)                                                                        \
    X(size_t, side##Pitch)
#define SIM_CUDA_SIDE_3D(X, side, pointer, type, member)                                           \
    X(size_t, side##XInBytes)                                                                      \
    X(size_t, side##Y)                                                                             \
    X(size_t, side##Z)                                                                             \
    X(size_t, side##LOD)                                                                           \
    X(CUmemorytype, side##MemoryType)                                                              \
    X(pointer, side##Host)                                                                         \
    X(CUdeviceptr, side##Device)                                                                   \
    X(CUarray, side##Array)                                                                        \
    X(type, member)                                                                                \
    X(size_t, side##Pitch)                                                                         \
    X(size_t, side##Height)
#define SIM_CUDA_MEMCPY2D(X)                                                                       \
    SIM_CUDA_SIDE_2D(X, src, const void *)                                                         \
    SIM_CUDA_SIDE_2D(X, dst, void *)                                                               \
    X(size_t, WidthInBytes)                                                                        \
    X(size_t, Height)
#define SIM_CUDA_MEMCPY3D(X)                                                                       \
    SIM_CUDA_SIDE_3D(X, src, const void *, void *, reserved0)                                      \
    SIM_CUDA_SIDE_3D(X, dst, void *, void *, reserved1)                                            \
    X(size_t, WidthInBytes)                                                                        \
    X(size_t, Height)                                                                              \
    X(size_t, Depth)
#define SIM_CUDA_MEMCPY3D_PEER(X)                                                                  \
    SIM_CUDA_SIDE_3D(X, src, const void *, CUcontext, srcContext)                                  \
    SIM_CUDA_SIDE_3D(X, dst, void *, CUcontext, dstContext)                                        \
    X(size_t, WidthInBytes)                                                                        \
    X(size_t, Height)                                                                              \
    X(size_t, Depth)

#ifndef SIM_CUDA_REAL_HEADER
typedef unsigned int CUresult, CUmemorytype, CUdevice_attribute, CUpointer_attribute,
    CUfunction_attribute, CUjit_option, CUstreamCaptureStatus, CUstreamCaptureMode,
    CUdriverProcAddressQueryResult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef uint64_t cuuint64_t;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUarray_st *CUarray;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef void (*CUhostFn)(void *userData);
typedef struct CUuuid {
    char bytes[16];
} CUuuid;

#define SIM_CUDA_FIELD(type, name) type name;
typedef struct CUDA_MEMCPY2D {
    SIM_CUDA_MEMCPY2D(SIM_CUDA_FIELD)
} CUDA_MEMCPY2D;
typedef struct CUDA_MEMCPY3D {
    SIM_CUDA_MEMCPY3D(SIM_CUDA_FIELD)
} CUDA_MEMCPY3D;
typedef struct CUDA_MEMCPY3D_PEER {
    SIM_CUDA_MEMCPY3D_PEER(SIM_CUDA_FIELD)
} CUDA_MEMCPY3D_PEER;
#undef SIM_CUDA_FIELD

#define SIM_CUDA_CONSTANT(name, value) name = value,
enum { SIM_CUDA_CONSTANTS(SIM_CUDA_CONSTANT) };
#undef SIM_CUDA_CONSTANT
#define SIM_CUDA_RESULT(name, value, text) name = value,
enum { SIM_CUDA_RESULTS(SIM_CUDA_RESULT) };
#undef SIM_CUDA_RESULT

#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_LAUNCH_PARAM_END ((void *)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)2)
#endif

#endif /* ASTRIDE_TESTS_SIMULATORS_CUDA_DRIVER_ABI_H */
