/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The conformance suite between two devices, of one backend or of two: seeded random layouts are
 * copied from memory of one to memory of the other, in a queue of either or of a third, and every
 * byte is compared with a plain loop.
 */
#ifndef ASTRIDE_TESTS_PAIR_H
#define ASTRIDE_TESTS_PAIR_H

#include "tests/conformance/engine.h"

/* A copy that went wrong. The pointers are valid during the report only. */
typedef struct conformance_pair_failure {
    uint64_t seed, index; /* of the layout */
    test_buffer_origin dst_origin, src_origin;
    const char *queue_spec; /* device of the queue */
    const char *how;        /* which call ran it */
    const char *what;       /* what was wrong, in words */
    const test_layout *layout;
} conformance_pair_failure;

typedef struct conformance_pair_options {
    const char *from_spec, *to_spec; /* as astride_device_open() takes them; may be the same */
    const char *queue_spec;          /* whose queue is used; NULL: those of both sides by turns */
    uint64_t seed;
    uint64_t first, count;  /* index of the first layout, and how many are run */
    uint64_t failure_limit; /* stop after so many; 0: never */
    void (*report)(const conformance_pair_failure *failure, void *argument); /* optional */
    void *argument;
} conformance_pair_options;

typedef struct conformance_pair_result {
    char from_spec[64], to_spec[64]; /* that were opened */
    uint64_t layouts, copies;        /* that were run */
    uint64_t routed;                 /* copies that led through memory between the devices */
    uint64_t failures;
    double seconds;
} conformance_pair_result;

/*
 * Runs the pair. ASTRIDE_OK says that it could be run, not that nothing failed. Anything else is
 * explained by astride_last_error() and leaves result_out alone.
 */
astride_status conformance_pair_run(const conformance_pair_options *options,
                                    conformance_pair_result *result_out);

#endif /* ASTRIDE_TESTS_PAIR_H */
