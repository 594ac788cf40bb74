/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A driver that only has names: every function of the backend's table, none of which works, so that
 * the search for them can be tested without a device. Compiled several times:
 *
 * - FAKE_ASKED: 1 or 2, which version of cuGetProcAddress it has; 0: the names are exported;
 * - FAKE_INIT: what every function answers, cuInit above all;
 * - FAKE_LACKS_NAME, -DSYMBOL=absent: one function that it does not have, asked and exported.
 *
 * Asked by name and version it knows exactly the entries of the table, and refuses any other
 * version or kind of stream.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "backends/cuda/abi.h"

#define EXPORT __attribute__((visibility("default")))
#define STRING_OF(text) #text
#define STRING(text) STRING_OF(text)

#ifndef FAKE_INIT
#define FAKE_INIT CUDA_ERROR_NO_DEVICE
#endif
#ifndef FAKE_LACKS_NAME
#define FAKE_LACKS_NAME ""
#endif

/* The backend calls cuInit and, for its message, cuDriverGetVersion; arguments are not looked at.
 */
#if FAKE_ASKED == 0
#define DEFINE(need, name, symbol, version, parameters)                                            \
    EXPORT CUresult fake_##name(void) __asm__(STRING(symbol));                                     \
    CUresult fake_##name(void)                                                                     \
    {                                                                                              \
        return FAKE_INIT;                                                                          \
    }
ASTRIDE__CUDA_FUNCTIONS(DEFINE)
#else

static CUresult answer(void)
{
    return FAKE_INIT;
}

static CUresult find(const char *name, void **function_out, int wanted, uint64_t flags)
{
    static const struct {
        const char *name;
        int version;
    } entries[] = {
#define ENTRY(need, name, symbol, version, parameters) {"cu" #name, version},
        ASTRIDE__CUDA_FUNCTIONS(ENTRY)
#undef ENTRY
    };
    CUresult (*function)(void) = answer;
    *function_out = NULL;
    for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
        if (strcmp(entries[i].name, name) == 0 && strcmp(name, FAKE_LACKS_NAME) != 0 &&
            entries[i].version == wanted && flags == CU_GET_PROC_ADDRESS_LEGACY_STREAM)
            memcpy(function_out, &function, sizeof(function));
    }
    return *function_out != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* The first version has no place for the state; the real driver of CUDA 12 exports both. */
EXPORT CUresult cuGetProcAddress(const char *name, void **function_out, int wanted, uint64_t flags);
CUresult cuGetProcAddress(const char *name, void **function_out, int wanted, uint64_t flags)
{
#if FAKE_ASKED == 1
    return find(name, function_out, wanted, flags);
#else
    (void)name;
    (void)function_out;
    (void)wanted;
    (void)flags;
    return CUDA_ERROR_INVALID_VALUE;
#endif
}

#if FAKE_ASKED == 2
EXPORT CUresult cuGetProcAddress_v2(const char *name, void **function_out, int wanted,
                                    uint64_t flags, unsigned int *state_out);
CUresult cuGetProcAddress_v2(const char *name, void **function_out, int wanted, uint64_t flags,
                             unsigned int *state_out)
{
    const CUresult code = find(name, function_out, wanted, flags);
    *state_out = code == CUDA_SUCCESS ? 0 : 1;
    return code;
}
#endif
#endif
