/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory of a simulated driver. The memory of a device is one file in memory, mapped twice: where
 * the program believes it to be nothing may be touched, the simulator has a view of its own. Pinned
 * and managed memory is ordinary. All that the driver knows is kept in one sorted list.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/simulators/common/internal.h"

/* Allocations of device memory begin at multiples of this and are followed by a gap. */
#define DEVICE_ALIGNMENT ((size_t)512)
#define HOST_ALIGNMENT ((size_t)4096)
/* New memory is filled with this, so that reading before writing shows. */
#define POISON 0xa5

typedef struct arena {
    unsigned char *public, *private;
    size_t bytes, used;
} arena;

static arena arenas[SIM_DEVICES_MAXIMUM];
static sim_range *ranges;
static size_t range_count, range_capacity;
static uint64_t generation, last_id;

/* Maps the memory of a device. */
static bool arena_open(arena *a)
{
    if (a->bytes != 0)
        return true;
    const size_t bytes = sim_setting.memory_bytes / HOST_ALIGNMENT * HOST_ALIGNMENT;
    const int file = memfd_create("simulated device memory", MFD_CLOEXEC);
    const size_t mapped = bytes + HOST_ALIGNMENT; /* the last allocation has a gap behind it too */
    if (file < 0 || bytes == 0 || ftruncate(file, (off_t)mapped) != 0) {
        if (file >= 0)
            close(file);
        return false;
    }
    void *outside = mmap(NULL, mapped, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
    void *inside = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    close(file);
    if (outside == MAP_FAILED || inside == MAP_FAILED) {
        if (outside != MAP_FAILED)
            munmap(outside, mapped);
        if (inside != MAP_FAILED)
            munmap(inside, mapped);
        return false;
    }
    a->public = outside;
    a->private = inside;
    a->bytes = bytes;
    return true;
}

/* The first range that ends behind the address. */
static size_t place_of(uintptr_t address)
{
    size_t low = 0, high = range_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ranges[middle].begin + ranges[middle].bytes <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int64_t *tally_of(sim_kind kind)
{
    switch (kind) {
    case SIM_DEVICE:
        return &sim_alive.device;
    case SIM_PINNED:
        return &sim_alive.pinned;
    case SIM_MANAGED:
        return &sim_alive.managed;
    default:
        return &sim_alive.registered;
    }
}

static bool insert(sim_range range)
{
    if (range_count == range_capacity) {
        const size_t capacity = range_capacity == 0 ? 64 : 2 * range_capacity;
        sim_range *grown = realloc(ranges, capacity * sizeof(*grown));
        if (grown == NULL)
            return false;
        ranges = grown;
        range_capacity = capacity;
    }
    const size_t place = place_of(range.begin);
    memmove(&ranges[place + 1], &ranges[place], (range_count - place) * sizeof(*ranges));
    range.id = ++last_id;
    ranges[place] = range;
    range_count++;
    generation++;
    ++*tally_of(range.kind);
    return true;
}

/* First fit among the gaps of an arena. */
static bool find_gap(const arena *a, size_t bytes, uintptr_t *begin_out)
{
    const uintptr_t base = (uintptr_t)a->public, end = base + a->bytes;
    uintptr_t begin = base;
    for (size_t i = place_of(base); i < range_count && ranges[i].begin < end; i++) {
        if (ranges[i].begin - begin >= bytes + DEVICE_ALIGNMENT && ranges[i].begin > begin)
            break;
        const uintptr_t behind = ranges[i].begin + ranges[i].bytes + DEVICE_ALIGNMENT;
        begin = base + (behind - base + DEVICE_ALIGNMENT - 1) / DEVICE_ALIGNMENT * DEVICE_ALIGNMENT;
        if (begin > end)
            return false;
    }
    *begin_out = begin;
    return end - begin >= bytes;
}

bool sim_memory_alloc(sim_context *context, size_t bytes, uintptr_t *address_out)
{
    arena *a = &arenas[context->device];
    uintptr_t begin;
    if (!arena_open(a) || bytes > a->bytes || !find_gap(a, bytes, &begin))
        return false;
    const intptr_t to_private = (intptr_t)((uintptr_t)a->private - (uintptr_t)a->public);
    if (!insert((sim_range){begin, bytes, SIM_DEVICE, context, to_private, 0, 0}))
        return false;
    memset((unsigned char *)begin + to_private, POISON, bytes);
    a->used += bytes;
    *address_out = begin;
    return true;
}

bool sim_memory_alloc_host(sim_context *context, size_t bytes, sim_kind kind, unsigned flags,
                           uintptr_t *address_out)
{
    void *memory = NULL;
    if (bytes > SIZE_MAX / 2 || posix_memalign(&memory, HOST_ALIGNMENT, bytes) != 0)
        return false;
    if (!insert((sim_range){(uintptr_t)memory, bytes, kind, context, 0, 0, flags})) {
        free(memory);
        return false;
    }
    memset(memory, POISON, bytes);
    *address_out = (uintptr_t)memory;
    return true;
}

bool sim_memory_register(sim_context *context, uintptr_t address, size_t bytes, unsigned flags)
{
    const size_t place = place_of(address);
    if (place < range_count && ranges[place].begin < address + bytes)
        return false;
    return insert((sim_range){address, bytes, SIM_REGISTERED, context, 0, 0, flags});
}

static void remove_place(size_t place)
{
    const sim_range range = ranges[place];
    range_count--;
    memmove(&ranges[place], &ranges[place + 1], (range_count - place) * sizeof(*ranges));
    generation++;
    --*tally_of(range.kind);
    if (range.kind == SIM_DEVICE)
        arenas[range.context->device].used -= range.bytes;
    else if (range.kind != SIM_REGISTERED)
        free((void *)range.begin);
}

bool sim_memory_remove(uintptr_t address, sim_kind kind)
{
    const size_t place = place_of(address);
    if (place == range_count || ranges[place].begin != address || ranges[place].kind != kind)
        return false;
    remove_place(place);
    return true;
}

void sim_memory_remove_all(sim_context *context)
{
    for (size_t i = range_count; i > 0; i--)
        if (ranges[i - 1].context == context)
            remove_place(i - 1);
}

const sim_range *sim_memory_find(uintptr_t address)
{
    const size_t place = place_of(address);
    return place < range_count && ranges[place].begin <= address ? &ranges[place] : NULL;
}

const sim_range *sim_memory_ranges(size_t *count_out, uint64_t *generation_out)
{
    *count_out = range_count;
    *generation_out = generation;
    return ranges;
}

size_t sim_memory_used(int device)
{
    return arenas[device].used;
}

bool sim_memory_reachable(const sim_context *context, const sim_range *range)
{
    if (range->kind != SIM_DEVICE || range->context->device == context->device)
        return true;
    return context->peers[range->context->device] == range->context;
}
