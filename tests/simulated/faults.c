/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Every call of the driver fails in turn, in what a program does with a device, until all of it
 * succeeds.
 */
#include "tests/simulated/faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/simulated/simulated.h"

/* A code that means nothing in particular. */
#define CODE 999

/* Calls that give something back: what they did stands, and their failure is only logged. */
static bool gives_back(const char *name)
{
    for (const char *const *word = simulated_the_vendor.gives_back; *word != NULL; word++) {
        if (strstr(name, *word) != NULL)
            return true;
    }
    return false;
}

/* Whether the error names the code. */
static bool names_code(const char *error)
{
    const char *compiler_text = simulated_the_vendor.compiler_failure_text;
    return strstr(error, simulated_the_vendor.failure_text) != NULL ||
           (compiler_text != NULL && strstr(error, compiler_text) != NULL);
}

/* The name without its version. */
static void plain_name(const char *name, char *plain, size_t plain_bytes)
{
    snprintf(plain, plain_bytes, "%s", name);
    char *suffix = strstr(plain, "_v");
    if (suffix != NULL)
        *suffix = '\0';
}

static void check_alive(const astride_sim_alive *before, const char *name, uint64_t n)
{
    astride_sim_alive after;
    sim->alive(&after);
    if (memcmp(before, &after, sizeof after) != 0)
        fail_msg("call %llu, %s, failed and leaked: contexts %lld, device %lld, pinned %lld, "
                 "managed %lld, registered %lld, streams %lld, events %lld, modules %lld, depth "
                 "%lld",
                 (unsigned long long)n, name, (long long)(after.contexts - before->contexts),
                 (long long)(after.device - before->device),
                 (long long)(after.pinned - before->pinned),
                 (long long)(after.managed - before->managed),
                 (long long)(after.registered - before->registered),
                 (long long)(after.streams - before->streams),
                 (long long)(after.events - before->events),
                 (long long)(after.modules - before->modules),
                 (long long)(after.context_depth - before->context_depth));
}

uint64_t faults_fail_each(faults_operation run, void *argument, const char *survived)
{
    for (uint64_t n = 1; n < 10000; n++) {
        astride_sim_alive before;
        char name[128] = "", plain[128];
        sim->alive(&before);
        sim->reset();
        sim->fail_call(NULL, n, CODE);
        const astride_status status = run(argument);
        if (sim->failed() == NULL) {
            sim->reset();
            if (status != ASTRIDE_OK)
                fail_msg("nothing failed, but: %s", astride_last_error());
            return n - 1;
        }
        snprintf(name, sizeof name, "%s", sim->failed());
        plain_name(name, plain, sizeof plain);
        if (status == ASTRIDE_OK && !gives_back(name) && strstr(survived, plain) == NULL)
            fail_msg("call %llu, %s, failed, and the operation did not", (unsigned long long)n,
                     name);
        if (status != ASTRIDE_OK &&
            (strstr(astride_last_error(), plain) == NULL || !names_code(astride_last_error())))
            fail_msg("call %llu, %s, failed, but the error is: %s", (unsigned long long)n, name,
                     astride_last_error());
        simulated_check_rules();
        check_alive(&before, name, n);
        sim->reset();
        if (run(argument) != ASTRIDE_OK)
            fail_msg("after call %llu, %s, failed: %s", (unsigned long long)n, name,
                     astride_last_error());
        check_alive(&before, name, n);
    }
    fail_msg("there is no end of calls");
    return 0;
}
