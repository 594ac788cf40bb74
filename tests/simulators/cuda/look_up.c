/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * cuGetProcAddress of the simulated driver, in its two forms. It finds the newest symbol of a name
 * that the asked version of the API has, and that the version of the driver has.
 */
#include <string.h>

#include "tests/simulators/cuda/driver.h"

typedef void (*function)(void);

typedef struct symbol {
    const char *name;
    int version;
    function address;
} symbol;

static const symbol symbols[] = {
#define SYMBOL(symbol, name, version, parameters) {name, version, (function)symbol},
    SIM_CUDA_OLD_FUNCTIONS(SYMBOL) SIM_CUDA_NEW_FUNCTIONS(SYMBOL)
#undef SYMBOL
};

static int look_up(const char *name, void **function_out, int version, cuuint64_t flags,
                   CUdriverProcAddressQueryResult *status_out)
{
    const symbol *best = NULL;
    bool named = false;
    if (name == NULL || function_out == NULL)
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "symbol or pfn is NULL");
    if (flags > (CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM))
        return sim_refuse(CUDA_ERROR_INVALID_VALUE, "flags 0x%llx", (unsigned long long)flags);
    *function_out = NULL;
    for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
        const symbol *s = &symbols[i];
        if (strcmp(s->name, name) != 0 || s->version > cuda_version() || sim_config_hides(name))
            continue;
        named = true;
        if (s->version <= version && (best == NULL || s->version > best->version))
            best = s;
    }
    sim_note("%s, version %d", name, version);
    if (status_out != NULL)
        *status_out = best != NULL ? CU_GET_PROC_ADDRESS_SUCCESS
                      : named      ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                   : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    if (best == NULL)
        return status_out != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
    memcpy(function_out, &best->address, sizeof(best->address));
    return CUDA_SUCCESS;
}

CUresult cuGetProcAddress(const char *name, void **pfn, int cudaVersion, cuuint64_t flags)
{
    RETURN_CALL(ANY_TIME, look_up(name, pfn, cudaVersion, flags, NULL));
}

CUresult cuGetProcAddress_v2(const char *name, void **pfn, int cudaVersion, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *symbolStatus)
{
    CUdriverProcAddressQueryResult unused;
    RETURN_CALL(ANY_TIME, look_up(name, pfn, cudaVersion, flags,
                                  symbolStatus != NULL ? symbolStatus : &unused));
}
