/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Holds the OpenCL backend's own declarations against the real headers, at compile time: that types
 * are the same is proved by their being declared twice, constants and prototypes are compared
 * below. Where configure found no headers it says so and is skipped.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <stdio.h>

#include "backends/opencl/abi.h"

#if defined(HAVE_OPENCL_HEADERS)

/* All that the newest version has, and what it calls deprecated. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

/* From here on the names of constants are macros of the real headers. */
#define CHECK_CONSTANT(name, value)                                                                \
    _Static_assert((long long)(name) == (long long)(value), "a constant differs");
ASTRIDE__CL_CONSTANTS(CHECK_CONSTANT)
ASTRIDE__CL_ERRORS(CHECK_CONSTANT)
ASTRIDE__CL_KHR_ERRORS(CHECK_CONSTANT)

#define CHECK_FUNCTION(need, result, name, parameters)                                             \
    _Static_assert(_Generic(&cl##name, result(*) parameters : 1, default : 0),                     \
                   "the prototype of cl" #name " differs");
ASTRIDE__CL_FUNCTIONS(CHECK_FUNCTION)

_Static_assert(sizeof(cl_int) == 4 && sizeof(cl_ulong) == 8 && sizeof(cl_bool) == 4 &&
                   sizeof(cl_mem_flags) == 8 && sizeof(cl_context_properties) == sizeof(void *),
               "a size differs");

int main(void)
{
#define COUNT_CONSTANT(name, value) +1
#define COUNT_FUNCTION(need, result, name, parameters) +1
    const int constants = 0 ASTRIDE__CL_CONSTANTS(COUNT_CONSTANT) ASTRIDE__CL_ERRORS(COUNT_CONSTANT)
        ASTRIDE__CL_KHR_ERRORS(COUNT_CONSTANT);
    const int functions = 0 ASTRIDE__CL_FUNCTIONS(COUNT_FUNCTION);

    printf("1..1\nok 1 - the compiler found %d constants and %d prototypes equal\n", constants,
           functions);
    return 0;
}

#else

int main(void)
{
    puts("1..0 # SKIP configure found no OpenCL headers (Debian: opencl-headers)");
    return 0;
}

#endif
