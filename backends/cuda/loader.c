/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Finding the CUDA driver's library at run time and resolving its functions, by name and version
 * where the driver offers that, else by the versioned names that it exports. The library is never
 * closed: the driver starts threads and registers handlers that must not lose their code.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"

#define LIBRARY_VARIABLE "ASTRIDE_CUDA_LIBRARY"
/* The driver's versioned name: the bare one is of development packages, which hold a stub. */
#define LIBRARY_NAME "libcuda.so.1"

astride__cuda_api astride__cu;
const astride_services *astride__cuda_services;

typedef struct entry {
    const char *name;   /* as cuGetProcAddress knows it */
    const char *symbol; /* as the library exports it */
    int version;
    void **slot;
    bool required;
} entry;

#define REQUIRED true
#define OPTIONAL false

static const entry entries[] = {
#define ENTRY(need, name, symbol, version, parameters)                                             \
    {"cu" #name, #symbol, version, (void **)(void *)&astride__cu.name, need},
    ASTRIDE__CUDA_FUNCTIONS(ENTRY)
#undef ENTRY
};

/* The ways to find a function. */
typedef struct finder {
    void *library;
    astride__cuda_get_proc_address_v1 first;  /* of CUDA 11.3 on */
    astride__cuda_get_proc_address_v2 second; /* of CUDA 12.0 on; preferred */
} finder;

static finder open_finder(void *library)
{
    finder ways = {.library = library};
    /* A pointer to an object becomes one to a function as POSIX wants it for dlsym. */
    *(void **)(void *)&ways.second = dlsym(library, ASTRIDE__CUDA_GET_PROC_ADDRESS_V2);
    *(void **)(void *)&ways.first = dlsym(library, ASTRIDE__CUDA_GET_PROC_ADDRESS_V1);
    return ways;
}

static void *find(const finder *ways, const entry *wanted)
{
    void *function = NULL;
    CUresult code = CUDA_SUCCESS;
    if (ways->second != NULL) {
        unsigned int state = 0;
        code = ways->second(wanted->name, &function, wanted->version,
                            CU_GET_PROC_ADDRESS_LEGACY_STREAM, &state);
    } else if (ways->first != NULL) {
        code = ways->first(wanted->name, &function, wanted->version,
                           CU_GET_PROC_ADDRESS_LEGACY_STREAM);
    } else {
        function = dlsym(ways->library, wanted->symbol);
    }
    return code == CUDA_SUCCESS ? function : NULL;
}

static astride_status fail_entry(const char *file, const entry *lacking)
{
    int version = 0;
    if (astride__cu.DriverGetVersion == NULL ||
        astride__cu.DriverGetVersion(&version) != CUDA_SUCCESS)
        version = 0;
    char release[48] = "";
    if (version != 0)
        snprintf(release, sizeof(release), "; the driver is of CUDA %d.%d", version / 1000,
                 version % 1000 / 10);
    return astride__cuda_services->fail(
        ASTRIDE_UNAVAILABLE, "%s lacks the function %s, which CUDA has since %d.%d%s", file,
        lacking->symbol, lacking->version / 1000, lacking->version % 1000 / 10, release);
}

astride_status astride__cuda_load(void)
{
    const char *path = secure_getenv(LIBRARY_VARIABLE);
    const char *file = path != NULL && path[0] != '\0' ? path : LIBRARY_NAME;
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *cause = dlerror();
        return astride__cuda_services->fail(ASTRIDE_UNAVAILABLE, "dlopen: %s%s",
                                            cause != NULL ? cause : file,
                                            file == path ? " (" LIBRARY_VARIABLE ")" : "");
    }
    const finder ways = open_finder(library);
    for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
        void *function = find(&ways, &entries[i]);
        if (function == NULL && entries[i].required)
            return fail_entry(file, &entries[i]);
        if (function == NULL)
            astride__cuda_services->log(ASTRIDE_LOG_INFO, "%s lacks the optional function %s", file,
                                        entries[i].symbol);
        *entries[i].slot = function;
    }
    return ASTRIDE_OK;
}
