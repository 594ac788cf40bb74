/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The random generator of layouts: it picks a shape that copies in the field have, or that is
 * nasty, and puts it together from the pieces of layout_build.c. Layouts that come out too large
 * are drawn again.
 */
#include <string.h>

#include "tests/support/layout_build.h"

enum {
    SMALL_BYTES = 64 << 10, /* most layouts copy at most this */
    LARGE_BYTES = 4 << 20,  /* and the others at most this */
    LARGE_DENOMINATOR = 400,
    FEW_ELEMENTS = 24,
    SPAN_FACTOR = 16, /* an allocation is at most so much larger than what is copied, and a page */
    SCATTERED_ELEMENTS = 96
};

/* Draws strides (and what else it needs) of one shape; false: it did not work out, draw again. */
typedef bool (*shape_builder)(test_random *random, test_layout *layout, int64_t bytes);

static int32_t pick_rank(test_random *random, int32_t low, int32_t high)
{
    return (int32_t)test_random_between(random, low, high);
}

static bool build_contiguous(test_random *random, test_layout *layout, int64_t bytes)
{
    test_build_extents(random, layout, pick_rank(random, 0, 8), bytes);
    test_layout_dense_strides(layout->rank, layout->extents, layout->element_bytes,
                              layout->dst.strides);
    test_layout_dense_strides(layout->rank, layout->extents, layout->element_bytes,
                              layout->src.strides);
    if (test_random_chance(random, 1, 6))
        test_build_flip(random, layout, 3);
    return true;
}

/* Both sides in one order, rows contiguous: what native rectangles and loops of them can do. */
static bool build_rows(test_random *random, test_layout *layout, int64_t bytes, int32_t rank,
                       const char *shape)
{
    test_order order;
    int64_t element_bytes = (int64_t)layout->element_bytes;

    layout->shape = shape;
    test_build_extents(random, layout, rank, bytes);
    order = test_random_chance(random, 1, 5) ? test_build_shuffled(random, layout)
                                             : test_build_row_major(layout);
    test_build_nested(random, layout, &order, 0, TEST_PADDING_OUTER, element_bytes,
                      layout->dst.strides);
    test_build_nested(random, layout, &order, 0, TEST_PADDING_OUTER, element_bytes,
                      layout->src.strides);
    if (test_random_chance(random, 1, 6))
        test_build_flip(random, layout, 6);
    return true;
}

static bool build_rectangle(test_random *random, test_layout *layout, int64_t bytes)
{
    return build_rows(random, layout, bytes, pick_rank(random, 2, 3), "rectangle");
}

static bool build_rows_many(test_random *random, test_layout *layout, int64_t bytes)
{
    return build_rows(random, layout, bytes, pick_rank(random, 4, 8), "rows, many dimensions");
}

/* One side is a part of a larger dense array, the other is dense itself. */
static bool build_subview(test_random *random, test_layout *layout, int64_t bytes)
{
    test_side *part = test_random_chance(random, 1, 2) ? &layout->dst : &layout->src;
    test_side *whole = part == &layout->dst ? &layout->src : &layout->dst;
    int64_t stride = (int64_t)layout->element_bytes;

    test_build_extents(random, layout, pick_rank(random, 1, 6), bytes);
    test_layout_dense_strides(layout->rank, layout->extents, layout->element_bytes, whole->strides);
    for (int32_t d = layout->rank - 1; d >= 0; d--) {
        part->strides[d] = stride;
        stride *= layout->extents[d];
        if (test_random_chance(random, 1, 2))
            stride += part->strides[d] * test_random_between(random, 0, 3);
    }
    if (test_random_chance(random, 1, 6))
        test_build_flip(random, layout, 4);
    return true;
}

/* Gaps anywhere, between the elements of a row too. */
static bool build_strided(test_random *random, test_layout *layout, int64_t bytes)
{
    test_order order;
    int64_t element_bytes = (int64_t)layout->element_bytes;

    test_build_extents(random, layout, pick_rank(random, 0, 8), bytes);
    order = test_build_row_major(layout);
    test_build_nested(random, layout, &order, 0, TEST_PADDING_ANY, element_bytes,
                      layout->dst.strides);
    test_build_nested(random, layout, &order, 0, TEST_PADDING_ANY, element_bytes,
                      layout->src.strides);
    test_build_flip(random, layout, 5);
    return true;
}

/* Each side in an order of its own. */
static bool build_transposed_rank(test_random *random, test_layout *layout, int64_t bytes,
                                  int32_t rank)
{
    test_order dst_order, src_order;
    int64_t element_bytes = (int64_t)layout->element_bytes;
    test_padding padding = (test_padding)test_random_below(random, TEST_PADDING_ANY + 1);

    test_build_extents(random, layout, rank, bytes);
    dst_order = test_random_chance(random, 1, 2) ? test_build_row_major(layout)
                                                 : test_build_shuffled(random, layout);
    src_order = test_build_shuffled(random, layout);
    test_build_nested(random, layout, &dst_order, 0, padding, element_bytes, layout->dst.strides);
    test_build_nested(random, layout, &src_order, 0, padding, element_bytes, layout->src.strides);
    if (test_random_chance(random, 1, 3))
        test_build_flip(random, layout, 4);
    return true;
}

static bool build_transposed(test_random *random, test_layout *layout, int64_t bytes)
{
    return build_transposed_rank(random, layout, bytes, pick_rank(random, 2, 8));
}

static bool build_high_rank(test_random *random, test_layout *layout, int64_t bytes)
{
    return build_transposed_rank(random, layout, bytes, pick_rank(random, 9, ASTRIDE_MAX_RANK));
}

/* The source reads elements again: strides of zero, windows that slide by less than their size. */
static bool build_repeated(test_random *random, test_layout *layout, int64_t bytes)
{
    test_order order;
    bool windows = test_random_chance(random, 1, 3);

    if (!build_strided(random, layout, bytes))
        return false;
    order = test_build_shuffled(random, layout);
    for (int32_t i = 0; i < order.count; i++) {
        int64_t *stride = &layout->src.strides[order.dims[i]];

        if (i > 0 && test_random_chance(random, 1, 2))
            continue;
        *stride = windows ? (int64_t)layout->element_bytes * test_random_between(random, -2, 2) : 0;
    }
    return true;
}

/* The source goes anywhere, by any number of bytes. */
static bool build_arbitrary_source(test_random *random, test_layout *layout, int64_t bytes)
{
    if (!build_strided(random, layout, bytes))
        return false;
    for (int32_t d = 0; d < layout->rank; d++)
        layout->src.strides[d] = test_random_between(random, -80, 80);
    return true;
}

/* Dimensions of the destination weave into each other without nesting. */
static bool build_woven(test_random *random, test_layout *layout, int64_t bytes)
{
    test_order order;

    test_build_extents(random, layout, pick_rank(random, 2, 6), bytes / 4 + 1);
    order = test_build_shuffled(random, layout);
    if (order.count < 2)
        return false;
    test_build_lattice(random, layout, &order, layout->dst.strides);
    if (test_random_chance(random, 1, 2))
        order = test_build_shuffled(random, layout);
    test_build_nested(random, layout, &order, 0, TEST_PADDING_OUTER, (int64_t)layout->element_bytes,
                      layout->src.strides);
    test_build_flip(random, layout, 5);
    return true;
}

/* Strides of the destination are drawn blindly and kept when no byte happens to be shared. */
static bool build_scattered(test_random *random, test_layout *layout, int64_t bytes)
{
    int64_t most = SCATTERED_ELEMENTS * (int64_t)layout->element_bytes;

    test_build_extents(random, layout, pick_rank(random, 1, 4), bytes < most ? bytes : most);
    for (int32_t d = 0; d < layout->rank; d++) {
        int64_t limit = (int64_t)layout->element_bytes * 8 + 40;

        layout->dst.strides[d] = test_random_between(random, -limit, limit);
        layout->src.strides[d] = test_random_between(random, -limit, limit);
    }
    test_build_separate(random, layout);
    return !test_layout_overlaps_itself(layout);
}

/*
 * Both sides in one allocation: at some level of the nesting there are two to four lanes, one is
 * the destination's and one the source's. Real and imaginary parts, even and odd columns or rows.
 */
static bool build_lanes(test_random *random, test_layout *layout, int64_t bytes,
                        int64_t *distance_out)
{
    test_order order, inner, src_inner;
    int64_t element_bytes = (int64_t)layout->element_bytes;
    int64_t dst_span, src_span, lane, lanes = test_random_between(random, 2, 4);
    int64_t dst_lane = test_random_below(random, (uint64_t)lanes) == 0 ? 1 : 0;
    int64_t src_lane = (dst_lane + test_random_between(random, 1, lanes - 1)) % lanes;

    test_build_extents(random, layout, pick_rank(random, 1, 8), bytes);
    order = test_random_chance(random, 2, 3) ? test_build_row_major(layout)
                                             : test_build_shuffled(random, layout);
    inner = order;
    inner.count = order.count > 0 ? (int32_t)test_random_below(random, (uint64_t)order.count) : 0;
    src_inner = inner;
    if (inner.count > 1 && test_random_chance(random, 1, 3)) {
        src_inner.dims[0] = inner.dims[inner.count - 1];
        src_inner.dims[inner.count - 1] = inner.dims[0];
    }
    dst_span = test_build_nested(random, layout, &inner, 0, TEST_PADDING_ANY, element_bytes,
                                 layout->dst.strides);
    src_span = test_build_nested(random, layout, &src_inner, 0, TEST_PADDING_ANY, element_bytes,
                                 layout->src.strides);
    lane = dst_span > src_span ? dst_span : src_span;
    if (test_random_chance(random, 1, 4))
        lane += test_random_between(random, 1, 9);
    test_build_nested(random, layout, &order, inner.count, TEST_PADDING_ANY, lanes * lane,
                      layout->dst.strides);
    for (int32_t i = inner.count; i < order.count; i++)
        layout->src.strides[order.dims[i]] = layout->dst.strides[order.dims[i]];
    if (test_random_chance(random, 1, 3))
        test_build_flip(random, layout, 4);
    *distance_out = (src_lane - dst_lane) * lane;
    return true;
}

static void swap_strides(int64_t *strides, int32_t a, int32_t b)
{
    int64_t swapped = strides[a];

    strides[a] = strides[b];
    strides[b] = swapped;
}

/* Both sides in one allocation with bytes shared, as a rule. */
static bool build_overlapping(test_random *random, test_layout *layout, int64_t bytes,
                              int64_t *distance_out)
{
    test_order order;
    int64_t element_bytes = (int64_t)layout->element_bytes;
    int32_t a, b;
    uint64_t kind = test_random_below(random, 10);

    if (!(test_random_chance(random, 1, 5) ? build_woven(random, layout, bytes)
                                           : build_strided(random, layout, bytes)))
        return false;
    *distance_out = 0;
    memcpy(layout->src.strides, layout->dst.strides, sizeof layout->src.strides);
    order = test_build_shuffled(random, layout);
    switch (kind) {
    case 0:
        layout->shape = "identical sides";
        return true;
    case 1:
    case 2:
    case 3:
        layout->shape = "shifted";
        *distance_out = test_random_chance(random, 1, 2)
                            ? element_bytes * test_random_between(random, -3, 3)
                            : test_random_between(random, -20, 20);
        if (order.count > 0 && test_random_chance(random, 1, 3))
            *distance_out += layout->dst.strides[order.dims[0]];
        return true;
    case 4:
    case 5:
        layout->shape = "reversed in place";
        for (int32_t i = 0; i < order.count; i++)
            if (i == 0 || test_random_chance(random, 1, 2))
                layout->src.strides[order.dims[i]] = -layout->src.strides[order.dims[i]];
        return true;
    case 6:
    case 7:
        if (order.count < 2)
            return false;
        layout->shape = "transposed in place";
        a = order.dims[0];
        b = order.dims[1];
        /* A smaller extent leaves the strides of the destination valid. */
        if (layout->extents[a] > layout->extents[b])
            layout->extents[a] = layout->extents[b];
        layout->extents[b] = layout->extents[a];
        swap_strides(layout->src.strides, a, b);
        return true;
    default:
        layout->shape = "overlapping otherwise";
        test_build_nested(random, layout, &order, 0, TEST_PADDING_ANY, element_bytes,
                          layout->src.strides);
        if (order.count > 0 && test_random_chance(random, 1, 4))
            layout->src.strides[order.dims[0]] = test_random_between(random, -2, 2);
        *distance_out =
            test_random_between(random, -test_build_span_bytes(layout, &layout->src) + 1,
                                test_build_span_bytes(layout, &layout->dst) - 1);
        return true;
    }
}

/* Shapes that do not care how their sides are placed, and how often each is drawn. */
static const struct {
    shape_builder build;
    const char *name;
    unsigned weight;
} shapes[] = {
    {build_contiguous, "contiguous", 10},
    {build_rectangle, "rectangle", 14},
    {build_rows_many, "rows", 12},
    {build_subview, "subview", 12},
    {build_strided, "strided", 10},
    {build_transposed, "transposed", 16},
    {build_high_rank, "high rank", 4},
    {build_repeated, "repeated source", 8},
    {build_woven, "woven", 6},
    {build_scattered, "scattered", 3},
    {build_arbitrary_source, "arbitrary source", 5},
};

static bool build_shape(test_random *random, test_layout *layout, int64_t bytes)
{
    uint64_t total = 0, drawn;
    size_t i = 0;

    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
        total += shapes[k].weight;
    for (drawn = test_random_below(random, total); drawn >= shapes[i].weight; i++)
        drawn -= shapes[i].weight;
    layout->shape = shapes[i].name;
    return shapes[i].build(random, layout, bytes);
}

static bool build_placed(test_random *random, test_layout *layout, int64_t bytes)
{
    int64_t distance = 0;

    switch (layout->placement) {
    case TEST_PLACEMENT_SEPARATE:
        if (!build_shape(random, layout, bytes))
            return false;
        test_build_separate(random, layout);
        break;
    case TEST_PLACEMENT_DISJOINT:
        if (!build_shape(random, layout, bytes))
            return false;
        distance = test_random_chance(random, 1, 2) ? 0 : test_random_between(random, 1, 40);
        if (test_random_chance(random, 1, 2))
            distance += test_build_span_bytes(layout, &layout->dst);
        else
            distance = -distance - test_build_span_bytes(layout, &layout->src);
        test_build_together(random, layout, distance);
        break;
    case TEST_PLACEMENT_INTERLEAVED:
        layout->shape = "lanes";
        if (!build_lanes(random, layout, bytes, &distance))
            return false;
        test_build_together(random, layout, distance);
        break;
    default:
        if (!build_overlapping(random, layout, bytes, &distance))
            return false;
        test_build_together(random, layout, distance);
        break;
    }
    return (int64_t)(layout->dst.bytes + layout->src.bytes) <= SPAN_FACTOR * bytes + 4096;
}

/* Says the strides of a side as NULL where they happen to be the dense ones. */
static void hide_dense(test_random *random, const test_layout *layout, test_side *side)
{
    int64_t dense[ASTRIDE_MAX_RANK];

    test_layout_dense_strides(layout->rank, layout->extents, layout->element_bytes, dense);
    for (int32_t d = 0; d < layout->rank; d++)
        if (layout->extents[d] > 1 && side->strides[d] != dense[d])
            return;
    side->dense = test_random_chance(random, 1, 2);
    if (side->dense)
        memcpy(side->strides, dense, sizeof dense[0] * (size_t)layout->rank);
}

static test_placement pick_placement(test_random *random)
{
    uint64_t drawn = test_random_below(random, 100);

    if (drawn < 58)
        return TEST_PLACEMENT_SEPARATE;
    if (drawn < 70)
        return TEST_PLACEMENT_DISJOINT;
    return drawn < 84 ? TEST_PLACEMENT_INTERLEAVED : TEST_PLACEMENT_OVERLAPPING;
}

/* How much is copied, about. Few elements are drawn now and then only: they all look contiguous. */
static int64_t pick_bytes(test_random *random, int64_t element_bytes)
{
    int64_t elements = test_random_magnitude(random, SMALL_BYTES / element_bytes);

    if (test_random_chance(random, 1, LARGE_DENOMINATOR))
        return SMALL_BYTES * test_random_magnitude(random, LARGE_BYTES / SMALL_BYTES);
    if (elements < FEW_ELEMENTS && test_random_chance(random, 9, 10))
        elements = test_random_between(random, FEW_ELEMENTS, 10 * FEW_ELEMENTS);
    return elements * element_bytes;
}

void test_layout_generate(test_random *random, test_layout *layout_out)
{
    test_placement placement = pick_placement(random);
    int64_t bytes;

    do {
        memset(layout_out, 0, sizeof *layout_out);
        layout_out->placement = placement;
        test_build_element(random, layout_out);
        bytes = pick_bytes(random, (int64_t)layout_out->element_bytes);
    } while (!build_placed(random, layout_out, bytes));
    test_build_unit_strides(random, layout_out);
    hide_dense(random, layout_out, &layout_out->dst);
    hide_dense(random, layout_out, &layout_out->src);
    /* An extent of 0 leaves nothing to do, whatever the rest says. */
    if (layout_out->rank > 0 && test_random_chance(random, 1, 30)) {
        layout_out->extents[test_random_below(random, (uint64_t)layout_out->rank)] = 0;
        layout_out->shape = "empty";
    }
}

void test_layout_generate_sized(test_random *random, int64_t bytes, int32_t maximum_rank,
                                test_layout *layout_out)
{
    do {
        memset(layout_out, 0, sizeof *layout_out);
        layout_out->placement = TEST_PLACEMENT_SEPARATE;
        test_build_element(random, layout_out);
    } while (!build_placed(random, layout_out, bytes) || layout_out->rank > maximum_rank ||
             (int64_t)(test_layout_elements(layout_out) * layout_out->element_bytes) < bytes / 2);
}
