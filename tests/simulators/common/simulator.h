/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a test can ask of a simulated driver, and the variables that steer one.
 *
 * A simulated driver is a shared library with the symbols of a vendor's own. It checks each call
 * against the vendor's documented rules, keeps device memory where the host cannot touch it,
 * carries work out late on threads, and keeps a log. A program selects it by ASTRIDE_CUDA_LIBRARY
 * or ASTRIDE_HIP_LIBRARY; scripts/with-simulator does that for any command. Its behaviour is set by
 * variables of the environment, read when the library is loaded, or by the function `set` below
 * with the name behind ASTRIDE_SIM_:
 *
 *   ASTRIDE_SIM_DEVICES=2          how many devices there are, 0 to 8
 *   ASTRIDE_SIM_MEMORY=BYTES       memory of each (default 2 GiB); before the first device is used
 *   ASTRIDE_SIM_PEER=all           all, none, or rows of a matrix: "01,10" lets device 0 reach 1
 *   ASTRIDE_SIM_MAX_PITCH=BYTES    largest pitch of copies and fills (default 2147483647)
 *   ASTRIDE_SIM_ATTRIBUTE=N=VALUE  another value of a device attribute; several: N=V,N=V
 *   ASTRIDE_SIM_VERSION=N          version of the driver (default: CUDA 13000, HIP 60300000)
 *   ASTRIDE_SIM_HIDE=NAME,NAME     functions that the driver's own look-up does not find
 *   ASTRIDE_SIM_DELAY=US           work that nobody waits for begins so many microseconds after it
 *                                  was enqueued (default 2000); what is waited for begins at once
 *   ASTRIDE_SIM_SLOW=US            copies and functions on the host take so many microseconds more
 *                                  (default 0)
 *   ASTRIDE_SIM_FAIL=NAME:N:CODE   the N-th call of a function fails with that code; without NAME:
 *                                  the N-th call of all
 *   ASTRIDE_SIM_LOG=FILE           writes each call, its result and its reason there
 *   ASTRIDE_SIM_CHECK=rules,leaks  when the process ends: a broken rule, or a thing that was never
 *                                  given back, is printed and makes the exit status 99
 *
 * A function that gives something back (free, destroy, unload, release, pop) and is made to fail
 * does its work all the same, as a driver that reports an earlier error. Queries of the names of
 * errors are neither counted nor made to fail.
 */
#ifndef ASTRIDE_TESTS_SIMULATOR_H
#define ASTRIDE_TESTS_SIMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Things that are alive. */
typedef struct astride_sim_alive {
    int64_t contexts;   /* primary ones that are retained included */
    int64_t device;     /* allocations of device memory */
    int64_t pinned;     /* of page-locked host memory */
    int64_t managed;    /* of memory that both sides reach */
    int64_t registered; /* host memory that was registered */
    int64_t streams;
    int64_t events;
    int64_t modules;
    int64_t graphs;        /* captured ones and their executable forms */
    int64_t context_depth; /* of the stacks of current contexts of all threads together */
} astride_sim_alive;

/* A call of the log. The strings live as long as the log is not reset. */
typedef struct astride_sim_call {
    const char *name; /* as exported, "cuMemAlloc_v2" */
    const char *text; /* why it was refused, or what it did; may be empty */
    int result;
} astride_sim_call;

/* A copy, or a function on the host, that went into a stream. */
typedef struct astride_sim_task {
    const char *name;          /* "host to device", "device to host", "other copy", "function" */
    uint64_t stream;           /* number of the stream */
    size_t bytes;              /* of a copy */
    uint64_t begin_ns, end_ns; /* of the latest time it ran, by the monotonic clock; 0: not yet */
} astride_sim_task;

/* All functions may be called from any thread, also where the driver was not initialised. */
typedef struct astride_sim {
    size_t struct_size;

    /* One setting, named as above without ASTRIDE_SIM_. False when it is not understood. */
    bool (*set)(const char *name, const char *value);

    /* Empties the log and its counters, forgets broken rules and a fault that did not happen yet.
     */
    void (*reset)(void);
    /* Calls of a function since; its version (_v2, _ptsz) need not be named. NULL: of all. */
    uint64_t (*count)(const char *name);
    /* Call number `index` since; false behind the last. Only the latest 65536 are kept. */
    bool (*call)(uint64_t index, astride_sim_call *call_out);
    /* Calls that broke a documented rule, and what the first of them did; NULL: none. */
    uint64_t (*broken_rules)(void);
    const char *(*first_broken_rule)(void);

    /* Makes the `nth` call from now on (1: the next) of a function, or of all, fail. 0: none. */
    void (*fail_call)(const char *name, uint64_t nth, int code);
    /* The function that was last made to fail; NULL: it did not happen since. */
    const char *(*failed)(void);
    /* As if a kernel had gone wrong: every later call for the device gives this code. */
    void (*lose_device)(int device, int code);

    void (*alive)(astride_sim_alive *alive_out);
    /* What an address means to the simulator: its own view of device memory. For tests that look at
       memory without a copy; NULL when the bytes are not within one allocation. */
    void *(*view)(const void *address, size_t bytes);
    /* Instructions that kernels executed so far. */
    uint64_t (*instructions)(void);
    /* Copy or function number `index` since the last reset, in the order of the calls; false behind
       the last. Only the latest 4096 are kept. */
    bool (*task)(uint64_t index, astride_sim_task *task_out);
} astride_sim;

/* Name and type of the one function that a simulated driver exports beside the vendor's. */
#define ASTRIDE_SIM_SYMBOL "astride_sim_get"
typedef const astride_sim *(*astride_sim_get_function)(void);

#endif /* ASTRIDE_TESTS_SIMULATOR_H */
