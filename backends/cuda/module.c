/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The slots for device code of the program: PTX as text, cubin or fat binary, with the driver's
 * compiler's words in the error.
 */
#include "cuda.h"

#include <stdlib.h>
#include <string.h>

/* Room for the compiler's words. */
#define LOG_BYTES 4096u

/* Dynamic shared memory that every kernel may have; for more it must be told (CUDA programming
   guide 13.0, "Shared memory"). */
#define SHARED_BYTES_USUAL (48u << 10)

bool astride__cuda_has_modules(void)
{
    return astride__cu.ModuleLoadDataEx != NULL && astride__cu.ModuleUnload != NULL &&
           astride__cu.ModuleGetFunction != NULL && astride__cu.LaunchKernel != NULL;
}

static astride_status fail_modules(void)
{
    return astride__cuda_services->fail(ASTRIDE_UNSUPPORTED, "the driver lacks one of "
                                                             "cuModuleLoadDataEx, cuModuleUnload, "
                                                             "cuModuleGetFunction, cuLaunchKernel");
}

astride_status astride__cuda_module_compile(const char *image, CUmodule *module_out)
{
    char words[LOG_BYTES] = "";
    /* The log's size is given in place of a pointer, and what was written comes back there. */
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {words, (void *)(uintptr_t)(sizeof(words) - 1)};
    CUmodule module = NULL;
    const CUresult code = astride__cu.ModuleLoadDataEx(&module, image, 2, options, values);
    if (code == CUDA_SUCCESS) {
        *module_out = module;
        return ASTRIDE_OK;
    }
    words[sizeof(words) - 1] = '\0';
    const bool has_words = words[0] != '\0';
    if (has_words)
        astride__cuda_services->log(ASTRIDE_LOG_ERROR, "cuModuleLoadDataEx: %s", words);
    return astride__cuda_services->fail(
        astride__cuda_error_status(code), "cuModuleLoadDataEx: %s (%u): %.600s",
        astride__cuda_error_name(code), code, has_words ? words : "the driver gives no log");
}

/* Binary forms tell their size in their headers; text must end in a zero byte. */
static bool is_text(const unsigned char *image, size_t bytes)
{
    static const unsigned char elf[4] = {0x7f, 'E', 'L', 'F'};
    static const unsigned char fat[4] = {0x50, 0xed, 0x55, 0xba};
    return bytes < sizeof(elf) ||
           (memcmp(image, elf, sizeof(elf)) != 0 && memcmp(image, fat, sizeof(fat)) != 0);
}

/* A copy of a text that its size ends; NULL in *copy_out where the image can be used as it is. */
static astride_status terminate(const void *image, size_t bytes, char **copy_out)
{
    *copy_out = NULL;
    if (bytes == 0 || !is_text(image, bytes) || memchr(image, '\0', bytes) != NULL)
        return ASTRIDE_OK;
    char *copy = malloc(bytes + 1);
    if (copy == NULL)
        return astride__cuda_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for a module's text");
    memcpy(copy, image, bytes);
    copy[bytes] = '\0';
    *copy_out = copy;
    return ASTRIDE_OK;
}

astride_status astride__cuda_module_load(astride_backend_device *device, const void *image,
                                         size_t image_bytes, astride_backend_module **module_out)
{
    char *copy = NULL;
    if (!astride__cuda_has_modules())
        return fail_modules();
    astride_backend_module *module = calloc(1, sizeof(*module));
    if (module == NULL)
        return astride__cuda_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for a module");
    module->device = device;
    astride_status status = terminate(image, image_bytes, &copy);
    if (status != ASTRIDE_OK)
        goto free_module;
    status = astride__cuda_enter(device);
    if (status != ASTRIDE_OK)
        goto free_copy;
    status = astride__cuda_module_compile(copy != NULL ? copy : image, &module->native);
    astride__cuda_leave();
    if (status != ASTRIDE_OK)
        goto free_copy;
    free(copy);
    *module_out = module;
    return ASTRIDE_OK;

free_copy:
    free(copy);
free_module:
    free(module);
    return status;
}

void astride__cuda_module_unload(astride_backend_module *module)
{
    if (module == NULL)
        return;
    if (astride__cuda_enter_to_release(module->device)) {
        astride__cuda_check_release("cuModuleUnload", astride__cu.ModuleUnload(module->native));
        astride__cuda_leave();
    }
    free(module);
}

astride_status astride__cuda_module_function(astride_backend_module *module, const char *name,
                                             astride_backend_function **function_out)
{
    CUfunction function = NULL;
    astride_status status = astride__cuda_enter(module->device);
    if (status != ASTRIDE_OK)
        return status;
    const CUresult code = astride__cu.ModuleGetFunction(&function, module->native, name);
    astride__cuda_leave();
    if (code == CUDA_ERROR_NOT_FOUND)
        return astride__cuda_services->fail(
            ASTRIDE_NOT_FOUND, "cuModuleGetFunction: %s (%u): the module has no function %.200s",
            astride__cuda_error_name(code), code, name);
    status = astride__cuda_check("cuModuleGetFunction", code);
    if (status == ASTRIDE_OK)
        *function_out = (astride_backend_function *)(void *)function;
    return status;
}

static astride_status allow_shared(CUfunction function, uint32_t shared_bytes)
{
    if (shared_bytes <= SHARED_BYTES_USUAL || astride__cu.FuncSetAttribute == NULL)
        return ASTRIDE_OK;
    return astride__cuda_check(
        "cuFuncSetAttribute",
        astride__cu.FuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                     (int)shared_bytes));
}

astride_status astride__cuda_module_launch(astride_backend_queue *queue,
                                           astride_backend_function *function,
                                           const uint32_t grid[3], const uint32_t block[3],
                                           uint32_t shared_bytes, void **parameters,
                                           size_t parameter_count)
{
    const CUfunction native = (CUfunction)(void *)function;
    (void)parameter_count; /* the function knows how many it has */
    if (shared_bytes > INT32_MAX)
        return astride__cuda_services->fail(ASTRIDE_INVALID_ARGUMENT,
                                            "shared_bytes = %u exceeds what the driver takes",
                                            (unsigned)shared_bytes);
    astride_status status = astride__cuda_queue_enter(queue);
    if (status != ASTRIDE_OK)
        return status;
    status = allow_shared(native, shared_bytes);
    if (status == ASTRIDE_OK)
        status = astride__cuda_check(
            "cuLaunchKernel",
            astride__cu.LaunchKernel(native, grid[0], grid[1], grid[2], block[0], block[1],
                                     block[2], shared_bytes, queue->native, parameters, NULL));
    astride__cuda_leave();
    return status;
}
