/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Modules of device code, their functions and launches, for callers with kernels of their own. The
 * packing kernels of the backends do not pass through here.
 */
#include <stdlib.h>
#include <string.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/process.h"
#include "hal/queue.h"

struct astride_function {
    astride_device *device;
    astride_backend_function *backend;
    struct astride_function *next; /* in its module */
    char name[];
};

struct astride_module {
    astride_device *device;
    astride_backend_module *backend;
    uint32_t process;            /* astride__process_number() when it was loaded */
    pthread_mutex_t lock;        /* guards the list */
    astride_function *functions; /* each that was asked for, once */
};

astride_status astride_module_load(astride_device *device, const void *image, size_t image_bytes,
                                   astride_module **module_out)
{
    static const char call[] = "astride_module_load";
    astride_module *module;
    astride_status status = astride__device_check(device, call);

    if (status != ASTRIDE_OK)
        return status;
    if (image == NULL || module_out == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: %s is NULL", call,
                             image == NULL ? "image" : "module_out");
    if (device->plugin->module_load == NULL)
        return astride__device_lacks(device, call, "module_load");
    module = calloc(1, sizeof(*module));
    if (module == NULL || pthread_mutex_init(&module->lock, NULL) != 0) {
        free(module);
        return astride__fail(ASTRIDE_OUT_OF_MEMORY, "%s: no memory for a module", call);
    }
    module->device = device;
    module->process = astride__process_number();
    status = device->plugin->module_load(device->backend, image, image_bytes, &module->backend);
    if (status != ASTRIDE_OK) {
        pthread_mutex_destroy(&module->lock);
        free(module);
        return status;
    }
    *module_out = module;
    return ASTRIDE_OK;
}

void astride_module_unload(astride_module *module)
{
    if (module == NULL)
        return;
    /* A parent's module is forgotten without its driver. */
    if (module->process == astride__process_number()) {
        module->device->plugin->module_unload(module->backend);
        pthread_mutex_destroy(&module->lock);
    }
    for (astride_function *function = module->functions; function != NULL;) {
        astride_function *next = function->next;
        free(function);
        function = next;
    }
    free(module);
}

/* The lock is held by the caller. */
static astride_function *find_function(const astride_module *module, const char *name)
{
    astride_function *function = module->functions;

    while (function != NULL && strcmp(function->name, name) != 0)
        function = function->next;
    return function;
}

/* Adds a function unless another thread did in the meantime; returns the one in the list. */
static astride_function *keep_function(astride_module *module, astride_function *function)
{
    astride_function *kept;

    pthread_mutex_lock(&module->lock);
    kept = find_function(module, function->name);
    if (kept == NULL) {
        function->next = module->functions;
        module->functions = function;
        kept = function;
    }
    pthread_mutex_unlock(&module->lock);
    if (kept != function)
        free(function);
    return kept;
}

astride_status astride_module_function(astride_module *module, const char *name,
                                       astride_function **function_out)
{
    static const char call[] = "astride_module_function";
    astride_function *function;
    astride_status status;

    if (module == NULL || name == NULL || function_out == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: %s is NULL", call,
                             module == NULL ? "module"
                             : name == NULL ? "name"
                                            : "function_out");
    if (module->process != astride__process_number())
        return astride__fail(ASTRIDE_AFTER_FORK,
                             "%s: the module was loaded by a parent of this process", call);
    pthread_mutex_lock(&module->lock);
    function = find_function(module, name);
    pthread_mutex_unlock(&module->lock);
    if (function == NULL) {
        function = calloc(1, sizeof(*function) + strlen(name) + 1);
        if (function == NULL)
            return astride__fail(ASTRIDE_OUT_OF_MEMORY, "%s: no memory for a function", call);
        memcpy(function->name, name, strlen(name) + 1);
        function->device = module->device;
        status = module->device->plugin->module_function(module->backend, name, &function->backend);
        if (status != ASTRIDE_OK) {
            free(function);
            return status;
        }
        function = keep_function(module, function);
    }
    *function_out = function;
    return ASTRIDE_OK;
}

static astride_status check_sizes(const char *call, const char *argument, const uint32_t sizes[3])
{
    if (sizes == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: %s is NULL", call, argument);
    for (int i = 0; i < 3; i++)
        if (sizes[i] == 0)
            return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: %s[%d] is 0", call, argument, i);
    return ASTRIDE_OK;
}

astride_status astride_launch(astride_queue *queue, astride_function *function,
                              const uint32_t grid[3], const uint32_t block[3],
                              uint32_t shared_bytes, void **parameters, size_t parameter_count)
{
    static const char call[] = "astride_launch";
    astride_status status = astride__queue_check(queue, call);

    if (status != ASTRIDE_OK)
        return status;
    /* Asked first, because without modules nothing can have given a function. */
    if (queue->device->plugin->launch == NULL)
        return astride__device_lacks(queue->device, call, "launch");
    if (function == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: function is NULL", call);
    status = check_sizes(call, "grid", grid);
    if (status == ASTRIDE_OK)
        status = check_sizes(call, "block", block);
    if (status != ASTRIDE_OK)
        return status;
    if (parameters == NULL && parameter_count != 0)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "%s: parameters is NULL, parameter_count is %zu", call,
                             parameter_count);
    if (function->device != queue->device)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: the function is of %s, the queue of %s",
                             call, function->device->spec, queue->device->spec);
    pthread_mutex_lock(&queue->lock);
    status = queue->device->plugin->launch(queue->backend, function->backend, grid, block,
                                           shared_bytes, parameters, parameter_count);
    pthread_mutex_unlock(&queue->lock);
    return status;
}
