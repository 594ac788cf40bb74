/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Device code: loading it and launching its functions, where the backend can.
 */
#include <inttypes.h>

#include <astride/mlir.h>

#include "mlir/runtime/context.h"
#include "mlir/runtime/failure.h"
#include "mlir/runtime/stream.h"
#include "mlir/runtime/work.h"

static void *module_load(const char *function, const void *data, size_t size_bytes)
{
    astride_module *module = NULL;
    astride_device *device = astride__mlir_device(function);
    if (device == NULL ||
        !astride__mlir_ok(function, astride_module_load(device, data, size_bytes, &module)))
        return NULL;
    return module;
}

void *mgpuModuleLoad(void *data, size_t size_bytes)
{
    return module_load(__func__, data, size_bytes);
}

void *mgpuModuleLoadJIT(void *data, int optimization_level, size_t size_bytes)
{
    (void)optimization_level;
    (void)size_bytes; /* not passed at all by LLVM 18 to 22 */
    return module_load(__func__, data, 0);
}

void mgpuModuleUnload(void *module)
{
    if (module == NULL)
        return;
    astride__mlir_streams_wait(__func__);
    astride_module_unload(module);
}

void *mgpuModuleGetFunction(void *module, const char *name)
{
    astride_function *found = NULL;
    if (!astride__mlir_ok(__func__, astride_module_function(module, name, &found)))
        return NULL;
    return found;
}

static bool sizes_check(const char *function, const char *name, const intptr_t sizes[3],
                        uint32_t sizes_out[3])
{
    for (int i = 0; i < 3; i++) {
        if (sizes[i] < 1 || (uint64_t)sizes[i] > UINT32_MAX) {
            astride__mlir_fail(function, "%s_%c = %" PRIdPTR " is not in 1 to %" PRIu32, name,
                               "xyz"[i], sizes[i], UINT32_MAX);
            return false;
        }
        sizes_out[i] = (uint32_t)sizes[i];
    }
    return true;
}

void mgpuLaunchKernel(void *function, intptr_t grid_x, intptr_t grid_y, intptr_t grid_z,
                      intptr_t block_x, intptr_t block_y, intptr_t block_z, int32_t shared_bytes,
                      void *stream, void **parameters, void **extra, size_t parameter_count)
{
    const intptr_t grid_sizes[3] = {grid_x, grid_y, grid_z};
    const intptr_t block_sizes[3] = {block_x, block_y, block_z};
    uint32_t grid[3];
    uint32_t block[3];
    astride__mlir_work work;

    if (extra != NULL) {
        astride__mlir_fail(__func__, "extra is not NULL: pass each parameter in `parameters`");
        return;
    }
    if (shared_bytes < 0) {
        astride__mlir_fail(__func__, "shared_bytes = %" PRId32 " is negative", shared_bytes);
        return;
    }
    if (!sizes_check(__func__, "grid", grid_sizes, grid) ||
        !sizes_check(__func__, "block", block_sizes, block) ||
        !astride__mlir_work_begin(__func__, stream, NULL, NULL, &work))
        return;
    astride__mlir_work_end(&work,
                           astride_launch(work.queue, function, grid, block, (uint32_t)shared_bytes,
                                          parameters, parameter_count));
}
