/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Modules and functions of the simulated driver; launches are in launch.c. Images are PTX as text;
 * what the interpreter does not know is refused as the driver's own compiler would, with a log.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/simulators/cuda/driver.h"
#include "tests/simulators/cuda/module.h"

enum { SHARED_MAXIMUM = 49152, PTX_NEWEST = 90 };

static void give_memory_back(loaded_module *m)
{
    for (ptx_global *global = m->code.globals; global != NULL; global = global->next)
        if (global->address != 0 && sim_memory_remove((uintptr_t)global->address, SIM_DEVICE))
            sim_alive.device++; /* a module's own memory is no allocation of the program's */
}

static bool place_global(ptx_global *global, void *argument)
{
    loaded_module *m = argument;
    uintptr_t address;
    if (!sim_memory_alloc(m->context, global->bytes, &address))
        return false;
    sim_alive.device--;
    global->address = address;
    memcpy(sim_view(address), global->initial, global->bytes);
    return true;
}

typedef struct log_buffer {
    char *text;
    size_t bytes;
    void **bytes_slot; /* where the used size goes */
} log_buffer;

/* Options come as pointers that are the values; sizes of logs are replaced by what was written. */
static int read_options(unsigned count, const CUjit_option *options, void **values,
                        log_buffer *error_log, log_buffer *info_log)
{
    if (count > 0 && (options == NULL || values == NULL))
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "options or optionValues is NULL");
    for (unsigned i = 0; i < count; i++) {
        switch (options[i]) {
        case CU_JIT_ERROR_LOG_BUFFER:
            error_log->text = values[i];
            break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
            error_log->bytes = (unsigned)(uintptr_t)values[i];
            error_log->bytes_slot = &values[i];
            break;
        case CU_JIT_INFO_LOG_BUFFER:
            info_log->text = values[i];
            break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
            info_log->bytes = (unsigned)(uintptr_t)values[i];
            info_log->bytes_slot = &values[i];
            break;
        default:
            if (options[i] > CU_JIT_CACHE_MODE)
                return sim_refuse(CUDA_ERROR_INVALID_VALUE, "JIT option %u", options[i]);
            break;
        }
    }
    if ((error_log->text != NULL) != (error_log->bytes_slot != NULL) ||
        (info_log->text != NULL) != (info_log->bytes_slot != NULL))
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "a log without its size, or the reverse");
    return CUDA_SUCCESS;
}

static void write_log(const log_buffer *log, const char *text)
{
    if (log->text == NULL || log->bytes == 0)
        return;
    const size_t length = strlen(text) < log->bytes - 1 ? strlen(text) : log->bytes - 1;
    memcpy(log->text, text, length);
    log->text[length] = '\0';
    *log->bytes_slot = (void *)(uintptr_t)length;
}

static int compile(loaded_module *m, const char *image)
{
    if (!ptx_parse(image, place_global, m, &m->code))
        return CUDA_ERROR_INVALID_PTX;
    const int capability =
        10 * cuda_attribute(m->context->device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
        cuda_attribute(m->context->device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    if (m->code.version > PTX_NEWEST)
        return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    return (int)m->code.target > capability ? CUDA_ERROR_NO_BINARY_FOR_GPU : CUDA_SUCCESS;
}

static int load(CUmodule *module_out, const void *image, unsigned count,
                const CUjit_option *options, void **values)
{
    log_buffer error_log = {0}, info_log = {0};
    if (module_out == NULL || image == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "module or image is NULL");
    int result = read_options(count, options, values, &error_log, &info_log);
    if (result != CUDA_SUCCESS)
        return result;
    loaded_module *m = calloc(1, sizeof(*m));
    if (m == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    m->context = cuda_current();
    result = compile(m, image);
    write_log(&error_log, result != CUDA_SUCCESS ? m->code.log : "");
    write_log(&info_log, "");
    if (result != CUDA_SUCCESS) {
        sim_note("%s", m->code.log);
        give_memory_back(m);
        ptx_free(&m->code);
        free(m);
        return result;
    }
    sim_handle_add(SIM_HANDLE_MODULE, m);
    sim_alive.modules++;
    *module_out = (CUmodule)m;
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE, load(module, image, 0, NULL, NULL));
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions,
                            CUjit_option *options, void **optionValues)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE,
                load(module, image, numOptions, options, optionValues));
}

static void retire_of_module(void *object, void *argument)
{
    loaded_function *f = object;
    if (f->module == argument)
        sim_handle_retire(SIM_HANDLE_FUNCTION, f);
}

void cuda_drop_module(loaded_module *m)
{
    if (!m->unloaded || m->launches > 0)
        return;
    ptx_free(&m->code);
    sim_handle_bury(m);
}

static void unload(loaded_module *m)
{
    sim_handle_each(SIM_HANDLE_FUNCTION, retire_of_module, m);
    sim_handle_forget(SIM_HANDLE_MODULE, m);
    sim_alive.modules--;
    give_memory_back(m);
    m->unloaded = true;
    cuda_drop_module(m);
}

static int find_module(CUmodule handle, loaded_module **module_out)
{
    if (!sim_handle_alive(SIM_HANDLE_MODULE, handle))
        return sim_refuse(CUDA_ERROR_INVALID_HANDLE, "no module has the handle %p", (void *)handle);
    *module_out = (loaded_module *)handle;
    return CUDA_SUCCESS;
}

static int unload_handle(CUmodule handle)
{
    loaded_module *m = NULL;
    int result = find_module(handle, &m);
    if (result != CUDA_SUCCESS)
        return result;
    sim_context_wait(m->context);
    unload(m);
    return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule hmod)
{
    RETURN_CALL(HAS_CONTEXT | NOT_IN_CAPTURE | GIVES_BACK, unload_handle(hmod));
}

static void unload_of_context(void *object, void *context)
{
    loaded_module *m = object;
    if (m->context == context)
        unload(m);
}

void cuda_unload_modules(sim_context *context)
{
    sim_handle_each(SIM_HANDLE_MODULE, unload_of_context, context);
}

static bool is_same_function(const loaded_function *f, const loaded_module *m,
                             const ptx_kernel *kernel)
{
    return f->module == m && f->kernel == kernel;
}

typedef struct search {
    const loaded_module *module;
    const ptx_kernel *kernel;
    loaded_function *found;
} search;

static void search_function(void *object, void *argument)
{
    search *s = argument;
    if (is_same_function(object, s->module, s->kernel))
        s->found = object;
}

static int get_function(CUfunction *function_out, CUmodule handle, const char *name)
{
    loaded_module *m = NULL;
    const int result = find_module(handle, &m);
    if (result != CUDA_SUCCESS)
        return result;
    if (function_out == NULL || name == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "hfunc or name is NULL");
    const ptx_kernel *kernel = m->code.kernels;
    while (kernel != NULL && strcmp(kernel->name, name) != 0)
        kernel = kernel->next;
    if (kernel == NULL)
        return CUDA_ERROR_NOT_FOUND;
    search s = {m, kernel, NULL};
    sim_handle_each(SIM_HANDLE_FUNCTION, search_function, &s);
    if (s.found == NULL) {
        s.found = calloc(1, sizeof(*s.found));
        if (s.found == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
        *s.found = (loaded_function){m, kernel, SHARED_MAXIMUM - kernel->shared_bytes};
        sim_handle_add(SIM_HANDLE_FUNCTION, s.found);
    }
    *function_out = (CUfunction)s.found;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name)
{
    RETURN_CALL(HAS_CONTEXT, get_function(hfunc, hmod, name));
}

static int get_global(CUdeviceptr *address_out, size_t *bytes_out, CUmodule handle,
                      const char *name)
{
    loaded_module *m = NULL;
    const int result = find_module(handle, &m);
    if (result != CUDA_SUCCESS)
        return result;
    if (name == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "name is NULL");
    const ptx_global *global = m->code.globals;
    while (global != NULL && strcmp(global->name, name) != 0)
        global = global->next;
    if (global == NULL)
        return CUDA_ERROR_NOT_FOUND;
    if (address_out != NULL)
        *address_out = global->address;
    if (bytes_out != NULL)
        *bytes_out = global->bytes;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name)
{
    RETURN_CALL(HAS_CONTEXT, get_global(dptr, bytes, hmod, name));
}

int cuda_find_function(CUfunction handle, loaded_function **function_out)
{
    if (!sim_handle_alive(SIM_HANDLE_FUNCTION, handle))
        return sim_refuse(CUDA_ERROR_INVALID_HANDLE, "no function has the handle %p",
                          (void *)handle);
    *function_out = (loaded_function *)handle;
    return CUDA_SUCCESS;
}

static int get_attribute(int *value, CUfunction_attribute attribute, CUfunction handle)
{
    loaded_function *f = NULL;
    const int result = cuda_find_function(handle, &f);
    if (result != CUDA_SUCCESS)
        return result;
    if (value == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "pi is NULL");
    const int device = f->module->context->device;
    const int threads = cuda_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    const int limit = (int)f->kernel->threads_maximum;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = limit != 0 && limit < threads ? limit : threads;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = (int)f->kernel->shared_bytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = (int)f->kernel->local_bytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        *value = 0;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = 32;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        *value = (int)f->module->code.target;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = 80;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = (int)f->shared_maximum;
        return CUDA_SUCCESS;
    default:
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "function attribute %u", attribute);
    }
}

CUresult cuFuncGetAttribute(int *pi, CUfunction_attribute attrib, CUfunction hfunc)
{
    RETURN_CALL(HAS_CONTEXT, get_attribute(pi, attrib, hfunc));
}

static int set_attribute(CUfunction handle, CUfunction_attribute attribute, int value)
{
    loaded_function *f = NULL;
    const int result = cuda_find_function(handle, &f);
    if (result != CUDA_SUCCESS)
        return result;
    const int most = cuda_attribute(f->module->context->device,
                                    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 ||
        value > most - (int)f->kernel->shared_bytes)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "function attribute %u = %d", attribute, value);
    f->shared_maximum = (unsigned)value;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)
{
    RETURN_CALL(HAS_CONTEXT, set_attribute(hfunc, attrib, value));
}

static int load_function(CUfunction handle)
{
    loaded_function *f = NULL;
    return cuda_find_function(handle, &f);
}

CUresult cuFuncLoad(CUfunction function)
{
    RETURN_CALL(HAS_CONTEXT, load_function(function));
}
