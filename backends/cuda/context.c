/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The context of a device around each call: pushed before it and popped after it, so that the
 * program finds the context current that it had made current.
 */
#include "cuda.h"

astride_status astride__cuda_enter(const astride_backend_device *device)
{
    return astride__cuda_check("cuCtxPushCurrent", astride__cu.CtxPushCurrent(device->context));
}

bool astride__cuda_enter_to_release(const astride_backend_device *device)
{
    CUresult code = astride__cu.CtxPushCurrent(device->context);
    if (code != CUDA_SUCCESS)
        code = astride__cu.CtxPushCurrent(device->context);
    astride__cuda_check_release("cuCtxPushCurrent", code);
    return code == CUDA_SUCCESS;
}

/*
 * A failure is no reason to undo what was done in the context. The driver may report the error of
 * earlier work by any call, so a failed one may have popped; whether it did is told by what it
 * wrote, and only a context that is still there is popped again.
 */
void astride__cuda_leave(void)
{
    CUcontext popped = NULL;
    CUresult code = astride__cu.CtxPopCurrent(&popped);
    if (code != CUDA_SUCCESS && popped == NULL)
        code = astride__cu.CtxPopCurrent(&popped);
    astride__cuda_check_release("cuCtxPopCurrent", code);
}
