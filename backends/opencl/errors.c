/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * OpenCL's error codes: their names in messages, and the status that says what a caller can do.
 */
#include "opencl.h"

const char *astride__opencl_error_name(cl_int code)
{
    switch (code) {
#define NAME(name, value)                                                                          \
    case value:                                                                                    \
        return #name;
        ASTRIDE__CL_ERRORS(NAME)
        ASTRIDE__CL_KHR_ERRORS(NAME)
#undef NAME
    default:
        return "unknown error";
    }
}

astride_status astride__opencl_error_status(cl_int code)
{
    switch (code) {
    case CL_SUCCESS:
        return ASTRIDE_OK;
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_HOST_MEMORY:
        return ASTRIDE_OUT_OF_MEMORY;
    case CL_DEVICE_NOT_AVAILABLE:
        return ASTRIDE_DEVICE_LOST;
    default:
        /* CL_OUT_OF_RESOURCES too: drivers use it for faults of kernels as for lack of memory. */
        return ASTRIDE_DRIVER_ERROR;
    }
}

astride_status astride__opencl_check(const char *call, cl_int code)
{
    if (code == CL_SUCCESS)
        return ASTRIDE_OK;
    return astride__opencl_services->fail(astride__opencl_error_status(code), "%s: %s (%d)", call,
                                          astride__opencl_error_name(code), (int)code);
}
