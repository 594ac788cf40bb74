/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Selecting the simulated driver, counting its calls, and copies with their expected result.
 */
#include "tests/simulated/simulated.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/fixture.h"

const astride_sim *sim;
static void *library;

/* Kernels that a test compiles are no business of later programs. */
static char cache[] = "/tmp/astride-cache-XXXXXX";

static void remove_cache(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", cache);
    if (system(command) != 0)
        perror(cache);
}

static void name_library(const char *file)
{
    char names[256], *rest = NULL;
    snprintf(names, sizeof names, "%s", simulated_the_vendor.variables);
    for (char *name = strtok_r(names, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest))
        setenv(name, file, 1);
}

void simulated_select(void)
{
    char file[4096], folder[4096];
    const char *wish = getenv("ASTRIDE_TEST_DRIVER");
    const char *build = getenv("abs_top_builddir");
    const simulated_vendor *vendor = &simulated_the_vendor;
    astride_sim_get_function get = NULL;
    if (build == NULL)
        build = ".";
    snprintf(file, sizeof file, "%s/tests/simulators/%s/.libs/%s", build, vendor->backend,
             vendor->library);
    snprintf(folder, sizeof folder, "%s/backends/%s/.libs", build, vendor->backend);
    if (wish != NULL && wish[0] != '\0')
        snprintf(file, sizeof file, "%s", wish);
    name_library(file);
    setenv("ASTRIDE_PLUGIN_PATH", folder, 1);
    if (mkdtemp(cache) != NULL) {
        setenv("XDG_CACHE_HOME", cache, 1);
        atexit(remove_cache);
    }
    library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library != NULL)
        *(void **)(void *)&get = dlsym(library, ASTRIDE_SIM_SYMBOL);
    if (get == NULL) {
        printf("Bail out! %s\n", library == NULL ? dlerror() : file);
        exit(99);
    }
    sim = get();
}

void *simulated_function(const char *name)
{
    void *function = dlsym(library, name);
    if (function == NULL)
        fail_msg("the simulated driver has no %s", name);
    return function;
}

int simulated_setup(void **state)
{
    char spec[32];
    snprintf(spec, sizeof spec, "%s:0", simulated_the_vendor.backend);
    setenv("ASTRIDE_TEST_BACKENDS", spec, 1);
    return test_fixture_setup(state);
}

int simulated_teardown(void **state)
{
    return test_fixture_teardown(state);
}

void simulated_check_rules(void)
{
    if (sim->broken_rules() != 0)
        fail_msg("%s", sim->first_broken_rule());
}

static uint64_t count_all(const char *const *names)
{
    uint64_t calls = 0;
    for (; *names != NULL; names++)
        calls += sim->count(*names);
    return calls;
}

uint64_t simulated_work(void)
{
    return count_all(simulated_the_vendor.work);
}

uint64_t simulated_waits(void)
{
    return count_all(simulated_the_vendor.waits);
}

/* Bytes from offset 0 to behind the last one; all strides are 0 or more. */
static size_t reach(const simulated_layout *layout, const int64_t *strides)
{
    size_t bytes = layout->element_bytes;
    for (int32_t d = 0; d < layout->rank; d++)
        bytes += (size_t)((layout->extents[d] - 1) * strides[d]);
    return bytes;
}

static void *make_side(astride_device *device, astride_memory_kind kind, size_t bytes)
{
    void *address = NULL;
    if (kind == ASTRIDE_MEMORY_HOST)
        address = malloc(bytes);
    else if (astride_memory_alloc(device, bytes, kind, &address) != ASTRIDE_OK)
        fail_msg("%s", astride_last_error());
    assert_non_null(address);
    return address;
}

/* The bytes of memory of either side of the bus. */
static unsigned char *view(void *address, size_t bytes, bool foreign)
{
    unsigned char *seen = foreign ? address : sim->view(address, bytes);
    assert_non_null(seen);
    return seen;
}

static void expect(const simulated_copy *copy, const unsigned char *src)
{
    const simulated_layout *layout = &copy->layout;
    int64_t index[8] = {0}, to = 0, from = 0;
    for (;;) {
        memcpy(copy->expected + to, src + from, layout->element_bytes);
        int32_t d = layout->rank - 1;
        for (; d >= 0; d--) {
            to += layout->dst_strides[d];
            from += layout->src_strides[d];
            if (++index[d] < layout->extents[d])
                break;
            to -= layout->extents[d] * layout->dst_strides[d];
            from -= layout->extents[d] * layout->src_strides[d];
            index[d] = 0;
        }
        if (d < 0)
            return;
    }
}

void simulated_prepare(const simulated_layout *layout, astride_device *dst_device,
                       astride_memory_kind dst_kind, astride_device *src_device,
                       astride_memory_kind src_kind, simulated_copy *copy)
{
    *copy = (simulated_copy){.layout = *layout, .device = dst_device};
    copy->dst_foreign = dst_kind == ASTRIDE_MEMORY_HOST;
    copy->src_foreign = src_kind == ASTRIDE_MEMORY_HOST;
    copy->dst_bytes = reach(layout, layout->dst_strides);
    copy->src_bytes = reach(layout, layout->src_strides);
    copy->dst = make_side(dst_device, dst_kind, copy->dst_bytes);
    copy->src = make_side(src_device, src_kind, copy->src_bytes);
    unsigned char *dst = view(copy->dst, copy->dst_bytes, copy->dst_foreign);
    unsigned char *src = view(copy->src, copy->src_bytes, copy->src_foreign);
    for (size_t i = 0; i < copy->src_bytes; i++)
        src[i] = (unsigned char)(i * 7 + i / 251);
    memset(dst, 0xee, copy->dst_bytes);
    copy->expected = malloc(copy->dst_bytes);
    assert_non_null(copy->expected);
    memcpy(copy->expected, dst, copy->dst_bytes);
    expect(copy, src);
    copy->desc = (astride_copy_desc){.struct_size = sizeof copy->desc,
                                     .rank = layout->rank,
                                     .element_bytes = layout->element_bytes,
                                     .extents = copy->layout.extents,
                                     .dst = {copy->dst, copy->layout.dst_strides},
                                     .src = {copy->src, copy->layout.src_strides}};
}

void simulated_compare(const simulated_copy *copy)
{
    const unsigned char *dst = view(copy->dst, copy->dst_bytes, copy->dst_foreign);
    for (size_t i = 0; i < copy->dst_bytes; i++) {
        if (dst[i] != copy->expected[i])
            fail_msg("byte %zu of the destination is 0x%02x, not 0x%02x", i, dst[i],
                     copy->expected[i]);
    }
}

static void free_side(astride_device *device, void *address, bool foreign)
{
    if (foreign)
        free(address);
    else
        assert_int_equal(astride_memory_free(device, address), ASTRIDE_OK);
}

void simulated_discard(simulated_copy *copy)
{
    astride_memory_info info = {.struct_size = sizeof info};
    assert_int_equal(astride_memory_query(NULL, copy->src, &info), ASTRIDE_OK);
    free_side(copy->device, copy->dst, copy->dst_foreign);
    free_side(info.device, copy->src, copy->src_foreign);
    free(copy->expected);
}
