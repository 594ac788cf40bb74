/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Modules of the simulated runtime, their functions, and launches. A code object is what compile.c
 * makes. Kernels get the simulator's view of the memory that their pointers are in; a pointer that
 * is in no allocation is an error, and so is a write to the bytes just behind one.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/simulators/hip/runtime.h"

enum { PARAMETERS_MAXIMUM = 16, THREADS_MAXIMUM = 1024, GUARD_BYTES = 256 };

#define GUARD 0x5c

typedef struct function {
    struct function *next;
    char *name;
    hip_kernel kernel;
    int parameter_count;
    int sizes[PARAMETERS_MAXIMUM]; /* negative: a pointer */
    struct module *module;
} function;

typedef struct module {
    sim_context *context;
    void *library;
    function *functions;
    unsigned references; /* of the handle, and of launches on their way */
} module;

/* A loaded library keeps its name, so that each has another; the file is gone at once. */
static void *open_code(const void *image)
{
    hip_code_header header;
    char path[64] = "/tmp/astride-sim-code-XXXXXX";
    memcpy(&header, image, sizeof(header));
    const int file = mkstemp(path);
    if (file < 0)
        return NULL;
    void *library = NULL;
    const char *bytes = (const char *)image + sizeof(header);
    if (write(file, bytes, header.bytes) == (ssize_t)header.bytes)
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    close(file);
    unlink(path);
    return library;
}

static int load(hipModule_t *module_out, const void *image)
{
    if (module_out == NULL || image == NULL)
        return sim_refuse(hipErrorInvalidValue, "module or image is NULL");
    if (memcmp(image, HIP_CODE_MAGIC, sizeof(HIP_CODE_MAGIC)) != 0)
        return hipErrorNoBinaryForGpu;
    module *m = calloc(1, sizeof(*m));
    if (m == NULL)
        return hipErrorOutOfMemory;
    m->library = open_code(image);
    if (m->library == NULL) {
        sim_note("%s", dlerror());
        free(m);
        return hipErrorInvalidImage;
    }
    m->context = hip_current();
    m->references = 1;
    sim_handle_add(SIM_HANDLE_MODULE, m);
    sim_alive.modules++;
    *module_out = (hipModule_t)m;
    return hipSuccess;
}

hipError_t hipModuleLoadData(hipModule_t *handle, const void *image)
{
    RETURN_CALL(NEEDS_DEVICE | NOT_IN_CAPTURE, load(handle, image));
}

static void drop(module *m)
{
    if (--m->references > 0)
        return;
    dlclose(m->library);
    free(m);
}

static int unload(hipModule_t handle)
{
    module *m = (module *)handle;
    if (!sim_handle_alive(SIM_HANDLE_MODULE, handle))
        return sim_refuse(hipErrorInvalidHandle, "no module has the handle %p", (void *)handle);
    while (m->functions != NULL) {
        function *f = m->functions;
        m->functions = f->next;
        free(f->name);
        sim_handle_retire(SIM_HANDLE_FUNCTION, f);
    }
    sim_handle_forget(SIM_HANDLE_MODULE, m);
    sim_alive.modules--;
    drop(m);
    return hipSuccess;
}

hipError_t hipModuleUnload(hipModule_t handle)
{
    RETURN_CALL(GIVES_BACK, unload(handle));
}

static void *symbol_of(const module *m, const char *prefix, const char *name)
{
    char symbol[256];
    snprintf(symbol, sizeof(symbol), "%s%.200s", prefix, name);
    return dlsym(m->library, symbol);
}

static int resolve(module *m, const char *name, function *f)
{
    int (*describe)(int *sizes, int capacity);
    *(void **)(void *)&f->kernel.run = symbol_of(m, "astride_sim_run_", name);
    *(void **)(void *)&f->kernel.enter = symbol_of(m, "astride_sim_enter", "");
    *(void **)(void *)&f->kernel.begin_block = symbol_of(m, "astride_sim_begin_block", "");
    *(void **)(void *)&describe = symbol_of(m, "astride_sim_describe_", name);
    if (f->kernel.run == NULL || f->kernel.enter == NULL || f->kernel.begin_block == NULL ||
        describe == NULL)
        return hipErrorNotFound;
    f->parameter_count = describe(f->sizes, PARAMETERS_MAXIMUM);
    return f->parameter_count <= PARAMETERS_MAXIMUM ? hipSuccess : hipErrorNotSupported;
}

static int get_function(hipFunction_t *function_out, hipModule_t handle, const char *name)
{
    module *m = (module *)handle;
    if (function_out == NULL || name == NULL)
        return sim_refuse(hipErrorInvalidValue, "function or kname is NULL");
    if (!sim_handle_alive(SIM_HANDLE_MODULE, handle))
        return sim_refuse(hipErrorInvalidHandle, "no module has the handle %p", (void *)handle);
    function *f = m->functions;
    while (f != NULL && strcmp(f->name, name) != 0)
        f = f->next;
    if (f == NULL) {
        f = calloc(1, sizeof(*f));
        if (f == NULL)
            return hipErrorOutOfMemory;
        const int result = resolve(m, name, f);
        f->name = result == hipSuccess ? strdup(name) : NULL;
        if (f->name == NULL) {
            free(f);
            return result != hipSuccess ? result : hipErrorOutOfMemory;
        }
        f->module = m;
        f->next = m->functions;
        m->functions = f;
        sim_handle_add(SIM_HANDLE_FUNCTION, f);
    }
    *function_out = (hipFunction_t)(void *)f;
    return hipSuccess;
}

hipError_t hipModuleGetFunction(hipFunction_t *answer, hipModule_t handle, const char *name)
{
    RETURN_CALL(NEEDS_DEVICE, get_function(answer, handle, name));
}

/* A launch as its stream carries it out. */
typedef struct job {
    module *module;
    sim_context *context;
    hip_kernel kernel;
    hip_dimensions grid, block;
    int parameter_count;
    int sizes[PARAMETERS_MAXIMUM];
    uint64_t ranges[PARAMETERS_MAXIMUM]; /* what a pointer pointed into at the call; 0: nothing */
    unsigned char *values[PARAMETERS_MAXIMUM];
    unsigned char storage[]; /* each value at a multiple of 16 */
} job;

/* The bytes behind an allocation of device memory, which are nobody's. */
static unsigned char *guard_of(uintptr_t address)
{
    const sim_range *range = sim_memory_find(address);
    if (range == NULL || range->kind != SIM_DEVICE)
        return NULL;
    return (unsigned char *)(range->begin + range->bytes) + range->to_private;
}

static const sim_range *range_of(const unsigned char *value)
{
    uintptr_t address;
    memcpy(&address, value, sizeof(address));
    return sim_memory_find(address);
}

/* Replaces a pointer by the simulator's view. False: no kernel of the device may follow it. */
static bool translate(const job *j, int parameter, unsigned char **guard_out)
{
    uintptr_t address;
    unsigned char *value = j->values[parameter];
    const sim_range *range = range_of(value);
    memcpy(&address, value, sizeof(address));
    if (j->ranges[parameter] != 0 && (range == NULL || range->id != j->ranges[parameter])) {
        sim_complain("memory was freed before a kernel that uses it had run");
        return false;
    }
    if (range == NULL || !sim_memory_reachable(j->context, range)) {
        sim_complain("a kernel was given %p, which is no memory that it reaches", (void *)address);
        return false;
    }
    *guard_out = guard_of(address);
    if (*guard_out != NULL)
        memset(*guard_out, GUARD, GUARD_BYTES);
    const unsigned char *view = sim_view(address);
    memcpy(value, &view, sizeof(view));
    return true;
}

static bool is_intact(const unsigned char *guard)
{
    for (size_t i = 0; guard != NULL && i < GUARD_BYTES; i++)
        if (guard[i] != GUARD)
            return false;
    return true;
}

static int run_job(void *argument)
{
    job *j = argument;
    unsigned char *guards[PARAMETERS_MAXIMUM] = {NULL};
    unsigned char saved[PARAMETERS_MAXIMUM][sizeof(void *)];
    void *parameters[PARAMETERS_MAXIMUM + 1];
    bool good = true;
    sim_lock();
    for (int i = 0; good && i < j->parameter_count; i++) {
        parameters[i] = j->values[i];
        if (j->sizes[i] < 0) {
            memcpy(saved[i], j->values[i], sizeof(saved[i]));
            good = translate(j, i, &guards[i]);
        }
    }
    sim_unlock();
    if (!good)
        return hipErrorIllegalAddress;
    if (!hip_kernel_run(&j->kernel, j->grid, j->block, parameters))
        return hipErrorLaunchFailure;
    sim_lock();
    for (int i = 0; i < j->parameter_count; i++) {
        if (!is_intact(guards[i])) {
            sim_complain("a kernel wrote behind the memory of parameter %d", i);
            good = false;
        }
        /* A graph may run it again. */
        if (j->sizes[i] < 0)
            memcpy(j->values[i], saved[i], sizeof(saved[i]));
    }
    sim_unlock();
    return good ? hipSuccess : hipErrorIllegalAddress;
}

static void release_job(void *argument)
{
    job *j = argument;
    drop(j->module);
    free(j);
}

/* Takes the arguments as they are now. */
static job *make_job(const function *f, sim_context *context, void **parameters)
{
    size_t bytes = 0;
    for (int i = 0; i < f->parameter_count; i++)
        bytes += ((size_t)abs(f->sizes[i]) + 15) / 16 * 16;
    job *j = aligned_alloc(16, (sizeof(job) + bytes + 15) / 16 * 16 + 16);
    if (j == NULL)
        return NULL;
    memset(j, 0, sizeof(*j));
    j->module = f->module;
    j->context = context;
    j->kernel = f->kernel;
    j->parameter_count = f->parameter_count;
    unsigned char *at = (unsigned char *)(((uintptr_t)j->storage + 15) / 16 * 16);
    for (int i = 0; i < f->parameter_count; i++) {
        j->sizes[i] = f->sizes[i];
        j->values[i] = at;
        memcpy(at, parameters[i], (size_t)abs(f->sizes[i]));
        const sim_range *range = f->sizes[i] < 0 ? range_of(at) : NULL;
        j->ranges[i] = range != NULL ? range->id : 0;
        at += ((size_t)abs(f->sizes[i]) + 15) / 16 * 16;
    }
    return j;
}

static int check_launch(const function *f, const hip_dimensions *grid, const hip_dimensions *block,
                        void *const *parameters)
{
    if (!sim_handle_alive(SIM_HANDLE_FUNCTION, f))
        return sim_refuse(hipErrorInvalidHandle, "no function has the handle %p", (const void *)f);
    if (grid->x == 0 || grid->y == 0 || grid->z == 0 || block->x == 0 || block->y == 0 ||
        block->z == 0 || (uint64_t)block->x * block->y * block->z > THREADS_MAXIMUM)
        return sim_refuse(hipErrorInvalidValue, "a dimension is 0, or a block has more than %d",
                          THREADS_MAXIMUM);
    if (f->parameter_count > 0 && parameters == NULL)
        return sim_refuse(hipErrorInvalidValue, "kernelParams is NULL");
    return hipSuccess;
}

static int launch(const function *f, hip_dimensions grid, hip_dimensions block, hipStream_t handle,
                  void **parameters, void *const *extra)
{
    sim_stream *stream = NULL;
    int result = check_launch(f, &grid, &block, parameters);
    if (result == hipSuccess && extra != NULL)
        result = sim_refuse(hipErrorNotSupported, "extra is not simulated");
    if (result == hipSuccess)
        result = hip_work_stream(handle, &stream);
    if (result != hipSuccess)
        return result;
    if (f->module->context != stream->context)
        return sim_refuse(hipErrorInvalidHandle, "function and stream are of different devices");
    job *j = make_job(f, stream->context, parameters);
    if (j == NULL)
        return hipErrorOutOfMemory;
    j->grid = grid;
    j->block = block;
    j->module->references++;
    sim_note("%s, %u blocks of %u", f->name, grid.x * grid.y * grid.z, block.x * block.y * block.z);
    return sim_stream_add(stream, (sim_work){run_job, release_job, j});
}

hipError_t hipModuleLaunchKernel(hipFunction_t function_handle, unsigned grid_x, unsigned grid_y,
                                 unsigned grid_z, unsigned block_x, unsigned block_y,
                                 unsigned block_z, unsigned shared_bytes, hipStream_t stream,
                                 void **parameters, void **extra)
{
    (void)shared_bytes;
    RETURN_CALL(NEEDS_DEVICE,
                launch((const function *)(const void *)function_handle,
                       (hip_dimensions){grid_x, grid_y, grid_z},
                       (hip_dimensions){block_x, block_y, block_z}, stream, parameters, extra));
}
