/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Short units with AVX-512 (F, BW, DQ, VL and VBMI): gathers, scatters, reversals, broadcasts and
 * masked copies. Loads may take in the bytes between two units, which exist since the units on
 * both sides of them do; stores never do.
 */
#include "kernels.h"

#ifdef ASTRIDE__HOST_X86
#include <immintrin.h>
#include <string.h>

#include "vector_target.h"
ASTRIDE__HOST_TARGET_BEGIN("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")

#define VECTOR_BYTES 64
/* Longest step between units of which several share a vector. */
#define MAXIMUM_PITCH 32
/* Fewer elements in a vector are copied faster one by one; units of other sizes are not. */
#define MINIMUM_UNITS 4
/* How far ahead of the loads the source is asked for. */
#define AHEAD_BYTES 1024

/* What the vectors of one block have in common. */
typedef struct pattern {
    __m512i index[4]; /* of the bytes in each vector of the source, or in the one there is */
    __mmask64 mask[4];
} pattern;

/*
 * The next vector of the destination, of which only the first `count` elements are wanted; nothing
 * behind the last of them is read, except for WHOLE, which reads up to where the element behind
 * them begins.
 */
typedef __m512i (*next_vector)(const uint8_t *src, ptrdiff_t stride, size_t count,
                               const pattern *shape);
#define WHOLE SIZE_MAX

/* The first `bytes` of a vector, 64 or more being all of them. */
ASTRIDE__HOST_INLINE __mmask64 first_bytes(size_t bytes)
{
    return _cvtu64_mask64(bytes >= VECTOR_BYTES ? ~UINT64_C(0) : (UINT64_C(1) << bytes) - 1);
}

/* Rows that are dense in the destination, vector by vector; the rest of a row is masked. */
ASTRIDE__HOST_INLINE void dense_rows(uint8_t *restrict dst, const uint8_t *restrict src,
                                     const astride__host_block *block, size_t size, size_t spare,
                                     const pattern *shape, next_vector next)
{
    const size_t per_vector = VECTOR_BYTES / size;
    const ptrdiff_t stride = block->src_column;
    for (size_t row = 0; row < block->rows; row++) {
        uint8_t *to = dst + (ptrdiff_t)row * block->dst_row;
        const uint8_t *from = src + (ptrdiff_t)row * block->src_row;
        size_t count = block->columns;
        if (block->streams && (uintptr_t)to % size == 0) {
            size_t head = (0 - (uintptr_t)to) % VECTOR_BYTES / size;
            head = head < count ? head : count;
            if (head > 0)
                _mm512_mask_storeu_epi8(to, first_bytes(head * size),
                                        next(from, stride, head, shape));
            to += head * size;
            from += (ptrdiff_t)head * stride;
            count -= head;
            for (; count >= per_vector + spare; count -= per_vector) {
                const uintptr_t ahead =
                    (uintptr_t)from + (uintptr_t)(stride < 0 ? -AHEAD_BYTES : AHEAD_BYTES);
                if (stride <= VECTOR_BYTES && stride >= -VECTOR_BYTES)
                    for (ptrdiff_t i = 0; i < (ptrdiff_t)per_vector * stride; i += VECTOR_BYTES)
                        _mm_prefetch((const char *)(ahead + (uintptr_t)i), _MM_HINT_T0);
                _mm512_stream_si512((__m512i *)(void *)to, next(from, stride, WHOLE, shape));
                to += VECTOR_BYTES;
                from += (ptrdiff_t)per_vector * stride;
            }
        }
        for (; count >= per_vector + spare; count -= per_vector) {
            _mm512_storeu_si512(to, next(from, stride, WHOLE, shape));
            to += VECTOR_BYTES;
            from += (ptrdiff_t)per_vector * stride;
        }
        if (count > 0)
            _mm512_mask_storeu_epi8(to, first_bytes(count * size),
                                    next(from, stride, count, shape));
    }
}

/* The prepared pattern in registers. */
ASTRIDE__HOST_INLINE void load_pattern(pattern *shape, const astride__host_pattern *prepared,
                                       int count)
{
    for (int i = 0; i < count; i++) {
        shape->index[i] = _mm512_loadu_si512(prepared->index[i]);
        shape->mask[i] = _cvtu64_mask64(prepared->mask[i]);
    }
}

/* Every k-th element, k from 2 to 4: of each of k vectors those that belong to the result. */
static void prepare_gather(astride__host_pattern *prepared, size_t size, size_t step)
{
    memset(prepared, 0, sizeof *prepared);
    for (size_t to = 0, first = 0; to < VECTOR_BYTES; first += size * step) {
        for (size_t from = first; from < first + size; from++, to++) {
            prepared->index[from / VECTOR_BYTES][to] = (uint8_t)(from % VECTOR_BYTES);
            prepared->mask[from / VECTOR_BYTES] |= UINT64_C(1) << to;
        }
    }
}

ASTRIDE__HOST_INLINE __m512i gather_step(const uint8_t *src, ptrdiff_t stride, size_t count,
                                         const pattern *shape, int step)
{
    if (count == WHOLE) {
        __m512i whole = _mm512_permutexvar_epi8(shape->index[0], _mm512_loadu_si512(src));
        for (int i = 1; i < step; i++)
            whole = _mm512_mask_permutexvar_epi8(whole, shape->mask[i], shape->index[i],
                                                 _mm512_loadu_si512(src + i * VECTOR_BYTES));
        return whole;
    }
    const size_t bytes = (count - 1) * (size_t)stride + (size_t)stride / (size_t)step;
    __m512i result =
        _mm512_permutexvar_epi8(shape->index[0], _mm512_maskz_loadu_epi8(first_bytes(bytes), src));
    for (int i = 1; i < step && bytes > (size_t)i * VECTOR_BYTES; i++)
        result = _mm512_mask_permutexvar_epi8(
            result, shape->mask[i], shape->index[i],
            _mm512_maskz_loadu_epi8(first_bytes(bytes - (size_t)i * VECTOR_BYTES),
                                    src + i * VECTOR_BYTES));
    return result;
}

#define DEFINE_GATHER_STEP(step)                                                                   \
    ASTRIDE__HOST_INLINE __m512i next_##step(const uint8_t *src, ptrdiff_t stride, size_t count,   \
                                             const pattern *shape)                                 \
    {                                                                                              \
        return gather_step(src, stride, count, shape, step);                                       \
    }
DEFINE_GATHER_STEP(2)
DEFINE_GATHER_STEP(3)
DEFINE_GATHER_STEP(4)

ASTRIDE__HOST_INLINE void gather_sized(uint8_t *restrict dst, const uint8_t *restrict src,
                                       const astride__host_block *block, size_t size)
{
    pattern gathered;
    const size_t step = (size_t)block->src_column / size;
    load_pattern(&gathered, block->pattern, 4);
    if (step == 2)
        dense_rows(dst, src, block, size, 1, &gathered, next_2);
    else if (step == 3)
        dense_rows(dst, src, block, size, 1, &gathered, next_3);
    else
        dense_rows(dst, src, block, size, 1, &gathered, next_4);
}

/* Elements in reverse order. */
ASTRIDE__HOST_INLINE __m512i next_reversed(const uint8_t *src, ptrdiff_t stride, size_t count,
                                           const pattern *shape)
{
    const uint8_t *first = src - VECTOR_BYTES - stride;
    if (count == WHOLE)
        return _mm512_permutexvar_epi8(shape->index[0], _mm512_loadu_si512(first));
    const size_t unwanted = VECTOR_BYTES - count * (size_t)-stride;
    const __mmask64 last = _cvtu64_mask64(~UINT64_C(0) << unwanted);
    return _mm512_permutexvar_epi8(shape->index[0], _mm512_maskz_loadu_epi8(last, first));
}

static void prepare_reversal(astride__host_pattern *prepared, size_t size)
{
    for (size_t to = 0, first = VECTOR_BYTES - size; to < VECTOR_BYTES; first -= size)
        for (size_t from = first; from < first + size; from++, to++)
            prepared->index[0][to] = (uint8_t)from;
    prepared->mask[0] = 0;
}

ASTRIDE__HOST_INLINE void reverse_sized(uint8_t *restrict dst, const uint8_t *restrict src,
                                        const astride__host_block *block, size_t size)
{
    pattern reversed;
    load_pattern(&reversed, block->pattern, 1);
    dense_rows(dst, src, block, size, 0, &reversed, next_reversed);
}

/* One element again and again. */
ASTRIDE__HOST_INLINE __m512i next_same(const uint8_t *src, ptrdiff_t stride, size_t count,
                                       const pattern *shape)
{
    (void)src;
    (void)stride;
    (void)count;
    return shape->index[0];
}

ASTRIDE__HOST_INLINE void broadcast_sized(uint8_t *restrict dst, const uint8_t *restrict src,
                                          const astride__host_block *block, size_t size)
{
    astride__host_block row = *block;
    row.rows = 1;
    for (size_t r = 0; r < block->rows; r++) {
        uint8_t bytes[VECTOR_BYTES];
        pattern same;
        for (size_t b = 0; b < VECTOR_BYTES; b += size)
            memcpy(bytes + b, src + (ptrdiff_t)r * block->src_row, size);
        same.index[0] = _mm512_loadu_si512(bytes);
        dense_rows(dst + (ptrdiff_t)r * block->dst_row, src + (ptrdiff_t)r * block->src_row, &row,
                   size, 0, &same, next_same);
    }
}

#define DEFINE_SIZED(kind, size)                                                                   \
    static void kind##_##size(uint8_t *restrict dst, const uint8_t *restrict src,                  \
                              const astride__host_block *block)                                    \
    {                                                                                              \
        kind##_sized(dst, src, block, size);                                                       \
    }
#define DEFINE_SIZES(kind)                                                                         \
    DEFINE_SIZED(kind, 1)                                                                          \
    DEFINE_SIZED(kind, 2)                                                                          \
    DEFINE_SIZED(kind, 4)                                                                          \
    DEFINE_SIZED(kind, 8)                                                                          \
    DEFINE_SIZED(kind, 16)
DEFINE_SIZED(gather, 1)
DEFINE_SIZED(gather, 2)
DEFINE_SIZED(gather, 4)
DEFINE_SIZED(gather, 8)
DEFINE_SIZES(reverse)
DEFINE_SIZES(broadcast)

/* Any step between elements of 4, 8 and 16 bytes. */
ASTRIDE__HOST_INLINE __m512i next_far_4(const uint8_t *src, ptrdiff_t stride, size_t count,
                                        const pattern *shape)
{
    (void)stride;
    if (count == WHOLE)
        return _mm512_i32gather_epi32(shape->index[0], src, 1);
    return _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), (__mmask16)((1u << count) - 1),
                                       shape->index[0], src, 1);
}

ASTRIDE__HOST_INLINE __m512i next_far_8(const uint8_t *src, ptrdiff_t stride, size_t count,
                                        const pattern *shape)
{
    const __m256i index = _mm512_castsi512_si256(shape->index[0]);
    (void)stride;
    if (count == WHOLE)
        return _mm512_i32gather_epi64(index, src, 1);
    return _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), (__mmask8)((1u << count) - 1), index,
                                       src, 1);
}

ASTRIDE__HOST_INLINE __m128i load_128(const uint8_t *src)
{
    return _mm_loadu_si128((const __m128i *)(const void *)src);
}

ASTRIDE__HOST_INLINE __m512i next_far_16(const uint8_t *src, ptrdiff_t stride, size_t count,
                                         const pattern *shape)
{
    (void)shape;
    __m512i result = _mm512_castsi128_si512(load_128(src));
    if (count > 1)
        result = _mm512_inserti64x2(result, load_128(src + stride), 1);
    if (count > 2)
        result = _mm512_inserti64x2(result, load_128(src + 2 * stride), 2);
    if (count > 3)
        result = _mm512_inserti64x2(result, load_128(src + 3 * stride), 3);
    return result;
}

static __m512i offsets_of(ptrdiff_t stride)
{
    const __m512i numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_mullo_epi32(numbers, _mm512_set1_epi32((int)stride));
}

static void pick_4(uint8_t *restrict dst, const uint8_t *restrict src,
                   const astride__host_block *block)
{
    const pattern picked = {.index = {offsets_of(block->src_column)}};
    dense_rows(dst, src, block, 4, 0, &picked, next_far_4);
}

static void pick_8(uint8_t *restrict dst, const uint8_t *restrict src,
                   const astride__host_block *block)
{
    const pattern picked = {.index = {offsets_of(block->src_column)}};
    dense_rows(dst, src, block, 8, 0, &picked, next_far_8);
}

static void pick_16(uint8_t *restrict dst, const uint8_t *restrict src,
                    const astride__host_block *block)
{
    dense_rows(dst, src, block, 16, 0, NULL, next_far_16);
}

/* The first `count` units of a vector in which they lie `pitch` bytes apart. */
static uint64_t unit_mask(size_t unit, size_t pitch, size_t count)
{
    uint64_t mask = 0;
    for (size_t i = 0; i < count; i++)
        mask |= ((UINT64_C(1) << unit) - 1) << (i * pitch);
    return mask;
}

/*
 * Several units at once, of any size up to MAXIMUM_PITCH, from one pitch to another. Mask 0 is what
 * is loaded, mask 1 what is stored.
 */
static void prepare_repitch(astride__host_pattern *prepared, size_t unit, size_t dst_pitch,
                            size_t src_pitch)
{
    const size_t together = VECTOR_BYTES / (dst_pitch > src_pitch ? dst_pitch : src_pitch);
    memset(prepared->index[0], 0, sizeof prepared->index[0]);
    for (size_t i = 0; i < together; i++)
        for (size_t b = 0; b < unit; b++)
            prepared->index[0][i * dst_pitch + b] = (uint8_t)(i * src_pitch + b);
    prepared->mask[0] = unit_mask(unit, src_pitch, together);
    prepared->mask[1] = unit_mask(unit, dst_pitch, together);
}

ASTRIDE__HOST_INLINE void repitch_vector(uint8_t *restrict dst, const uint8_t *restrict src,
                                         __m512i index, __mmask64 load, __mmask64 store)
{
    _mm512_mask_storeu_epi8(dst, store,
                            _mm512_permutexvar_epi8(index, _mm512_maskz_loadu_epi8(load, src)));
}

static void repitch(uint8_t *restrict dst, const uint8_t *restrict src,
                    const astride__host_block *block)
{
    const size_t dst_pitch = (size_t)block->dst_column, src_pitch = (size_t)block->src_column;
    const size_t together = VECTOR_BYTES / (dst_pitch > src_pitch ? dst_pitch : src_pitch);
    const __m512i index = _mm512_loadu_si512(block->pattern->index[0]);
    const __mmask64 load = _cvtu64_mask64(block->pattern->mask[0]);
    const __mmask64 store = _cvtu64_mask64(block->pattern->mask[1]);
    for (size_t row = 0; row < block->rows; row++) {
        uint8_t *to = dst + (ptrdiff_t)row * block->dst_row;
        const uint8_t *from = src + (ptrdiff_t)row * block->src_row;
        size_t left = block->columns;
        for (; left >= together; left -= together) {
            if (block->fetches)
                __builtin_prefetch((const void *)((uintptr_t)from + AHEAD_BYTES), 0);
            if (block->streams)
                __builtin_prefetch((const void *)((uintptr_t)to + AHEAD_BYTES), 1);
            repitch_vector(to, from, index, load, store);
            to += together * dst_pitch;
            from += together * src_pitch;
        }
        if (left > 0)
            repitch_vector(to, from, index,
                           _cvtu64_mask64(unit_mask(block->unit_bytes, src_pitch, left)),
                           _cvtu64_mask64(unit_mask(block->unit_bytes, dst_pitch, left)));
    }
}

#define BY_SIZE(kind)                                                                              \
    {                                                                                              \
        kind##_1, kind##_2, kind##_4, kind##_8, kind##_16                                          \
    }

/* The logarithm of 1, 2, 4, 8 and 16; -1 for others. */
static int log2_of(size_t size)
{
    return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : size == 16 ? 4 : -1;
}

static astride__host_kernel choose_dense(const astride__host_block *block,
                                         astride__host_pattern *pattern_out)
{
    static const astride__host_kernel gathers[] = {gather_1, gather_2, gather_4, gather_8},
                                      reversals[] = BY_SIZE(reverse),
                                      broadcasts[] = BY_SIZE(broadcast);
    const ptrdiff_t size = (ptrdiff_t)block->unit_bytes, stride = block->src_column;
    const int kind = log2_of(block->unit_bytes);
    if (kind < 0)
        return NULL;
    if (stride == 0)
        return broadcasts[kind];
    if (stride == -size) {
        prepare_reversal(pattern_out, block->unit_bytes);
        return reversals[kind];
    }
    /* Of 16 bytes there are too few in a vector for that. */
    if (size < 16 && (stride == 2 * size || stride == 3 * size || stride == 4 * size)) {
        prepare_gather(pattern_out, block->unit_bytes, (size_t)(stride / size));
        return gathers[kind];
    }
    /* A gather is no faster than as many loads; what helps is that it fetches ahead. */
    if (!block->fetches || stride < 0 || stride > VECTOR_BYTES)
        return NULL;
    return size == 4 ? pick_4 : size == 8 ? pick_8 : size == 16 ? pick_16 : NULL;
}

/* Whether several units share a vector on both sides, enough of them to pay for that. */
static bool repitches(const astride__host_block *block)
{
    const ptrdiff_t size = (ptrdiff_t)block->unit_bytes;
    const ptrdiff_t dst = block->dst_column, src = block->src_column;
    if (dst < size || src < size || dst > MAXIMUM_PITCH || src > MAXIMUM_PITCH)
        return false;
    return log2_of(block->unit_bytes) < 0 ||
           VECTOR_BYTES / (dst > src ? dst : src) >= MINIMUM_UNITS;
}

astride__host_kernel astride__host_avx512_elements(const astride__host_block *block,
                                                   astride__host_pattern *pattern_out,
                                                   bool *streams_out)
{
    const ptrdiff_t size = (ptrdiff_t)block->unit_bytes;
    *streams_out = false;
    if (block->unit_bytes > MAXIMUM_PITCH)
        return NULL;
    astride__host_kernel kernel = astride__host_avx512_channels(block, pattern_out);
    if (kernel != NULL)
        return kernel;
    if (block->dst_column == size && block->src_column != size)
        kernel = choose_dense(block, pattern_out);
    *streams_out = kernel != NULL;
    if (kernel == NULL && repitches(block)) {
        prepare_repitch(pattern_out, block->unit_bytes, (size_t)block->dst_column,
                        (size_t)block->src_column);
        kernel = repitch;
    }
    return kernel;
}

ASTRIDE__HOST_TARGET_END
#endif
