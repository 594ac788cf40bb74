/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The generator of random layouts and the reference are what every other test trusts, so they are
 * tested themselves: validity is proved by marking bytes, the reference by values written out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/count.h"
#include "tests/support/layout.h"
#include "tests/support/reference.h"

static const uint64_t seed = 1;

#define assert_layout(condition, layout, index)                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            test_layout_print(stderr, "# ", (layout));                                             \
            fail_msg("layout %llu of seed %llu: not %s", (unsigned long long)(index),              \
                     (unsigned long long)seed, #condition);                                        \
        }                                                                                          \
    } while (0)

static bool side_in_bounds(const test_layout *layout, const test_side *side)
{
    test_span span = test_layout_span(layout, side);

    return (int64_t)side->offset + span.low >= 0 &&
           (int64_t)side->offset + span.high <= (int64_t)side->bytes;
}

/* What occurred among the generated layouts. */
typedef struct census {
    uint64_t placements[TEST_PLACEMENT_COUNT];
    uint64_t ranks[ASTRIDE_MAX_RANK + 1];
    uint64_t elements_of_bytes[33];
    uint64_t empty, unit, dense, negative_dst, negative_both, zero_src, odd_base, flush_end;
    uint64_t truly_overlapping, above_64_kib, above_1_mib, at_most_64_kib;
} census;

static void take_census(census *c, const test_layout *layout)
{
    bool zero = false, unit = false, negative = false, both = false;
    size_t bytes = test_layout_elements(layout) * layout->element_bytes;
    test_span span = test_layout_span(layout, &layout->dst);

    for (int32_t d = 0; d < layout->rank; d++) {
        unit |= layout->extents[d] == 1;
        if (layout->extents[d] < 2)
            continue;
        zero |= layout->src.strides[d] == 0;
        negative |= layout->dst.strides[d] < 0;
        both |= layout->dst.strides[d] < 0 && layout->src.strides[d] < 0;
    }
    c->placements[layout->placement]++;
    c->ranks[layout->rank]++;
    if (layout->element_bytes <= 32)
        c->elements_of_bytes[layout->element_bytes]++;
    c->empty += bytes == 0;
    c->unit += unit;
    c->dense += layout->dst.dense || layout->src.dense;
    c->negative_dst += negative;
    c->negative_both += both;
    c->zero_src += zero;
    c->odd_base += (layout->dst.offset & 1) != 0;
    c->flush_end += (int64_t)layout->dst.offset + span.high == (int64_t)layout->dst.bytes;
    c->above_64_kib += bytes > (64 << 10);
    c->at_most_64_kib += layout->dst.bytes <= (64 << 10);
    c->above_1_mib += bytes > (1 << 20);
}

static void generated_layouts_are_valid(void **state)
{
    uint64_t count = test_count(20000);
    census c = {.empty = 0};

    (void)state;
    for (uint64_t i = 0; i < count; i++) {
        test_random random;
        test_layout layout;
        bool overlap;

        test_random_seed(&random, seed, i);
        test_layout_generate(&random, &layout);
        assert_layout(layout.rank >= 0 && layout.rank <= ASTRIDE_MAX_RANK, &layout, i);
        assert_layout(layout.element_bytes >= 1, &layout, i);
        assert_layout(side_in_bounds(&layout, &layout.dst), &layout, i);
        assert_layout(side_in_bounds(&layout, &layout.src), &layout, i);
        assert_layout(!test_layout_overlaps_itself(&layout), &layout, i);
        overlap = test_layout_sides_overlap(&layout);
        assert_layout(!overlap || layout.placement == TEST_PLACEMENT_OVERLAPPING, &layout, i);
        take_census(&c, &layout);
        c.truly_overlapping += overlap;
    }
    if (count < 5000)
        return;
    /* What must not be missing is there, and often. */
    for (int p = 0; p < TEST_PLACEMENT_COUNT; p++)
        assert_in_range(c.placements[p], count / 20, count);
    for (int rank = 0; rank <= 8; rank++)
        assert_in_range(c.ranks[rank], count / 200, count);
    assert_in_range(c.ranks[ASTRIDE_MAX_RANK], 1, count);
    for (size_t bytes = 1; bytes <= 32; bytes++)
        assert_in_range(c.elements_of_bytes[bytes], 1, count);
    assert_in_range(c.empty, count / 100, count / 10);
    assert_in_range(c.unit, count / 5, count);
    assert_in_range(c.dense, count / 20, count);
    assert_in_range(c.negative_dst, count / 20, count);
    assert_in_range(c.negative_both, count / 50, count);
    assert_in_range(c.zero_src, count / 50, count);
    assert_in_range(c.odd_base, count / 10, count);
    assert_in_range(c.flush_end, count / 5, count);
    assert_in_range(c.truly_overlapping, count / 20, count);
    assert_in_range(c.above_64_kib, 1, count / 50);
    assert_in_range(c.above_1_mib, 1, count / 50);
    assert_in_range(c.at_most_64_kib, count - count / 10, count);
}

static void invalid_layouts_overlap_themselves(void **state)
{
    uint64_t count = test_count(20000);
    uint64_t partial = 0;

    (void)state;
    for (uint64_t i = 0; i < count; i++) {
        test_random random;
        test_layout layout;

        test_random_seed(&random, seed, i);
        test_layout_generate_self_overlapping(&random, &layout);
        assert_layout(side_in_bounds(&layout, &layout.dst), &layout, i);
        assert_layout(side_in_bounds(&layout, &layout.src), &layout, i);
        assert_layout(test_layout_overlaps_itself(&layout), &layout, i);
        for (int32_t d = 0; d < layout.rank; d++) {
            int64_t stride = layout.dst.strides[d];

            partial += layout.extents[d] > 1 && stride != 0 &&
                       llabs(stride) < (int64_t)layout.element_bytes;
        }
    }
    assert_in_range(partial, count / 50, count * ASTRIDE_MAX_RANK);
}

static void same_seed_gives_same_layout(void **state)
{
    test_random first, second;
    test_layout a, b, other;

    (void)state;
    test_random_seed(&first, 7, 3);
    test_random_seed(&second, 7, 3);
    test_layout_generate(&first, &a);
    test_layout_generate(&second, &b);
    assert_memory_equal(&a, &b, sizeof a);
    test_layout_generate(&second, &other);
    assert_memory_not_equal(&a, &other, sizeof a);
    test_random_seed(&second, 7, 4);
    test_layout_generate(&second, &other);
    assert_memory_not_equal(&a, &other, sizeof a);
}

/* The numbers of the published generator for the state that splitmix64 makes of 0. */
static void random_numbers_are_those_of_xoshiro(void **state)
{
    test_random random = {{1, 2, 3, 4}};
    static const uint64_t expected[] = {11520, 0, 1509978240, 1215971899390074240};

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(test_random_next(&random), expected[i]);
    for (int i = 0; i < 1000; i++) {
        int64_t magnitude = test_random_magnitude(&random, 1000);
        int64_t between = test_random_between(&random, -3, 3);

        assert_in_range(magnitude, 1, 1000);
        assert_in_range(between + 3, 0, 6);
    }
    assert_int_equal(test_random_magnitude(&random, 1), 1);
}

static void reference_transposes_into_gaps(void **state)
{
    static const unsigned char src[] = "-abcdef";
    unsigned char dst[] = "..............";
    const test_layout layout = {
        .rank = 2,
        .element_bytes = 1,
        .extents = {3, 2},
        .dst = {.strides = {4, 2}, .offset = 1, .bytes = 14},
        .src = {.strides = {1, 3}, .offset = 0, .bytes = 7},
    };

    (void)state;
    test_reference_copy(&layout, 1, dst, src);
    assert_string_equal(dst, "..a.d.b.e.c.f.");
}

static void reference_reads_all_before_it_writes(void **state)
{
    unsigned char forward[] = "0123456789", backward[] = "0123456789", reversed[] = "abcdefgh";
    test_layout layout = {
        .rank = 1,
        .element_bytes = 2,
        .extents = {4},
        .placement = TEST_PLACEMENT_OVERLAPPING,
        .dst = {.strides = {2}, .offset = 2, .bytes = 10},
        .src = {.strides = {2}, .offset = 0, .bytes = 10},
    };

    (void)state;
    test_reference_copy(&layout, 0, forward, forward);
    assert_string_equal(forward, "0101234567");
    layout.dst.offset = 0;
    layout.src.offset = 2;
    test_reference_copy(&layout, 0, backward, backward);
    assert_string_equal(backward, "2345678989");
    layout.src.offset = 6;
    layout.src.strides[0] = -2;
    layout.dst.bytes = layout.src.bytes = 8;
    test_reference_copy(&layout, 0, reversed, reversed);
    assert_string_equal(reversed, "ghefcdab");
}

static void reference_fills_elements_only(void **state)
{
    unsigned char dst[] = "................";
    const test_layout layout = {
        .rank = 2,
        .element_bytes = 2,
        .extents = {2, 2},
        .dst = {.strides = {7, -3}, .offset = 4, .bytes = 16},
    };

    (void)state;
    test_reference_fill(&layout, "xy", dst);
    assert_string_equal(dst, ".xy.xy..xy.xy...");
}

static void first_difference_is_found(void **state)
{
    (void)state;
    assert_int_equal(
        test_first_difference((const unsigned char *)"abc", (const unsigned char *)"abd", 3), 2);
    assert_int_equal(
        test_first_difference((const unsigned char *)"abc", (const unsigned char *)"abd", 2), 2);
    assert_int_equal(test_first_difference(NULL, NULL, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_numbers_are_those_of_xoshiro),
        cmocka_unit_test(same_seed_gives_same_layout),
        cmocka_unit_test(generated_layouts_are_valid),
        cmocka_unit_test(invalid_layouts_overlap_themselves),
        cmocka_unit_test(reference_transposes_into_gaps),
        cmocka_unit_test(reference_reads_all_before_it_writes),
        cmocka_unit_test(reference_fills_elements_only),
        cmocka_unit_test(first_difference_is_found),
    };

    return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
