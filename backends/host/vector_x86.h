/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the levels of x86-64 define alike for vector_kernels.h. Included between BEGIN and END of
 * vector_target.h.
 */
ASTRIDE__HOST_INLINE __m128i load_128(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

#define LANE __m128i
#define LANE_LOAD(p) load_128(p)
#define LANE_STORE(p, v) _mm_storeu_si128((__m128i *)(void *)(p), v)
#define LANE_ZIP_LOW_1 _mm_unpacklo_epi8
#define LANE_ZIP_HIGH_1 _mm_unpackhi_epi8
#define LANE_ZIP_LOW_2 _mm_unpacklo_epi16
#define LANE_ZIP_HIGH_2 _mm_unpackhi_epi16
#define LANE_ZIP_LOW_4 _mm_unpacklo_epi32
#define LANE_ZIP_HIGH_4 _mm_unpackhi_epi32
#define LANE_ZIP_LOW_8 _mm_unpacklo_epi64
#define LANE_ZIP_HIGH_8 _mm_unpackhi_epi64
#define PREFETCH(p) _mm_prefetch((const char *)(p), _MM_HINT_T0)

/* Stores that pass the caches by become visible in order only after this. */
static void drain(void)
{
    _mm_sfence();
}
