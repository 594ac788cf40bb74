/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Mapping memory between two inaccessible pages.
 */
#include "tests/support/guarded_pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void give_up(const char *call)
{
    perror(call);
    exit(99);
}

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

test_pages test_pages_create(size_t bytes)
{
    const size_t page = page_bytes();
    test_pages pages = {.bytes = (bytes + page - 1) / page * page};
    unsigned char *mapping =
        mmap(NULL, pages.bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (mapping == MAP_FAILED)
        give_up("mmap");
    pages.start = mapping + page;
    if (mprotect(pages.start, pages.bytes, PROT_READ | PROT_WRITE) != 0)
        give_up("mprotect");
    return pages;
}

void test_pages_destroy(test_pages *pages)
{
    const size_t page = page_bytes();

    if (pages->start != NULL && munmap(pages->start - page, pages->bytes + 2 * page) != 0)
        give_up("munmap");
    *pages = (test_pages){.start = NULL};
}

void test_pages_protect(const test_pages *pages)
{
    if (mprotect(pages->start, pages->bytes, PROT_READ) != 0)
        give_up("mprotect");
}
