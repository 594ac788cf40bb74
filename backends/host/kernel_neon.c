/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rows and transposes for AArch64, whose every processor has NEON. It has no store of a vector that
 * passes the caches by and needs a drain; ordinary stores take their place.
 */
#include "kernels.h"

#ifdef ASTRIDE__HOST_AARCH64
#include <arm_neon.h>

#define VECTOR uint8x16_t
#define LANES 1
#define LOAD(p) vld1q_u8(p)
#define STORE(p, v) vst1q_u8(p, v)
#define STREAM(p, v) vst1q_u8(p, v)
#define LOAD_LANES(p, pitch) ((void)(pitch), vld1q_u8(p))

#define DEFINE_ZIP(size, bits, type)                                                               \
    ASTRIDE__HOST_INLINE uint8x16_t zip_low_##size(uint8x16_t a, uint8x16_t b)                     \
    {                                                                                              \
        return vreinterpretq_u8_u##bits(                                                           \
            vzip1q_u##bits(vreinterpretq_u##bits##_u8(a), vreinterpretq_u##bits##_u8(b)));         \
    }                                                                                              \
    ASTRIDE__HOST_INLINE uint8x16_t zip_high_##size(uint8x16_t a, uint8x16_t b)                    \
    {                                                                                              \
        return vreinterpretq_u8_u##bits(                                                           \
            vzip2q_u##bits(vreinterpretq_u##bits##_u8(a), vreinterpretq_u##bits##_u8(b)));         \
    }
DEFINE_ZIP(2, 16, uint16x8_t)
DEFINE_ZIP(4, 32, uint32x4_t)
DEFINE_ZIP(8, 64, uint64x2_t)

#define ZIP_LOW_1 vzip1q_u8
#define ZIP_HIGH_1 vzip2q_u8
#define ZIP_LOW_2 zip_low_2
#define ZIP_HIGH_2 zip_high_2
#define ZIP_LOW_4 zip_low_4
#define ZIP_HIGH_4 zip_high_4
#define ZIP_LOW_8 zip_low_8
#define ZIP_HIGH_8 zip_high_8
#define LANE VECTOR
#define LANE_LOAD LOAD
#define LANE_STORE STORE
#define LANE_ZIP_LOW_1 ZIP_LOW_1
#define LANE_ZIP_HIGH_1 ZIP_HIGH_1
#define LANE_ZIP_LOW_2 ZIP_LOW_2
#define LANE_ZIP_HIGH_2 ZIP_HIGH_2
#define LANE_ZIP_LOW_4 ZIP_LOW_4
#define LANE_ZIP_HIGH_4 ZIP_HIGH_4
#define LANE_ZIP_LOW_8 ZIP_LOW_8
#define LANE_ZIP_HIGH_8 ZIP_HIGH_8
#define PREFETCH(p) __builtin_prefetch((const void *)(p))
#define COPY_SHORT memcpy

#include "vector_kernels.h"

static void drain(void) {}

const astride__host_simd astride__host_neon = {
    .name = "neon",
    .rows = copy_rows,
    .row_bytes = 16,
    .transpose = {transpose_1, transpose_2, transpose_4, transpose_8, transpose_16},
    .run = copy_run,
    .stream = stream_run,
    .drain = drain,
};
#endif
