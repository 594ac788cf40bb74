/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Extents, the strides of dense arrays, and the layout strided<[...], offset: N>.
 */
#include "tools/memref_parser.h"

#include <inttypes.h>

bool memref_parse_extents(scan *in, bool of_vector, int64_t extents_out[ASTRIDE_MAX_RANK],
                          int32_t *rank_out)
{
    int32_t rank = 0;

    for (;;) {
        char byte = scan_peek(in);
        size_t position = in->position;

        if (byte == '?')
            return scan_fail(in, position, "a plan needs numbers: put an extent in place of '?'");
        if (byte == '*' && !of_vector)
            return scan_fail(in, position, "an unranked memref has no shape to make a plan for");
        if (byte == '[' && of_vector)
            return scan_fail(in, position, "a scalable vector has no size to make a plan for");
        if (byte < '0' || byte > '9')
            break;
        if (rank == ASTRIDE_MAX_RANK)
            return scan_fail(in, position, "the rank is above %d", ASTRIDE_MAX_RANK);
        if (!scan_number(in, "an extent", false, &extents_out[rank]))
            return false;
        if (of_vector && extents_out[rank] == 0)
            return scan_fail(in, position, "an extent of a vector must be at least 1");
        if (!scan_expect(in, 'x', "'x' after an extent"))
            return false;
        rank++;
    }
    *rank_out = rank;
    return true;
}

bool memref_dense_strides(scan *in, size_t position, int32_t rank, const int64_t *extents,
                          int64_t *strides_out)
{
    int64_t stride = 1;

    for (int32_t d = rank - 1; d >= 0; d--) {
        strides_out[d] = stride;
        if (d > 0 && __builtin_mul_overflow(stride, extents[d], &stride))
            return scan_fail(in, position, "stride %" PRId32 " overflows 63 bits", d - 1);
    }
    return true;
}

/* Reads a stride or the offset, a signed number of elements. */
static bool parse_element_count(scan *in, const char *what, int64_t *count_out)
{
    bool negative;

    if (scan_peek(in) == '?')
        return scan_fail(in, in->position, "a plan needs numbers: put %s in place of '?'", what);
    negative = scan_accept(in, '-');
    if (!scan_number(in, what, true, count_out))
        return false;
    if (negative)
        *count_out = -*count_out;
    return true;
}

bool memref_parse_strided(scan *in, int32_t rank, memref_layout *layout_out)
{
    int32_t count = 0;
    size_t list;

    layout_out->offset = 0;
    if (!scan_expect(in, '<', "'<' after strided"))
        return false;
    list = scan_skip_blanks(in);
    if (!scan_expect(in, '[', "'[' before the strides"))
        return false;
    if (scan_peek(in) != ']') {
        do {
            int64_t stride;

            if (!parse_element_count(in, "a stride", &stride))
                return false;
            if (count < rank)
                layout_out->strides[count] = stride;
            count++;
        } while (scan_accept(in, ','));
    }
    if (!scan_expect(in, ']', "',' or ']' after a stride"))
        return false;
    if (count != rank)
        return scan_fail(in, list, "the number of strides, %" PRId32 ", is not the rank, %" PRId32,
                         count, rank);
    if (scan_accept(in, ',')) {
        size_t position = scan_skip_blanks(in);

        if (!scan_slice_is(scan_word(in, "_"), "offset")) {
            in->position = position;
            return scan_fail_expected(in, "offset");
        }
        if (!scan_expect(in, ':', "':' after offset") ||
            !parse_element_count(in, "an offset", &layout_out->offset))
            return false;
    }
    return scan_expect(in, '>', "'>' after the strides and the offset");
}
