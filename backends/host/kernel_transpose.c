/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Tiles of elements of 1, 2, 4, 8 or 16 bytes whose nearest neighbours differ on the two sides.
 * Short elements that are dense on both sides change places within 64-bit words, eight bytes of as
 * many rows at a time, so that every load and store is a whole word.
 */
#include "kernels.h"

#include <string.h>

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__) &&                                    \
    __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BIG_ENDIAN_WORDS 1
#else
#define BIG_ENDIAN_WORDS 0
#endif

#define WORD_BYTES 8

ASTRIDE__HOST_INLINE uint64_t load_word(const uint8_t *address)
{
    uint64_t word;
    memcpy(&word, address, sizeof(word));
    return word;
}

ASTRIDE__HOST_INLINE void store_word(uint8_t *address, uint64_t word)
{
    memcpy(address, &word, sizeof(word));
}

/*
 * Exchanges the later half of each group in `*first` with the earlier half of the same group in
 * `*second`, earlier and later in memory. `low` masks the low half of each group of 2 * `bits`
 * bits.
 */
ASTRIDE__HOST_INLINE void exchange(uint64_t *first, uint64_t *second, unsigned bits, uint64_t low)
{
    uint64_t *low_later = BIG_ENDIAN_WORDS ? second : first;
    uint64_t *high_later = BIG_ENDIAN_WORDS ? first : second;
    const uint64_t difference = ((*low_later >> bits) ^ *high_later) & low;
    *high_later ^= difference;
    *low_later ^= difference << bits;
}

#define LOW_32 UINT64_C(0x00000000ffffffff)
#define LOW_16 UINT64_C(0x0000ffff0000ffff)
#define LOW_8 UINT64_C(0x00ff00ff00ff00ff)

/* Two rows of two elements of 4 bytes. */
ASTRIDE__HOST_INLINE void transpose_word_4(uint8_t *restrict dst, const uint8_t *restrict src,
                                           ptrdiff_t dst_pitch, ptrdiff_t src_pitch)
{
    uint64_t a = load_word(src);
    uint64_t b = load_word(src + src_pitch);
    exchange(&a, &b, 32, LOW_32);
    store_word(dst, a);
    store_word(dst + dst_pitch, b);
}

/* Four rows of four elements of 2 bytes. */
ASTRIDE__HOST_INLINE void transpose_word_2(uint8_t *restrict dst, const uint8_t *restrict src,
                                           ptrdiff_t dst_pitch, ptrdiff_t src_pitch)
{
    uint64_t a = load_word(src);
    uint64_t b = load_word(src + src_pitch);
    uint64_t c = load_word(src + 2 * src_pitch);
    uint64_t d = load_word(src + 3 * src_pitch);
    exchange(&a, &c, 32, LOW_32);
    exchange(&b, &d, 32, LOW_32);
    exchange(&a, &b, 16, LOW_16);
    exchange(&c, &d, 16, LOW_16);
    store_word(dst, a);
    store_word(dst + dst_pitch, b);
    store_word(dst + 2 * dst_pitch, c);
    store_word(dst + 3 * dst_pitch, d);
}

/* Eight rows of eight bytes. */
ASTRIDE__HOST_INLINE void transpose_word_1(uint8_t *restrict dst, const uint8_t *restrict src,
                                           ptrdiff_t dst_pitch, ptrdiff_t src_pitch)
{
    uint64_t a = load_word(src);
    uint64_t b = load_word(src + src_pitch);
    uint64_t c = load_word(src + 2 * src_pitch);
    uint64_t d = load_word(src + 3 * src_pitch);
    uint64_t e = load_word(src + 4 * src_pitch);
    uint64_t f = load_word(src + 5 * src_pitch);
    uint64_t g = load_word(src + 6 * src_pitch);
    uint64_t h = load_word(src + 7 * src_pitch);
    exchange(&a, &e, 32, LOW_32);
    exchange(&b, &f, 32, LOW_32);
    exchange(&c, &g, 32, LOW_32);
    exchange(&d, &h, 32, LOW_32);
    exchange(&a, &c, 16, LOW_16);
    exchange(&b, &d, 16, LOW_16);
    exchange(&e, &g, 16, LOW_16);
    exchange(&f, &h, 16, LOW_16);
    exchange(&a, &b, 8, LOW_8);
    exchange(&c, &d, 8, LOW_8);
    exchange(&e, &f, 8, LOW_8);
    exchange(&g, &h, 8, LOW_8);
    store_word(dst, a);
    store_word(dst + dst_pitch, b);
    store_word(dst + 2 * dst_pitch, c);
    store_word(dst + 3 * dst_pitch, d);
    store_word(dst + 4 * dst_pitch, e);
    store_word(dst + 5 * dst_pitch, f);
    store_word(dst + 6 * dst_pitch, g);
    store_word(dst + 7 * dst_pitch, h);
}

/* The part of a tile from [first_row, first_column] to its end, element by element. */
ASTRIDE__HOST_INLINE void copy_elements(uint8_t *restrict dst, const uint8_t *restrict src,
                                        const astride__host_block *block, size_t first_row,
                                        size_t first_column, size_t size)
{
    for (size_t row = first_row; row < block->rows; row++) {
        const ptrdiff_t to =
            (ptrdiff_t)row * block->dst_row + (ptrdiff_t)first_column * block->dst_column;
        const ptrdiff_t from =
            (ptrdiff_t)row * block->src_row + (ptrdiff_t)first_column * block->src_column;
        astride__host_copy_units(dst + to, src + from, block->columns - first_column,
                                 block->dst_column, block->src_column, size);
    }
}

/* A tile by words where both sides are dense; what is left at its edges by elements. */
ASTRIDE__HOST_INLINE void
transpose_words(uint8_t *restrict dst, const uint8_t *restrict src,
                const astride__host_block *block, size_t size,
                void (*transpose_word)(uint8_t *restrict dst, const uint8_t *restrict src,
                                       ptrdiff_t dst_pitch, ptrdiff_t src_pitch))
{
    const size_t step = WORD_BYTES / size;
    if (block->dst_column != (ptrdiff_t)size || block->src_row != (ptrdiff_t)size) {
        copy_elements(dst, src, block, 0, 0, size);
        return;
    }
    const size_t whole_rows = block->rows - block->rows % step;
    const size_t whole_columns = block->columns - block->columns % step;
    for (size_t row = 0; row < whole_rows; row += step) {
        for (size_t column = 0; column < whole_columns; column += step)
            transpose_word(dst + (ptrdiff_t)row * block->dst_row + column * size,
                           src + row * size + (ptrdiff_t)column * block->src_column, block->dst_row,
                           block->src_column);
    }
    if (whole_columns < block->columns)
        copy_elements(dst, src, block, 0, whole_columns, size);
    if (whole_rows < block->rows) {
        astride__host_block rest = *block;
        rest.columns = whole_columns;
        copy_elements(dst, src, &rest, whole_rows, 0, size);
    }
}

static void transpose_1(uint8_t *restrict dst, const uint8_t *restrict src,
                        const astride__host_block *block)
{
    transpose_words(dst, src, block, 1, transpose_word_1);
}

static void transpose_2(uint8_t *restrict dst, const uint8_t *restrict src,
                        const astride__host_block *block)
{
    transpose_words(dst, src, block, 2, transpose_word_2);
}

static void transpose_4(uint8_t *restrict dst, const uint8_t *restrict src,
                        const astride__host_block *block)
{
    transpose_words(dst, src, block, 4, transpose_word_4);
}

static void transpose_8(uint8_t *restrict dst, const uint8_t *restrict src,
                        const astride__host_block *block)
{
    copy_elements(dst, src, block, 0, 0, 8);
}

static void transpose_16(uint8_t *restrict dst, const uint8_t *restrict src,
                         const astride__host_block *block)
{
    copy_elements(dst, src, block, 0, 0, 16);
}

/*
 * Tiles of several lines of 64 bytes for short elements, so that a page is used well before the
 * next one; of one line for long elements, whose every line goes into a register or four. Measured
 * on 64 MiB squares with power-of-two pitches and others.
 */
const astride__host_transpose *astride__host_transpose_kernel(size_t unit_bytes)
{
    static const astride__host_transpose of_1 = {transpose_1, 256};
    static const astride__host_transpose of_2 = {transpose_2, 128};
    static const astride__host_transpose of_4 = {transpose_4, 64};
    static const astride__host_transpose of_8 = {transpose_8, 8};
    static const astride__host_transpose of_16 = {transpose_16, 4};
    switch (unit_bytes) {
    case 1:
        return &of_1;
    case 2:
        return &of_2;
    case 4:
        return &of_4;
    case 8:
        return &of_8;
    case 16:
        return &of_16;
    default:
        return NULL;
    }
}
