/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The driver's error codes: their names in messages, and the status that says what a caller can do.
 */
#include "cuda.h"

const char *astride__cuda_error_name(CUresult code)
{
    const char *name = NULL;
    switch (code) {
#define NAME(name, value)                                                                          \
    case value:                                                                                    \
        return #name;
        ASTRIDE__CUDA_ERRORS(NAME)
#undef NAME
    default:
        /* A newer driver's code. */
        if (astride__cu.GetErrorName != NULL &&
            astride__cu.GetErrorName(code, &name) == CUDA_SUCCESS && name != NULL)
            return name;
        return "unknown error";
    }
}

astride_status astride__cuda_error_status(CUresult code)
{
    switch (code) {
    case CUDA_SUCCESS:
        return ASTRIDE_OK;
    case CUDA_ERROR_OUT_OF_MEMORY:
        return ASTRIDE_OUT_OF_MEMORY;
    case CUDA_ERROR_NOT_SUPPORTED:
        return ASTRIDE_UNSUPPORTED;
    /*
     * Those of which the driver's documentation says that the context or the process cannot be used
     * any more (CUDA driver API 13.0, section "Data types used by CUDA driver", CUresult), or that
     * say so by themselves.
     */
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_TENSOR_MEMORY_LEAK:
    case CUDA_ERROR_MPS_CLIENT_TERMINATED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
        return ASTRIDE_DEVICE_LOST;
    default:
        return ASTRIDE_DRIVER_ERROR;
    }
}

astride_status astride__cuda_check(const char *call, CUresult code)
{
    if (code == CUDA_SUCCESS)
        return ASTRIDE_OK;
    return astride__cuda_services->fail(astride__cuda_error_status(code), "%s: %s (%u)", call,
                                        astride__cuda_error_name(code), code);
}

void astride__cuda_check_release(const char *call, CUresult code)
{
    if (code != CUDA_SUCCESS)
        astride__cuda_services->log(ASTRIDE_LOG_WARN, "%s: %s (%u)", call,
                                    astride__cuda_error_name(code), code);
}
