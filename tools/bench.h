/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Measuring copies: the layouts that `astride bench` knows and the times that one of them takes on
 * a device. Options and output are in command_bench.c.
 */
#ifndef ASTRIDE_TOOLS_BENCH_H
#define ASTRIDE_TOOLS_BENCH_H

#include <stddef.h>
#include <stdint.h>

#include <astride/copy.h>
#include <astride/device.h>
#include <astride/queue.h>

enum { BENCH_RANK = 5, BENCH_LAYOUT_COUNT = 5, BENCH_STRATEGY_COUNT = ASTRIDE_STRATEGY_HOST + 1 };

/* A copy of floats out of a larger array into a dense one. */
typedef struct bench_layout {
    const char *name;
    int32_t rank;
    int64_t extents[BENCH_RANK];
    int64_t src_strides[BENCH_RANK]; /* bytes */
    size_t src_bytes;                /* of the whole array */
    size_t bytes;                    /* that are copied */
    size_t row_bytes;                /* of the longest contiguous run */
} bench_layout;

/* Layout number `index`, which copies about `bytes` bytes. */
bench_layout bench_layout_make(int index, size_t bytes);

/* Where the sides are. */
typedef enum bench_direction {
    BENCH_DEVICE_TO_DEVICE,
    BENCH_HOST_TO_DEVICE,
    BENCH_DEVICE_TO_HOST,
    BENCH_DIRECTION_COUNT
} bench_direction;

/* Median times in nanoseconds, from the call to the end of the copy; 0: it cannot be done so. */
typedef struct bench_times {
    astride_strategy chosen;
    double strategies[BENCH_STRATEGY_COUNT]; /* that of AUTO is unused */
    double per_row;                          /* one call for each row */
} bench_times;

/*
 * Measures a layout under every strategy, in turns. Of a baseline with very many rows a part is
 * measured, and the time of all calculated from it.
 */
astride_status bench_run(astride_device *device, astride_queue *queue, const bench_layout *layout,
                         bench_direction direction, int repeats, bench_times *times_out);

#endif /* ASTRIDE_TOOLS_BENCH_H */
