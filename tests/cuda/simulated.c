/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Selecting the simulated driver, counting its calls, and copies with their expected result.
 */
#include "tests/cuda/simulated.h"

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

void simulated_select(void)
{
    char file[4096], folder[4096];
    const char *wish = getenv("ASTRIDE_TEST_CUDA_DRIVER");
    const char *build = getenv("abs_top_builddir");
    astride_sim_get_function get = NULL;
    snprintf(file, sizeof file, "%s/tests/simulators/cuda/.libs/libcuda.so.1",
             build != NULL ? build : ".");
    snprintf(folder, sizeof folder, "%s/backends/cuda/.libs", build != NULL ? build : ".");
    if (wish != NULL && wish[0] != '\0')
        snprintf(file, sizeof file, "%s", wish);
    setenv("ASTRIDE_CUDA_LIBRARY", file, 1);
    setenv("ASTRIDE_PLUGIN_PATH", folder, 1);
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
    setenv("ASTRIDE_TEST_BACKENDS", "cuda:0", 1);
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

static uint64_t count_all(const char *const *names, size_t count)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < count; i++)
        calls += sim->count(names[i]);
    return calls;
}

uint64_t simulated_work(void)
{
    static const char *const names[] = {
        "cuMemcpyAsync",     "cuMemcpyHtoDAsync",  "cuMemcpyDtoHAsync",  "cuMemcpyDtoDAsync",
        "cuMemcpyPeerAsync", "cuMemcpy2DAsync",    "cuMemcpy3DAsync",    "cuMemcpy3DPeerAsync",
        "cuMemsetD8Async",   "cuMemsetD16Async",   "cuMemsetD32Async",   "cuMemsetD2D8Async",
        "cuLaunchKernel",    "cuMemsetD2D16Async", "cuMemsetD2D32Async", "cuLaunchHostFunc",
    };
    return count_all(names, sizeof names / sizeof names[0]);
}

uint64_t simulated_waits(void)
{
    static const char *const names[] = {"cuStreamSynchronize", "cuEventSynchronize",
                                        "cuCtxSynchronize"};
    return count_all(names, sizeof names / sizeof names[0]);
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
