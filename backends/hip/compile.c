/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Compiling HIP source at run time (HIP programming guide, "Programming for HIP runtime compiler").
 */
#include "hip.h"

#include <stdio.h>
#include <stdlib.h>

/* Room for the compiler's words in an error. */
#define WORDS_BYTES 700

static astride_status fail_compiler(const char *call, hiprtcResult code)
{
    return astride__hip_services->fail(ASTRIDE_DRIVER_ERROR, "%s: hiprtcResult %u", call, code);
}

astride_status astride__hip_compiler_version(int *major_out, int *minor_out)
{
    const hiprtcResult code = astride__hiprtc.Version(major_out, minor_out);
    return code == HIPRTC_SUCCESS ? ASTRIDE_OK : fail_compiler("hiprtcVersion", code);
}

/* The compiler's words go into the error as far as they fit, and all of them into the log. */
static astride_status fail_compilation(hiprtcProgram program, const char *architecture,
                                       hiprtcResult code)
{
    size_t bytes = 0;
    char *words = NULL;
    if (astride__hiprtc.GetProgramLogSize(program, &bytes) == HIPRTC_SUCCESS && bytes > 0)
        words = calloc(1, bytes + 1);
    if (words != NULL && astride__hiprtc.GetProgramLog(program, words) != HIPRTC_SUCCESS)
        words[0] = '\0';
    if (words != NULL && words[0] != '\0')
        astride__hip_services->log(ASTRIDE_LOG_ERROR, "hiprtcCompileProgram: %s", words);
    const astride_status status = astride__hip_services->fail(
        ASTRIDE_DRIVER_ERROR, "hiprtcCompileProgram for %s: hiprtcResult %u: %.*s", architecture,
        code, WORDS_BYTES, words != NULL && words[0] != '\0' ? words : "the compiler gives no log");
    free(words);
    return status;
}

static astride_status take_code(hiprtcProgram program, astride__hip_code *code_out)
{
    size_t size = 0;
    hiprtcResult code = astride__hiprtc.GetCodeSize(program, &size);
    if (code != HIPRTC_SUCCESS || size == 0)
        return fail_compiler("hiprtcGetCodeSize", code);
    char *bytes = malloc(size);
    if (bytes == NULL)
        return astride__hip_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for %zu bytes of code",
                                           size);
    code = astride__hiprtc.GetCode(program, bytes);
    if (code != HIPRTC_SUCCESS) {
        free(bytes);
        return fail_compiler("hiprtcGetCode", code);
    }
    *code_out = (astride__hip_code){bytes, size};
    return ASTRIDE_OK;
}

astride_status astride__hip_compile(const char *source, const char *architecture,
                                    astride__hip_code *code_out)
{
    char target[ASTRIDE__HIP_ARCHITECTURE_BYTES + 32];
    const char *options[] = {target, "-O3"};
    hiprtcProgram program = NULL;
    snprintf(target, sizeof(target), "--gpu-architecture=%s", architecture);
    hiprtcResult code =
        astride__hiprtc.CreateProgram(&program, source, "astride_kernels.hip", 0, NULL, NULL);
    if (code != HIPRTC_SUCCESS)
        return fail_compiler("hiprtcCreateProgram", code);
    code = astride__hiprtc.CompileProgram(program, 2, options);
    const astride_status status = code == HIPRTC_SUCCESS
                                      ? take_code(program, code_out)
                                      : fail_compilation(program, architecture, code);
    code = astride__hiprtc.DestroyProgram(&program);
    if (code != HIPRTC_SUCCESS)
        astride__hip_services->log(ASTRIDE_LOG_WARN, "hiprtcDestroyProgram: hiprtcResult %u", code);
    return status;
}
