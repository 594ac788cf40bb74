/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rows and transposes for processors with AVX-512 (F, BW, DQ, VL and VBMI). Only this file's
 * functions are compiled for it; simd.c calls them where the processor has it.
 */
#include "kernels.h"

#ifdef ASTRIDE__HOST_X86
#include <immintrin.h>

#include "vector_target.h"
ASTRIDE__HOST_TARGET_BEGIN("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")

#define VECTOR __m512i
#define LANES 4
#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, v) _mm512_storeu_si512(p, v)
#define STREAM(p, v) _mm512_stream_si512((__m512i *)(void *)(p), v)
#define ZIP_LOW_1 _mm512_unpacklo_epi8
#define ZIP_HIGH_1 _mm512_unpackhi_epi8
#define ZIP_LOW_2 _mm512_unpacklo_epi16
#define ZIP_HIGH_2 _mm512_unpackhi_epi16
#define ZIP_LOW_4 _mm512_unpacklo_epi32
#define ZIP_HIGH_4 _mm512_unpackhi_epi32
#define ZIP_LOW_8 _mm512_unpacklo_epi64
#define ZIP_HIGH_8 _mm512_unpackhi_epi64

#include "vector_x86.h"

ASTRIDE__HOST_INLINE __m512i load_lanes(const uint8_t *p, ptrdiff_t pitch)
{
    __m512i v = _mm512_castsi128_si512(load_128(p));
    v = _mm512_inserti64x2(v, load_128(p + pitch), 1);
    v = _mm512_inserti64x2(v, load_128(p + 2 * pitch), 2);
    return _mm512_inserti64x2(v, load_128(p + 3 * pitch), 3);
}
#define LOAD_LANES load_lanes

ASTRIDE__HOST_INLINE void copy_short(uint8_t *dst, const uint8_t *src, size_t bytes)
{
    const __mmask64 mask = _cvtu64_mask64((UINT64_C(1) << bytes) - 1);
    _mm512_mask_storeu_epi8(dst, mask, _mm512_maskz_loadu_epi8(mask, src));
}
#define COPY_SHORT copy_short

ASTRIDE__HOST_INLINE __m512i join_lanes(const __m128i *lanes)
{
    __m512i v = _mm512_castsi128_si512(lanes[0]);
    v = _mm512_inserti64x2(v, lanes[1], 1);
    v = _mm512_inserti64x2(v, lanes[2], 2);
    return _mm512_inserti64x2(v, lanes[3], 3);
}
#define JOIN_LANES join_lanes
#define EDGE_LOAD(p, mask) _mm_maskz_loadu_epi8((__mmask16)(mask), p)

#include "vector_kernels.h"

/*
 * Between units that lie far apart half as wide vectors, which seldom lie in two lines, are faster
 * (by up to a third on EPYC 9004).
 */
static void copy_rows_apart(uint8_t *restrict dst, const uint8_t *restrict src,
                            const astride__host_block *block)
{
    const ptrdiff_t gap = 2 * (ptrdiff_t)block->unit_bytes;
    if (!block->streams && block->unit_bytes <= 128 && block->unit_bytes > 64 &&
        (block->dst_column >= gap || block->src_column >= gap || block->src_column < 0))
        astride__host_avx2.rows(dst, src, block);
    else
        copy_rows(dst, src, block);
}

const astride__host_simd astride__host_avx512 = {
    .name = "avx512",
    .rows = copy_rows_apart,
    .row_bytes = 64,
    .short_rows = rows_near,
    .short_row_bytes = 17,
    .transpose = {transpose_1, transpose_2, transpose_4, transpose_8, transpose_16},
    .elements = astride__host_avx512_elements,
    .run = copy_run,
    .stream = stream_run,
    .drain = drain,
};

ASTRIDE__HOST_TARGET_END
#endif
