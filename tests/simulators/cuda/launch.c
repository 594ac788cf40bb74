/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Launches of kernels in the simulated driver.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/simulators/cuda/module.h"

/* A launch as its stream carries it out. */
typedef struct job {
    loaded_module *module;
    ptx_launch launch;
    unsigned char *parameters;
} job;

/* What kernels of a context reach, as it is now. */
static ptx_range *reachable_ranges(const sim_context *context, size_t *count_out)
{
    size_t count;
    uint64_t generation;
    const sim_range *ranges = sim_memory_ranges(&count, &generation);
    ptx_range *reachable = malloc((count + 1) * sizeof(*reachable));
    *count_out = 0;
    for (size_t i = 0; reachable != NULL && i < count; i++)
        if (sim_memory_reachable(context, &ranges[i]))
            reachable[(*count_out)++] =
                (ptx_range){ranges[i].begin, ranges[i].bytes, ranges[i].to_private};
    return reachable;
}

static int code_of(const ptx_kernel *kernel, const ptx_outcome *outcome)
{
    switch (outcome->fault) {
    case PTX_DONE:
        return CUDA_SUCCESS;
    case PTX_OUT_OF_BOUNDS:
    case PTX_MISALIGNED:
        sim_complain("kernel %s, line %u: %u bytes at 0x%llx are %s", kernel->name, outcome->line,
                     outcome->bytes, (unsigned long long)outcome->address,
                     outcome->fault == PTX_MISALIGNED ? "misaligned" : "in no allocation");
        return outcome->fault == PTX_MISALIGNED ? CUDA_ERROR_MISALIGNED_ADDRESS
                                                : CUDA_ERROR_ILLEGAL_ADDRESS;
    case PTX_TOO_LONG:
        sim_complain("kernel %s does not end", kernel->name);
        return CUDA_ERROR_LAUNCH_TIMEOUT;
    default:
        return CUDA_ERROR_LAUNCH_FAILED;
    }
}

static int run_job(void *argument)
{
    job *j = argument;
    ptx_launch launch = j->launch;
    sim_lock();
    ptx_range *ranges = reachable_ranges(j->module->context, &launch.range_count);
    sim_unlock();
    if (ranges == NULL)
        return CUDA_ERROR_LAUNCH_FAILED;
    launch.ranges = ranges;
    const ptx_outcome outcome = ptx_run(&launch);
    free(ranges);
    sim_lock();
    sim_instructions += outcome.instructions;
    const int code = code_of(launch.kernel, &outcome);
    sim_unlock();
    return code;
}

static void release_job(void *argument)
{
    job *j = argument;
    j->module->launches--;
    cuda_drop_module(j->module);
    free(j->parameters);
    free(j);
}

static int check_sizes(const loaded_function *f, const ptx_launch *launch)
{
    const int device = f->module->context->device;
    uint64_t threads = 1;
    for (unsigned d = 0; d < 3; d++) {
        if (launch->grid[d] == 0 || launch->block[d] == 0)
            return sim_refuse(CUDA_ERROR_INVALID_VALUE, "an extent of grid or block is 0");
        if (launch->grid[d] >
            (unsigned)cuda_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + d))
            return sim_refuse(CUDA_ERROR_INVALID_VALUE, "grid dimension %u is %u", d,
                              launch->grid[d]);
        if (launch->block[d] >
            (unsigned)cuda_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + d))
            return sim_refuse(CUDA_ERROR_INVALID_VALUE, "block dimension %u is %u", d,
                              launch->block[d]);
        threads *= launch->block[d];
    }
    if (threads > (unsigned)cuda_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK) ||
        (f->kernel->threads_maximum != 0 && threads > f->kernel->threads_maximum))
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "%llu threads in a block",
                          (unsigned long long)threads);
    if (launch->dynamic_shared_bytes > f->shared_maximum)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "%u bytes of dynamic shared memory, limit %u",
                          launch->dynamic_shared_bytes, f->shared_maximum);
    return CUDA_SUCCESS;
}

/* Parameters as an array of pointers, or packed in one buffer that `extra` names. */
static int read_parameters(const ptx_kernel *kernel, void **parameters, void **extra,
                           unsigned char *packed)
{
    const void *buffer = NULL;
    size_t bytes = 0;
    if (parameters != NULL && extra != NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "both kernelParams and extra are given");
    for (uint32_t i = 0; parameters != NULL && i < kernel->parameter_count; i++) {
        if (parameters[i] == NULL)
            return sim_refuse(CUDA_ERROR_INVALID_VALUE, "kernelParams[%u] is NULL", i);
        memcpy(packed + kernel->parameter_offset[i], parameters[i], kernel->parameter_bytes[i]);
    }
    for (void **at = extra; at != NULL && *at != CU_LAUNCH_PARAM_END; at += 2) {
        if (at[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = at[1];
        else if (at[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            bytes = *(const size_t *)at[1];
        else
            return sim_refuse(CUDA_ERROR_INVALID_VALUE, "unknown name in extra");
    }
    if (kernel->parameter_count == 0 || parameters != NULL)
        return CUDA_SUCCESS;
    if (buffer == NULL || bytes < kernel->parameters_bytes)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "%zu bytes of parameters, the kernel takes %u",
                          bytes, kernel->parameters_bytes);
    memcpy(packed, buffer, kernel->parameters_bytes);
    return CUDA_SUCCESS;
}

static int enqueue(const loaded_function *f, const ptx_launch *launch, sim_stream *stream,
                   void **parameters, void **extra)
{
    job *j = calloc(1, sizeof(*j));
    unsigned char *packed = calloc(1, (size_t)f->kernel->parameters_bytes + 1);
    if (j == NULL || packed == NULL) {
        free(j);
        free(packed);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    const int result = read_parameters(f->kernel, parameters, extra, packed);
    if (result != CUDA_SUCCESS) {
        free(j);
        free(packed);
        return result;
    }
    *j = (job){f->module, *launch, packed};
    j->launch.parameters = packed;
    f->module->launches++;
    return sim_stream_add(stream, (sim_work){run_job, release_job, j});
}

static int launch_kernel(CUfunction handle, ptx_launch launch, CUstream stream_handle,
                         void **parameters, void **extra)
{
    loaded_function *f = NULL;
    sim_stream *stream = NULL;
    int result = cuda_find_function(handle, &f);
    if (result == CUDA_SUCCESS)
        result = cuda_work_stream(stream_handle, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    if (f->module->context != stream->context)
        return sim_refuse(CUDA_ERROR_INVALID_HANDLE, "function and stream are of two contexts");
    launch.kernel = f->kernel;
    sim_note("%s, grid %u x %u x %u, block %u x %u x %u", f->kernel->name, launch.grid[0],
             launch.grid[1], launch.grid[2], launch.block[0], launch.block[1], launch.block[2]);
    result = check_sizes(f, &launch);
    return result == CUDA_SUCCESS ? enqueue(f, &launch, stream, parameters, extra) : result;
}

CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY,
                        unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                        unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
                        void **kernelParams, void **extra)
{
    RETURN_CALL(HAS_CONTEXT, launch_kernel(f,
                                           (ptx_launch){.grid = {gridDimX, gridDimY, gridDimZ},
                                                        .block = {blockDimX, blockDimY, blockDimZ},
                                                        .dynamic_shared_bytes = sharedMemBytes},
                                           hStream, kernelParams, extra));
}
