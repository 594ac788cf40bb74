/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Buffers, their contents, and what a copy must have made of them. Compiled into the contestants
 * that run in processes of their own, too.
 */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define LARGE_PAGE_BYTES ((size_t)2 << 20)

double bench_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Large pages for everybody, as far as the system gives them. */
void *bench_allocate(size_t bytes)
{
    void *address = NULL;
    const size_t rounded = (bytes + LARGE_PAGE_BYTES - 1) / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES;
    if (posix_memalign(&address, LARGE_PAGE_BYTES, rounded) != 0)
        return NULL;
    (void)madvise(address, rounded, MADV_HUGEPAGE);
    memset(address, 0, rounded);
    return address;
}

void bench_free(void *address, size_t bytes)
{
    (void)bytes;
    free(address);
}

void bench_fill_source(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word = (i / 8 + 1) * UINT64_C(0x9e3779b97f4a7c15);
        word ^= word >> 29;
        memcpy(bytes + i, &word, count - i < 8 ? count - i : 8);
    }
}

uint64_t bench_hash(const unsigned char *bytes, size_t count)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, count - i < 8 ? count - i : 8);
        word ^= word >> 32;
        hash += word * (2 * (i / 8) + 1);
    }
    return hash;
}

static void copy_dimension(const bench_layout *layout, unsigned char *dst, const unsigned char *src,
                           int32_t dimension)
{
    if (dimension == layout->rank) {
        memcpy(dst, src, layout->element_bytes);
        return;
    }
    for (int64_t i = 0; i < layout->extents[dimension]; i++)
        copy_dimension(layout, dst + i * layout->dst_strides[dimension],
                       src + i * layout->src_strides[dimension], dimension + 1);
}

void bench_plain_copy(const bench_layout *layout, unsigned char *dst, const unsigned char *src)
{
    copy_dimension(layout, dst + layout->dst_offset, src + layout->src_offset, 0);
}
