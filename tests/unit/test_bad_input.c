/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Every rule of copy.h that a descriptor, a fill or a batch can break: the exact status, a detail
 * that names the call, the argument and the rule, and not one byte written. Plans that are run with
 * the wrong bases are in test_plan_refusal.c.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/buffer.h"
#include "tests/support/count.h"
#include "tests/support/fixture.h"
#include "tests/support/layout.h"
#include "tests/support/reference.h"
#include "tests/support/refusal.h"

/*
 * A valid copy of 3 x 4 x 5 elements of 4 bytes between two allocations of exactly the bytes that
 * it needs; every test breaks one thing of it.
 */
enum { RANK = 3, DST_BYTES = 3 * 256, SRC_BYTES = 240 };

typedef struct scene {
    const test_fixture *fixture;
    test_buffer dst, src;
    unsigned char dst_image[DST_BYTES], src_image[SRC_BYTES];
    int64_t extents[ASTRIDE_MAX_RANK + 1], dst_strides[ASTRIDE_MAX_RANK + 1],
        src_strides[ASTRIDE_MAX_RANK + 1];
    astride_copy_desc desc;
} scene;

static void scene_begin(scene *s, void **state)
{
    static const int64_t extents[RANK] = {3, 4, 5};
    static const int64_t dst_strides[RANK] = {256, 64, 12};
    static const int64_t src_strides[RANK] = {80, 20, 4};
    test_random random;

    memset(s, 0, sizeof *s);
    s->fixture = *state;
    test_random_seed(&random, 1, 0);
    test_random_bytes(&random, s->dst_image, DST_BYTES);
    test_random_bytes(&random, s->src_image, SRC_BYTES);
    assert_int_equal(test_buffer_create(s->fixture->device, TEST_BUFFER_DEVICE, DST_BYTES, &s->dst),
                     ASTRIDE_OK);
    assert_int_equal(test_buffer_create(s->fixture->device, TEST_BUFFER_DEVICE, SRC_BYTES, &s->src),
                     ASTRIDE_OK);
    assert_int_equal(test_buffer_upload(s->fixture->queue, &s->dst, s->dst_image), ASTRIDE_OK);
    assert_int_equal(test_buffer_upload(s->fixture->queue, &s->src, s->src_image), ASTRIDE_OK);
    memcpy(s->extents, extents, sizeof extents);
    memcpy(s->dst_strides, dst_strides, sizeof dst_strides);
    memcpy(s->src_strides, src_strides, sizeof src_strides);
    s->desc = (astride_copy_desc){
        .struct_size = sizeof s->desc,
        .rank = RANK,
        .element_bytes = 4,
        .extents = s->extents,
        .dst = {s->dst.address, s->dst_strides},
        .src = {s->src.address, s->src_strides},
    };
}

/* Not one byte of either allocation has changed. */
static void scene_assert_untouched(const scene *s)
{
    unsigned char dst[DST_BYTES], src[SRC_BYTES];

    assert_int_equal(test_buffer_download(s->fixture->queue, &s->dst, dst), ASTRIDE_OK);
    assert_int_equal(test_buffer_download(s->fixture->queue, &s->src, src), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(s->fixture->queue), ASTRIDE_OK);
    assert_memory_equal(dst, s->dst_image, DST_BYTES);
    assert_memory_equal(src, s->src_image, SRC_BYTES);
}

static void scene_end(scene *s)
{
    scene_assert_untouched(s);
    assert_int_equal(test_buffer_destroy(&s->dst), ASTRIDE_OK);
    assert_int_equal(test_buffer_destroy(&s->src), ASTRIDE_OK);
}

static void *moved(void *base, int64_t bytes)
{
    return (void *)((uintptr_t)base + (uintptr_t)bytes);
}

/*
 * Every call that takes a copy descriptor refuses this one, alone and as the third of a batch whose
 * others are in order; no output is written. `first` and `second` occur in the detail.
 */
static void refuse_at(scene *s, int line, astride_status status, const char *first,
                      const char *second)
{
    astride_plan *const untouched = (astride_plan *)(uintptr_t)0x123450;
    astride_plan *plan = untouched;
    const test_layout valid = {.rank = 1,
                               .element_bytes = 4,
                               .extents = {8},
                               .dst = {.strides = {8}, .offset = 16, .bytes = DST_BYTES},
                               .src = {.strides = {4}, .offset = 0, .bytes = SRC_BYTES}};
    const astride_copy_desc good =
        test_layout_descriptor(&valid, s->dst.address, s->src.address, 0);
    const astride_copy_desc descs[] = {good, good, s->desc, good};
    const astride_plan_options options = {.struct_size = sizeof options,
                                          .strategy = ASTRIDE_STRATEGY_KERNEL};

    test_refused_at(__FILE__, line, astride_copy(s->fixture->queue, &s->desc), status,
                    "astride_copy: ", first, second);
    test_refused_at(__FILE__, line, astride_plan_create(s->fixture->device, &s->desc, &plan),
                    status, "astride_plan_create: ", first, second);
    test_refused_at(__FILE__, line,
                    astride_plan_create_with(s->fixture->device, &s->desc, &options, &plan), status,
                    "astride_plan_create_with: ", first, second);
    assert_ptr_equal(plan, untouched);
    test_refused_at(__FILE__, line, astride_copy_batch(s->fixture->queue, descs, 4), status,
                    "astride_copy_batch: descs[2]: ", first, second);
    scene_assert_untouched(s);
}

#define refuse(s, status, first, second) refuse_at(s, __LINE__, status, first, second)

/* The scene is what it claims to be: without damage its copy succeeds. */
static void undamaged_descriptor_copies(void **state)
{
    scene s;
    unsigned char expected[DST_BYTES], actual[DST_BYTES];

    scene_begin(&s, state);
    memcpy(expected, s.dst_image, DST_BYTES);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++)
                memcpy(expected + 256 * i + 64 * j + 12 * k, s.src_image + 80 * i + 20 * j + 4 * k,
                       4);
    assert_int_equal(astride_copy(s.fixture->queue, &s.desc), ASTRIDE_OK);
    assert_int_equal(test_buffer_download(s.fixture->queue, &s.dst, actual), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(s.fixture->queue), ASTRIDE_OK);
    assert_memory_equal(actual, expected, DST_BYTES);
    assert_int_equal(test_buffer_upload(s.fixture->queue, &s.dst, s.dst_image), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(s.fixture->queue), ASTRIDE_OK);
    scene_end(&s);
}

static void null_argument_is_named(void **state)
{
    scene s;
    astride_plan *plan = NULL;

    scene_begin(&s, state);
    test_refused(astride_copy(NULL, &s.desc), ASTRIDE_INVALID_ARGUMENT, "astride_copy: ", "queue",
                 "NULL");
    test_refused(astride_copy(s.fixture->queue, NULL), ASTRIDE_INVALID_ARGUMENT,
                 "astride_copy: ", "desc", "NULL");
    test_refused(astride_copy_batch(NULL, &s.desc, 1), ASTRIDE_INVALID_ARGUMENT,
                 "astride_copy_batch: ", "queue", "NULL");
    test_refused(astride_copy_batch(s.fixture->queue, NULL, 1), ASTRIDE_INVALID_ARGUMENT,
                 "astride_copy_batch: ", "descs", "NULL");
    assert_int_equal(astride_copy_batch(s.fixture->queue, NULL, 0), ASTRIDE_OK);
    test_refused(astride_plan_create(NULL, &s.desc, &plan), ASTRIDE_INVALID_ARGUMENT,
                 "astride_plan_create: ", "device", "NULL");
    test_refused(astride_plan_create(s.fixture->device, NULL, &plan), ASTRIDE_INVALID_ARGUMENT,
                 "astride_plan_create: ", "desc", "NULL");
    test_refused(astride_plan_create(s.fixture->device, &s.desc, NULL), ASTRIDE_INVALID_ARGUMENT,
                 "astride_plan_create: ", "plan_out", "NULL");
    test_refused(astride_plan_create_with(NULL, &s.desc, NULL, &plan), ASTRIDE_INVALID_ARGUMENT,
                 "astride_plan_create_with: ", "device", "NULL");
    test_refused(astride_plan_create_with(s.fixture->device, &s.desc, NULL, NULL),
                 ASTRIDE_INVALID_ARGUMENT, "astride_plan_create_with: ", "plan_out", "NULL");
    assert_null(plan);
    s.desc.dst.base = NULL;
    refuse(&s, ASTRIDE_INVALID_ARGUMENT, "dst.base", "NULL");
    s.desc.dst.base = s.dst.address;
    s.desc.src.base = NULL;
    refuse(&s, ASTRIDE_INVALID_ARGUMENT, "src.base", "NULL");
    s.desc.src.base = s.src.address;
    s.desc.extents = NULL;
    refuse(&s, ASTRIDE_INVALID_ARGUMENT, "extents", "NULL");
    scene_end(&s);
}

static void scalar_out_of_range_is_named(void **state)
{
    static const size_t sizes[] = {0, 1, sizeof(astride_copy_desc) - 1,
                                   sizeof(astride_copy_desc) + 8, SIZE_MAX};
    static const int32_t ranks[] = {-1, ASTRIDE_MAX_RANK + 1, INT32_MIN, INT32_MAX};
    static const uint32_t flags[] = {1, 0x80000000u, UINT32_MAX};
    char text[32];
    scene s;

    scene_begin(&s, state);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        s.desc.struct_size = sizes[i];
        snprintf(text, sizeof text, "%zu", sizes[i]);
        refuse(&s, ASTRIDE_INVALID_ARGUMENT, "struct_size", text);
    }
    s.desc.struct_size = sizeof s.desc;
    for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++) {
        s.desc.rank = ranks[i];
        snprintf(text, sizeof text, "%" PRId32, ranks[i]);
        refuse(&s, ASTRIDE_INVALID_ARGUMENT, "rank", text);
    }
    s.desc.rank = RANK;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        s.desc.flags = flags[i];
        snprintf(text, sizeof text, "%" PRIx32, flags[i]);
        refuse(&s, ASTRIDE_INVALID_ARGUMENT, "flags", text);
    }
    s.desc.flags = 0;
    s.desc.element_bytes = 0;
    refuse(&s, ASTRIDE_INVALID_ARGUMENT, "element_bytes", "0");
    scene_end(&s);
}

static void negative_extent_is_named(void **state)
{
    static const int64_t values[] = {-1, -3, INT64_MIN};
    char name[32], text[32];
    scene s;

    scene_begin(&s, state);
    for (int d = 0; d < RANK; d++) {
        int64_t kept = s.extents[d];

        snprintf(name, sizeof name, "extents[%d]", d);
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            s.extents[d] = values[i];
            snprintf(text, sizeof text, "%" PRId64, values[i]);
            refuse(&s, ASTRIDE_INVALID_ARGUMENT, name, text);
        }
        /* Nothing to do is no excuse. */
        s.extents[(d + 1) % RANK] = 0;
        refuse(&s, ASTRIDE_INVALID_ARGUMENT, name, "negative");
        s.extents[0] = 3;
        s.extents[1] = 4;
        s.extents[2] = 5;
        s.extents[d] = kept;
    }
    scene_end(&s);
}

static void product_beyond_63_bits_is_overflow(void **state)
{
    scene s;

    scene_begin(&s, state);
    s.desc.element_bytes = SIZE_MAX;
    refuse(&s, ASTRIDE_OVERFLOW, "element_bytes", "");
    s.desc.element_bytes = (size_t)INT64_MAX + 1;
    refuse(&s, ASTRIDE_OVERFLOW, "element_bytes", "");
    s.desc.element_bytes = 4;
    s.extents[2] = INT64_MAX / 4 + 1;
    refuse(&s, ASTRIDE_OVERFLOW, "extents", "63 bits");
    s.extents[2] = INT64_MAX;
    refuse(&s, ASTRIDE_OVERFLOW, "extents", "63 bits");
    s.extents[0] = s.extents[1] = s.extents[2] = INT64_C(1) << 21;
    refuse(&s, ASTRIDE_OVERFLOW, "extents", "63 bits");
    for (int d = 0; d < ASTRIDE_MAX_RANK; d++)
        s.extents[d] = 2;
    s.desc.rank = ASTRIDE_MAX_RANK;
    refuse(&s, ASTRIDE_OVERFLOW, "extents", "63 bits");
    scene_end(&s);
}

/* Offsets that leave 63 bits, on each side; source strides may not even if they are never used. */
static void offset_beyond_63_bits_is_overflow(void **state)
{
    scene s;

    scene_begin(&s, state);
    for (int i = 0; i < 2; i++) {
        int64_t *strides = i == 0 ? s.dst_strides : s.src_strides;
        const char *side = i == 0 ? "dst" : "src";
        int64_t kept[RANK];

        memcpy(kept, strides, sizeof kept);
        strides[0] = INT64_MAX;
        refuse(&s, ASTRIDE_OVERFLOW, side, "strides[0]");
        strides[0] = INT64_MIN;
        refuse(&s, ASTRIDE_OVERFLOW, side, "strides[0]");
        strides[0] = INT64_MAX / 2;
        refuse(&s, ASTRIDE_OVERFLOW, side, "63 bits");
        strides[0] = INT64_MIN / 2;
        refuse(&s, ASTRIDE_OVERFLOW, side, "63 bits");
        strides[0] = kept[0];
        strides[1] = INT64_MIN;
        refuse(&s, ASTRIDE_OVERFLOW, side, "strides[1]");
        /* Each reach fits, their sum does not. */
        strides[0] = INT64_MAX / 4;
        strides[1] = INT64_MAX / 4;
        refuse(&s, ASTRIDE_OVERFLOW, side, "63 bits");
        strides[1] = -(INT64_MAX / 4);
        refuse(&s, ASTRIDE_OVERFLOW, side, "63 bits");
        memcpy(strides, kept, sizeof kept);
    }
    scene_end(&s);
}

static void region_that_wraps_around_zero_is_overflow(void **state)
{
    scene s;

    scene_begin(&s, state);
    for (int i = 0; i < 2; i++) {
        astride_region *region = i == 0 ? &s.desc.dst : &s.desc.src;
        const char *side = i == 0 ? "dst" : "src";
        int64_t *strides = i == 0 ? s.dst_strides : s.src_strides;
        void *kept = region->base;

        region->base = (void *)(UINTPTR_MAX - 3);
        refuse(&s, ASTRIDE_OVERFLOW, side, "address space");
        region->base = (void *)(UINTPTR_MAX - 200);
        refuse(&s, ASTRIDE_OVERFLOW, side, "address space");
        strides[0] = -strides[0];
        region->base = (void *)(uintptr_t)64;
        refuse(&s, ASTRIDE_OVERFLOW, side, "address space");
        strides[0] = -strides[0];
        region->base = kept;
    }
    scene_end(&s);
}

static void destination_that_overlaps_itself_is_refused(void **state)
{
    static const int64_t broken[][RANK] = {
        {256, 64, 0},   /* zero */
        {0, 64, 12},    /* zero, outermost */
        {256, 64, 3},   /* a part of an element, by one byte */
        {256, 64, -3},  /* the same, backwards */
        {256, 51, 12},  /* a row runs into the next by one byte */
        {256, 12, 12},  /* two equal strides */
        {256, -12, 12}, /* the same, opposite */
        {64, 64, 12},   /* slice 1 is row 1 */
        {195, 64, 12},  /* the last row of a slice meets the next slice in one byte */
        {12, 64, 8},    /* two slices are three columns */
    };
    scene s;

    scene_begin(&s, state);
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        int64_t low = 0;

        memcpy(s.dst_strides, broken[i], sizeof broken[i]);
        for (int d = 0; d < RANK; d++)
            if (broken[i][d] < 0)
                low += broken[i][d] * (s.extents[d] - 1);
        s.desc.dst.base = moved(s.dst.address, -low);
        refuse(&s, ASTRIDE_OVERLAP, "dst", "share");
    }
    scene_end(&s);
}

static void random_destination_that_overlaps_itself_is_refused(void **state)
{
    const test_fixture *fixture = *state;
    uint64_t count = test_count(3000);

    for (uint64_t i = 0; i < count; i++) {
        test_layout layout;
        test_random random;
        unsigned char *dst, *src, *image;
        astride_copy_desc desc;
        astride_fill_desc fill;
        astride_status copied, filled = ASTRIDE_OVERLAP;

        test_random_seed(&random, 1, i);
        test_layout_generate_self_overlapping(&random, &layout);
        dst = malloc(layout.dst.bytes);
        image = malloc(layout.dst.bytes);
        src = calloc(layout.src.bytes, 1);
        assert_true(dst != NULL && image != NULL && src != NULL);
        test_random_bytes(&random, dst, layout.dst.bytes);
        memcpy(image, dst, layout.dst.bytes);
        desc = test_layout_descriptor(&layout, dst, src, 0);
        copied = astride_copy(fixture->queue, &desc);
        if (layout.element_bytes == 4) {
            fill =
                (astride_fill_desc){sizeof fill, desc.rank, 0, 4, desc.extents, desc.dst, "abcd"};
            filled = astride_fill(fixture->queue, &fill);
        }
        assert_int_equal(astride_queue_wait(fixture->queue), ASTRIDE_OK);
        if (copied != ASTRIDE_OVERLAP || filled != ASTRIDE_OVERLAP ||
            memcmp(dst, image, layout.dst.bytes) != 0) {
            test_layout_print(stderr, "# ", &layout);
            fail_msg("layout %" PRIu64 " of seed 1: copy: %s, fill: %s", i,
                     astride_status_name(copied), astride_status_name(filled));
        }
        free(dst);
        free(src);
        free(image);
    }
}

/* In every kind of memory that is known, by one byte at either end, forwards and backwards. */
static void region_that_leaves_its_allocation_is_out_of_bounds(void **state)
{
    static const test_buffer_origin origins[] = {TEST_BUFFER_DEVICE, TEST_BUFFER_PINNED,
                                                 TEST_BUFFER_REGISTERED};
    scene s;

    scene_begin(&s, state);
    for (size_t o = 0; o < 3; o++) {
        for (int forwards = 0; forwards < 2; forwards++) {
            test_buffer small;
            astride_status status = test_buffer_create(s.fixture->device, origins[o], 40, &small);
            const int64_t strides[] = {forwards ? 4 : -4};
            const int64_t extent = 10;
            const int64_t first = forwards ? 0 : 36;

            if (status == ASTRIDE_UNSUPPORTED)
                continue;
            assert_int_equal(status, ASTRIDE_OK);
            s.desc.rank = 1;
            s.desc.extents = &extent;
            s.desc.dst = (astride_region){moved(small.address, first), strides};
            s.desc.src = (astride_region){s.src.address, NULL};
            /* It fits exactly. */
            assert_int_equal(astride_copy(s.fixture->queue, &s.desc), ASTRIDE_OK);
            assert_int_equal(astride_queue_wait(s.fixture->queue), ASTRIDE_OK);
            s.desc.dst.base = moved(small.address, first + 1);
            refuse(&s, ASTRIDE_OUT_OF_BOUNDS, "dst", "40 bytes");
            if (!forwards) {
                s.desc.dst.base = moved(small.address, first - 1);
                refuse(&s, ASTRIDE_OUT_OF_BOUNDS, "dst", "40 bytes");
            }
            s.desc.dst = (astride_region){s.dst.address, NULL};
            s.desc.src = (astride_region){moved(small.address, first), strides};
            s.desc.src.base = moved(small.address, first + 1);
            refuse(&s, ASTRIDE_OUT_OF_BOUNDS, "src", "40 bytes");
            if (!forwards) {
                s.desc.src.base = moved(small.address, first - 1);
                refuse(&s, ASTRIDE_OUT_OF_BOUNDS, "src", "40 bytes");
            }
            assert_int_equal(test_buffer_destroy(&small), ASTRIDE_OK);
        }
    }
    scene_end(&s);
}

/* Reaches that no arithmetic of 64 bits must mistake for small ones. */
static void huge_region_is_out_of_bounds(void **state)
{
    const int64_t extent = INT64_MAX / 4;
    const int64_t two = 2, far[] = {INT64_C(1) << 61}, back[] = {-(INT64_C(1) << 20)};
    scene s;

    scene_begin(&s, state);
    s.desc.rank = 1;
    s.desc.extents = &extent;
    s.desc.dst.strides = NULL;
    s.desc.src.strides = NULL;
    refuse(&s, ASTRIDE_OUT_OF_BOUNDS, "dst", "768 bytes");
    s.desc.extents = &two;
    s.desc.dst.strides = far;
    refuse(&s, ASTRIDE_OUT_OF_BOUNDS, "dst", "768 bytes");
    s.desc.dst.strides = NULL;
    s.desc.src.strides = far;
    refuse(&s, ASTRIDE_OUT_OF_BOUNDS, "src", "240 bytes");
    s.desc.src.strides = back;
    refuse(&s, ASTRIDE_OUT_OF_BOUNDS, "src", "240 bytes");
    scene_end(&s);
}

static void extent_of_zero_succeeds_whatever_the_rest(void **state)
{
    const int64_t strides[] = {INT64_MIN, 0, INT64_MAX};
    astride_plan *plan = NULL;
    scene s;

    scene_begin(&s, state);
    s.extents[1] = 0;
    s.extents[2] = INT64_MAX;
    for (int i = 0; i < 4; i++) {
        s.desc.dst = (astride_region){i & 1 ? NULL : s.dst.address, strides};
        s.desc.src = (astride_region){i & 2 ? NULL : (void *)UINTPTR_MAX, i == 0 ? NULL : strides};
        assert_int_equal(astride_copy(s.fixture->queue, &s.desc), ASTRIDE_OK);
        assert_int_equal(astride_copy_batch(s.fixture->queue, &s.desc, 1), ASTRIDE_OK);
        assert_int_equal(astride_plan_create(s.fixture->device, &s.desc, &plan), ASTRIDE_OK);
        assert_int_equal(astride_plan_run(plan, s.fixture->queue, NULL, NULL), ASTRIDE_OK);
        astride_plan_destroy(plan);
    }
    scene_end(&s);
}

/* What fills have of their own; the rest goes through the same checks as copies. */
static void malformed_fill_is_named(void **state)
{
    static const size_t sizes[] = {0, 3, 5, 7, 12, 32, SIZE_MAX};
    const test_fixture *fixture;
    astride_fill_desc good, fill;
    char text[32];
    scene s;

    scene_begin(&s, state);
    fixture = s.fixture;
    good = fill = (astride_fill_desc){sizeof fill, RANK, 0, 4, s.extents, s.desc.dst, "abcd"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        fill.element_bytes = sizes[i];
        snprintf(text, sizeof text, sizes[i] == SIZE_MAX ? "63 bits" : "%zu", sizes[i]);
        test_refused(astride_fill(fixture->queue, &fill),
                     sizes[i] == SIZE_MAX ? ASTRIDE_OVERFLOW : ASTRIDE_INVALID_ARGUMENT,
                     "astride_fill: ", "element_bytes", text);
    }
    fill = good;
    fill.pattern = NULL;
    test_refused(astride_fill(fixture->queue, &fill), ASTRIDE_INVALID_ARGUMENT,
                 "astride_fill: ", "pattern", "NULL");
    fill = good;
    fill.struct_size--;
    test_refused(astride_fill(fixture->queue, &fill), ASTRIDE_INVALID_ARGUMENT,
                 "astride_fill: ", "struct_size", "");
    fill = good;
    fill.flags = 2;
    test_refused(astride_fill(fixture->queue, &fill), ASTRIDE_INVALID_ARGUMENT,
                 "astride_fill: ", "flags", "");
    fill = good;
    fill.rank = 65;
    test_refused(astride_fill(fixture->queue, &fill), ASTRIDE_INVALID_ARGUMENT,
                 "astride_fill: ", "rank", "65");
    fill = good;
    fill.extents = NULL;
    test_refused(astride_fill(fixture->queue, &fill), ASTRIDE_INVALID_ARGUMENT,
                 "astride_fill: ", "extents", "NULL");
    fill = good;
    fill.dst.base = NULL;
    test_refused(astride_fill(fixture->queue, &fill), ASTRIDE_INVALID_ARGUMENT,
                 "astride_fill: ", "dst.base", "NULL");
    fill.dst.base = moved(s.dst.address, DST_BYTES - 2 * 256 - 3 * 64 - 4 * 12 - 3);
    test_refused(astride_fill(fixture->queue, &fill), ASTRIDE_OUT_OF_BOUNDS,
                 "astride_fill: ", "dst", "768 bytes");
    fill = good;
    s.dst_strides[2] = 3;
    test_refused(astride_fill(fixture->queue, &fill), ASTRIDE_OVERLAP, "astride_fill: ", "dst",
                 "share");
    s.dst_strides[2] = 12;
    s.extents[1] = -7;
    test_refused(astride_fill(fixture->queue, &fill), ASTRIDE_INVALID_ARGUMENT,
                 "astride_fill: ", "extents[1]", "-7");
    test_refused(astride_fill(NULL, &good), ASTRIDE_INVALID_ARGUMENT, "astride_fill: ", "queue",
                 "NULL");
    test_refused(astride_fill(fixture->queue, NULL), ASTRIDE_INVALID_ARGUMENT,
                 "astride_fill: ", "desc", "NULL");
    s.extents[1] = 0;
    fill.dst.base = NULL;
    assert_int_equal(astride_fill(fixture->queue, &fill), ASTRIDE_OK);
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undamaged_descriptor_copies),
        cmocka_unit_test(null_argument_is_named),
        cmocka_unit_test(scalar_out_of_range_is_named),
        cmocka_unit_test(negative_extent_is_named),
        cmocka_unit_test(product_beyond_63_bits_is_overflow),
        cmocka_unit_test(offset_beyond_63_bits_is_overflow),
        cmocka_unit_test(region_that_wraps_around_zero_is_overflow),
        cmocka_unit_test(destination_that_overlaps_itself_is_refused),
        cmocka_unit_test(random_destination_that_overlaps_itself_is_refused),
        cmocka_unit_test(region_that_leaves_its_allocation_is_out_of_bounds),
        cmocka_unit_test(huge_region_is_out_of_bounds),
        cmocka_unit_test(extent_of_zero_succeeds_whatever_the_rest),
        cmocka_unit_test(malformed_fill_is_named),
    };

    return cmocka_run_group_tests_name("bad input", tests, test_fixture_setup,
                                       test_fixture_teardown);
}
