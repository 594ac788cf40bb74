/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Running kernels that the host's compiler has compiled: block after block. The first work-item of
 * a block shows whether the kernel has barriers; without them the others run one after the other,
 * with them each has a stack of its own, and all take turns at the barrier. One kernel runs at a
 * time, so that shared memory can be static; each block finds it poisoned.
 */
#undef _FORTIFY_SOURCE /* its longjmp() knows one stack only */
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "tests/simulators/hip/runtime.h"

enum { THREADS_MAXIMUM = 1024, STACK_BYTES = 64 << 10 };

/*
 * A work-item with its own stack, which it keeps from block to block. It is switched to by
 * longjmp(), which leaves the signal mask alone and so does without the kernel.
 */
typedef struct fibre {
    hip_place place; /* first, so that a barrier finds the fibre */
    jmp_buf at;      /* where it goes on */
    bool begun;      /* it has a stack */
    bool done;
} fibre;

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static fibre *fibres;
static unsigned char *stacks;
static jmp_buf scheduler;
static const hip_kernel *running;
static void **running_parameters;
static fibre *current;
static bool missed_barrier;

static bool prepare_stacks(void)
{
    if (stacks != NULL)
        return true;
    void *memory = mmap(NULL, (size_t)THREADS_MAXIMUM * STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    fibres = calloc(THREADS_MAXIMUM, sizeof(*fibres));
    if (memory == MAP_FAILED || fibres == NULL)
        return false;
    stacks = memory;
    return true;
}

static void switch_to_scheduler(fibre *f)
{
    if (_setjmp(f->at) == 0)
        _longjmp(scheduler, 1);
}

static void yield_at_barrier(hip_place *place)
{
    fibre *f = (fibre *)place;
    switch_to_scheduler(f);
    running->enter(&f->place);
}

/* The block was taken for one without barriers. */
static void refuse_barrier(hip_place *place)
{
    (void)place;
    missed_barrier = true;
}

/* One work-item after the other. */
static void run_fibre(void)
{
    fibre *const f = current;
    for (;;) {
        running->enter(&f->place);
        running->run(running_parameters);
        f->done = true;
        switch_to_scheduler(f);
    }
}

static void begin(fibre *f)
{
    static ucontext_t context; /* this frame is never left, as a sanitizer sees it */
    f->begun = true;
    getcontext(&context);
    context.uc_stack.ss_sp = stacks + (size_t)(f - fibres) * STACK_BYTES;
    context.uc_stack.ss_size = STACK_BYTES;
    context.uc_link = NULL;
    makecontext(&context, run_fibre, 0);
    setcontext(&context);
}

/* Lets a work-item go on to its next barrier or its end. */
static void resume(fibre *f)
{
    current = f;
    if (_setjmp(scheduler) != 0)
        return;
    if (current->begun)
        _longjmp(current->at, 1);
    begin(current);
}

static hip_dimensions thread_at(unsigned index, hip_dimensions block)
{
    return (hip_dimensions){index % block.x, index / block.x % block.y, index / block.x / block.y};
}

static void run_alone(hip_place place, hip_dimensions size, unsigned threads)
{
    place.barrier = refuse_barrier;
    for (unsigned i = 1; i < threads; i++) {
        place.thread = thread_at(i, size);
        running->enter(&place);
        running->run(running_parameters);
    }
}

/* Those that wait at a barrier for ever: the next block begins with their stacks anew. */
static void abandon(unsigned threads)
{
    for (unsigned i = 0; i < threads; i++)
        fibres[i].begun = fibres[i].begun && fibres[i].done;
}

/*
 * The first one waits already. A work-item that ended never reaches the barrier that others wait
 * at: kernels whose source other languages share must not count on its being left out (CUDA C++
 * Programming Guide, "Synchronization Functions": a condition around a barrier has to be the same
 * for the whole block).
 */
static void run_together(const hip_place *place, hip_dimensions size, unsigned threads)
{
    unsigned waiting = 1;
    for (unsigned i = 1; i < threads; i++) {
        fibres[i].place = *place;
        fibres[i].place.thread = thread_at(i, size);
        fibres[i].done = false;
        resume(&fibres[i]);
        waiting += fibres[i].done ? 0 : 1;
    }
    while (waiting == threads) {
        waiting = 0;
        for (unsigned i = 0; i < threads; i++) {
            resume(&fibres[i]);
            waiting += fibres[i].done ? 0 : 1;
        }
    }
    if (waiting != 0) {
        missed_barrier = true;
        abandon(threads);
    }
}

static void run_block(hip_dimensions grid, hip_dimensions size, hip_dimensions at)
{
    const unsigned threads = size.x * size.y * size.z;
    const hip_place place = {
        .block = at, .block_size = size, .grid = grid, .barrier = yield_at_barrier};
    running->begin_block();
    fibres[0].place = place;
    fibres[0].done = false;
    resume(&fibres[0]);
    if (fibres[0].done)
        run_alone(place, size, threads);
    else
        run_together(&place, size, threads);
}

bool hip_kernel_run(const hip_kernel *kernel, hip_dimensions grid, hip_dimensions block,
                    void **parameters)
{
    hip_dimensions at;
    pthread_mutex_lock(&one_at_a_time);
    bool good = prepare_stacks();
    running = kernel;
    running_parameters = parameters;
    missed_barrier = false;
    for (at.z = 0; good && at.z < grid.z; at.z++)
        for (at.y = 0; at.y < grid.y; at.y++)
            for (at.x = 0; at.x < grid.x && !missed_barrier; at.x++)
                run_block(grid, block, at);
    good = good && !missed_barrier;
    pthread_mutex_unlock(&one_at_a_time);
    return good;
}
