/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Two to four channels with AVX-512 (F, BW, DQ, VL and VBMI): planes that become interleaved, and
 * interleaved ones that become planes, in one pass. As many vectors go in as come out, and each
 * that comes out takes some bytes of each that goes in.
 */
#include "kernels.h"

#ifdef ASTRIDE__HOST_X86
#include <immintrin.h>
#include <string.h>

#include "vector_target.h"
ASTRIDE__HOST_TARGET_BEGIN("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")

#define VECTOR_BYTES ((size_t)64)
#define MOST_CHANNELS 4

/* The vectors of one side: the planes, or what lies between their pixels, one behind the other. */
typedef struct vectors {
    ptrdiff_t pitch;   /* from one to the next */
    ptrdiff_t advance; /* from one group of them to the next */
    bool interleaved;
} vectors;

/* Bytes of vector `number` of a group that has only `columns` pixels. */
ASTRIDE__HOST_INLINE __mmask64 wanted(const vectors *side, size_t number, size_t columns,
                                      size_t size, size_t channels)
{
    size_t bytes = columns * size;
    if (side->interleaved) {
        bytes *= channels;
        bytes = bytes > number * VECTOR_BYTES ? bytes - number * VECTOR_BYTES : 0;
    }
    return _cvtu64_mask64(bytes >= VECTOR_BYTES ? ~UINT64_C(0) : (UINT64_C(1) << bytes) - 1);
}

/* A group of vectors, whole or of the last `columns` pixels. */
ASTRIDE__HOST_INLINE void exchange_group(uint8_t *restrict dst, const uint8_t *restrict src,
                                         const vectors *to, const vectors *from,
                                         const __m512i *index, const __mmask64 *masks,
                                         size_t channels, size_t columns, size_t size)
{
    const bool whole = columns * size >= VECTOR_BYTES;
    __m512i in[MOST_CHANNELS];
    ASTRIDE__HOST_UNROLL
    for (size_t i = 0; i < channels; i++) {
        const uint8_t *p = src + (ptrdiff_t)i * from->pitch;
        in[i] = whole ? _mm512_loadu_si512(p)
                      : _mm512_maskz_loadu_epi8(wanted(from, i, columns, size, channels), p);
    }
    ASTRIDE__HOST_UNROLL
    for (size_t o = 0; o < channels; o++) {
        uint8_t *p = dst + (ptrdiff_t)o * to->pitch;
        __m512i out = _mm512_permutexvar_epi8(index[o], in[0]);
        ASTRIDE__HOST_UNROLL
        for (size_t i = 1; i < channels; i++)
            out = _mm512_mask_permutexvar_epi8(out, masks[o * MOST_CHANNELS + i], index[o], in[i]);
        if (whole)
            _mm512_storeu_si512(p, out);
        else
            _mm512_mask_storeu_epi8(p, wanted(to, o, columns, size, channels), out);
    }
}

ASTRIDE__HOST_INLINE void exchange(uint8_t *restrict dst, const uint8_t *restrict src,
                                   const astride__host_block *block, const vectors *to,
                                   const vectors *from, size_t channels)
{
    const size_t size = block->unit_bytes, per_vector = VECTOR_BYTES / size;
    __m512i index[MOST_CHANNELS];
    __mmask64 masks[MOST_CHANNELS * MOST_CHANNELS];
    ASTRIDE__HOST_UNROLL
    for (size_t o = 0; o < channels; o++) {
        index[o] = _mm512_loadu_si512(block->pattern->index[o]);
        ASTRIDE__HOST_UNROLL
        for (size_t i = 1; i < channels; i++)
            masks[o * MOST_CHANNELS + i] =
                _cvtu64_mask64(block->pattern->mask[o * MOST_CHANNELS + i]);
    }
    size_t left = block->columns;
    for (; left >= per_vector; left -= per_vector) {
        exchange_group(dst, src, to, from, index, masks, channels, VECTOR_BYTES, 1);
        dst += to->advance;
        src += from->advance;
    }
    if (left > 0)
        exchange_group(dst, src, to, from, index, masks, channels, left, size);
}

ASTRIDE__HOST_INLINE void exchange_channels(uint8_t *restrict dst, const uint8_t *restrict src,
                                            const astride__host_block *block, const vectors *to,
                                            const vectors *from)
{
    if (block->rows == 2)
        exchange(dst, src, block, to, from, 2);
    else if (block->rows == 3)
        exchange(dst, src, block, to, from, 3);
    else
        exchange(dst, src, block, to, from, 4);
}

static void interleave(uint8_t *restrict dst, const uint8_t *restrict src,
                       const astride__host_block *block)
{
    const ptrdiff_t line = (ptrdiff_t)VECTOR_BYTES;
    const vectors to = {line, (ptrdiff_t)block->rows * line, true};
    const vectors from = {block->src_row, line, false};
    exchange_channels(dst, src, block, &to, &from);
}

static void separate(uint8_t *restrict dst, const uint8_t *restrict src,
                     const astride__host_block *block)
{
    const ptrdiff_t line = (ptrdiff_t)VECTOR_BYTES;
    const vectors to = {block->dst_row, line, false};
    const vectors from = {line, (ptrdiff_t)block->rows * line, true};
    exchange_channels(dst, src, block, &to, &from);
}

/*
 * For each byte of each vector that comes out: its place in the vector that it comes from, and in
 * the mask of which that is.
 */
static void prepare(astride__host_pattern *pattern, size_t size, size_t channels, bool interleaves)
{
    memset(pattern, 0, sizeof *pattern);
    for (size_t out = 0; out < channels; out++) {
        for (size_t byte = 0; byte < VECTOR_BYTES; byte++) {
            const size_t unit = (interleaves ? out * VECTOR_BYTES + byte : byte) / size;
            const size_t place = interleaves ? unit / channels : unit * channels + out;
            const size_t at = place * size + byte % size;
            const size_t in = interleaves ? unit % channels : at / VECTOR_BYTES;
            pattern->index[out][byte] = (uint8_t)(at % VECTOR_BYTES);
            pattern->mask[out * MOST_CHANNELS + in] |= UINT64_C(1) << byte;
        }
    }
}

static bool is_between(ptrdiff_t row, ptrdiff_t column, size_t size, size_t channels)
{
    return row == (ptrdiff_t)size && column == (ptrdiff_t)(size * channels);
}

astride__host_kernel astride__host_avx512_channels(const astride__host_block *block,
                                                   astride__host_pattern *pattern_out)
{
    const size_t size = block->unit_bytes, channels = block->rows;
    if (channels < 2 || channels > MOST_CHANNELS || VECTOR_BYTES % size != 0 || size > 16)
        return NULL;
    if (is_between(block->dst_row, block->dst_column, size, channels) &&
        block->src_column == (ptrdiff_t)size) {
        prepare(pattern_out, size, channels, true);
        return interleave;
    }
    if (is_between(block->src_row, block->src_column, size, channels) &&
        block->dst_column == (ptrdiff_t)size && !block->streams) {
        prepare(pattern_out, size, channels, false);
        return separate;
    }
    return NULL;
}

ASTRIDE__HOST_TARGET_END
#endif
