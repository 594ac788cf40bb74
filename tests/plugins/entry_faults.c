/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Plugins for the tests of the loader whose entry symbol is wrong. This file is compiled once for
 * each of them; table_faults.c has those whose table is wrong.
 */
#include <stddef.h>
#include <stdint.h>

#include <astride/plugin.h>

#if defined(ENTRY_IS_MISSING)

/* A plugin that misspelt the name of its table. */
ASTRIDE_PLUGIN_EXPORT const uint32_t astride_plugin_enrty = ASTRIDE_PLUGIN_ABI;

#elif defined(ENTRY_IS_FUNCTION)

/* A plugin that believes the entry is called. */
ASTRIDE_PLUGIN_EXPORT const void *astride_plugin_entry(void);
const void *astride_plugin_entry(void)
{
    return NULL;
}

#elif defined(ENTRY_IS_CUT_SHORT)

/* A table that ends before the size that it tells. */
typedef struct short_table {
    uint32_t abi;
    size_t struct_size;
    const char *name;
} short_table;

ASTRIDE_PLUGIN_EXPORT const short_table astride_plugin_entry = {
    .abi = ASTRIDE_PLUGIN_ABI,
    .struct_size = sizeof(astride_plugin),
    .name = "cut_short",
};

#elif defined(ENTRY_IS_BORROWED)

/* A file without a table that depends on one with a table. */
extern int astride_test_lender_anchor;

ASTRIDE_API const int *astride_test_borrower(void);
const int *astride_test_borrower(void)
{
    return &astride_test_lender_anchor;
}

#endif
