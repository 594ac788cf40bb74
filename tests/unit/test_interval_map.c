/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The map of known ranges, against an array that is searched from end to end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <time.h>

#include "hal/interval_map.h"
#include "tests/support/random.h"

#define MODEL_CAPACITY 200
#define STEP_COUNT 20000

static const uint64_t seed = 20240607;

/* Fails with what is needed to repeat the step. */
#define assert_step(condition, step)                                                               \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("seed %llu, step %d: not %s", (unsigned long long)seed, (step), #condition);  \
    } while (0)

typedef struct model {
    astride__range ranges[MODEL_CAPACITY];
    size_t count;
} model;

static bool same(const astride__range *left, const astride__range *right)
{
    return left->base == right->base && left->bytes == right->bytes &&
           left->allocation == right->allocation;
}

static const astride__range *model_find(const model *self, uintptr_t address)
{
    for (size_t i = 0; i < self->count; i++)
        if (address >= self->ranges[i].base &&
            address - self->ranges[i].base < self->ranges[i].bytes)
            return &self->ranges[i];
    return NULL;
}

static const astride__range *model_overlap(const model *self, uintptr_t base, size_t bytes)
{
    const astride__range *lowest = NULL;

    for (size_t i = 0; i < self->count; i++) {
        const astride__range *range = &self->ranges[i];
        if (range->base < base + bytes && base < range->base + range->bytes &&
            (lowest == NULL || range->base < lowest->base))
            lowest = range;
    }
    return lowest;
}

static const astride__range *model_below(const model *self, uintptr_t address)
{
    const astride__range *best = NULL;

    for (size_t i = 0; i < self->count; i++)
        if (self->ranges[i].base <= address && (best == NULL || self->ranges[i].base > best->base))
            best = &self->ranges[i];
    return best;
}

static const astride__range *model_above(const model *self, uintptr_t address)
{
    const astride__range *best = NULL;

    for (size_t i = 0; i < self->count; i++)
        if (self->ranges[i].base >= address && (best == NULL || self->ranges[i].base < best->base))
            best = &self->ranges[i];
    return best;
}

static void check_answer(bool found, const astride__range *range, const astride__range *expected,
                         int step)
{
    assert_step(found == (expected != NULL), step);
    if (found)
        assert_step(same(range, expected), step);
}

/* Whether a subtree is in order and balanced; its height and its lowest and highest base. */
static bool is_sound(const astride__interval_node *node, int *height_out, uintptr_t *lowest_out,
                     uintptr_t *highest_out)
{
    int lower_height = 0;
    int higher_height = 0;
    uintptr_t unused;

    *lowest_out = node->range.base;
    *highest_out = node->range.base;
    if (node->lower != NULL) {
        if (!is_sound(node->lower, &lower_height, lowest_out, &unused) ||
            unused >= node->range.base)
            return false;
    }
    if (node->higher != NULL) {
        if (!is_sound(node->higher, &higher_height, &unused, highest_out) ||
            unused <= node->range.base)
            return false;
    }
    *height_out = 1 + (lower_height > higher_height ? lower_height : higher_height);
    return node->height == *height_out && lower_height - higher_height <= 1 &&
           higher_height - lower_height <= 1;
}

static void check_tree(const astride__interval_map *map, int step)
{
    int height;
    uintptr_t lowest;
    uintptr_t highest;

    if (map->root != NULL)
        assert_step(is_sound(map->root, &height, &lowest, &highest), step);
}

static void check_questions(const astride__interval_map *map, const model *expected,
                            uintptr_t address, size_t bytes, int step)
{
    astride__range range;
    const astride__range *at = model_below(expected, address);

    check_answer(astride__interval_map_find(map, address, &range), &range,
                 model_find(expected, address), step);
    check_answer(astride__interval_map_overlap(map, address, bytes, &range), &range,
                 model_overlap(expected, address, bytes), step);
    check_answer(astride__interval_map_below(map, address, &range), &range,
                 model_below(expected, address), step);
    check_answer(astride__interval_map_above(map, address, &range), &range,
                 model_above(expected, address), step);
    assert_step((astride__interval_map_at(map, address) != NULL) ==
                    (at != NULL && at->base == address),
                step);
}

static void change(astride__interval_map *map, model *expected, uintptr_t address, size_t bytes,
                   int step)
{
    astride__range range = {.base = address, .bytes = bytes};
    astride__range removed;

    range.allocation = (void *)(uintptr_t)(step + 1);
    if (model_overlap(expected, address, bytes) == NULL && expected->count < MODEL_CAPACITY) {
        assert_step(astride__interval_map_insert(map, &range), step);
        expected->ranges[expected->count++] = range;
    } else if (expected->count > 0) {
        size_t victim = (size_t)step % expected->count;
        assert_step(astride__interval_map_remove(map, expected->ranges[victim].base, &removed),
                    step);
        assert_step(same(&removed, &expected->ranges[victim]), step);
        expected->ranges[victim] = expected->ranges[--expected->count];
    }
    assert_step(map->count == expected->count, step);
    check_tree(map, step);
}

static void random_changes_agree_with_the_model(void **state)
{
    astride__interval_map map = {0};
    model expected = {.count = 0};
    test_random random;

    (void)state;
    test_random_seed(&random, seed, 0);
    for (int step = 0; step < STEP_COUNT; step++) {
        uintptr_t address = 1000 + (uintptr_t)test_random_below(&random, 4000);
        size_t bytes = 1 + (size_t)test_random_below(&random, 30);
        if (test_random_chance(&random, 1, 2))
            change(&map, &expected, address, bytes, step);
        else
            check_questions(&map, &expected, address, bytes, step);
    }
    astride__interval_map_clear(&map);
    assert_int_equal(map.count, 0);
    assert_null(map.root);
}

static void an_empty_map_knows_nothing(void **state)
{
    astride__interval_map map = {0};
    astride__range range;

    (void)state;
    assert_false(astride__interval_map_find(&map, 0, &range));
    assert_false(astride__interval_map_overlap(&map, 0, SIZE_MAX, &range));
    assert_false(astride__interval_map_below(&map, UINTPTR_MAX, &range));
    assert_false(astride__interval_map_above(&map, 0, &range));
    assert_false(astride__interval_map_remove(&map, 0, &range));
    assert_null(astride__interval_map_at(&map, 0));
    astride__interval_map_clear(&map);
}

static void ends_of_the_address_space_are_ordinary_addresses(void **state)
{
    astride__interval_map map = {0};
    astride__range low = {.base = 0, .bytes = 16};
    astride__range high = {.base = UINTPTR_MAX - 15, .bytes = 15};
    astride__range range;

    (void)state;
    assert_true(astride__interval_map_insert(&map, &low));
    assert_true(astride__interval_map_insert(&map, &high));
    assert_true(astride__interval_map_find(&map, 0, &range));
    assert_int_equal(range.base, 0);
    assert_true(astride__interval_map_find(&map, 15, &range));
    assert_false(astride__interval_map_find(&map, 16, &range));
    assert_true(astride__interval_map_find(&map, UINTPTR_MAX - 1, &range));
    assert_int_equal(range.base, UINTPTR_MAX - 15);
    assert_false(astride__interval_map_find(&map, UINTPTR_MAX, &range));
    assert_true(astride__interval_map_overlap(&map, 16, UINTPTR_MAX - 30, &range));
    assert_int_equal(range.base, UINTPTR_MAX - 15);
    assert_false(astride__interval_map_overlap(&map, 16, UINTPTR_MAX - 31, &range));
    astride__interval_map_clear(&map);
}

static void neighbours_that_touch_do_not_overlap(void **state)
{
    astride__interval_map map = {0};
    astride__range middle = {.base = 100, .bytes = 10};
    astride__range range;

    (void)state;
    assert_true(astride__interval_map_insert(&map, &middle));
    assert_false(astride__interval_map_overlap(&map, 90, 10, &range));
    assert_true(astride__interval_map_overlap(&map, 90, 11, &range));
    assert_true(astride__interval_map_overlap(&map, 109, 1, &range));
    assert_false(astride__interval_map_overlap(&map, 110, 10, &range));
    assert_true(astride__interval_map_overlap(&map, 0, 1000, &range));
    assert_true(astride__interval_map_overlap(&map, 104, 2, &range));
    astride__interval_map_clear(&map);
}

/* Number of the range that is inserted in turn `i` of `count`. */
typedef uintptr_t (*insertion_order)(uintptr_t i, uintptr_t count);

static uintptr_t ascending(uintptr_t i, uintptr_t count)
{
    (void)count;
    return i;
}

static uintptr_t descending(uintptr_t i, uintptr_t count)
{
    return count - 1 - i;
}

/* The lowest, the highest, the second lowest, ...: each goes between the two before it. */
static uintptr_t inward(uintptr_t i, uintptr_t count)
{
    return i % 2 == 0 ? i / 2 : count - 1 - i / 2;
}

/* These orders turn a tree without balance into a list, which would take 10^10 steps here. */
static void check_speed(insertion_order order)
{
    enum { COUNT = 100000 };
    astride__interval_map map = {0};
    astride__range range = {.bytes = 64};
    clock_t start = clock();

    for (uintptr_t i = 0; i < COUNT; i++) {
        range.base = 4096 + 128 * order(i, COUNT);
        assert_true(astride__interval_map_insert(&map, &range));
    }
    check_tree(&map, COUNT);
    for (uintptr_t i = 0; i < COUNT; i++) {
        assert_true(astride__interval_map_find(&map, 4096 + 128 * i + 63, &range));
        assert_int_equal(range.base, 4096 + 128 * i);
        assert_false(astride__interval_map_find(&map, 4096 + 128 * i + 64, &range));
    }
    for (uintptr_t i = 0; i < COUNT; i++)
        assert_true(astride__interval_map_remove(&map, 4096 + 128 * order(i, COUNT), &range));
    assert_int_equal(map.count, 0);
    assert_null(map.root);
    assert_true(clock() - start < 20 * CLOCKS_PER_SEC);
}

static void a_hundred_thousand_ranges_stay_fast_in_any_order(void **state)
{
    (void)state;
    check_speed(ascending);
    check_speed(descending);
    check_speed(inward);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_changes_agree_with_the_model),
        cmocka_unit_test(an_empty_map_knows_nothing),
        cmocka_unit_test(ends_of_the_address_space_are_ordinary_addresses),
        cmocka_unit_test(neighbours_that_touch_do_not_overlap),
        cmocka_unit_test(a_hundred_thousand_ranges_stay_fast_in_any_order),
    };

    return cmocka_run_group_tests_name("interval map", tests, NULL, NULL);
}
