/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The one lock, the log of calls, the faults that tests ask for, and what is said at the end of the
 * process about broken rules and leaks.
 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/simulators/common/internal.h"

enum { LOG_LENGTH = 65536, NAMES_MAXIMUM = 512, EXIT_STATUS = 99 };

typedef struct entry {
    const char *name;
    char *text; /* NULL: none */
    int result;
} entry;

typedef struct counter {
    const char *name;
    uint64_t calls;
} counter;

/* The call that a thread is in. */
typedef struct current {
    const char *name;
    char text[SIM_TEXT_BYTES];
    bool broke_rule;
} current;

static _Thread_local current call;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t progress = PTHREAD_COND_INITIALIZER;

static entry entries[LOG_LENGTH];
static uint64_t calls;
static counter counters[NAMES_MAXIMUM];
static FILE *file;

static uint64_t rules_broken;
static char first_rule[SIM_TEXT_BYTES + 64];

/* The fault to come. */
static char fault_name[64];
static uint64_t fault_countdown;
static int fault_code;
static const char *fault_done;

static pid_t loaded_by;

astride_sim_alive sim_alive;
uint64_t sim_instructions;

void sim_lock(void)
{
    pthread_mutex_lock(&mutex);
}

void sim_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

void sim_wait_for_progress(void)
{
    pthread_cond_wait(&progress, &mutex);
}

void sim_progress(void)
{
    pthread_cond_broadcast(&progress);
}

/* For stream.c, whose threads wait on conditions of their own. */
pthread_mutex_t *sim_mutex(void)
{
    return &mutex;
}

uint64_t sim_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Whether two names are the same but for versions: "_v2", "_ptsz", "_v2_ptds". */
static bool same_function(const char *exported, const char *asked)
{
    const size_t length = strlen(asked);
    if (strncmp(exported, asked, length) != 0)
        return false;
    const char *rest = exported + length;
    if (rest[0] == '_' && rest[1] == 'v' && rest[2] >= '0' && rest[2] <= '9')
        rest += 3;
    return *rest == '\0' || strcmp(rest, "_ptsz") == 0 || strcmp(rest, "_ptds") == 0;
}

static void count_call(const char *name)
{
    for (size_t i = 0; i < NAMES_MAXIMUM; i++) {
        if (counters[i].name == NULL)
            counters[i].name = name;
        if (counters[i].name == name) {
            counters[i].calls++;
            return;
        }
    }
}

int sim_begin(const char *name)
{
    sim_lock();
    call.name = name;
    call.text[0] = '\0';
    call.broke_rule = false;
    count_call(name);
    if (fault_countdown == 0 || (fault_name[0] != '\0' && !same_function(name, fault_name)))
        return 0;
    if (--fault_countdown > 0)
        return 0;
    fault_done = name;
    sim_note("made to fail");
    return fault_code;
}

static void append(int result)
{
    entry *at = &entries[calls++ % LOG_LENGTH];
    free(at->text);
    *at = (entry){call.name, call.text[0] != '\0' ? strdup(call.text) : NULL, result};
    if (file != NULL)
        fprintf(file, "%s = %d%s%s\n", call.name, result, call.text[0] != '\0' ? "  " : "",
                call.text);
}

int sim_end(int result)
{
    if (call.broke_rule) {
        if (rules_broken++ == 0)
            snprintf(first_rule, sizeof(first_rule), "%s: %s", call.name, call.text);
    }
    append(result);
    sim_unlock();
    return result;
}

static void set_text(const char *format, va_list arguments)
{
    vsnprintf(call.text, sizeof(call.text), format, arguments);
}

int sim_refuse(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_text(format, arguments);
    va_end(arguments);
    call.broke_rule = true;
    return code;
}

void sim_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_text(format, arguments);
    va_end(arguments);
}

void sim_complain(const char *format, ...)
{
    char text[SIM_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (rules_broken++ == 0)
        snprintf(first_rule, sizeof(first_rule), "%s", text);
    if (file != NULL)
        fprintf(file, "  %s\n", text);
}

bool sim_log_open(const char *path)
{
    FILE *opened = fopen(path, "we");
    if (opened == NULL)
        return false;
    if (file != NULL)
        fclose(file);
    file = opened;
    return true;
}

static void set_fault(const char *name, size_t name_length, uint64_t nth, int code)
{
    snprintf(fault_name, sizeof(fault_name), "%.*s", (int)name_length, name);
    fault_countdown = nth;
    fault_code = code;
    fault_done = NULL;
}

bool sim_log_fault(const char *text)
{
    const char *name = text;
    size_t name_length = 0;
    char *end;
    if (*text < '0' || *text > '9') {
        const char *colon = strchr(text, ':');
        if (colon == NULL)
            return false;
        name_length = (size_t)(colon - text);
        text = colon + 1;
    }
    const unsigned long long nth = strtoull(text, &end, 10);
    if (end == text || *end != ':' || name_length >= sizeof(fault_name))
        return false;
    const char *code = end + 1;
    const long number = strtol(code, &end, 10);
    if (end == code || *end != '\0')
        return false;
    set_fault(name, name_length, nth, (int)number);
    return true;
}

/* The interface of tests. */

static bool set(const char *name, const char *value)
{
    sim_lock();
    const bool understood = sim_config_set(name, value);
    sim_unlock();
    return understood;
}

static void reset(void)
{
    sim_lock();
    for (size_t i = 0; i < LOG_LENGTH && entries[i].name != NULL; i++) {
        free(entries[i].text);
        entries[i] = (entry){0};
    }
    memset(counters, 0, sizeof(counters));
    calls = 0;
    rules_broken = 0;
    fault_countdown = 0;
    fault_done = NULL;
    sim_task_reset();
    sim_unlock();
}

static uint64_t count(const char *name)
{
    uint64_t sum = 0;
    sim_lock();
    for (size_t i = 0; i < NAMES_MAXIMUM && counters[i].name != NULL; i++)
        if (name == NULL || same_function(counters[i].name, name))
            sum += counters[i].calls;
    sim_unlock();
    return sum;
}

static bool get_call(uint64_t index, astride_sim_call *call_out)
{
    sim_lock();
    const bool kept = index < calls && calls - index <= LOG_LENGTH;
    if (kept) {
        const entry *at = &entries[index % LOG_LENGTH];
        *call_out = (astride_sim_call){at->name, at->text != NULL ? at->text : "", at->result};
    }
    sim_unlock();
    return kept;
}

static uint64_t broken_rules(void)
{
    sim_lock();
    const uint64_t broken = rules_broken;
    sim_unlock();
    return broken;
}

static const char *first_broken_rule(void)
{
    return broken_rules() > 0 ? first_rule : NULL;
}

static void fail_call(const char *name, uint64_t nth, int code)
{
    sim_lock();
    set_fault(name != NULL ? name : "", name != NULL ? strlen(name) : 0, nth, code);
    sim_unlock();
}

static const char *failed(void)
{
    sim_lock();
    const char *name = fault_done;
    sim_unlock();
    return name;
}

static void lose_device(int device, int code)
{
    sim_lock();
    for (sim_context *context = sim_contexts; context != NULL; context = context->next)
        if (context->device == device)
            context->lost = code;
    sim_unlock();
}

static void alive(astride_sim_alive *alive_out)
{
    sim_lock();
    *alive_out = sim_alive;
    sim_unlock();
}

static void *view(const void *address, size_t bytes)
{
    void *seen = NULL;
    sim_lock();
    const sim_range *range = sim_memory_find((uintptr_t)address);
    if (range != NULL && bytes <= range->bytes - ((uintptr_t)address - range->begin))
        seen = (char *)(uintptr_t)address + range->to_private;
    sim_unlock();
    return seen;
}

static uint64_t instructions(void)
{
    sim_lock();
    const uint64_t number = sim_instructions;
    sim_unlock();
    return number;
}

const astride_sim *sim_interface(void)
{
    static const astride_sim interface = {
        .struct_size = sizeof(astride_sim),
        .set = set,
        .reset = reset,
        .count = count,
        .call = get_call,
        .broken_rules = broken_rules,
        .first_broken_rule = first_broken_rule,
        .fail_call = fail_call,
        .failed = failed,
        .lose_device = lose_device,
        .alive = alive,
        .view = view,
        .instructions = instructions,
        .task = sim_task_get,
    };
    return &interface;
}

SIM_EXPORT const astride_sim *astride_sim_get(void);
SIM_EXPORT const astride_sim *astride_sim_get(void)
{
    return sim_interface();
}

/* Beginning and end of the process. */

__attribute__((constructor)) static void at_load(void)
{
    loaded_by = getpid();
    sim_config_load();
}

static bool report_leaks(void)
{
    const int64_t leaks = sim_alive.contexts + sim_alive.device + sim_alive.pinned +
                          sim_alive.managed + sim_alive.registered + sim_alive.streams +
                          sim_alive.events + sim_alive.modules + sim_alive.graphs;
    if (leaks == 0 && sim_alive.context_depth == 0)
        return false;
    fprintf(stderr,
            "simulated driver: not given back: contexts %lld, device memory %lld, pinned %lld, "
            "managed %lld, registered %lld, streams %lld, events %lld, modules %lld, graphs %lld; "
            "current contexts %lld\n",
            (long long)sim_alive.contexts, (long long)sim_alive.device, (long long)sim_alive.pinned,
            (long long)sim_alive.managed, (long long)sim_alive.registered,
            (long long)sim_alive.streams, (long long)sim_alive.events, (long long)sim_alive.modules,
            (long long)sim_alive.graphs, (long long)sim_alive.context_depth);
    return true;
}

__attribute__((destructor)) static void at_exit(void)
{
    bool bad = false;
    /* A child of fork() may have copied the lock while it was held. */
    if (loaded_by != getpid())
        return;
    sim_lock();
    if (file != NULL)
        fflush(file);
    if (sim_setting.check_rules && rules_broken > 0) {
        fprintf(stderr, "simulated driver: %llu broken rules, the first: %s\n",
                (unsigned long long)rules_broken, first_rule);
        bad = true;
    }
    if (sim_setting.check_leaks && report_leaks())
        bad = true;
    sim_unlock();
    if (bad) {
        fflush(NULL);
        _exit(EXIT_STATUS);
    }
}
