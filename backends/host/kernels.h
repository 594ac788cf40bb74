/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The host's copy kernels. A strided copy of any rank is a nest of loops around one kernel, which
 * copies a block: two of the dimensions, or a tile of them. kernels.c chooses kernel, dimensions
 * and tile; each kernel_*.c has the kernels of one kind of layout.
 *
 * Rules of every kernel: it touches no byte outside of the units, since what lies between them may
 * belong to others or may not exist; addresses and strides need no alignment; the units of the two
 * sides are disjoint, which is what makes `restrict` true even where the sides interleave.
 */
#ifndef ASTRIDE_BACKENDS_HOST_KERNELS_H
#define ASTRIDE_BACKENDS_HOST_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <astride/plugin.h>

#if defined(__GNUC__) || defined(__clang__)
#define ASTRIDE__HOST_INLINE static inline __attribute__((always_inline))
#else
#define ASTRIDE__HOST_INLINE static inline
#endif

/* Before a loop of a constant number of steps, whose arrays are then in registers. */
#if defined(__clang__)
#define ASTRIDE__HOST_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define ASTRIDE__HOST_UNROLL _Pragma("GCC unroll 32")
#else
#define ASTRIDE__HOST_UNROLL
#endif

/* Which bytes of a vector go where; made once for a copy by the level that chose the kernel. */
typedef struct astride__host_pattern {
    uint8_t index[4][64];
    uint64_t mask[16];
} astride__host_pattern;

/* Where a unit lies, from the first one on, in bytes. */
typedef struct astride__host_step {
    ptrdiff_t dst, src;
} astride__host_step;

/* Two dimensions of units; a kernel's inner loop runs along the columns. Strides in bytes. */
typedef struct astride__host_block {
    size_t unit_bytes;
    size_t rows, columns; /* each at least 1 */
    ptrdiff_t dst_row, dst_column;
    ptrdiff_t src_row, src_column;
    bool fetches;                         /* the source is in no cache: ask for it ahead */
    bool streams;                         /* store past the caches */
    const astride__host_pattern *pattern; /* of the kernels that use one */
    const astride__host_step *steps;      /* of the kernels of kernel_steps.c */
    size_t step_count;
} astride__host_block;

/* Copies a block; `dst` and `src` are the addresses of its unit [0, 0]. */
typedef void (*astride__host_kernel)(uint8_t *restrict dst, const uint8_t *restrict src,
                                     const astride__host_block *block);

/* Units along one dimension; with constants this is one specialised loop after inlining. */
ASTRIDE__HOST_INLINE void astride__host_copy_units(uint8_t *restrict dst,
                                                   const uint8_t *restrict src, size_t count,
                                                   ptrdiff_t dst_stride, ptrdiff_t src_stride,
                                                   size_t size)
{
    ptrdiff_t to = 0, from = 0;
    size_t i = 0;
    /* Four at once, as a compiler that is not asked for it does not. */
    for (; i + 4 <= count; i += 4) {
        memcpy(dst + to, src + from, size);
        memcpy(dst + to + dst_stride, src + from + src_stride, size);
        memcpy(dst + to + 2 * dst_stride, src + from + 2 * src_stride, size);
        memcpy(dst + to + 3 * dst_stride, src + from + 3 * src_stride, size);
        to += 4 * dst_stride;
        from += 4 * src_stride;
    }
    for (; i < count; i++) {
        memcpy(dst + to, src + from, size);
        to += dst_stride;
        from += src_stride;
    }
}

/* Runs a copy on the calling thread. */
void astride__host_copy_strided(const astride_strided *copy);
/* The same for a part of one of `whole_bytes`, in the ways that suit the whole. */
void astride__host_copy_part(const astride_strided *copy, size_t whole_bytes);
/* A dense run of not too many bytes; the two sides are disjoint. */
void astride__host_copy_run(void *restrict dst, const void *restrict src, size_t bytes);
/* The bytes that it copies. */
size_t astride__host_strided_bytes(const astride_strided *copy);

/* kernel_rows.c: units that are worth a call of memcpy. */
void astride__host_copy_rows(uint8_t *restrict dst, const uint8_t *restrict src,
                             const astride__host_block *block);

/* kernel_generic.c: units of any other size. */
astride__host_kernel astride__host_generic_kernel(size_t unit_bytes);

/* kernel_gather.c: units of 1, 2, 4, 8 or 16 bytes; NULL for others. */
astride__host_kernel astride__host_gather_kernel(size_t unit_bytes);

/* kernel_steps.c: a list of units at each column, of up to 64 bytes; NULL for longer ones. */
astride__host_kernel astride__host_steps_kernel(size_t unit_bytes);

/*
 * kernel_transpose.c: units of 1, 2, 4, 8 or 16 bytes, where neighbours along the columns are near
 * on the destination and neighbours along the rows are near on the source. A block is at most one
 * tile high and wide. NULL for other units.
 */
typedef struct astride__host_transpose {
    astride__host_kernel kernel;
    size_t tile; /* units along each side */
} astride__host_transpose;
const astride__host_transpose *astride__host_transpose_kernel(size_t unit_bytes);

/*
 * Kernels that need more of the processor than every one of its architecture has. A level may lack
 * any of them (NULL); the kernels above then do the work.
 */
typedef struct astride__host_simd {
    const char *name;
    /* Units of at least `row_bytes`. */
    astride__host_kernel rows;
    size_t row_bytes;
    /* Shorter units, of at least `short_row_bytes`. */
    astride__host_kernel short_rows;
    size_t short_row_bytes;
    /* Tiles as above, by the logarithm of the unit's bytes (1 to 16). */
    astride__host_kernel transpose[5];
    /*
     * The kernel for a block's strides, or NULL, the pattern that it is to find in the block, and
     * whether it passes the caches by itself where the block asks for it.
     */
    astride__host_kernel (*elements)(const astride__host_block *block,
                                     astride__host_pattern *pattern_out, bool *streams_out);
    /* A dense run of at least 64 bytes. */
    void (*run)(uint8_t *restrict dst, const uint8_t *restrict src, size_t bytes);
    /* A dense run that passes the caches by; the caller drains when all is stored. */
    void (*stream)(uint8_t *restrict dst, const uint8_t *restrict src, size_t bytes);
    void (*drain)(void);
} astride__host_simd;

/* simd.c: the best level of this processor, or the one that $ASTRIDE_SIMD names. */
const astride__host_simd *astride__host_simd_level(void);
/* Whether $ASTRIDE_SIMD, if set, names a level of this processor; ASTRIDE_INVALID_ARGUMENT. */
astride_status astride__host_simd_check(void);
/* For tests: selects a level by name, NULL: the best; false where the processor lacks it. */
bool astride__host_simd_select(const char *name);

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define ASTRIDE__HOST_X86 1
extern const astride__host_simd astride__host_avx2, astride__host_avx512;
/* kernel_avx512_elements.c */
astride__host_kernel astride__host_avx512_elements(const astride__host_block *block,
                                                   astride__host_pattern *pattern_out,
                                                   bool *streams_out);
/* kernel_avx512_interleave.c */
astride__host_kernel astride__host_avx512_channels(const astride__host_block *block,
                                                   astride__host_pattern *pattern_out);
#elif defined(__aarch64__) && (defined(__GNUC__) || defined(__clang__))
#define ASTRIDE__HOST_AARCH64 1
extern const astride__host_simd astride__host_neon;
#endif

#endif /* ASTRIDE_BACKENDS_HOST_KERNELS_H */
