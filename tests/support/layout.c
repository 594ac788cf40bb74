/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What can be asked of a layout: its spans, its elements, whether it overlaps, and how to print it.
 * The random generator is in layout_generate.c.
 */
#include "tests/support/layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void test_layout_dense_strides(int32_t rank, const int64_t *extents, size_t element_bytes,
                               int64_t *strides_out)
{
    int64_t stride = (int64_t)element_bytes;

    for (int32_t d = rank - 1; d >= 0; d--) {
        strides_out[d] = stride;
        stride *= extents[d] > 0 ? extents[d] : 1;
    }
}

size_t test_layout_elements(const test_layout *layout)
{
    size_t elements = 1;

    for (int32_t d = 0; d < layout->rank; d++)
        elements *= (size_t)layout->extents[d];
    return elements;
}

test_span test_layout_span(const test_layout *layout, const test_side *side)
{
    test_span span = {0, (int64_t)layout->element_bytes};

    if (test_layout_elements(layout) == 0)
        return (test_span){0, 0};
    for (int32_t d = 0; d < layout->rank; d++) {
        /* The stride of a unit extent is never used and may be any number. */
        if (layout->extents[d] == 1)
            continue;
        if (side->strides[d] < 0)
            span.low += side->strides[d] * (layout->extents[d] - 1);
        else
            span.high += side->strides[d] * (layout->extents[d] - 1);
    }
    return span;
}

static void side_room(const test_layout *layout, const test_side *side, int64_t *down_out,
                      int64_t *up_out)
{
    test_span span = test_layout_span(layout, side);

    *down_out = -((int64_t)side->offset + span.low);
    *up_out = (int64_t)side->bytes - ((int64_t)side->offset + span.high);
}

void test_layout_room(const test_layout *layout, int64_t *down_out, int64_t *up_out)
{
    int64_t dst_down, dst_up, src_down, src_up;

    side_room(layout, &layout->dst, &dst_down, &dst_up);
    side_room(layout, &layout->src, &src_down, &src_up);
    *down_out = dst_down > src_down ? dst_down : src_down;
    *up_out = dst_up < src_up ? dst_up : src_up;
}

void test_layout_visit(const test_layout *layout, test_layout_visitor visit, void *argument)
{
    int64_t index[ASTRIDE_MAX_RANK] = {0};
    int64_t dst = (int64_t)layout->dst.offset, src = (int64_t)layout->src.offset;
    size_t elements = test_layout_elements(layout);

    for (size_t i = 0; i < elements; i++) {
        visit((size_t)dst, (size_t)src, argument);
        for (int32_t d = layout->rank - 1; d >= 0; d--) {
            if (layout->extents[d] == 1)
                continue;
            if (++index[d] < layout->extents[d]) {
                dst += layout->dst.strides[d];
                src += layout->src.strides[d];
                break;
            }
            index[d] = 0;
            dst -= layout->dst.strides[d] * (layout->extents[d] - 1);
            src -= layout->src.strides[d] * (layout->extents[d] - 1);
        }
    }
}

/* One byte per byte of the destination's allocation, and what the marking found. */
typedef struct marks {
    unsigned char *taken;
    size_t element_bytes;
    bool collision;
} marks;

static void mark_dst(size_t dst_offset, size_t src_offset, void *argument)
{
    marks *m = argument;

    (void)src_offset;
    for (size_t b = 0; b < m->element_bytes; b++) {
        m->collision |= m->taken[dst_offset + b] != 0;
        m->taken[dst_offset + b] = 1;
    }
}

static void look_up_src(size_t dst_offset, size_t src_offset, void *argument)
{
    marks *m = argument;

    (void)dst_offset;
    for (size_t b = 0; b < m->element_bytes; b++)
        m->collision |= m->taken[src_offset + b] != 0;
}

static bool find_collision(const test_layout *layout, bool between_sides)
{
    marks m = {calloc(layout->dst.bytes + 1, 1), layout->element_bytes, false};

    if (m.taken == NULL) {
        fputs("out of memory in a test\n", stderr);
        exit(99);
    }
    test_layout_visit(layout, mark_dst, &m);
    if (between_sides) {
        m.collision = false;
        test_layout_visit(layout, look_up_src, &m);
    }
    free(m.taken);
    return m.collision;
}

bool test_layout_overlaps_itself(const test_layout *layout)
{
    return find_collision(layout, false);
}

bool test_layout_sides_overlap(const test_layout *layout)
{
    return layout->placement != TEST_PLACEMENT_SEPARATE && find_collision(layout, true);
}

static void *address_in(const void *allocation, size_t offset, int64_t shift)
{
    uintptr_t address = (uintptr_t)allocation + offset + (uintptr_t)shift;

    return (void *)address;
}

astride_copy_desc test_layout_descriptor(const test_layout *layout, void *dst_allocation,
                                         const void *src_allocation, int64_t shift)
{
    return (astride_copy_desc){
        .struct_size = sizeof(astride_copy_desc),
        .rank = layout->rank,
        .element_bytes = layout->element_bytes,
        .extents = layout->rank > 0 ? layout->extents : NULL,
        .dst = {address_in(dst_allocation, layout->dst.offset, shift),
                layout->dst.dense ? NULL : layout->dst.strides},
        .src = {address_in(src_allocation, layout->src.offset, shift),
                layout->src.dense ? NULL : layout->src.strides},
    };
}

const char *test_placement_name(test_placement placement)
{
    static const char *const names[TEST_PLACEMENT_COUNT] = {"separate", "disjoint", "interleaved",
                                                            "overlapping"};

    return names[placement];
}

/* The two most extreme numbers have no literal of their type in C. */
static void print_number(FILE *stream, int64_t number)
{
    if (number == INT64_MIN)
        fputs("INT64_MIN", stream);
    else if (number == INT64_MAX)
        fputs("INT64_MAX", stream);
    else
        fprintf(stream, "%" PRId64, number);
}

static void print_numbers(FILE *stream, const int64_t *numbers, int32_t count)
{
    fputc('{', stream);
    for (int32_t i = 0; i < count; i++) {
        if (i > 0)
            fputs(", ", stream);
        print_number(stream, numbers[i]);
    }
    fputs(count > 0 ? "}" : "0}", stream);
}

static void print_side_words(FILE *stream, const char *prefix, const char *name,
                             const test_layout *layout, const test_side *side)
{
    test_span span = test_layout_span(layout, side);

    fprintf(stream, "%s%s: strides ", prefix, name);
    print_numbers(stream, side->strides, layout->rank);
    fprintf(stream, "%s, element 0 at %zu, bytes %" PRId64 " to %" PRId64 " of %zu\n",
            side->dense ? " (given as NULL)" : "", side->offset, (int64_t)side->offset + span.low,
            (int64_t)side->offset + span.high, side->bytes);
}

static void print_side_code(FILE *stream, const char *prefix, const char *name,
                            const test_layout *layout, const test_side *side)
{
    fprintf(stream, "%s    .%s = {.strides = ", prefix, name);
    print_numbers(stream, side->strides, layout->rank);
    fprintf(stream, ", .dense = %s, .offset = %zu, .bytes = %zu},\n",
            side->dense ? "true" : "false", side->offset, side->bytes);
}

void test_layout_print(FILE *stream, const char *prefix, const test_layout *layout)
{
    static const char *const enumerators[TEST_PLACEMENT_COUNT] = {
        "TEST_PLACEMENT_SEPARATE", "TEST_PLACEMENT_DISJOINT", "TEST_PLACEMENT_INTERLEAVED",
        "TEST_PLACEMENT_OVERLAPPING"};

    fprintf(stream, "%s%s, sides %s; rank %" PRId32 ", elements of %zu bytes, extents ", prefix,
            layout->shape, test_placement_name(layout->placement), layout->rank,
            layout->element_bytes);
    print_numbers(stream, layout->extents, layout->rank);
    fputc('\n', stream);
    print_side_words(stream, prefix, "dst", layout, &layout->dst);
    print_side_words(stream, prefix, "src", layout, &layout->src);

    fprintf(stream, "%s{\n%s    .rank = %" PRId32 ", .element_bytes = %zu, .extents = ", prefix,
            prefix, layout->rank, layout->element_bytes);
    print_numbers(stream, layout->extents, layout->rank);
    fprintf(stream, ",\n%s    .placement = %s, .shape = \"%s\",\n", prefix,
            enumerators[layout->placement], layout->shape);
    print_side_code(stream, prefix, "dst", layout, &layout->dst);
    print_side_code(stream, prefix, "src", layout, &layout->src);
    fprintf(stream, "%s}\n", prefix);
}
