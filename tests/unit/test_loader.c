/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Plugins as a user has them: found through ASTRIDE_PLUGIN_PATH, each broken one refused with its
 * own message, the example opened by name and used for copies. Only the shared library is linked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include <astride/astride.h>
#include <astride/plugin.h>

#include "tests/support/buffer.h"
#include "tests/support/layout.h"
#include "tests/support/reference.h"

#define THREAD_COUNT 8
#define LAYOUT_COUNT 400

/* Bytes of the table up to the end of the last required slot. */
#define REQUIRED_BYTES (offsetof(astride_plugin, copy_linear) + sizeof(void (*)(void)))

static const uint64_t seed = 7;

static const char *plugins;   /* folder of the test plugins */
static char clash[PATH_MAX];  /* folder of one with the name of another */
static char folder[PATH_MAX]; /* made by this program */
static const char absent[] = "/nonexistent/astride";

static const char not_elf_text[] = "This is a text of more than sixty-four bytes, which no dynamic "
                                   "linker takes for a library.\n";

/* The path of a file in a folder; valid until the fourth call from now. */
static const char *in(const char *where, const char *file)
{
    static char paths[4][PATH_MAX];
    static int turn;

    turn = (turn + 1) % 4;
    if (snprintf(paths[turn], PATH_MAX, "%s/%s", where, file) >= PATH_MAX)
        fail_msg("the path %s/%s is too long", where, file);
    return paths[turn];
}

static astride_backend_info get(size_t index)
{
    astride_backend_info info = {.struct_size = sizeof(info)};

    assert_int_equal(astride_backend_get(index, &info), ASTRIDE_OK);
    return info;
}

static size_t count(void)
{
    size_t backend_count = 0;

    assert_int_equal(astride_backend_count(&backend_count), ASTRIDE_OK);
    return backend_count;
}

/* The number of the backend of an origin, or count() when there is none. */
static size_t find_origin(const char *origin)
{
    size_t i = 0;

    while (i < count() && strcmp(get(i).origin, origin) != 0)
        i++;
    return i;
}

static void expect_refused(const char *path, const char *name, const char *reason)
{
    size_t index = find_origin(path);

    if (index == count())
        fail_msg("%s is not listed", path);
    astride_backend_info info = get(index);
    assert_string_equal(info.reason, reason);
    assert_string_equal(info.name, name);
    assert_string_equal(info.description, "");
    assert_false(info.available);
    assert_int_equal(info.device_count, 0);
}

static void expect_broken(const char *name, const char *format, ...) ASTRIDE_PRINTF(2, 3);
static void expect_broken(const char *name, const char *format, ...)
{
    char file[NAME_MAX];
    char reason[1024];
    va_list arguments;

    snprintf(file, sizeof(file), "astride-%s.so", name);
    va_start(arguments, format);
    vsnprintf(reason, sizeof(reason), format, arguments);
    va_end(arguments);
    expect_refused(in(plugins, file), name, reason);
}

static void expect_accepted(const char *name, int32_t device_count, const char *reason)
{
    char file[NAME_MAX];

    snprintf(file, sizeof(file), "astride-%s.so", name);
    size_t index = find_origin(in(plugins, file));
    if (index == count())
        fail_msg("%s is not listed", file);
    astride_backend_info info = get(index);
    assert_string_equal(info.name, name);
    assert_string_equal(info.reason, reason);
    assert_int_equal(info.device_count, device_count);
    assert_int_equal(info.available, device_count > 0);
}

static void *count_backends(void *barrier)
{
    size_t backend_count = 0;

    pthread_barrier_wait(barrier);
    if (astride_backend_count(&backend_count) != ASTRIDE_OK)
        return NULL;
    return (void *)(uintptr_t)backend_count;
}

/* Runs first, so that these threads meet a library that has loaded nothing. */
static void threads_that_ask_first_get_one_list(void **state)
{
    pthread_barrier_t barrier;
    pthread_t threads[THREAD_COUNT];

    (void)state;
    assert_int_equal(pthread_barrier_init(&barrier, NULL, THREAD_COUNT), 0);
    for (int i = 0; i < THREAD_COUNT; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count_backends, &barrier), 0);
    for (int i = 0; i < THREAD_COUNT; i++) {
        void *seen = NULL;
        pthread_join(threads[i], &seen);
        assert_int_equal((uintptr_t)seen, count());
    }
    pthread_barrier_destroy(&barrier);
    assert_true(count() > 20);
}

static void slots_are_called_once_and_must_not_call_back(void **state)
{
    astride_device_info info = {.struct_size = sizeof(info)};
    size_t index = find_origin(in(plugins, "astride-counts.so"));

    (void)state;
    assert_int_equal(astride_device_get(index, 0, &info), ASTRIDE_OK);
    assert_string_equal(info.spec, "counts:0");
    assert_string_equal(info.name, "initialize 1, probe 1, callback ASTRIDE_INVALID_ARGUMENT");
}

static void tables_that_break_a_rule_are_refused(void **state)
{
    (void)state;
    expect_broken("wrong_abi", "its ABI number is 2, this library's is 1");
    expect_broken("truncated",
                  "struct_size is %zu, which is truncated: the required slots take %zu bytes",
                  offsetof(astride_plugin, queue_create), REQUIRED_BYTES);
    expect_broken("cut_slot", "struct_size is %zu, which cuts a slot in two",
                  sizeof(astride_plugin) - 1);
    expect_broken("misnamed", "name is \"other\", but the file's name says \"misnamed\"");
    expect_broken("Bad-Name", "name \"Bad-Name\" is not [a-z][a-z0-9_]* of at most 31 bytes");
    expect_broken("missing_slot", "the required slot queue_wait is missing");
    expect_broken("half_registers",
                  "the slot memory_unregister is missing, which memory_register requires");
    expect_broken("init_fails", "initialize: libwidget.so.1 is not there");
}

static void files_without_a_table_of_their_own_are_refused(void **state)
{
    (void)state;
    expect_broken("no_symbol", "the symbol astride_plugin_entry is missing");
    expect_broken("borrowed",
                  "the symbol astride_plugin_entry comes from the dependency "
                  "%s/libastride_test_lender.so.0, not from the plugin itself",
                  plugins);
#ifdef __GLIBC__
    expect_broken("function",
                  "the symbol astride_plugin_entry is a function; it must be the table itself");
    expect_broken("cut_short",
                  "the symbol astride_plugin_entry is truncated: it has %zu of %zu bytes",
                  3 * sizeof(void *), sizeof(astride_plugin));
#endif
}

static void files_that_are_no_libraries_are_refused(void **state)
{
    const char *path = in(folder, "astride-not_elf.so");
    char reason[1024];

    (void)state;
    assert_null(dlopen(path, RTLD_NOW | RTLD_LOCAL));
    snprintf(reason, sizeof(reason), "dlopen: %s", dlerror());
    assert_non_null(strstr(reason, path));
    expect_refused(path, "not_elf", reason);

    path = in(folder, "astride-dangling.so");
    assert_null(dlopen(path, RTLD_NOW | RTLD_LOCAL));
    snprintf(reason, sizeof(reason), "dlopen: %s", dlerror());
    expect_refused(path, "dangling", reason);
}

static void of_two_namesakes_the_first_wins(void **state)
{
    char reason[PATH_MAX + 100];

    (void)state;
    snprintf(reason, sizeof(reason), "the name \"example\" is taken (%s)",
             in(plugins, "astride-example.so"));
    expect_refused(in(clash, "astride-example.so"), "example", reason);
    expect_broken("host", "the name \"host\" is taken (built in)");
}

static void folders_that_cannot_be_searched_are_listed(void **state)
{
    (void)state;
    expect_refused("relative/folder", "ASTRIDE_PLUGIN_PATH",
                   "ASTRIDE_PLUGIN_PATH: \"relative/folder\" is not an absolute path");
    expect_refused(absent, "ASTRIDE_PLUGIN_PATH",
                   "the folder cannot be read: No such file or directory");
}

static void another_name_of_a_loaded_file_is_passed_over(void **state)
{
    (void)state;
    assert_int_equal(find_origin(in(folder, "astride-alias.so")), count());
}

static void files_with_other_names_are_no_plugins(void **state)
{
    (void)state;
    for (size_t i = 0; i < count(); i++) {
        assert_null(strstr(get(i).origin, "libastride_test_lender"));
        assert_null(strstr(get(i).origin, ".la"));
        assert_null(strstr(get(i).origin, "astride-old.so.1"));
    }
}

static void sound_plugins_are_listed_beside_the_broken_ones(void **state)
{
    (void)state;
    expect_accepted("example", 2, "");
    expect_accepted("newer", 1, "");
    expect_accepted("older", 1, "");
    expect_accepted("unavailable", 0, "widgetCount: WIDGET_NONE (code 7)");
    expect_accepted("no_devices", 0, "probe counted 0 devices");
    astride_backend_info host = get(find_origin("built in"));
    assert_string_equal(host.name, "host");
    assert_string_equal(host.reason, "");
    assert_int_equal(host.device_count, 1);
}

/* By falling priority, then by name; the host after them; the refused ones as they were found. */
static void the_list_is_in_the_order_of_preference(void **state)
{
    size_t host = find_origin("built in");
    static const char *const first[] = {"unavailable", "older", "example"};
    size_t position = 0;

    (void)state;
    for (size_t i = 0; i < host && position < 3; i++)
        if (strcmp(get(i).name, first[position]) == 0)
            position++;
    assert_int_equal(position, 3);
    assert_true(find_origin(in(plugins, "astride-bad_costs.so")) >
                find_origin(in(plugins, "astride-example.so")));
    assert_true(find_origin(in(plugins, "astride-bad_costs.so")) <
                find_origin(in(plugins, "astride-newer.so")));
    assert_true(find_origin(in(plugins, "astride-newer.so")) < host);
    assert_true(host < find_origin(in(plugins, "astride-Bad-Name.so")));
    assert_true(find_origin(in(plugins, "astride-Bad-Name.so")) <
                find_origin(in(plugins, "astride-wrong_abi.so")));
    assert_true(find_origin(in(plugins, "astride-wrong_abi.so")) <
                find_origin(in(clash, "astride-example.so")));
    assert_int_equal(find_origin(absent), find_origin("relative/folder") + 1);
}

static void slots_behind_the_end_of_an_older_table_do_not_exist(void **state)
{
    astride_device *device = NULL;
    astride_module *module = NULL;

    (void)state;
    assert_int_equal(astride_device_open("older", &device), ASTRIDE_OK);
    assert_int_equal(astride_module_load(device, "x", 1, &module), ASTRIDE_UNSUPPORTED);
    assert_string_equal(astride_last_error(),
                        "astride_module_load: backend older has no module_load");
    astride_device_close(device);
}

static void bad_arguments_of_the_lists_are_named(void **state)
{
    astride_backend_info info = {.struct_size = 8};
    astride_device_info device = {.struct_size = sizeof(device), .memory_bytes = 3};
    size_t unavailable = find_origin(in(plugins, "astride-unavailable.so"));
    size_t example = find_origin(in(plugins, "astride-example.so"));
    char expected[200];

    (void)state;
    assert_int_equal(astride_backend_count(NULL), ASTRIDE_INVALID_ARGUMENT);
    assert_string_equal(astride_last_error(), "astride_backend_count: count_out is NULL");
    assert_int_equal(astride_backend_get(0, NULL), ASTRIDE_INVALID_ARGUMENT);
    assert_string_equal(astride_last_error(), "astride_backend_get: info_out is NULL");
    assert_int_equal(astride_backend_get(0, &info), ASTRIDE_INVALID_ARGUMENT);
    assert_non_null(strstr(astride_last_error(), "info_out->struct_size = 8 is below "));
    info.struct_size = sizeof(info);
    assert_int_equal(astride_backend_get(count(), &info), ASTRIDE_INVALID_ARGUMENT);
    snprintf(expected, sizeof(expected), "astride_backend_get: index = %zu is not below %zu",
             count(), count());
    assert_string_equal(astride_last_error(), expected);

    assert_int_equal(astride_device_get(unavailable, 0, &device), ASTRIDE_UNAVAILABLE);
    assert_string_equal(astride_last_error(), "astride_device_get: backend unavailable is not "
                                              "available: widgetCount: WIDGET_NONE (code 7)");
    assert_int_equal(astride_device_get(example, 2, &device), ASTRIDE_INVALID_ARGUMENT);
    assert_string_equal(astride_last_error(), "astride_device_get: device_index = 2: devices of "
                                              "backend example are numbered 0 to 1");
    assert_int_equal(astride_device_get(example, -1, &device), ASTRIDE_INVALID_ARGUMENT);
    assert_int_equal(device.memory_bytes, 3);
    assert_int_equal(astride_device_get(example, 1, &device), ASTRIDE_OK);
    assert_string_equal(device.spec, "example:1");
    assert_string_equal(device.name, "example device right");
    assert_int_equal(device.memory_bytes, 64 << 20);
}

static void memory_of_the_example_has_a_limit(void **state)
{
    astride_device *device = NULL;
    void *address = NULL;
    void *more = NULL;

    (void)state;
    assert_int_equal(astride_device_open("example", &device), ASTRIDE_OK);
    assert_int_equal(astride_memory_alloc(device, 1, ASTRIDE_MEMORY_SHARED, &address),
                     ASTRIDE_UNSUPPORTED);
    assert_int_equal(astride_memory_alloc(device, 60 << 20, ASTRIDE_MEMORY_DEVICE, &address),
                     ASTRIDE_OK);
    assert_int_equal(astride_memory_alloc(device, 5 << 20, ASTRIDE_MEMORY_DEVICE, &more),
                     ASTRIDE_OUT_OF_MEMORY);
    assert_string_equal(astride_last_error(),
                        "example: 5242880 bytes are too many, device left has "
                        "67108864 in all");
    assert_int_equal(astride_memory_free(device, address), ASTRIDE_OK);
    assert_int_equal(astride_memory_alloc(device, 5 << 20, ASTRIDE_MEMORY_DEVICE, &more),
                     ASTRIDE_OK);
    assert_int_equal(astride_memory_free(device, more), ASTRIDE_OK);
    astride_device_close(device);
}

static void copies_that_leave_an_allocation_are_refused(void **state)
{
    const int64_t extents[2] = {4, 4};
    const int64_t strides[2] = {16, 4};
    unsigned char source[64] = {0};
    astride_device *device = NULL;
    astride_queue *queue = NULL;
    void *address = NULL;
    astride_copy_desc desc = {.struct_size = sizeof(desc),
                              .rank = 2,
                              .element_bytes = 4,
                              .extents = extents,
                              .src = {source, NULL}};

    (void)state;
    assert_int_equal(astride_device_open("example", &device), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(device, &queue), ASTRIDE_OK);
    assert_int_equal(astride_memory_alloc(device, 63, ASTRIDE_MEMORY_DEVICE, &address), ASTRIDE_OK);
    desc.dst.base = address;
    desc.dst.strides = strides;
    assert_int_equal(astride_copy(queue, &desc), ASTRIDE_OUT_OF_BOUNDS);
    assert_int_equal(astride_memory_free(device, address), ASTRIDE_OK);
    astride_queue_destroy(queue);
    astride_device_close(device);
}

/* Rows and columns of a picture on the device, by values that are written out. */
static void a_column_comes_back_from_the_device(void **state)
{
    static const unsigned char picture[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    static const unsigned char expected[3] = {3, 7, 11};
    const int64_t whole = 12;
    const int64_t rows = 3;
    const int64_t pitch = 4;
    unsigned char column[3] = {0};
    astride_device *device = NULL;
    astride_queue *queue = NULL;
    void *address = NULL;
    astride_copy_desc upload = {.struct_size = sizeof(upload),
                                .rank = 1,
                                .element_bytes = 1,
                                .extents = &whole,
                                .src = {(void *)picture, NULL}};
    astride_copy_desc download = {.struct_size = sizeof(download),
                                  .rank = 1,
                                  .element_bytes = 1,
                                  .extents = &rows,
                                  .dst = {column, NULL},
                                  .src = {NULL, &pitch}};

    (void)state;
    assert_int_equal(astride_device_open("example:right", &device), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(device, &queue), ASTRIDE_OK);
    assert_int_equal(astride_memory_alloc(device, 12, ASTRIDE_MEMORY_DEVICE, &address), ASTRIDE_OK);
    upload.dst.base = address;
    download.src.base = (unsigned char *)address + 2;
    assert_int_equal(astride_copy(queue, &upload), ASTRIDE_OK);
    assert_int_equal(astride_copy(queue, &download), ASTRIDE_OK);
    assert_int_equal(astride_queue_wait(queue), ASTRIDE_OK);
    assert_memory_equal(column, expected, 3);
    assert_int_equal(astride_memory_free(device, address), ASTRIDE_OK);
    astride_queue_destroy(queue);
    astride_device_close(device);
}

/* Where the two sides of a random copy are; a layout of one allocation takes the destination's. */
typedef struct direction {
    test_buffer_origin dst, src;
} direction;

static const direction directions[] = {
    {TEST_BUFFER_DEVICE, TEST_BUFFER_PAGEABLE}, {TEST_BUFFER_PAGEABLE, TEST_BUFFER_DEVICE},
    {TEST_BUFFER_DEVICE, TEST_BUFFER_DEVICE},   {TEST_BUFFER_PINNED, TEST_BUFFER_DEVICE},
    {TEST_BUFFER_DEVICE, TEST_BUFFER_PINNED},   {TEST_BUFFER_PINNED, TEST_BUFFER_PAGEABLE},
};

#define assert_layout(condition, layout, index)                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            test_layout_print(stderr, "# ", (layout));                                             \
            fail_msg("layout %llu of seed %llu: not %s: %s", (unsigned long long)(index),          \
                     (unsigned long long)seed, #condition, astride_last_error());                  \
        }                                                                                          \
    } while (0)

/* Fills both allocations, copies, and compares every byte with the plain loop. */
static void check_layout(astride_device *device, astride_queue *queue, const test_layout *layout,
                         const direction *where, uint64_t index)
{
    bool is_one = layout->placement != TEST_PLACEMENT_SEPARATE;
    test_buffer dst = {.bytes = 0};
    test_buffer src = {.bytes = 0};
    unsigned char *dst_image = malloc(layout->dst.bytes + 1);
    unsigned char *src_image = malloc(layout->src.bytes + 1);
    unsigned char *result = malloc(layout->dst.bytes + 1);
    test_random random;

    assert_non_null(dst_image);
    assert_non_null(src_image);
    assert_non_null(result);
    test_random_seed(&random, seed, index);
    test_random_bytes(&random, dst_image, layout->dst.bytes);
    test_random_bytes(&random, src_image, layout->src.bytes);
    assert_layout(test_buffer_create(device, where->dst, layout->dst.bytes, &dst) == ASTRIDE_OK,
                  layout, index);
    assert_layout(test_buffer_upload(queue, &dst, dst_image) == ASTRIDE_OK, layout, index);
    if (!is_one) {
        assert_layout(test_buffer_create(device, where->src, layout->src.bytes, &src) == ASTRIDE_OK,
                      layout, index);
        assert_layout(test_buffer_upload(queue, &src, src_image) == ASTRIDE_OK, layout, index);
    }
    astride_copy_desc desc =
        test_layout_descriptor(layout, dst.address, is_one ? dst.address : src.address, 0);
    assert_layout(astride_copy(queue, &desc) == ASTRIDE_OK, layout, index);
    assert_layout(astride_queue_wait(queue) == ASTRIDE_OK, layout, index);
    assert_layout(test_buffer_download(queue, &dst, result) == ASTRIDE_OK, layout, index);
    assert_layout(astride_queue_wait(queue) == ASTRIDE_OK, layout, index);
    test_reference_copy(layout, 0, dst_image, is_one ? dst_image : src_image);
    assert_layout(memcmp(result, dst_image, layout->dst.bytes) == 0, layout, index);
    assert_layout(test_buffer_guards_intact(&dst), layout, index);
    assert_layout(test_buffer_destroy(&dst) == ASTRIDE_OK, layout, index);
    assert_layout(test_buffer_destroy(&src) == ASTRIDE_OK, layout, index);
    free(dst_image);
    free(src_image);
    free(result);
}

static void random_layouts_are_copied_rightly(void **state)
{
    astride_device *device = NULL;
    astride_queue *queue = NULL;
    test_random random;

    (void)state;
    assert_int_equal(astride_device_open("example", &device), ASTRIDE_OK);
    assert_int_equal(astride_queue_create(device, &queue), ASTRIDE_OK);
    for (uint64_t i = 0; i < LAYOUT_COUNT; i++) {
        test_layout layout;
        test_random_seed(&random, seed, LAYOUT_COUNT + i);
        test_layout_generate(&random, &layout);
        check_layout(device, queue, &layout,
                     &directions[i % (sizeof(directions) / sizeof(directions[0]))], i);
    }
    astride_queue_destroy(queue);
    astride_device_close(device);
}

static bool write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (file == NULL)
        return false;
    bool written = fputs(text, file) >= 0;
    return fclose(file) == 0 && written;
}

/* The folder with what cannot be built: a text, a link to nothing and one to the example. */
static bool make_folder(void)
{
    snprintf(folder, sizeof(folder), "/tmp/astride-test-XXXXXX");
    return mkdtemp(folder) != NULL && write_file(in(folder, "astride-not_elf.so"), not_elf_text) &&
           write_file(in(folder, "astride-old.so.1"), not_elf_text) &&
           symlink("nothing", in(folder, "astride-dangling.so")) == 0 &&
           symlink(in(plugins, "astride-example.so"), in(folder, "astride-alias.so")) == 0;
}

static void remove_folder(void)
{
    unlink(in(folder, "astride-not_elf.so"));
    unlink(in(folder, "astride-old.so.1"));
    unlink(in(folder, "astride-dangling.so"));
    unlink(in(folder, "astride-alias.so"));
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_that_ask_first_get_one_list),
        cmocka_unit_test(slots_are_called_once_and_must_not_call_back),
        cmocka_unit_test(tables_that_break_a_rule_are_refused),
        cmocka_unit_test(files_without_a_table_of_their_own_are_refused),
        cmocka_unit_test(files_that_are_no_libraries_are_refused),
        cmocka_unit_test(of_two_namesakes_the_first_wins),
        cmocka_unit_test(folders_that_cannot_be_searched_are_listed),
        cmocka_unit_test(another_name_of_a_loaded_file_is_passed_over),
        cmocka_unit_test(files_with_other_names_are_no_plugins),
        cmocka_unit_test(sound_plugins_are_listed_beside_the_broken_ones),
        cmocka_unit_test(the_list_is_in_the_order_of_preference),
        cmocka_unit_test(slots_behind_the_end_of_an_older_table_do_not_exist),
        cmocka_unit_test(bad_arguments_of_the_lists_are_named),
        cmocka_unit_test(memory_of_the_example_has_a_limit),
        cmocka_unit_test(copies_that_leave_an_allocation_are_refused),
        cmocka_unit_test(a_column_comes_back_from_the_device),
        cmocka_unit_test(random_layouts_are_copied_rightly),
    };
    char path[4 * PATH_MAX];
    int failures;

    plugins = getenv("ASTRIDE_TEST_PLUGINS");
    if (plugins == NULL) {
        fprintf(stderr, "ASTRIDE_TEST_PLUGINS must name the folder of the test plugins\n");
        return EXIT_FAILURE;
    }
    snprintf(clash, sizeof(clash), "%.*s/clash/.libs", (int)(strlen(plugins) - strlen("/.libs")),
             plugins);
    if (!make_folder()) {
        perror(folder);
        return EXIT_FAILURE;
    }
    snprintf(path, sizeof(path), "%s:%s:relative/folder:%s::%s", plugins, clash, absent, folder);
    setenv("ASTRIDE_PLUGIN_PATH", path, 1);
    failures = cmocka_run_group_tests_name("loader", tests, NULL, NULL);
    remove_folder();
    return failures;
}
