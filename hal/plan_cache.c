/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The plan cache: a set-associative table under one lock. Plans that own a temporary leave it
 * through a list of retired plans, where they stay until their last run is done.
 */
#include "hal/plan_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/remote.h"

#define SET_COUNT 16
#define WAY_COUNT 4
#define ENTRY_COUNT ((size_t)SET_COUNT * WAY_COUNT)

/* Temporaries that the cache keeps at most. */
#define TEMPORARY_LIMIT_BYTES ((uint64_t)64 << 20)

struct entry {
    astride_plan *plan; /* a reference, or NULL */
    uint64_t hash;
    uint64_t last_use;
};

struct retired {
    astride_plan *plan; /* a reference */
    struct retired *next;
};

struct astride__plan_cache {
    pthread_mutex_t lock;
    uint64_t clock;
    uint64_t temporary_bytes; /* of the plans in `entries` */
    struct entry entries[ENTRY_COUNT];
    struct retired *retired;
};

astride__plan_cache *astride__plan_cache_create(void)
{
    astride__plan_cache *cache = calloc(1, sizeof *cache);
    if (cache != NULL && pthread_mutex_init(&cache->lock, NULL) != 0) {
        free(cache);
        return NULL;
    }
    return cache;
}

static struct entry *set_of(astride__plan_cache *cache, uint64_t hash)
{
    return &cache->entries[hash % SET_COUNT * WAY_COUNT];
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

static uint64_t hash_of(const astride__description *description, const astride__binding *binding)
{
    uint64_t hash = mix((uint64_t)description->rank, description->element_bytes);
    for (int32_t d = 0; d < description->rank; d++) {
        hash = mix(hash, (uint64_t)description->extents[d]);
        hash = mix(hash, (uint64_t)description->dst_strides[d]);
        hash = mix(hash, (uint64_t)description->src_strides[d]);
    }
    hash = mix(hash, (uint64_t)binding->dst.kind * 8 + (uint64_t)binding->src.kind);
    if (binding->reaches_intersect)
        hash = mix(hash, binding->dst.base - binding->src.base);
    return hash;
}

/* Whether the sides are on the devices that the plan is for. */
static bool matches_places(const astride_plan *plan, const astride__binding *binding)
{
    astride_device *target;
    if (astride__binding_placement(binding, &target) == ASTRIDE__LOCAL)
        return plan->dst_owner == NULL && plan->src_owner == NULL;
    return plan->dst_owner == binding->dst.owner && plan->src_owner == binding->src.owner;
}

/* The device that carries it out may see memory that looks the same from here as another kind. */
static bool suits_target(const astride_plan *plan, const astride__binding *binding)
{
    astride__error_detail saved;
    if (plan->remote == NULL)
        return true;
    astride__error_save(&saved);
    const astride_status status =
        astride__remote_accepts(plan->remote, &plan->description, binding);
    astride__error_restore(&saved);
    return status == ASTRIDE_OK;
}

static bool matches(const astride_plan *plan, const astride__description *description,
                    const astride__binding *binding)
{
    const astride__description *own = &plan->description;
    const size_t size = (size_t)description->rank * sizeof own->extents[0];
    return own->rank == description->rank && own->element_bytes == description->element_bytes &&
           plan->situation.dst_kind == binding->dst.kind &&
           plan->situation.src_kind == binding->src.kind && matches_places(plan, binding) &&
           plan->situation.dst_peer == binding->dst.peer &&
           plan->situation.src_peer == binding->src.peer &&
           plan->situation.same_allocation == binding->same_allocation &&
           plan->bound == binding->reaches_intersect &&
           (!plan->bound || plan->distance == binding->dst.base - binding->src.base) &&
           memcmp(own->extents, description->extents, size) == 0 &&
           memcmp(own->dst_strides, description->dst_strides, size) == 0 &&
           memcmp(own->src_strides, description->src_strides, size) == 0 &&
           suits_target(plan, binding);
}

/* Frees retired plans that nobody runs any more. The lock is held. */
static void reap(astride__plan_cache *cache)
{
    struct retired **link = &cache->retired;
    while (*link != NULL) {
        struct retired *item = *link;
        if (atomic_load(&item->plan->references) == 1 && astride__plan_is_idle(item->plan)) {
            *link = item->next;
            astride__plan_release(item->plan);
            free(item);
        } else {
            link = &item->next;
        }
    }
}

/* Takes over a reference that must not be dropped before the plan is idle. The lock is held. */
static void retire(astride__plan_cache *cache, astride_plan *plan)
{
    const bool owns = plan->staged != NULL || plan->remote != NULL;
    struct retired *item = owns ? malloc(sizeof *item) : NULL;
    if (item != NULL) {
        *item = (struct retired){plan, cache->retired};
        cache->retired = item;
        return;
    }
    /* Without memory for the list there is only waiting. */
    astride__plan_wait_idle(plan);
    astride__plan_release(plan);
}

static void evict(astride__plan_cache *cache, struct entry *entry)
{
    if (entry->plan == NULL)
        return;
    cache->temporary_bytes -= astride__plan_temporary_bytes(entry->plan);
    retire(cache, entry->plan);
    entry->plan = NULL;
}

static struct entry *least_recent(struct entry *first, size_t count, bool staged_only)
{
    struct entry *oldest = NULL;
    for (size_t i = 0; i < count; i++) {
        if (staged_only &&
            (first[i].plan == NULL || astride__plan_temporary_bytes(first[i].plan) == 0))
            continue;
        if (oldest == NULL || first[i].plan == NULL || first[i].last_use < oldest->last_use)
            oldest = &first[i];
        if (oldest->plan == NULL)
            break;
    }
    return oldest;
}

/* Adds a plan of which the caller keeps a reference. The lock is held. */
static void insert(astride__plan_cache *cache, uint64_t hash, astride_plan *plan)
{
    const uint64_t bytes = astride__plan_temporary_bytes(plan);
    astride__plan_retain(plan);
    if (bytes > TEMPORARY_LIMIT_BYTES) {
        retire(cache, plan);
        return;
    }
    while (cache->temporary_bytes + bytes > TEMPORARY_LIMIT_BYTES)
        evict(cache, least_recent(cache->entries, ENTRY_COUNT, true));
    struct entry *place = least_recent(set_of(cache, hash), WAY_COUNT, false);
    evict(cache, place);
    *place = (struct entry){plan, hash, ++cache->clock};
    cache->temporary_bytes += bytes;
}

static astride_plan *find(astride__plan_cache *cache, uint64_t hash,
                          const astride__description *description, const astride__binding *binding)
{
    struct entry *set = set_of(cache, hash);
    for (size_t way = 0; way < WAY_COUNT; way++) {
        if (set[way].plan != NULL && set[way].hash == hash &&
            matches(set[way].plan, description, binding)) {
            set[way].last_use = ++cache->clock;
            astride__plan_retain(set[way].plan);
            return set[way].plan;
        }
    }
    return NULL;
}

astride_status astride__plan_cache_get(astride__plan_cache *cache, astride_device *device,
                                       const astride__description *description,
                                       const astride__binding *binding, astride_plan **plan_out)
{
    const uint64_t hash = hash_of(description, binding);
    pthread_mutex_lock(&cache->lock);
    reap(cache);
    astride_plan *plan = find(cache, hash, description, binding);
    pthread_mutex_unlock(&cache->lock);
    if (plan == NULL) {
        /* Two threads may plan the same copy at once; the cache then holds both for a while. */
        const astride_status status =
            astride__plan_build(device, description, binding, binding->dst.kind, binding->src.kind,
                                device->forced_strategy, &plan);
        if (status != ASTRIDE_OK)
            return status;
        pthread_mutex_lock(&cache->lock);
        insert(cache, hash, plan);
        pthread_mutex_unlock(&cache->lock);
    }
    *plan_out = plan;
    return ASTRIDE_OK;
}

/* Waits for retired plans that involve `other` (NULL: for all) and frees them. The lock is held. */
static void drain(astride__plan_cache *cache, const astride_device *other)
{
    struct retired **link = &cache->retired;
    while (*link != NULL) {
        struct retired *item = *link;
        if (other != NULL && item->plan->dst_owner != other && item->plan->src_owner != other) {
            link = &item->next;
            continue;
        }
        *link = item->next;
        astride__plan_wait_idle(item->plan);
        astride__plan_release(item->plan);
        free(item);
    }
}

void astride__plan_cache_forget(astride__plan_cache *cache, const astride_device *other)
{
    pthread_mutex_lock(&cache->lock);
    for (size_t i = 0; i < ENTRY_COUNT; i++) {
        const astride_plan *plan = cache->entries[i].plan;
        if (plan != NULL && (plan->dst_owner == other || plan->src_owner == other))
            evict(cache, &cache->entries[i]);
    }
    drain(cache, other);
    pthread_mutex_unlock(&cache->lock);
}

void astride__plan_cache_destroy(astride__plan_cache *cache)
{
    if (cache == NULL)
        return;
    for (size_t i = 0; i < ENTRY_COUNT; i++)
        evict(cache, &cache->entries[i]);
    drain(cache, NULL);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}
