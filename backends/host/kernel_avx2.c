/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rows and transposes for processors with AVX2. Only this file's functions are compiled for it;
 * simd.c calls them where the processor has it.
 */
#include "kernels.h"

#ifdef ASTRIDE__HOST_X86
#include <immintrin.h>

#include "vector_target.h"
ASTRIDE__HOST_TARGET_BEGIN("avx2")

#define VECTOR __m256i
#define LANES 2
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define STREAM(p, v) _mm256_stream_si256((__m256i *)(void *)(p), v)
#define ZIP_LOW_1 _mm256_unpacklo_epi8
#define ZIP_HIGH_1 _mm256_unpackhi_epi8
#define ZIP_LOW_2 _mm256_unpacklo_epi16
#define ZIP_HIGH_2 _mm256_unpackhi_epi16
#define ZIP_LOW_4 _mm256_unpacklo_epi32
#define ZIP_HIGH_4 _mm256_unpackhi_epi32
#define ZIP_LOW_8 _mm256_unpacklo_epi64
#define ZIP_HIGH_8 _mm256_unpackhi_epi64

#include "vector_x86.h"

ASTRIDE__HOST_INLINE __m256i load_lanes(const uint8_t *p, ptrdiff_t pitch)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load_128(p)), load_128(p + pitch), 1);
}
#define LOAD_LANES load_lanes
#define COPY_SHORT memcpy

#include "vector_kernels.h"

const astride__host_simd astride__host_avx2 = {
    .name = "avx2",
    .rows = copy_rows,
    .row_bytes = 32,
    .transpose = {transpose_1, transpose_2, transpose_4, transpose_8, transpose_16},
    .run = copy_run,
    .stream = stream_run,
    .drain = drain,
};

ASTRIDE__HOST_TARGET_END
#endif
