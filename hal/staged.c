/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Staged copies. The normalised copy is cut into blocks along one dimension; each block is packed
 * into a dense temporary, perhaps moved to a second one on the other side of the bus, and unpacked.
 * An in-order queue makes one set of temporaries enough; overlapping sides take a single block, so
 * that all is read before anything is written.
 */
#include "hal/staged.h"

#include <pthread.h>
#include <stdlib.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/log.h"
#include "hal/plan.h"

/* Block size where the backend names none. */
#define DEFAULT_BLOCK_BYTES ((size_t)4 << 20)

#define MAXIMUM_TEMPORARIES 2
#define MAXIMUM_LEGS (MAXIMUM_TEMPORARIES + 1)

/* A full block, and the shorter one at the end of the blocked dimension. */
enum block_shape { FULL_BLOCK, TAIL_BLOCK, BLOCK_SHAPES };

/* The way of a block: the kinds of memory between source and destination. */
typedef struct route {
    int32_t temporary_count;
    astride_memory_kind kinds[MAXIMUM_TEMPORARIES];
    /* The temporaries are dense in the order of the source's strides, not of the destination's, so
       that the last leg is the one that reorders. */
    bool by_source;
} route;

/* Routes of one situation: up to three ways, in both orders. */
#define MAXIMUM_ROUTES 6

struct astride__staged {
    astride_device *device;
    astride__situation situation;
    astride__geometry geometry; /* as given, but with the unit cut when a unit exceeds a block */
    int32_t block_dimension;    /* dimensions before it are looped over, one block each */
    int64_t block_extent;       /* steps of block_dimension in a full block */
    int64_t full_blocks;        /* per walk along block_dimension */
    int64_t tail_extent;        /* 0: no tail */
    size_t block_bytes;
    route route;
    astride__method legs[BLOCK_SHAPES][MAXIMUM_LEGS];

    astride__side temporaries[MAXIMUM_TEMPORARIES];
    pthread_mutex_t lock;        /* one run at a time enters its blocks */
    astride_backend_event *done; /* of the latest run; NULL before prepare */
    const astride_queue *latest; /* queue of that run; compared, never dereferenced */
};

static int64_t magnitude(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

static bool is_host_side(astride_memory_kind kind)
{
    return kind == ASTRIDE_MEMORY_HOST || kind == ASTRIDE_MEMORY_PINNED;
}

/* Lists the ways worth judging; returns their number. */
static int32_t list_ways(const astride__situation *situation, route routes[3])
{
    const bool from_host = is_host_side(situation->src_kind);
    const bool to_host = is_host_side(situation->dst_kind);
    const route pinned = {1, {ASTRIDE_MEMORY_PINNED, ASTRIDE_MEMORY_HOST}, false};
    const route device = {1, {ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_HOST}, false};

    if (from_host && to_host) {
        routes[0] = pinned;
        return 1;
    }
    if (!from_host && !to_host) {
        routes[0] = device;
        return 1;
    }
    routes[0] = pinned;
    routes[1] = device;
    routes[2] = (route){2, {ASTRIDE_MEMORY_PINNED, ASTRIDE_MEMORY_DEVICE}, false};
    if (to_host)
        routes[2] = (route){2, {ASTRIDE_MEMORY_DEVICE, ASTRIDE_MEMORY_PINNED}, false};
    return 3;
}

/* Whether the source's strides of the dimensions inside a block ascend somewhere. */
static bool source_is_reordered(const astride__staged *staged)
{
    const astride__geometry *geometry = &staged->geometry;
    for (int32_t d = staged->block_dimension + 1; d < geometry->rank; d++) {
        if (magnitude(geometry->src_strides[d]) > magnitude(geometry->src_strides[d - 1]))
            return true;
    }
    return false;
}

static int32_t list_routes(const astride__staged *staged, route routes[MAXIMUM_ROUTES])
{
    const int32_t ways = list_ways(&staged->situation, routes);
    if (!source_is_reordered(staged))
        return ways;
    for (int32_t i = 0; i < ways; i++) {
        routes[ways + i] = routes[i];
        routes[ways + i].by_source = true;
    }
    return 2 * ways;
}

/* Decides how the geometry is cut. */
static void cut_into_blocks(astride__staged *staged)
{
    astride__geometry *geometry = &staged->geometry;
    size_t target = staged->device->properties.staging_chunk_bytes;
    if (target == 0)
        target = DEFAULT_BLOCK_BYTES;
    if (staged->situation.overlapping)
        target = SIZE_MAX;

    if (geometry->rank == 0 || geometry->unit_bytes > target) {
        /* Cut the unit itself, as a dimension of single bytes. */
        geometry->extents[geometry->rank] = (int64_t)geometry->unit_bytes;
        geometry->dst_strides[geometry->rank] = 1;
        geometry->src_strides[geometry->rank] = 1;
        geometry->unit_bytes = 1;
        geometry->rank++;
    }
    /* Take whole dimensions into the block as long as they fit. */
    size_t inner_bytes = geometry->unit_bytes;
    int32_t d = geometry->rank - 1;
    for (; d > 0 && (size_t)geometry->extents[d] <= target / inner_bytes; d--)
        inner_bytes *= (size_t)geometry->extents[d];

    const int64_t extent = geometry->extents[d];
    int64_t steps = extent;
    if (target / inner_bytes < (size_t)extent)
        steps = target < inner_bytes ? 1 : (int64_t)(target / inner_bytes);
    staged->block_dimension = d;
    staged->block_extent = steps;
    staged->full_blocks = extent / steps;
    staged->tail_extent = extent % steps;
    staged->block_bytes = inner_bytes * (size_t)steps;
}

/* The dimensions of a block, outermost first in a temporary. */
static void order_block(const astride__staged *staged, int32_t rank, int32_t *order)
{
    const int64_t *strides = &staged->geometry.src_strides[staged->block_dimension];
    for (int32_t i = 0; i < rank; i++) {
        int32_t place = i;
        for (; staged->route.by_source && place > 0 &&
               magnitude(strides[order[place - 1]]) < magnitude(strides[i]);
             place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
}

/* The normalised copy of one leg: between a side's own strides and dense, or dense on both sides.
 */
static void leg_geometry(const astride__staged *staged, int64_t block_extent, bool dense_dst,
                         bool dense_src, astride__geometry *leg)
{
    const astride__geometry *whole = &staged->geometry;
    const int32_t first = staged->block_dimension;
    astride__description block = {.rank = whole->rank - first, .element_bytes = whole->unit_bytes};
    int64_t dense = (int64_t)whole->unit_bytes;
    int32_t order[ASTRIDE_MAX_RANK];
    order_block(staged, block.rank, order);
    for (int32_t place = block.rank - 1; place >= 0; place--) {
        const int32_t i = order[place];
        block.extents[i] = i == 0 ? block_extent : whole->extents[first + i];
        block.dst_strides[i] = dense_dst ? dense : whole->dst_strides[first + i];
        block.src_strides[i] = dense_src ? dense : whole->src_strides[first + i];
        dense *= block.extents[i];
    }
    astride__normalise(&block, leg);
}

/* Fills the legs of one block shape for the staged copy's route; false where a leg is impossible.
 */
static bool choose_legs(astride__staged *staged, enum block_shape shape, double *cost_ns,
                        uint64_t *calls)
{
    const int32_t temporaries = staged->route.temporary_count;
    const int64_t extent = shape == FULL_BLOCK ? staged->block_extent : staged->tail_extent;
    *cost_ns = 0;
    *calls = 0;
    for (int32_t leg = 0; leg <= temporaries; leg++) {
        const bool first = leg == 0, last = leg == temporaries;
        const astride__situation situation = {
            .device = staged->device,
            .src_kind = first ? staged->situation.src_kind : staged->route.kinds[leg - 1],
            .dst_kind = last ? staged->situation.dst_kind : staged->route.kinds[leg],
            .src_peer = first && staged->situation.src_peer,
            .dst_peer = last && staged->situation.dst_peer};
        astride__method *method = &staged->legs[shape][leg];
        astride__candidate candidate;
        leg_geometry(staged, extent, !last, !first, &method->geometry);
        if (!astride__method_choose(&situation, method, &candidate))
            return false;
        *cost_ns += candidate.cost_ns;
        *calls += candidate.calls;
    }
    return true;
}

static uint64_t walks(const astride__staged *staged)
{
    uint64_t count = 1;
    for (int32_t d = 0; d < staged->block_dimension; d++)
        count *= (uint64_t)staged->geometry.extents[d];
    return count;
}

/* Judges the route that is set: all blocks of all walks. */
static bool judge_route(astride__staged *staged, astride__candidate *candidate)
{
    double cost = 0, tail_cost = 0;
    uint64_t calls = 0, tail_calls = 0;
    if (!choose_legs(staged, FULL_BLOCK, &cost, &calls))
        return false;
    if (staged->tail_extent > 0 && !choose_legs(staged, TAIL_BLOCK, &tail_cost, &tail_calls))
        return false;
    const uint64_t count = walks(staged);
    *candidate = (astride__candidate){
        .cost_ns = (double)count * ((double)staged->full_blocks * cost + tail_cost),
        .calls = count * ((uint64_t)staged->full_blocks * calls + tail_calls)};
    return true;
}

astride__staged *astride__staged_design(const astride__situation *situation,
                                        const astride__geometry *geometry,
                                        astride__candidate *candidate)
{
    candidate->obstacle = ASTRIDE__TEMPORARY_MEMORY;
    if (geometry->rank == ASTRIDE_MAX_RANK)
        return NULL; /* no room to cut the unit; such a copy has more than 2^63 bytes anyway */
    astride__staged *staged = calloc(1, sizeof *staged);
    if (staged == NULL)
        return NULL;
    if (pthread_mutex_init(&staged->lock, NULL) != 0) {
        free(staged);
        return NULL;
    }
    staged->device = situation->device;
    staged->situation = *situation;
    staged->geometry = *geometry;
    cut_into_blocks(staged);

    route routes[MAXIMUM_ROUTES];
    const int32_t route_count = list_routes(staged, routes);
    int32_t best = -1;
    for (int32_t i = 0; i < route_count; i++) {
        astride__candidate judged;
        staged->route = routes[i];
        if (!judge_route(staged, &judged))
            continue;
        if (best < 0 || judged.cost_ns < candidate->cost_ns) {
            best = i;
            *candidate = judged;
        }
    }
    if (best < 0) {
        *candidate = (astride__candidate){.obstacle = ASTRIDE__KERNEL_REACH};
        astride__staged_destroy(staged);
        return NULL;
    }
    staged->route = routes[best];
    judge_route(staged, candidate);
    return staged;
}

astride_status astride__staged_prepare(astride__staged *staged)
{
    const astride_plugin *plugin = staged->device->plugin;
    for (int32_t i = 0; i < staged->route.temporary_count; i++) {
        void *address, *allocation;
        const astride_memory_kind kind = staged->route.kinds[i];
        const astride_status status = plugin->memory_alloc(
            staged->device->backend, staged->block_bytes, kind, &address, &allocation);
        if (status != ASTRIDE_OK) {
            astride__fail_prefix("temporary of %zu bytes: ", staged->block_bytes);
            return status;
        }
        staged->temporaries[i] =
            (astride__side){kind, (uintptr_t)address, (uintptr_t)address, allocation, false};
    }
    return plugin->event_create(staged->device->backend, &staged->done);
}

void astride__staged_destroy(astride__staged *staged)
{
    if (staged == NULL)
        return;
    const astride_plugin *plugin = staged->device->plugin;
    if (staged->done != NULL)
        plugin->event_destroy(staged->done);
    for (int32_t i = 0; i < MAXIMUM_TEMPORARIES; i++) {
        const astride__side *temporary = &staged->temporaries[i];
        if (temporary->base != 0)
            plugin->memory_free(staged->device->backend, (void *)temporary->base,
                                temporary->allocation);
    }
    pthread_mutex_destroy(&staged->lock);
    free(staged);
}

/* Enqueues the legs of one block. The sides' bases are those of the block. */
static astride_status run_block(astride__staged *staged, enum block_shape shape, astride_plan *plan,
                                astride_queue *queue, const astride__side *dst,
                                const astride__side *src)
{
    const int32_t temporaries = staged->route.temporary_count;
    for (int32_t leg = 0; leg <= temporaries; leg++) {
        const astride__side *from = leg == 0 ? src : &staged->temporaries[leg - 1];
        const astride__side *to = leg == temporaries ? dst : &staged->temporaries[leg];
        const astride_status status =
            astride__method_run(&staged->legs[shape][leg], plan, queue, to, from);
        if (status != ASTRIDE_OK)
            return status;
    }
    return ASTRIDE_OK;
}

static astride_status run_walk(astride__staged *staged, astride_plan *plan, astride_queue *queue,
                               astride__side dst, astride__side src)
{
    const int32_t d = staged->block_dimension;
    const int64_t dst_step = staged->block_extent * staged->geometry.dst_strides[d];
    const int64_t src_step = staged->block_extent * staged->geometry.src_strides[d];
    for (int64_t block = 0; block < staged->full_blocks; block++) {
        const astride_status status = run_block(staged, FULL_BLOCK, plan, queue, &dst, &src);
        if (status != ASTRIDE_OK)
            return status;
        dst.base += (uintptr_t)dst_step;
        src.base += (uintptr_t)src_step;
    }
    if (staged->tail_extent == 0)
        return ASTRIDE_OK;
    return run_block(staged, TAIL_BLOCK, plan, queue, &dst, &src);
}

static astride_status run_walks(astride__staged *staged, astride_plan *plan, astride_queue *queue,
                                const astride__side *dst, const astride__side *src)
{
    const astride__geometry *geometry = &staged->geometry;
    int64_t index[ASTRIDE_MAX_RANK] = {0};
    astride__side dst_block = *dst, src_block = *src;
    dst_block.base += (uintptr_t)geometry->dst_offset;
    src_block.base += (uintptr_t)geometry->src_offset;
    for (;;) {
        const astride_status status = run_walk(staged, plan, queue, dst_block, src_block);
        if (status != ASTRIDE_OK)
            return status;
        int32_t d = staged->block_dimension - 1;
        for (; d >= 0; d--) {
            dst_block.base += (uintptr_t)geometry->dst_strides[d];
            src_block.base += (uintptr_t)geometry->src_strides[d];
            if (++index[d] < geometry->extents[d])
                break;
            dst_block.base -= (uintptr_t)(geometry->extents[d] * geometry->dst_strides[d]);
            src_block.base -= (uintptr_t)(geometry->extents[d] * geometry->src_strides[d]);
            index[d] = 0;
        }
        if (d < 0)
            return ASTRIDE_OK;
    }
}

astride_status astride__staged_run(astride__staged *staged, astride_plan *plan,
                                   astride_queue *queue, const astride__side *dst,
                                   const astride__side *src)
{
    const astride_plugin *plugin = queue->device->plugin;
    astride_status status = ASTRIDE_OK;
    pthread_mutex_lock(&staged->lock);
    /* Another queue may still be using the temporaries. */
    if (staged->latest != NULL && staged->latest != queue)
        status = plugin->queue_wait_event(queue->backend, staged->done);
    if (status == ASTRIDE_OK) {
        status = run_walks(staged, plan, queue, dst, src);
        /* Also after a failure: what was enqueued before it uses the temporaries. */
        astride__error_detail detail;
        astride__error_save(&detail);
        staged->latest = queue;
        if (plugin->event_record(staged->done, queue->backend) != ASTRIDE_OK) {
            astride__log(ASTRIDE_LOG_WARN, "%s: event of a staged copy: %s", staged->device->spec,
                         astride_last_error());
            (void)plugin->queue_wait(queue->backend);
            staged->latest = NULL;
        }
        astride__error_restore(&detail);
    }
    pthread_mutex_unlock(&staged->lock);
    return status;
}

bool astride__staged_is_idle(astride__staged *staged)
{
    if (staged->done == NULL)
        return true;
    return staged->device->plugin->event_query(staged->done) != ASTRIDE_NOT_READY;
}

void astride__staged_wait_idle(astride__staged *staged)
{
    if (staged->done != NULL)
        (void)staged->device->plugin->event_wait(staged->done);
}

uint64_t astride__staged_temporary_bytes(const astride__staged *staged)
{
    return (uint64_t)staged->block_bytes * (uint64_t)staged->route.temporary_count;
}

uint64_t astride__staged_block_count(const astride__staged *staged)
{
    return walks(staged) * ((uint64_t)staged->full_blocks + (staged->tail_extent > 0));
}

int32_t astride__staged_leg_count(const astride__staged *staged)
{
    return staged->route.temporary_count + 1;
}

const astride__method *astride__staged_leg(const astride__staged *staged, int32_t leg,
                                           astride_memory_kind *to_out)
{
    const bool last = leg == staged->route.temporary_count;
    *to_out = last ? staged->situation.dst_kind : staged->route.kinds[leg];
    return &staged->legs[FULL_BLOCK][leg];
}
