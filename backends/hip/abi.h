/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The part of the HIP runtime's binary interface that this backend uses, declared here so that it
 * is built where no SDK is, and the same in the releases 5, 6 and 7 of ROCm. All of it is tables;
 * tests/hip/abi_check.c includes the real headers first, in which case only structures are declared
 * here (under names of our own), and holds every table against them. Enumerations of the interface
 * have the size of unsigned int.
 */
#ifndef ASTRIDE_BACKENDS_HIP_ABI_H
#define ASTRIDE_BACKENDS_HIP_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "entry_points.h"

/* X(TYPE, WHAT-IT-IS) */
#define ASTRIDE__HIP_TYPES(X)                                                                      \
    X(hipError_t, unsigned int)                                                                    \
    X(hiprtcResult, unsigned int)                                                                  \
    X(hipDevice_t, int)                                                                            \
    X(hipDeviceptr_t, void *)                                                                      \
    X(hipMemcpyKind, unsigned int)                                                                 \
    X(hipDeviceAttribute_t, unsigned int)                                                          \
    X(hipStreamCaptureStatus, unsigned int)                                                        \
    X(hipStream_t, struct ihipStream_t *)                                                          \
    X(hipEvent_t, struct ihipEvent_t *)                                                            \
    X(hipModule_t, struct ihipModule_t *)                                                          \
    X(hipFunction_t, struct ihipModuleSymbol_t *)                                                  \
    X(hipArray_t, struct hipArray *)                                                               \
    X(hiprtcProgram, struct _hiprtcProgram *)

/* X(NAME, VALUE) */
#define ASTRIDE__HIP_CONSTANTS(X)                                                                  \
    X(hipMemcpyHostToHost, 0)                                                                      \
    X(hipMemcpyHostToDevice, 1)                                                                    \
    X(hipMemcpyDeviceToHost, 2)                                                                    \
    X(hipMemcpyDeviceToDevice, 3)                                                                  \
    X(hipDeviceAttributeCanUseHostPointerForRegisteredMem, 4)                                      \
    X(hipDeviceAttributeConcurrentManagedAccess, 9)                                                \
    X(hipDeviceAttributeManagedMemory, 24)                                                         \
    X(hipDeviceAttributeMaxPitch, 58)                                                              \
    X(hipDeviceAttributeMemoryBusWidth, 59)                                                        \
    X(hipDeviceAttributeMemoryClockRate, 60)                                                       \
    X(hipDeviceAttributeMultiprocessorCount, 63)                                                   \
    X(hipDeviceAttributePageableMemoryAccess, 65)                                                  \
    X(hipDeviceAttributePciBusId, 67)                                                              \
    X(hipDeviceAttributePciDeviceId, 68)                                                           \
    X(hipDeviceAttributePciDomainID, 69)                                                           \
    X(hipStreamCaptureStatusNone, 0)                                                               \
    X(HIPRTC_SUCCESS, 0)

/* X(NAME, VALUE): those that are macros in the real headers. */
#define ASTRIDE__HIP_FLAGS(X)                                                                      \
    X(hipStreamNonBlocking, 1)                                                                     \
    X(hipEventDisableTiming, 2)                                                                    \
    X(hipHostMallocPortable, 1)                                                                    \
    X(hipHostMallocMapped, 2)                                                                      \
    X(hipHostRegisterPortable, 1)                                                                  \
    X(hipHostRegisterMapped, 2)                                                                    \
    X(hipMemAttachGlobal, 1)

/* X(NAME, VALUE): error codes; errors.c names them in messages. */
#define ASTRIDE__HIP_ERRORS(X)                                                                     \
    X(hipSuccess, 0)                                                                               \
    X(hipErrorInvalidValue, 1)                                                                     \
    X(hipErrorOutOfMemory, 2)                                                                      \
    X(hipErrorNotInitialized, 3)                                                                   \
    X(hipErrorDeinitialized, 4)                                                                    \
    X(hipErrorProfilerDisabled, 5)                                                                 \
    X(hipErrorProfilerNotInitialized, 6)                                                           \
    X(hipErrorProfilerAlreadyStarted, 7)                                                           \
    X(hipErrorProfilerAlreadyStopped, 8)                                                           \
    X(hipErrorInvalidConfiguration, 9)                                                             \
    X(hipErrorInvalidPitchValue, 12)                                                               \
    X(hipErrorInvalidSymbol, 13)                                                                   \
    X(hipErrorInvalidDevicePointer, 17)                                                            \
    X(hipErrorInvalidMemcpyDirection, 21)                                                          \
    X(hipErrorInsufficientDriver, 35)                                                              \
    X(hipErrorMissingConfiguration, 52)                                                            \
    X(hipErrorPriorLaunchFailure, 53)                                                              \
    X(hipErrorInvalidDeviceFunction, 98)                                                           \
    X(hipErrorNoDevice, 100)                                                                       \
    X(hipErrorInvalidDevice, 101)                                                                  \
    X(hipErrorInvalidImage, 200)                                                                   \
    X(hipErrorInvalidContext, 201)                                                                 \
    X(hipErrorContextAlreadyCurrent, 202)                                                          \
    X(hipErrorMapFailed, 205)                                                                      \
    X(hipErrorUnmapFailed, 206)                                                                    \
    X(hipErrorArrayIsMapped, 207)                                                                  \
    X(hipErrorAlreadyMapped, 208)                                                                  \
    X(hipErrorNoBinaryForGpu, 209)                                                                 \
    X(hipErrorAlreadyAcquired, 210)                                                                \
    X(hipErrorNotMapped, 211)                                                                      \
    X(hipErrorNotMappedAsArray, 212)                                                               \
    X(hipErrorNotMappedAsPointer, 213)                                                             \
    X(hipErrorECCNotCorrectable, 214)                                                              \
    X(hipErrorUnsupportedLimit, 215)                                                               \
    X(hipErrorContextAlreadyInUse, 216)                                                            \
    X(hipErrorPeerAccessUnsupported, 217)                                                          \
    X(hipErrorInvalidKernelFile, 218)                                                              \
    X(hipErrorInvalidGraphicsContext, 219)                                                         \
    X(hipErrorInvalidSource, 300)                                                                  \
    X(hipErrorFileNotFound, 301)                                                                   \
    X(hipErrorSharedObjectSymbolNotFound, 302)                                                     \
    X(hipErrorSharedObjectInitFailed, 303)                                                         \
    X(hipErrorOperatingSystem, 304)                                                                \
    X(hipErrorInvalidHandle, 400)                                                                  \
    X(hipErrorIllegalState, 401)                                                                   \
    X(hipErrorNotFound, 500)                                                                       \
    X(hipErrorNotReady, 600)                                                                       \
    X(hipErrorIllegalAddress, 700)                                                                 \
    X(hipErrorLaunchOutOfResources, 701)                                                           \
    X(hipErrorLaunchTimeOut, 702)                                                                  \
    X(hipErrorPeerAccessAlreadyEnabled, 704)                                                       \
    X(hipErrorPeerAccessNotEnabled, 705)                                                           \
    X(hipErrorSetOnActiveProcess, 708)                                                             \
    X(hipErrorContextIsDestroyed, 709)                                                             \
    X(hipErrorAssert, 710)                                                                         \
    X(hipErrorHostMemoryAlreadyRegistered, 712)                                                    \
    X(hipErrorHostMemoryNotRegistered, 713)                                                        \
    X(hipErrorLaunchFailure, 719)                                                                  \
    X(hipErrorCooperativeLaunchTooLarge, 720)                                                      \
    X(hipErrorNotSupported, 801)                                                                   \
    X(hipErrorStreamCaptureUnsupported, 900)                                                       \
    X(hipErrorStreamCaptureInvalidated, 901)                                                       \
    X(hipErrorStreamCaptureMerge, 902)                                                             \
    X(hipErrorStreamCaptureUnmatched, 903)                                                         \
    X(hipErrorStreamCaptureUnjoined, 904)                                                          \
    X(hipErrorStreamCaptureIsolation, 905)                                                         \
    X(hipErrorStreamCaptureImplicit, 906)                                                          \
    X(hipErrorCapturedEvent, 907)                                                                  \
    X(hipErrorStreamCaptureWrongThread, 908)                                                       \
    X(hipErrorGraphExecUpdateFailure, 910)                                                         \
    X(hipErrorUnknown, 999)                                                                        \
    X(hipErrorRuntimeMemory, 1052)                                                                 \
    X(hipErrorRuntimeOther, 1053)

#ifndef HIP_INCLUDE_HIP_HIP_RUNTIME_API_H /* The real headers are not there. */
#define ASTRIDE__HIP_TYPEDEF(name, what) typedef what name;
ASTRIDE__HIP_TYPES(ASTRIDE__HIP_TYPEDEF)
#undef ASTRIDE__HIP_TYPEDEF
typedef void (*hipHostFn_t)(void *);
typedef void (*hipStreamCallback_t)(hipStream_t, hipError_t, void *);
#define ASTRIDE__HIP_ENUMERATOR(name, value) name = value,
enum { ASTRIDE__HIP_ERRORS(ASTRIDE__HIP_ENUMERATOR) };
enum { ASTRIDE__HIP_CONSTANTS(ASTRIDE__HIP_ENUMERATOR) };
enum { ASTRIDE__HIP_FLAGS(ASTRIDE__HIP_ENUMERATOR) };
#undef ASTRIDE__HIP_ENUMERATOR
#endif

/* Structures: X(TYPE, FIELD) in the order of the interface. */
#define ASTRIDE__HIP_POS_FIELDS(X)                                                                 \
    X(size_t, x)                                                                                   \
    X(size_t, y)                                                                                   \
    X(size_t, z)
#define ASTRIDE__HIP_PITCHED_PTR_FIELDS(X)                                                         \
    X(void *, ptr)                                                                                 \
    X(size_t, pitch)                                                                               \
    X(size_t, xsize)                                                                               \
    X(size_t, ysize)
#define ASTRIDE__HIP_EXTENT_FIELDS(X)                                                              \
    X(size_t, width)                                                                               \
    X(size_t, height)                                                                              \
    X(size_t, depth)

#define ASTRIDE__HIP_FIELD(type, name) type name;
typedef struct astride__hip_pos {
    ASTRIDE__HIP_POS_FIELDS(ASTRIDE__HIP_FIELD)
} astride__hip_pos;
typedef struct astride__hip_pitched_ptr {
    ASTRIDE__HIP_PITCHED_PTR_FIELDS(ASTRIDE__HIP_FIELD)
} astride__hip_pitched_ptr;
typedef struct astride__hip_extent {
    ASTRIDE__HIP_EXTENT_FIELDS(ASTRIDE__HIP_FIELD)
} astride__hip_extent;
#undef ASTRIDE__HIP_FIELD
typedef struct astride__hip_memcpy3d {
    hipArray_t srcArray;
    astride__hip_pos srcPos;
    astride__hip_pitched_ptr srcPtr;
    hipArray_t dstArray;
    astride__hip_pos dstPos;
    astride__hip_pitched_ptr dstPtr;
    astride__hip_extent extent;
    hipMemcpyKind kind;
} astride__hip_memcpy3d;
/* `type` is called memoryType in ROCm 5, and its values are others there; see import.c. */
typedef struct astride__hip_pointer_attributes {
    unsigned int type;
    int device;
    void *devicePointer;
    void *hostPointer;
    int isManaged;
    unsigned int allocationFlags;
} astride__hip_pointer_attributes;
typedef struct astride__hip_uuid {
    char bytes[16];
} astride__hip_uuid;

#ifndef HIP_INCLUDE_HIP_HIP_RUNTIME_API_H
typedef astride__hip_memcpy3d hipMemcpy3DParms;
typedef astride__hip_pitched_ptr hipPitchedPtr;
typedef astride__hip_pointer_attributes hipPointerAttribute_t;
typedef astride__hip_uuid hipUUID;
#endif

/*
 * hipDeviceProp_t has another layout in each of its two versions, both of which are called by a
 * name of their own since ROCm 6, the older one by the plain name before. Only one text in them is
 * read: the name of the architecture, whose place is a fact of the interface like a number.
 */
#define ASTRIDE__HIP_PROPERTIES "hipGetDeviceProperties"
#define ASTRIDE__HIP_PROPERTIES_R0600 "hipGetDevicePropertiesR0600"
enum {
    ASTRIDE__HIP_PROPERTIES_BYTES = 4096, /* more than any version has */
    ASTRIDE__HIP_ARCHITECTURE_AT = 396,
    ASTRIDE__HIP_ARCHITECTURE_AT_R0600 = 1160,
    ASTRIDE__HIP_ARCHITECTURE_BYTES = 256
};
typedef hipError_t (*astride__hip_get_properties)(void *properties, int device);

/* A number of hipRuntimeGetVersion is 10,000,000 * major + 100,000 * minor + patch
   (hip/hip_version.h). */
#define ASTRIDE__HIP_VERSION_MAJOR 10000000
#define ASTRIDE__HIP_VERSION_6 (6 * ASTRIDE__HIP_VERSION_MAJOR)

/* The runtime's functions by name: api.StreamQuery is hipStreamQuery. */
typedef struct astride__hip_api {
#define ASTRIDE__HIP_MEMBER(need, name, parameters) hipError_t(*name) parameters;
    ASTRIDE__HIP_FUNCTIONS(ASTRIDE__HIP_MEMBER)
#undef ASTRIDE__HIP_MEMBER
    astride__hip_get_properties GetDeviceProperties, GetDevicePropertiesR0600; /* either or both */
} astride__hip_api;

/* The compiler's functions by name: api.CompileProgram is hiprtcCompileProgram. */
typedef struct astride__hiprtc_api {
#define ASTRIDE__HIPRTC_MEMBER(need, name, parameters) hiprtcResult(*name) parameters;
    ASTRIDE__HIPRTC_FUNCTIONS(ASTRIDE__HIPRTC_MEMBER)
#undef ASTRIDE__HIPRTC_MEMBER
} astride__hiprtc_api;

#endif /* ASTRIDE_BACKENDS_HIP_ABI_H */
