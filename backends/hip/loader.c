/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Finding the HIP runtime and its compiler at run time. Each release of ROCm has a library of its
 * own name, and the newest that is there is taken. Libraries are never closed: the runtime starts
 * threads and registers handlers that must not lose their code.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hip.h"

#define LIBRARY_VARIABLE "ASTRIDE_HIP_LIBRARY"
#define COMPILER_VARIABLE "ASTRIDE_HIPRTC_LIBRARY"

/* Versioned names, newest first: the bare one is of development packages. */
static const char *const library_names[] = {"libamdhip64.so.7", "libamdhip64.so.6",
                                            "libamdhip64.so.5"};
enum { NAME_COUNT = sizeof(library_names) / sizeof(library_names[0]) };

astride__hip_api astride__hip;
astride__hiprtc_api astride__hiprtc;
const astride_services *astride__hip_services;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *runtime;         /* the library, once it was found */
static bool compiler_is_open; /* astride__hiprtc is filled */

typedef struct entry {
    const char *name;
    void **slot;
    bool required;
} entry;

#define REQUIRED true
#define OPTIONAL false

static const entry entries[] = {
#define ENTRY(need, name, parameters) {"hip" #name, (void **)(void *)&astride__hip.name, need},
    ASTRIDE__HIP_FUNCTIONS(ENTRY)
#undef ENTRY
        {ASTRIDE__HIP_PROPERTIES, (void **)(void *)&astride__hip.GetDeviceProperties, OPTIONAL},
    {ASTRIDE__HIP_PROPERTIES_R0600, (void **)(void *)&astride__hip.GetDevicePropertiesR0600,
     OPTIONAL},
};

static const entry compiler_entries[] = {
#define ENTRY(need, name, parameters)                                                              \
    {"hiprtc" #name, (void **)(void *)&astride__hiprtc.name, need},
    ASTRIDE__HIPRTC_FUNCTIONS(ENTRY)
#undef ENTRY
};

/* Opens the file that the variable names, else the first of the names that is there. */
static void *open_library(const char *variable, const char *const *names, int count,
                          const char **file_out)
{
    const char *path = secure_getenv(variable);
    if (path != NULL && path[0] != '\0') {
        *file_out = path;
        return dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    void *library = NULL;
    for (int i = 0; i < count && library == NULL; i++) {
        *file_out = names[i];
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    return library;
}

/* The name of the first required function that the library lacks; NULL: it has all. */
static const char *resolve(void *library, const char *file, const entry *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(library, wanted[i].name);
        if (function == NULL && wanted[i].required)
            return wanted[i].name;
        if (function == NULL)
            astride__hip_services->log(ASTRIDE_LOG_INFO, "%s lacks the optional function %s", file,
                                       wanted[i].name);
        *wanted[i].slot = function;
    }
    return NULL;
}

static astride_status load(void)
{
    const char *file = NULL;
    void *library = open_library(LIBRARY_VARIABLE, library_names, NAME_COUNT, &file);
    if (library == NULL) {
        const char *cause = dlerror();
        const char *path = secure_getenv(LIBRARY_VARIABLE);
        const bool named = path != NULL && path[0] != '\0';
        return astride__hip_services->fail(
            ASTRIDE_UNAVAILABLE, "dlopen: %s%s", cause != NULL ? cause : file,
            named ? " (" LIBRARY_VARIABLE ")" : " (nor is there a newer release's library)");
    }
    const char *missing = resolve(library, file, entries, sizeof(entries) / sizeof(entries[0]));
    if (missing != NULL)
        return astride__hip_services->fail(ASTRIDE_UNAVAILABLE,
                                           "%s lacks the function %s, which ROCm has since 5.0",
                                           file, missing);
    runtime = library;
    return ASTRIDE_OK;
}

astride_status astride__hip_load(void)
{
    pthread_mutex_lock(&lock);
    const astride_status status = runtime != NULL ? ASTRIDE_OK : load();
    pthread_mutex_unlock(&lock);
    return status;
}

/*
 * The compiler is in a library of its own ("hiprtc is moved to a separate library", ROCm 5.4,
 * programming guide for the runtime compiler), and before in the runtime's. It must be of the same
 * release: a newer one may make code objects of a version that an older runtime does not load
 * (LLVM, "User Guide for AMDGPU Backend", "Code Object Versions").
 */
static astride_status load_compiler(void)
{
    const size_t count = sizeof(compiler_entries) / sizeof(compiler_entries[0]);
    char name[32];
    const char *const names[] = {name}, *file = NULL;
    snprintf(name, sizeof(name), "libhiprtc.so.%d",
             astride__hip_runtime_version() / ASTRIDE__HIP_VERSION_MAJOR);
    void *library = open_library(COMPILER_VARIABLE, names, 1, &file);
    const char *path = secure_getenv(COMPILER_VARIABLE);
    if (library == NULL && path != NULL && path[0] != '\0') {
        const char *cause = dlerror();
        return astride__hip_services->fail(ASTRIDE_UNAVAILABLE,
                                           "dlopen: %s (" COMPILER_VARIABLE ")",
                                           cause != NULL ? cause : file);
    }
    if (library == NULL) {
        file = "the HIP runtime";
        library = runtime;
    }
    const char *missing = resolve(library, file, compiler_entries, count);
    if (missing != NULL)
        return astride__hip_services->fail(ASTRIDE_UNAVAILABLE, "%s lacks the function %s%s", file,
                                           missing,
                                           library == runtime ? ", and there is no libhiprtc" : "");
    compiler_is_open = true;
    return ASTRIDE_OK;
}

astride_status astride__hip_load_compiler(void)
{
    pthread_mutex_lock(&lock);
    const astride_status status = compiler_is_open ? ASTRIDE_OK : load_compiler();
    pthread_mutex_unlock(&lock);
    return status;
}
