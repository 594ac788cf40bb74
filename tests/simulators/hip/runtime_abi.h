/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The part of the HIP runtime's interface that the simulated one has, as the vendor's headers
 * declare it (hip/hip_runtime_api.h, hip/driver_types.h and hip/hiprtc.h of ROCm 5.2.3 and 6.3),
 * written down apart from what the backend declares for itself.
 */
#ifndef ASTRIDE_TESTS_SIMULATORS_HIP_RUNTIME_ABI_H
#define ASTRIDE_TESTS_SIMULATORS_HIP_RUNTIME_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef int hipError_t;
typedef int hiprtcResult;
typedef int hipDevice_t;
typedef void *hipDeviceptr_t;
typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef struct ihipGraph *hipGraph_t;
typedef struct hipGraphExec *hipGraphExec_t;
typedef struct hipArray *hipArray_t;
typedef struct _hiprtcProgram *hiprtcProgram;
typedef void (*hipHostFn_t)(void *);
typedef void (*hipStreamCallback_t)(hipStream_t, hipError_t, void *);

/* X(NAME, VALUE): results. */
#define SIM_HIP_RESULTS(X)                                                                         \
    X(hipSuccess, 0)                                                                               \
    X(hipErrorInvalidValue, 1)                                                                     \
    X(hipErrorOutOfMemory, 2)                                                                      \
    X(hipErrorNotInitialized, 3)                                                                   \
    X(hipErrorInvalidPitchValue, 12)                                                               \
    X(hipErrorInvalidDevicePointer, 17)                                                            \
    X(hipErrorInvalidMemcpyDirection, 21)                                                          \
    X(hipErrorNoDevice, 100)                                                                       \
    X(hipErrorInvalidDevice, 101)                                                                  \
    X(hipErrorInvalidImage, 200)                                                                   \
    X(hipErrorNoBinaryForGpu, 209)                                                                 \
    X(hipErrorInvalidHandle, 400)                                                                  \
    X(hipErrorIllegalState, 401)                                                                   \
    X(hipErrorNotFound, 500)                                                                       \
    X(hipErrorNotReady, 600)                                                                       \
    X(hipErrorIllegalAddress, 700)                                                                 \
    X(hipErrorPeerAccessAlreadyEnabled, 704)                                                       \
    X(hipErrorHostMemoryAlreadyRegistered, 712)                                                    \
    X(hipErrorHostMemoryNotRegistered, 713)                                                        \
    X(hipErrorLaunchFailure, 719)                                                                  \
    X(hipErrorNotSupported, 801)                                                                   \
    X(hipErrorStreamCaptureUnsupported, 900)                                                       \
    X(hipErrorStreamCaptureInvalidated, 901)                                                       \
    X(hipErrorCapturedEvent, 907)                                                                  \
    X(hipErrorUnknown, 999)
#define SIM_HIP_ENUMERATOR(name, value) name = value,
enum { SIM_HIP_RESULTS(SIM_HIP_ENUMERATOR) };
#undef SIM_HIP_ENUMERATOR

enum {
    HIPRTC_SUCCESS = 0,
    HIPRTC_ERROR_OUT_OF_MEMORY = 1,
    HIPRTC_ERROR_INVALID_INPUT = 3,
    HIPRTC_ERROR_INVALID_PROGRAM = 4,
    HIPRTC_ERROR_INVALID_OPTION = 5,
    HIPRTC_ERROR_COMPILATION = 6
};

/* hipMemcpyKind */
enum {
    hipMemcpyHostToHost,
    hipMemcpyHostToDevice,
    hipMemcpyDeviceToHost,
    hipMemcpyDeviceToDevice,
    hipMemcpyDefault
};

/* hipDeviceAttribute_t: the same numbers in ROCm 5, 6 and 7. */
enum {
    hipDeviceAttributeCanMapHostMemory = 3,
    hipDeviceAttributeCanUseHostPointerForRegisteredMem = 4,
    hipDeviceAttributeConcurrentManagedAccess = 9,
    hipDeviceAttributeIntegrated = 16,
    hipDeviceAttributeManagedMemory = 24,
    hipDeviceAttributeMaxThreadsPerBlock = 56,
    hipDeviceAttributeMaxPitch = 58,
    hipDeviceAttributeMemoryBusWidth = 59,
    hipDeviceAttributeMemoryClockRate = 60,
    hipDeviceAttributeMultiprocessorCount = 63,
    hipDeviceAttributePageableMemoryAccess = 65,
    hipDeviceAttributePciBusId = 67,
    hipDeviceAttributePciDeviceId = 68,
    hipDeviceAttributePciDomainID = 69,
    hipDeviceAttributeUnifiedAddressing = 85,
    hipDeviceAttributeWarpSize = 87
};

/* hipStreamCaptureStatus */
enum {
    hipStreamCaptureStatusNone,
    hipStreamCaptureStatusActive,
    hipStreamCaptureStatusInvalidated
};

typedef struct hipPos {
    size_t x, y, z;
} hipPos;
typedef struct hipPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
} hipPitchedPtr;
typedef struct hipExtent {
    size_t width, height, depth;
} hipExtent;
typedef struct hipMemcpy3DParms {
    hipArray_t srcArray;
    hipPos srcPos;
    hipPitchedPtr srcPtr;
    hipArray_t dstArray;
    hipPos dstPos;
    hipPitchedPtr dstPtr;
    hipExtent extent;
    int kind;
} hipMemcpy3DParms;
typedef struct hipPointerAttribute_t {
    int type; /* memoryType in ROCm 5 */
    int device;
    void *devicePointer, *hostPointer;
    int isManaged;
    unsigned allocationFlags;
} hipPointerAttribute_t;
typedef struct hipUUID {
    char bytes[16];
} hipUUID;

/* X(NAME, (PARAMETERS)): the functions. */
#define SIM_HIP_FUNCTIONS(X)                                                                       \
    X(hipInit, (unsigned))                                                                         \
    X(hipDriverGetVersion, (int *))                                                                \
    X(hipRuntimeGetVersion, (int *))                                                               \
    X(hipGetDeviceCount, (int *))                                                                  \
    X(hipGetDevice, (int *))                                                                       \
    X(hipSetDevice, (int))                                                                         \
    X(hipDeviceSynchronize, (void))                                                                \
    X(hipDeviceGetName, (char *, int, hipDevice_t))                                                \
    X(hipDeviceTotalMem, (size_t *, hipDevice_t))                                                  \
    X(hipDeviceGetUuid, (hipUUID *, hipDevice_t))                                                  \
    X(hipDeviceGetAttribute, (int *, int, int))                                                    \
    X(hipGetDeviceProperties, (void *, int))                                                       \
    X(hipGetDevicePropertiesR0600, (void *, int))                                                  \
    X(hipDeviceCanAccessPeer, (int *, int, int))                                                   \
    X(hipDeviceEnablePeerAccess, (int, unsigned))                                                  \
    X(hipMalloc, (void **, size_t))                                                                \
    X(hipFree, (void *))                                                                           \
    X(hipHostMalloc, (void **, size_t, unsigned))                                                  \
    X(hipHostFree, (void *))                                                                       \
    X(hipMallocManaged, (void **, size_t, unsigned))                                               \
    X(hipHostRegister, (void *, size_t, unsigned))                                                 \
    X(hipHostUnregister, (void *))                                                                 \
    X(hipHostGetDevicePointer, (void **, void *, unsigned))                                        \
    X(hipPointerGetAttributes, (hipPointerAttribute_t *, const void *))                            \
    X(hipMemGetAddressRange, (hipDeviceptr_t *, size_t *, hipDeviceptr_t))                         \
    X(hipMemcpyAsync, (void *, const void *, size_t, int, hipStream_t))                            \
    X(hipMemcpy2DAsync, (void *, size_t, const void *, size_t, size_t, size_t, int, hipStream_t))  \
    X(hipMemcpy3DAsync, (const hipMemcpy3DParms *, hipStream_t))                                   \
    X(hipMemsetD8Async, (hipDeviceptr_t, unsigned char, size_t, hipStream_t))                      \
    X(hipMemsetD16Async, (hipDeviceptr_t, unsigned short, size_t, hipStream_t))                    \
    X(hipMemsetD32Async, (hipDeviceptr_t, int, size_t, hipStream_t))                               \
    X(hipMemset2DAsync, (void *, size_t, int, size_t, size_t, hipStream_t))                        \
    X(hipStreamCreateWithFlags, (hipStream_t *, unsigned))                                         \
    X(hipStreamDestroy, (hipStream_t))                                                             \
    X(hipStreamSynchronize, (hipStream_t))                                                         \
    X(hipStreamQuery, (hipStream_t))                                                               \
    X(hipStreamWaitEvent, (hipStream_t, hipEvent_t, unsigned))                                     \
    X(hipStreamIsCapturing, (hipStream_t, int *))                                                  \
    X(hipStreamBeginCapture, (hipStream_t, int))                                                   \
    X(hipStreamEndCapture, (hipStream_t, hipGraph_t *))                                            \
    X(hipGraphInstantiate, (hipGraphExec_t *, hipGraph_t, void *, char *, size_t))                 \
    X(hipGraphLaunch, (hipGraphExec_t, hipStream_t))                                               \
    X(hipGraphDestroy, (hipGraph_t))                                                               \
    X(hipGraphExecDestroy, (hipGraphExec_t))                                                       \
    X(hipLaunchHostFunc, (hipStream_t, hipHostFn_t, void *))                                       \
    X(hipStreamAddCallback, (hipStream_t, hipStreamCallback_t, void *, unsigned))                  \
    X(hipEventCreateWithFlags, (hipEvent_t *, unsigned))                                           \
    X(hipEventDestroy, (hipEvent_t))                                                               \
    X(hipEventRecord, (hipEvent_t, hipStream_t))                                                   \
    X(hipEventSynchronize, (hipEvent_t))                                                           \
    X(hipEventQuery, (hipEvent_t))                                                                 \
    X(hipModuleLoadData, (hipModule_t *, const void *))                                            \
    X(hipModuleUnload, (hipModule_t))                                                              \
    X(hipModuleGetFunction, (hipFunction_t *, hipModule_t, const char *))                          \
    X(hipModuleLaunchKernel, (hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned,     \
                              unsigned, unsigned, hipStream_t, void **, void **))

/* Those that neither fail nor are counted. */
#define SIM_HIP_QUIET_FUNCTIONS(X)                                                                 \
    X(hipGetLastError, (void))                                                                     \
    X(hipPeekAtLastError, (void))

/* The compiler's. */
#define SIM_HIPRTC_FUNCTIONS(X)                                                                    \
    X(hiprtcVersion, (int *, int *))                                                               \
    X(hiprtcCreateProgram,                                                                         \
      (hiprtcProgram *, const char *, const char *, int, const char **, const char **))            \
    X(hiprtcCompileProgram, (hiprtcProgram, int, const char **))                                   \
    X(hiprtcGetProgramLogSize, (hiprtcProgram, size_t *))                                          \
    X(hiprtcGetProgramLog, (hiprtcProgram, char *))                                                \
    X(hiprtcGetCodeSize, (hiprtcProgram, size_t *))                                                \
    X(hiprtcGetCode, (hiprtcProgram, char *))                                                      \
    X(hiprtcDestroyProgram, (hiprtcProgram *))

#endif /* ASTRIDE_TESTS_SIMULATORS_HIP_RUNTIME_ABI_H */
