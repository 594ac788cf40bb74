/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reading and checking the environment variables, once. What the words of ASTRIDE_BACKEND and the
 * folders of ASTRIDE_PLUGIN_PATH mean is decided by those who use them.
 */
#include "hal/environment.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <astride/plugin.h>

#include "hal/error.h"
#include "hal/log.h"
#include "hal/trace.h"

typedef struct word {
    const char *text;
    int value;
} word;

static const word log_words[] = {
    {"error", ASTRIDE_LOG_ERROR},
    {"warn", ASTRIDE_LOG_WARN},
    {"info", ASTRIDE_LOG_INFO},
    {"debug", ASTRIDE_LOG_DEBUG},
};

static const word strategy_words[] = {
#define STRATEGY_WORD(name, value, text, meaning) {text, name},
    ASTRIDE_STRATEGY_LIST(STRATEGY_WORD)
#undef STRATEGY_WORD
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static astride__environment environment;
static astride_status status;
static astride__error_detail detail; /* of the first variable that is malformed */

/* An empty variable counts as unset; set-uid programs see none at all. */
static const char *variable(const char *name)
{
    const char *value = secure_getenv(name);

    return value != NULL && value[0] != '\0' ? value : NULL;
}

static void refuse(astride_status refusal, const char *text)
{
    if (status != ASTRIDE_OK)
        return;
    status = refusal;
    snprintf(detail.text, sizeof(detail.text), "%s", text);
}

static void read_word(const char *name, const word *words, size_t count, int *value_out)
{
    const char *value = variable(name);
    char text[512];
    size_t used;

    if (value == NULL)
        return;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(value, words[i].text) == 0) {
            *value_out = words[i].value;
            return;
        }
    }

    used = (size_t)snprintf(text, sizeof(text), "%s: \"%.200s\" is none of ", name, value);
    for (size_t i = 0; i < count && used < sizeof(text); i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i == 0 ? "" : ", ",
                                 words[i].text);
    refuse(ASTRIDE_INVALID_ARGUMENT, text);
}

/* A whole number in decimal digits; `number_out` is left alone when the variable is unset. */
static void read_number(const char *name, uint64_t minimum, uint64_t maximum, uint64_t *number_out)
{
    const char *value = variable(name);
    char text[400];
    uint64_t number = 0;

    if (value == NULL)
        return;
    for (const char *digit = value; *digit != '\0'; digit++) {
        if (*digit < '0' || *digit > '9' || number > maximum)
            goto malformed;
        number = number * 10 + (uint64_t)(*digit - '0');
    }
    if (number >= minimum && number <= maximum) {
        *number_out = number;
        return;
    }
malformed:
    snprintf(text, sizeof(text),
             "%s: \"%.200s\" is not a whole number from %" PRIu64 " to %" PRIu64, name, value,
             minimum, maximum);
    refuse(ASTRIDE_INVALID_ARGUMENT, text);
}

/* Copied, because a later setenv() may free what getenv() returned. */
static void read_text(const char *name, const char **value_out)
{
    const char *value = variable(name);
    char text[64];

    if (value == NULL)
        return;
    *value_out = strdup(value);
    if (*value_out == NULL) {
        snprintf(text, sizeof(text), "%s: no memory to keep its value", name);
        refuse(ASTRIDE_OUT_OF_MEMORY, text);
    }
}

/* The trace begins here, since nothing of the library comes before its environment. */
static void read_trace(void)
{
    const char *path = variable("ASTRIDE_TRACE");
    if (path != NULL && status == ASTRIDE_OK && astride__trace_open(path) != ASTRIDE_OK)
        refuse(ASTRIDE_INVALID_ARGUMENT, astride_last_error());
}

static void read_all(void)
{
    int level = 0;
    uint64_t bytes = 0, depth = 0;
    int strategy = ASTRIDE_STRATEGY_AUTO;

    read_word("ASTRIDE_LOG", log_words, sizeof(log_words) / sizeof(log_words[0]), &level);
    astride__log_set_level(level);
    read_word("ASTRIDE_STRATEGY", strategy_words,
              sizeof(strategy_words) / sizeof(strategy_words[0]), &strategy);
    environment.strategy = (astride_strategy)strategy;
    read_number("ASTRIDE_STAGING_BYTES", 64, (uint64_t)1 << 30, &bytes);
    environment.staging_bytes = (size_t)bytes;
    read_number("ASTRIDE_STAGING_DEPTH", 1, ASTRIDE_STAGING_DEPTH_MAXIMUM, &depth);
    environment.staging_depth = (int32_t)depth;
    read_text("ASTRIDE_BACKEND", &environment.backend);
    read_text("ASTRIDE_PLUGIN_PATH", &environment.plugin_path);
    read_trace();
}

astride_status astride__environment_get(const astride__environment **environment_out)
{
    pthread_once(&once, read_all);
    if (status != ASTRIDE_OK)
        return astride__fail(status, "%s", detail.text);
    *environment_out = &environment;
    return ASTRIDE_OK;
}
