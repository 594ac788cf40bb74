/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Running kernels that the host's compiler has compiled: block after block. The first work-item of
 * a block shows whether the kernel has barriers; without them the others run one after the other,
 * with them each has a stack of its own, and all take turns at the barrier. One kernel runs at a
 * time, so that shared memory can be static; each block finds it poisoned.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "tests/simulators/hip/runtime.h"

enum { THREADS_MAXIMUM = 1024, STACK_BYTES = 64 << 10 };

/* A work-item with its own stack. */
typedef struct fibre {
    hip_place place; /* first, so that a barrier finds the fibre */
    ucontext_t context;
    bool done, waiting;
} fibre;

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static fibre *fibres;
static unsigned char *stacks;
static ucontext_t scheduler;
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

static void yield_at_barrier(hip_place *place)
{
    fibre *f = (fibre *)place;
    f->waiting = true;
    swapcontext(&f->context, &scheduler);
    running->enter(&f->place);
}

/* The block was taken for one without barriers. */
static void refuse_barrier(hip_place *place)
{
    (void)place;
    missed_barrier = true;
}

static void run_fibre(void)
{
    running->enter(&current->place);
    running->run(running_parameters);
    current->done = true;
}

static void start(fibre *f, unsigned index)
{
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = stacks + (size_t)index * STACK_BYTES;
    f->context.uc_stack.ss_size = STACK_BYTES;
    f->context.uc_link = &scheduler;
    f->done = f->waiting = false;
    makecontext(&f->context, run_fibre, 0);
}

static void resume(fibre *f)
{
    current = f;
    f->waiting = false;
    swapcontext(&scheduler, &f->context);
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
        start(&fibres[i], i);
        resume(&fibres[i]);
        waiting += fibres[i].waiting ? 1 : 0;
    }
    while (waiting == threads) {
        waiting = 0;
        for (unsigned i = 0; i < threads; i++) {
            resume(&fibres[i]);
            waiting += fibres[i].waiting ? 1 : 0;
        }
    }
    missed_barrier = waiting != 0;
}

static void run_block(hip_dimensions grid, hip_dimensions size, hip_dimensions at)
{
    const unsigned threads = size.x * size.y * size.z;
    const hip_place place = {
        .block = at, .block_size = size, .grid = grid, .barrier = yield_at_barrier};
    running->begin_block();
    fibres[0].place = place;
    start(&fibres[0], 0);
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
