/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The pieces that the generator of layouts is made of. What they are put together to is decided in
 * layout_generate.c.
 */
#include "tests/support/layout_build.h"

/* Room left around a side within its allocation is at most this. */
enum { ROOM_BYTES = 70 };

/* Spans beyond this are not widened further: the layout is drawn again anyhow. */
static const int64_t span_limit = INT64_C(1) << 32;

void test_build_element(test_random *random, test_layout *layout)
{
    static const size_t usual[] = {1, 2, 4, 8, 16};
    static const size_t odd[] = {3, 5, 6, 7, 9, 10, 12, 15, 17, 20, 24, 31, 32, 33};

    if (test_random_chance(random, 11, 20))
        layout->element_bytes = usual[test_random_below(random, sizeof usual / sizeof usual[0])];
    else if (test_random_chance(random, 8, 9))
        layout->element_bytes = odd[test_random_below(random, sizeof odd / sizeof odd[0])];
    else
        layout->element_bytes = (size_t)test_random_between(random, 1, 100);
}

void test_build_extents(test_random *random, test_layout *layout, int32_t rank, int64_t bytes)
{
    int64_t left = bytes / (int64_t)layout->element_bytes;
    int32_t start = rank > 0 ? (int32_t)test_random_below(random, (uint64_t)rank) : 0;
    int32_t last = -1;

    layout->rank = rank;
    for (int32_t i = 0; i < rank; i++) {
        int32_t d = (start + i) % rank;
        int64_t most = left;

        layout->extents[d] = 1;
        if (rank > 8 && most > 3)
            most = test_random_chance(random, 1, 3) ? 3 : 2;
        else if (rank > 3 && most > 9)
            most = 9;
        if (most < 2 || test_random_chance(random, 1, rank > 8 ? 2 : 6))
            continue;
        layout->extents[d] = test_random_magnitude(random, most);
        left /= layout->extents[d];
        last = d;
    }
    /* What is left goes to one dimension, so that sizes come near to what was asked for. */
    if (last >= 0 && left > 1 && test_random_chance(random, 5, 6))
        layout->extents[last] *= left;
}

test_order test_build_row_major(const test_layout *layout)
{
    test_order order = {.count = 0};

    for (int32_t d = layout->rank - 1; d >= 0; d--)
        if (layout->extents[d] > 1)
            order.dims[order.count++] = d;
    return order;
}

test_order test_build_shuffled(test_random *random, const test_layout *layout)
{
    test_order order = test_build_row_major(layout);

    for (int32_t i = order.count - 1; i > 0; i--) {
        int32_t j = (int32_t)test_random_below(random, (uint64_t)i + 1);
        int32_t swapped = order.dims[i];

        order.dims[i] = order.dims[j];
        order.dims[j] = swapped;
    }
    return order;
}

/* The gap between neighbours that take `span` bytes each. */
static int64_t pick_gap(test_random *random, int64_t span, int64_t element_bytes)
{
    switch (test_random_below(random, 10)) {
    case 0:
    case 1:
    case 2:
        return element_bytes * test_random_between(random, 1, 4);
    case 3:
        return test_random_between(random, 1, 16);
    case 4: {
        int64_t alignment = INT64_C(1) << test_random_between(random, 2, 7);

        return (alignment - span % alignment) % alignment;
    }
    case 5:
        return span * test_random_between(random, 1, 2);
    default:
        return 0;
    }
}

int64_t test_build_nested(test_random *random, const test_layout *layout, const test_order *order,
                          int32_t first, test_padding padding, int64_t span, int64_t *strides)
{
    for (int32_t i = first; i < order->count; i++) {
        int32_t d = order->dims[i];
        int64_t stride = span;

        if (span < span_limit &&
            (padding == TEST_PADDING_ANY || (padding == TEST_PADDING_OUTER && i > 0)))
            stride += pick_gap(random, span, (int64_t)layout->element_bytes);
        strides[d] = stride;
        span += stride * (layout->extents[d] - 1);
    }
    return span;
}

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

int64_t test_build_lattice(test_random *random, const test_layout *layout, const test_order *order,
                           int64_t *strides)
{
    int32_t a = order->dims[0], b = order->dims[1];
    int64_t element_bytes = (int64_t)layout->element_bytes;
    int64_t grain = element_bytes;
    int64_t p, q, span;

    if (test_random_chance(random, 1, 3))
        grain += test_random_between(random, 1, 5);
    /*
     * i * p == -j * q with coprime p and q needs |i| to be a multiple of q: with at least as large
     * a q as dimension a has elements only i == j == 0 is left.
     */
    q = layout->extents[a] + test_random_between(random, 0, 2);
    do {
        p = test_random_between(random, 1, 2 * layout->extents[b] + 2);
    } while (greatest_common_divisor(p, q) != 1);
    strides[a] = p * grain;
    strides[b] = q * grain;
    span = strides[a] * (layout->extents[a] - 1) + strides[b] * (layout->extents[b] - 1) +
           element_bytes;
    return test_build_nested(random, layout, order, 2, TEST_PADDING_ANY, span, strides);
}

void test_build_flip(test_random *random, test_layout *layout, unsigned denominator)
{
    for (int32_t d = 0; d < layout->rank; d++) {
        bool both = test_random_chance(random, 1, denominator);

        if (both || test_random_chance(random, 1, denominator))
            layout->dst.strides[d] = -layout->dst.strides[d];
        if (both || test_random_chance(random, 1, denominator))
            layout->src.strides[d] = -layout->src.strides[d];
    }
}

void test_build_unit_strides(test_random *random, test_layout *layout)
{
    static const int64_t strange[] = {INT64_MIN, INT64_MAX, -1, 0, 1, INT64_MIN + 1};

    for (int32_t d = 0; d < layout->rank; d++) {
        if (layout->extents[d] != 1)
            continue;
        for (int i = 0; i < 2; i++) {
            int64_t *stride = i == 0 ? &layout->dst.strides[d] : &layout->src.strides[d];

            if (test_random_chance(random, 1, 6))
                *stride = strange[test_random_below(random, sizeof strange / sizeof strange[0])];
            else
                *stride = test_random_between(random, -64, 64);
        }
    }
}

int64_t test_build_span_bytes(const test_layout *layout, const test_side *side)
{
    test_span span = test_layout_span(layout, side);

    return span.high - span.low;
}

/* Also 0, so that a side begins or ends flush with its allocation. */
static int64_t pick_room(test_random *random)
{
    if (test_random_chance(random, 1, 3))
        return 0;
    if (test_random_chance(random, 1, 2))
        return 16 * test_random_between(random, 1, ROOM_BYTES / 16);
    return test_random_between(random, 1, ROOM_BYTES);
}

static void place_alone(test_random *random, const test_layout *layout, test_side *side)
{
    test_span span = test_layout_span(layout, side);
    int64_t before = pick_room(random), after = pick_room(random);

    side->offset = (size_t)(before - span.low);
    side->bytes = (size_t)(before + span.high - span.low + after);
}

void test_build_separate(test_random *random, test_layout *layout)
{
    place_alone(random, layout, &layout->dst);
    place_alone(random, layout, &layout->src);
}

void test_build_together(test_random *random, test_layout *layout, int64_t distance)
{
    test_span dst = test_layout_span(layout, &layout->dst);
    test_span src = test_layout_span(layout, &layout->src);
    int64_t before = pick_room(random), after = pick_room(random);
    int64_t dst_first = distance < 0 ? before - distance : before;
    int64_t src_first = dst_first + distance;
    int64_t dst_end = dst_first + dst.high - dst.low, src_end = src_first + src.high - src.low;

    layout->dst.offset = (size_t)(dst_first - dst.low);
    layout->src.offset = (size_t)(src_first - src.low);
    layout->dst.bytes = (size_t)((dst_end > src_end ? dst_end : src_end) + after);
    layout->src.bytes = layout->dst.bytes;
}
