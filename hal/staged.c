/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The design of staged copies. The normalised copy is cut into blocks along one dimension; each
 * block is packed into a dense temporary, perhaps moved to a second one on the other side of a bus,
 * and unpacked. Overlapping sides take a single block, so that all is read before anything is
 * written. How a design runs is in staged_run.c.
 */
#include "hal/staged.h"

#include <stdlib.h>

#include "hal/device.h"
#include "hal/error.h"

/* Block size and slots where the backend names none. */
#define DEFAULT_BLOCK_BYTES ((size_t)4 << 20)
#define DEFAULT_DEPTH 3

/* Routes of one situation: up to four ways, in both orders. */
#define MAXIMUM_ROUTES 8

/* The way of a block: the temporaries between source and destination. */
typedef struct route {
    int32_t temporary_count;
    struct {
        astride_device *device;
        astride_memory_kind kind;
    } temporaries[ASTRIDE__TEMPORARIES];
    bool by_source;
    /* The temporary between the two devices of a copy from one to the other; -1: one device, and
       the lanes, if there are two, meet wherever that is fastest. */
    int32_t ring;
} route;

/* What works while a leg runs: lanes that share none of it run at the same time. */
enum { HOST_PROCESSORS = 1, BUS = 2, DEVICE_MEMORY = 4 };

/* What the legs of a route cost. */
typedef struct leg_costs {
    double ns[ASTRIDE__BLOCK_SHAPES][ASTRIDE__LEGS];
    uint64_t calls[ASTRIDE__BLOCK_SHAPES];
    unsigned resources[ASTRIDE__LEGS];
} leg_costs;

static int64_t magnitude(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

static bool is_host_side(astride_memory_kind kind)
{
    return kind == ASTRIDE_MEMORY_HOST || kind == ASTRIDE_MEMORY_PINNED;
}

bool astride__staged_is_routed(const astride__staged *staged)
{
    return staged->situation.src_owner != NULL;
}

static void add_temporary(route *way, astride_device *device, astride_memory_kind kind)
{
    way->temporaries[way->temporary_count].device = device;
    way->temporaries[way->temporary_count].kind = kind;
    way->temporary_count++;
}

/*
 * The device whose pinned memory lies between two devices: one whose copies would block with other
 * memory, else the source's.
 */
static astride_device *ring_owner(const astride__situation *situation)
{
    const bool src_blocks = situation->src_owner->properties.pageable_copies_block;
    const bool dst_blocks = situation->dst_owner->properties.pageable_copies_block;
    return dst_blocks && !src_blocks ? situation->dst_owner : situation->src_owner;
}

/* From device to device: packed on either, or moved as it is. */
static int32_t list_routed_ways(const astride__situation *situation, route *routes)
{
    for (int32_t i = 0; i < 4; i++) {
        route *way = &routes[i];
        *way = (route){.temporary_count = 0};
        if ((i & 1) != 0)
            add_temporary(way, situation->src_owner, ASTRIDE_MEMORY_DEVICE);
        way->ring = way->temporary_count;
        add_temporary(way, ring_owner(situation), ASTRIDE_MEMORY_PINNED);
        if ((i & 2) != 0)
            add_temporary(way, situation->dst_owner, ASTRIDE_MEMORY_DEVICE);
    }
    return 4;
}

/* Lists the ways worth judging; returns their number. */
static int32_t list_ways(const astride__situation *situation, route *routes)
{
    const bool from_host = is_host_side(situation->src_kind);
    const bool to_host = is_host_side(situation->dst_kind);
    if (situation->src_owner != NULL)
        return list_routed_ways(situation, routes);

    const int32_t count = from_host == to_host ? 1 : 3;
    for (int32_t i = 0; i < count; i++)
        routes[i] = (route){.ring = -1};
    if (count == 1) {
        add_temporary(&routes[0], situation->device,
                      from_host ? ASTRIDE_MEMORY_PINNED : ASTRIDE_MEMORY_DEVICE);
        return 1;
    }
    add_temporary(&routes[0], situation->device, ASTRIDE_MEMORY_PINNED);
    add_temporary(&routes[1], situation->device, ASTRIDE_MEMORY_DEVICE);
    add_temporary(&routes[2], situation->device,
                  to_host ? ASTRIDE_MEMORY_DEVICE : ASTRIDE_MEMORY_PINNED);
    add_temporary(&routes[2], situation->device,
                  to_host ? ASTRIDE_MEMORY_PINNED : ASTRIDE_MEMORY_DEVICE);
    return 3;
}

/* Whether the source's strides of the dimensions inside a block ascend somewhere. */
static bool source_is_reordered(const astride__blocks *blocks)
{
    const astride__geometry *geometry = &blocks->geometry;
    for (int32_t d = blocks->dimension + 1; d < geometry->rank; d++) {
        if (magnitude(geometry->src_strides[d]) > magnitude(geometry->src_strides[d - 1]))
            return true;
    }
    return false;
}

static int32_t list_routes(const astride__staged *staged, route routes[MAXIMUM_ROUTES])
{
    const int32_t ways = list_ways(&staged->situation, routes);
    if (!source_is_reordered(&staged->blocks))
        return ways;
    for (int32_t i = 0; i < ways; i++) {
        routes[ways + i] = routes[i];
        routes[ways + i].by_source = true;
    }
    return 2 * ways;
}

static size_t smaller_wish(size_t a, size_t b)
{
    return a != 0 && (b == 0 || a < b) ? a : b;
}

/* Size of a block in bytes: the user's wish, or what suits the devices. */
static size_t block_target(const astride__situation *situation)
{
    if (situation->overlapping)
        return SIZE_MAX;
    if (situation->device->staging_bytes != 0)
        return situation->device->staging_bytes;
    size_t wish = situation->device->properties.staging_chunk_bytes;
    if (situation->src_owner != NULL)
        wish = smaller_wish(situation->src_owner->properties.staging_chunk_bytes,
                            situation->dst_owner->properties.staging_chunk_bytes);
    return wish != 0 ? wish : DEFAULT_BLOCK_BYTES;
}

/* Slots between two lanes. A device that gains nothing by two lanes gains by them on a route. */
static int32_t wished_depth(const astride__situation *situation)
{
    if (situation->captured)
        return 1; /* one of two plans: the other one is for speed */
    if (situation->device->staging_depth != 0)
        return situation->device->staging_depth;
    int32_t wish = situation->device->properties.staging_depth;
    if (situation->src_owner != NULL) {
        const int32_t src = situation->src_owner->properties.staging_depth;
        const int32_t dst = situation->dst_owner->properties.staging_depth;
        wish = src > dst ? src : dst;
        if (wish < 2)
            wish = 0;
    }
    return wish != 0 ? wish : DEFAULT_DEPTH;
}

/* The dimensions of a block, outermost first in a temporary. */
static void order_block(const astride__staged *staged, int32_t rank, int32_t *order)
{
    const astride__blocks *blocks = &staged->blocks;
    const int64_t *strides = &blocks->geometry.src_strides[blocks->dimension];
    for (int32_t i = 0; i < rank; i++) {
        int32_t place = i;
        for (; staged->by_source && place > 0 &&
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
    const astride__geometry *whole = &staged->blocks.geometry;
    const int32_t first = staged->blocks.dimension;
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

/* Whether a leg is on the source's side of the temporary between two devices. */
static bool is_source_leg(const astride__staged *staged, int32_t leg)
{
    return leg < staged->lanes[0].end;
}

astride_device *astride__staged_leg_device(const astride__staged *staged, int32_t leg)
{
    if (!astride__staged_is_routed(staged))
        return staged->device;
    return is_source_leg(staged, leg) ? staged->situation.src_owner : staged->situation.dst_owner;
}

/*
 * What a temporary is to a device. Pinned memory of another device is plain memory, unless the
 * backend pins for all of its devices.
 */
static astride_memory_kind kind_to(const astride__temporary *temporary,
                                   const astride_device *device)
{
    if (temporary->device == device ||
        (temporary->device->plugin == device->plugin && device->properties.pinned_for_all))
        return temporary->kind;
    return ASTRIDE_MEMORY_HOST;
}

void astride__staged_leg_kinds(const astride__staged *staged, int32_t leg,
                               astride_memory_kind *dst_out, astride_memory_kind *src_out)
{
    const astride_device *device = astride__staged_leg_device(staged, leg);
    *src_out =
        leg == 0 ? staged->situation.src_kind : kind_to(&staged->temporaries[leg - 1], device);
    *dst_out = leg == staged->temporary_count ? staged->situation.dst_kind
                                              : kind_to(&staged->temporaries[leg], device);
}

static unsigned resources_of(const astride__method *method)
{
    if (method->strategy == ASTRIDE_STRATEGY_HOST || method->direction == ASTRIDE_HOST_TO_HOST)
        return HOST_PROCESSORS;
    return method->direction == ASTRIDE_DEVICE_TO_DEVICE ? DEVICE_MEMORY : BUS;
}

/*
 * The host packs and unpacks with its own code, whatever a driver offers between two places in host
 * memory. Of a device whose memory the host reaches, the backend's code is as good.
 */
static bool choose_leg(const astride__situation *situation, astride__method *method,
                       astride__candidate *candidate)
{
    if (is_host_side(situation->src_kind) && is_host_side(situation->dst_kind) &&
        situation->device->plugin->host_call != NULL &&
        !situation->device->properties.capabilities.host_reaches_device) {
        *candidate = astride__method_judge(situation, ASTRIDE_STRATEGY_HOST, method);
        if (candidate->obstacle == ASTRIDE__POSSIBLE)
            return true;
    }
    return astride__method_choose(situation, method, candidate);
}

/* Fills the legs of one block shape for the staged copy's route; false where a leg is impossible.
 */
static bool choose_legs(astride__staged *staged, enum astride__block_shape shape, leg_costs *costs)
{
    const int32_t temporaries = staged->temporary_count;
    const int64_t extent =
        shape == ASTRIDE__FULL_BLOCK ? staged->blocks.extent : staged->blocks.tail_extent;
    const bool routed = astride__staged_is_routed(staged);
    costs->calls[shape] = 0;
    for (int32_t leg = 0; leg <= temporaries; leg++) {
        const bool first = leg == 0, last = leg == temporaries;
        astride__situation situation = {.device = astride__staged_leg_device(staged, leg),
                                        .captured = staged->situation.captured,
                                        .src_peer = !routed && first && staged->situation.src_peer,
                                        .dst_peer = !routed && last && staged->situation.dst_peer};
        astride__staged_leg_kinds(staged, leg, &situation.dst_kind, &situation.src_kind);
        astride__method *method = &staged->legs[shape][leg];
        astride__candidate candidate;
        leg_geometry(staged, extent, !last, !first, &method->geometry);
        if (!choose_leg(&situation, method, &candidate))
            return false;
        costs->ns[shape][leg] = candidate.cost_ns;
        costs->calls[shape] += candidate.calls;
        costs->resources[leg] = resources_of(method);
    }
    return true;
}

/* What the legs first, ..., end - 1 cost: of one block of a shape, and of all blocks. */
static double lane_cost(const leg_costs *costs, enum astride__block_shape shape, int32_t first,
                        int32_t end)
{
    double ns = 0;
    for (int32_t leg = first; leg < end; leg++)
        ns += costs->ns[shape][leg];
    return ns;
}

static double whole_cost(const astride__staged *staged, const leg_costs *costs, int32_t first,
                         int32_t end)
{
    const astride__blocks *blocks = &staged->blocks;
    double ns = (double)blocks->full_count * lane_cost(costs, ASTRIDE__FULL_BLOCK, first, end);
    if (blocks->tail_extent > 0)
        ns += lane_cost(costs, ASTRIDE__TAIL_BLOCK, first, end);
    return ns * (double)astride__blocks_walks(blocks);
}

/*
 * With two lanes, the legs before `split` in the first: the slower lane is always at work, but for
 * the time until the first block has reached it, or after the last block has left it.
 */
static double piped_cost(const astride__staged *staged, const leg_costs *costs, int32_t split)
{
    const int32_t legs = staged->temporary_count + 1;
    const enum astride__block_shape last =
        staged->blocks.tail_extent > 0 ? ASTRIDE__TAIL_BLOCK : ASTRIDE__FULL_BLOCK;
    const double by_first =
        whole_cost(staged, costs, 0, split) + lane_cost(costs, last, split, legs);
    const double by_second =
        lane_cost(costs, ASTRIDE__FULL_BLOCK, 0, split) + whole_cost(staged, costs, split, legs);
    return by_first > by_second ? by_first : by_second;
}

static bool lanes_share(const leg_costs *costs, int32_t split, int32_t legs)
{
    unsigned before = 0, after = 0;
    for (int32_t leg = 0; leg < legs; leg++)
        *(leg < split ? &before : &after) |= costs->resources[leg];
    return (before & after) != 0;
}

static void set_lanes(astride__staged *staged, int32_t split)
{
    const int32_t legs = staged->temporary_count + 1;
    staged->lane_count = split < legs ? 2 : 1;
    staged->lanes[0] = (astride__lane){.first = 0, .end = split};
    staged->lanes[1] = (astride__lane){.first = split, .end = legs};
    for (int32_t i = 0; i < staged->temporary_count; i++)
        staged->temporaries[i].ring = astride__ring_of(&staged->blocks, 1);
    if (staged->lane_count == 2)
        staged->temporaries[split - 1].ring = astride__ring_of(&staged->blocks, staged->depth);
}

/* Divides the legs of a copy on one device into lanes; returns what it then costs. */
static double divide(astride__staged *staged, const leg_costs *costs)
{
    const int32_t legs = staged->temporary_count + 1;
    const bool divisible = staged->depth > 1 && astride__blocks_count(&staged->blocks) > 1 &&
                           staged->device->properties.capabilities.asynchronous;
    double best = whole_cost(staged, costs, 0, legs);
    int32_t best_split = legs;
    for (int32_t split = 1; split < legs && divisible; split++) {
        const double cost = piped_cost(staged, costs, split);
        if (!lanes_share(costs, split, legs) && cost < best) {
            best = cost;
            best_split = split;
        }
    }
    set_lanes(staged, best_split);
    return best;
}

static void set_route(astride__staged *staged, const route *way)
{
    staged->by_source = way->by_source;
    staged->temporary_count = way->temporary_count;
    for (int32_t i = 0; i < way->temporary_count; i++)
        staged->temporaries[i] = (astride__temporary){.device = way->temporaries[i].device,
                                                      .kind = way->temporaries[i].kind};
    set_lanes(staged, way->ring >= 0 ? way->ring + 1 : way->temporary_count + 1);
}

/* Whether a queue of a device can be held by a host call until another device has done its part. */
static bool may_hold(const astride_device *device, const astride_device *other)
{
    return other == device || other->plugin != device->plugin ||
           device->properties.host_calls_may_wait;
}

static bool shares_events(const astride_device *device, const astride_device *other)
{
    return other == device ||
           (other->plugin == device->plugin && device->properties.events_for_all &&
            other->properties.events_for_all);
}

astride__linking astride__linking_between(const astride_device *device, const astride_device *first,
                                          const astride_device *second)
{
    if (!device->properties.capabilities.asynchronous ||
        !first->properties.capabilities.asynchronous ||
        !second->properties.capabilities.asynchronous)
        return ASTRIDE__LINK_WAIT;
    if (shares_events(device, first) && shares_events(device, second))
        return ASTRIDE__LINK_EVENTS;
    if (device->plugin->host_call != NULL && may_hold(device, first) && may_hold(device, second))
        return ASTRIDE__LINK_THREAD;
    return ASTRIDE__LINK_WAIT;
}

static astride__linking linking_of(const astride__staged *staged)
{
    if (staged->lane_count == 1)
        return ASTRIDE__LINK_ORDER;
    if (!astride__staged_is_routed(staged))
        return ASTRIDE__LINK_EVENTS;
    return astride__linking_between(staged->device, staged->situation.src_owner,
                                    staged->situation.dst_owner);
}

/* Takes a route and judges it: all blocks of all walks. */
static bool judge_route(astride__staged *staged, const route *way, astride__candidate *candidate)
{
    const astride__blocks *blocks = &staged->blocks;
    leg_costs costs;
    set_route(staged, way);
    costs.calls[ASTRIDE__TAIL_BLOCK] = 0;
    if (!choose_legs(staged, ASTRIDE__FULL_BLOCK, &costs))
        return false;
    if (blocks->tail_extent > 0 && !choose_legs(staged, ASTRIDE__TAIL_BLOCK, &costs))
        return false;
    *candidate = (astride__candidate){
        .calls = astride__blocks_walks(blocks) *
                 ((uint64_t)blocks->full_count * costs.calls[ASTRIDE__FULL_BLOCK] +
                  costs.calls[ASTRIDE__TAIL_BLOCK])};
    candidate->cost_ns =
        way->ring >= 0 ? piped_cost(staged, &costs, way->ring + 1) : divide(staged, &costs);
    /* A call for each block and one behind the last. */
    if (linking_of(staged) == ASTRIDE__LINK_THREAD)
        candidate->cost_ns += (double)(astride__blocks_count(blocks) + 1) *
                              staged->device->properties.cost.host_call_ns;
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
    staged->depth = wished_depth(situation);
    astride__blocks_cut(geometry, block_target(situation), &staged->blocks);

    route routes[MAXIMUM_ROUTES];
    const int32_t route_count = list_routes(staged, routes);
    int32_t best = -1;
    for (int32_t i = 0; i < route_count; i++) {
        astride__candidate judged;
        if (!judge_route(staged, &routes[i], &judged))
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
    (void)judge_route(staged, &routes[best], candidate);
    staged->linking = linking_of(staged);
    return staged;
}

uint64_t astride__staged_temporary_bytes(const astride__staged *staged)
{
    uint64_t bytes = 0;
    for (int32_t i = 0; i < staged->temporary_count; i++)
        bytes += astride__ring_bytes(&staged->temporaries[i].ring);
    return bytes;
}

uint64_t astride__staged_block_count(const astride__staged *staged)
{
    return astride__blocks_count(&staged->blocks);
}

int32_t astride__staged_leg_count(const astride__staged *staged)
{
    return staged->temporary_count + 1;
}

const astride__method *astride__staged_leg(const astride__staged *staged, int32_t leg,
                                           astride_memory_kind *to_out)
{
    const bool last = leg == staged->temporary_count;
    *to_out = last ? staged->situation.dst_kind : staged->temporaries[leg].kind;
    return &staged->legs[ASTRIDE__FULL_BLOCK][leg];
}

const astride__temporary *astride__staged_ring(const astride__staged *staged)
{
    return staged->lane_count == 2 ? &staged->temporaries[staged->lanes[0].end - 1] : NULL;
}
