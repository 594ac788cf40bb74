/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The settings of a simulated driver: from the environment when it is loaded, or one by one by a
 * test. simulator.h describes them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simulators/common/internal.h"

#define VARIABLE_PREFIX "ASTRIDE_SIM_"

sim_settings sim_setting = {
    .devices = 2,
    .memory_bytes = (size_t)2 << 30,
    .delay_ns = 2000000,
    .version = 13000,
    .max_pitch = 2147483647,
};

static bool number_of(const char *text, const char **end_out, unsigned long long maximum,
                      unsigned long long *number_out)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 0);
    if (end == text || errno != 0 || *text == '-' || number > maximum)
        return false;
    if (end_out != NULL)
        *end_out = end;
    else if (*end != '\0')
        return false;
    *number_out = number;
    return true;
}

static void set_all_peers(bool reaches)
{
    for (int i = 0; i < SIM_DEVICES_MAXIMUM; i++)
        for (int j = 0; j < SIM_DEVICES_MAXIMUM; j++)
            sim_setting.peer[i][j] = reaches && i != j;
}

/* "01,10": one row for each device that reaches, one digit for each that is reached. */
static bool set_peer_rows(const char *text)
{
    int row = 0, column = 0;
    set_all_peers(false);
    for (; *text != '\0'; text++) {
        if (*text == ',') {
            row++;
            column = 0;
            continue;
        }
        if ((*text != '0' && *text != '1') || row >= SIM_DEVICES_MAXIMUM ||
            column >= SIM_DEVICES_MAXIMUM)
            return false;
        sim_setting.peer[row][column] = *text == '1' && row != column;
        column++;
    }
    return true;
}

static bool set_attributes(const char *text)
{
    while (*text != '\0') {
        unsigned long long index, value;
        if (!number_of(text, &text, SIM_ATTRIBUTES_MAXIMUM - 1, &index) || *text++ != '=' ||
            !number_of(text, &text, INT32_MAX, &value))
            return false;
        sim_setting.attribute_set[index] = true;
        sim_setting.attribute[index] = (int)value;
        if (*text == ',')
            text++;
        else if (*text != '\0')
            return false;
    }
    return true;
}

static bool set_checks(const char *text)
{
    sim_setting.check_rules = strstr(text, "rules") != NULL;
    sim_setting.check_leaks = strstr(text, "leaks") != NULL;
    return *text == '\0' || sim_setting.check_rules || sim_setting.check_leaks;
}

static bool set_number(const char *name, const char *value)
{
    unsigned long long number;
    if (!number_of(value, NULL, INT64_MAX, &number))
        return false;
    if (strcmp(name, "DEVICES") == 0) {
        if (number > SIM_DEVICES_MAXIMUM)
            return false;
        sim_setting.devices = (int)number;
    } else if (strcmp(name, "MEMORY") == 0) {
        sim_setting.memory_bytes = (size_t)number;
    } else if (strcmp(name, "MAX_PITCH") == 0) {
        sim_setting.max_pitch = number;
    } else if (strcmp(name, "VERSION") == 0) {
        if (number > INT32_MAX)
            return false;
        sim_setting.version = (int)number;
    } else if (strcmp(name, "DELAY") == 0) {
        sim_setting.delay_ns = number * 1000;
    } else if (strcmp(name, "SLOW") == 0) {
        sim_setting.slow_ns = number * 1000;
    } else {
        return false;
    }
    return true;
}

bool sim_config_set(const char *name, const char *value)
{
    if (strcmp(name, "PEER") == 0) {
        if (strcmp(value, "all") != 0 && strcmp(value, "none") != 0)
            return set_peer_rows(value);
        set_all_peers(value[0] == 'a');
        return true;
    }
    if (strcmp(name, "ATTRIBUTE") == 0)
        return set_attributes(value);
    if (strcmp(name, "HIDE") == 0) {
        const int length = snprintf(sim_setting.hidden, sizeof(sim_setting.hidden), "%s", value);
        return length >= 0 && (size_t)length < sizeof(sim_setting.hidden);
    }
    if (strcmp(name, "CHECK") == 0)
        return set_checks(value);
    if (strcmp(name, "FAIL") == 0)
        return sim_log_fault(value);
    if (strcmp(name, "LOG") == 0)
        return sim_log_open(value);
    return set_number(name, value);
}

bool sim_config_hides(const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = sim_setting.hidden; (at = strstr(at, name)) != NULL; at += length) {
        const bool begins = at == sim_setting.hidden || at[-1] == ',';
        if (begins && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

void sim_config_load(void)
{
    static const char *const names[] = {"DEVICES",   "MEMORY",  "PEER",  "MAX_PITCH",
                                        "ATTRIBUTE", "VERSION", "HIDE",  "DELAY",
                                        "FAIL",      "LOG",     "CHECK", "SLOW"};
    static bool loaded;
    if (loaded)
        return;
    loaded = true;
    set_all_peers(true);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char variable[64];
        snprintf(variable, sizeof(variable), VARIABLE_PREFIX "%s", names[i]);
        const char *value = getenv(variable);
        /* A setting that is not understood would make a test of it lie. */
        if (value != NULL && !sim_config_set(names[i], value)) {
            fprintf(stderr, "%s=%s is not understood\n", variable, value);
            abort();
        }
    }
}
