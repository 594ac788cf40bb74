/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Large copies by several threads: the copy is cut along one dimension of the destination into
 * parts, which the worker and its helpers take one after the other.
 */
#include "team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "host.h"
#include "kernels.h"

#define MAXIMUM_SIZE 256
/* A part of fewer bytes is copied before a helper has woken up. */
#define PART_BYTES ((size_t)4 << 20)
/* Parts for each thread, so that one that is held up does not hold up all. */
#define PARTS_PER_THREAD 2
/* Parts end where pages do, or after whole tiles, where there is enough of either. */
#define PAGE_BYTES ((size_t)4096)
#define TILE_UNITS 64

struct astride__host_team {
    pthread_mutex_t lock;
    pthread_cond_t work; /* `round` grew, or `stopping` was set */
    pthread_cond_t done; /* `busy` is 0 */
    uint64_t round;      /* copies begun */
    int busy;            /* helpers that have not finished the present one */
    bool stopping;
    const astride_strided *copy; /* the present one */
    size_t part_count;
    atomic_size_t next_part;
    int helper_count;
    pthread_t helpers[];
};

astride_status astride__host_team_size(int *size_out)
{
    const char *text = secure_getenv("ASTRIDE_THREADS");
    cpu_set_t set;
    if (text != NULL && *text != '\0') {
        char *end;
        const long value = strtol(text, &end, 10);
        if (*end != '\0' || value < 1 || value > MAXIMUM_SIZE)
            return astride__host_services->fail(
                ASTRIDE_INVALID_ARGUMENT,
                "host: ASTRIDE_THREADS=\"%.64s\" is no number from 1 to %d", text, MAXIMUM_SIZE);
        *size_out = (int)value;
        return ASTRIDE_OK;
    }
    *size_out = 1;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        *size_out = CPU_COUNT(&set) < MAXIMUM_SIZE ? CPU_COUNT(&set) : MAXIMUM_SIZE;
    return ASTRIDE_OK;
}

/* The dimension that is cut: the outermost that is long enough, else the longest. -1: the unit. */
static int32_t choose_dimension(const astride_strided *copy, size_t part_count)
{
    int32_t longest = -1;
    for (int32_t d = 0; d < copy->rank; d++) {
        if ((size_t)copy->extents[d] >= 8 * part_count)
            return d;
        if (longest < 0 || copy->extents[d] > copy->extents[longest])
            longest = d;
    }
    return longest;
}

/* Where part `part` of `count` begins among `length` steps, on a multiple of `grain` if there are
 * many. */
static size_t part_begin(size_t length, size_t part, size_t count, size_t grain)
{
    const size_t begin = length / count * part + length % count * part / count;
    if (part == count || length < 4 * grain * count)
        return part == count ? length : begin;
    return begin / grain * grain;
}

static void copy_part(const astride_strided *copy, size_t part, size_t count)
{
    astride_strided piece = *copy;
    const int32_t d = choose_dimension(copy, count);
    const size_t length = d < 0 ? copy->unit_bytes : (size_t)copy->extents[d];
    const size_t grain = d < 0 ? PAGE_BYTES : TILE_UNITS;
    const size_t begin = part_begin(length, part, count, grain);
    const size_t steps = part_begin(length, part + 1, count, grain) - begin;
    if (steps == 0)
        return;
    const int64_t dst_stride = d < 0 ? 1 : copy->dst_strides[d];
    const int64_t src_stride = d < 0 ? 1 : copy->src_strides[d];
    piece.dst.address = (uint8_t *)copy->dst.address + (int64_t)begin * dst_stride;
    piece.src.address = (uint8_t *)copy->src.address + (int64_t)begin * src_stride;
    if (d < 0)
        piece.unit_bytes = steps;
    else
        piece.extents[d] = (int64_t)steps;
    astride__host_copy_part(&piece, astride__host_strided_bytes(copy));
}

static void take_parts(astride__host_team *team)
{
    size_t part;
    while ((part = atomic_fetch_add_explicit(&team->next_part, 1, memory_order_relaxed)) <
           team->part_count)
        copy_part(team->copy, part, team->part_count);
}

static void *help(void *argument)
{
    astride__host_team *team = argument;
    uint64_t round = 0;
    pthread_mutex_lock(&team->lock);
    for (;;) {
        while (team->round == round && !team->stopping)
            pthread_cond_wait(&team->work, &team->lock);
        if (team->stopping)
            break;
        round = team->round;
        pthread_mutex_unlock(&team->lock);
        take_parts(team);
        pthread_mutex_lock(&team->lock);
        if (--team->busy == 0)
            pthread_cond_signal(&team->done);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

astride__host_team *astride__host_team_create(int size)
{
    if (size < 2)
        return NULL;
    const size_t helper_count = (size_t)size - 1;
    astride__host_team *team = calloc(1, sizeof *team + helper_count * sizeof team->helpers[0]);
    if (team == NULL)
        return NULL;
    if (pthread_mutex_init(&team->lock, NULL) != 0)
        goto free_team;
    if (pthread_cond_init(&team->work, NULL) != 0)
        goto destroy_lock;
    if (pthread_cond_init(&team->done, NULL) != 0)
        goto destroy_work;
    /* The worker's signals are blocked, and so are theirs. */
    while (team->helper_count < size - 1 &&
           pthread_create(&team->helpers[team->helper_count], NULL, help, team) == 0)
        team->helper_count++;
    if (team->helper_count > 0)
        return team;

    pthread_cond_destroy(&team->done);
destroy_work:
    pthread_cond_destroy(&team->work);
destroy_lock:
    pthread_mutex_destroy(&team->lock);
free_team:
    free(team);
    return NULL;
}

void astride__host_team_destroy(astride__host_team *team)
{
    if (team == NULL)
        return;
    pthread_mutex_lock(&team->lock);
    team->stopping = true;
    pthread_mutex_unlock(&team->lock);
    pthread_cond_broadcast(&team->work);
    for (int i = 0; i < team->helper_count; i++)
        pthread_join(team->helpers[i], NULL);
    pthread_cond_destroy(&team->done);
    pthread_cond_destroy(&team->work);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

bool astride__host_team_pays(size_t bytes)
{
    return bytes >= 2 * PART_BYTES;
}

void astride__host_team_copy(astride__host_team *team, const astride_strided *copy)
{
    const size_t most = astride__host_strided_bytes(copy) / PART_BYTES;
    const size_t wanted = ((size_t)team->helper_count + 1) * PARTS_PER_THREAD;
    pthread_mutex_lock(&team->lock);
    team->copy = copy;
    team->part_count = most < wanted ? most : wanted;
    atomic_store_explicit(&team->next_part, 0, memory_order_relaxed);
    team->busy = team->helper_count;
    team->round++;
    pthread_mutex_unlock(&team->lock);
    pthread_cond_broadcast(&team->work);
    take_parts(team);
    pthread_mutex_lock(&team->lock);
    while (team->busy > 0)
        pthread_cond_wait(&team->done, &team->lock);
    pthread_mutex_unlock(&team->lock);
}
