/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Running kernels: block after block, and in a block each thread up to the next barrier, one after
 * the other. Each access is checked: it must lie within one allocation and be aligned to its size,
 * as the hardware wants it.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/simulators/cuda/ptx.h"

/* Of the types of operations. */
enum {
    IS_SIGNED_U16 = 0,
    IS_SIGNED_S16 = 1,
    IS_SIGNED_U32 = 0,
    IS_SIGNED_S32 = 1,
    IS_SIGNED_U64 = 0,
    IS_SIGNED_S64 = 1
};

/* A thread that runs longer never ends. */
#define INSTRUCTIONS_MAXIMUM (UINT64_C(1) << 34)

typedef struct machine {
    const ptx_launch *launch;
    const ptx_kernel *kernel;
    uint64_t *slots; /* of the thread at hand */
    unsigned char *shared, *local;
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
static unsigned char *place(machine *m, const ptx_operation *o, uint64_t address, ptx_range *last)
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
        return in_space(m, m->local, m->kernel->local_bytes, address, bytes);
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

static bool load(machine *m, const ptx_operation *o)
{
    const uint64_t address = m->slots[o->base] + (uint64_t)o->offset;
    const unsigned char *at;
    if (o->code == PTX_LOAD_PARAMETER) {
        const uint32_t bytes = (uint32_t)o->width * o->count;
        const uint64_t size = m->kernel->parameters_bytes;
        at = address <= size && size - address >= bytes
                 ? m->launch->parameters + address
                 : fault(m, PTX_OUT_OF_BOUNDS, address, bytes);
    } else {
        at = place(m, o, address, &m->load_range);
    }
    if (at == NULL)
        return false;
    for (uint32_t i = 0; i < o->count; i++)
        m->slots[o->slot[i]] = extended(read_value(at + (size_t)i * o->width, o->width), o);
    return true;
}

static bool store(machine *m, const ptx_operation *o)
{
    unsigned char *at = place(m, o, m->slots[o->base] + (uint64_t)o->offset, &m->store_range);
    if (at == NULL)
        return false;
    for (uint32_t i = 0; i < o->count; i++)
        memcpy(at + (size_t)i * o->width, &m->slots[o->slot[i]], o->width);
    return true;
}

/* Runs a thread from operation `pc` on; the result is where it goes on behind a barrier, or where
   it ended. */
static size_t run_thread(machine *m, size_t pc)
{
    const ptx_operation *operations = m->kernel->operations;
    uint64_t *slots = m->slots;
    uint64_t instructions = 0;
    for (;;) {
        const ptx_operation *o = &operations[pc++];
        instructions++;
        switch ((ptx_code)o->code) {
#define PLAIN(name, expression)                                                                    \
    case PTX_##name: {                                                                             \
        const uint64_t a = slots[o->slot[1]], b = slots[o->slot[2]], c = slots[o->slot[3]];        \
        const uint64_t offset = (uint64_t)o->offset;                                               \
        (void)a, (void)b, (void)c, (void)offset;                                                   \
        slots[o->slot[0]] = expression;                                                            \
        break;                                                                                     \
    }
            PTX_PLAIN_OPERATIONS(PLAIN)
#undef PLAIN
#define TYPED(operation, suffix, c_type, expression)                                               \
    case PTX_##operation##suffix: {                                                                \
        typedef c_type type;                                                                       \
        const type x = (type)slots[o->slot[1]], y = (type)slots[o->slot[2]];                       \
        const uint32_t shift = (uint32_t)slots[o->slot[2]], bits = 8 * (uint32_t)sizeof(type);     \
        const int64_t wide = (int64_t)x;                                                           \
        const bool negative = IS_SIGNED_##suffix && wide < 0;                                      \
        (void)x, (void)y, (void)shift, (void)bits, (void)negative;                                 \
        slots[o->slot[0]] = expression;                                                            \
        break;                                                                                     \
    }
#define OPERATION(operation, expression) PTX_TYPES(TYPED, operation, expression)
            // cppcheck-suppress shiftTooManyBitsSigned ; each type is shifted by less than its bits
            PTX_TYPED_OPERATIONS(OPERATION)
#undef OPERATION
#undef TYPED
        case PTX_LOAD:
        case PTX_LOAD_PARAMETER:
            if (!load(m, o))
                goto stopped;
            break;
        case PTX_STORE:
            if (!store(m, o))
                goto stopped;
            break;
        case PTX_BRANCH:
            pc = o->target;
            if (instructions > INSTRUCTIONS_MAXIMUM) {
                fault(m, PTX_TOO_LONG, 0, 0);
                goto stopped;
            }
            break;
        case PTX_BRANCH_IF:
        case PTX_BRANCH_UNLESS:
            if ((slots[o->slot[0]] != 0) == (o->code == PTX_BRANCH_IF))
                pc = o->target;
            if (instructions > INSTRUCTIONS_MAXIMUM) {
                fault(m, PTX_TOO_LONG, 0, 0);
                goto stopped;
            }
            break;
        case PTX_SKIP_IF:
            pc += slots[o->slot[0]] != 0;
            break;
        case PTX_SKIP_UNLESS:
            pc += slots[o->slot[0]] == 0;
            break;
        case PTX_BARRIER:
        case PTX_EXIT:
            goto ended;
        }
    }
stopped:
    m->outcome.line = operations[pc - 1].line;
ended:
    m->outcome.instructions += instructions;
    return pc;
}

/* Special registers of a thread. */
static void set_thread(machine *m, uint32_t thread)
{
    const uint32_t *block = m->launch->block;
    m->slots[PTX_TID] = thread % block[0];
    m->slots[PTX_TID + 1] = thread / block[0] % block[1];
    m->slots[PTX_TID + 2] = thread / block[0] / block[1];
    m->slots[PTX_LANEID] = thread % 32;
    m->slots[PTX_WARPID] = thread / 32;
}

static void set_block(uint64_t *slots, const ptx_launch *launch, const uint32_t at[3])
{
    for (uint32_t d = 0; d < 3; d++) {
        slots[PTX_NTID + d] = launch->block[d];
        slots[PTX_CTAID + d] = at[d];
        slots[PTX_NCTAID + d] = launch->grid[d];
    }
}

/* What each thread of a block keeps; threads that never meet share one place. */
typedef struct block_state {
    uint64_t *slots;
    unsigned char *local;
    size_t *pc;
    size_t slot_count;
    uint32_t threads, places;
} block_state;

/* Runs all threads to their next barrier; the number of those that are not at their end. */
static uint32_t run_phase(machine *m, block_state *s, const uint32_t at[3])
{
    uint32_t waiting = 0;
    for (uint32_t t = 0; t < s->threads && m->outcome.fault == PTX_DONE; t++) {
        const uint32_t own = s->places == 1 ? 0 : t;
        size_t *pc = &s->pc[t];
        m->slots = s->slots + own * s->slot_count;
        m->local = s->local + (size_t)own * m->kernel->local_bytes;
        if (*pc == SIZE_MAX)
            continue;
        if (*pc == 0) {
            set_thread(m, t);
            set_block(m->slots, m->launch, at);
        }
        *pc = run_thread(m, *pc);
        if (m->kernel->operations[*pc - 1].code == PTX_EXIT)
            *pc = SIZE_MAX;
        else
            waiting++;
    }
    return waiting;
}

static void run_blocks(machine *m, block_state *s)
{
    uint32_t at[3];
    for (at[2] = 0; at[2] < m->launch->grid[2]; at[2]++) {
        for (at[1] = 0; at[1] < m->launch->grid[1]; at[1]++) {
            for (at[0] = 0; at[0] < m->launch->grid[0]; at[0]++) {
                memset(s->pc, 0, s->threads * sizeof(*s->pc));
                while (run_phase(m, s, at) > 0 && m->outcome.fault == PTX_DONE)
                    continue;
                if (m->outcome.fault != PTX_DONE)
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
    block_state s = {.slot_count = kernel->first_constant + kernel->constant_count,
                     .threads = launch->block[0] * launch->block[1] * launch->block[2]};
    s.places = kernel->barriers ? s.threads : 1;
    s.slots = calloc(s.places * s.slot_count, sizeof(*s.slots));
    s.local = malloc((size_t)s.places * kernel->local_bytes + 1);
    s.pc = malloc(s.threads * sizeof(*s.pc));
    m.shared = malloc((size_t)m.shared_bytes + 1);
    if (s.slots == NULL || s.local == NULL || s.pc == NULL || m.shared == NULL) {
        m.outcome.fault = PTX_NO_MEMORY;
    } else {
        for (uint32_t i = 0; i < s.places; i++)
            memcpy(s.slots + i * s.slot_count + kernel->first_constant, kernel->constants,
                   kernel->constant_count * sizeof(*kernel->constants));
        run_blocks(&m, &s);
    }
    free(s.slots);
    free(s.local);
    free(s.pc);
    free(m.shared);
    return m.outcome;
}
