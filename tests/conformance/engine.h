/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The conformance suite as a function: copies seeded random layouts on one device in every
 * direction under every strategy and compares every byte with a plain loop. It prints nothing and
 * needs no test framework, so that a program for users can run it too.
 */
#ifndef ASTRIDE_TESTS_ENGINE_H
#define ASTRIDE_TESTS_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include <astride/astride.h>

#include "tests/support/buffer.h"
#include "tests/support/layout.h"

/* Number of strategies, ASTRIDE_STRATEGY_AUTO included; the enumerators count from 0. */
#define CONFORMANCE_STRATEGY_COUNT (ASTRIDE_STRATEGY_HOST + 1)

/* Between which memories; the last two are for layouts with both sides in one allocation. */
typedef enum conformance_direction {
    CONFORMANCE_HOST_TO_HOST,
    CONFORMANCE_HOST_TO_DEVICE,
    CONFORMANCE_DEVICE_TO_HOST,
    CONFORMANCE_DEVICE_TO_DEVICE,
    CONFORMANCE_WITHIN_HOST,
    CONFORMANCE_WITHIN_DEVICE,
    CONFORMANCE_DIRECTION_COUNT
} conformance_direction;

/* "host-to-device", and the direction of a name; CONFORMANCE_DIRECTION_COUNT when it is none. */
const char *conformance_direction_name(conformance_direction direction);
conformance_direction conformance_direction_find(const char *name);

/* A copy that went wrong. The pointers are valid during the report only. */
typedef struct conformance_failure {
    const char *device_spec; /* that opens the device */
    uint64_t seed, index;    /* of the layout */
    conformance_direction direction;
    astride_strategy strategy;
    test_buffer_origin dst_origin, src_origin;
    const char *how;  /* which call ran it: "plan", "cached copy", ... */
    const char *what; /* what was wrong, in words */
    const test_layout *layout;
} conformance_failure;

typedef struct conformance_options {
    const char *device_spec; /* as astride_device_open() takes it */
    uint32_t strategies;     /* sum of 1u << strategy; bit 0: the device's own choice */
    uint32_t directions;     /* sum of 1u << direction */
    uint64_t seed;
    uint64_t first, count;  /* indices of the layouts */
    double seconds;         /* no further layout is begun after that time; 0: no limit */
    uint64_t failure_limit; /* stop after so many; 0: never */
    /* Both optional, called on the calling thread. */
    void (*report)(const conformance_failure *failure, void *argument);
    void (*progress)(uint64_t done, void *argument);
    void *argument;
} conformance_options;

/* What the capabilities of the device say of a strategy in a direction. */
typedef enum conformance_promise {
    CONFORMANCE_PERHAPS,
    CONFORMANCE_MUST,    /* some layout must be carried out */
    CONFORMANCE_MUST_NOT /* none can be */
} conformance_promise;

/* Layouts in one direction under one strategy. */
typedef struct conformance_tally {
    uint64_t carried_out; /* and right */
    uint64_t unsupported; /* refused with ASTRIDE_UNSUPPORTED, as it should when it cannot */
    uint64_t failed;
    uint64_t reports; /* that were made; a layout can fail in several ways */
    uint64_t chosen;  /* how often the device's own choice was this strategy */
    conformance_promise promise;
} conformance_tally;

typedef struct conformance_result {
    char device_spec[64]; /* that was opened */
    uint64_t layouts;     /* that were run */
    uint64_t failures;
    double seconds;
    conformance_tally tallies[CONFORMANCE_DIRECTION_COUNT][CONFORMANCE_STRATEGY_COUNT];
} conformance_result;

/*
 * Runs the suite. ASTRIDE_OK says that it could be run, not that nothing failed: look at
 * result_out->failures. Anything else, such as a device that cannot be opened, is explained by
 * astride_last_error() and leaves result_out alone.
 */
astride_status conformance_run(const conformance_options *options, conformance_result *result_out);

/*
 * What is wrong with a tally as a whole, though each layout was right: a strategy that the
 * capabilities allow was never carried out in enough layouts to expect it, or one that they exclude
 * was. NULL when nothing is.
 */
const char *conformance_broken_promise(const conformance_tally *tally);

#endif /* ASTRIDE_TESTS_ENGINE_H */
