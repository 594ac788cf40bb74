// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands behind the source of kernels: how the simulator calls one of any parameters, and
// learns what they are. A line for each kernel follows.
#include <type_traits>
#include <utility>

template <class... P, std::size_t... I>
static void astride_sim_call(void (*kernel)(P...), void **parameters, std::index_sequence<I...>)
{
    kernel(*static_cast<P *>(parameters[I])...);
}

template <class... P> static void astride_sim_run(void (*kernel)(P...), void **parameters)
{
    astride_sim_call(kernel, parameters, std::index_sequence_for<P...>());
}

// The number of parameters; the size of each, negative for a pointer.
template <class... P> static int astride_sim_describe(void (*)(P...), int *sizes, int capacity)
{
    const int found[] = {(std::is_pointer<P>::value ? -1 : 1) * static_cast<int>(sizeof(P))..., 0};
    const int count = static_cast<int>(sizeof...(P));
    for (int i = 0; i < count && i < capacity; i++)
        sizes[i] = found[i];
    return count;
}

extern "C" void astride_sim_enter(astride_sim_place *place)
{
    astride_sim_at = place;
}

// All shared memory; both NULL where there is none.
extern "C" __attribute__((weak, visibility("hidden"))) unsigned char __start_astride_sim_shared[];
extern "C" __attribute__((weak, visibility("hidden"))) unsigned char __stop_astride_sim_shared[];

// A block finds nothing in shared memory that another has left there.
extern "C" void astride_sim_begin_block()
{
    __builtin_memset(
        __start_astride_sim_shared, 0xa5,
        static_cast<std::size_t>(__stop_astride_sim_shared - __start_astride_sim_shared));
}

#define ASTRIDE_SIM_KERNEL(name)                                                                   \
    extern "C" void astride_sim_run_##name(void **parameters)                                      \
    {                                                                                              \
        astride_sim_run(name, parameters);                                                         \
    }                                                                                              \
    extern "C" int astride_sim_describe_##name(int *sizes, int capacity)                           \
    {                                                                                              \
        return astride_sim_describe(name, sizes, capacity);                                        \
    }
