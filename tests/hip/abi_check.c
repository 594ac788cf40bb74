/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Holds our declarations of the HIP runtime's interface against AMD's own headers. There is nothing
 * to run: what differs does not compile. Built where configure found the headers.
 */
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include "backends/hip/abi.h"

#define SAME_TYPE(type, ...) _Generic((type)0, __VA_ARGS__ : 1, default : 0)

/* Scalar types and handles. A C enumeration is a type that is compatible with its integer's. */
#define CHECK_TYPE(type, what)                                                                     \
    _Static_assert(SAME_TYPE(type, what), #type " is another type than " #what);                   \
    _Static_assert(sizeof(type) == sizeof(what), #type " has another size than " #what);
ASTRIDE__HIP_TYPES(CHECK_TYPE)
_Static_assert(SAME_TYPE(hipHostFn_t, void (*)(void *)), "hipHostFn_t is another type");
_Static_assert(SAME_TYPE(hipStreamCallback_t, void (*)(hipStream_t, hipError_t, void *)),
               "hipStreamCallback_t is another type");

/* Constants. */
#define CHECK_VALUE(name, value)                                                                   \
    _Static_assert((long long)(name) == (value), #name " has another value than " #value);
ASTRIDE__HIP_CONSTANTS(CHECK_VALUE)
ASTRIDE__HIP_FLAGS(CHECK_VALUE)
ASTRIDE__HIP_ERRORS(CHECK_VALUE)

/* Structures: each field's place and size, and that no field is missing. */
#define CHECK_FIELD(ours, our_name, theirs, their_name)                                            \
    _Static_assert(offsetof(ours, our_name) == offsetof(theirs, their_name),                       \
                   #theirs "." #their_name " is elsewhere");                                       \
    _Static_assert(sizeof(((ours *)NULL)->our_name) == sizeof(((theirs *)NULL)->their_name),       \
                   #theirs "." #their_name " has another size");
#define CHECK_SIZE(ours, theirs)                                                                   \
    _Static_assert(sizeof(ours) == sizeof(theirs), #theirs " has another size");                   \
    _Static_assert(_Alignof(ours) == _Alignof(theirs), #theirs " has another alignment");

#define CHECK_POS(type, name) CHECK_FIELD(astride__hip_pos, name, struct hipPos, name)
ASTRIDE__HIP_POS_FIELDS(CHECK_POS)
CHECK_SIZE(astride__hip_pos, struct hipPos)
#define CHECK_PITCHED(type, name)                                                                  \
    CHECK_FIELD(astride__hip_pitched_ptr, name, struct hipPitchedPtr, name)
ASTRIDE__HIP_PITCHED_PTR_FIELDS(CHECK_PITCHED)
CHECK_SIZE(astride__hip_pitched_ptr, struct hipPitchedPtr)
#define CHECK_EXTENT(type, name) CHECK_FIELD(astride__hip_extent, name, struct hipExtent, name)
ASTRIDE__HIP_EXTENT_FIELDS(CHECK_EXTENT)
CHECK_SIZE(astride__hip_extent, struct hipExtent)
#define CHECK_COPY(name) CHECK_FIELD(astride__hip_memcpy3d, name, struct hipMemcpy3DParms, name)
CHECK_COPY(srcArray)
CHECK_COPY(srcPos)
CHECK_COPY(srcPtr)
CHECK_COPY(dstArray)
CHECK_COPY(dstPos)
CHECK_COPY(dstPtr)
CHECK_COPY(extent)
CHECK_COPY(kind)
CHECK_SIZE(astride__hip_memcpy3d, struct hipMemcpy3DParms)

#define CHECK_ATTRIBUTE(name)                                                                      \
    CHECK_FIELD(astride__hip_pointer_attributes, name, hipPointerAttribute_t, name)
CHECK_ATTRIBUTE(device)
CHECK_ATTRIBUTE(devicePointer)
CHECK_ATTRIBUTE(hostPointer)
CHECK_ATTRIBUTE(isManaged)
CHECK_ATTRIBUTE(allocationFlags)
CHECK_SIZE(astride__hip_pointer_attributes, hipPointerAttribute_t)
CHECK_SIZE(astride__hip_uuid, hipUUID)

/* The name of the architecture, in the layout of the version that the headers are of. */
#if HIP_VERSION_MAJOR < 6
enum { ARCHITECTURE_AT = ASTRIDE__HIP_ARCHITECTURE_AT };
#else
enum { ARCHITECTURE_AT = ASTRIDE__HIP_ARCHITECTURE_AT_R0600 };
#endif
_Static_assert(offsetof(hipDeviceProp_t, gcnArchName) == ARCHITECTURE_AT, "it is elsewhere");
_Static_assert(sizeof(((hipDeviceProp_t *)NULL)->gcnArchName) == ASTRIDE__HIP_ARCHITECTURE_BYTES,
               "it has another size");
_Static_assert(sizeof(hipDeviceProp_t) <= ASTRIDE__HIP_PROPERTIES_BYTES, "there is no room");

/* Functions. */
#define CHECK_FUNCTION(need, name, parameters)                                                     \
    _Static_assert(_Generic(&hip##name, hipError_t(*) parameters : 1, default : 0),                \
                   "hip" #name " has other parameters");
ASTRIDE__HIP_FUNCTIONS(CHECK_FUNCTION)
#define CHECK_COMPILER_FUNCTION(need, name, parameters)                                            \
    _Static_assert(_Generic(&hiprtc##name, hiprtcResult(*) parameters : 1, default : 0),           \
                   "hiprtc" #name " has other parameters");
ASTRIDE__HIPRTC_FUNCTIONS(CHECK_COMPILER_FUNCTION)
