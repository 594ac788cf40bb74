/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Allocation, and copies and fills of contiguous bytes. Strided ones are in strided.c.
 */
#include <inttypes.h>

#include <astride/mlir.h>

#include "mlir/runtime/context.h"
#include "mlir/runtime/failure.h"
#include "mlir/runtime/stream.h"
#include "mlir/runtime/work.h"

void *mgpuMemAlloc(uint64_t size_bytes, void *stream, bool is_host_shared)
{
    void *address = NULL;
    astride_memory_kind kind = is_host_shared ? ASTRIDE_MEMORY_SHARED : ASTRIDE_MEMORY_DEVICE;
    astride_device *device =
        stream != NULL ? astride_queue_device(stream) : astride__mlir_device(__func__);
    if (device == NULL)
        return NULL;
    if (size_bytes > PTRDIFF_MAX) {
        astride__mlir_fail(__func__, "size_bytes = %" PRIu64 " exceeds the address space",
                           size_bytes);
        return NULL;
    }
    if (!astride__mlir_ok(__func__,
                          astride_memory_alloc(device, (size_t)size_bytes, kind, &address)))
        return NULL;
    return address;
}

void mgpuMemFree(void *address, void *stream)
{
    if (address == NULL)
        return;
    astride_device *device = astride__mlir_device_of(__func__, address, NULL);
    if (device == NULL)
        return;
    if (stream != NULL)
        (void)astride__mlir_ok(__func__, astride_queue_wait(stream));
    astride__mlir_streams_wait(__func__);
    (void)astride__mlir_ok(__func__, astride_memory_free(device, address));
}

void mgpuMemcpy(void *dst, void *src, size_t size_bytes, void *stream)
{
    astride__mlir_work work;
    if (size_bytes == 0 || !astride__mlir_work_begin(__func__, stream, dst, src, &work))
        return;
    const astride_copy_desc desc = {.struct_size = sizeof desc,
                                    .element_bytes = size_bytes,
                                    .dst = {.base = dst},
                                    .src = {.base = src}};
    astride__mlir_work_end(&work, astride_copy(work.queue, &desc));
}

static void fill(const char *function, void *dst, const void *pattern, size_t pattern_bytes,
                 size_t count, void *stream)
{
    astride__mlir_work work;
    if (count == 0)
        return;
    if (count > (size_t)PTRDIFF_MAX / pattern_bytes) {
        astride__mlir_fail(function, "count = %zu values of %zu bytes exceeds the address space",
                           count, pattern_bytes);
        return;
    }
    const int64_t extent = (int64_t)count;
    const astride_fill_desc desc = {.struct_size = sizeof desc,
                                    .rank = 1,
                                    .element_bytes = pattern_bytes,
                                    .extents = &extent,
                                    .dst = {.base = dst},
                                    .pattern = pattern};
    if (astride__mlir_work_begin(function, stream, dst, NULL, &work))
        astride__mlir_work_end(&work, astride_fill(work.queue, &desc));
}

void mgpuMemset32(void *dst, unsigned int value, size_t count, void *stream)
{
    const uint32_t pattern = value;
    fill(__func__, dst, &pattern, sizeof pattern, count, stream);
}

void mgpuMemset16(void *dst, unsigned short value, size_t count, void *stream)
{
    const uint16_t pattern = value;
    fill(__func__, dst, &pattern, sizeof pattern, count, stream);
}
