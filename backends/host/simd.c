/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which kernels this processor can run. The answer is found once; $ASTRIDE_SIMD asks for less than
 * there is: "plain", "avx2", "avx512" or "neon".
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "kernels.h"

static const astride__host_simd plain = {.name = "plain"};

static const astride__host_simd *const levels[] = {
#ifdef ASTRIDE__HOST_X86
    &astride__host_avx512,
    &astride__host_avx2,
#endif
#ifdef ASTRIDE__HOST_AARCH64
    &astride__host_neon,
#endif
    &plain,
};
#define LEVEL_COUNT (sizeof levels / sizeof levels[0])

static _Atomic(const astride__host_simd *) selected;

static bool has(const astride__host_simd *level)
{
#ifdef ASTRIDE__HOST_X86
    __builtin_cpu_init();
    if (level == &astride__host_avx512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vbmi");
    if (level == &astride__host_avx2)
        return __builtin_cpu_supports("avx2");
#endif
    (void)level;
    return true;
}

/* The best level, or the best that has the name. */
static const astride__host_simd *find(const char *name)
{
    for (size_t i = 0; i < LEVEL_COUNT; i++) {
        if ((name == NULL || strcmp(levels[i]->name, name) == 0) && has(levels[i]))
            return levels[i];
    }
    return NULL;
}

astride_status astride__host_simd_check(void)
{
    const char *name = secure_getenv("ASTRIDE_SIMD");
    if (name == NULL || *name == '\0' || find(name) != NULL)
        return ASTRIDE_OK;
    return astride__host_services->fail(
        ASTRIDE_INVALID_ARGUMENT,
        "host: ASTRIDE_SIMD=\"%.64s\" is no level that this processor has; see README.md", name);
}

const astride__host_simd *astride__host_simd_level(void)
{
    const astride__host_simd *level = atomic_load_explicit(&selected, memory_order_relaxed);
    if (level != NULL)
        return level;
    level = find(secure_getenv("ASTRIDE_SIMD"));
    if (level == NULL)
        level = find(NULL);
    atomic_store_explicit(&selected, level, memory_order_relaxed);
    return level;
}

bool astride__host_simd_select(const char *name)
{
    const astride__host_simd *level = find(name);
    if (level != NULL)
        atomic_store_explicit(&selected, level, memory_order_relaxed);
    return level != NULL;
}
