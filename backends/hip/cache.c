/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Compiled kernels on disk, in $XDG_CACHE_HOME/astride or ~/.cache/astride (XDG Base Directory
 * Specification 0.8). A file is written under another name and then renamed, so that a reader has a
 * whole one or none; it tells its key and a checksum, so that a damaged one is compiled anew.
 */
#include "hip.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Larger files are none of ours. */
#define CODE_BYTES_MAXIMUM ((size_t)64 << 20)

enum { PATH_BYTES = 4096, KEY_BYTES = 512 };

/* The beginning of a file; the code follows. */
typedef struct header {
    char magic[8];
    char key[KEY_BYTES];
    uint64_t size, checksum;
} header;

static const char magic[8] = "astride1";

static uint64_t hash_bytes(const char *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* A folder named by a relative path is to be ignored, says the specification. */
static bool find_folder(char folder[PATH_BYTES])
{
    const char *base = secure_getenv("XDG_CACHE_HOME");
    const char *home = secure_getenv("HOME");
    int length = -1;
    if (base != NULL && base[0] == '/')
        length = snprintf(folder, PATH_BYTES, "%s/astride", base);
    else if (home != NULL && home[0] == '/')
        length = snprintf(folder, PATH_BYTES, "%s/.cache/astride", home);
    return length > 0 && length < PATH_BYTES;
}

static bool find_file(const char *key, char path[PATH_BYTES])
{
    char folder[PATH_BYTES];
    if (!find_folder(folder) || strlen(key) >= KEY_BYTES)
        return false;
    const int length = snprintf(path, PATH_BYTES, "%.3900s/hip-%016" PRIx64 ".bin", folder,
                                hash_bytes(key, strlen(key)));
    return length > 0 && length < PATH_BYTES;
}

static bool read_file(FILE *file, const char *key, astride__hip_code *code_out)
{
    header found;
    if (fread(&found, sizeof(found), 1, file) != 1 ||
        memcmp(found.magic, magic, sizeof(magic)) != 0 ||
        memchr(found.key, '\0', sizeof(found.key)) == NULL || strcmp(found.key, key) != 0 ||
        found.size == 0 || found.size > CODE_BYTES_MAXIMUM)
        return false;
    char *bytes = malloc(found.size);
    if (bytes == NULL)
        return false;
    if (fread(bytes, found.size, 1, file) != 1 || hash_bytes(bytes, found.size) != found.checksum) {
        free(bytes);
        return false;
    }
    *code_out = (astride__hip_code){bytes, found.size};
    return true;
}

bool astride__hip_cache_find(const char *key, astride__hip_code *code_out)
{
    char path[PATH_BYTES];
    if (!find_file(key, path))
        return false;
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return false;
    const bool found = read_file(file, key, code_out);
    fclose(file);
    if (!found)
        astride__hip_services->log(ASTRIDE_LOG_INFO, "%s is damaged, or of another key", path);
    return found;
}

/* Makes a folder and those that it is in, for this user alone. */
static bool make_folders(char *path)
{
    for (char *at = strchr(path + 1, '/');; at = strchr(at + 1, '/')) {
        if (at != NULL)
            *at = '\0';
        const bool there = mkdir(path, 0700) == 0 || errno == EEXIST;
        if (at == NULL)
            return there;
        *at = '/';
        if (!there)
            return false;
    }
}

static bool write_file(int descriptor, const char *key, const astride__hip_code *code)
{
    header beginning = {.size = code->size, .checksum = hash_bytes(code->bytes, code->size)};
    memcpy(beginning.magic, magic, sizeof(magic));
    memcpy(beginning.key, key, strlen(key) + 1);
    FILE *file = fdopen(descriptor, "wb");
    if (file == NULL) {
        close(descriptor);
        return false;
    }
    const bool written = fwrite(&beginning, sizeof(beginning), 1, file) == 1 &&
                         fwrite(code->bytes, code->size, 1, file) == 1;
    return fclose(file) == 0 && written;
}

void astride__hip_cache_store(const char *key, const astride__hip_code *code)
{
    char path[PATH_BYTES], folder[PATH_BYTES], temporary[PATH_BYTES];
    if (!find_file(key, path) || !find_folder(folder) || !make_folders(folder))
        return;
    snprintf(temporary, sizeof(temporary), "%.3900s/hip-XXXXXX", folder);
    const int descriptor = mkstemp(temporary);
    if (descriptor < 0)
        return;
    if (!write_file(descriptor, key, code) || rename(temporary, path) != 0)
        unlink(temporary);
}
