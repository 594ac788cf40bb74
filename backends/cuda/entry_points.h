/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The functions of the CUDA driver API that this backend calls: the one table from which the
 * structure of function pointers (abi.h), the search at run time (loader.c) and the test against
 * the real header (tests/cuda/abi_check.c) are made.
 *
 * X(NEED, NAME, SYMBOL, VERSION, (PARAMETERS)): without its prefix "cu" the function is NAME; all
 * return CUresult. SYMBOL is what the library exports: several names stand for a first, 32-bit
 * version of the interface without their suffix. VERSION is the release of CUDA that brought this
 * very version, as cuGetProcAddress wants it (1000 * major + 10 * minor). The streams of these
 * versions are explicit: what per-thread default streams change is the meaning of a null stream,
 * which is never passed.
 *
 * A REQUIRED function is of CUDA 11.0 or older, and the backend is unavailable without it. Without
 * an OPTIONAL one the feature is off that its comment names.
 */
#ifndef ASTRIDE_BACKENDS_CUDA_ENTRY_POINTS_H
#define ASTRIDE_BACKENDS_CUDA_ENTRY_POINTS_H

#define ASTRIDE__CUDA_REQUIRED(X)                                                                  \
    X(REQUIRED, Init, cuInit, 2000, (unsigned int))                                                \
    X(REQUIRED, DriverGetVersion, cuDriverGetVersion, 2020, (int *))                               \
    X(REQUIRED, DeviceGetCount, cuDeviceGetCount, 2000, (int *))                                   \
    X(REQUIRED, DeviceGet, cuDeviceGet, 2000, (CUdevice *, int))                                   \
    X(REQUIRED, DeviceGetName, cuDeviceGetName, 2000, (char *, int, CUdevice))                     \
    X(REQUIRED, DeviceGetAttribute, cuDeviceGetAttribute, 2000,                                    \
      (int *, CUdevice_attribute, CUdevice))                                                       \
    X(REQUIRED, DeviceTotalMem, cuDeviceTotalMem_v2, 3020, (size_t *, CUdevice))                   \
    X(REQUIRED, DevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, 7000, (CUcontext *, CUdevice))   \
    X(REQUIRED, DevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, 11000, (CUdevice))          \
    X(REQUIRED, CtxPushCurrent, cuCtxPushCurrent_v2, 4000, (CUcontext))                            \
    X(REQUIRED, CtxPopCurrent, cuCtxPopCurrent_v2, 4000, (CUcontext *))                            \
    X(REQUIRED, MemAlloc, cuMemAlloc_v2, 3020, (CUdeviceptr *, size_t))                            \
    X(REQUIRED, MemFree, cuMemFree_v2, 3020, (CUdeviceptr))                                        \
    X(REQUIRED, MemHostAlloc, cuMemHostAlloc, 2020, (void **, size_t, unsigned int))               \
    X(REQUIRED, MemFreeHost, cuMemFreeHost, 2000, (void *))                                        \
    X(REQUIRED, MemcpyAsync, cuMemcpyAsync, 4000, (CUdeviceptr, CUdeviceptr, size_t, CUstream))    \
    X(REQUIRED, MemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, 3020,                                       \
      (CUdeviceptr, const void *, size_t, CUstream))                                               \
    X(REQUIRED, MemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, 3020,                                       \
      (void *, CUdeviceptr, size_t, CUstream))                                                     \
    X(REQUIRED, MemcpyDtoDAsync, cuMemcpyDtoDAsync_v2, 3020,                                       \
      (CUdeviceptr, CUdeviceptr, size_t, CUstream))                                                \
    X(REQUIRED, Memcpy2DAsync, cuMemcpy2DAsync_v2, 3020, (const CUDA_MEMCPY2D *, CUstream))        \
    X(REQUIRED, Memcpy3DAsync, cuMemcpy3DAsync_v2, 3020, (const CUDA_MEMCPY3D *, CUstream))        \
    X(REQUIRED, StreamCreate, cuStreamCreate, 2000, (CUstream *, unsigned int))                    \
    X(REQUIRED, StreamDestroy, cuStreamDestroy_v2, 4000, (CUstream))                               \
    X(REQUIRED, StreamSynchronize, cuStreamSynchronize, 2000, (CUstream))                          \
    X(REQUIRED, StreamQuery, cuStreamQuery, 2000, (CUstream))                                      \
    X(REQUIRED, StreamWaitEvent, cuStreamWaitEvent, 3020, (CUstream, CUevent, unsigned int))       \
    X(REQUIRED, EventCreate, cuEventCreate, 2000, (CUevent *, unsigned int))                       \
    X(REQUIRED, EventDestroy, cuEventDestroy_v2, 4000, (CUevent))                                  \
    X(REQUIRED, EventRecord, cuEventRecord, 2000, (CUevent, CUstream))                             \
    X(REQUIRED, EventSynchronize, cuEventSynchronize, 2000, (CUevent))                             \
    X(REQUIRED, EventQuery, cuEventQuery, 2000, (CUevent))

#define ASTRIDE__CUDA_OPTIONAL(X)                                                                  \
    /* Names of error codes that are newer than this source. */                                    \
    X(OPTIONAL, GetErrorName, cuGetErrorName, 6000, (CUresult, const char **))                     \
    /* Specs by UUID. */                                                                           \
    X(OPTIONAL, DeviceGetUuid, cuDeviceGetUuid_v2, 11040, (CUuuid *, CUdevice))                    \
    /* Copies between devices. */                                                                  \
    X(OPTIONAL, Memcpy3DPeerAsync, cuMemcpy3DPeerAsync, 4000,                                      \
      (const CUDA_MEMCPY3D_PEER *, CUstream))                                                      \
    X(OPTIONAL, MemcpyPeerAsync, cuMemcpyPeerAsync, 4000,                                          \
      (CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t, CUstream))                          \
    /* Managed memory; mapped host memory serves as shared memory instead. */                      \
    X(OPTIONAL, MemAllocManaged, cuMemAllocManaged, 6000, (CUdeviceptr *, size_t, unsigned int))   \
    /* Registration of host memory. */                                                             \
    X(OPTIONAL, MemHostRegister, cuMemHostRegister_v2, 6050, (void *, size_t, unsigned int))       \
    X(OPTIONAL, MemHostUnregister, cuMemHostUnregister, 4000, (void *))                            \
    /* Kernels on registered memory, where its address differs on the device. */                   \
    X(OPTIONAL, MemHostGetDevicePointer, cuMemHostGetDevicePointer_v2, 3020,                       \
      (CUdeviceptr *, void *, unsigned int))                                                       \
    /* Addresses that the program got from the driver itself. */                                   \
    X(OPTIONAL, PointerGetAttributes, cuPointerGetAttributes, 7000,                                \
      (unsigned int, CUpointer_attribute *, void **, CUdeviceptr))                                 \
    /* The check that an imported stream is one of the device. */                                  \
    X(OPTIONAL, StreamGetCtx, cuStreamGetCtx, 9020, (CUstream, CUcontext *))                       \
    /* The refusal of host calls in a stream that is captured. */                                  \
    X(OPTIONAL, StreamIsCapturing, cuStreamIsCapturing, 10000,                                     \
      (CUstream, CUstreamCaptureStatus *))                                                         \
    /* Host calls in a stream: without it the thread that enqueues waits. */                       \
    X(OPTIONAL, LaunchHostFunc, cuLaunchHostFunc, 10000, (CUstream, CUhostFn, void *))             \
    /* Fills by the driver: without them by kernel. */                                             \
    X(OPTIONAL, MemsetD8Async, cuMemsetD8Async, 3020,                                              \
      (CUdeviceptr, unsigned char, size_t, CUstream))                                              \
    X(OPTIONAL, MemsetD16Async, cuMemsetD16Async, 3020,                                            \
      (CUdeviceptr, unsigned short, size_t, CUstream))                                             \
    X(OPTIONAL, MemsetD32Async, cuMemsetD32Async, 3020,                                            \
      (CUdeviceptr, unsigned int, size_t, CUstream))                                               \
    X(OPTIONAL, MemsetD2D8Async, cuMemsetD2D8Async, 3020,                                          \
      (CUdeviceptr, size_t, unsigned char, size_t, size_t, CUstream))                              \
    X(OPTIONAL, MemsetD2D16Async, cuMemsetD2D16Async, 3020,                                        \
      (CUdeviceptr, size_t, unsigned short, size_t, size_t, CUstream))                             \
    X(OPTIONAL, MemsetD2D32Async, cuMemsetD2D32Async, 3020,                                        \
      (CUdeviceptr, size_t, unsigned int, size_t, size_t, CUstream))                               \
    /* Modules and kernels. */                                                                     \
    X(OPTIONAL, ModuleLoadDataEx, cuModuleLoadDataEx, 2010,                                        \
      (CUmodule *, const void *, unsigned int, CUjit_option *, void **))                           \
    X(OPTIONAL, ModuleUnload, cuModuleUnload, 2000, (CUmodule))                                    \
    X(OPTIONAL, ModuleGetFunction, cuModuleGetFunction, 2000,                                      \
      (CUfunction *, CUmodule, const char *))                                                      \
    X(OPTIONAL, FuncGetAttribute, cuFuncGetAttribute, 2020,                                        \
      (int *, CUfunction_attribute, CUfunction))                                                   \
    X(OPTIONAL, FuncSetAttribute, cuFuncSetAttribute, 9000,                                        \
      (CUfunction, CUfunction_attribute, int))                                                     \
    X(OPTIONAL, LaunchKernel, cuLaunchKernel, 4000,                                                \
      (CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,           \
       unsigned int, unsigned int, CUstream, void **, void **))

#define ASTRIDE__CUDA_FUNCTIONS(X) ASTRIDE__CUDA_REQUIRED(X) ASTRIDE__CUDA_OPTIONAL(X)

#endif /* ASTRIDE_BACKENDS_CUDA_ENTRY_POINTS_H */
