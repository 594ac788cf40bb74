/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The current device around each call. HIP's contexts are deprecated; what a call is for is decided
 * by the device that is current in its thread, so it is set before and what the program had set is
 * set again behind.
 */
#include "hip.h"

/* The program's device while ours is current; -1: it is the same one. */
static _Thread_local int programs_device;

static hipError_t set_device(const astride_backend_device *device)
{
    int current = -1;
    hipError_t code = astride__hip.GetDevice(&current);
    if (code != hipSuccess)
        return code;
    programs_device = -1;
    if (current == device->ordinal)
        return hipSuccess;
    code = astride__hip.SetDevice(device->ordinal);
    if (code == hipSuccess)
        programs_device = current;
    return code;
}

astride_status astride__hip_enter(const astride_backend_device *device)
{
    return astride__hip_check("hipSetDevice", set_device(device));
}

bool astride__hip_enter_to_release(const astride_backend_device *device)
{
    hipError_t code = set_device(device);
    if (code != hipSuccess)
        code = set_device(device);
    astride__hip_check_release("hipSetDevice", code);
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
