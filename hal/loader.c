/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Finding plugins and loading their files. Loaded files stay loaded: drivers register handlers and
 * threads that must not lose their code.
 */
#include "hal/loader.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "hal/error.h"
#include "hal/log.h"

#define FILE_PREFIX "astride-"
#define FILE_SUFFIX ".so"
/* Folder of plugins beside this library. */
#define FOLDER_BESIDE "astride"
/* Stands in the list of backends for a folder that was named wrongly. */
#define PATH_VARIABLE "ASTRIDE_PLUGIN_PATH"

typedef struct file_identity {
    dev_t device;
    ino_t number;
} file_identity;

typedef struct loader {
    astride__registry *registry;
    file_identity *seen; /* every file that was met, so that none is loaded twice */
    size_t seen_count;
    size_t seen_capacity;
} loader;

static astride_status out_of_memory(const char *path)
{
    return astride__fail(ASTRIDE_OUT_OF_MEMORY, "no memory to load plugins of %s", path);
}

/* Whether the file was met before, under whatever name; remembers it otherwise. */
static astride_status meet(loader *self, const struct stat *file, const char *path,
                           bool *before_out)
{
    for (size_t i = 0; i < self->seen_count; i++) {
        if (self->seen[i].device == file->st_dev && self->seen[i].number == file->st_ino) {
            *before_out = true;
            return ASTRIDE_OK;
        }
    }
    if (self->seen_count == self->seen_capacity) {
        size_t capacity = self->seen_capacity == 0 ? 16 : 2 * self->seen_capacity;
        file_identity *seen = realloc(self->seen, capacity * sizeof(*seen));
        if (seen == NULL)
            return out_of_memory(path);
        self->seen = seen;
        self->seen_capacity = capacity;
    }
    self->seen[self->seen_count++] = (file_identity){file->st_dev, file->st_ino};
    *before_out = false;
    return ASTRIDE_OK;
}

/*
 * Checks what the dynamic linker recorded about the entry symbol: that it is data, and as large as
 * the table says. Elsewhere than in glibc that is not told, and struct_size is taken at its word.
 */
static bool check_symbol(const void *symbol, char *reason, size_t reason_bytes)
{
#ifdef __GLIBC__
    Dl_info info;
    void *extra = NULL;

    if (dladdr1(symbol, &info, &extra, RTLD_DL_SYMENT) == 0 || extra == NULL)
        return true;
    const ElfW(Sym) *entry = extra;
    size_t bytes = (size_t)entry->st_size;
    /* The low four bits of st_info are the symbol's type, in ELF files of 32 and of 64 bits. */
    if ((entry->st_info & 0xf) == STT_FUNC) {
        snprintf(reason, reason_bytes, "the symbol %s is a function; it must be the table itself",
                 ASTRIDE_PLUGIN_SYMBOL);
        return false;
    }
    size_t header_bytes = offsetof(astride_plugin, struct_size) + sizeof(size_t);
    size_t said_bytes = header_bytes;
    if (bytes >= header_bytes && ((const astride_plugin *)symbol)->abi == ASTRIDE_PLUGIN_ABI)
        said_bytes = ((const astride_plugin *)symbol)->struct_size;
    if (bytes != 0 && bytes < said_bytes) {
        snprintf(reason, reason_bytes, "the symbol %s is truncated: it has %zu of %zu bytes",
                 ASTRIDE_PLUGIN_SYMBOL, bytes, said_bytes);
        return false;
    }
#else
    (void)symbol;
    (void)reason;
    (void)reason_bytes;
#endif
    return true;
}

/*
 * Looks the entry symbol up. dlsym() also searches the files that the plugin depends on, so where
 * the symbol lies is compared with the file that was opened.
 */
static const astride_plugin *find_entry(void *handle, char *reason, size_t reason_bytes)
{
    struct link_map *opened = NULL;
    Dl_info info;
    void *symbol = dlsym(handle, ASTRIDE_PLUGIN_SYMBOL);

    if (symbol == NULL) {
        snprintf(reason, reason_bytes, "the symbol %s is missing", ASTRIDE_PLUGIN_SYMBOL);
        return NULL;
    }
    if (dlinfo(handle, RTLD_DI_LINKMAP, &opened) != 0 || dladdr(symbol, &info) == 0) {
        snprintf(reason, reason_bytes, "the symbol %s comes from no file", ASTRIDE_PLUGIN_SYMBOL);
        return NULL;
    }
    if (strcmp(opened->l_name, info.dli_fname) != 0) {
        snprintf(reason, reason_bytes,
                 "the symbol %s comes from the dependency %.800s, not from the plugin itself",
                 ASTRIDE_PLUGIN_SYMBOL, info.dli_fname);
        return NULL;
    }
    return check_symbol(symbol, reason, reason_bytes) ? symbol : NULL;
}

static astride_status load_file(loader *self, const char *path, const char *claimed_name)
{
    const astride_plugin *entry;
    char reason[1024];
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

    if (handle == NULL) {
        const char *cause = dlerror();
        snprintf(reason, sizeof(reason), "dlopen: %s", cause != NULL ? cause : "unknown cause");
        return astride__registry_refuse(self->registry, claimed_name, path, reason);
    }
    entry = find_entry(handle, reason, sizeof(reason));
    if (entry == NULL)
        return astride__registry_refuse(self->registry, claimed_name, path, reason);
    return astride__registry_offer(self->registry, entry, claimed_name, path);
}

static int is_plugin_file(const struct dirent *entry)
{
    size_t bytes = strlen(entry->d_name);
    size_t suffix_bytes = strlen(FILE_SUFFIX);

    return strncmp(entry->d_name, FILE_PREFIX, strlen(FILE_PREFIX)) == 0 &&
           bytes >= strlen(FILE_PREFIX) + suffix_bytes &&
           strcmp(entry->d_name + bytes - suffix_bytes, FILE_SUFFIX) == 0;
}

/* In the order of bytes, so that the locale does not decide which of two namesakes wins. */
static int compare_names(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

static astride_status load_entry(loader *self, const char *folder, const char *file_name)
{
    size_t name_bytes = strlen(file_name) - strlen(FILE_PREFIX) - strlen(FILE_SUFFIX);
    char *claimed_name = strndup(file_name + strlen(FILE_PREFIX), name_bytes);
    char *path = NULL;
    struct stat file;
    bool before = false;
    astride_status status = ASTRIDE_OK;

    if (claimed_name == NULL || asprintf(&path, "%s/%s", folder, file_name) < 0) {
        path = NULL;
        status = out_of_memory(folder);
        goto free_strings;
    }
    /* Where stat() fails dlopen() fails too, and says why. */
    if (stat(path, &file) == 0)
        status = meet(self, &file, path, &before);
    if (before)
        astride__log(ASTRIDE_LOG_DEBUG, "plugin %s is another name of a file met before", path);
    else if (status == ASTRIDE_OK)
        status = load_file(self, path, claimed_name);
free_strings:
    free(path);
    free(claimed_name);
    return status;
}

/* `is_required`: a folder that cannot be read is listed with its reason. */
static astride_status load_folder(loader *self, const char *folder, bool is_required)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_plugin_file, compare_names);
    astride_status status = ASTRIDE_OK;

    if (count < 0) {
        int code = errno;
        char reason[256];
        if (code == ENOMEM)
            return out_of_memory(folder);
        snprintf(reason, sizeof(reason), "the folder cannot be read: %s", strerror(code));
        if (is_required)
            return astride__registry_refuse(self->registry, PATH_VARIABLE, folder, reason);
        astride__log(ASTRIDE_LOG_DEBUG, "no plugins in %s: %s", folder, reason);
        return ASTRIDE_OK;
    }
    for (int i = 0; i < count; i++) {
        if (status == ASTRIDE_OK)
            status = load_entry(self, folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static astride_status load_path(loader *self, const char *plugin_path)
{
    char *path = strdup(plugin_path);
    char *position = NULL;
    astride_status status = ASTRIDE_OK;

    if (path == NULL)
        return out_of_memory(plugin_path);
    for (char *folder = strtok_r(path, ":", &position); folder != NULL && status == ASTRIDE_OK;
         folder = strtok_r(NULL, ":", &position)) {
        char reason[512];
        if (folder[0] == '/') {
            status = load_folder(self, folder, true);
            continue;
        }
        snprintf(reason, sizeof(reason), "%s: \"%.400s\" is not an absolute path", PATH_VARIABLE,
                 folder);
        status = astride__registry_refuse(self->registry, PATH_VARIABLE, folder, reason);
    }
    free(path);
    return status;
}

/* The folder beside the file that this function is in; a library that was moved still finds it. */
static astride_status load_beside(loader *self)
{
    static const char anchor;
    Dl_info info;
    char *file;
    char *folder = NULL;
    char *slash;
    astride_status status = ASTRIDE_OK;

    if (dladdr(&anchor, &info) == 0)
        return ASTRIDE_OK;
    file = realpath(info.dli_fname, NULL);
    if (file == NULL)
        return errno == ENOMEM ? out_of_memory(info.dli_fname) : ASTRIDE_OK;
    slash = strrchr(file, '/');
    if (slash == NULL)
        goto free_file;
    slash[1] = '\0';
    if (asprintf(&folder, "%s%s", file, FOLDER_BESIDE) < 0) {
        status = out_of_memory(file);
        goto free_file;
    }
    status = load_folder(self, folder, false);
    free(folder);
free_file:
    free(file);
    return status;
}

astride_status astride__loader_load(astride__registry *registry, const char *plugin_path)
{
    loader self = {.registry = registry};
    astride_status status = ASTRIDE_OK;

    if (plugin_path != NULL)
        status = load_path(&self, plugin_path);
    if (status == ASTRIDE_OK)
        status = load_beside(&self);
    if (status == ASTRIDE_OK)
        status = load_folder(&self, ASTRIDE_PLUGIN_DIR, false);
    free(self.seen);
    return status;
}
