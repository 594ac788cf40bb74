/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The environment variables and the log. They are read once per process, so every case runs in a
 * child, which writes what it saw; called with an argument, the program is such a child itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "hal/environment.h"
#include "hal/error.h"
#include "hal/log.h"
#include "tests/support/child.h"

/* Variables of a case: name and value in turn, ended by NULL. */
typedef const char *variables[9];

static void set_variables(const char *const *list)
{
    for (; *list != NULL; list += 2)
        setenv(list[0], list[1], 1);
}

static void show_environment(void)
{
    const astride__environment *environment = NULL;
    astride_status status = astride__environment_get(&environment);

    if (status != ASTRIDE_OK) {
        printf("%s: %s\n", astride_status_name(status), astride_last_error());
        return;
    }
    printf("backend %s, plugin path %s, strategy %d\n",
           environment->backend == NULL ? "(none)" : environment->backend,
           environment->plugin_path == NULL ? "(none)" : environment->plugin_path,
           (int)environment->strategy);
}

static void show_with(void *list)
{
    set_variables(list);
    show_environment();
}

static void expect(const char *const *list, const char *expected)
{
    char text[2048];

    assert_int_equal(test_child_run(show_with, (void *)list, text, sizeof(text)), 0);
    assert_string_equal(text, expected);
}

static void unset_variables_have_defaults(void **state)
{
    static const variables none = {NULL};

    (void)state;
    expect(none, "backend (none), plugin path (none), strategy 0\n");
}

static void empty_variables_count_as_unset(void **state)
{
    static const variables empty = {"ASTRIDE_BACKEND",
                                    "",
                                    "ASTRIDE_PLUGIN_PATH",
                                    "",
                                    "ASTRIDE_STRATEGY",
                                    "",
                                    "ASTRIDE_LOG",
                                    "",
                                    NULL};

    (void)state;
    expect(empty, "backend (none), plugin path (none), strategy 0\n");
}

static void texts_are_kept_as_they_are(void **state)
{
    static const variables texts = {"ASTRIDE_BACKEND", "a,^b", "ASTRIDE_PLUGIN_PATH", "/x:y", NULL};

    (void)state;
    expect(texts, "backend a,^b, plugin path /x:y, strategy 0\n");
}

static void every_strategy_has_its_word(void **state)
{
    static const char *const words[] = {"auto",   "linear", "rect", "rect-loop",
                                        "kernel", "staged", "host"};

    (void)state;
    for (int i = 0; i < 7; i++) {
        variables list = {"ASTRIDE_STRATEGY", words[i], NULL};
        char expected[100];
        snprintf(expected, sizeof(expected), "backend (none), plugin path (none), strategy %d\n",
                 i);
        expect(list, expected);
    }
}

static void malformed_strategy_is_named_with_the_words(void **state)
{
    static const variables list = {"ASTRIDE_STRATEGY", "fast", NULL};

    (void)state;
    expect(list, "ASTRIDE_INVALID_ARGUMENT: ASTRIDE_STRATEGY: \"fast\" is none of auto, linear, "
                 "rect, rect-loop, kernel, staged, host\n");
}

static void words_are_compared_with_case_and_in_full(void **state)
{
    static const variables upper = {"ASTRIDE_STRATEGY", "Rect", NULL};
    static const variables prefix = {"ASTRIDE_LOG", "warning", NULL};

    (void)state;
    expect(upper, "ASTRIDE_INVALID_ARGUMENT: ASTRIDE_STRATEGY: \"Rect\" is none of auto, linear, "
                  "rect, rect-loop, kernel, staged, host\n");
    expect(prefix, "ASTRIDE_INVALID_ARGUMENT: ASTRIDE_LOG: \"warning\" is none of error, warn, "
                   "info, debug\n");
}

static void show_staging(void *list)
{
    const astride__environment *environment = NULL;

    set_variables(list);
    if (astride__environment_get(&environment) != ASTRIDE_OK)
        printf("%s\n", astride_last_error());
    else
        printf("%zu bytes, depth %d\n", environment->staging_bytes,
               (int)environment->staging_depth);
}

static void staging_is_a_whole_number_in_its_range(void **state)
{
    static const struct {
        variables list;
        const char *expected;
    } cases[] = {
        {{NULL}, "0 bytes, depth 0\n"},
        {{"ASTRIDE_STAGING_BYTES", "", "ASTRIDE_STAGING_DEPTH", "", NULL}, "0 bytes, depth 0\n"},
        {{"ASTRIDE_STAGING_BYTES", "64", "ASTRIDE_STAGING_DEPTH", "1", NULL},
         "64 bytes, depth 1\n"},
        {{"ASTRIDE_STAGING_BYTES", "1073741824", "ASTRIDE_STAGING_DEPTH", "64", NULL},
         "1073741824 bytes, depth 64\n"},
        {{"ASTRIDE_STAGING_BYTES", "63", NULL},
         "ASTRIDE_STAGING_BYTES: \"63\" is not a whole number from 64 to 1073741824\n"},
        {{"ASTRIDE_STAGING_BYTES", "1073741825", NULL},
         "ASTRIDE_STAGING_BYTES: \"1073741825\" is not a whole number from 64 to 1073741824\n"},
        {{"ASTRIDE_STAGING_BYTES", "4M", NULL},
         "ASTRIDE_STAGING_BYTES: \"4M\" is not a whole number from 64 to 1073741824\n"},
        {{"ASTRIDE_STAGING_BYTES", "99999999999999999999999999", NULL},
         "ASTRIDE_STAGING_BYTES: \"99999999999999999999999999\" is not a whole number from 64 to "
         "1073741824\n"},
        {{"ASTRIDE_STAGING_DEPTH", "0", NULL},
         "ASTRIDE_STAGING_DEPTH: \"0\" is not a whole number from 1 to 64\n"},
        {{"ASTRIDE_STAGING_DEPTH", "-1", NULL},
         "ASTRIDE_STAGING_DEPTH: \"-1\" is not a whole number from 1 to 64\n"},
        {{"ASTRIDE_STAGING_DEPTH", "65", NULL},
         "ASTRIDE_STAGING_DEPTH: \"65\" is not a whole number from 1 to 64\n"},
    };
    char text[512];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(test_child_run(show_staging, (void *)cases[i].list, text, sizeof(text)),
                         0);
        assert_string_equal(text, cases[i].expected);
    }
}

static void the_first_malformed_variable_is_told(void **state)
{
    static const variables both = {"ASTRIDE_LOG", "all", "ASTRIDE_STRATEGY", "best", NULL};

    (void)state;
    expect(both, "ASTRIDE_INVALID_ARGUMENT: ASTRIDE_LOG: \"all\" is none of error, warn, info, "
                 "debug\n");
}

static void show_twice_with_changes(void *list)
{
    set_variables(list);
    show_environment();
    astride__fail(ASTRIDE_INTERNAL, "another failure");
    setenv("ASTRIDE_BACKEND", "changed", 1);
    setenv("ASTRIDE_STRATEGY", "host", 1);
    show_environment();
}

static void variables_are_read_once(void **state)
{
    static const variables good = {"ASTRIDE_BACKEND", "first", "ASTRIDE_STRATEGY", "rect", NULL};
    static const variables bad = {"ASTRIDE_STRATEGY", "x", NULL};
    char text[2048];

    (void)state;
    assert_int_equal(test_child_run(show_twice_with_changes, (void *)good, text, sizeof(text)), 0);
    assert_string_equal(text, "backend first, plugin path (none), strategy 2\n"
                              "backend first, plugin path (none), strategy 2\n");
    assert_int_equal(test_child_run(show_twice_with_changes, (void *)bad, text, sizeof(text)), 0);
    assert_string_equal(text, "ASTRIDE_INVALID_ARGUMENT: ASTRIDE_STRATEGY: \"x\" is none of auto, "
                              "linear, rect, rect-loop, kernel, staged, host\n"
                              "ASTRIDE_INVALID_ARGUMENT: ASTRIDE_STRATEGY: \"x\" is none of auto, "
                              "linear, rect, rect-loop, kernel, staged, host\n");
}

static void log_every_level(void *list)
{
    char text[3000];

    set_variables(list);
    show_environment();
    astride__log(ASTRIDE_LOG_ERROR, "number %d", 1);
    astride__log(ASTRIDE_LOG_WARN, "number %d", 2);
    astride__log(ASTRIDE_LOG_INFO, "number %d", 3);
    astride__log(ASTRIDE_LOG_DEBUG, "number %d", 4);
    memset(text, 'a', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    astride__log(ASTRIDE_LOG_DEBUG, "%s", text);
}

static void the_log_is_silent_unless_asked(void **state)
{
    static const variables none = {NULL};
    static const variables warn = {"ASTRIDE_LOG", "warn", NULL};
    static const char seen[] = "backend (none), plugin path (none), strategy 0\n";
    char text[4096];

    (void)state;
    assert_int_equal(test_child_run(log_every_level, (void *)none, text, sizeof(text)), 0);
    assert_string_equal(text, seen);
    assert_int_equal(test_child_run(log_every_level, (void *)warn, text, sizeof(text)), 0);
    assert_string_equal(text + sizeof(seen) - 1,
                        "astride: error: number 1\nastride: warn: number 2\n");
}

static void long_log_messages_are_cut_and_end_their_line(void **state)
{
    static const variables debug = {"ASTRIDE_LOG", "debug", NULL};
    char text[8192];
    const char *last;

    (void)state;
    assert_int_equal(test_child_run(log_every_level, (void *)debug, text, sizeof(text)), 0);
    last = strstr(text, "astride: debug: aaa");
    assert_non_null(last);
    assert_int_equal(strlen(last), 2047);
    assert_int_equal(last[2046], '\n');
    assert_int_equal(last[2045], 'a');
}

/* Whether a copy of this program can be made set-uid. */
static bool can_be_set_uid(void)
{
    struct statvfs folder;

    return geteuid() == 0 && getuid() == 0 && statvfs("/tmp", &folder) == 0 &&
           (folder.f_flag & (ST_NOSUID | ST_NOEXEC)) == 0;
}

static bool copy_program(const char *path)
{
    char buffer[65536];
    int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    ssize_t bytes = 0;

    while (from >= 0 && to >= 0 && (bytes = read(from, buffer, sizeof(buffer))) > 0)
        if (write(to, buffer, (size_t)bytes) != bytes)
            break;
    close(from);
    close(to);
    return from >= 0 && to >= 0 && bytes == 0;
}

static void execute_with_variables(void *path)
{
    static const variables list = {"ASTRIDE_BACKEND",
                                   "host",
                                   "ASTRIDE_STRATEGY",
                                   "nonsense",
                                   "ASTRIDE_PLUGIN_PATH",
                                   "/x",
                                   "ASTRIDE_LOG",
                                   "debug",
                                   NULL};

    set_variables(list);
    execl(path, path, "show", (char *)NULL);
    perror("execl");
}

static void set_uid_programs_ignore_every_variable(void **state)
{
    char folder[] = "/tmp/astride-test-XXXXXX";
    char path[64];
    char text[2048];
    int result;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/program", folder);
    assert_true(copy_program(path));
    assert_int_equal(chmod(folder, 0755), 0);
    assert_int_equal(chown(path, 65534, 65534), 0);
    assert_int_equal(chmod(path, 04755), 0);
    result = test_child_run(execute_with_variables, path, text, sizeof(text));
    unlink(path);
    rmdir(folder);
    assert_string_equal(text, "backend (none), plugin path (none), strategy 0\n");
    assert_int_equal(result, 0);
}

int main(int argument_count, char **arguments)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(unset_variables_have_defaults),
        cmocka_unit_test(empty_variables_count_as_unset),
        cmocka_unit_test(texts_are_kept_as_they_are),
        cmocka_unit_test(every_strategy_has_its_word),
        cmocka_unit_test(malformed_strategy_is_named_with_the_words),
        cmocka_unit_test(words_are_compared_with_case_and_in_full),
        cmocka_unit_test(staging_is_a_whole_number_in_its_range),
        cmocka_unit_test(the_first_malformed_variable_is_told),
        cmocka_unit_test(variables_are_read_once),
        cmocka_unit_test(the_log_is_silent_unless_asked),
        cmocka_unit_test(long_log_messages_are_cut_and_end_their_line),
        cmocka_unit_test(set_uid_programs_ignore_every_variable),
    };
    size_t count = sizeof(tests) / sizeof(tests[0]);

    (void)arguments;
    if (argument_count > 1) {
        show_environment();
        fflush(stdout);
        /* Without exit handlers: a leak check cannot look into a set-uid process. */
        _exit(EXIT_SUCCESS);
    }
    /* The last case needs root and a file system that honours the bit; without them it is left out.
     */
    if (!can_be_set_uid()) {
        printf("# set_uid_programs_ignore_every_variable is left out: it needs root\n");
        count--;
    }
    return _cmocka_run_group_tests("environment", tests, count, NULL, NULL);
}
