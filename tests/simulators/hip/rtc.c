/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The functions of the runtime compiler. They need no device and have results of their own.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/simulators/hip/runtime.h"

struct _hiprtcProgram {
    char *source, *log, *code;
    size_t code_bytes;
};

/* Counted and made to fail like other calls, but a refusal here is an answer. */
#define RETURN_RESULT(expression)                                                                  \
    do {                                                                                           \
        const int fault = sim_begin(__func__);                                                     \
        return sim_end(fault != 0 ? fault : (expression));                                         \
    } while (0)

static int version(int *major, int *minor)
{
    if (major == NULL || minor == NULL)
        return sim_refuse(HIPRTC_ERROR_INVALID_INPUT, "major or minor is NULL");
    *major = 9;
    *minor = 0;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcVersion(int *major, int *minor)
{
    RETURN_RESULT(version(major, minor));
}

static int create(hiprtcProgram *program_out, const char *source, int headers)
{
    if (program_out == NULL || source == NULL || headers != 0)
        return sim_refuse(HIPRTC_ERROR_INVALID_INPUT, "prog or src is NULL, or there are headers");
    hiprtcProgram program = calloc(1, sizeof(*program));
    if (program != NULL)
        program->source = strdup(source);
    if (program == NULL || program->source == NULL) {
        free(program);
        return HIPRTC_ERROR_OUT_OF_MEMORY;
    }
    sim_alive.modules++;
    *program_out = program;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcCreateProgram(hiprtcProgram *program, const char *source, const char *name,
                                 int header_count, const char **headers, const char **header_names)
{
    (void)name, (void)headers, (void)header_names;
    RETURN_RESULT(create(program, source, header_count));
}

static int compile(hiprtcProgram program, int count, const char **options)
{
    bool has_target = false;
    if (program == NULL || (count > 0 && options == NULL))
        return sim_refuse(HIPRTC_ERROR_INVALID_INPUT, "prog or options is NULL");
    for (int i = 0; i < count; i++) {
        if (strncmp(options[i], "--gpu-architecture=gfx", 22) == 0)
            has_target = true;
        else if (strcmp(options[i], "-O3") != 0)
            return sim_refuse(HIPRTC_ERROR_INVALID_OPTION, "option %s", options[i]);
    }
    if (!has_target)
        return sim_refuse(HIPRTC_ERROR_INVALID_OPTION, "no architecture is given");
    free(program->log);
    free(program->code);
    program->log = NULL;
    program->code = hip_compile(program->source, &program->code_bytes, &program->log);
    return program->code != NULL ? HIPRTC_SUCCESS : HIPRTC_ERROR_COMPILATION;
}

hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int count, const char **options)
{
    RETURN_RESULT(compile(program, count, options));
}

static int log_size(hiprtcProgram program, size_t *bytes)
{
    if (program == NULL || bytes == NULL)
        return sim_refuse(HIPRTC_ERROR_INVALID_INPUT, "prog or logSizeRet is NULL");
    *bytes = program->log != NULL ? strlen(program->log) + 1 : 0;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t *bytes)
{
    RETURN_RESULT(log_size(program, bytes));
}

static int get_log(hiprtcProgram program, char *log)
{
    if (program == NULL || log == NULL)
        return sim_refuse(HIPRTC_ERROR_INVALID_INPUT, "prog or log is NULL");
    if (program->log != NULL)
        memcpy(log, program->log, strlen(program->log) + 1);
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char *log)
{
    RETURN_RESULT(get_log(program, log));
}

static int code_size(hiprtcProgram program, size_t *bytes)
{
    if (program == NULL || bytes == NULL || program->code == NULL)
        return sim_refuse(HIPRTC_ERROR_INVALID_INPUT, "there is no code, or codeSizeRet is NULL");
    *bytes = program->code_bytes;
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t *bytes)
{
    RETURN_RESULT(code_size(program, bytes));
}

static int get_code(hiprtcProgram program, char *code)
{
    if (program == NULL || code == NULL || program->code == NULL)
        return sim_refuse(HIPRTC_ERROR_INVALID_INPUT, "there is no code, or code is NULL");
    memcpy(code, program->code, program->code_bytes);
    return HIPRTC_SUCCESS;
}

hiprtcResult hiprtcGetCode(hiprtcProgram program, char *code)
{
    RETURN_RESULT(get_code(program, code));
}

static int destroy(hiprtcProgram *program)
{
    if (program == NULL || *program == NULL)
        return sim_refuse(HIPRTC_ERROR_INVALID_INPUT, "prog is NULL");
    free((*program)->source);
    free((*program)->log);
    free((*program)->code);
    free(*program);
    *program = NULL;
    sim_alive.modules--;
    return HIPRTC_SUCCESS;
}

/* Made to fail, it does its work all the same. */
hiprtcResult hiprtcDestroyProgram(hiprtcProgram *program)
{
    const int fault = sim_begin(__func__);
    const int result = destroy(program);
    return sim_end(fault != 0 ? fault : result);
}
