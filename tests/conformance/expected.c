/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reads lists of expected failures; the format is in expected.h.
 */
#include "tests/conformance/expected.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int find_strategy(const char *name)
{
    int s = 0;

    while (s < CONFORMANCE_STRATEGY_COUNT &&
           strcmp(name, astride_strategy_name((astride_strategy)s)) != 0)
        s++;
    return s;
}

/* One line without its end; NULL when it is right. */
static const char *read_entry(char *line, expected_failures *list)
{
    static const char blanks[] = " \t\r";
    char *rest = line + strspn(line, blanks);
    const char *direction_name, *strategy_name;
    conformance_direction direction;
    int strategy;
    char *reason;

    if (*rest == '\0' || *rest == '#')
        return NULL;
    direction_name = strsep(&rest, blanks);
    strategy_name = rest != NULL ? strsep(&rest, blanks) : NULL;
    direction = conformance_direction_find(direction_name);
    if (direction == CONFORMANCE_DIRECTION_COUNT)
        return "the first word is no direction";
    strategy = strategy_name != NULL ? find_strategy(strategy_name) : CONFORMANCE_STRATEGY_COUNT;
    if (strategy == CONFORMANCE_STRATEGY_COUNT)
        return "the second word is no strategy";
    if (rest == NULL || rest[strspn(rest, blanks)] == '\0')
        return "the reason is missing";
    if (strlen(rest) >= EXPECTED_REASON_BYTES)
        return "the reason is too long";
    reason = list->reasons[direction][strategy];
    if (reason[0] != '\0')
        return "there are two entries for this direction and strategy";
    strcpy(reason, rest + strspn(rest, blanks));
    list->count++;
    return NULL;
}

const char *expected_failures_read(const char *path, expected_failures *list_out, int *line_out)
{
    char line[512];
    const char *wrong = NULL;
    expected_failures list = {.count = 0};
    FILE *file = fopen(path, "r");

    *line_out = 0;
    if (file == NULL)
        return strerror(errno);
    while (wrong == NULL && fgets(line, sizeof line, file) != NULL) {
        (*line_out)++;
        if (strchr(line, '\n') == NULL && !feof(file)) {
            wrong = "the line is too long";
        } else {
            line[strcspn(line, "\n")] = '\0';
            wrong = read_entry(line, &list);
        }
    }
    if (wrong == NULL && ferror(file))
        wrong = "it cannot be read";
    fclose(file);
    if (wrong == NULL)
        *list_out = list;
    return wrong;
}
