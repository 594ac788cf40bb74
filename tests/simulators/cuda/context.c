/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Contexts of the simulated driver: primary ones and those that programs create, the stack of
 * current ones of each thread, and access between peers.
 */
#include <stdlib.h>

#include "tests/simulators/cuda/driver.h"

enum { STACK_DEPTH = 64, FLAGS_KNOWN = 0x1f | 0x40 | 0x80 };

sim_context *sim_contexts;

static sim_context primaries[SIM_DEVICES_MAXIMUM];
static bool primaries_listed[SIM_DEVICES_MAXIMUM];
static _Thread_local sim_context *stack[STACK_DEPTH];
static _Thread_local int depth;

sim_context *cuda_current(void)
{
    return depth > 0 ? stack[depth - 1] : NULL;
}

/* Destroyed contexts stay in the list, so that a stale handle is found. */
static bool known(const sim_context *context)
{
    const sim_context *at = sim_contexts;
    while (at != NULL && at != context)
        at = at->next;
    return at != NULL;
}

bool cuda_context_alive(const sim_context *context)
{
    return context != NULL && known(context) && context->live;
}

static void enlist(sim_context *context)
{
    context->next = sim_contexts;
    sim_contexts = context;
}

static void bring_to_life(sim_context *context, int device, bool primary, unsigned flags)
{
    sim_context *next = context->next;
    *context = (sim_context){
        .device = device, .primary = primary, .live = true, .flags = flags, .next = next};
    sim_alive.contexts++;
}

/* Waits for the work of a context and takes all of it apart. */
static void end_life(sim_context *context)
{
    sim_context_wait(context);
    context->live = false;
    cuda_unload_modules(context);
    cuda_destroy_events(context);
    cuda_close_context_streams(context);
    sim_memory_remove_all(context);
    for (sim_context *other = sim_contexts; other != NULL; other = other->next)
        if (other->peers[context->device] == context)
            other->peers[context->device] = NULL;
    sim_alive.contexts--;
}

static int retain(CUcontext *context_out, CUdevice device)
{
    const int result = cuda_check_device(device);
    if (result != CUDA_SUCCESS)
        return result;
    if (context_out == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "pctx is NULL");
    sim_context *context = &primaries[device];
    if (!primaries_listed[device]) {
        primaries_listed[device] = true;
        enlist(context);
    }
    if (!context->live)
        bring_to_life(context, device, true, context->flags);
    context->references++;
    *context_out = context;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)
{
    RETURN_CALL(INITIALIZED, retain(pctx, dev));
}

static int release(CUdevice device)
{
    const int result = cuda_check_device(device);
    if (result != CUDA_SUCCESS)
        return result;
    sim_context *context = &primaries[device];
    if (!context->live || context->references == 0)
        return sim_refuse(CUDA_ERROR_INVALID_CONTEXT,
                          "the primary context of device %d is not retained", device);
    if (--context->references == 0)
        end_life(context);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev)
{
    RETURN_CALL(INITIALIZED | GIVES_BACK, release(dev));
}

static int check_flags(unsigned flags)
{
    if ((flags & ~(unsigned)FLAGS_KNOWN) != 0 || (flags & 7) == 3 || (flags & 7) > 4)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "context flags 0x%x", flags);
    return CUDA_SUCCESS;
}

static int set_flags(CUdevice device, unsigned flags)
{
    int result = cuda_check_device(device);
    if (result == CUDA_SUCCESS)
        result = check_flags(flags);
    if (result == CUDA_SUCCESS)
        primaries[device].flags = flags;
    return result;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags)
{
    RETURN_CALL(INITIALIZED, set_flags(dev, flags));
}

static int get_state(CUdevice device, unsigned int *flags, int *active)
{
    const int result = cuda_check_device(device);
    if (result != CUDA_SUCCESS)
        return result;
    if (flags == NULL || active == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "flags or active is NULL");
    *flags = primaries[device].flags;
    *active = primaries[device].live;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active)
{
    RETURN_CALL(INITIALIZED, get_state(dev, flags, active));
}

static int push(sim_context *context)
{
    if (context == NULL || !known(context))
        return sim_refuse(CUDA_ERROR_INVALID_CONTEXT, "no context has the handle %p",
                          (void *)context);
    if (!context->live)
        return sim_refuse(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the context was destroyed");
    if (depth == STACK_DEPTH)
        return sim_refuse(CUDA_ERROR_OUT_OF_MEMORY, "%d contexts were pushed", depth);
    stack[depth++] = context;
    sim_alive.context_depth++;
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext ctx)
{
    RETURN_CALL(INITIALIZED, push(ctx));
}

static int pop(CUcontext *context_out)
{
    if (depth == 0)
        return sim_refuse(CUDA_ERROR_INVALID_CONTEXT, "no context is current to the thread");
    sim_context *context = stack[--depth];
    sim_alive.context_depth--;
    if (context_out != NULL)
        *context_out = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *pctx)
{
    RETURN_CALL(INITIALIZED | GIVES_BACK, pop(pctx));
}

/* Replaces the top of the stack; NULL takes it off. */
static int set_current(sim_context *context)
{
    sim_context *former = cuda_current();
    if (former != NULL)
        pop(NULL);
    if (context == NULL)
        return CUDA_SUCCESS;
    const int result = push(context);
    if (result != CUDA_SUCCESS && former != NULL) {
        stack[depth++] = former;
        sim_alive.context_depth++;
    }
    return result;
}

CUresult cuCtxSetCurrent(CUcontext ctx)
{
    RETURN_CALL(INITIALIZED, set_current(ctx));
}

static int get_current(CUcontext *context_out)
{
    if (context_out == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "pctx is NULL");
    *context_out = cuda_current();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *pctx)
{
    RETURN_CALL(INITIALIZED, get_current(pctx));
}

static int current_device(CUdevice *device)
{
    if (device == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "device is NULL");
    *device = cuda_current()->device;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    RETURN_CALL(HAS_CONTEXT | WHATEVER_HAPPENED, current_device(device));
}

static int api_version(sim_context *context, unsigned int *version)
{
    if (context == NULL)
        context = cuda_current();
    if (!cuda_context_alive(context))
        return sim_refuse(CUDA_ERROR_INVALID_CONTEXT, "the context is not alive");
    if (version == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "version is NULL");
    *version = 3020;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)
{
    RETURN_CALL(INITIALIZED, api_version(ctx, version));
}

static int create(CUcontext *context_out, unsigned flags, CUdevice device)
{
    int result = cuda_check_device(device);
    if (result == CUDA_SUCCESS)
        result = check_flags(flags);
    if (result != CUDA_SUCCESS)
        return result;
    if (context_out == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "pctx is NULL");
    sim_context *context = calloc(1, sizeof(*context));
    if (context == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    enlist(context);
    bring_to_life(context, device, false, flags);
    result = push(context);
    if (result == CUDA_SUCCESS)
        *context_out = context;
    return result;
}

CUresult cuCtxCreate_v2(CUcontext *pctx, unsigned int flags, CUdevice dev)
{
    RETURN_CALL(INITIALIZED, create(pctx, flags, dev));
}

static int destroy(sim_context *context)
{
    if (!cuda_context_alive(context))
        return sim_refuse(CUDA_ERROR_INVALID_CONTEXT, "the context is not alive");
    if (context->primary)
        return sim_refuse(CUDA_ERROR_INVALID_CONTEXT,
                          "a primary context is released, not destroyed");
    end_life(context);
    if (cuda_current() == context)
        pop(NULL);
    return CUDA_SUCCESS;
}

CUresult cuCtxDestroy_v2(CUcontext ctx)
{
    RETURN_CALL(INITIALIZED | GIVES_BACK, destroy(ctx));
}

static int synchronize(void)
{
    sim_context *context = cuda_current();
    const int result = sim_capture_forbids_context(context);
    if (result != CUDA_SUCCESS)
        return result;
    sim_context_wait(context);
    return context->lost;
}

CUresult cuCtxSynchronize(void)
{
    RETURN_CALL(HAS_CONTEXT, synchronize());
}

static int priority_range(int *least, int *greatest)
{
    if (least != NULL)
        *least = 0;
    if (greatest != NULL)
        *greatest = -5;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    RETURN_CALL(HAS_CONTEXT, priority_range(leastPriority, greatestPriority));
}

static int enable_peer(sim_context *peer, unsigned flags)
{
    sim_context *context = cuda_current();
    if (flags != 0)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "flags %u is not 0", flags);
    if (!cuda_context_alive(peer) || peer == context)
        return sim_refuse(CUDA_ERROR_INVALID_CONTEXT, "the peer is no other live context");
    if (!sim_setting.peer[context->device][peer->device])
        return sim_refuse(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "device %d cannot reach device %d",
                          context->device, peer->device);
    if (context->peers[peer->device] == peer)
        return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    context->peers[peer->device] = peer;
    return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int flags)
{
    RETURN_CALL(HAS_CONTEXT, enable_peer(peerContext, flags));
}

static int disable_peer(sim_context *peer)
{
    sim_context *context = cuda_current();
    if (!cuda_context_alive(peer))
        return sim_refuse(CUDA_ERROR_INVALID_CONTEXT, "the peer is not alive");
    if (context->peers[peer->device] != peer)
        return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    context->peers[peer->device] = NULL;
    return CUDA_SUCCESS;
}

CUresult cuCtxDisablePeerAccess(CUcontext peerContext)
{
    RETURN_CALL(HAS_CONTEXT | GIVES_BACK, disable_peer(peerContext));
}
