/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runs the fuzz target without libFuzzer: every file of the corpus, and seeded random changes of
 * them. A wrong answer of the library aborts the program, which fails the test.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/fuzz_descriptor.h"
#include "tests/support/count.h"
#include "tests/support/random.h"

enum { MOST_FILES = 512, MOST_BYTES = 512, USUAL_COUNT = 100000 };

typedef struct file {
    uint8_t bytes[MOST_BYTES];
    size_t size;
} file;

static file files[MOST_FILES];
static size_t file_count;

static int read_file(int folder, const char *name)
{
    int descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC);
    ssize_t size = -1;

    if (descriptor >= 0 && file_count < MOST_FILES)
        size = read(descriptor, files[file_count].bytes, MOST_BYTES);
    if (descriptor >= 0)
        close(descriptor);
    if (size < 0) {
        fprintf(stderr, "replay: cannot read %s\n", name);
        return -1;
    }
    files[file_count++].size = (size_t)size;
    return 0;
}

static int read_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    int failed = 0;

    if (directory == NULL) {
        fprintf(stderr, "replay: cannot read the folder %s\n", folder);
        return -1;
    }
    while ((entry = readdir(directory)) != NULL)
        if (entry->d_name[0] != '.')
            failed |= read_file(dirfd(directory), entry->d_name);
    closedir(directory);
    return failed;
}

static void run_changed(test_random *random)
{
    file changed = files[test_random_below(random, file_count)];
    uint64_t changes = test_random_below(random, 8);

    if (changed.size < MOST_BYTES / 2 && test_random_chance(random, 1, 4)) {
        size_t more = (size_t)test_random_below(random, 32);

        test_random_bytes(random, changed.bytes + changed.size, more);
        changed.size += more;
    }
    for (uint64_t i = 0; i < changes && changed.size > 0; i++)
        changed.bytes[test_random_below(random, changed.size)] = (uint8_t)test_random_next(random);
    LLVMFuzzerTestOneInput(changed.bytes, changed.size);
}

int main(int argc, char **argv)
{
    const char *source = getenv("abs_top_srcdir");
    char folder[4096];
    uint64_t count = test_count(USUAL_COUNT);
    int failed = 0;

    puts("1..2");
    if (argc > 1) {
        /* Inputs that libFuzzer left behind. */
        for (int i = 1; i < argc; i++)
            failed |= read_file(AT_FDCWD, argv[i]);
        count = 0;
    } else {
        snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus", source != NULL ? source : ".");
        failed = read_folder(folder);
    }
    if (failed != 0 || file_count == 0)
        return EXIT_FAILURE;
    for (size_t i = 0; i < file_count; i++)
        LLVMFuzzerTestOneInput(files[i].bytes, files[i].size);
    printf("ok 1 - %zu inputs of the corpus\n", file_count);
    fflush(stdout);
    for (uint64_t i = 0; i < count; i++) {
        test_random random;

        test_random_seed(&random, 1, i);
        run_changed(&random);
    }
    printf("ok 2 - %llu random changes of them, seed 1\n", (unsigned long long)count);
    return EXIT_SUCCESS;
}
