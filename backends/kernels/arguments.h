/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a packing kernel is told: one structure, passed by value, that host code fills (launch.c)
 * and device code reads (astride_kernels.cl). Both see this very text, so that it uses only types
 * whose size and alignment every compiler involved agrees on.
 */
#ifndef ASTRIDE_BACKENDS_KERNELS_ARGUMENTS_H
#define ASTRIDE_BACKENDS_KERNELS_ARGUMENTS_H

#if defined(__OPENCL_VERSION__) || defined(ASTRIDE_TARGET_PTX) || defined(ASTRIDE_TARGET_HIP)
/* The fixed sizes of OpenCL C, which the device compilers for Linux share. */
typedef unsigned int astride_u32;
typedef unsigned long astride_u64;
typedef long astride_i64;
#else
#include <stdint.h>
typedef uint32_t astride_u32;
typedef uint64_t astride_u64;
typedef int64_t astride_i64;
#endif

/* ASTRIDE_KERNEL_RANK and one dimension more, for units that are copied piece by piece. */
#define ASTRIDE_KERNEL_DIMENSIONS 9

/* Edge of a tile of a transposing copy, in units. */
#define ASTRIDE_KERNEL_TILE 32

/* Work-items of a group, in one dimension, of the variant that shares work by single units. */
#define ASTRIDE_KERNEL_GROUP 256

/*
 * Dimensions are innermost first: the index of a unit counts dimension 0 fastest. In a transposing
 * copy, dimension 0 is the one with the smallest stride of the destination and dimension 1 the one
 * with the smallest stride of the source; tiles are counted like units, with tiles in place of
 * units along these two.
 */
typedef struct astride_kernel_arguments {
    astride_u64 count;      /* units, or tiles of a transposing copy; below 2^63 */
    astride_u64 run;        /* how many of them a work-item takes at a stretch (ASTRIDE_RUNS) */
    astride_i64 dst_offset; /* bytes from the pointer to the unit at index [0, ..., 0] */
    astride_i64 src_offset;
    astride_u64 extents[ASTRIDE_KERNEL_DIMENSIONS];
    astride_i64 dst_strides[ASTRIDE_KERNEL_DIMENSIONS]; /* bytes */
    astride_i64 src_strides[ASTRIDE_KERNEL_DIMENSIONS]; /* bytes */
    /* Of the extents, or of the numbers of tiles along dimensions 0 and 1; see reciprocal.h. Those
       for 32 bits where `narrow` is set. */
    astride_u64 reciprocals[ASTRIDE_KERNEL_DIMENSIONS];
    astride_u64 pattern[2]; /* of a fill: its bytes in memory order on a little-endian machine */
    astride_u32 shifts[ASTRIDE_KERNEL_DIMENSIONS];
    astride_u32 rank;   /* at least 1 */
    astride_u32 narrow; /* count is below 2^31 */
    astride_u32 split;  /* of a fill: dimension 0 runs through the pieces of one pattern */
} astride_kernel_arguments;

#endif /* ASTRIDE_BACKENDS_KERNELS_ARGUMENTS_H */
