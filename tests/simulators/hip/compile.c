/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The simulated runtime compiler: the source, between kernel_prelude.hpp and kernel_launchers.hpp,
 * is compiled by the host's C++ compiler ($CXX, else c++) into a shared object. Kernels are found
 * in the preprocessed text, because macros make their names.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/simulators/hip/embedded.h"

extern char **environ;

enum { PATH_BYTES = 256 };

/* Files in a folder of their own. */
typedef struct job {
    char folder[PATH_BYTES], source[PATH_BYTES], text[PATH_BYTES], object[PATH_BYTES],
        words[PATH_BYTES];
} job;

static char *read_all(const char *path, size_t *bytes_out)
{
    FILE *file = fopen(path, "rbe");
    char *bytes = NULL;
    long size = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size >= 0 && fseek(file, 0, SEEK_SET) == 0)
        bytes = malloc((size_t)size + 1);
    if (bytes != NULL && fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        free(bytes);
        bytes = NULL;
    }
    if (file != NULL)
        fclose(file);
    if (bytes != NULL) {
        bytes[size] = '\0';
        *bytes_out = (size_t)size;
    }
    return bytes;
}

/*
 * Vectors as an extension of clang has them, which gcc has not: what this replaces is a typedef of
 * four unsigned integers with members x, y, z and w.
 */
static void write_translated(FILE *file, const char *source)
{
    static const char begins[] = "typedef unsigned int ";
    static const char ends[] = " __attribute__((ext_vector_type(4)));";
    const char *at = source;
    for (;;) {
        const char *end = strstr(at, ends);
        if (end == NULL)
            break;
        const char *line = end;
        while (line > at && line[-1] != '\n')
            line--;
        if (strncmp(line, begins, sizeof(begins) - 1) != 0) {
            fprintf(file, "%.*s", (int)(end + sizeof(ends) - 1 - at), at);
        } else {
            const char *name = line + sizeof(begins) - 1;
            fprintf(file, "%.*stypedef astride_sim_vector4 %.*s;", (int)(line - at), at,
                    (int)(end - name), name);
        }
        at = end + sizeof(ends) - 1;
    }
    fputs(at, file);
}

static bool write_source(const job *j, const char *source)
{
    FILE *file = fopen(j->source, "we");
    if (file == NULL)
        return false;
    fputs(hip_kernel_prelude, file);
    write_translated(file, source);
    fputc('\n', file);
    return fclose(file) == 0;
}

/* A line for each function behind the word __global__. */
static bool append_launchers(const job *j)
{
    size_t bytes;
    char *text = read_all(j->text, &bytes);
    FILE *file = fopen(j->text, "ae");
    if (text == NULL || file == NULL) {
        free(text);
        if (file != NULL)
            fclose(file);
        return false;
    }
    fputs(hip_kernel_launchers, file);
    for (const char *at = strstr(text, "__global__"); at != NULL; at = strstr(at, "__global__")) {
        at += strlen("__global__");
        const char *end = strchr(at, '(');
        if (end == NULL)
            break;
        while (end > at && isspace((unsigned char)end[-1]))
            end--;
        const char *name = end;
        while (name > at && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
            name--;
        fprintf(file, "ASTRIDE_SIM_KERNEL(%.*s)\n", (int)(end - name), name);
    }
    free(text);
    return fclose(file) == 0;
}

/* Runs the compiler with its words in a file. The sanitizers' library is not for it. */
static bool run(const job *j, char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, j->words,
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    const bool began = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    while (began && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return began && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* CXX may have options behind it. */
static bool compile_with(const job *j, const char *const *more, size_t count)
{
    char compiler[PATH_BYTES];
    char *arguments[40];
    size_t used = 0;
    char *rest = NULL;
    const char *chosen = getenv("CXX");
    snprintf(compiler, sizeof(compiler), "%s", chosen != NULL && *chosen != '\0' ? chosen : "c++");
    for (char *word = strtok_r(compiler, " ", &rest); word != NULL && used < 20;
         word = strtok_r(NULL, " ", &rest))
        arguments[used++] = word;
    for (size_t i = 0; i < count; i++)
        arguments[used++] = (char *)(uintptr_t)more[i];
    arguments[used] = NULL;
    return used > 0 && run(j, arguments);
}

static bool compile(const job *j, const char *source)
{
    const char *preprocess[] = {"-std=c++17", "-x", "c++", "-E", "-P", j->source, "-o", j->text};
    const char *build[] = {
        "-std=c++17", "-x",    "c++",           "-w", "-O2",    "-fno-strict-aliasing", "-fPIC",
        "-shared",    j->text, "-D__global__=", "-o", j->object};
    return write_source(j, source) &&
           compile_with(j, preprocess, sizeof(preprocess) / sizeof(preprocess[0])) &&
           append_launchers(j) && compile_with(j, build, sizeof(build) / sizeof(build[0]));
}

static void remove_files(const job *j)
{
    unlink(j->source);
    unlink(j->text);
    unlink(j->object);
    unlink(j->words);
    rmdir(j->folder);
}

char *hip_compile(const char *source, size_t *bytes_out, char **log_out)
{
    job j;
    size_t bytes = 0, words;
    const char *temporary = getenv("TMPDIR");
    snprintf(j.folder, sizeof(j.folder), "%.200s/astride-sim-XXXXXX",
             temporary != NULL ? temporary : "/tmp");
    if (mkdtemp(j.folder) == NULL)
        return NULL;
    snprintf(j.source, sizeof(j.source), "%.230s/source", j.folder);
    snprintf(j.text, sizeof(j.text), "%.230s/text", j.folder);
    snprintf(j.object, sizeof(j.object), "%.230s/object", j.folder);
    snprintf(j.words, sizeof(j.words), "%.230s/words", j.folder);
    char *object = compile(&j, source) ? read_all(j.object, &bytes) : NULL;
    char *code = object != NULL ? malloc(sizeof(hip_code_header) + bytes) : NULL;
    if (code != NULL) {
        const hip_code_header header = {HIP_CODE_MAGIC, bytes};
        memcpy(code, &header, sizeof(header));
        memcpy(code + sizeof(header), object, bytes);
        *bytes_out = sizeof(header) + bytes;
    }
    *log_out = read_all(j.words, &words);
    free(object);
    remove_files(&j);
    return code;
}
