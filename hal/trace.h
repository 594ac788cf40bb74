/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The trace that ASTRIDE_TRACE turns on: a file in the Trace Event Format, which Perfetto and the
 * browsers' tracing pages open. Calls are spans on the track of their thread, what a device did is
 * on a track of each queue.
 */
#ifndef ASTRIDE_HAL_TRACE_H
#define ASTRIDE_HAL_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <astride/plugin.h>

/* More about a span; members that are 0 or NULL are left out. */
typedef struct astride__trace_facts {
    const char *device; /* its spec */
    uint64_t bytes;
    const char *from, *to; /* kinds of memory */
} astride__trace_facts;

/*
 * Begins the trace, once, in the process that calls. Fails with ASTRIDE_INVALID_ARGUMENT and the
 * reason where the file cannot be written.
 */
astride_status astride__trace_open(const char *path);

/* Whether there is a trace; always false in a child of the process that opened it. */
extern atomic_bool astride__trace_on;

static inline bool astride__trace_enabled(void)
{
    return atomic_load_explicit(&astride__trace_on, memory_order_relaxed);
}

/* Nanoseconds since some point; never 0. */
uint64_t astride__trace_now(void);

/* Begins a span of this thread; 0 without a trace. */
static inline uint64_t astride__trace_begin(void)
{
    return astride__trace_enabled() ? astride__trace_now() : 0;
}

/* Ends it; nothing where `begun` is 0. `facts` may be NULL. */
void astride__trace_end(uint64_t begun, const char *name, const astride__trace_facts *facts);

/* What plugins are offered; see <astride/plugin.h>. */
uint32_t astride__trace_track(const char *name);
void astride__trace_span(uint32_t track, const char *name, uint64_t begin_ns, uint64_t end_ns);

/* After a fork, in the child: the file is the parent's. */
void astride__trace_after_fork(void);

#endif /* ASTRIDE_HAL_TRACE_H */
