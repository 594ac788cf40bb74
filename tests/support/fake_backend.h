/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A backend inside a test program that counts calls and fails or waits on demand, for tests of what
 * the core does around a backend. Its devices are opened by astride__device_acquire(), without the
 * registry. It moves no data.
 */
#ifndef ASTRIDE_TESTS_FAKE_BACKEND_H
#define ASTRIDE_TESTS_FAKE_BACKEND_H

#include <stdatomic.h>

#include "hal/registry.h"

/* How often each slot was called. */
typedef struct fake_counts {
    atomic_int device_open, device_close;
    atomic_int memory_alloc, memory_free;
    atomic_int memory_register, memory_unregister;
    atomic_int memory_import, memory_release;
    atomic_int memory_query;
    atomic_int queue_create, queue_import, queue_destroy, queue_wait;
    atomic_int event_create, event_destroy, event_record, event_wait, queue_wait_event;
    atomic_int module_load, module_unload, module_function, launch;
} fake_counts;

/* What the slots do; all zero is a backend where everything succeeds. */
typedef struct fake_wishes {
    atomic_int open_milliseconds; /* device_open and device_close take so long */
    _Atomic astride_status open;  /* device_open ends so */
    _Atomic astride_status alloc; /* memory_alloc ends so */
    _Atomic astride_status reg;   /* memory_register ends so */
    _Atomic astride_status queue; /* queue_create, queue_import and queue_wait end so */
    _Atomic astride_status event; /* event_create ends so */
    _Atomic astride_status query; /* memory_query ends so */
    void *_Atomic address;        /* memory_alloc and memory_import give this, unless NULL */
    void *_Atomic query_base;     /* memory_query gives this base ... */
    _Atomic size_t query_bytes;   /* ... and this size */
} fake_wishes;

/* What the last call of a slot was given. */
typedef struct fake_last {
    void *_Atomic allocation; /* cookie that was freed, unregistered or released */
    _Atomic size_t bytes;     /* that were allocated, registered or imported */
    void *_Atomic native;     /* that a queue was imported from */
} fake_last;

extern fake_counts fake_count;
extern fake_wishes fake_wish;
extern fake_last fake_latest;

/* Two backends, "fake" with every optional slot and "plain" with none; each has two devices. */
extern const astride__backend fake_backend;
extern const astride__backend plain_backend;

/* Sets counts and wishes to 0. */
void fake_reset(void);

#endif /* ASTRIDE_TESTS_FAKE_BACKEND_H */
