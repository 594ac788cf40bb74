/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * One layout on one device, run in one direction under every strategy and by every call that
 * copies. Between engine.c and trial.c only.
 */
#ifndef ASTRIDE_TESTS_TRIAL_H
#define ASTRIDE_TESTS_TRIAL_H

#include "tests/conformance/engine.h"

/* An image in host memory that grows as layouts need it. */
typedef struct conformance_image {
    unsigned char *bytes;
    size_t capacity;
} conformance_image;

typedef struct conformance_session {
    const conformance_options *options;
    conformance_result *result;
    astride_device *device;
    astride_queue *queue;        /* for nearly everything */
    astride_queue *second_queue; /* for running beside it */

    /* The layout at hand. */
    uint64_t index;
    test_layout layout;
    int64_t shift;    /* by how much both sides can be moved; 0 when there is no room */
    bool overlapping; /* the sides do share bytes */
    bool heavy;       /* too large for every way of calling */

    /* Of the destination's allocation, or of the one allocation: before, and after one copy... */
    conformance_image before, once;
    conformance_image twice;  /* ... and after a second one that is moved by `shift` */
    conformance_image source; /* of the source's allocation where it is another */
    conformance_image actual; /* what was read back */
} conformance_session;

/*
 * Draws layout number `index` and computes what must come out. Fails with ASTRIDE_OUT_OF_MEMORY
 * only.
 */
astride_status conformance_begin_layout(conformance_session *session, uint64_t index);

/*
 * Runs the layout in one direction and adds to the tallies. What goes wrong with a copy is
 * reported, the result is ASTRIDE_OK then; it fails where the buffers could not be had.
 */
astride_status conformance_run_direction(conformance_session *session,
                                         conformance_direction direction);

/* Frees the images. */
void conformance_end_session(conformance_session *session);

#endif /* ASTRIDE_TESTS_TRIAL_H */
