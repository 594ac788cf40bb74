/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The part of OpenCL's binary interface that this backend uses, declared here so that it is built
 * where no OpenCL headers are. Types have the names of the standard (repeating a typedef is legal C
 * where the types are the same, so that a compiler that sees the real headers too proves them
 * equal); constants and functions are tables, which tests/abi/test_opencl_abi.c holds against the
 * real headers. OpenCL calls have the platform's C calling convention everywhere but on 32-bit
 * Windows.
 */
#ifndef ASTRIDE_BACKENDS_OPENCL_ABI_H
#define ASTRIDE_BACKENDS_OPENCL_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef cl_uint cl_bool;
typedef cl_ulong cl_bitfield;
typedef cl_bitfield cl_device_type;
typedef cl_bitfield cl_mem_flags;
typedef cl_bitfield cl_svm_mem_flags;
typedef cl_bitfield cl_map_flags;
typedef cl_bitfield cl_command_queue_properties;
typedef cl_uint cl_platform_info;
typedef cl_uint cl_device_info;
typedef cl_uint cl_context_info;
typedef cl_uint cl_command_queue_info;
typedef cl_uint cl_mem_info;
typedef cl_uint cl_program_build_info;
typedef cl_uint cl_kernel_work_group_info;
typedef cl_uint cl_event_info;
typedef cl_uint cl_profiling_info;
typedef intptr_t cl_context_properties;

typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;

/* X(NAME, VALUE) */
#define ASTRIDE__CL_CONSTANTS(X)                                                                   \
    X(CL_FALSE, 0)                                                                                 \
    X(CL_TRUE, 1)                                                                                  \
    X(CL_PLATFORM_VERSION, 0x0901)                                                                 \
    X(CL_PLATFORM_NAME, 0x0902)                                                                    \
    X(CL_PLATFORM_VENDOR, 0x0903)                                                                  \
    X(CL_DEVICE_TYPE_CPU, 1 << 1)                                                                  \
    X(CL_DEVICE_TYPE_ALL, 0xFFFFFFFF)                                                              \
    X(CL_DEVICE_TYPE, 0x1000)                                                                      \
    X(CL_DEVICE_MAX_COMPUTE_UNITS, 0x1002)                                                         \
    X(CL_DEVICE_MAX_WORK_GROUP_SIZE, 0x1004)                                                       \
    X(CL_DEVICE_MAX_MEM_ALLOC_SIZE, 0x1010)                                                        \
    X(CL_DEVICE_MAX_PARAMETER_SIZE, 0x1017)                                                        \
    X(CL_DEVICE_MEM_BASE_ADDR_ALIGN, 0x1019)                                                       \
    X(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 0x101D)                                                 \
    X(CL_DEVICE_GLOBAL_MEM_SIZE, 0x101F)                                                           \
    X(CL_DEVICE_LOCAL_MEM_SIZE, 0x1023)                                                            \
    X(CL_DEVICE_AVAILABLE, 0x1027)                                                                 \
    X(CL_DEVICE_COMPILER_AVAILABLE, 0x1028)                                                        \
    X(CL_DEVICE_NAME, 0x102B)                                                                      \
    X(CL_DEVICE_VERSION, 0x102F)                                                                   \
    X(CL_DEVICE_PLATFORM, 0x1031)                                                                  \
    X(CL_DEVICE_HOST_UNIFIED_MEMORY, 0x1035)                                                       \
    X(CL_DEVICE_SVM_CAPABILITIES, 0x1053)                                                          \
    X(CL_DEVICE_SVM_FINE_GRAIN_BUFFER, 1 << 1)                                                     \
    X(CL_CONTEXT_DEVICES, 0x1081)                                                                  \
    X(CL_CONTEXT_PLATFORM, 0x1084)                                                                 \
    X(CL_QUEUE_CONTEXT, 0x1090)                                                                    \
    X(CL_QUEUE_DEVICE, 0x1091)                                                                     \
    X(CL_QUEUE_PROPERTIES, 0x1093)                                                                 \
    X(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 1 << 0)                                              \
    X(CL_QUEUE_PROFILING_ENABLE, 1 << 1)                                                           \
    X(CL_MEM_READ_WRITE, 1 << 0)                                                                   \
    X(CL_MEM_WRITE_ONLY, 1 << 1)                                                                   \
    X(CL_MEM_READ_ONLY, 1 << 2)                                                                    \
    X(CL_MEM_USE_HOST_PTR, 1 << 3)                                                                 \
    X(CL_MEM_ALLOC_HOST_PTR, 1 << 4)                                                               \
    X(CL_MEM_HOST_WRITE_ONLY, 1 << 7)                                                              \
    X(CL_MEM_HOST_READ_ONLY, 1 << 8)                                                               \
    X(CL_MEM_HOST_NO_ACCESS, 1 << 9)                                                               \
    X(CL_MEM_SVM_FINE_GRAIN_BUFFER, 1 << 10)                                                       \
    X(CL_MEM_OBJECT_BUFFER, 0x10F0)                                                                \
    X(CL_MEM_TYPE, 0x1100)                                                                         \
    X(CL_MEM_FLAGS, 0x1101)                                                                        \
    X(CL_MEM_SIZE, 0x1102)                                                                         \
    X(CL_MEM_HOST_PTR, 0x1103)                                                                     \
    X(CL_MEM_CONTEXT, 0x1106)                                                                      \
    X(CL_MEM_ASSOCIATED_MEMOBJECT, 0x1107)                                                         \
    X(CL_MEM_OFFSET, 0x1108)                                                                       \
    X(CL_MAP_READ, 1 << 0)                                                                         \
    X(CL_MAP_WRITE, 1 << 1)                                                                        \
    X(CL_PROGRAM_BUILD_LOG, 0x1183)                                                                \
    X(CL_KERNEL_WORK_GROUP_SIZE, 0x11B0)                                                           \
    X(CL_EVENT_COMMAND_EXECUTION_STATUS, 0x11D3)                                                   \
    X(CL_COMPLETE, 0)                                                                              \
    X(CL_PROFILING_COMMAND_QUEUED, 0x1280)                                                         \
    X(CL_PROFILING_COMMAND_START, 0x1282)                                                          \
    X(CL_PROFILING_COMMAND_END, 0x1283)

/* X(NAME, VALUE): error codes; errors.c names them in messages. */
#define ASTRIDE__CL_ERRORS(X)                                                                      \
    X(CL_SUCCESS, 0)                                                                               \
    X(CL_DEVICE_NOT_FOUND, -1)                                                                     \
    X(CL_DEVICE_NOT_AVAILABLE, -2)                                                                 \
    X(CL_COMPILER_NOT_AVAILABLE, -3)                                                               \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE, -4)                                                        \
    X(CL_OUT_OF_RESOURCES, -5)                                                                     \
    X(CL_OUT_OF_HOST_MEMORY, -6)                                                                   \
    X(CL_PROFILING_INFO_NOT_AVAILABLE, -7)                                                         \
    X(CL_MEM_COPY_OVERLAP, -8)                                                                     \
    X(CL_IMAGE_FORMAT_MISMATCH, -9)                                                                \
    X(CL_IMAGE_FORMAT_NOT_SUPPORTED, -10)                                                          \
    X(CL_BUILD_PROGRAM_FAILURE, -11)                                                               \
    X(CL_MAP_FAILURE, -12)                                                                         \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET, -13)                                                        \
    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, -14)                                           \
    X(CL_COMPILE_PROGRAM_FAILURE, -15)                                                             \
    X(CL_LINKER_NOT_AVAILABLE, -16)                                                                \
    X(CL_LINK_PROGRAM_FAILURE, -17)                                                                \
    X(CL_DEVICE_PARTITION_FAILED, -18)                                                             \
    X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, -19)                                                       \
    X(CL_INVALID_VALUE, -30)                                                                       \
    X(CL_INVALID_DEVICE_TYPE, -31)                                                                 \
    X(CL_INVALID_PLATFORM, -32)                                                                    \
    X(CL_INVALID_DEVICE, -33)                                                                      \
    X(CL_INVALID_CONTEXT, -34)                                                                     \
    X(CL_INVALID_QUEUE_PROPERTIES, -35)                                                            \
    X(CL_INVALID_COMMAND_QUEUE, -36)                                                               \
    X(CL_INVALID_HOST_PTR, -37)                                                                    \
    X(CL_INVALID_MEM_OBJECT, -38)                                                                  \
    X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, -39)                                                     \
    X(CL_INVALID_IMAGE_SIZE, -40)                                                                  \
    X(CL_INVALID_SAMPLER, -41)                                                                     \
    X(CL_INVALID_BINARY, -42)                                                                      \
    X(CL_INVALID_BUILD_OPTIONS, -43)                                                               \
    X(CL_INVALID_PROGRAM, -44)                                                                     \
    X(CL_INVALID_PROGRAM_EXECUTABLE, -45)                                                          \
    X(CL_INVALID_KERNEL_NAME, -46)                                                                 \
    X(CL_INVALID_KERNEL_DEFINITION, -47)                                                           \
    X(CL_INVALID_KERNEL, -48)                                                                      \
    X(CL_INVALID_ARG_INDEX, -49)                                                                   \
    X(CL_INVALID_ARG_VALUE, -50)                                                                   \
    X(CL_INVALID_ARG_SIZE, -51)                                                                    \
    X(CL_INVALID_KERNEL_ARGS, -52)                                                                 \
    X(CL_INVALID_WORK_DIMENSION, -53)                                                              \
    X(CL_INVALID_WORK_GROUP_SIZE, -54)                                                             \
    X(CL_INVALID_WORK_ITEM_SIZE, -55)                                                              \
    X(CL_INVALID_GLOBAL_OFFSET, -56)                                                               \
    X(CL_INVALID_EVENT_WAIT_LIST, -57)                                                             \
    X(CL_INVALID_EVENT, -58)                                                                       \
    X(CL_INVALID_OPERATION, -59)                                                                   \
    X(CL_INVALID_GL_OBJECT, -60)                                                                   \
    X(CL_INVALID_BUFFER_SIZE, -61)                                                                 \
    X(CL_INVALID_MIP_LEVEL, -62)                                                                   \
    X(CL_INVALID_GLOBAL_WORK_SIZE, -63)                                                            \
    X(CL_INVALID_PROPERTY, -64)                                                                    \
    X(CL_INVALID_IMAGE_DESCRIPTOR, -65)                                                            \
    X(CL_INVALID_COMPILER_OPTIONS, -66)                                                            \
    X(CL_INVALID_LINKER_OPTIONS, -67)                                                              \
    X(CL_INVALID_DEVICE_PARTITION_COUNT, -68)                                                      \
    X(CL_INVALID_PIPE_SIZE, -69)                                                                   \
    X(CL_INVALID_DEVICE_QUEUE, -70)                                                                \
    X(CL_INVALID_SPEC_ID, -71)                                                                     \
    X(CL_MAX_SIZE_RESTRICTION_EXCEEDED, -72)

/* Of the extension cl_khr_icd, which the loader itself implements. */
#define ASTRIDE__CL_KHR_ERRORS(X) X(CL_PLATFORM_NOT_FOUND_KHR, -1001)

#define ASTRIDE__CL_ENUMERATOR(name, value) name = value,
enum { ASTRIDE__CL_ERRORS(ASTRIDE__CL_ENUMERATOR) ASTRIDE__CL_KHR_ERRORS(ASTRIDE__CL_ENUMERATOR) };
enum { ASTRIDE__CL_CONSTANTS(ASTRIDE__CL_ENUMERATOR) };
#undef ASTRIDE__CL_ENUMERATOR

/*
 * X(NEED, RESULT, NAME, (PARAMETERS)): the functions, without their prefix "cl". Each is of OpenCL
 * 1.2 or older where it is REQUIRED; an OPTIONAL one is NULL where the library has none.
 */
#define ASTRIDE__CL_FUNCTIONS(X)                                                                   \
    X(REQUIRED, cl_int, GetPlatformIDs, (cl_uint, cl_platform_id *, cl_uint *))                    \
    X(REQUIRED, cl_int, GetPlatformInfo,                                                           \
      (cl_platform_id, cl_platform_info, size_t, void *, size_t *))                                \
    X(REQUIRED, cl_int, GetDeviceIDs,                                                              \
      (cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *))                        \
    X(REQUIRED, cl_int, GetDeviceInfo, (cl_device_id, cl_device_info, size_t, void *, size_t *))   \
    X(REQUIRED, cl_context, CreateContext,                                                         \
      (const cl_context_properties *, cl_uint, const cl_device_id *,                               \
       void (*)(const char *, const void *, size_t, void *), void *, cl_int *))                    \
    X(REQUIRED, cl_int, RetainContext, (cl_context))                                               \
    X(REQUIRED, cl_int, ReleaseContext, (cl_context))                                              \
    X(REQUIRED, cl_int, GetContextInfo, (cl_context, cl_context_info, size_t, void *, size_t *))   \
    X(REQUIRED, cl_command_queue, CreateCommandQueue,                                              \
      (cl_context, cl_device_id, cl_command_queue_properties, cl_int *))                           \
    X(REQUIRED, cl_int, RetainCommandQueue, (cl_command_queue))                                    \
    X(REQUIRED, cl_int, ReleaseCommandQueue, (cl_command_queue))                                   \
    X(REQUIRED, cl_int, GetCommandQueueInfo,                                                       \
      (cl_command_queue, cl_command_queue_info, size_t, void *, size_t *))                         \
    X(REQUIRED, cl_mem, CreateBuffer, (cl_context, cl_mem_flags, size_t, void *, cl_int *))        \
    X(REQUIRED, cl_int, RetainMemObject, (cl_mem))                                                 \
    X(REQUIRED, cl_int, ReleaseMemObject, (cl_mem))                                                \
    X(REQUIRED, cl_int, GetMemObjectInfo, (cl_mem, cl_mem_info, size_t, void *, size_t *))         \
    X(REQUIRED, cl_program, CreateProgramWithSource,                                               \
      (cl_context, cl_uint, const char **, const size_t *, cl_int *))                              \
    X(REQUIRED, cl_int, BuildProgram,                                                              \
      (cl_program, cl_uint, const cl_device_id *, const char *, void (*)(cl_program, void *),      \
       void *))                                                                                    \
    X(REQUIRED, cl_int, GetProgramBuildInfo,                                                       \
      (cl_program, cl_device_id, cl_program_build_info, size_t, void *, size_t *))                 \
    X(REQUIRED, cl_int, ReleaseProgram, (cl_program))                                              \
    X(REQUIRED, cl_kernel, CreateKernel, (cl_program, const char *, cl_int *))                     \
    X(REQUIRED, cl_int, ReleaseKernel, (cl_kernel))                                                \
    X(REQUIRED, cl_int, SetKernelArg, (cl_kernel, cl_uint, size_t, const void *))                  \
    X(REQUIRED, cl_int, GetKernelWorkGroupInfo,                                                    \
      (cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *, size_t *))              \
    X(REQUIRED, cl_int, EnqueueNDRangeKernel,                                                      \
      (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *,       \
       cl_uint, const cl_event *, cl_event *))                                                     \
    X(REQUIRED, cl_int, EnqueueReadBuffer,                                                         \
      (cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *,       \
       cl_event *))                                                                                \
    X(REQUIRED, cl_int, EnqueueWriteBuffer,                                                        \
      (cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *, \
       cl_event *))                                                                                \
    X(REQUIRED, cl_int, EnqueueCopyBuffer,                                                         \
      (cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint, const cl_event *,        \
       cl_event *))                                                                                \
    X(REQUIRED, cl_int, EnqueueReadBufferRect,                                                     \
      (cl_command_queue, cl_mem, cl_bool, const size_t *, const size_t *, const size_t *, size_t,  \
       size_t, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *))                     \
    X(REQUIRED, cl_int, EnqueueWriteBufferRect,                                                    \
      (cl_command_queue, cl_mem, cl_bool, const size_t *, const size_t *, const size_t *, size_t,  \
       size_t, size_t, size_t, const void *, cl_uint, const cl_event *, cl_event *))               \
    X(REQUIRED, cl_int, EnqueueCopyBufferRect,                                                     \
      (cl_command_queue, cl_mem, cl_mem, const size_t *, const size_t *, const size_t *, size_t,   \
       size_t, size_t, size_t, cl_uint, const cl_event *, cl_event *))                             \
    X(REQUIRED, void *, EnqueueMapBuffer,                                                          \
      (cl_command_queue, cl_mem, cl_bool, cl_map_flags, size_t, size_t, cl_uint, const cl_event *, \
       cl_event *, cl_int *))                                                                      \
    X(REQUIRED, cl_int, EnqueueUnmapMemObject,                                                     \
      (cl_command_queue, cl_mem, void *, cl_uint, const cl_event *, cl_event *))                   \
    X(REQUIRED, cl_int, EnqueueMarkerWithWaitList,                                                 \
      (cl_command_queue, cl_uint, const cl_event *, cl_event *))                                   \
    X(REQUIRED, cl_int, EnqueueBarrierWithWaitList,                                                \
      (cl_command_queue, cl_uint, const cl_event *, cl_event *))                                   \
    X(REQUIRED, cl_event, CreateUserEvent, (cl_context, cl_int *))                                 \
    X(REQUIRED, cl_int, SetUserEventStatus, (cl_event, cl_int))                                    \
    X(REQUIRED, cl_int, WaitForEvents, (cl_uint, const cl_event *))                                \
    X(REQUIRED, cl_int, GetEventInfo, (cl_event, cl_event_info, size_t, void *, size_t *))         \
    X(REQUIRED, cl_int, SetEventCallback,                                                          \
      (cl_event, cl_int, void (*)(cl_event, cl_int, void *), void *))                              \
    X(REQUIRED, cl_int, GetEventProfilingInfo,                                                     \
      (cl_event, cl_profiling_info, size_t, void *, size_t *))                                     \
    X(REQUIRED, cl_int, RetainEvent, (cl_event))                                                   \
    X(REQUIRED, cl_int, ReleaseEvent, (cl_event))                                                  \
    X(REQUIRED, cl_int, Flush, (cl_command_queue))                                                 \
    X(REQUIRED, cl_int, Finish, (cl_command_queue))                                                \
    X(OPTIONAL, cl_int, EnqueueFillBuffer,                                                         \
      (cl_command_queue, cl_mem, const void *, size_t, size_t, size_t, cl_uint, const cl_event *,  \
       cl_event *))                                                                                \
    X(OPTIONAL, void *, SVMAlloc, (cl_context, cl_svm_mem_flags, size_t, cl_uint))                 \
    X(OPTIONAL, void, SVMFree, (cl_context, void *))

/* The library's functions by name: api->Finish is clFinish. */
typedef struct astride__opencl_api {
#define ASTRIDE__CL_MEMBER(need, result, name, parameters) result(*name) parameters;
    ASTRIDE__CL_FUNCTIONS(ASTRIDE__CL_MEMBER)
#undef ASTRIDE__CL_MEMBER
} astride__opencl_api;

#endif /* ASTRIDE_BACKENDS_OPENCL_ABI_H */
