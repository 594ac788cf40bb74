/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Running kernels as the hardware does: block after block, a block in warps of 32 threads, a warp
 * in step. An operation is carried out for all threads of the warp that are at it, its lanes; where
 * they part, those that are furthest behind go first, so that they meet again. Each access is
 * checked: it must lie within one allocation and be aligned to its size.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/simulators/cuda/ptx.h"

/* The loops over lanes are worth the widest vectors there are. The sanitizers do not know functions
   that are chosen by the loader. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && __GNUC__ >= 12 &&          \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WIDE __attribute__((target_clones("arch=x86-64-v4", "avx2", "default"), optimize("O3")))
#else
#define WIDE
#endif

enum { LANES = 32 };

/* Of the types of operations. */
enum {
    IS_SIGNED_U16 = 0,
    IS_SIGNED_S16 = 1,
    IS_SIGNED_U32 = 0,
    IS_SIGNED_S32 = 1,
    IS_SIGNED_U64 = 0,
    IS_SIGNED_S64 = 1
};

/* A warp that runs longer never ends. */
#define OPERATIONS_MAXIMUM (UINT64_C(1) << 32)

/* Where a thread is: the next operation, or one of these. */
#define AT_END SIZE_MAX

/* Threads in step. */
typedef struct warp {
    uint64_t *slots;      /* LANES values of each slot, side by side */
    unsigned char *local; /* local memory of each lane, one behind the other */
    size_t pc[LANES];
    uint32_t running; /* lanes that are neither at a barrier nor at their end, as bits */
    uint64_t operations;
} warp;

/* Lanes of a warp that are at one operation. */
typedef struct group {
    uint32_t lanes;       /* as bits */
    uint64_t mask[LANES]; /* the same: all bits set, or none */
    size_t pc, limit;     /* other lanes are at the limit */
} group;

typedef struct machine {
    const ptx_launch *launch;
    const ptx_kernel *kernel;
    unsigned char *shared;
    uint32_t shared_bytes;
    ptx_range load_range, store_range; /* that were used last */
    ptx_outcome outcome;
} machine;

static unsigned char *fault(machine *m, ptx_fault kind, uint64_t address, uint32_t bytes)
{
    m->outcome.fault = kind;
    m->outcome.address = address;
    m->outcome.bytes = bytes;
    return NULL;
}

static unsigned char *in_global(machine *m, uint64_t address, uint32_t bytes, ptx_range *last)
{
    size_t low = 0, high = m->launch->range_count;
    if (address - last->begin < last->bytes && last->bytes - (address - last->begin) >= bytes)
        return (unsigned char *)(uintptr_t)address + last->to_private;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const ptx_range *range = &m->launch->ranges[middle];
        if (range->begin + range->bytes <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == m->launch->range_count)
        return fault(m, PTX_OUT_OF_BOUNDS, address, bytes);
    const ptx_range *range = &m->launch->ranges[low];
    if (address < range->begin || range->bytes - (address - range->begin) < bytes)
        return fault(m, PTX_OUT_OF_BOUNDS, address, bytes);
    *last = *range;
    return (unsigned char *)(uintptr_t)address + range->to_private;
}

static unsigned char *in_space(machine *m, unsigned char *begin, uint64_t size, uint64_t address,
                               uint32_t bytes)
{
    if (address > size || size - address < bytes)
        return fault(m, PTX_OUT_OF_BOUNDS, address, bytes);
    return begin + address;
}

/* Where an access goes; NULL: it is at fault. */
static unsigned char *place(machine *m, const ptx_operation *o, unsigned char *local,
                            uint64_t address, ptx_range *last)
{
    const uint32_t bytes = (uint32_t)o->width * o->count;
    ptx_space space = (ptx_space)o->space;
    if ((address & (bytes - 1)) != 0)
        return fault(m, PTX_MISALIGNED, address, bytes);
    if (space == PTX_GENERIC) {
        const uint64_t window = address & PTX_WINDOW_MASK;
        space = window == PTX_WINDOW_SHARED      ? PTX_SHARED
                : window == PTX_WINDOW_LOCAL     ? PTX_LOCAL
                : window == PTX_WINDOW_PARAMETER ? PTX_PARAMETER
                                                 : PTX_GLOBAL;
        if (space != PTX_GLOBAL)
            address &= ~PTX_WINDOW_MASK;
    }
    switch (space) {
    case PTX_SHARED:
        return in_space(m, m->shared, m->shared_bytes, address, bytes);
    case PTX_LOCAL:
        return in_space(m, local, m->kernel->local_bytes, address, bytes);
    case PTX_PARAMETER:
        return fault(m, PTX_OUT_OF_BOUNDS, address, bytes);
    default:
        return in_global(m, address, bytes, last);
    }
}

static uint64_t extended(uint64_t value, const ptx_operation *o)
{
    if (!o->sign)
        return value;
    switch (o->width) {
    case 1:
        return (uint64_t)(int64_t)(int8_t)value;
    case 2:
        return (uint64_t)(int64_t)(int16_t)value;
    case 4:
        return (uint64_t)(int64_t)(int32_t)value;
    default:
        return value;
    }
}

static uint64_t read_value(const unsigned char *at, uint32_t width)
{
    uint64_t value = 0;
    switch (width) {
    case 1:
        return *at;
    case 2:
        memcpy(&value, at, 2);
        return value;
    case 4:
        memcpy(&value, at, 4);
        return value;
    default:
        memcpy(&value, at, 8);
        return value;
    }
}

/* Values of a load, in one lane. */
static void load_lane(const warp *w, const ptx_operation *o, uint32_t lane, const unsigned char *at)
{
    for (uint32_t i = 0; i < o->count; i++)
        w->slots[(size_t)o->slot[i] * LANES + lane] =
            extended(read_value(at + (size_t)i * o->width, o->width), o);
}

static bool load(machine *m, const warp *w, const group *g, const ptx_operation *o)
{
    const uint64_t *base = &w->slots[(size_t)o->base * LANES];
    for (uint32_t lanes = g->lanes; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        const unsigned char *at = place(m, o, w->local + (size_t)lane * m->kernel->local_bytes,
                                        base[lane] + (uint64_t)o->offset, &m->load_range);
        if (at == NULL)
            return false;
        load_lane(w, o, lane, at);
    }
    return true;
}

/* All lanes mostly load one parameter: it is then read once. */
WIDE static bool load_parameter(machine *m, const warp *w, const group *g, const ptx_operation *o)
{
    const uint64_t *base = &w->slots[(size_t)o->base * LANES];
    const uint32_t bytes = (uint32_t)o->width * o->count;
    const uint64_t size = m->kernel->parameters_bytes;
    const uint32_t first = (uint32_t)__builtin_ctz(g->lanes);
    uint64_t differ = 0;
    for (uint32_t l = 0; l < LANES; l++)
        differ |= (base[l] ^ base[first]) & g->mask[l];
    for (uint32_t lanes = g->lanes; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        const uint64_t address = base[lane] + (uint64_t)o->offset;
        if (address > size || size - address < bytes)
            return fault(m, PTX_OUT_OF_BOUNDS, address, bytes) != NULL;
        load_lane(w, o, lane, m->launch->parameters + address);
        if (differ == 0)
            break;
    }
    if (differ != 0)
        return true;
    for (uint32_t i = 0; i < o->count; i++) {
        uint64_t *values = &w->slots[(size_t)o->slot[i] * LANES];
        const uint64_t value = values[first];
        for (uint32_t l = 0; l < LANES; l++)
            values[l] = (value & g->mask[l]) | (values[l] & ~g->mask[l]);
    }
    return true;
}

static bool store(machine *m, const warp *w, const group *g, const ptx_operation *o)
{
    const uint64_t *base = &w->slots[(size_t)o->base * LANES];
    for (uint32_t lanes = g->lanes; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        unsigned char *at = place(m, o, w->local + (size_t)lane * m->kernel->local_bytes,
                                  base[lane] + (uint64_t)o->offset, &m->store_range);
        if (at == NULL)
            return false;
        for (uint32_t i = 0; i < o->count; i++)
            memcpy(at + (size_t)i * o->width, &w->slots[(size_t)o->slot[i] * LANES + lane],
                   o->width);
    }
    return true;
}

/* The lanes of the group in which a predicate is true. */
static uint32_t lanes_where(const warp *w, const group *g, uint32_t slot)
{
    const uint64_t *predicate = &w->slots[(size_t)slot * LANES];
    uint32_t lanes = 0;
    for (uint32_t l = 0; l < LANES; l++)
        lanes |= (uint32_t)(predicate[l] != 0) << l;
    return lanes & g->lanes;
}

static void set_pc(warp *w, uint32_t lanes, size_t pc)
{
    for (; lanes != 0; lanes &= lanes - 1)
        w->pc[__builtin_ctz(lanes)] = pc;
}

/* Some lanes go on at the target, the others at g->pc. False: they part, and the group ends. */
static bool jump(warp *w, group *g, uint32_t taken, size_t target)
{
    if (taken == 0)
        return true;
    if (taken == g->lanes) {
        g->pc = target;
        return true;
    }
    set_pc(w, g->lanes & ~taken, g->pc);
    set_pc(w, taken, target);
    return false;
}

/* The lanes that are furthest behind; false: none is running. */
static bool choose_group(const warp *w, group *g)
{
    *g = (group){.pc = AT_END, .limit = AT_END};
    for (uint32_t l = 0; l < LANES; l++) {
        if ((w->running >> l & 1) == 0)
            continue;
        if (w->pc[l] < g->pc) {
            g->limit = g->pc;
            g->pc = w->pc[l];
            g->lanes = 0;
        }
        if (w->pc[l] == g->pc)
            g->lanes |= UINT32_C(1) << l;
        else if (w->pc[l] < g->limit)
            g->limit = w->pc[l];
    }
    for (uint32_t l = 0; l < LANES; l++)
        g->mask[l] = UINT64_C(0) - (g->lanes >> l & 1);
    return g->lanes != 0;
}

#define EACH_LANE(expression)                                                                      \
    {                                                                                              \
        uint64_t *result = &slots[(size_t)o->slot[0] * LANES];                                     \
        const uint64_t *first = &slots[(size_t)o->slot[1] * LANES];                                \
        const uint64_t *second = &slots[(size_t)o->slot[2] * LANES];                               \
        const uint64_t *third = &slots[(size_t)o->slot[3] * LANES];                                \
        const uint64_t offset = (uint64_t)o->offset;                                               \
        (void)second, (void)third, (void)offset;                                                   \
        for (uint32_t l = 0; l < LANES; l++) {                                                     \
            const uint64_t value = expression;                                                     \
            result[l] = (value & g->mask[l]) | (result[l] & ~g->mask[l]);                          \
        }                                                                                          \
        break;                                                                                     \
    }

/* Runs a group until its lanes part, meet others, or stop. False: an access was at fault. */
WIDE static bool run_group(machine *m, warp *w, group *g)
{
    const ptx_operation *operations = m->kernel->operations;
    uint64_t *slots = w->slots;
    uint64_t count = 0;
    bool good = true;
    while (g->pc < g->limit) {
        const ptx_operation *o = &operations[g->pc++];
        count++;
        switch ((ptx_code)o->code) {
#define a first[l]
#define b second[l]
#define c third[l]
#define PLAIN(name, expression)                                                                    \
    case PTX_##name:                                                                               \
        EACH_LANE(expression)
            PTX_PLAIN_OPERATIONS(PLAIN)
#undef PLAIN
#undef a
#undef b
#undef c
#define x ((type)first[l])
#define y ((type)second[l])
#define shift ((uint32_t)second[l])
#define bits (8 * (uint32_t)sizeof(type))
#define TYPED(operation, suffix, c_type, expression)                                               \
    case PTX_##operation##suffix: {                                                                \
        typedef c_type type;                                                                       \
        enum { is_signed = IS_SIGNED_##suffix };                                                   \
        EACH_LANE(expression)                                                                      \
    }
#define negative (is_signed && (int64_t)x < 0)
#define OPERATION(operation, expression) PTX_TYPES(TYPED, operation, expression)
            // cppcheck-suppress shiftTooManyBitsSigned ; each type is shifted by less than its bits
            PTX_TYPED_OPERATIONS(OPERATION)
#undef OPERATION
#undef TYPED
#undef x
#undef y
#undef shift
#undef bits
#undef negative
        case PTX_LOAD:
            good = load(m, w, g, o);
            break;
        case PTX_LOAD_PARAMETER:
            good = load_parameter(m, w, g, o);
            break;
        case PTX_STORE:
            good = store(m, w, g, o);
            break;
        case PTX_BRANCH:
            g->pc = o->target;
            break;
        case PTX_BRANCH_IF:
            if (!jump(w, g, lanes_where(w, g, o->slot[0]), o->target))
                goto parted;
            break;
        case PTX_BRANCH_UNLESS:
            if (!jump(w, g, g->lanes & ~lanes_where(w, g, o->slot[0]), o->target))
                goto parted;
            break;
        case PTX_SKIP_IF:
            if (!jump(w, g, lanes_where(w, g, o->slot[0]), g->pc + 1))
                goto parted;
            break;
        case PTX_SKIP_UNLESS:
            if (!jump(w, g, g->lanes & ~lanes_where(w, g, o->slot[0]), g->pc + 1))
                goto parted;
            break;
        case PTX_BARRIER:
            w->running &= ~g->lanes;
            goto ended;
        case PTX_EXIT:
            w->running &= ~g->lanes;
            g->pc = AT_END;
            goto ended;
        }
        if (good && w->operations + count > OPERATIONS_MAXIMUM)
            good = fault(m, PTX_TOO_LONG, 0, 0) != NULL;
        if (!good) {
            m->outcome.line = o->line;
            break;
        }
    }
ended:
    set_pc(w, g->lanes, g->pc);
parted:
    w->operations += count;
    m->outcome.instructions += count * (uint64_t)__builtin_popcount(g->lanes);
    return good;
}

/* One value in all lanes. */
static void set_slot(const warp *w, uint32_t slot, uint64_t value)
{
    for (uint32_t l = 0; l < LANES; l++)
        w->slots[(size_t)slot * LANES + l] = value;
}

/* Puts the threads of a warp to the beginning of the kernel. */
static void start_warp(const machine *m, warp *w, uint32_t number, const uint32_t at[3])
{
    const uint32_t *block = m->launch->block;
    const uint32_t threads = block[0] * block[1] * block[2];
    w->running = 0;
    w->operations = 0;
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t thread = number * LANES + l;
        w->slots[(PTX_TID + 0) * LANES + l] = thread % block[0];
        w->slots[(PTX_TID + 1) * LANES + l] = thread / block[0] % block[1];
        w->slots[(PTX_TID + 2) * LANES + l] = thread / block[0] / block[1];
        w->slots[PTX_LANEID * LANES + l] = l;
        w->pc[l] = thread < threads ? 0 : AT_END;
        w->running |= (uint32_t)(thread < threads) << l;
    }
    set_slot(w, PTX_WARPID, number);
    for (uint32_t d = 0; d < 3; d++) {
        set_slot(w, PTX_NTID + d, block[d]);
        set_slot(w, PTX_CTAID + d, at[d]);
        set_slot(w, PTX_NCTAID + d, m->launch->grid[d]);
    }
}

/* Runs a warp until each of its threads is at a barrier or at its end. */
static bool run_warp(machine *m, warp *w)
{
    group g;
    while (choose_group(w, &g)) {
        if (!run_group(m, w, &g))
            return false;
    }
    return true;
}

/* Lets the threads at a barrier go on; false: there is none. */
static bool pass_barrier(warp *w)
{
    for (uint32_t l = 0; l < LANES; l++)
        w->running |= (uint32_t)(w->pc[l] != AT_END) << l;
    return w->running != 0;
}

/* Without barriers a block's warps never meet and share one place. */
static bool run_block(machine *m, warp *warps, uint32_t count, uint32_t places,
                      const uint32_t at[3])
{
    bool waiting = false;
    for (uint32_t i = 0; i < count; i++) {
        warp *w = &warps[places == 1 ? 0 : i];
        start_warp(m, w, i, at);
        if (!run_warp(m, w))
            return false;
        waiting = pass_barrier(w) || waiting;
    }
    while (waiting) {
        waiting = false;
        for (uint32_t i = 0; i < count; i++) {
            if (!run_warp(m, &warps[i]))
                return false;
            waiting = pass_barrier(&warps[i]) || waiting;
        }
    }
    return true;
}

static void run_blocks(machine *m, warp *warps, uint32_t count, uint32_t places)
{
    uint32_t at[3];
    for (at[2] = 0; at[2] < m->launch->grid[2]; at[2]++) {
        for (at[1] = 0; at[1] < m->launch->grid[1]; at[1]++) {
            for (at[0] = 0; at[0] < m->launch->grid[0]; at[0]++) {
                if (!run_block(m, warps, count, places, at))
                    return;
            }
        }
    }
}

ptx_outcome ptx_run(const ptx_launch *launch)
{
    const ptx_kernel *kernel = launch->kernel;
    machine m = {.launch = launch,
                 .kernel = kernel,
                 .shared_bytes = kernel->shared_bytes + launch->dynamic_shared_bytes};
    const uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    const uint32_t count = (threads + LANES - 1) / LANES;
    const uint32_t places = kernel->barriers ? count : 1;
    const size_t slots = (size_t)LANES * (kernel->first_constant + kernel->constant_count);
    const size_t local = (size_t)LANES * kernel->local_bytes;

    warp *warps = calloc(places, sizeof(*warps));
    uint64_t *all_slots = calloc(places * slots, sizeof(*all_slots));
    unsigned char *all_local = malloc(places * local + 1);
    m.shared = malloc((size_t)m.shared_bytes + 1);
    if (warps == NULL || all_slots == NULL || all_local == NULL || m.shared == NULL) {
        m.outcome.fault = PTX_NO_MEMORY;
    } else {
        for (uint32_t i = 0; i < places; i++) {
            warps[i].slots = all_slots + i * slots;
            warps[i].local = all_local + i * local;
            for (uint32_t s = 0; s < kernel->constant_count; s++)
                set_slot(&warps[i], kernel->first_constant + s, kernel->constants[s]);
        }
        run_blocks(&m, warps, count, places);
    }
    free(warps);
    free(all_slots);
    free(all_local);
    free(m.shared);
    return m.outcome;
}
