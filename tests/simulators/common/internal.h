/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The parts of a simulated driver that do not depend on the vendor. One lock guards all of it; each
 * entry point of the driver holds it from sim_begin() to sim_end() and gives it up only to wait.
 * Results are the vendors' numbers, which CUDA's driver and HIP share as far as they are used here.
 */
#ifndef ASTRIDE_TESTS_SIMULATORS_INTERNAL_H
#define ASTRIDE_TESTS_SIMULATORS_INTERNAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/simulators/common/simulator.h"

#define SIM_EXPORT __attribute__((visibility("default")))
#define SIM_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* Results. */
enum {
    SIM_SUCCESS = 0,
    SIM_INVALID_VALUE = 1,
    SIM_OUT_OF_MEMORY = 2,
    SIM_NOT_INITIALIZED = 3,
    SIM_NO_DEVICE = 100,
    SIM_INVALID_DEVICE = 101,
    SIM_INVALID_CONTEXT = 201,
    SIM_ILLEGAL_STATE = 401,
    SIM_INVALID_HANDLE = 400,
    SIM_NOT_READY = 600,
    SIM_ILLEGAL_ADDRESS = 700,
    SIM_CONTEXT_IS_DESTROYED = 709,
    SIM_MISALIGNED_ADDRESS = 716,
    SIM_LAUNCH_FAILED = 719,
    SIM_CAPTURE_UNSUPPORTED = 900,
    SIM_CAPTURE_INVALIDATED = 901,
    SIM_CAPTURE_MERGE = 902,
    SIM_CAPTURE_UNMATCHED = 903,
    SIM_CAPTURE_UNJOINED = 904,
    SIM_CAPTURE_ISOLATION = 905,
    SIM_CAPTURE_IMPLICIT = 906,
    SIM_CAPTURED_EVENT = 907,
    SIM_CAPTURE_WRONG_THREAD = 908
};

/* Settings (config.c). */
enum { SIM_DEVICES_MAXIMUM = 8, SIM_ATTRIBUTES_MAXIMUM = 256 };

typedef struct sim_settings {
    int devices;
    size_t memory_bytes;
    bool peer[SIM_DEVICES_MAXIMUM][SIM_DEVICES_MAXIMUM];
    uint64_t delay_ns, slow_ns;
    int version;
    uint64_t max_pitch;
    bool attribute_set[SIM_ATTRIBUTES_MAXIMUM];
    int attribute[SIM_ATTRIBUTES_MAXIMUM];
    char hidden[512];
    bool check_rules, check_leaks;
} sim_settings;

extern sim_settings sim_setting;

/* Reads the environment, once; called with the lock. */
void sim_config_load(void);
/* Sets one value; false when it is not understood. */
bool sim_config_set(const char *name, const char *value);
/* Whether a function, by its name without version, is hidden from the driver's look-up. */
bool sim_config_hides(const char *name);

/* The lock. */
void sim_lock(void);
void sim_unlock(void);
pthread_mutex_t *sim_mutex(void);
/* Waits until some task is done or some other thing changes; the lock is given up meanwhile. */
void sim_wait_for_progress(void);
void sim_progress(void);
uint64_t sim_now(void); /* nanoseconds */

/* The log (log.c). */
enum { SIM_TEXT_BYTES = 160 };

/* Takes the lock and counts the call; the result is the code that the call shall fail with. */
int sim_begin(const char *name);
/* Logs the result and gives the lock back. */
int sim_end(int result);
/* The call at hand breaks a documented rule: remembers which, and returns the code. */
int sim_refuse(int code, const char *format, ...) SIM_PRINTF(2, 3);
/* Something that happened behind the call broke a rule. */
void sim_complain(const char *format, ...) SIM_PRINTF(1, 2);
/* Further words for the log about the call at hand. */
void sim_note(const char *format, ...) SIM_PRINTF(1, 2);
/* Opens the file of the log; false when that fails. */
bool sim_log_open(const char *path);
/* Parses [NAME:]N:CODE. */
bool sim_log_fault(const char *text);
const astride_sim *sim_interface(void);
extern uint64_t sim_instructions;

/* When work ran (tasks.c); see sim_task_timed() below. */
void sim_task_reset(void);
bool sim_task_get(uint64_t index, astride_sim_task *task_out);

/* Contexts. */
typedef struct sim_stream sim_stream;
typedef struct sim_capture sim_capture;
typedef struct CUctx_st sim_context;

struct CUctx_st {
    int device;
    bool primary;
    bool live;
    unsigned references; /* of a primary context */
    unsigned flags;
    int lost; /* the code that every call gives from now on */
    sim_stream *streams, *legacy;
    sim_context *peers[SIM_DEVICES_MAXIMUM]; /* whose memory this one reaches */
    sim_context *next;
};

/* All that are alive. */
extern sim_context *sim_contexts;
extern astride_sim_alive sim_alive;

/* Memory (memory.c). */
typedef enum sim_kind { SIM_DEVICE, SIM_PINNED, SIM_MANAGED, SIM_REGISTERED } sim_kind;

typedef struct sim_range {
    uintptr_t begin;
    size_t bytes;
    sim_kind kind;
    sim_context *context;
    intptr_t to_private; /* from the address that the program knows to the simulator's view */
    uint64_t id;
    unsigned flags;
} sim_range;

/* Reserves device memory of a device; false with a reason in the note when that fails. */
bool sim_memory_alloc(sim_context *context, size_t bytes, uintptr_t *address_out);
/* Host memory of the driver's, pinned or managed. */
bool sim_memory_alloc_host(sim_context *context, size_t bytes, sim_kind kind, unsigned flags,
                           uintptr_t *address_out);
/* Host memory of the program's. False when part of it is known already. */
bool sim_memory_register(sim_context *context, uintptr_t address, size_t bytes, unsigned flags);
/* Forgets the range that begins there and frees what is the driver's; false when none does. */
bool sim_memory_remove(uintptr_t address, sim_kind kind);
/* Forgets and frees all of a context. */
void sim_memory_remove_all(sim_context *context);
/* The range that an address is in; NULL: none. Valid until memory is added or removed. */
const sim_range *sim_memory_find(uintptr_t address);
/* All ranges, sorted, and a number that changes with them. */
const sim_range *sim_memory_ranges(size_t *count_out, uint64_t *generation_out);
size_t sim_memory_used(int device);
/* Whether work of a context reaches a range without further ado. */
bool sim_memory_reachable(const sim_context *context, const sim_range *range);

/* Handles (handles.c): which pointers are alive, so that a stale one is found and not followed. */
typedef enum sim_handle_kind {
    SIM_HANDLE_STREAM,
    SIM_HANDLE_EVENT,
    SIM_HANDLE_MODULE,
    SIM_HANDLE_FUNCTION,
    SIM_HANDLE_GRAPH,
    SIM_HANDLE_EXECUTABLE,
    SIM_HANDLE_KINDS
} sim_handle_kind;

void sim_handle_add(sim_handle_kind kind, void *object);
bool sim_handle_alive(sim_handle_kind kind, const void *object);
/* Forgets the handle; its memory, from malloc, is freed much later. */
void sim_handle_retire(sim_handle_kind kind, void *object);
/* Forgets the handle only. */
void sim_handle_forget(sim_handle_kind kind, void *object);
/* Frees memory from malloc much later. */
void sim_handle_bury(void *object);
/* Calls the function for each handle; it may retire that handle. */
void sim_handle_each(sim_handle_kind kind, void (*function)(void *object, void *argument),
                     void *argument);

/* Streams (stream.c). */
typedef struct sim_work {
    int (*run)(void *argument);      /* without the lock; anything but 0 loses the device */
    void (*release)(void *argument); /* with the lock */
    void *argument;
} sim_work;

/* The same work, with its times noted under a name that is constant (tasks.c). */
sim_work sim_task_timed(const char *name, const sim_stream *stream, size_t bytes, sim_work work);

/* A place in a stream. It holds a reference to the stream. */
typedef struct sim_point {
    sim_stream *stream; /* NULL: done */
    uint64_t sequence;
} sim_point;

struct sim_stream {
    sim_context *context;
    bool blocking; /* synchronises with the legacy stream */
    bool legacy;
    uint64_t thread; /* whose default stream it is; 0: none */
    unsigned flags;
    int priority;
    uint64_t id;
    bool closing;
    unsigned references;
    uint64_t enqueued, done; /* sequence numbers */
    bool busy;               /* some thread carries out the first task */
    struct sim_task *first, **last;
    sim_capture *capture;
    uint64_t captured, joined; /* nodes that were captured, and how many of them were waited for */
    sim_stream *next;          /* in the context */
    pthread_cond_t *signal;    /* for its thread */
};

sim_stream *sim_stream_create(sim_context *context, bool blocking);
/* The legacy stream of a context, and this thread's own; NULL without memory. */
sim_stream *sim_stream_legacy(sim_context *context);
sim_stream *sim_stream_of_thread(sim_context *context);
/* No further work comes; what there is will be done. */
void sim_stream_close(sim_stream *stream);
/* Adds work behind what there is; it is released when it is done, also on failure. */
int sim_stream_add(sim_stream *stream, sim_work work);
/* Work behind it begins only when the point is done. */
int sim_stream_add_wait(sim_stream *stream, sim_point point);
/* The place behind all there is. The caller drops it. */
sim_point sim_stream_tail(sim_stream *stream);
sim_point sim_point_copy(sim_point point);
void sim_point_drop(sim_point *point);
bool sim_point_done(sim_point point);
/* Waits, which makes late work begin. */
void sim_point_wait(sim_point point);
void sim_stream_wait(sim_stream *stream);
void sim_context_wait(sim_context *context);
uint64_t sim_thread(void); /* number of this thread, from 1 */

/* Capture (capture.c). */
typedef struct sim_graph {
    sim_context *context;
    sim_work *nodes;
    size_t count, capacity;
    unsigned references;
} sim_graph;

struct sim_capture {
    sim_stream *origin;
    sim_graph *graph;
    int mode; /* 0: global, 1: of the thread, 2: relaxed */
    uint64_t thread;
    uint64_t id;
    bool invalid;
    unsigned references;
    sim_capture *next;
};

enum { SIM_CAPTURE_GLOBAL = 0, SIM_CAPTURE_THREAD = 1, SIM_CAPTURE_RELAXED = 2 };

int sim_capture_start(sim_stream *stream, int mode);
int sim_capture_stop(sim_stream *stream, sim_graph **graph_out);
/* For calls that a capture forbids by its mode; the captures concerned become invalid. */
int sim_capture_forbids(void);
/* For calls that concern a whole context, such as waiting for it. */
int sim_capture_forbids_context(sim_context *context);
/* For calls that ask after a stream's work. */
int sim_capture_forbids_stream(sim_stream *stream);
/* Adds a node; the work is released with the graph. */
int sim_capture_add(sim_stream *stream, sim_work work);
/* The mode of this thread's interaction; the former one is returned. */
int sim_capture_exchange_mode(int mode);
/* Lets `stream` take part in a capture. */
void sim_capture_enter(sim_stream *stream, sim_capture *capture);
void sim_capture_drop(sim_capture *capture);
/* Adds all nodes to a stream. */
int sim_graph_launch(sim_graph *graph, sim_stream *stream);
void sim_graph_drop(sim_graph *graph);

#endif /* ASTRIDE_TESTS_SIMULATORS_INTERNAL_H */
