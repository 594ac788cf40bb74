/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory of the host device. Every kind is ordinary host memory, so registering and importing have
 * nothing to do; which ranges are known is the core's business.
 */
#include "host.h"

#include <stdlib.h>
#include <sys/mman.h>

#define CACHE_LINE_BYTES ((size_t)64)
/* The size of a large page on x86-64 and, with pages of 4 KiB, on AArch64. */
#define LARGE_PAGE_BYTES ((size_t)2 << 20)

/* Strided walks over large arrays cost a page walk per row; large pages make most of them cheap. */
static void advise_large_pages(void *address, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    /* Advice only: a kernel without large pages refuses, and nothing is lost. */
    (void)madvise(address, bytes / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES, MADV_HUGEPAGE);
#else
    (void)address;
    (void)bytes;
#endif
}

astride_status astride__host_memory_alloc(astride_backend_device *device, size_t bytes,
                                          astride_memory_kind kind, void **address_out,
                                          void **allocation_out)
{
    (void)device;
    (void)kind;
    bool large = bytes >= LARGE_PAGE_BYTES;
    void *address = NULL;
    if (bytes > PTRDIFF_MAX ||
        posix_memalign(&address, large ? LARGE_PAGE_BYTES : CACHE_LINE_BYTES, bytes) != 0)
        return astride__host_services->fail(ASTRIDE_OUT_OF_MEMORY,
                                            "host: posix_memalign: no memory for %zu bytes", bytes);
    if (large)
        advise_large_pages(address, bytes);
    *address_out = address;
    *allocation_out = NULL;
    return ASTRIDE_OK;
}

void astride__host_memory_free(astride_backend_device *device, void *address, void *allocation)
{
    (void)device;
    (void)allocation;
    free(address);
}

astride_status astride__host_memory_register(astride_backend_device *device, void *address,
                                             size_t bytes, void **allocation_out)
{
    (void)device;
    (void)address;
    (void)bytes;
    *allocation_out = NULL;
    return ASTRIDE_OK;
}

void astride__host_memory_unregister(astride_backend_device *device, void *address,
                                     void *allocation)
{
    (void)device;
    (void)address;
    (void)allocation;
}

/* A handle of host memory is its address. */
astride_status astride__host_memory_import(astride_backend_device *device, void *handle,
                                           size_t bytes, void **address_out, void **allocation_out)
{
    (void)device;
    (void)bytes;
    *address_out = handle;
    *allocation_out = NULL;
    return ASTRIDE_OK;
}

void astride__host_memory_release(astride_backend_device *device, void *address, void *allocation)
{
    (void)device;
    (void)address;
    (void)allocation;
}
