/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The number of forks that lie between this process and the one that first used the library. Asking
 * for it is cheaper than getpid(), which enters the kernel, and copies ask each time. Children made
 * by a bare clone() system call are not noticed.
 */
#include "hal/process.h"

#include <pthread.h>
#include <stdatomic.h>

#include "hal/error.h"
#include "hal/trace.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_uint_fast32_t fork_count;
static int watch_error;

static void after_fork_in_child(void)
{
    atomic_fetch_add_explicit(&fork_count, 1, memory_order_relaxed);
    astride__trace_after_fork();
    astride__registry_after_fork();
    astride__device_after_fork();
    astride__memory_after_fork();
    astride__packer_after_fork();
}

static void watch(void)
{
    watch_error = pthread_atfork(NULL, NULL, after_fork_in_child);
}

astride_status astride__process_watch(void)
{
    pthread_once(&once, watch);
    if (watch_error != 0)
        return astride__fail(ASTRIDE_OUT_OF_MEMORY, "pthread_atfork: no memory for a handler");
    return ASTRIDE_OK;
}

uint32_t astride__process_number(void)
{
    return (uint32_t)atomic_load_explicit(&fork_count, memory_order_relaxed);
}
