/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The layouts of `astride bench`, and how one is measured: all ways of copying it take turns, so
 * that what else the machine does meets each of them alike.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/bench.h"

enum {
    ROWS_MEASURED = 8192,   /* of one call per row */
    REPEATS_MAXIMUM = 1001, /* times that are kept */
    SUBJECT_COUNT = BENCH_STRATEGY_COUNT
};
/* What takes longer than this is measured once. */
#define LONG_NS 3e8

/* A way of copying: number 0 is one call per row, the others are strategies. */
typedef struct subject {
    astride_plan *plan; /* NULL: impossible */
    bool is_slow;
    int count;
    double times[REPEATS_MAXIMUM];
} subject;

typedef struct bench {
    astride_device *device;
    astride_queue *queue;
    const bench_layout *layout;
    char *dst, *src;
    size_t rows, rows_measured;
    subject *subjects;
} bench;

static void set_dense(bench_layout *layout, const int64_t *array)
{
    int64_t stride = (int64_t)sizeof(float);

    for (int32_t d = layout->rank - 1; d >= 0; d--) {
        layout->src_strides[d] = stride;
        stride *= array[d];
    }
    layout->src_bytes = (size_t)stride;
}

bench_layout bench_layout_make(int index, size_t bytes)
{
    const int64_t elements = (int64_t)(bytes / sizeof(float));
    bench_layout layout = {.rank = 1, .extents = {elements}, .row_bytes = sizeof(float)};

    switch (index) {
    case 0:
        layout.name = "element-strided";
        layout.extents[0] = elements;
        layout.src_strides[0] = 4 * (int64_t)sizeof(float);
        layout.src_bytes = (size_t)elements * 4 * sizeof(float);
        break;
    case 1:
        layout.name = "rows of 64 B";
        layout.rank = 2;
        layout.extents[0] = elements / 16;
        layout.extents[1] = 16;
        layout.row_bytes = 64;
        set_dense(&layout, (const int64_t[]){layout.extents[0], 64});
        break;
    case 2:
        layout.name = "5-D subview";
        layout.rank = 5;
        memcpy(layout.extents, (const int64_t[]){elements / 2880, 6, 5, 4, 24},
               sizeof(layout.extents));
        layout.row_bytes = 24 * sizeof(float);
        set_dense(&layout, (const int64_t[]){layout.extents[0], 8, 7, 6, 32});
        break;
    case 3:
        layout.name = "transpose";
        layout.rank = 2;
        layout.extents[0] = 512;
        layout.extents[1] = elements / 512;
        layout.src_strides[0] = (int64_t)sizeof(float);
        layout.src_strides[1] = 512 * (int64_t)sizeof(float);
        layout.src_bytes = (size_t)layout.extents[1] * 512 * sizeof(float);
        break;
    default:
        layout.name = "contiguous";
        set_dense(&layout, layout.extents);
        layout.row_bytes = layout.src_bytes;
        break;
    }
    layout.bytes = sizeof(float);
    for (int32_t d = 0; d < layout.rank; d++)
        layout.bytes *= (size_t)layout.extents[d];
    return layout;
}

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* Where row number `row` begins in the source. */
static size_t row_offset(const bench_layout *layout, size_t row)
{
    size_t element = row * (layout->row_bytes / sizeof(float)), offset = 0;

    for (int32_t d = layout->rank - 1; d >= 0; d--) {
        offset += element % (size_t)layout->extents[d] * (size_t)layout->src_strides[d];
        element /= (size_t)layout->extents[d];
    }
    return offset;
}

static astride_status run_rows(const bench *b, const subject *s)
{
    const bench_layout *layout = b->layout;
    astride_status status = ASTRIDE_OK;

    for (size_t row = 0; row < b->rows_measured && status == ASTRIDE_OK; row++)
        status = astride_plan_run(s->plan, b->queue, b->dst + row * layout->row_bytes,
                                  b->src + row_offset(layout, row));
    return status;
}

/* Runs a subject once; the time is kept if `counts`. */
static astride_status measure(const bench *b, int number, bool counts)
{
    subject *s = &b->subjects[number];
    const double begun = now_ns();
    astride_status status =
        number == 0 ? run_rows(b, s) : astride_plan_run(s->plan, b->queue, b->dst, b->src);
    double taken;

    if (status == ASTRIDE_OK)
        status = astride_queue_wait(b->queue);
    if (status != ASTRIDE_OK)
        return status;
    taken = now_ns() - begun;
    s->is_slow = taken > LONG_NS;
    if (counts || s->is_slow)
        s->times[s->count++] = taken;
    return ASTRIDE_OK;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static double median(subject *s)
{
    if (s->count == 0)
        return 0;
    qsort(s->times, (size_t)s->count, sizeof(s->times[0]), compare);
    return s->times[s->count / 2];
}

static astride_status make_plans(const bench *b, bench_times *times)
{
    const bench_layout *layout = b->layout;
    const int64_t row_bytes = (int64_t)layout->row_bytes;
    const astride_copy_desc desc = {
        .struct_size = sizeof(desc),
        .rank = layout->rank,
        .element_bytes = sizeof(float),
        .extents = layout->extents,
        .dst = {.base = b->dst},
        .src = {.base = b->src, .strides = layout->src_strides},
    };
    const astride_copy_desc row = {
        .struct_size = sizeof(row),
        .rank = 1,
        .element_bytes = 1,
        .extents = &row_bytes,
        .dst = {.base = b->dst},
        .src = {.base = b->src},
    };
    astride_plan_info info = {.struct_size = sizeof(info)};
    astride_plan *plan = NULL;
    astride_status status = astride_plan_create(b->device, &desc, &plan);

    if (status != ASTRIDE_OK)
        return status;
    status = astride_plan_get_info(plan, &info);
    astride_plan_destroy(plan);
    times->chosen = info.strategy;
    if (status == ASTRIDE_OK)
        status = astride_plan_create(b->device, &row, &b->subjects[0].plan);
    for (int s = 1; s < SUBJECT_COUNT && status == ASTRIDE_OK; s++) {
        const astride_plan_options options = {.struct_size = sizeof(options),
                                              .strategy = (astride_strategy)s};

        status = astride_plan_create_with(b->device, &desc, &options, &b->subjects[s].plan);
        if (status == ASTRIDE_UNSUPPORTED)
            status = ASTRIDE_OK;
    }
    return status;
}

static astride_status measure_all(const bench *b, int repeats)
{
    astride_status status = ASTRIDE_OK;

    for (int repeat = -1; repeat < repeats; repeat++) {
        for (int s = 0; s < SUBJECT_COUNT && status == ASTRIDE_OK; s++) {
            const subject *one = &b->subjects[s];

            if (one->plan != NULL && (!one->is_slow || one->count == 0))
                status = measure(b, s, repeat >= 0);
        }
    }
    return status;
}

static astride_status make_side(astride_device *device, bool on_device, size_t bytes, char **out)
{
    void *address = NULL;

    if (on_device) {
        const astride_status status =
            astride_memory_alloc(device, bytes, ASTRIDE_MEMORY_DEVICE, &address);

        if (status == ASTRIDE_OK)
            *out = address;
        return status;
    }
    *out = malloc(bytes);
    if (*out == NULL)
        return ASTRIDE_OUT_OF_MEMORY;
    memset(*out, 1, bytes);
    return ASTRIDE_OK;
}

static void free_side(astride_device *device, bool on_device, char *address)
{
    if (on_device)
        (void)astride_memory_free(device, address);
    else
        free(address);
}

/* Pages that nobody has touched would be counted as copies. */
static astride_status touch(astride_queue *queue, void *address, size_t bytes)
{
    static const char pattern = 1;
    const int64_t extent = (int64_t)bytes;
    const astride_fill_desc desc = {
        .struct_size = sizeof(desc),
        .rank = 1,
        .element_bytes = 1,
        .extents = &extent,
        .dst = {.base = address},
        .pattern = &pattern,
    };
    const astride_status status = astride_fill(queue, &desc);

    return status == ASTRIDE_OK ? astride_queue_wait(queue) : status;
}

astride_status bench_run(astride_device *device, astride_queue *queue, const bench_layout *layout,
                         bench_direction direction, int repeats, bench_times *times_out)
{
    const bool to_device = direction != BENCH_DEVICE_TO_HOST;
    const bool from_device = direction != BENCH_HOST_TO_DEVICE;
    bench_times times = {.per_row = 0};
    bench b = {.device = device, .queue = queue, .layout = layout};
    astride_status status = ASTRIDE_OUT_OF_MEMORY;

    if (repeats > REPEATS_MAXIMUM)
        repeats = REPEATS_MAXIMUM;
    b.rows = layout->bytes / layout->row_bytes;
    b.rows_measured = b.rows < ROWS_MEASURED ? b.rows : ROWS_MEASURED;
    b.subjects = calloc(SUBJECT_COUNT, sizeof(*b.subjects));
    if (b.subjects == NULL)
        return status;
    status = make_side(device, to_device, layout->bytes, &b.dst);
    if (status == ASTRIDE_OK)
        status = make_side(device, from_device, layout->src_bytes, &b.src);
    if (status == ASTRIDE_OK)
        status = touch(queue, b.dst, layout->bytes);
    if (status == ASTRIDE_OK)
        status = touch(queue, b.src, layout->src_bytes);
    if (status == ASTRIDE_OK)
        status = make_plans(&b, &times);
    if (status == ASTRIDE_OK)
        status = measure_all(&b, repeats);
    if (status == ASTRIDE_OK) {
        times.per_row = median(&b.subjects[0]) * (double)b.rows / (double)b.rows_measured;
        for (int s = 1; s < SUBJECT_COUNT; s++)
            times.strategies[s] = median(&b.subjects[s]);
        *times_out = times;
    }
    for (int s = 0; s < SUBJECT_COUNT; s++)
        astride_plan_destroy(b.subjects[s].plan);
    free_side(device, from_device, b.src);
    free_side(device, to_device, b.dst);
    free(b.subjects);
    return status;
}
