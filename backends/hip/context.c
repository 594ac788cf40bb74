/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The current device around each call. HIP's contexts are deprecated; what a call is for is decided
 * by the device that is current in its thread, so it is set before and what the program had set is
 * set again behind.
 */
#include "hip.h"

/* The program's device while ours is current; -1: it is the same one. */
static _Thread_local int programs_device;

/* The code of the call that fails, whose name goes to *call_out. */
static hipError_t set_device(const astride_backend_device *device, const char **call_out)
{
    int current = -1;
    *call_out = "hipGetDevice";
    hipError_t code = astride__hip.GetDevice(&current);
    if (code != hipSuccess)
        return code;
    programs_device = -1;
    if (current == device->ordinal)
        return hipSuccess;
    *call_out = "hipSetDevice";
    code = astride__hip.SetDevice(device->ordinal);
    if (code == hipSuccess)
        programs_device = current;
    else
        (void)astride__hip.SetDevice(current); /* whatever the failed call has done */
    return code;
}

astride_status astride__hip_enter(const astride_backend_device *device)
{
    const char *call = NULL;
    const hipError_t code = set_device(device, &call);
    return astride__hip_check(call, code);
}

bool astride__hip_enter_to_release(const astride_backend_device *device)
{
    const char *call = NULL;
    hipError_t code = set_device(device, &call);
    if (code != hipSuccess)
        code = set_device(device, &call);
    astride__hip_check_release(call, code);
    return code == hipSuccess;
}

/* A failure is no reason to undo what was done, but the program's device must be current again. */
void astride__hip_leave(void)
{
    if (programs_device < 0)
        return;
    hipError_t code = astride__hip.SetDevice(programs_device);
    if (code != hipSuccess)
        code = astride__hip.SetDevice(programs_device);
    astride__hip_check_release("hipSetDevice", code);
}

/* Calls set the last error of their thread, which is for the program's own calls. */
void astride__hip_forget_error(void)
{
    (void)astride__hip.GetLastError();
}
