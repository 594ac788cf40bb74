/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The functions that the simulated driver exports: X(symbol, name without version, version of the
 * API that brought the symbol, parameters). The look-up of the driver (look_up.c) and the check
 * against the real cuda.h are made from it. Of the two symbols of one name the newer comes first.
 */
#ifndef ASTRIDE_TESTS_SIMULATORS_CUDA_ENTRY_POINTS_H
#define ASTRIDE_TESTS_SIMULATORS_CUDA_ENTRY_POINTS_H

/* Those that the current cuda.h does not declare by their symbol. */
#define SIM_CUDA_OLD_FUNCTIONS(X)                                                                  \
    X(cuGetProcAddress, "cuGetProcAddress", 11030, (const char *, void **, int, cuuint64_t))       \
    X(cuDeviceGetUuid, "cuDeviceGetUuid", 9020, (CUuuid *, CUdevice))                              \
    X(cuCtxCreate_v2, "cuCtxCreate", 3020, (CUcontext *, unsigned int, CUdevice))                  \
    X(cuEventElapsedTime, "cuEventElapsedTime", 2000, (float *, CUevent, CUevent))

#define SIM_CUDA_DEVICE_FUNCTIONS(X)                                                               \
    X(cuInit, "cuInit", 2000, (unsigned int))                                                      \
    X(cuDriverGetVersion, "cuDriverGetVersion", 2020, (int *))                                     \
    X(cuGetErrorName, "cuGetErrorName", 6000, (CUresult, const char **))                           \
    X(cuGetErrorString, "cuGetErrorString", 6000, (CUresult, const char **))                       \
    X(cuGetProcAddress_v2, "cuGetProcAddress", 12000,                                              \
      (const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *))                  \
    X(cuDeviceGetCount, "cuDeviceGetCount", 2000, (int *))                                         \
    X(cuDeviceGet, "cuDeviceGet", 2000, (CUdevice *, int))                                         \
    X(cuDeviceGetName, "cuDeviceGetName", 2000, (char *, int, CUdevice))                           \
    X(cuDeviceGetUuid_v2, "cuDeviceGetUuid", 11040, (CUuuid *, CUdevice))                          \
    X(cuDeviceTotalMem_v2, "cuDeviceTotalMem", 3020, (size_t *, CUdevice))                         \
    X(cuDeviceGetAttribute, "cuDeviceGetAttribute", 2000, (int *, CUdevice_attribute, CUdevice))   \
    X(cuDeviceGetPCIBusId, "cuDeviceGetPCIBusId", 4010, (char *, int, CUdevice))                   \
    X(cuDeviceGetByPCIBusId, "cuDeviceGetByPCIBusId", 4010, (CUdevice *, const char *))            \
    X(cuDeviceCanAccessPeer, "cuDeviceCanAccessPeer", 4000, (int *, CUdevice, CUdevice))           \
    X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", 7000, (CUcontext *, CUdevice))         \
    X(cuDevicePrimaryCtxRelease_v2, "cuDevicePrimaryCtxRelease", 11000, (CUdevice))                \
    X(cuDevicePrimaryCtxSetFlags_v2, "cuDevicePrimaryCtxSetFlags", 11000,                          \
      (CUdevice, unsigned int))                                                                    \
    X(cuDevicePrimaryCtxGetState, "cuDevicePrimaryCtxGetState", 7000,                              \
      (CUdevice, unsigned int *, int *))

#define SIM_CUDA_CONTEXT_FUNCTIONS(X)                                                              \
    X(cuCtxDestroy_v2, "cuCtxDestroy", 4000, (CUcontext))                                          \
    X(cuCtxPushCurrent_v2, "cuCtxPushCurrent", 4000, (CUcontext))                                  \
    X(cuCtxPopCurrent_v2, "cuCtxPopCurrent", 4000, (CUcontext *))                                  \
    X(cuCtxSetCurrent, "cuCtxSetCurrent", 4000, (CUcontext))                                       \
    X(cuCtxGetCurrent, "cuCtxGetCurrent", 4000, (CUcontext *))                                     \
    X(cuCtxGetDevice, "cuCtxGetDevice", 2000, (CUdevice *))                                        \
    X(cuCtxGetApiVersion, "cuCtxGetApiVersion", 3020, (CUcontext, unsigned int *))                 \
    X(cuCtxSynchronize, "cuCtxSynchronize", 2000, (void))                                          \
    X(cuCtxGetStreamPriorityRange, "cuCtxGetStreamPriorityRange", 5050, (int *, int *))            \
    X(cuCtxEnablePeerAccess, "cuCtxEnablePeerAccess", 4000, (CUcontext, unsigned int))             \
    X(cuCtxDisablePeerAccess, "cuCtxDisablePeerAccess", 4000, (CUcontext))

#define SIM_CUDA_MEMORY_FUNCTIONS(X)                                                               \
    X(cuMemGetInfo_v2, "cuMemGetInfo", 3020, (size_t *, size_t *))                                 \
    X(cuMemAlloc_v2, "cuMemAlloc", 3020, (CUdeviceptr *, size_t))                                  \
    X(cuMemAllocPitch_v2, "cuMemAllocPitch", 3020,                                                 \
      (CUdeviceptr *, size_t *, size_t, size_t, unsigned int))                                     \
    X(cuMemFree_v2, "cuMemFree", 3020, (CUdeviceptr))                                              \
    X(cuMemGetAddressRange_v2, "cuMemGetAddressRange", 3020,                                       \
      (CUdeviceptr *, size_t *, CUdeviceptr))                                                      \
    X(cuMemAllocHost_v2, "cuMemAllocHost", 3020, (void **, size_t))                                \
    X(cuMemHostAlloc, "cuMemHostAlloc", 2020, (void **, size_t, unsigned int))                     \
    X(cuMemFreeHost, "cuMemFreeHost", 2000, (void *))                                              \
    X(cuMemHostGetDevicePointer_v2, "cuMemHostGetDevicePointer", 3020,                             \
      (CUdeviceptr *, void *, unsigned int))                                                       \
    X(cuMemHostGetFlags, "cuMemHostGetFlags", 2030, (unsigned int *, void *))                      \
    X(cuMemAllocManaged, "cuMemAllocManaged", 6000, (CUdeviceptr *, size_t, unsigned int))         \
    X(cuMemHostRegister_v2, "cuMemHostRegister", 6050, (void *, size_t, unsigned int))             \
    X(cuMemHostUnregister, "cuMemHostUnregister", 4000, (void *))                                  \
    X(cuPointerGetAttribute, "cuPointerGetAttribute", 4000,                                        \
      (void *, CUpointer_attribute, CUdeviceptr))                                                  \
    X(cuPointerGetAttributes, "cuPointerGetAttributes", 7000,                                      \
      (unsigned int, CUpointer_attribute *, void **, CUdeviceptr))

#define SIM_CUDA_COPY_FUNCTIONS(X)                                                                 \
    X(cuMemcpy, "cuMemcpy", 4000, (CUdeviceptr, CUdeviceptr, size_t))                              \
    X(cuMemcpyHtoD_v2, "cuMemcpyHtoD", 3020, (CUdeviceptr, const void *, size_t))                  \
    X(cuMemcpyDtoH_v2, "cuMemcpyDtoH", 3020, (void *, CUdeviceptr, size_t))                        \
    X(cuMemcpyDtoD_v2, "cuMemcpyDtoD", 3020, (CUdeviceptr, CUdeviceptr, size_t))                   \
    X(cuMemcpyAsync, "cuMemcpyAsync", 4000, (CUdeviceptr, CUdeviceptr, size_t, CUstream))          \
    X(cuMemcpyHtoDAsync_v2, "cuMemcpyHtoDAsync", 3020,                                             \
      (CUdeviceptr, const void *, size_t, CUstream))                                               \
    X(cuMemcpyDtoHAsync_v2, "cuMemcpyDtoHAsync", 3020, (void *, CUdeviceptr, size_t, CUstream))    \
    X(cuMemcpyDtoDAsync_v2, "cuMemcpyDtoDAsync", 3020,                                             \
      (CUdeviceptr, CUdeviceptr, size_t, CUstream))                                                \
    X(cuMemcpyPeerAsync, "cuMemcpyPeerAsync", 4000,                                                \
      (CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, size_t, CUstream))                          \
    X(cuMemcpy2D_v2, "cuMemcpy2D", 3020, (const CUDA_MEMCPY2D *))                                  \
    X(cuMemcpy2DUnaligned_v2, "cuMemcpy2DUnaligned", 3020, (const CUDA_MEMCPY2D *))                \
    X(cuMemcpy2DAsync_v2, "cuMemcpy2DAsync", 3020, (const CUDA_MEMCPY2D *, CUstream))              \
    X(cuMemcpy3D_v2, "cuMemcpy3D", 3020, (const CUDA_MEMCPY3D *))                                  \
    X(cuMemcpy3DAsync_v2, "cuMemcpy3DAsync", 3020, (const CUDA_MEMCPY3D *, CUstream))              \
    X(cuMemcpy3DPeer, "cuMemcpy3DPeer", 4000, (const CUDA_MEMCPY3D_PEER *))                        \
    X(cuMemcpy3DPeerAsync, "cuMemcpy3DPeerAsync", 4000, (const CUDA_MEMCPY3D_PEER *, CUstream))    \
    X(cuMemsetD8_v2, "cuMemsetD8", 3020, (CUdeviceptr, unsigned char, size_t))                     \
    X(cuMemsetD16_v2, "cuMemsetD16", 3020, (CUdeviceptr, unsigned short, size_t))                  \
    X(cuMemsetD32_v2, "cuMemsetD32", 3020, (CUdeviceptr, unsigned int, size_t))                    \
    X(cuMemsetD8Async, "cuMemsetD8Async", 3020, (CUdeviceptr, unsigned char, size_t, CUstream))    \
    X(cuMemsetD16Async, "cuMemsetD16Async", 3020, (CUdeviceptr, unsigned short, size_t, CUstream)) \
    X(cuMemsetD32Async, "cuMemsetD32Async", 3020, (CUdeviceptr, unsigned int, size_t, CUstream))   \
    X(cuMemsetD2D8Async, "cuMemsetD2D8Async", 3020,                                                \
      (CUdeviceptr, size_t, unsigned char, size_t, size_t, CUstream))                              \
    X(cuMemsetD2D16Async, "cuMemsetD2D16Async", 3020,                                              \
      (CUdeviceptr, size_t, unsigned short, size_t, size_t, CUstream))                             \
    X(cuMemsetD2D32Async, "cuMemsetD2D32Async", 3020,                                              \
      (CUdeviceptr, size_t, unsigned int, size_t, size_t, CUstream))

#define SIM_CUDA_STREAM_FUNCTIONS(X)                                                               \
    X(cuStreamCreate, "cuStreamCreate", 2000, (CUstream *, unsigned int))                          \
    X(cuStreamCreateWithPriority, "cuStreamCreateWithPriority", 5050,                              \
      (CUstream *, unsigned int, int))                                                             \
    X(cuStreamDestroy_v2, "cuStreamDestroy", 4000, (CUstream))                                     \
    X(cuStreamSynchronize, "cuStreamSynchronize", 2000, (CUstream))                                \
    X(cuStreamQuery, "cuStreamQuery", 2000, (CUstream))                                            \
    X(cuStreamWaitEvent, "cuStreamWaitEvent", 3020, (CUstream, CUevent, unsigned int))             \
    X(cuStreamGetFlags, "cuStreamGetFlags", 5050, (CUstream, unsigned int *))                      \
    X(cuStreamGetPriority, "cuStreamGetPriority", 5050, (CUstream, int *))                         \
    X(cuStreamGetCtx, "cuStreamGetCtx", 9020, (CUstream, CUcontext *))                             \
    X(cuStreamGetId, "cuStreamGetId", 12000, (CUstream, unsigned long long *))                     \
    X(cuStreamBeginCapture_v2, "cuStreamBeginCapture", 10010, (CUstream, CUstreamCaptureMode))     \
    X(cuStreamEndCapture, "cuStreamEndCapture", 10000, (CUstream, CUgraph *))                      \
    X(cuStreamIsCapturing, "cuStreamIsCapturing", 10000, (CUstream, CUstreamCaptureStatus *))      \
    X(cuThreadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode", 10010,               \
      (CUstreamCaptureMode *))                                                                     \
    X(cuGraphInstantiateWithFlags, "cuGraphInstantiateWithFlags", 11040,                           \
      (CUgraphExec *, CUgraph, unsigned long long))                                                \
    X(cuGraphLaunch, "cuGraphLaunch", 10000, (CUgraphExec, CUstream))                              \
    X(cuGraphGetNodes, "cuGraphGetNodes", 10000, (CUgraph, CUgraphNode *, size_t *))               \
    X(cuGraphExecDestroy, "cuGraphExecDestroy", 10000, (CUgraphExec))                              \
    X(cuGraphDestroy, "cuGraphDestroy", 10000, (CUgraph))                                          \
    X(cuEventCreate, "cuEventCreate", 2000, (CUevent *, unsigned int))                             \
    X(cuEventDestroy_v2, "cuEventDestroy", 4000, (CUevent))                                        \
    X(cuEventRecord, "cuEventRecord", 2000, (CUevent, CUstream))                                   \
    X(cuEventSynchronize, "cuEventSynchronize", 2000, (CUevent))                                   \
    X(cuEventQuery, "cuEventQuery", 2000, (CUevent))                                               \
    X(cuEventElapsedTime_v2, "cuEventElapsedTime", 12080, (float *, CUevent, CUevent))             \
    X(cuLaunchHostFunc, "cuLaunchHostFunc", 10000, (CUstream, CUhostFn, void *))

#define SIM_CUDA_MODULE_FUNCTIONS(X)                                                               \
    X(cuModuleLoadData, "cuModuleLoadData", 2000, (CUmodule *, const void *))                      \
    X(cuModuleLoadDataEx, "cuModuleLoadDataEx", 2010,                                              \
      (CUmodule *, const void *, unsigned int, CUjit_option *, void **))                           \
    X(cuModuleUnload, "cuModuleUnload", 2000, (CUmodule))                                          \
    X(cuModuleGetFunction, "cuModuleGetFunction", 2000, (CUfunction *, CUmodule, const char *))    \
    X(cuModuleGetGlobal_v2, "cuModuleGetGlobal", 3020,                                             \
      (CUdeviceptr *, size_t *, CUmodule, const char *))                                           \
    X(cuFuncGetAttribute, "cuFuncGetAttribute", 2020, (int *, CUfunction_attribute, CUfunction))   \
    X(cuFuncSetAttribute, "cuFuncSetAttribute", 9000, (CUfunction, CUfunction_attribute, int))     \
    X(cuFuncLoad, "cuFuncLoad", 12040, (CUfunction))                                               \
    X(cuLaunchKernel, "cuLaunchKernel", 4000,                                                      \
      (CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,           \
       unsigned int, unsigned int, CUstream, void **, void **))

#define SIM_CUDA_NEW_FUNCTIONS(X)                                                                  \
    SIM_CUDA_DEVICE_FUNCTIONS(X)                                                                   \
    SIM_CUDA_CONTEXT_FUNCTIONS(X)                                                                  \
    SIM_CUDA_MEMORY_FUNCTIONS(X)                                                                   \
    SIM_CUDA_COPY_FUNCTIONS(X)                                                                     \
    SIM_CUDA_STREAM_FUNCTIONS(X)                                                                   \
    SIM_CUDA_MODULE_FUNCTIONS(X)

#endif /* ASTRIDE_TESTS_SIMULATORS_CUDA_ENTRY_POINTS_H */
