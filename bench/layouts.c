/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The table of layouts. Each is a region with extents in the destination's order; what differs from
 * a dense one is said by the other members.
 */
#include "bench/layouts.h"

#include <string.h>

#define BASE_PAYLOAD_BYTES ((size_t)64 << 20)

typedef struct rule {
    const char *name;
    size_t element_bytes;
    int32_t rank;
    int64_t extents[BENCH_MAX_RANK];    /* for a payload of 64 MiB */
    int64_t src_parent[BENCH_MAX_RANK]; /* extents of what the source is part of; 0: its own */
    int64_t dst_parent[BENCH_MAX_RANK]; /* the same of the destination */
    const char *src_order; /* the source's dimensions, outermost first: "10"; NULL: same */
    unsigned scaled;       /* bit d: extent d follows the payload */
    unsigned reversed;     /* bit d: the source runs backwards along d */
    unsigned repeated;     /* bit d: the source is the same all along d */
} rule;

#define D0 1u
#define D1 2u
#define D2 4u
#define D3 8u
#define D4 16u
#define D5 32u

/* clang-format off */
static const rule rules[] = {
    {"contiguous", 4, 1, {16777216}, .scaled = D0},
    {"rows 4 KiB of 8 KiB", 4, 2, {16384, 1024}, .src_parent = {0, 2048}, .scaled = D0},
    {"rows 64 B of 256 B", 4, 2, {1048576, 16}, .src_parent = {0, 64}, .scaled = D0},
    {"rows 64 B of 256 B, both sides", 4, 2, {1048576, 16}, .src_parent = {0, 64}, .dst_parent = {0, 64}, .scaled = D0},
    {"every 2nd f32", 4, 2, {16777216, 1}, .src_parent = {0, 2}, .scaled = D0},
    {"every 4th f32, both sides", 4, 2, {16777216, 1}, .src_parent = {0, 4}, .dst_parent = {0, 4}, .scaled = D0},
    {"column-major walk, pitch 4 KiB", 4, 2, {1024, 16384}, .src_order = "10", .scaled = D1},
    {"transpose f32 4096 x 4096", 4, 2, {4096, 4096}, .src_order = "10", .scaled = D0 | D1},
    {"transpose f32 4000 x 4200", 4, 2, {4200, 4000}, .src_order = "10", .scaled = D0 | D1},
    {"transpose f64 2896 x 2896", 8, 2, {2896, 2896}, .src_order = "10", .scaled = D0 | D1},
    {"transpose u8 8192 x 8192", 1, 2, {8192, 8192}, .src_order = "10", .scaled = D0 | D1},
    {"3-D subview, 100 of 128", 4, 3, {1678, 100, 100}, .src_parent = {0, 128, 128}, .scaled = D0},
    {"NHWC to NCHW u8, C = 3", 1, 3, {428, 3, 52272}, .src_order = "021", .scaled = D0 | D2},
    {"NHWC to NCHW f32, C = 3", 4, 3, {107, 3, 52272}, .src_order = "021", .scaled = D0 | D2},
    {"NHWC to NCHW f32, C = 64", 4, 3, {84, 64, 3136}, .src_order = "021", .scaled = D0 | D2},
    {"5-D reversed order", 4, 5, {28, 28, 32, 28, 24}, .src_order = "43210",
     .scaled = D0 | D1 | D2 | D3 | D4},
    {"5-D subview, inner 64 of 80", 4, 5, {16, 16, 32, 32, 64}, .src_parent = {0, 20, 40, 40, 80},
     .scaled = D0 | D1 | D2},
    {"rows reversed", 4, 2, {16384, 1024}, .scaled = D0, .reversed = D0},
    {"elements reversed", 4, 1, {16777216}, .scaled = D0, .reversed = D0},
    {"broadcast inner", 4, 2, {16384, 1024}, .scaled = D0, .repeated = D1},
    {"broadcast outer", 4, 2, {16384, 1024}, .scaled = D0, .repeated = D0},
    {"16 B of 24 B structs", 8, 2, {4194304, 2}, .src_parent = {0, 3}, .scaled = D0},
    {"256^3 f64 halo, x-face", 8, 3, {256, 256, 1}, .src_parent = {256, 256, 256}},
    {"256^3 f64 halo, y-face", 8, 3, {256, 1, 256}, .src_parent = {256, 256, 256}},
    {"256^3 f64 halo, z-face", 8, 3, {1, 256, 256}, .src_parent = {256, 256, 256}},
    /* Those above are the reference table; what follows widens it. */
    {"rows 1 KiB of 1088 B", 4, 2, {65536, 256}, .src_parent = {0, 272}, .scaled = D0},
    {"rows 100 B of 128 B, both sides", 4, 2, {671089, 25}, .src_parent = {0, 32}, .dst_parent = {0, 32}, .scaled = D0},
    {"rows 36 B of 48 B", 4, 2, {1864135, 9}, .src_parent = {0, 12}, .scaled = D0},
    {"rows 72 B to 96 B", 4, 2, {932067, 18}, .dst_parent = {0, 24}, .scaled = D0},
    {"every 2nd u8", 1, 2, {67108864, 1}, .src_parent = {0, 2}, .scaled = D0},
    {"every 2nd f64", 8, 2, {8388608, 1}, .src_parent = {0, 2}, .scaled = D0},
    {"every 3rd f32", 4, 2, {16777216, 1}, .src_parent = {0, 3}, .scaled = D0},
    {"f32 to every 2nd", 4, 2, {16777216, 1}, .dst_parent = {0, 2}, .scaled = D0},
    {"12 B of 16 B vectors", 4, 2, {5592405, 3}, .src_parent = {0, 4}, .scaled = D0},
    {"u8 reversed", 1, 1, {67108864}, .scaled = D0, .reversed = D0},
    {"NCHW to NHWC f32, C = 3", 4, 3, {107, 52272, 3}, .src_order = "021", .scaled = D0 | D1},
    {"NCHW to NHWC f32, C = 64", 4, 3, {84, 3136, 64}, .src_order = "021", .scaled = D0 | D1},
    {"transpose u16 5792 x 5792", 2, 2, {5792, 5792}, .src_order = "10", .scaled = D0 | D1},
    {"transpose c128 2048 x 2048", 16, 2, {2048, 2048}, .src_order = "10", .scaled = D0 | D1},
    {"transpose f32 of a subview", 4, 2, {4001, 4193}, .src_parent = {4100, 4300}, .src_order = "10",
     .scaled = D0 | D1},
    {"permutation 0,2,1 f32", 4, 3, {64, 512, 512}, .src_order = "021", .scaled = D0 | D1 | D2},
    {"permutation 2,1,0 f64", 8, 3, {200, 210, 200}, .src_order = "210", .scaled = D0 | D1 | D2},
    {"permutation 1,0,2 f32", 4, 3, {512, 512, 64}, .src_order = "102", .scaled = D0 | D1},
    {"permutation 3,1,2,0 f32", 4, 4, {64, 64, 64, 64}, .src_order = "3120",
     .scaled = D0 | D1 | D2 | D3},
    {"permutation 2,0,3,1 f64", 8, 4, {54, 54, 54, 54}, .src_order = "2031",
     .scaled = D0 | D1 | D2 | D3},
    {"permutation 4,1,2,0,3 f32", 4, 5, {28, 28, 28, 28, 28}, .src_order = "41203",
     .scaled = D0 | D1 | D2 | D3 | D4},
    {"permutation 5,2,0,4,1,3 f32", 4, 6, {16, 16, 16, 16, 16, 16}, .src_order = "520413",
     .scaled = D0 | D1 | D2 | D3 | D4 | D5},
};
/* clang-format on */

size_t bench_layout_count(void)
{
    return sizeof rules / sizeof rules[0];
}

const char *bench_layout_name(size_t index)
{
    return rules[index].name;
}

static size_t payload_of(const bench_layout *layout)
{
    size_t bytes = layout->element_bytes;
    for (int32_t d = 0; d < layout->rank; d++)
        bytes *= (size_t)layout->extents[d];
    return bytes;
}

/* Halves or doubles the longest (or shortest) of the extents that follow the payload. */
static void scale(const rule *from, bench_layout *layout, size_t payload_bytes)
{
    for (;;) {
        const size_t now = payload_of(layout);
        const bool shrink = now > payload_bytes + payload_bytes / 8;
        int32_t chosen = -1;
        if (!shrink && now * 2 > payload_bytes + payload_bytes / 8)
            return;
        for (int32_t d = 0; d < layout->rank; d++) {
            if ((from->scaled >> d & 1u) == 0 || (shrink && layout->extents[d] < 2))
                continue;
            if (chosen < 0 || (shrink ? layout->extents[d] > layout->extents[chosen]
                                      : layout->extents[d] < layout->extents[chosen]))
                chosen = d;
        }
        if (chosen < 0)
            return;
        layout->extents[chosen] =
            shrink ? layout->extents[chosen] / 2 : layout->extents[chosen] * 2;
    }
}

/* Row-major strides over a parent, the dimensions taken in `order`. Returns the parent's bytes. */
static size_t nest(const bench_layout *layout, const int64_t *parent, const char *order,
                   unsigned repeated, int64_t *strides)
{
    int64_t bytes = (int64_t)layout->element_bytes;
    for (int32_t i = layout->rank - 1; i >= 0; i--) {
        const int32_t d = order == NULL ? i : order[i] - '0';
        strides[d] = bytes;
        if (repeated >> d & 1u)
            strides[d] = 0;
        else
            bytes *= parent[d] > layout->extents[d] ? parent[d] : layout->extents[d];
    }
    return (size_t)bytes;
}

bool bench_layout_expand(size_t index, size_t payload_bytes, bench_layout *layout_out)
{
    const rule *from = &rules[index];
    bench_layout *layout = layout_out;
    if (from->scaled == 0 && payload_bytes != BASE_PAYLOAD_BYTES)
        return false;
    memset(layout, 0, sizeof *layout);
    layout->name = from->name;
    layout->element_bytes = from->element_bytes;
    layout->rank = from->rank;
    memcpy(layout->extents, from->extents, sizeof layout->extents);
    if (from->scaled != 0)
        scale(from, layout, payload_bytes);
    layout->payload_bytes = payload_of(layout);
    layout->dst_bytes = nest(layout, from->dst_parent, NULL, 0, layout->dst_strides);
    layout->src_bytes =
        nest(layout, from->src_parent, from->src_order, from->repeated, layout->src_strides);
    for (int32_t d = 0; d < layout->rank; d++) {
        if ((from->reversed >> d & 1u) == 0)
            continue;
        layout->src_offset += (size_t)((layout->extents[d] - 1) * layout->src_strides[d]);
        layout->src_strides[d] = -layout->src_strides[d];
    }
    return true;
}
