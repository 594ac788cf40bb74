/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the tests on simulated drivers share: selecting one, a device with a queue, counts of the
 * calls that it saw, and copies whose result is compared with a plain loop.
 */
#ifndef ASTRIDE_TESTS_SIMULATED_H
#define ASTRIDE_TESTS_SIMULATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <astride/astride.h>

#include "tests/simulators/common/simulator.h"

/* A vendor's driver as tests see it; lists of names end with NULL. */
typedef struct simulated_vendor {
    const char *backend;      /* "cuda" */
    const char *library;      /* its file, in the folder tests/simulators/BACKEND/.libs */
    const char *variables;    /* those that name the file to the backend, separated by blanks */
    const char *const *work;  /* calls that enqueue: copies, kernels, fills, host calls */
    const char *const *waits; /* calls that wait */
    const char *const *gives_back; /* parts of names: what those calls did stands when they fail */
    const char *failure_text;      /* code 999 in messages */
    const char *compiler_failure_text;       /* the same, of its compiler; NULL: there is none */
    const char *lost_text;                   /* code 719 */
    const char *stream_wait;                 /* the call that waits for a stream */
    const char *event_calls;                 /* those that record an event and wait for it */
    const char *pinned_alloc, *event_create; /* calls of those purposes */
    const char *to_device;                   /* the call that copies flat bytes to a device */
    int calls_to_allocate_and_free;
} simulated_vendor;

/* The vendor of this test program: vendor.c of its folder. */
extern const simulated_vendor simulated_the_vendor;

/* The simulated driver; set by simulated_select(). */
extern const astride_sim *sim;

/*
 * Makes the vendor's backend of the build tree the one that the library finds, on the simulated
 * driver (of the build tree, or the file that ASTRIDE_TEST_DRIVER names). To be called before
 * anything else of the library; ends the program when there is no such driver.
 */
void simulated_select(void);

/* A function of the driver, for what the library itself never calls. */
void *simulated_function(const char *name);

/* For cmocka's groups: *state becomes a test_fixture of device 0. */
int simulated_setup(void **state);
int simulated_teardown(void **state);

/* For cmocka's cases: fails when a call broke a rule of the driver's documentation. */
void simulated_check_rules(void);

/* Calls since the last reset that enqueue work (copies, kernels, fills, host calls), and those that
   wait. */
uint64_t simulated_work(void);
uint64_t simulated_waits(void);

/* The layout of a copy: extents and byte strides of both sides, whose lowest address is offset 0.
 */
typedef struct simulated_layout {
    int32_t rank;
    size_t element_bytes;
    int64_t extents[8], dst_strides[8], src_strides[8];
} simulated_layout;

/* A copy ready to be made: memory of both sides, filled with different bytes. */
typedef struct simulated_copy {
    simulated_layout layout;
    astride_device *device;
    astride_copy_desc desc;
    void *dst, *src;
    size_t dst_bytes, src_bytes;
    bool dst_foreign, src_foreign; /* pageable */
    unsigned char *expected;       /* what the destination becomes */
} simulated_copy;

/* Allocates on each side; ASTRIDE_MEMORY_HOST is pageable memory. */
void simulated_prepare(const simulated_layout *layout, astride_device *dst_device,
                       astride_memory_kind dst_kind, astride_device *src_device,
                       astride_memory_kind src_kind, simulated_copy *copy_out);
/* Fails the test when the destination is not what it should be. The work is complete. */
void simulated_compare(const simulated_copy *copy);
void simulated_discard(simulated_copy *copy);

#endif /* ASTRIDE_TESTS_SIMULATED_H */
