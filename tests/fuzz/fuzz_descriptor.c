/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A fuzz target: bytes become a descriptor over two small allocations, valid or not, and a call
 * that takes it. Whether the call must succeed is decided here, in 128-bit arithmetic and by
 * marking bytes; what it must result in, by the plain loop. Linked with libFuzzer, or with replay.c
 * for `make check`.
 */
#include "tests/fuzz/fuzz_descriptor.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <astride/astride.h>

#include "tests/support/layout.h"
#include "tests/support/reference.h"

__extension__ typedef __int128 wide;

enum { ARENA_BYTES = 1024, ARENA_COUNT = 2 };

/* What a descriptor is made from; zeros when the input is at its end. */
typedef struct reader {
    const uint8_t *data;
    size_t left;
} reader;

typedef enum call {
    CALL_COPY,
    CALL_BATCH,
    CALL_PLAN,
    CALL_FORCED_PLAN,
    CALL_FILL,
    CALL_COUNT
} call;

typedef struct input {
    call call;
    astride_strategy strategy;
    int dst_arena, src_arena;
    int64_t dst_offset, src_offset;
    test_layout layout; /* offsets are filled in when they are known to be good */
    int32_t rank;
    astride_copy_desc desc;
    astride_fill_desc fill;
} input;

static struct {
    astride_device *device;
    astride_queue *queue;
    unsigned char *arenas[ARENA_COUNT];
    unsigned char before[ARENA_COUNT][ARENA_BYTES];
    unsigned char expected[ARENA_COUNT][ARENA_BYTES];
} world;

static void die(const input *in, astride_status status, const char *why)
{
    fprintf(stderr,
            "%s; call %d, strategy %s, rank %d, elements of %zu bytes, dst %d + %lld, "
            "src %d + %lld\n",
            why, (int)in->call, astride_strategy_name(in->strategy), (int)in->rank,
            in->desc.element_bytes, in->dst_arena, (long long)in->dst_offset, in->src_arena,
            (long long)in->src_offset);
    for (int32_t d = 0; d < in->rank && d < ASTRIDE_MAX_RANK; d++)
        fprintf(stderr, "  extent %lld, strides %lld and %lld\n", (long long)in->layout.extents[d],
                (long long)in->layout.dst.strides[d], (long long)in->layout.src.strides[d]);
    fprintf(stderr, "status %s, detail: %s\n", astride_status_name(status), astride_last_error());
    abort();
}

static void world_begin(void)
{
    if (world.device != NULL)
        return;
    if (astride_device_open("host", &world.device) != ASTRIDE_OK ||
        astride_queue_create(world.device, &world.queue) != ASTRIDE_OK) {
        fprintf(stderr, "%s\n", astride_last_error());
        exit(1);
    }
    for (int i = 0; i < ARENA_COUNT; i++) {
        void *address = NULL;

        if (astride_memory_alloc(world.device, ARENA_BYTES, ASTRIDE_MEMORY_PINNED, &address) !=
            ASTRIDE_OK)
            exit(1);
        world.arenas[i] = address;
        for (size_t b = 0; b < ARENA_BYTES; b++)
            world.before[i][b] = (unsigned char)((b * 167 + (b >> 8) * 59) ^ (unsigned)(i * 85));
    }
}

static uint64_t take(reader *r, int bytes)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++) {
        value |= (uint64_t)(r->left > 0 ? *r->data : 0) << (8 * i);
        if (r->left > 0) {
            r->data++;
            r->left--;
        }
    }
    return value;
}

/* Mostly small numbers, with ways to say any. */
static int64_t take_stride(reader *r)
{
    int8_t small = (int8_t)take(r, 1);

    if (small == -128)
        return (int64_t)take(r, 8);
    return small == 127 ? (int16_t)take(r, 2) : small;
}

static int64_t take_extent(reader *r)
{
    uint64_t small = take(r, 1);

    if (small < 0xf0)
        return (int64_t)(small % 8);
    return small == 0xff ? -1 : small == 0xf0 ? (int64_t)take(r, 8) : (int64_t)take(r, 2);
}

static int32_t take_rank(reader *r)
{
    uint64_t small = take(r, 1);

    if (small < 0xe0)
        return (int32_t)(small % 8);
    return small < 0xf8 ? (int32_t)(small - 0xe0) * 3 : (int32_t)(int8_t)small;
}

static void decode(const uint8_t *data, size_t size, input *in)
{
    reader r = {data, size};
    uint64_t how = take(&r, 1), where = take(&r, 1);

    memset(in, 0, sizeof *in);
    in->call = (call)(how % CALL_COUNT);
    in->strategy = (astride_strategy)(how / CALL_COUNT % (ASTRIDE_STRATEGY_HOST + 1));
    in->dst_arena = where & 1;
    in->src_arena = where >> 1 & 1;
    in->rank = take_rank(&r);
    in->layout.element_bytes = (size_t)take(&r, 1);
    if (in->layout.element_bytes == 0xff)
        in->layout.element_bytes = (size_t)take(&r, 8);
    /* A base outside of the arenas would be memory that nobody knows, and not be checked. */
    in->dst_offset = (int64_t)(take(&r, 2) % ARENA_BYTES);
    in->src_offset = (int64_t)(take(&r, 2) % ARENA_BYTES);
    in->layout.rank = in->rank;
    for (int32_t d = 0; d < in->rank && d < ASTRIDE_MAX_RANK; d++) {
        in->layout.extents[d] = take_extent(&r);
        in->layout.dst.strides[d] = take_stride(&r);
        in->layout.src.strides[d] = take_stride(&r);
    }
    in->layout.dst.dense = (where & 4) != 0;
    in->layout.src.dense = (where & 8) != 0;
    in->layout.placement =
        in->dst_arena == in->src_arena ? TEST_PLACEMENT_OVERLAPPING : TEST_PLACEMENT_SEPARATE;
    in->layout.shape = "fuzzed";
}

/* Points the descriptors at the arrays of `in`, which must not move from now on. */
static void point(input *in)
{
    in->desc = (astride_copy_desc){
        .struct_size = sizeof in->desc,
        .rank = in->rank,
        .element_bytes = in->layout.element_bytes,
        .extents = in->layout.extents,
        .dst = {(void *)((uintptr_t)world.arenas[in->dst_arena] + (uintptr_t)in->dst_offset),
                in->layout.dst.dense ? NULL : in->layout.dst.strides},
        .src = {(void *)((uintptr_t)world.arenas[in->src_arena] + (uintptr_t)in->src_offset),
                in->layout.src.dense ? NULL : in->layout.src.strides},
    };
    in->fill = (astride_fill_desc){
        .struct_size = sizeof in->fill,
        .rank = in->rank,
        .element_bytes = in->layout.element_bytes,
        .extents = in->layout.extents,
        .dst = in->desc.dst,
        .pattern = "0123456789abcdef",
    };
}

/* Whether one side stays within its arena. Products are cut off far above any arena. */
static bool side_fits(const input *in, const test_side *side, int64_t offset)
{
    const wide limit = (wide)1 << 100;
    wide low = offset, high = (wide)offset + (wide)in->layout.element_bytes;

    for (int32_t d = 0; d < in->rank; d++) {
        wide reach;

        if (in->layout.extents[d] == 1)
            continue;
        reach = ((wide)in->layout.extents[d] - 1) * side->strides[d];
        if (reach > limit || reach < -limit)
            return false;
        low += reach < 0 ? reach : 0;
        high += reach > 0 ? reach : 0;
        if (low < -limit || high > limit)
            return false;
    }
    return low >= 0 && high <= ARENA_BYTES;
}

/* Dense strides in wide arithmetic; false when they leave the arena anyhow. */
static bool write_dense(const input *in, int64_t *strides)
{
    wide stride = (wide)in->layout.element_bytes;

    for (int32_t d = in->rank - 1; d >= 0; d--) {
        strides[d] = (int64_t)stride;
        stride *= in->layout.extents[d];
        if (stride > ARENA_BYTES)
            return false;
    }
    return true;
}

/* What the call must come to. */
typedef enum verdict {
    MUST_SUCCEED,    /* and write what the plain loop writes */
    MUST_DO_NOTHING, /* and succeed: there is no element */
    MUST_REFUSE
} verdict;

static verdict judge(input *in)
{
    size_t bytes = in->layout.element_bytes;
    bool empty = false;

    if (in->rank < 0 || in->rank > ASTRIDE_MAX_RANK || bytes == 0 || bytes > INT64_MAX)
        return MUST_REFUSE;
    if (in->call == CALL_FILL && (bytes > 16 || (bytes & (bytes - 1)) != 0))
        return MUST_REFUSE;
    for (int32_t d = 0; d < in->rank; d++) {
        if (in->layout.extents[d] < 0)
            return MUST_REFUSE;
        empty |= in->layout.extents[d] == 0;
    }
    if (empty)
        return MUST_DO_NOTHING;
    if (in->layout.dst.dense && !write_dense(in, in->layout.dst.strides))
        return MUST_REFUSE;
    if (in->call != CALL_FILL && in->layout.src.dense && !write_dense(in, in->layout.src.strides))
        return MUST_REFUSE;
    if (!side_fits(in, &in->layout.dst, in->dst_offset))
        return MUST_REFUSE;
    in->layout.dst.offset = (size_t)in->dst_offset;
    in->layout.dst.bytes = in->layout.src.bytes = ARENA_BYTES;
    /* Marking visits every element: no more of them fit without sharing bytes. */
    for (int32_t d = 0, left = ARENA_BYTES; d < in->rank; d++) {
        if (in->layout.extents[d] > left)
            return MUST_REFUSE;
        left /= (int32_t)in->layout.extents[d];
    }
    if (in->call == CALL_FILL) {
        in->layout.src = in->layout.dst;
    } else {
        if (!side_fits(in, &in->layout.src, in->src_offset))
            return MUST_REFUSE;
        in->layout.src.offset = (size_t)in->src_offset;
    }
    return test_layout_overlaps_itself(&in->layout) ? MUST_REFUSE : MUST_SUCCEED;
}

static astride_status run_plan(const input *in, astride_strategy strategy)
{
    const astride_plan_options options = {.struct_size = sizeof options, .strategy = strategy};
    astride_plan *plan = NULL;
    astride_status status = astride_plan_create_with(world.device, &in->desc, &options, &plan);

    if (status == ASTRIDE_OK)
        status = astride_plan_run(plan, world.queue, in->desc.dst.base, in->desc.src.base);
    astride_plan_destroy(plan);
    return status;
}

static astride_status run_call(const input *in)
{
    switch (in->call) {
    case CALL_COPY:
        return astride_copy(world.queue, &in->desc);
    case CALL_BATCH:
        return astride_copy_batch(world.queue, &in->desc, 1);
    case CALL_PLAN:
        return run_plan(in, ASTRIDE_STRATEGY_AUTO);
    case CALL_FORCED_PLAN:
        return run_plan(in, in->strategy);
    default:
        return astride_fill(world.queue, &in->fill);
    }
}

/* Refusals that are allowed although the descriptor is in order. */
static bool may_refuse(const input *in, astride_status status)
{
    return status == ASTRIDE_UNSUPPORTED &&
           (in->call == CALL_FORCED_PLAN || strstr(astride_last_error(), "bounded effort") != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in;
    verdict expected;
    astride_status status;

    world_begin();
    decode(data, size, &in);
    point(&in);
    for (int i = 0; i < ARENA_COUNT; i++) {
        memcpy(world.arenas[i], world.before[i], ARENA_BYTES);
        memcpy(world.expected[i], world.before[i], ARENA_BYTES);
    }
    expected = judge(&in);
    status = run_call(&in);
    if (astride_queue_wait(world.queue) != ASTRIDE_OK)
        die(&in, status, "astride_queue_wait failed");

    if (expected == MUST_REFUSE && status == ASTRIDE_OK)
        die(&in, status, "succeeded but should have been refused");
    if (expected != MUST_REFUSE && status != ASTRIDE_OK && !may_refuse(&in, status))
        die(&in, status, "refused but is valid");
    if (expected == MUST_SUCCEED && status == ASTRIDE_OK) {
        if (in.call == CALL_FILL)
            test_reference_fill(&in.layout, in.fill.pattern, world.expected[in.dst_arena]);
        else
            test_reference_copy(&in.layout, 0, world.expected[in.dst_arena],
                                world.expected[in.src_arena]);
    }
    for (int i = 0; i < ARENA_COUNT; i++)
        if (memcmp(world.arenas[i], world.expected[i], ARENA_BYTES) != 0)
            die(&in, status, "memory differs from what the plain loop gives");
    return 0;
}
