/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The runtime's error codes: their names in messages, and the status that says what a caller can
 * do.
 */
#include "hip.h"

const char *astride__hip_error_name(hipError_t code)
{
    switch (code) {
#define NAME(name, value)                                                                          \
    case value:                                                                                    \
        return #name;
        ASTRIDE__HIP_ERRORS(NAME)
#undef NAME
    default:
        return "unknown error";
    }
}

astride_status astride__hip_error_status(hipError_t code)
{
    switch (code) {
    case hipSuccess:
        return ASTRIDE_OK;
    case hipErrorOutOfMemory:
        return ASTRIDE_OUT_OF_MEMORY;
    case hipErrorNotSupported:
        return ASTRIDE_UNSUPPORTED;
    /* Those after which the runtime aborts or leaves the device unusable (HIP runtime API
       reference, hipError_t). */
    case hipErrorDeinitialized:
    case hipErrorECCNotCorrectable:
    case hipErrorIllegalAddress:
    case hipErrorLaunchTimeOut:
    case hipErrorContextIsDestroyed:
    case hipErrorAssert:
    case hipErrorLaunchFailure:
        return ASTRIDE_DEVICE_LOST;
    default:
        return ASTRIDE_DRIVER_ERROR;
    }
}

astride_status astride__hip_check(const char *call, hipError_t code)
{
    if (code == hipSuccess)
        return ASTRIDE_OK;
    astride__hip_forget_error();
    return astride__hip_services->fail(astride__hip_error_status(code), "%s: %s (%u)", call,
                                       astride__hip_error_name(code), code);
}

void astride__hip_check_release(const char *call, hipError_t code)
{
    if (code == hipSuccess)
        return;
    astride__hip_forget_error();
    astride__hip_services->log(ASTRIDE_LOG_WARN, "%s: %s (%u)", call, astride__hip_error_name(code),
                               code);
}
