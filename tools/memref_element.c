/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Element types of memrefs: integers, floats, index, complex and vector, with the size that each
 * has in memory. memref_type.h states the rules of those sizes.
 */
#include "tools/memref_parser.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* MLIR's limit. */
#define MAXIMUM_INTEGER_BITS 16777215

static const struct {
    const char *name;
    int bits;
    int bytes; /* 0: MLIR does not lower it */
} other_scalars[] = {
    {"bf16", 16, 2},     {"f128", 128, 16},    {"f16", 16, 2},     {"f32", 32, 4},
    {"f4E2M1FN", 4, 1},  {"f64", 64, 8},       {"f6E2M3FN", 6, 1}, {"f6E3M2FN", 6, 1},
    {"f80", 80, 16},     {"f8E3M4", 8, 1},     {"f8E4M3", 8, 1},   {"f8E4M3B11FNUZ", 8, 1},
    {"f8E4M3FN", 8, 1},  {"f8E4M3FNUZ", 8, 1}, {"f8E5M2", 8, 1},   {"f8E5M2FNUZ", 8, 1},
    {"f8E8M0FNU", 8, 1}, {"index", 64, 8},     {"tf32", 19, 0},
};

/* The least power of two that is not below `value`, which is at most 2^61. */
static int64_t round_up_to_power_of_two(int64_t value)
{
    int64_t power = 1;

    while (power < value)
        power *= 2;
    return power;
}

static int64_t integer_bytes(int64_t bits)
{
    int64_t bytes = (bits + 7) / 8;

    return bytes <= 16 ? round_up_to_power_of_two(bytes) : (bytes + 15) / 16 * 16;
}

/* The width of iN, siN or uiN; 0 when the word is none of them. */
static int64_t integer_bits(scan_slice word)
{
    size_t at = word.bytes > 0 && (word.text[0] == 's' || word.text[0] == 'u') ? 1 : 0;
    int64_t bits = 0;

    if (at + 1 >= word.bytes || word.text[at] != 'i')
        return 0;
    for (at++; at < word.bytes; at++) {
        if (word.text[at] < '0' || word.text[at] > '9')
            return 0;
        if (bits <= MAXIMUM_INTEGER_BITS)
            bits = bits * 10 + (word.text[at] - '0');
    }
    /* A width of nothing but zeros must not be taken for no integer type at all. */
    return bits == 0 ? -1 : bits;
}

/* Reads a scalar type into `element_out->scalar` and `bytes`, and gives its width in bits. */
static bool parse_scalar(scan *in, memref_element *element_out, int64_t *bits_out)
{
    size_t position = scan_skip_blanks(in);
    scan_slice word = scan_word(in, "_");
    int64_t bits = integer_bits(word);

    if (bits != 0) {
        if (bits < 1 || bits > MAXIMUM_INTEGER_BITS)
            return scan_fail(in, position, "the width of an integer type must be 1 to %d bits",
                             MAXIMUM_INTEGER_BITS);
        (void)snprintf(element_out->scalar, sizeof(element_out->scalar), "%.*si%" PRId64,
                       word.text[0] == 'i' ? 0 : 1, word.text, bits);
        element_out->bytes = integer_bytes(bits);
        *bits_out = bits;
        return true;
    }
    for (size_t i = 0; i < sizeof(other_scalars) / sizeof(other_scalars[0]); i++) {
        if (!scan_slice_is(word, other_scalars[i].name))
            continue;
        if (other_scalars[i].bytes == 0)
            return scan_fail(in, position, "%s has no layout in memory: MLIR does not lower it",
                             other_scalars[i].name);
        (void)snprintf(element_out->scalar, sizeof(element_out->scalar), "%s",
                       other_scalars[i].name);
        element_out->bytes = other_scalars[i].bytes;
        *bits_out = other_scalars[i].bits;
        return true;
    }
    in->position = position;
    return scan_fail_expected(in, "an element type such as f32, i8 or index");
}

static bool parse_complex(scan *in, memref_element *element_out)
{
    int64_t bits;
    size_t position;

    if (!scan_expect(in, '<', "'<' after complex"))
        return false;
    position = scan_skip_blanks(in);
    if (!parse_scalar(in, element_out, &bits))
        return false;
    if (strcmp(element_out->scalar, "index") == 0)
        return scan_fail(in, position, "complex is made of integers or floats, not of index");
    element_out->is_complex = true;
    element_out->bytes *= 2;
    return scan_expect(in, '>', "'>' after the type in complex<...>");
}

static bool parse_vector(scan *in, memref_element *element_out)
{
    size_t position;
    int64_t bits, bytes;
    int32_t rank;

    if (!scan_expect(in, '<', "'<' after vector"))
        return false;
    position = scan_skip_blanks(in);
    if (!memref_parse_extents(in, true, element_out->vector_extents, &rank) ||
        !parse_scalar(in, element_out, &bits))
        return false;
    element_out->is_vector = true;
    element_out->vector_rank = rank;
    if (rank > 0 && __builtin_mul_overflow(bits, element_out->vector_extents[rank - 1], &bits))
        return scan_fail(in, position, "the size of the vector overflows 63 bits");
    bytes = round_up_to_power_of_two(bits / 8 + (bits % 8 != 0));
    for (int32_t d = 0; d + 1 < rank; d++) {
        if (__builtin_mul_overflow(bytes, element_out->vector_extents[d], &bytes))
            return scan_fail(in, position, "the size of the vector overflows 63 bits");
    }
    element_out->bytes = bytes;
    return scan_expect(in, '>', "'>' after the type in vector<...>");
}

bool memref_parse_element(scan *in, memref_element *element_out)
{
    size_t position = scan_skip_blanks(in);
    scan_slice word;
    int64_t bits;

    memset(element_out, 0, sizeof(*element_out));
    if (in->text[position] == '!')
        return scan_fail(in, position, "the size of an element of a dialect's type is not known");
    word = scan_word(in, "_");
    if (scan_slice_is(word, "complex"))
        return parse_complex(in, element_out);
    if (scan_slice_is(word, "vector"))
        return parse_vector(in, element_out);
    if (scan_slice_is(word, "memref") || scan_slice_is(word, "tensor") ||
        scan_slice_is(word, "tuple"))
        return scan_fail(in, position, "%.*s is no element type that can be copied",
                         (int)word.bytes, word.text);
    in->position = position;
    return parse_scalar(in, element_out, &bits);
}

bool memref_element_equal(const memref_element *left, const memref_element *right)
{
    if (strcmp(left->scalar, right->scalar) != 0 || left->is_complex != right->is_complex ||
        left->is_vector != right->is_vector || left->vector_rank != right->vector_rank)
        return false;
    for (int32_t d = 0; d < left->vector_rank; d++) {
        if (left->vector_extents[d] != right->vector_extents[d])
            return false;
    }
    return true;
}

void memref_element_write(const memref_element *element, FILE *stream)
{
    if (element->is_complex) {
        (void)fprintf(stream, "complex<%s>", element->scalar);
    } else if (element->is_vector) {
        (void)fputs("vector<", stream);
        for (int32_t d = 0; d < element->vector_rank; d++)
            (void)fprintf(stream, "%" PRId64 "x", element->vector_extents[d]);
        (void)fprintf(stream, "%s>", element->scalar);
    } else {
        (void)fputs(element->scalar, stream);
    }
}
