/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The functions of the HIP runtime and of its compiler that this backend calls: the tables from
 * which the structures of function pointers (abi.h), the search at run time (loader.c) and the test
 * against the real headers (tests/hip/abi_check.c) are made. All of them, with these parameters,
 * are the same in the releases 5, 6 and 7 of ROCm; what has changed between them is left alone
 * (hipDrvMemcpy3D and hipMemcpyParam2D, whose structures and enumerations differ).
 *
 * X(NEED, NAME, (PARAMETERS)): without its prefix "hip" or "hiprtc" the function is NAME; all
 * return hipError_t, or hiprtcResult. A REQUIRED function is of ROCm 5.0 or older, and the backend
 * is unavailable without it. Without an OPTIONAL one the feature is off that its comment names.
 */
#ifndef ASTRIDE_BACKENDS_HIP_ENTRY_POINTS_H
#define ASTRIDE_BACKENDS_HIP_ENTRY_POINTS_H

#define ASTRIDE__HIP_REQUIRED(X)                                                                   \
    X(REQUIRED, Init, (unsigned int))                                                              \
    X(REQUIRED, RuntimeGetVersion, (int *))                                                        \
    X(REQUIRED, GetDeviceCount, (int *))                                                           \
    X(REQUIRED, GetDevice, (int *))                                                                \
    X(REQUIRED, SetDevice, (int))                                                                  \
    X(REQUIRED, DeviceGetName, (char *, int, hipDevice_t))                                         \
    X(REQUIRED, DeviceGetAttribute, (int *, hipDeviceAttribute_t, int))                            \
    X(REQUIRED, DeviceTotalMem, (size_t *, hipDevice_t))                                           \
    X(REQUIRED, GetLastError, (void))                                                              \
    X(REQUIRED, Malloc, (void **, size_t))                                                         \
    X(REQUIRED, Free, (void *))                                                                    \
    X(REQUIRED, HostMalloc, (void **, size_t, unsigned int))                                       \
    X(REQUIRED, HostFree, (void *))                                                                \
    X(REQUIRED, MemcpyAsync, (void *, const void *, size_t, hipMemcpyKind, hipStream_t))           \
    X(REQUIRED, Memcpy2DAsync,                                                                     \
      (void *, size_t, const void *, size_t, size_t, size_t, hipMemcpyKind, hipStream_t))          \
    X(REQUIRED, Memcpy3DAsync, (const hipMemcpy3DParms *, hipStream_t))                            \
    X(REQUIRED, StreamCreateWithFlags, (hipStream_t *, unsigned int))                              \
    X(REQUIRED, StreamDestroy, (hipStream_t))                                                      \
    X(REQUIRED, StreamSynchronize, (hipStream_t))                                                  \
    X(REQUIRED, StreamQuery, (hipStream_t))                                                        \
    X(REQUIRED, StreamWaitEvent, (hipStream_t, hipEvent_t, unsigned int))                          \
    X(REQUIRED, EventCreateWithFlags, (hipEvent_t *, unsigned int))                                \
    X(REQUIRED, EventDestroy, (hipEvent_t))                                                        \
    X(REQUIRED, EventRecord, (hipEvent_t, hipStream_t))                                            \
    X(REQUIRED, EventSynchronize, (hipEvent_t))                                                    \
    X(REQUIRED, EventQuery, (hipEvent_t))

#define ASTRIDE__HIP_OPTIONAL(X)                                                                   \
    /* Specs by UUID. */                                                                           \
    X(OPTIONAL, DeviceGetUuid, (hipUUID *, hipDevice_t))                                           \
    /* Managed memory; mapped host memory serves as shared memory instead. */                      \
    X(OPTIONAL, MallocManaged, (void **, size_t, unsigned int))                                    \
    /* Registration of host memory. */                                                             \
    X(OPTIONAL, HostRegister, (void *, size_t, unsigned int))                                      \
    X(OPTIONAL, HostUnregister, (void *))                                                          \
    X(OPTIONAL, HostGetDevicePointer, (void **, void *, unsigned int))                             \
    /* Addresses that the program got from the runtime itself. */                                  \
    X(OPTIONAL, PointerGetAttributes, (hipPointerAttribute_t *, const void *))                     \
    X(OPTIONAL, MemGetAddressRange, (hipDeviceptr_t *, size_t *, hipDeviceptr_t))                  \
    /* The refusal of host calls in a stream that is captured. */                                  \
    X(OPTIONAL, StreamIsCapturing, (hipStream_t, hipStreamCaptureStatus *))                        \
    /* Host calls in a stream, the first preferred: without both the thread that enqueues waits.   \
     */                                                                                            \
    X(OPTIONAL, LaunchHostFunc, (hipStream_t, hipHostFn_t, void *))                                \
    X(OPTIONAL, StreamAddCallback, (hipStream_t, hipStreamCallback_t, void *, unsigned int))       \
    /* Fills by the runtime: without them by kernel. */                                            \
    X(OPTIONAL, MemsetD8Async, (hipDeviceptr_t, unsigned char, size_t, hipStream_t))               \
    X(OPTIONAL, MemsetD16Async, (hipDeviceptr_t, unsigned short, size_t, hipStream_t))             \
    X(OPTIONAL, MemsetD32Async, (hipDeviceptr_t, int, size_t, hipStream_t))                        \
    X(OPTIONAL, Memset2DAsync, (void *, size_t, int, size_t, size_t, hipStream_t))                 \
    /* Modules and kernels. */                                                                     \
    X(OPTIONAL, ModuleLoadData, (hipModule_t *, const void *))                                     \
    X(OPTIONAL, ModuleUnload, (hipModule_t))                                                       \
    X(OPTIONAL, ModuleGetFunction, (hipFunction_t *, hipModule_t, const char *))                   \
    X(OPTIONAL, ModuleLaunchKernel,                                                                \
      (hipFunction_t, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,        \
       unsigned int, unsigned int, hipStream_t, void **, void **))

#define ASTRIDE__HIP_FUNCTIONS(X) ASTRIDE__HIP_REQUIRED(X) ASTRIDE__HIP_OPTIONAL(X)

/* The compiler, which is in a library of its own, or in the runtime's before ROCm 6. */
#define ASTRIDE__HIPRTC_FUNCTIONS(X)                                                               \
    X(REQUIRED, Version, (int *, int *))                                                           \
    X(REQUIRED, CreateProgram,                                                                     \
      (hiprtcProgram *, const char *, const char *, int, const char **, const char **))            \
    X(REQUIRED, CompileProgram, (hiprtcProgram, int, const char **))                               \
    X(REQUIRED, GetProgramLogSize, (hiprtcProgram, size_t *))                                      \
    X(REQUIRED, GetProgramLog, (hiprtcProgram, char *))                                            \
    X(REQUIRED, GetCodeSize, (hiprtcProgram, size_t *))                                            \
    X(REQUIRED, GetCode, (hiprtcProgram, char *))                                                  \
    X(REQUIRED, DestroyProgram, (hiprtcProgram *))

#endif /* ASTRIDE_BACKENDS_HIP_ENTRY_POINTS_H */
