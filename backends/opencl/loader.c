/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Finding the OpenCL library at run time and resolving its functions. The library is never closed:
 * drivers start threads and register handlers that must not lose their code.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "opencl.h"

#define LIBRARY_VARIABLE "ASTRIDE_OPENCL_LIBRARY"
/* The loader's versioned name: the bare one is of development packages only. */
#define LIBRARY_NAME "libOpenCL.so.1"

astride__opencl_api astride__cl;
const astride_services *astride__opencl_services;

typedef struct entry {
    const char *name;
    void **slot;
    bool required;
} entry;

#define REQUIRED true
#define OPTIONAL false

static const entry entries[] = {
#define ENTRY(need, result, name, parameters)                                                      \
    {"cl" #name, (void **)(void *)&astride__cl.name, need},
    ASTRIDE__CL_FUNCTIONS(ENTRY)
#undef ENTRY
};

astride_status astride__opencl_load(void)
{
    const char *path = secure_getenv(LIBRARY_VARIABLE);
    const char *file = path != NULL && path[0] != '\0' ? path : LIBRARY_NAME;
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *cause = dlerror();
        return astride__opencl_services->fail(ASTRIDE_UNAVAILABLE, "dlopen: %s%s",
                                              cause != NULL ? cause : file,
                                              file == path ? " (" LIBRARY_VARIABLE ")" : "");
    }
    for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
        void *function = dlsym(library, entries[i].name);
        if (function == NULL && entries[i].required)
            return astride__opencl_services->fail(ASTRIDE_UNAVAILABLE, "%s lacks the function %s",
                                                  file, entries[i].name);
        *entries[i].slot = function;
    }
    return ASTRIDE_OK;
}
