/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The rules of memref_check.h. Nothing here knows what a right type is: that is for the tests that
 * have values written out.
 */
#include "tests/support/memref_check.h"

#include <stdlib.h>
#include <string.h>

#include "tools/memref_type.h"

/* What `type` is written as, to be freed. */
static char *written(const memref_type *type)
{
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);

    if (stream == NULL)
        abort();
    memref_type_write(type, stream);
    if (fclose(stream) != 0)
        abort();
    return text;
}

static const char *check_ranges(const memref_type *type)
{
    int64_t bytes = type->element.bytes;

    if (type->rank < 0 || type->rank > ASTRIDE_MAX_RANK)
        return "the rank is in range";
    if (bytes < 1)
        return "an element has a size";
    if (type->offset_bytes % bytes != 0)
        return "the offset is a number of elements";
    for (int32_t d = 0; d < type->rank; d++) {
        if (type->extents[d] < 0)
            return "no extent is negative";
        if (type->stride_bytes[d] % bytes != 0)
            return "a stride is a number of elements";
    }
    return NULL;
}

static const char *check_same(const memref_type *left, const memref_type *right)
{
    size_t bytes = (size_t)left->rank * sizeof(int64_t);

    if (left->rank != right->rank || memcmp(left->extents, right->extents, bytes) != 0)
        return "the shape is written as it was read";
    if (left->offset_bytes != right->offset_bytes ||
        memcmp(left->stride_bytes, right->stride_bytes, bytes) != 0)
        return "the layout is written as it was read";
    if (!memref_element_equal(&left->element, &right->element) ||
        left->element.bytes != right->element.bytes)
        return "the element type is written as it was read";
    return NULL;
}

static const char *check_accepted(const memref_type *type)
{
    char *first = written(type), *second = NULL;
    const char *broken = check_ranges(type);
    memref_type again;
    memref_type_error error;

    if (broken == NULL && !memref_type_parse(first, &again, &error))
        broken = "what is written is a type";
    if (broken == NULL)
        broken = check_same(type, &again);
    if (broken == NULL) {
        second = written(&again);
        if (strcmp(first, second) != 0)
            broken = "a type is written in one way";
    }
    free(first);
    free(second);
    return broken;
}

static const char *check_refused(const char *text, const memref_type_error *error)
{
    char *shown = NULL;
    size_t bytes, lines = 0;
    const char *broken = NULL;
    FILE *stream = open_memstream(&shown, &bytes);

    if (stream == NULL)
        abort();
    memref_type_write_caret(text, error, stream);
    (void)fputs(error->message, stream);
    if (fclose(stream) != 0)
        abort();
    for (size_t i = 0; i < bytes; i++) {
        lines += shown[i] == '\n';
        if (shown[i] != '\n' && (shown[i] < ' ' || shown[i] > '~'))
            broken = "what is shown is printable";
    }
    if (lines != 2)
        broken = "the place is shown in two lines";
    if (error->position > strlen(text))
        broken = "the position is in the text";
    if (error->message[0] == '\0')
        broken = "there is a message";
    free(shown);
    return broken;
}

const char *test_memref_check(const char *text, bool *accepted_out)
{
    memref_type type;
    memref_type_error error;

    *accepted_out = memref_type_parse(text, &type, &error);
    return *accepted_out ? check_accepted(&type) : check_refused(text, &error);
}
