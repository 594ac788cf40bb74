/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * MPI's derived datatypes, in one process: MPI_Pack where the destination is dense, MPI_Unpack
 * where the source is, both through a buffer otherwise. Built once with each MPI that is found;
 * peer_process.c says what is asked on standard input.
 */
#ifdef BENCH_MPI /* set where an MPI is at hand */
#include "bench/bench.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bench_layout layout;
static unsigned char *dst, *src, *packed;
static size_t dst_allocated, src_allocated, packed_allocated;
static MPI_Datatype dst_type = MPI_DATATYPE_NULL, src_type = MPI_DATATYPE_NULL;
static bool dense_dst, dense_src;

static bool is_dense(const int64_t *strides)
{
    int64_t bytes = (int64_t)layout.element_bytes;
    for (int32_t d = layout.rank - 1; d >= 0; d--) {
        if (layout.extents[d] != 1 && strides[d] != bytes)
            return false;
        bytes *= layout.extents[d];
    }
    return true;
}

static MPI_Datatype element_type(void)
{
    switch (layout.element_bytes) {
    case 2:
        return MPI_INT16_T;
    case 4:
        return MPI_FLOAT;
    case 8:
        return MPI_DOUBLE;
    case 16:
        return MPI_C_DOUBLE_COMPLEX;
    default:
        return MPI_BYTE;
    }
}

static MPI_Datatype make_type(const int64_t *strides)
{
    MPI_Datatype type, outer;
    MPI_Type_contiguous(1, element_type(), &type);
    for (int32_t d = layout.rank - 1; d >= 0; d--) {
        MPI_Type_create_hvector((int)layout.extents[d], 1, (MPI_Aint)strides[d], type, &outer);
        MPI_Type_free(&type);
        type = outer;
    }
    MPI_Type_commit(&type);
    return type;
}

static void *grow(void *old, size_t *allocated, size_t bytes)
{
    if (*allocated >= bytes)
        return old;
    bench_free(old, *allocated);
    *allocated = bytes;
    return bench_allocate(bytes);
}

static bool set_layout(char *words)
{
    char *at = words;
    layout.element_bytes = strtoul(at, &at, 10);
    layout.rank = (int32_t)strtol(at, &at, 10);
    layout.dst_bytes = strtoul(at, &at, 10);
    layout.src_bytes = strtoul(at, &at, 10);
    layout.dst_offset = strtoul(at, &at, 10);
    layout.src_offset = strtoul(at, &at, 10);
    if (layout.rank < 0 || layout.rank > BENCH_MAX_RANK)
        return false;
    layout.payload_bytes = layout.element_bytes;
    for (int32_t d = 0; d < layout.rank; d++) {
        layout.extents[d] = strtoll(at, &at, 10);
        layout.payload_bytes *= (size_t)layout.extents[d];
    }
    for (int32_t d = 0; d < layout.rank; d++)
        layout.dst_strides[d] = strtoll(at, &at, 10);
    for (int32_t d = 0; d < layout.rank; d++)
        layout.src_strides[d] = strtoll(at, &at, 10);
    dst = grow(dst, &dst_allocated, layout.dst_bytes);
    src = grow(src, &src_allocated, layout.src_bytes);
    packed = grow(packed, &packed_allocated, layout.payload_bytes);
    if (dst == NULL || src == NULL || packed == NULL)
        return false;
    bench_fill_source(src, layout.src_bytes);
    if (dst_type != MPI_DATATYPE_NULL)
        MPI_Type_free(&dst_type);
    if (src_type != MPI_DATATYPE_NULL)
        MPI_Type_free(&src_type);
    dense_dst = is_dense(layout.dst_strides);
    dense_src = is_dense(layout.src_strides);
    dst_type = make_type(layout.dst_strides);
    src_type = make_type(layout.src_strides);
    return true;
}

static bool copy_once(void)
{
    unsigned char *to = dst + layout.dst_offset;
    unsigned char *from = src + layout.src_offset;
    unsigned char *between = dense_dst ? to : dense_src ? from : packed;
    const int bytes = (int)layout.payload_bytes;
    int position = 0;
    if (between != from &&
        MPI_Pack(from, 1, src_type, between, bytes, &position, MPI_COMM_SELF) != MPI_SUCCESS)
        return false;
    position = 0;
    return between == to ||
           MPI_Unpack(between, bytes, &position, to, 1, dst_type, MPI_COMM_SELF) == MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    char line[1024];
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strncmp(line, "hello", 5) == 0) {
            puts("ready");
        } else if (strncmp(line, "layout ", 7) == 0) {
            puts(set_layout(line + 7) ? "ok" : "no");
        } else if (strncmp(line, "hash", 4) == 0) {
            memset(dst, BENCH_POISON, layout.dst_bytes);
            (void)copy_once();
            printf("%" PRIu64 "\n", bench_hash(dst, layout.dst_bytes));
        } else if (strncmp(line, "run ", 4) == 0) {
            const uint64_t iterations = strtoull(line + 4, NULL, 10);
            bool good = true;
            const double begin = bench_now_ns();
            for (uint64_t i = 0; i < iterations; i++)
                good = copy_once() && good;
            printf("%.1f\n", good ? bench_now_ns() - begin : -1.0);
        }
        fflush(stdout);
    }
    MPI_Finalize();
    return 0;
}
#endif
