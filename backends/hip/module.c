/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The slots for device code of the program: code objects and bundles of them, which tell their own
 * size.
 */
#include "hip.h"

#include <stdlib.h>

bool astride__hip_has_modules(void)
{
    return astride__hip.ModuleLoadData != NULL && astride__hip.ModuleUnload != NULL &&
           astride__hip.ModuleGetFunction != NULL && astride__hip.ModuleLaunchKernel != NULL;
}

astride_status astride__hip_module_load(astride_backend_device *device, const void *image,
                                        size_t image_bytes, astride_backend_module **module_out)
{
    (void)image_bytes;
    if (!astride__hip_has_modules())
        return astride__hip_services->fail(ASTRIDE_UNSUPPORTED,
                                           "the runtime lacks one of hipModuleLoadData, "
                                           "hipModuleUnload, hipModuleGetFunction, "
                                           "hipModuleLaunchKernel");
    astride_backend_module *module = calloc(1, sizeof(*module));
    if (module == NULL)
        return astride__hip_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for a module");
    module->device = device;
    astride_status status = astride__hip_enter(device);
    if (status != ASTRIDE_OK)
        goto free_module;
    status = astride__hip_check("hipModuleLoadData",
                                astride__hip.ModuleLoadData(&module->native, image));
    astride__hip_leave();
    if (status != ASTRIDE_OK)
        goto free_module;
    *module_out = module;
    return ASTRIDE_OK;

free_module:
    free(module);
    return status;
}

void astride__hip_module_unload(astride_backend_module *module)
{
    if (module == NULL)
        return;
    if (astride__hip_enter_to_release(module->device)) {
        astride__hip_check_release("hipModuleUnload", astride__hip.ModuleUnload(module->native));
        astride__hip_leave();
    }
    free(module);
}

astride_status astride__hip_module_function(astride_backend_module *module, const char *name,
                                            astride_backend_function **function_out)
{
    hipFunction_t function = NULL;
    astride_status status = astride__hip_enter(module->device);
    if (status != ASTRIDE_OK)
        return status;
    const hipError_t code = astride__hip.ModuleGetFunction(&function, module->native, name);
    astride__hip_leave();
    if (code == hipErrorNotFound) {
        astride__hip_forget_error();
        return astride__hip_services->fail(
            ASTRIDE_NOT_FOUND, "hipModuleGetFunction: %s (%u): the module has no function %.200s",
            astride__hip_error_name(code), code, name);
    }
    status = astride__hip_check("hipModuleGetFunction", code);
    if (status == ASTRIDE_OK)
        *function_out = (astride_backend_function *)(void *)function;
    return status;
}

astride_status astride__hip_module_launch(astride_backend_queue *queue,
                                          astride_backend_function *function,
                                          const uint32_t grid[3], const uint32_t block[3],
                                          uint32_t shared_bytes, void **parameters,
                                          size_t parameter_count)
{
    (void)parameter_count; /* the function knows how many it has */
    astride_status status = astride__hip_queue_enter(queue);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__hip_check("hipModuleLaunchKernel",
                                astride__hip.ModuleLaunchKernel((hipFunction_t)(void *)function,
                                                                grid[0], grid[1], grid[2], block[0],
                                                                block[1], block[2], shared_bytes,
                                                                queue->native, parameters, NULL));
    astride__hip_leave();
    return status;
}
