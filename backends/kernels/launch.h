/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * From a strided copy or fill to the launch of a packing kernel: which kernel, with which arguments
 * and how many groups. Knows no vendor; every backend with kernels is linked with it.
 */
#ifndef ASTRIDE_BACKENDS_KERNELS_LAUNCH_H
#define ASTRIDE_BACKENDS_KERNELS_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include <astride/plugin.h>

#include "arguments.h"

/* The kernels, in the order of astride__kernel_names. */
typedef enum astride__kernel {
    ASTRIDE__KERNEL_COPY_1,
    ASTRIDE__KERNEL_COPY_2,
    ASTRIDE__KERNEL_COPY_4,
    ASTRIDE__KERNEL_COPY_8,
    ASTRIDE__KERNEL_COPY_16,
    ASTRIDE__KERNEL_TRANSPOSE_1,
    ASTRIDE__KERNEL_TRANSPOSE_2,
    ASTRIDE__KERNEL_TRANSPOSE_4,
    ASTRIDE__KERNEL_TRANSPOSE_8,
    ASTRIDE__KERNEL_TRANSPOSE_16,
    ASTRIDE__KERNEL_FILL_1,
    ASTRIDE__KERNEL_FILL_2,
    ASTRIDE__KERNEL_FILL_4,
    ASTRIDE__KERNEL_FILL_8,
    ASTRIDE__KERNEL_FILL_16,
    ASTRIDE__KERNEL_COUNT
} astride__kernel;

/* The names of the kernels' functions. */
extern const char *const astride__kernel_names[ASTRIDE__KERNEL_COUNT];

/* The source of the kernels, arguments.h included, terminated. */
extern const char astride__kernel_source[];

/* How a device shares the work of a kernel. */
typedef struct astride__kernel_sharing {
    bool runs;               /* the kernels were compiled with ASTRIDE_RUNS */
    uint32_t groups_maximum; /* so many groups keep the device busy; at least 1 */
    uint64_t run_minimum;    /* with `runs`: bytes that are worth a group; at least 1 */
} astride__kernel_sharing;

/* A kernel ready to be launched in one dimension. */
typedef struct astride__kernel_launch {
    astride__kernel kernel;
    uint32_t group_size;
    uint32_t group_count;
    astride_kernel_arguments arguments;
} astride__kernel_launch;

/* One side of a kernel: the operand's address is `offset_bytes` behind the kernel's pointer. */
typedef struct astride__kernel_side {
    uint64_t offset_bytes;
    uint64_t misalignment; /* the pointer modulo 16 */
} astride__kernel_side;

/*
 * Prepares a copy. A unit is copied in the widest pieces that its size, all strides and both
 * addresses are multiples of.
 */
void astride__kernel_launch_copy(const astride_strided *copy, const astride__kernel_side *dst,
                                 const astride__kernel_side *src,
                                 const astride__kernel_sharing *sharing,
                                 astride__kernel_launch *launch_out);

/* Prepares a fill. */
void astride__kernel_launch_fill(const astride_strided_fill *fill, const astride__kernel_side *dst,
                                 const astride__kernel_sharing *sharing,
                                 astride__kernel_launch *launch_out);

#endif /* ASTRIDE_BACKENDS_KERNELS_LAUNCH_H */
