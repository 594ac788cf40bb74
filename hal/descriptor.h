/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Checking a descriptor, and the checked form that the rest of the core works on. Nothing here
 * looks at memory or at a device.
 */
#ifndef ASTRIDE_HAL_DESCRIPTOR_H
#define ASTRIDE_HAL_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <astride/copy.h>

/* The bytes that a region touches lie in [base + low, base + high). */
typedef struct astride__reach {
    int64_t low;  /* at most 0 */
    int64_t high; /* at least the size of an element */
} astride__reach;

/* A descriptor that passed the checks, with its strides written out. */
typedef struct astride__description {
    int32_t rank;
    bool empty; /* an extent is 0: nothing below but rank and extents is meaningful */
    size_t element_bytes;
    uint64_t bytes; /* of all elements; at most INT64_MAX */
    astride__reach dst, src;
    int64_t extents[ASTRIDE_MAX_RANK];
    int64_t dst_strides[ASTRIDE_MAX_RANK];
    int64_t src_strides[ASTRIDE_MAX_RANK];
} astride__description;

/*
 * Checks everything about a copy that can be told without its bases. Details name the field:
 * "extents[2] = -1 is negative". Fails with ASTRIDE_INVALID_ARGUMENT or ASTRIDE_OVERFLOW.
 */
astride_status astride__describe_copy(const astride_copy_desc *desc,
                                      astride__description *description_out);

/* The same for a fill; the source side of the result repeats the destination's strides. */
astride_status astride__describe_fill(const astride_fill_desc *desc,
                                      astride__description *description_out);

/*
 * Whether a region at `base` stays inside the address space; `side` is "dst" or "src". Fails with
 * ASTRIDE_INVALID_ARGUMENT for NULL and with ASTRIDE_OVERFLOW.
 */
astride_status astride__check_base(const char *side, const void *base, const astride__reach *reach);

#endif /* ASTRIDE_HAL_DESCRIPTOR_H */
