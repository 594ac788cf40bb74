/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The random generator of layouts whose destination overlaps itself, in each of the ways in which
 * that happens in the field.
 */
#include <string.h>

#include "tests/support/layout_build.h"

enum { MOST_BYTES = 8 << 10 };

/* Two dimensions with strides p * g and q * g that meet within the extents. */
static void meet(test_random *random, test_layout *layout, int32_t a, int32_t b)
{
    int64_t p = test_random_between(random, 1, layout->extents[b] - 1);
    int64_t q = test_random_between(random, 1, layout->extents[a] - 1);
    int64_t grain = (int64_t)layout->element_bytes * test_random_between(random, 1, 3);

    layout->dst.strides[a] = p * grain;
    layout->dst.strides[b] = q * grain * (test_random_chance(random, 1, 2) ? 1 : -1);
}

static void break_strides(test_random *random, test_layout *layout, const test_order *order)
{
    int32_t a = order->dims[0];
    int32_t b = order->count > 1 ? order->dims[1] : a;
    int64_t *stride = &layout->dst.strides[a];

    switch (test_random_below(random, 5)) {
    case 0:
        layout->shape = "zero stride in the destination";
        *stride = 0;
        break;
    case 1:
        layout->shape = "stride shorter than an element";
        *stride = test_random_between(random, 0, (int64_t)layout->element_bytes - 1);
        if (test_random_chance(random, 1, 2))
            *stride = -*stride;
        break;
    case 2:
        layout->shape = "two equal strides";
        *stride = layout->dst.strides[b];
        break;
    case 3:
        layout->shape = "outer stride shorter than the inner span";
        *stride = test_random_between(random, 1, *stride < 0 ? -*stride : *stride);
        break;
    default:
        layout->shape = "strides that meet";
        if (a != b)
            meet(random, layout, a, b);
        break;
    }
}

void test_layout_generate_self_overlapping(test_random *random, test_layout *layout_out)
{
    test_order order;
    int64_t element_bytes, bytes;

    do {
        memset(layout_out, 0, sizeof *layout_out);
        layout_out->placement = TEST_PLACEMENT_SEPARATE;
        test_build_element(random, layout_out);
        element_bytes = (int64_t)layout_out->element_bytes;
        bytes = test_random_magnitude(random, MOST_BYTES);
        test_build_extents(random, layout_out, (int32_t)test_random_between(random, 1, 8), bytes);
        order = test_build_shuffled(random, layout_out);
        if (order.count == 0)
            continue;
        test_build_nested(random, layout_out, &order, 0, TEST_PADDING_ANY, element_bytes,
                          layout_out->dst.strides);
        test_build_nested(random, layout_out, &order, 0, TEST_PADDING_OUTER, element_bytes,
                          layout_out->src.strides);
        test_build_flip(random, layout_out, 5);
        order = test_build_shuffled(random, layout_out);
        break_strides(random, layout_out, &order);
        test_build_unit_strides(random, layout_out);
        test_build_separate(random, layout_out);
    } while (order.count == 0 || layout_out->dst.bytes > 64 * (size_t)MOST_BYTES ||
             !test_layout_overlaps_itself(layout_out));
}
