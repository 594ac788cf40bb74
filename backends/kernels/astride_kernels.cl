/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The packing kernels of every vendor: strided copy, transposing copy and strided fill, for units
 * of 1, 2, 4, 8 and 16 bytes. arguments.h stands before this text when it is compiled, which
 * happens
 *
 * - as OpenCL C 1.2 by an OpenCL driver, at run time;
 * - as OpenCL C by clang for NVPTX, with ASTRIDE_TARGET_PTX defined and no run-time library;
 * - as HIP by hiprtc, with ASTRIDE_TARGET_HIP defined.
 *
 * There are two ways to share the work. By default neighbouring work-items take neighbouring units,
 * as wide memory systems want it, in groups of ASTRIDE_KERNEL_GROUP. With ASTRIDE_RUNS defined each
 * work-item, in a group of its own, takes a long run of units, as processors with caches want it.
 */

/* What the languages call differently. */
#if defined(ASTRIDE_TARGET_HIP)
#define ASTRIDE_KERNEL extern "C" __global__
#define ASTRIDE_FUNCTION static inline __device__
#define ASTRIDE_GLOBAL
#define ASTRIDE_LOCAL __shared__
typedef unsigned int astride_unit16 __attribute__((ext_vector_type(4)));
#elif defined(ASTRIDE_TARGET_PTX)
#define ASTRIDE_KERNEL __kernel
#define ASTRIDE_FUNCTION static inline __attribute__((always_inline))
#define ASTRIDE_GLOBAL __global
#define ASTRIDE_LOCAL __local
typedef unsigned int astride_unit16 __attribute__((ext_vector_type(4)));
#else
#define ASTRIDE_KERNEL __kernel
#define ASTRIDE_FUNCTION static inline
#define ASTRIDE_GLOBAL __global
#define ASTRIDE_LOCAL __local
typedef uint4 astride_unit16;
#endif
typedef unsigned char astride_unit1;
typedef unsigned short astride_unit2;
typedef unsigned int astride_unit4;
typedef unsigned long astride_unit8;

#if defined(ASTRIDE_TARGET_HIP)
ASTRIDE_FUNCTION astride_u32 local_index(void)
{
    return threadIdx.x;
}
ASTRIDE_FUNCTION astride_u32 group_index(void)
{
    return blockIdx.x;
}
ASTRIDE_FUNCTION astride_u32 group_count(void)
{
    return gridDim.x;
}
ASTRIDE_FUNCTION astride_u32 high32(astride_u32 a, astride_u32 b)
{
    return __umulhi(a, b);
}
ASTRIDE_FUNCTION astride_u64 high64(astride_u64 a, astride_u64 b)
{
    return __umul64hi(a, b);
}
#define ASTRIDE_BARRIER() __syncthreads()
#elif defined(ASTRIDE_TARGET_PTX)
ASTRIDE_FUNCTION astride_u32 local_index(void)
{
    return (astride_u32)__nvvm_read_ptx_sreg_tid_x();
}
ASTRIDE_FUNCTION astride_u32 group_index(void)
{
    return (astride_u32)__nvvm_read_ptx_sreg_ctaid_x();
}
ASTRIDE_FUNCTION astride_u32 group_count(void)
{
    return (astride_u32)__nvvm_read_ptx_sreg_nctaid_x();
}
ASTRIDE_FUNCTION astride_u32 high32(astride_u32 a, astride_u32 b)
{
    return (astride_u32)(((astride_u64)a * b) >> 32);
}
ASTRIDE_FUNCTION astride_u64 high64(astride_u64 a, astride_u64 b)
{
    return __nvvm_mulhi_ull(a, b);
}
#define ASTRIDE_BARRIER() __asm__ volatile("bar.sync 0;" ::: "memory")
#else
ASTRIDE_FUNCTION astride_u32 local_index(void)
{
    return (astride_u32)get_local_id(0);
}
ASTRIDE_FUNCTION astride_u32 group_index(void)
{
    return (astride_u32)get_group_id(0);
}
ASTRIDE_FUNCTION astride_u32 group_count(void)
{
    return (astride_u32)get_num_groups(0);
}
ASTRIDE_FUNCTION astride_u32 high32(astride_u32 a, astride_u32 b)
{
    return mul_hi(a, b);
}
ASTRIDE_FUNCTION astride_u64 high64(astride_u64 a, astride_u64 b)
{
    return mul_hi(a, b);
}
#define ASTRIDE_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#endif

#define ASTRIDE_BYTES unsigned char

/* n / divisor, for n below 2^31 and below 2^63. */
ASTRIDE_FUNCTION astride_u32 divide32(astride_u32 n, astride_u32 reciprocal, astride_u32 shift)
{
    return high32(n << 1, reciprocal) >> shift;
}

ASTRIDE_FUNCTION astride_u64 divide64(astride_u64 n, astride_u64 reciprocal, astride_u32 shift)
{
    return high64(n << 1, reciprocal) >> shift;
}

/* A tile: where its first unit is, and how many units it has along dimensions 0 and 1. */
typedef struct astride_tile {
    astride_i64 dst, src;
    astride_u32 extent0, extent1;
} astride_tile;

ASTRIDE_FUNCTION astride_tile tile_at(const astride_kernel_arguments *a, astride_u64 index)
{
    astride_tile tile;
    astride_u64 rest = index;
    tile.dst = a->dst_offset;
    tile.src = a->src_offset;
    tile.extent0 = 1;
    tile.extent1 = 1;
#pragma unroll
    for (int d = 0; d < ASTRIDE_KERNEL_DIMENSIONS; d++) {
        if ((astride_u32)d < a->rank) {
            const astride_u64 edge = d < 2 ? ASTRIDE_KERNEL_TILE : 1;
            const astride_u64 steps = (a->extents[d] + edge - 1) / edge;
            const astride_u64 quotient =
                a->narrow
                    ? divide32((astride_u32)rest, (astride_u32)a->reciprocals[d], a->shifts[d])
                    : divide64(rest, a->reciprocals[d], a->shifts[d]);
            const astride_u64 digit = (rest - quotient * steps) * edge;
            const astride_u64 left = a->extents[d] - digit;
            tile.dst += (astride_i64)digit * a->dst_strides[d];
            tile.src += (astride_i64)digit * a->src_strides[d];
            if (d == 0)
                tile.extent0 = (astride_u32)(left < edge ? left : edge);
            if (d == 1)
                tile.extent1 = (astride_u32)(left < edge ? left : edge);
            rest = quotient;
        }
    }
    return tile;
}

/*
 * The piece number `piece` of the pattern of a fill, for pieces of up to 8 bytes. Dynamic shifts
 * rather than memory, which device compilers would have to put somewhere.
 */
ASTRIDE_FUNCTION astride_u64 pattern_piece(const astride_kernel_arguments *a, astride_u64 piece,
                                           astride_u32 piece_bytes)
{
    const astride_u32 at = (astride_u32)piece * piece_bytes;
    return (at < 8 ? a->pattern[0] : a->pattern[1]) >> (8 * (at & 7));
}

ASTRIDE_FUNCTION astride_unit16 pattern_whole(const astride_kernel_arguments *a)
{
    astride_unit16 whole;
    whole.x = (unsigned int)a->pattern[0];
    whole.y = (unsigned int)(a->pattern[0] >> 32);
    whole.z = (unsigned int)a->pattern[1];
    whole.w = (unsigned int)(a->pattern[1] >> 32);
    return whole;
}

#define ASTRIDE_PATTERN_1(a, piece) ((astride_unit1)pattern_piece(a, piece, 1))
#define ASTRIDE_PATTERN_2(a, piece) ((astride_unit2)pattern_piece(a, piece, 2))
#define ASTRIDE_PATTERN_4(a, piece) ((astride_unit4)pattern_piece(a, piece, 4))
#define ASTRIDE_PATTERN_8(a, piece) ((astride_unit8)pattern_piece(a, piece, 8))
#define ASTRIDE_PATTERN_16(a, piece) pattern_whole(a)

/* The unit at a distance in bytes from a pointer. */
#define ASTRIDE_DST(type, offset) (*(ASTRIDE_GLOBAL type *)(dst + (offset)))
#define ASTRIDE_SRC(type, offset) (*(const ASTRIDE_GLOBAL type *)(src + (offset)))

#ifndef ASTRIDE_RUNS

/* Where a unit is on both sides, in bytes, and its index along dimension 0. */
typedef struct astride_place {
    astride_i64 dst, src;
    astride_u64 first;
} astride_place;

ASTRIDE_FUNCTION astride_place place32(const astride_kernel_arguments *a, astride_u32 index)
{
    astride_place place;
    astride_u32 rest = index;
    place.dst = a->dst_offset;
    place.src = a->src_offset;
    place.first = 0;
#pragma unroll
    for (int d = 0; d < ASTRIDE_KERNEL_DIMENSIONS; d++) {
        if ((astride_u32)d < a->rank) {
            const astride_u32 quotient =
                divide32(rest, (astride_u32)a->reciprocals[d], a->shifts[d]);
            const astride_u32 digit = rest - quotient * (astride_u32)a->extents[d];
            place.dst += (astride_i64)digit * a->dst_strides[d];
            place.src += (astride_i64)digit * a->src_strides[d];
            if (d == 0)
                place.first = digit;
            rest = quotient;
        }
    }
    return place;
}

ASTRIDE_FUNCTION astride_place place64(const astride_kernel_arguments *a, astride_u64 index)
{
    astride_place place;
    astride_u64 rest = index;
    place.dst = a->dst_offset;
    place.src = a->src_offset;
    place.first = 0;
#pragma unroll
    for (int d = 0; d < ASTRIDE_KERNEL_DIMENSIONS; d++) {
        if ((astride_u32)d < a->rank) {
            const astride_u64 quotient = divide64(rest, a->reciprocals[d], a->shifts[d]);
            const astride_u64 digit = rest - quotient * a->extents[d];
            place.dst += (astride_i64)digit * a->dst_strides[d];
            place.src += (astride_i64)digit * a->src_strides[d];
            if (d == 0)
                place.first = digit;
            rest = quotient;
        }
    }
    return place;
}

/* The work-items go over all units together, side by side. */
#define ASTRIDE_FOR_UNITS(statement)                                                               \
    if (a.narrow) {                                                                                \
        const astride_u32 step = group_count() * ASTRIDE_KERNEL_GROUP;                             \
        for (astride_u32 i = group_index() * ASTRIDE_KERNEL_GROUP + local_index();                 \
             i < (astride_u32)a.count; i += step) {                                                \
            const astride_place place = place32(&a, i);                                            \
            statement;                                                                             \
        }                                                                                          \
    } else {                                                                                       \
        const astride_u64 step = (astride_u64)group_count() * ASTRIDE_KERNEL_GROUP;                \
        for (astride_u64 i = (astride_u64)group_index() * ASTRIDE_KERNEL_GROUP + local_index();    \
             i < a.count; i += step) {                                                             \
            const astride_place place = place64(&a, i);                                            \
            statement;                                                                             \
        }                                                                                          \
    }

#define ASTRIDE_DEFINE_COPY(bytes)                                                                 \
    ASTRIDE_KERNEL void astride_copy_##bytes(ASTRIDE_GLOBAL ASTRIDE_BYTES *dst,                    \
                                             const ASTRIDE_GLOBAL ASTRIDE_BYTES *src,              \
                                             const astride_kernel_arguments a)                     \
    {                                                                                              \
        ASTRIDE_FOR_UNITS(ASTRIDE_DST(astride_unit##bytes, place.dst) =                            \
                              ASTRIDE_SRC(astride_unit##bytes, place.src))                         \
    }

#define ASTRIDE_DEFINE_FILL(bytes)                                                                 \
    ASTRIDE_KERNEL void astride_fill_##bytes(ASTRIDE_GLOBAL ASTRIDE_BYTES *dst,                    \
                                             const astride_kernel_arguments a)                     \
    {                                                                                              \
        ASTRIDE_FOR_UNITS(ASTRIDE_DST(astride_unit##bytes, place.dst) =                            \
                              ASTRIDE_PATTERN_##bytes(&a, a.split ? place.first : 0))              \
    }

/*
 * A group reads a tile along dimension 1 and writes it along dimension 0, so that both accesses are
 * to neighbouring units. A column more than the tile has keeps the columns in different banks.
 */
#define ASTRIDE_DEFINE_TRANSPOSE(bytes)                                                            \
    ASTRIDE_KERNEL void astride_transpose_##bytes(ASTRIDE_GLOBAL ASTRIDE_BYTES *dst,               \
                                                  const ASTRIDE_GLOBAL ASTRIDE_BYTES *src,         \
                                                  const astride_kernel_arguments a)                \
    {                                                                                              \
        ASTRIDE_LOCAL astride_unit##bytes units[ASTRIDE_KERNEL_TILE][ASTRIDE_KERNEL_TILE + 1];     \
        const astride_u32 column = local_index() % ASTRIDE_KERNEL_TILE;                            \
        const astride_u32 row = local_index() / ASTRIDE_KERNEL_TILE;                               \
        const astride_u32 rows = ASTRIDE_KERNEL_GROUP / ASTRIDE_KERNEL_TILE;                       \
        for (astride_u64 i = group_index(); i < a.count; i += group_count()) {                     \
            const astride_tile tile = tile_at(&a, i);                                              \
            for (astride_u32 d0 = row; d0 < tile.extent0; d0 += rows) {                            \
                if (column < tile.extent1)                                                         \
                    units[d0][column] = ASTRIDE_SRC(                                               \
                        astride_unit##bytes, tile.src + (astride_i64)d0 * a.src_strides[0] +       \
                                                 (astride_i64)column * a.src_strides[1]);          \
            }                                                                                      \
            ASTRIDE_BARRIER();                                                                     \
            for (astride_u32 d1 = row; d1 < tile.extent1; d1 += rows) {                            \
                if (column < tile.extent0)                                                         \
                    ASTRIDE_DST(astride_unit##bytes,                                               \
                                tile.dst + (astride_i64)column * a.dst_strides[0] +                \
                                    (astride_i64)d1 * a.dst_strides[1]) = units[column][d1];       \
            }                                                                                      \
            ASTRIDE_BARRIER();                                                                     \
        }                                                                                          \
    }

#else /* ASTRIDE_RUNS */

/* A position that moves on by rows along dimension 0, or by the part of one that is left. */
typedef struct astride_walk {
    astride_i64 dst, src;
    astride_u64 index, end;
    astride_u64 digits[ASTRIDE_KERNEL_DIMENSIONS];
} astride_walk;

/* What is to be done at a position: rows of the same length, one behind the other. */
typedef struct astride_stretch {
    astride_u64 length; /* of a row, in units */
    astride_u64 rows;
    astride_i64 dst_step, src_step; /* from row to row, in bytes */
} astride_stretch;

ASTRIDE_FUNCTION astride_u64 quotient_of(const astride_kernel_arguments *a, astride_u64 n,
                                         astride_u32 d)
{
    return a->narrow ? divide32((astride_u32)n, (astride_u32)a->reciprocals[d], a->shifts[d])
                     : divide64(n, a->reciprocals[d], a->shifts[d]);
}

ASTRIDE_FUNCTION void walk_begin(const astride_kernel_arguments *a, astride_walk *walk)
{
    astride_u64 rest;
    walk->index = (astride_u64)group_index() * a->run;
    walk->end = a->count - walk->index < a->run ? a->count : walk->index + a->run;
    walk->dst = a->dst_offset;
    walk->src = a->src_offset;
    rest = walk->index;
    for (astride_u32 d = 0; d < a->rank; d++) {
        const astride_u64 quotient = quotient_of(a, rest, d);
        walk->digits[d] = rest - quotient * a->extents[d];
        walk->dst += (astride_i64)walk->digits[d] * a->dst_strides[d];
        walk->src += (astride_i64)walk->digits[d] * a->src_strides[d];
        rest = quotient;
    }
}

/* The whole rows along dimension 1 from the position on, or what is left of the present row. */
ASTRIDE_FUNCTION astride_stretch walk_stretch(const astride_kernel_arguments *a,
                                              const astride_walk *walk)
{
    astride_stretch stretch;
    const astride_u64 left = walk->end - walk->index;
    const astride_u64 row = a->extents[0] - walk->digits[0];
    stretch.length = row < left ? row : left;
    stretch.rows = 1;
    stretch.dst_step = 0;
    stretch.src_step = 0;
    if (a->rank > 1 && stretch.length == a->extents[0]) {
        const astride_u64 whole = quotient_of(a, left, 0);
        const astride_u64 rows = a->extents[1] - walk->digits[1];
        stretch.rows = rows < whole ? rows : whole;
        stretch.dst_step = a->dst_strides[1];
        stretch.src_step = a->src_strides[1];
    }
    return stretch;
}

ASTRIDE_FUNCTION void walk_on(const astride_kernel_arguments *a, astride_walk *walk,
                              const astride_stretch *stretch)
{
    const bool by_rows = stretch->length == a->extents[0] && a->rank > 1;
    const astride_u64 steps = by_rows ? stretch->rows : stretch->length;
    astride_u32 d = by_rows ? 1 : 0;
    walk->index += stretch->rows * stretch->length;
    walk->dst += (astride_i64)steps * a->dst_strides[d];
    walk->src += (astride_i64)steps * a->src_strides[d];
    walk->digits[d] += steps;
    for (; d + 1 < a->rank && walk->digits[d] == a->extents[d]; d++) {
        walk->dst += a->dst_strides[d + 1] - (astride_i64)a->extents[d] * a->dst_strides[d];
        walk->src += a->src_strides[d + 1] - (astride_i64)a->extents[d] * a->src_strides[d];
        walk->digits[d] = 0;
        walk->digits[d + 1]++;
    }
}

#define ASTRIDE_DEFINE_COPY(bytes)                                                                 \
    ASTRIDE_FUNCTION void copy_rows_##bytes(ASTRIDE_GLOBAL ASTRIDE_BYTES *dst,                     \
                                            const ASTRIDE_GLOBAL ASTRIDE_BYTES *src,               \
                                            astride_stretch stretch)                               \
    {                                                                                              \
        for (astride_u64 row = 0; row < stretch.rows; row++) {                                     \
            ASTRIDE_GLOBAL astride_unit##bytes *to = &ASTRIDE_DST(astride_unit##bytes, 0);         \
            const ASTRIDE_GLOBAL astride_unit##bytes *from = &ASTRIDE_SRC(astride_unit##bytes, 0); \
            for (astride_u64 i = 0; i < stretch.length; i++)                                       \
                to[i] = from[i];                                                                   \
            dst += stretch.dst_step;                                                               \
            src += stretch.src_step;                                                               \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    ASTRIDE_FUNCTION void copy_units_##bytes(                                                      \
        ASTRIDE_GLOBAL ASTRIDE_BYTES *dst, const ASTRIDE_GLOBAL ASTRIDE_BYTES *src,                \
        astride_stretch stretch, astride_i64 dst_step, astride_i64 src_step)                       \
    {                                                                                              \
        for (astride_u64 row = 0; row < stretch.rows; row++) {                                     \
            astride_i64 to = 0, from = 0;                                                          \
            for (astride_u64 i = 0; i < stretch.length; i++) {                                     \
                ASTRIDE_DST(astride_unit##bytes, to) = ASTRIDE_SRC(astride_unit##bytes, from);     \
                to += dst_step;                                                                    \
                from += src_step;                                                                  \
            }                                                                                      \
            dst += stretch.dst_step;                                                               \
            src += stretch.src_step;                                                               \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    ASTRIDE_KERNEL void astride_copy_##bytes(ASTRIDE_GLOBAL ASTRIDE_BYTES *dst,                    \
                                             const ASTRIDE_GLOBAL ASTRIDE_BYTES *src,              \
                                             const astride_kernel_arguments a)                     \
    {                                                                                              \
        const astride_i64 dst_step = a.dst_strides[0], src_step = a.src_strides[0];                \
        astride_walk walk;                                                                         \
        walk_begin(&a, &walk);                                                                     \
        while (walk.index < walk.end) {                                                            \
            const astride_stretch stretch = walk_stretch(&a, &walk);                               \
            if (dst_step == bytes && src_step == bytes)                                            \
                copy_rows_##bytes(dst + walk.dst, src + walk.src, stretch);                        \
            else                                                                                   \
                copy_units_##bytes(dst + walk.dst, src + walk.src, stretch, dst_step, src_step);   \
            walk_on(&a, &walk, &stretch);                                                          \
        }                                                                                          \
    }

#define ASTRIDE_DEFINE_FILL(bytes)                                                                 \
    ASTRIDE_KERNEL void astride_fill_##bytes(ASTRIDE_GLOBAL ASTRIDE_BYTES *dst,                    \
                                             const astride_kernel_arguments a)                     \
    {                                                                                              \
        const astride_unit##bytes whole = ASTRIDE_PATTERN_##bytes(&a, 0);                          \
        astride_walk walk;                                                                         \
        walk_begin(&a, &walk);                                                                     \
        while (walk.index < walk.end) {                                                            \
            const astride_stretch stretch = walk_stretch(&a, &walk);                               \
            for (astride_u64 row = 0; row < stretch.rows; row++) {                                 \
                astride_i64 to = walk.dst + (astride_i64)row * stretch.dst_step;                   \
                for (astride_u64 i = 0; i < stretch.length; i++) {                                 \
                    ASTRIDE_DST(astride_unit##bytes, to) =                                         \
                        a.split ? ASTRIDE_PATTERN_##bytes(&a, walk.digits[0] + i) : whole;         \
                    to += a.dst_strides[0];                                                        \
                }                                                                                  \
            }                                                                                      \
            walk_on(&a, &walk, &stretch);                                                          \
        }                                                                                          \
    }

/*
 * Dense lines go through a tile of its own, which is read and written along them: strides of large
 * powers of two map the lines of one column to the same places of a cache, which would be lost
 * before they are used a second time.
 */
#define ASTRIDE_DEFINE_TRANSPOSE(bytes)                                                            \
    ASTRIDE_FUNCTION void transpose_lines_##bytes(ASTRIDE_GLOBAL ASTRIDE_BYTES *dst,               \
                                                  const ASTRIDE_GLOBAL ASTRIDE_BYTES *src,         \
                                                  const astride_kernel_arguments *a,               \
                                                  astride_tile tile)                               \
    {                                                                                              \
        astride_unit##bytes units[ASTRIDE_KERNEL_TILE][ASTRIDE_KERNEL_TILE + 1];                   \
        for (astride_u32 d0 = 0; d0 < tile.extent0; d0++) {                                        \
            const ASTRIDE_GLOBAL astride_unit##bytes *from = &ASTRIDE_SRC(                         \
                astride_unit##bytes, tile.src + (astride_i64)d0 * a->src_strides[0]);              \
            for (astride_u32 d1 = 0; d1 < tile.extent1; d1++)                                      \
                units[d0][d1] = from[d1];                                                          \
        }                                                                                          \
        for (astride_u32 d1 = 0; d1 < tile.extent1; d1++) {                                        \
            ASTRIDE_GLOBAL astride_unit##bytes *to = &ASTRIDE_DST(                                 \
                astride_unit##bytes, tile.dst + (astride_i64)d1 * a->dst_strides[1]);              \
            for (astride_u32 d0 = 0; d0 < tile.extent0; d0++)                                      \
                to[d0] = units[d0][d1];                                                            \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    ASTRIDE_FUNCTION void transpose_units_##bytes(ASTRIDE_GLOBAL ASTRIDE_BYTES *dst,               \
                                                  const ASTRIDE_GLOBAL ASTRIDE_BYTES *src,         \
                                                  const astride_kernel_arguments *a,               \
                                                  astride_tile tile)                               \
    {                                                                                              \
        for (astride_u32 d1 = 0; d1 < tile.extent1; d1++) {                                        \
            astride_i64 to = tile.dst + (astride_i64)d1 * a->dst_strides[1];                       \
            astride_i64 from = tile.src + (astride_i64)d1 * a->src_strides[1];                     \
            for (astride_u32 d0 = 0; d0 < tile.extent0; d0++) {                                    \
                ASTRIDE_DST(astride_unit##bytes, to) = ASTRIDE_SRC(astride_unit##bytes, from);     \
                to += a->dst_strides[0];                                                           \
                from += a->src_strides[0];                                                         \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    ASTRIDE_KERNEL void astride_transpose_##bytes(ASTRIDE_GLOBAL ASTRIDE_BYTES *dst,               \
                                                  const ASTRIDE_GLOBAL ASTRIDE_BYTES *src,         \
                                                  const astride_kernel_arguments a)                \
    {                                                                                              \
        const astride_u64 begin = (astride_u64)group_index() * a.run;                              \
        const astride_u64 end = a.count - begin < a.run ? a.count : begin + a.run;                 \
        for (astride_u64 index = begin; index < end; index++) {                                    \
            if (a.dst_strides[0] == bytes && a.src_strides[1] == bytes)                            \
                transpose_lines_##bytes(dst, src, &a, tile_at(&a, index));                         \
            else                                                                                   \
                transpose_units_##bytes(dst, src, &a, tile_at(&a, index));                         \
        }                                                                                          \
    }

#endif /* ASTRIDE_RUNS */

#define ASTRIDE_DEFINE_ALL(bytes)                                                                  \
    ASTRIDE_DEFINE_COPY(bytes)                                                                     \
    ASTRIDE_DEFINE_TRANSPOSE(bytes)                                                                \
    ASTRIDE_DEFINE_FILL(bytes)

ASTRIDE_DEFINE_ALL(1)
ASTRIDE_DEFINE_ALL(2)
ASTRIDE_DEFINE_ALL(4)
ASTRIDE_DEFINE_ALL(8)
ASTRIDE_DEFINE_ALL(16)
