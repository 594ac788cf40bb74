/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Layouts written as affine maps. One result that is a linear form of the dimensions gives strides
 * and offset; several results are taken where they permute the dimensions. Every other map is no
 * strided layout, and the error points at the operator or result that makes it so.
 */
#include "tools/memref_parser.h"

#include <inttypes.h>
#include <string.h>

/* Bytes of MLIR's identifiers besides letters and digits. */
#define IDENTIFIER_BYTES "_.$"

/* A linear form: constant + the sum of coefficients[d] * dimension d. */
typedef struct linear_form {
    int64_t constant;
    int64_t coefficients[ASTRIDE_MAX_RANK];
} linear_form;

typedef struct affine_reader {
    scan *in;
    int32_t rank;
    scan_slice dimensions[ASTRIDE_MAX_RANK];
    scan_slice symbols[ASTRIDE_MAX_RANK];
    int32_t symbol_count;
    int depth;
} affine_reader;

static bool same_word(scan_slice left, scan_slice right)
{
    return left.bytes == right.bytes && memcmp(left.text, right.text, left.bytes) == 0;
}

static int32_t find_word(const scan_slice *words, int32_t count, scan_slice word)
{
    for (int32_t i = 0; i < count; i++) {
        if (same_word(words[i], word))
            return i;
    }
    return -1;
}

/* Reads "name, name)" or "name, name]" after its opening bracket. */
static bool parse_names(affine_reader *reader, char end, const char *what, const char *what_end,
                        scan_slice names_out[ASTRIDE_MAX_RANK], int32_t *count_out)
{
    scan *in = reader->in;
    int32_t count = 0;

    *count_out = 0;
    if (scan_accept(in, end))
        return true;
    do {
        size_t position = scan_skip_blanks(in);
        scan_slice word = scan_word(in, IDENTIFIER_BYTES);

        if (word.bytes == 0 || (word.text[0] >= '0' && word.text[0] <= '9')) {
            in->position = position;
            return scan_fail_expected(in, what);
        }
        if (count == ASTRIDE_MAX_RANK)
            return scan_fail(in, position, "more than %d names in one list", ASTRIDE_MAX_RANK);
        if (find_word(names_out, count, word) >= 0 ||
            (names_out != reader->dimensions &&
             find_word(reader->dimensions, reader->rank, word) >= 0))
            return scan_fail(in, position, "'%.*s' is named twice",
                             (int)(word.bytes > 24 ? 24 : word.bytes), word.text);
        names_out[count++] = word;
    } while (scan_accept(in, ','));
    *count_out = count;
    return scan_expect(in, end, what_end);
}

static bool is_constant(const linear_form *form)
{
    for (int32_t d = 0; d < ASTRIDE_MAX_RANK; d++) {
        if (form->coefficients[d] != 0)
            return false;
    }
    return true;
}

/* form = form * factor; false when that overflows. */
static bool scale(linear_form *form, int64_t factor)
{
    if (__builtin_mul_overflow(form->constant, factor, &form->constant))
        return false;
    for (int32_t d = 0; d < ASTRIDE_MAX_RANK; d++) {
        if (__builtin_mul_overflow(form->coefficients[d], factor, &form->coefficients[d]))
            return false;
    }
    return true;
}

/* form = form + other; false when that overflows. */
static bool add(linear_form *form, const linear_form *other)
{
    if (__builtin_add_overflow(form->constant, other->constant, &form->constant))
        return false;
    for (int32_t d = 0; d < ASTRIDE_MAX_RANK; d++) {
        if (__builtin_add_overflow(form->coefficients[d], other->coefficients[d],
                                   &form->coefficients[d]))
            return false;
    }
    return true;
}

/* The quotient of two numbers, rounded down, and the remainder, 0 <= remainder < divisor. */
static int64_t floor_quotient(int64_t value, int64_t divisor, int64_t *remainder_out)
{
    int64_t quotient = value / divisor;

    *remainder_out = value % divisor;
    if (*remainder_out < 0) {
        *remainder_out += divisor;
        quotient--;
    }
    return quotient;
}

/*
 * form = form floordiv, ceildiv or mod right. The result is linear where the divisor divides every
 * coefficient: the dimensions then add whole multiples of it.
 */
static bool divide(scan *in, size_t position, scan_slice operation, linear_form *form,
                   const linear_form *right)
{
    int64_t divisor = right->constant;
    int64_t quotient, remainder;

    if (!is_constant(right) || divisor < 1)
        return scan_fail(in, position, "the right side of %.*s must be a positive number",
                         (int)operation.bytes, operation.text);
    for (int32_t d = 0; d < ASTRIDE_MAX_RANK; d++) {
        if (form->coefficients[d] % divisor != 0)
            return scan_fail(in, position, "%.*s makes this layout no strided one",
                             (int)operation.bytes, operation.text);
    }
    quotient = floor_quotient(form->constant, divisor, &remainder);
    if (scan_slice_is(operation, "mod")) {
        memset(form, 0, sizeof(*form));
        form->constant = remainder;
        return true;
    }
    for (int32_t d = 0; d < ASTRIDE_MAX_RANK; d++)
        form->coefficients[d] /= divisor;
    form->constant = quotient + (scan_slice_is(operation, "ceildiv") && remainder != 0);
    return true;
}

static bool parse_sum(affine_reader *reader, linear_form *form_out);

/* A number, a dimension, a negated operand or a sum in parentheses. */
static bool parse_operand(affine_reader *reader, linear_form *form_out)
{
    scan *in = reader->in;
    char byte = scan_peek(in);
    size_t position = in->position;
    scan_slice word;
    int32_t dimension;
    bool read;

    memset(form_out, 0, sizeof(*form_out));
    if (byte == '-' || byte == '(') {
        in->position++;
        if (reader->depth == SCAN_MAXIMUM_DEPTH)
            return scan_fail(in, position, "the expression is nested deeper than %d",
                             SCAN_MAXIMUM_DEPTH);
        reader->depth++;
        read = byte == '-' ? parse_operand(reader, form_out)
                           : parse_sum(reader, form_out) &&
                                 scan_expect(in, ')', "an operator or ')' in the expression");
        reader->depth--;
        if (read && byte == '-' && !scale(form_out, -1))
            return scan_fail(in, position, "the layout's numbers overflow 63 bits");
        return read;
    }
    if (byte >= '0' && byte <= '9')
        return scan_number(in, "a number", true, &form_out->constant);
    word = scan_word(in, IDENTIFIER_BYTES);
    dimension = find_word(reader->dimensions, reader->rank, word);
    if (dimension >= 0) {
        form_out->coefficients[dimension] = 1;
        return true;
    }
    if (word.bytes > 0 && find_word(reader->symbols, reader->symbol_count, word) >= 0)
        return scan_fail(in, position, "a plan needs numbers: put one in place of the symbol");
    in->position = position;
    return scan_fail_expected(in, "a number or a dimension of the map");
}

static bool parse_product(affine_reader *reader, linear_form *form_out)
{
    scan *in = reader->in;

    if (!parse_operand(reader, form_out))
        return false;
    for (;;) {
        size_t position = scan_skip_blanks(in);
        bool times = scan_accept(in, '*');
        scan_slice word = {.text = "*", .bytes = 1};
        linear_form right;

        if (!times) {
            word = scan_word(in, IDENTIFIER_BYTES);
            if (!scan_slice_is(word, "floordiv") && !scan_slice_is(word, "ceildiv") &&
                !scan_slice_is(word, "mod")) {
                in->position = position;
                return true;
            }
        }
        if (!parse_operand(reader, &right))
            return false;
        if (!times) {
            if (!divide(in, position, word, form_out, &right))
                return false;
            continue;
        }
        if (is_constant(form_out)) {
            linear_form left = *form_out;

            *form_out = right;
            right = left;
        }
        if (!is_constant(&right))
            return scan_fail(in, position, "a product of dimensions is no strided layout");
        if (!scale(form_out, right.constant))
            return scan_fail(in, position, "the layout's numbers overflow 63 bits");
    }
}

static bool parse_sum(affine_reader *reader, linear_form *form_out)
{
    scan *in = reader->in;

    if (!parse_product(reader, form_out))
        return false;
    for (;;) {
        size_t position = scan_skip_blanks(in);
        bool minus = scan_accept(in, '-');
        linear_form right;

        if (!minus && !scan_accept(in, '+'))
            return true;
        if (!parse_product(reader, &right))
            return false;
        if ((minus && !scale(&right, -1)) || !add(form_out, &right))
            return scan_fail(in, position, "the layout's numbers overflow 63 bits");
    }
}

/* The dimension that a form consists of; -1 when it is no mere dimension. */
static int32_t single_dimension(const linear_form *form)
{
    int32_t found = -1;

    if (form->constant != 0)
        return -1;
    for (int32_t d = 0; d < ASTRIDE_MAX_RANK; d++) {
        if (form->coefficients[d] == 0)
            continue;
        if (form->coefficients[d] != 1 || found >= 0)
            return -1;
        found = d;
    }
    return found;
}

/* The strides of a dense array whose dimension i is dimension order[i] of the memref. */
static bool permuted_strides(scan *in, size_t position, int32_t rank, const int64_t *extents,
                             const int32_t *order, memref_layout *layout_out)
{
    int64_t ordered_extents[ASTRIDE_MAX_RANK] = {0};
    int64_t ordered_strides[ASTRIDE_MAX_RANK] = {0};

    for (int32_t i = 0; i < rank; i++)
        ordered_extents[i] = extents[order[i]];
    if (!memref_dense_strides(in, position, rank, ordered_extents, ordered_strides))
        return false;
    for (int32_t i = 0; i < rank; i++)
        layout_out->strides[order[i]] = ordered_strides[i];
    layout_out->offset = 0;
    return true;
}

/* Reads the results "expression, ...)" after their opening parenthesis. */
static bool parse_results(affine_reader *reader, size_t position, const int64_t *extents,
                          memref_layout *layout_out)
{
    scan *in = reader->in;
    int32_t order[ASTRIDE_MAX_RANK] = {0};
    bool used[ASTRIDE_MAX_RANK] = {false};
    int32_t count = 0;
    size_t first_position = scan_skip_blanks(in);
    linear_form form, first = {0};

    if (reader->rank == 0 && scan_accept(in, ')')) {
        layout_out->offset = 0;
        return true;
    }
    do {
        size_t result = scan_skip_blanks(in);
        int32_t dimension;

        if (!parse_sum(reader, &form))
            return false;
        if (count == 0)
            first = form;
        if (count == 1 && single_dimension(&first) < 0)
            return scan_fail(in, first_position,
                             "of several results each must be one dimension of its own");
        dimension = single_dimension(&form);
        if (count > 0 && (dimension < 0 || used[dimension]))
            return scan_fail(in, result,
                             "of several results each must be one dimension of its own");
        if (dimension >= 0) {
            used[dimension] = true;
            order[count] = dimension;
        }
        count++;
    } while (scan_accept(in, ','));
    if (!scan_expect(in, ')', "an operator, ',' or ')' after a result of the map"))
        return false;
    if (count == 1) {
        layout_out->offset = first.constant;
        memcpy(layout_out->strides, first.coefficients, sizeof(first.coefficients));
        return true;
    }
    if (count != reader->rank)
        return scan_fail(in, position,
                         "the number of results, %" PRId32 ", is neither 1 nor the rank, %" PRId32,
                         count, reader->rank);
    return permuted_strides(in, position, count, extents, order, layout_out);
}

bool memref_parse_affine_map(scan *in, int32_t rank, const int64_t *extents,
                             memref_layout *layout_out)
{
    affine_reader reader = {.in = in};
    size_t position;

    if (!scan_expect(in, '<', "'<' after affine_map"))
        return false;
    position = scan_skip_blanks(in);
    if (!scan_expect(in, '(', "'(' before the map's dimensions") ||
        !parse_names(&reader, ')', "the name of a dimension", "',' or ')' after a dimension",
                     reader.dimensions, &reader.rank))
        return false;
    if (reader.rank != rank)
        return scan_fail(in, position,
                         "the number of dimensions, %" PRId32 ", is not the rank, %" PRId32,
                         reader.rank, rank);
    if (scan_accept(in, '[') &&
        !parse_names(&reader, ']', "the name of a symbol", "',' or ']' after a symbol",
                     reader.symbols, &reader.symbol_count))
        return false;
    if (!scan_expect(in, '-', "'->' after the map's dimensions"))
        return false;
    if (in->text[in->position] != '>')
        return scan_fail_expected(in, "'>' after '-'");
    in->position++;
    position = scan_skip_blanks(in);
    return scan_expect(in, '(', "'(' before the map's results") &&
           parse_results(&reader, position, extents, layout_out) &&
           scan_expect(in, '>', "'>' after the map");
}
