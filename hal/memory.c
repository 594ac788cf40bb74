/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Allocation, registration, import and the map of what is known about addresses. The lock guards
 * the map only and is never held while a backend is called.
 */
#include "hal/memory.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/interval_map.h"
#include "hal/log.h"
#include "hal/process.h"
#include "hal/side.h"
#include "hal/trace.h"

/* Allocations of every backend are aligned to this. */
#define ALIGNMENT_BYTES 64

/* Bytes of astride_memory_info in the first version of the library. */
#define INFO_BYTES_MINIMUM (offsetof(astride_memory_info, bytes) + sizeof(size_t))

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static astride__interval_map map;
static _Atomic uint64_t generation = 1;

static void map_changed(void)
{
    atomic_fetch_add_explicit(&generation, 1, memory_order_release);
}

uint64_t astride__memory_generation(void)
{
    return atomic_load_explicit(&generation, memory_order_acquire);
}

static const char *device_spec(const astride__range *range)
{
    return astride_device_spec(range->device);
}

/* Adds a range unless it overlaps a known one, which is then written to `clash_out`. */
static astride_status add(const astride__range *range, const char *call, bool *clashes_out,
                          astride__range *clash_out)
{
    bool added = true;

    pthread_rwlock_wrlock(&lock);
    *clashes_out = astride__interval_map_overlap(&map, range->base, range->bytes, clash_out);
    if (!*clashes_out) {
        added = astride__interval_map_insert(&map, range);
        map_changed();
    }
    pthread_rwlock_unlock(&lock);
    if (!added)
        return astride__fail(ASTRIDE_OUT_OF_MEMORY, "%s: no memory to keep track of the range",
                             call);
    return ASTRIDE_OK;
}

static bool wraps_around(uintptr_t base, size_t bytes)
{
    return bytes > UINTPTR_MAX - base;
}

static astride_status check_allocation(const astride_device *device, const astride__range *range)
{
    if (range->base == 0 || range->base % ALIGNMENT_BYTES != 0 ||
        wraps_around(range->base, range->bytes))
        return astride__fail(ASTRIDE_INTERNAL,
                             "astride_memory_alloc: backend %s gave 0x%" PRIxPTR
                             " for %zu bytes, which is NULL, not aligned to %d or wraps around",
                             device->plugin->name, range->base, range->bytes, ALIGNMENT_BYTES);
    return ASTRIDE_OK;
}

static astride_status fail_allocation_clash(const astride_device *device,
                                            const astride__range *range,
                                            const astride__range *clash)
{
    if (clash->origin == ASTRIDE__RANGE_ALLOCATED)
        return astride__fail(ASTRIDE_INTERNAL,
                             "astride_memory_alloc: backend %s gave 0x%" PRIxPTR
                             " for %zu bytes, inside the live allocation of %zu bytes at "
                             "0x%" PRIxPTR " of %s",
                             device->plugin->name, range->base, range->bytes, clash->bytes,
                             clash->base, device_spec(clash));
    return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                         "astride_memory_alloc: backend %s gave 0x%" PRIxPTR
                         " for %zu bytes; the %zu bytes at 0x%" PRIxPTR
                         " there, which are %s %s, were freed by their owner too early",
                         device->plugin->name, range->base, range->bytes, clash->bytes, clash->base,
                         clash->origin == ASTRIDE__RANGE_IMPORTED ? "imported into"
                                                                  : "registered with",
                         device_spec(clash));
}

astride_status astride_memory_alloc(astride_device *device, size_t bytes, astride_memory_kind kind,
                                    void **address_out)
{
    static const char call[] = "astride_memory_alloc";
    astride__range range = {.kind = kind, .device = device, .origin = ASTRIDE__RANGE_ALLOCATED};
    astride__range clash;
    bool clashes = false;
    void *address = NULL;
    astride_status status = astride__device_check(device, call);

    if (status != ASTRIDE_OK)
        return status;
    if (address_out == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: address_out is NULL", call);
    if (kind != ASTRIDE_MEMORY_DEVICE && kind != ASTRIDE_MEMORY_PINNED &&
        kind != ASTRIDE_MEMORY_SHARED)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "%s: kind = %d is none of ASTRIDE_MEMORY_DEVICE, "
                             "ASTRIDE_MEMORY_PINNED and ASTRIDE_MEMORY_SHARED",
                             call, (int)kind);
    if (bytes > PTRDIFF_MAX)
        return astride__fail(ASTRIDE_OUT_OF_MEMORY, "%s: %zu bytes exceed the address space", call,
                             bytes);

    /* Nothing has no address of its own; one byte has. */
    range.bytes = bytes == 0 ? 1 : bytes;
    const uint64_t begun = astride__trace_begin();
    status = device->plugin->memory_alloc(device->backend, range.bytes, kind, &address,
                                          &range.allocation);
    astride__trace_end(begun, "allocate",
                       &(astride__trace_facts){.device = device->spec,
                                               .bytes = range.bytes,
                                               .to = astride__memory_kind_name(kind)});
    if (status != ASTRIDE_OK)
        return status;
    range.base = (uintptr_t)address;
    status = check_allocation(device, &range);
    if (status == ASTRIDE_OK)
        status = add(&range, call, &clashes, &clash);
    if (status == ASTRIDE_OK && clashes)
        status = fail_allocation_clash(device, &range, &clash);
    if (status != ASTRIDE_OK) {
        device->plugin->memory_free(device->backend, address, range.allocation);
        return status;
    }
    *address_out = address;
    return ASTRIDE_OK;
}

/* Calls the slot that undoes what made the range known. */
static void give_back(const astride__range *range)
{
    const astride_plugin *plugin = range->device->plugin;
    astride_backend_device *backend = range->device->backend;
    void *address = (void *)range->base;

    if (range->origin == ASTRIDE__RANGE_ALLOCATED)
        plugin->memory_free(backend, address, range->allocation);
    else if (range->origin == ASTRIDE__RANGE_REGISTERED)
        plugin->memory_unregister(backend, address, range->allocation);
    else if (range->origin == ASTRIDE__RANGE_IMPORTED)
        plugin->memory_release(backend, address, range->allocation);
}

/* Takes the range out that starts at `base`, is of the device and came to be known in a given way.
 */
static bool take(const astride_device *device, uintptr_t base, bool registered,
                 astride__range *range_out)
{
    bool taken = false;

    pthread_rwlock_wrlock(&lock);
    const astride__range *range = astride__interval_map_at(&map, base);
    if (range != NULL && range->device == device && range->origin != ASTRIDE__RANGE_PENDING &&
        (range->origin == ASTRIDE__RANGE_REGISTERED) == registered) {
        taken = astride__interval_map_remove(&map, base, range_out);
        map_changed();
    }
    pthread_rwlock_unlock(&lock);
    return taken;
}

static const char *origin_words(const astride__range *range)
{
    switch (range->origin) {
    case ASTRIDE__RANGE_ALLOCATED:
        return "allocation";
    case ASTRIDE__RANGE_IMPORTED:
        return "imported allocation";
    case ASTRIDE__RANGE_REGISTERED:
    case ASTRIDE__RANGE_PENDING:
    case ASTRIDE__RANGE_QUERIED:
        break;
    }
    return "registered range";
}

/* Says why an address cannot be given back: what it is instead, or what is near it. */
static astride_status fail_take(const astride_device *device, uintptr_t address, const char *call,
                                const char *wanted)
{
    astride__range near;
    bool known;

    pthread_rwlock_rdlock(&lock);
    known = astride__interval_map_find(&map, address, &near);
    pthread_rwlock_unlock(&lock);
    if (known && near.base == address)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "%s: 0x%" PRIxPTR " is the start of no %s of %s, but of the %s of %zu "
                             "bytes of %s",
                             call, address, wanted, device->spec, origin_words(&near), near.bytes,
                             device_spec(&near));
    if (known)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "%s: 0x%" PRIxPTR " is the start of no %s of %s; it is inside the %s "
                             "of %zu bytes at 0x%" PRIxPTR " of %s",
                             call, address, wanted, device->spec, origin_words(&near), near.bytes,
                             near.base, device_spec(&near));
    if (astride__memory_nearest((const void *)address, &near))
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "%s: 0x%" PRIxPTR " is the start of no %s of %s; the nearest known "
                             "range is the %s of %zu bytes at 0x%" PRIxPTR " of %s",
                             call, address, wanted, device->spec, origin_words(&near), near.bytes,
                             near.base, device_spec(&near));
    return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                         "%s: 0x%" PRIxPTR " is the start of no %s of %s; no range is known", call,
                         address, wanted, device->spec);
}

astride_status astride_memory_free(astride_device *device, void *address)
{
    static const char call[] = "astride_memory_free";
    astride__range range;
    astride_status status = astride__device_check(device, call);

    if (status != ASTRIDE_OK || address == NULL)
        return status;
    if (!take(device, (uintptr_t)address, false, &range))
        return fail_take(device, (uintptr_t)address, call, "allocation");
    give_back(&range);
    return ASTRIDE_OK;
}

static astride_status fail_known(const char *call, uintptr_t base, size_t bytes,
                                 const astride__range *clash)
{
    return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                         "%s: the %zu bytes at 0x%" PRIxPTR " overlap the %s of %zu bytes at "
                         "0x%" PRIxPTR " of %s",
                         call, bytes, base, origin_words(clash), clash->bytes, clash->base,
                         device_spec(clash));
}

/* Turns the pending range into a registered one, or takes it out where that failed. */
static void settle(uintptr_t base, astride_status outcome, void *allocation)
{
    astride__range removed;

    pthread_rwlock_wrlock(&lock);
    astride__range *range = astride__interval_map_at(&map, base);
    if (outcome == ASTRIDE_OK) {
        range->origin = ASTRIDE__RANGE_REGISTERED;
        range->allocation = allocation;
    } else {
        astride__interval_map_remove(&map, base, &removed);
    }
    map_changed();
    pthread_rwlock_unlock(&lock);
}

astride_status astride_memory_register(astride_device *device, void *address, size_t bytes)
{
    static const char call[] = "astride_memory_register";
    uintptr_t base = (uintptr_t)address;
    astride__range range = {.base = base,
                            .bytes = bytes,
                            .kind = ASTRIDE_MEMORY_PINNED,
                            .device = device,
                            .origin = ASTRIDE__RANGE_PENDING};
    astride__range clash;
    bool clashes;
    void *allocation = NULL;
    astride_status status = astride__device_check(device, call);

    if (status != ASTRIDE_OK)
        return status;
    if (address == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: address is NULL", call);
    if (bytes == 0)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: bytes is 0", call);
    if (wraps_around(base, bytes))
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "%s: the %zu bytes at 0x%" PRIxPTR " wrap around address 0", call,
                             bytes, base);
    if (device->plugin->memory_register == NULL)
        return astride__device_lacks(device, call, "memory_register");

    /* The place in the map is taken before the driver is asked, so that of two threads that
       register overlapping ranges only one gets there. */
    status = add(&range, call, &clashes, &clash);
    if (status != ASTRIDE_OK)
        return status;
    if (clashes)
        return fail_known(call, base, bytes, &clash);
    status = device->plugin->memory_register(device->backend, address, bytes, &allocation);
    settle(base, status, allocation);
    return status;
}

astride_status astride_memory_unregister(astride_device *device, void *address)
{
    static const char call[] = "astride_memory_unregister";
    astride__range range;
    astride_status status = astride__device_check(device, call);

    if (status != ASTRIDE_OK)
        return status;
    if (!take(device, (uintptr_t)address, true, &range))
        return fail_take(device, (uintptr_t)address, call, "registered range");
    give_back(&range);
    return ASTRIDE_OK;
}

astride_status astride_memory_import(astride_device *device, void *handle, size_t bytes,
                                     void **address_out)
{
    static const char call[] = "astride_memory_import";
    astride__range range = {.bytes = bytes,
                            .kind = ASTRIDE_MEMORY_DEVICE,
                            .device = device,
                            .origin = ASTRIDE__RANGE_IMPORTED};
    astride__range clash;
    bool clashes = false;
    void *address = NULL;
    astride_status status = astride__device_check(device, call);

    if (status != ASTRIDE_OK)
        return status;
    if (handle == NULL || address_out == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: %s is NULL", call,
                             handle == NULL ? "handle" : "address_out");
    if (bytes == 0)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: bytes is 0", call);
    if (device->plugin->memory_import == NULL)
        return astride__device_lacks(device, call, "memory_import");

    status =
        device->plugin->memory_import(device->backend, handle, bytes, &address, &range.allocation);
    if (status != ASTRIDE_OK)
        return status;
    range.base = (uintptr_t)address;
    if (range.base == 0 || wraps_around(range.base, bytes))
        status = astride__fail(ASTRIDE_INVALID_ARGUMENT,
                               "%s: the %zu bytes at 0x%" PRIxPTR " start at or wrap around "
                               "address 0",
                               call, bytes, range.base);
    if (status == ASTRIDE_OK)
        status = add(&range, call, &clashes, &clash);
    if (status == ASTRIDE_OK && clashes)
        status = fail_known(call, range.base, bytes, &clash);
    if (status != ASTRIDE_OK) {
        device->plugin->memory_release(device->backend, address, range.allocation);
        return status;
    }
    *address_out = address;
    return ASTRIDE_OK;
}

/* What the device's driver knows. */
static astride_status ask_driver(astride_device *device, const void *address,
                                 astride__range *range_out)
{
    astride_memory_kind kind = ASTRIDE_MEMORY_HOST;
    void *base = NULL;
    size_t bytes = 0;
    astride__error_detail saved;

    if (device == NULL || !device->properties.foreign_addresses ||
        device->plugin->memory_query == NULL)
        return ASTRIDE_NOT_FOUND;
    astride__error_save(&saved);
    const astride_status status =
        device->plugin->memory_query(device->backend, address, &kind, &base, &bytes);
    /* That the driver does not know the address is an answer and leaves no detail. */
    if (status == ASTRIDE_NOT_FOUND)
        astride__error_restore(&saved);
    if (status != ASTRIDE_OK)
        return status;
    *range_out = (astride__range){.base = (uintptr_t)base,
                                  .bytes = base == NULL ? 0 : bytes,
                                  .kind = kind,
                                  .device = device,
                                  .origin = ASTRIDE__RANGE_QUERIED};
    return ASTRIDE_OK;
}

/* What the map said of an address, and from which to which address it would say the same. */
typedef struct answer {
    uint64_t generation; /* of the map; 0: no answer */
    uintptr_t first, last;
    bool known;
    astride__range
        range; /* that holds the address, or, not known, the next one below (bytes 0: none) */
} answer;

/*
 * The latest answers to this thread. A copy asks for both of its sides, most often the same ones as
 * the copy before; as long as the map has not changed that takes no lock.
 */
#define ANSWER_COUNT 4
static _Thread_local struct {
    answer entries[ANSWER_COUNT];
    unsigned oldest;
} answers;

static void ask_map(uintptr_t address, answer *answer_out)
{
    astride__range above;

    pthread_rwlock_rdlock(&lock);
    *answer_out = (answer){.generation = astride__memory_generation(), .last = UINTPTR_MAX};
    if (astride__interval_map_below(&map, address, &answer_out->range)) {
        answer_out->known = address - answer_out->range.base < answer_out->range.bytes;
        answer_out->first = answer_out->range.base;
        if (!answer_out->known)
            answer_out->first += answer_out->range.bytes;
    }
    if (answer_out->known)
        answer_out->last = answer_out->range.base + (answer_out->range.bytes - 1);
    else if (astride__interval_map_above(&map, address, &above))
        answer_out->last = above.base - 1;
    pthread_rwlock_unlock(&lock);
}

static const answer *find_answer(uintptr_t address)
{
    const uint64_t now = astride__memory_generation();

    for (int i = 0; i < ANSWER_COUNT; i++) {
        const answer *entry = &answers.entries[i];

        if (entry->generation == now && address >= entry->first && address <= entry->last)
            return entry;
    }
    answer *entry = &answers.entries[answers.oldest++ % ANSWER_COUNT];
    ask_map(address, entry);
    return entry;
}

astride_status astride__memory_place(astride_device *device, const void *address,
                                     astride__place *place_out, astride__range *range_out)
{
    const answer *found = find_answer((uintptr_t)address);
    astride_status status;

    *place_out = ASTRIDE__PLACE_INSIDE;
    if (found->known && found->range.origin != ASTRIDE__RANGE_PENDING) {
        *range_out = found->range;
        return ASTRIDE_OK;
    }
    status = ask_driver(device, address, range_out);
    if (status != ASTRIDE_NOT_FOUND)
        return status;
    /* The driver may have been asked for long: `found` is this thread's own all the same. */
    *place_out = ASTRIDE__PLACE_UNKNOWN;
    if (!found->known && found->range.bytes != 0 && found->first == (uintptr_t)address) {
        *place_out = ASTRIDE__PLACE_BEHIND;
        *range_out = found->range;
    }
    return ASTRIDE_OK;
}

astride_status astride__memory_find(astride_device *device, const void *address,
                                    astride__range *range_out)
{
    astride__place place;
    astride_status status = astride__memory_place(device, address, &place, range_out);

    return status == ASTRIDE_OK && place != ASTRIDE__PLACE_INSIDE ? ASTRIDE_NOT_FOUND : status;
}

bool astride__memory_nearest(const void *address, astride__range *range_out)
{
    uintptr_t place = (uintptr_t)address;
    astride__range above;
    bool has_below;
    bool has_above;

    pthread_rwlock_rdlock(&lock);
    has_below = astride__interval_map_below(&map, place, range_out);
    has_above = astride__interval_map_above(&map, place, &above);
    pthread_rwlock_unlock(&lock);
    if (!has_above)
        return has_below;
    if (has_below) {
        uintptr_t offset = place - range_out->base;
        uintptr_t distance = offset < range_out->bytes ? 0 : offset - range_out->bytes + 1;
        if (distance <= above.base - place)
            return true;
    }
    *range_out = above;
    return true;
}

astride_status astride_memory_query(astride_device *device, const void *address,
                                    astride_memory_info *info_out)
{
    static const char call[] = "astride_memory_query";
    astride_memory_info info = {.kind = ASTRIDE_MEMORY_HOST};
    astride__range range;
    astride_status status = ASTRIDE_OK;

    if (info_out == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "%s: info_out is NULL", call);
    if (info_out->struct_size < INFO_BYTES_MINIMUM)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "%s: info_out->struct_size = %zu is below %zu", call,
                             info_out->struct_size, INFO_BYTES_MINIMUM);
    if (device != NULL)
        status = astride__device_check(device, call);
    if (status != ASTRIDE_OK)
        return status;
    status = astride__memory_find(device, address, &range);
    if (status != ASTRIDE_OK && status != ASTRIDE_NOT_FOUND) {
        astride__fail_prefix("%s: ", call);
        return status;
    }
    if (status == ASTRIDE_OK) {
        info.kind = range.kind;
        info.device = range.device;
        info.base = (void *)range.base;
        info.bytes = range.bytes;
    }
    info.struct_size = info_out->struct_size;
    memcpy(info_out, &info, info.struct_size < sizeof(info) ? info.struct_size : sizeof(info));
    return ASTRIDE_OK;
}

/* Takes out the first range of the device that starts at or above `base`. */
static bool take_next(const astride_device *device, uintptr_t base, astride__range *range_out)
{
    bool taken = false;

    pthread_rwlock_wrlock(&lock);
    while (astride__interval_map_above(&map, base, range_out)) {
        if (range_out->device == device && range_out->origin != ASTRIDE__RANGE_PENDING) {
            taken = astride__interval_map_remove(&map, range_out->base, range_out);
            map_changed();
            break;
        }
        if (range_out->base == UINTPTR_MAX)
            break;
        base = range_out->base + 1;
    }
    pthread_rwlock_unlock(&lock);
    return taken;
}

void astride__memory_release_all(astride_device *device)
{
    astride__range range;
    uintptr_t base = 0;
    size_t count = 0;
    size_t bytes = 0;

    while (take_next(device, base, &range)) {
        base = range.base;
        bytes += range.bytes;
        count++;
        give_back(&range);
    }
    if (count != 0)
        astride__log(ASTRIDE_LOG_WARN,
                     "%s is closed with %zu ranges of %zu bytes left; they are freed", device->spec,
                     count, bytes);
}

void astride__memory_after_fork(void)
{
    lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    map = (astride__interval_map){0};
    map_changed();
}
