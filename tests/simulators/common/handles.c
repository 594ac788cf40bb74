/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which handles are alive. Handles are pointers that programs keep; one that is stale must be found
 * out without being followed, so its memory is not reused for a long time.
 */
#include <stdlib.h>

#include "tests/simulators/common/internal.h"

enum { RETIRED_MAXIMUM = 4096 };

typedef struct table {
    void **objects;
    size_t count, capacity;
} table;

static table tables[SIM_HANDLE_KINDS];
static void *retired[RETIRED_MAXIMUM];
static size_t retired_next;

void sim_handle_add(sim_handle_kind kind, void *object)
{
    table *t = &tables[kind];
    if (t->count == t->capacity) {
        const size_t capacity = t->capacity == 0 ? 64 : 2 * t->capacity;
        void **objects = realloc(t->objects, capacity * sizeof(*objects));
        if (objects == NULL)
            abort(); /* a simulator that forgets a handle would report what is not so */
        t->objects = objects;
        t->capacity = capacity;
    }
    t->objects[t->count++] = object;
}

/* Latest first: those are the ones in use. */
static size_t place_of(const table *t, const void *object)
{
    size_t i = t->count;
    while (i > 0 && t->objects[i - 1] != object)
        i--;
    return i;
}

bool sim_handle_alive(sim_handle_kind kind, const void *object)
{
    return place_of(&tables[kind], object) > 0;
}

void sim_handle_forget(sim_handle_kind kind, void *object)
{
    table *t = &tables[kind];
    const size_t place = place_of(t, object);
    if (place > 0)
        t->objects[place - 1] = t->objects[--t->count];
}

void sim_handle_retire(sim_handle_kind kind, void *object)
{
    sim_handle_forget(kind, object);
    sim_handle_bury(object);
}

void sim_handle_bury(void *object)
{
    free(retired[retired_next]);
    retired[retired_next] = object;
    retired_next = (retired_next + 1) % RETIRED_MAXIMUM;
}

void sim_handle_each(sim_handle_kind kind, void (*function)(void *object, void *argument),
                     void *argument)
{
    table *t = &tables[kind];
    for (size_t i = t->count; i > 0; i--)
        if (i <= t->count)
            function(t->objects[i - 1], argument);
}
