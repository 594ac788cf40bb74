/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * One side of a copy bound to memory: which allocation its base is in, of what kind that is to a
 * device, and whether the region stays inside of it.
 */
#ifndef ASTRIDE_HAL_SIDE_H
#define ASTRIDE_HAL_SIDE_H

#include <stdbool.h>
#include <stdint.h>

#include <astride/plugin.h>

#include "hal/descriptor.h"

typedef struct astride__side {
    astride_memory_kind kind;  /* as seen from the device: others' host memory is pageable to it */
    uintptr_t base;            /* the caller's, of the element at [0, ..., 0] */
    uintptr_t allocation_base; /* 0 when unknown */
    void *allocation;          /* the backend's cookie; NULL when not its own */
    bool peer;                 /* memory of another device: native copies reach it, nothing else */
    bool foreign;              /* memory of another device that this one does not reach */
    astride_device *owner;     /* whose memory it is, where the host does not reach it; else NULL */
} astride__side;

/*
 * Resolves the base of one side ("dst" or "src"). Fails with ASTRIDE_INVALID_ARGUMENT (NULL),
 * ASTRIDE_OVERFLOW and ASTRIDE_OUT_OF_BOUNDS. Of a foreign side, kind and allocation are as its
 * owner sees them.
 */
astride_status astride__side_resolve(astride_device *device, const char *name, const void *base,
                                     const astride__reach *reach, astride__side *side_out);

/* The operand at an offset from the base of a side. In line, so that it is made where it is used.
 */
static inline astride_operand astride__side_operand(const astride__side *side, int64_t offset)
{
    const uintptr_t address = side->base + (uintptr_t)offset;
    return (astride_operand){
        .address = (void *)address,
        .kind = side->kind,
        .allocation = side->allocation,
        .offset_bytes = side->allocation_base != 0 ? address - side->allocation_base : 0,
    };
}

/* Whether both are in one allocation that the backend knows. */
bool astride__sides_share_allocation(const astride__side *dst, const astride__side *src);

/* Whether host code, or a kernel of the device, may dereference memory of this kind. */
bool astride__host_reaches(const astride_device *device, astride_memory_kind kind);
bool astride__kernel_reaches(const astride_device *device, astride_memory_kind kind);

/* "host", "device", "pinned" or "shared". */
const char *astride__memory_kind_name(astride_memory_kind kind);

astride_direction astride__direction(astride_memory_kind dst, astride_memory_kind src);

#endif /* ASTRIDE_HAL_SIDE_H */
