/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memref types as a whole: memref<extents x element, layout, memory space> from and to text, and
 * the line with a caret that shows where a text is wrong. Element types and layouts have their own
 * files.
 */
#include "tools/memref_type.h"

#include <inttypes.h>
#include <string.h>

#include "tools/memref_parser.h"

/* Columns of text that memref_type_write_caret() shows on each side of the caret. */
#define CARET_CONTEXT 56

/* Takes a string literal, whose opening quote is next. */
static bool skip_string(scan *in)
{
    size_t start = scan_skip_blanks(in);

    for (size_t at = start + 1;; at++) {
        char byte = in->text[at];

        if (byte == '"') {
            in->position = at + 1;
            return true;
        }
        if (byte == '\\' && in->text[at + 1] != '\0')
            byte = in->text[++at];
        if (byte == '\0')
            return scan_fail(in, start, "the string has no closing quote");
        if ((unsigned char)byte < ' ' || byte == 0x7f)
            return scan_fail(in, at, "a control character in a string");
    }
}

/* Takes a bracket and everything up to the one that closes it, strings and nested ones included. */
static bool skip_brackets(scan *in)
{
    static const char opening[] = "<([{", closing[] = ">)]}";
    char expected[SCAN_MAXIMUM_DEPTH];
    size_t start[SCAN_MAXIMUM_DEPTH];
    int depth = 0;

    do {
        char byte = scan_peek(in);
        const char *opens = byte == '\0' ? NULL : strchr(opening, byte);

        if (byte == '\0')
            return scan_fail(in, start[depth - 1], "'%c' is never closed by '%c'",
                             in->text[start[depth - 1]], expected[depth - 1]);
        if (opens != NULL) {
            if (depth == SCAN_MAXIMUM_DEPTH)
                return scan_fail(in, in->position, "brackets are nested deeper than %d",
                                 SCAN_MAXIMUM_DEPTH);
            start[depth] = in->position;
            expected[depth++] = closing[opens - opening];
        } else if (strchr(closing, byte) != NULL) {
            char what[] = "'?'";

            what[1] = expected[depth - 1];
            if (byte != what[1])
                return scan_fail_expected(in, what);
            depth--;
        } else if (byte == '"') {
            if (!skip_string(in))
                return false;
            continue;
        } else if (byte == '-' && in->text[in->position + 1] == '>') {
            in->position++;
        } else if (byte < ' ' || byte > '~') {
            return scan_fail_expected(in, "an attribute");
        }
        in->position++;
    } while (depth > 0);
    return true;
}

/* Takes "#dialect.name", with or without <...>, or "#dialect<...>". */
static bool skip_dialect_attribute(scan *in)
{
    size_t start = scan_skip_blanks(in);
    scan_slice name;

    in->position++;
    name = scan_word(in, "_.$");
    if (name.bytes == 0)
        return scan_fail_expected(in, "the name of an attribute after '#'");
    if (in->text[in->position] == '<')
        return skip_brackets(in);
    if (memchr(name.text, '.', name.bytes) == NULL)
        return scan_fail(in, start, "#%.*s is defined elsewhere: put its value in its place",
                         (int)(name.bytes > 24 ? 24 : name.bytes), name.text);
    return true;
}

/* Takes ": type" after a number or a string, where there is one. */
static bool skip_type_of_attribute(scan *in)
{
    size_t position;
    memref_element element;

    if (!scan_accept(in, ':'))
        return true;
    position = scan_skip_blanks(in);
    if (!memref_parse_element(in, &element))
        return false;
    if (element.is_complex || element.is_vector || element.scalar[0] == 'f' ||
        element.scalar[0] == 'b')
        return scan_fail(in, position, "the type of a memory space is an integer type or index");
    return true;
}

/* Takes a memory space: a number, a string, a dictionary or a dialect's attribute, as in MLIR. */
static bool skip_space(scan *in)
{
    char byte = scan_peek(in);
    int64_t number;

    if (byte == '"')
        return skip_string(in);
    if (byte == '#')
        return skip_dialect_attribute(in);
    if (byte == '{')
        return skip_brackets(in);
    if (byte == '-' || (byte >= '0' && byte <= '9')) {
        (void)scan_accept(in, '-');
        return scan_number(in, "a number", true, &number) && skip_type_of_attribute(in);
    }
    return scan_fail_expected(in, "a layout (strided<...> or affine_map<...>) or a memory space");
}

/* Reads ", layout" and ", memory space". `layout_at` is set to where the layout is, if there is
 * one. */
static bool parse_attributes(scan *in, memref_type *type_out, memref_layout *layout_out,
                             size_t *layout_at)
{
    bool has_layout = false;

    while (scan_accept(in, ',')) {
        size_t position = scan_skip_blanks(in);
        scan_slice word = scan_word(in, "_");
        bool strided = scan_slice_is(word, "strided");

        if (strided || scan_slice_is(word, "affine_map")) {
            if (type_out->space != NULL)
                return scan_fail(in, position, "the layout must come before the memory space");
            if (has_layout)
                return scan_fail(in, position, "a memref has one layout only");
            if (strided
                    ? !memref_parse_strided(in, type_out->rank, layout_out)
                    : !memref_parse_affine_map(in, type_out->rank, type_out->extents, layout_out))
                return false;
            has_layout = true;
            *layout_at = position;
            continue;
        }
        if (type_out->space != NULL)
            return scan_fail(in, position, "a memref has one memory space only");
        in->position = position;
        if (!skip_space(in))
            return false;
        type_out->space = in->text + position;
        type_out->space_bytes = in->position - position;
    }
    if (has_layout)
        return true;
    layout_out->offset = 0;
    return memref_dense_strides(in, *layout_at, type_out->rank, type_out->extents,
                                layout_out->strides);
}

/* Turns a layout in elements into one in bytes. */
static bool set_layout(scan *in, size_t position, const memref_layout *layout,
                       memref_type *type_out)
{
    int64_t bytes = type_out->element.bytes;

    if (__builtin_mul_overflow(layout->offset, bytes, &type_out->offset_bytes))
        return scan_fail(in, position,
                         "the offset, %" PRId64 " elements of %" PRId64 " bytes, overflows 63 bits",
                         layout->offset, bytes);
    for (int32_t d = 0; d < type_out->rank; d++) {
        if (__builtin_mul_overflow(layout->strides[d], bytes, &type_out->stride_bytes[d]))
            return scan_fail(in, position,
                             "stride %" PRId32 ", %" PRId64 " elements of %" PRId64
                             " bytes, overflows 63 bits",
                             d, layout->strides[d], bytes);
    }
    return true;
}

bool memref_type_parse(const char *text, memref_type *type_out, memref_type_error *error_out)
{
    memref_type_error error;
    scan in = {.text = text, .position = 0, .error = &error};
    memref_type type;
    memref_layout layout;
    size_t position = scan_skip_blanks(&in);
    bool parsed;

    memset(&type, 0, sizeof(type));
    memset(&layout, 0, sizeof(layout));
    if (!scan_slice_is(scan_word(&in, "_"), "memref")) {
        in.position = position;
        parsed = scan_fail_expected(&in, "a type that begins with memref<");
    } else {
        parsed = scan_expect(&in, '<', "'<' after memref");
        position = scan_skip_blanks(&in);
        parsed = parsed && memref_parse_extents(&in, false, type.extents, &type.rank) &&
                 memref_parse_element(&in, &type.element) &&
                 parse_attributes(&in, &type, &layout, &position) &&
                 scan_expect(&in, '>', "',' or '>'") &&
                 (scan_peek(&in) == '\0' || scan_fail_expected(&in, "nothing after the type")) &&
                 set_layout(&in, position, &layout, &type);
    }
    if (parsed)
        *type_out = type;
    else
        *error_out = error;
    return parsed;
}

/* Whether a type without a layout would be the same. */
static bool is_dense(const memref_type *type)
{
    int64_t stride = type->element.bytes;

    if (type->offset_bytes != 0)
        return false;
    for (int32_t d = type->rank - 1; d >= 0; d--) {
        if (type->stride_bytes[d] != stride)
            return false;
        if (d > 0 && __builtin_mul_overflow(stride, type->extents[d], &stride))
            return false;
    }
    return true;
}

void memref_type_write(const memref_type *type, FILE *stream)
{
    (void)fputs("memref<", stream);
    for (int32_t d = 0; d < type->rank; d++)
        (void)fprintf(stream, "%" PRId64 "x", type->extents[d]);
    memref_element_write(&type->element, stream);
    if (!is_dense(type)) {
        (void)fputs(", strided<[", stream);
        for (int32_t d = 0; d < type->rank; d++)
            (void)fprintf(stream, "%s%" PRId64, d == 0 ? "" : ", ",
                          type->stride_bytes[d] / type->element.bytes);
        (void)fputc(']', stream);
        if (type->offset_bytes != 0)
            (void)fprintf(stream, ", offset: %" PRId64, type->offset_bytes / type->element.bytes);
        (void)fputc('>', stream);
    }
    if (type->space != NULL) {
        (void)fputs(", ", stream);
        for (size_t i = 0; i < type->space_bytes; i++)
            (void)fputc(scan_is_blank(type->space[i]) ? ' ' : type->space[i], stream);
    }
    (void)fputc('>', stream);
}

void memref_type_write_caret(const char *text, const memref_type_error *error, FILE *stream)
{
    size_t length = strlen(text);
    size_t first = error->position > CARET_CONTEXT ? error->position - CARET_CONTEXT : 0;
    size_t end =
        error->position + CARET_CONTEXT < length ? error->position + CARET_CONTEXT : length;
    int indent = (int)(error->position - first) + (first > 0 ? 3 : 0);

    (void)fputs(first > 0 ? "  ..." : "  ", stream);
    for (size_t at = first; at < end; at++)
        (void)fputc(text[at] < ' ' || text[at] > '~' ? '?' : text[at], stream);
    (void)fprintf(stream, "%s\n  %*s^\n", end < length ? "..." : "", indent, "");
}
