/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The packer: a queue of the built-in backend, and records of the copies that wait for their turn.
 * Records are used again, so that a plan that runs often allocates nothing.
 */
#include "hal/packer.h"

#include <pthread.h>
#include <stdlib.h>

#include "hal/builtin.h"
#include "hal/device.h"
#include "hal/error.h"
#include "hal/process.h"
#include "hal/queue.h"

/* A copy that waits for its turn in a queue. */
typedef struct packing {
    astride__packer *packer;
    struct packing *next;      /* of the free ones */
    struct packing *next_made; /* of all */
    astride_plan *plan;        /* a reference, or NULL */
    const astride__geometry *geometry;
    void *dst;
    const void *src;
} packing;

struct astride__packer {
    astride_backend_device *device;
    astride_backend_queue *queue;
    pthread_mutex_t turn;    /* held while it copies: its queue takes one caller at a time */
    pthread_mutex_t records; /* guards what follows */
    packing *free, *made;
};

/* Guards the making of packers. */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static astride_status create(astride__packer **packer_out)
{
    const astride_plugin *host = &astride__host_plugin;
    astride_status status = ASTRIDE_OUT_OF_MEMORY;
    astride__packer *packer = calloc(1, sizeof *packer);
    if (packer == NULL)
        goto no_memory;
    if (pthread_mutex_init(&packer->turn, NULL) != 0)
        goto free_packer;
    if (pthread_mutex_init(&packer->records, NULL) != 0)
        goto destroy_turn;
    status = host->device_open(0, &packer->device);
    if (status != ASTRIDE_OK)
        goto destroy_records;
    status = host->queue_create(packer->device, &packer->queue);
    if (status != ASTRIDE_OK)
        goto close_device;
    *packer_out = packer;
    return ASTRIDE_OK;

close_device:
    host->device_close(packer->device);
destroy_records:
    pthread_mutex_destroy(&packer->records);
destroy_turn:
    pthread_mutex_destroy(&packer->turn);
free_packer:
    free(packer);
no_memory:
    if (status == ASTRIDE_OUT_OF_MEMORY)
        astride__fail(status, "no memory for copies by the host");
    return status;
}

astride_status astride__packer_of(astride_device *device, astride__packer **packer_out)
{
    astride_status status = ASTRIDE_OK;
    pthread_mutex_lock(&making);
    if (device->packer == NULL)
        status = create(&device->packer);
    *packer_out = device->packer;
    pthread_mutex_unlock(&making);
    return status;
}

void astride__packer_destroy(astride__packer *packer)
{
    if (packer == NULL)
        return;
    astride__host_plugin.queue_destroy(packer->queue);
    astride__host_plugin.device_close(packer->device);
    while (packer->made != NULL) {
        packing *record = packer->made;
        packer->made = record->next_made;
        free(record);
    }
    pthread_mutex_destroy(&packer->records);
    pthread_mutex_destroy(&packer->turn);
    free(packer);
}

void astride__packer_after_fork(void)
{
    making = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/* The innermost dimensions go to the backend, the core loops over the others. */
static int32_t outer_rank(const astride__geometry *geometry)
{
    return geometry->rank > ASTRIDE_KERNEL_RANK ? geometry->rank - ASTRIDE_KERNEL_RANK : 0;
}

static void fill_strided(const packing *self, astride_strided *copy)
{
    const astride__geometry *geometry = self->geometry;
    const int32_t outer = outer_rank(geometry);
    *copy = (astride_strided){
        .dst = {.address = self->dst, .kind = ASTRIDE_MEMORY_HOST},
        .src = {.address = (void *)(uintptr_t)self->src, .kind = ASTRIDE_MEMORY_HOST},
        .unit_bytes = geometry->unit_bytes,
        .rank = geometry->rank - outer};
    for (int32_t d = 0; d < copy->rank; d++) {
        copy->extents[d] = geometry->extents[outer + d];
        copy->dst_strides[d] = geometry->dst_strides[outer + d];
        copy->src_strides[d] = geometry->src_strides[outer + d];
    }
}

/* The built-in backend copies what is small at once, and the rest with all processors; none of its
   slots fails here. */
static void copy_all(const packing *self)
{
    const astride__geometry *geometry = self->geometry;
    astride__packer *packer = self->packer;
    int64_t index[ASTRIDE_MAX_RANK] = {0};
    int64_t dst_offset = 0, src_offset = 0;
    astride_strided copy;
    int32_t d;
    fill_strided(self, &copy);
    pthread_mutex_lock(&packer->turn);
    do {
        copy.dst.address = (unsigned char *)self->dst + dst_offset;
        copy.src.address = (unsigned char *)(uintptr_t)self->src + src_offset;
        (void)astride__host_plugin.copy_kernel(packer->queue, &copy);
        for (d = outer_rank(geometry) - 1; d >= 0; d--) {
            dst_offset += geometry->dst_strides[d];
            src_offset += geometry->src_strides[d];
            if (++index[d] < geometry->extents[d])
                break;
            dst_offset -= geometry->extents[d] * geometry->dst_strides[d];
            src_offset -= geometry->extents[d] * geometry->src_strides[d];
            index[d] = 0;
        }
    } while (d >= 0);
    (void)astride__host_plugin.queue_wait(packer->queue);
    pthread_mutex_unlock(&packer->turn);
}

static void give_back(packing *record)
{
    astride__packer *packer = record->packer;
    pthread_mutex_lock(&packer->records);
    record->next = packer->free;
    packer->free = record;
    pthread_mutex_unlock(&packer->records);
}

static void run_packing(void *argument)
{
    packing *record = argument;
    astride_plan *plan = record->plan;
    copy_all(record);
    give_back(record);
    if (plan != NULL)
        astride__plan_release(plan);
}

static packing *take_record(astride__packer *packer)
{
    pthread_mutex_lock(&packer->records);
    packing *record = packer->free;
    if (record != NULL) {
        packer->free = record->next;
    } else {
        record = calloc(1, sizeof *record);
        if (record != NULL) {
            record->packer = packer;
            record->next_made = packer->made;
            packer->made = record;
        }
    }
    pthread_mutex_unlock(&packer->records);
    return record;
}

astride_status astride__packer_enqueue(astride__packer *packer, astride_queue *queue,
                                       astride_plan *plan, const astride__geometry *geometry,
                                       void *dst, const void *src)
{
    packing *record = take_record(packer);
    if (record == NULL)
        return astride__fail(ASTRIDE_OUT_OF_MEMORY, "no memory for a copy on the host");
    record->plan = plan;
    record->geometry = geometry;
    record->dst = dst;
    record->src = src;
    if (plan != NULL)
        astride__plan_retain(plan);
    const astride_status status = astride__queue_host_call(queue, run_packing, record);
    if (status != ASTRIDE_OK) {
        if (plan != NULL)
            astride__plan_release(plan);
        give_back(record);
    }
    return status;
}
