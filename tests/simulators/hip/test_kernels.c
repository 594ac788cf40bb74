/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The simulated compiler and the kernels that it makes: what is compiled, how blocks run, and the
 * mistakes of kernels and launches that are found.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/simulators/hip/testing.h"

enum { BLOCK = 64, BLOCKS = 3, COUNT = BLOCK * BLOCKS, BYTES = COUNT * 4 };

/* The kernels of the tests. Their names are made by a macro, as those of the library are. */
static const char source[] =
    "#define KERNEL(name) extern \"C\" __global__ void __launch_bounds__(1024) test_##name\n"
    "typedef unsigned int four __attribute__((ext_vector_type(4)));\n"
    "KERNEL(number)(unsigned *out, unsigned first, unsigned long long step)\n"
    "{\n"
    "    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    out[i] = first + (unsigned)step * i + (gridDim.x << 16);\n"
    "}\n"
    "KERNEL(place)(unsigned *out)\n"
    "{\n"
    "    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);\n"
    "    const unsigned item = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * "
    "threadIdx.z);\n"
    "    out[block * blockDim.x * blockDim.y * blockDim.z + item] = block * 1000 + item;\n"
    "}\n"
    "KERNEL(reverse)(unsigned *out)\n"
    "{\n"
    "    __shared__ unsigned kept[64];\n"
    "    const unsigned first = blockIdx.x * 64, i = threadIdx.x;\n"
    "    for (int times = 0; times < 3; times++) {\n"
    "        kept[i] = out[first + i];\n"
    "        __syncthreads();\n"
    "        out[first + i] = kept[63 - i];\n"
    "        __syncthreads();\n"
    "    }\n"
    "}\n"
    "KERNEL(leave)(unsigned *out)\n"
    "{\n"
    "    __shared__ volatile unsigned left;\n"
    "    out[blockIdx.x] = left;\n"
    "    left = 7;\n"
    "}\n"
    "KERNEL(vector)(four *out, unsigned a)\n"
    "{\n"
    "    four value;\n"
    "    value.x = __umulhi(a, a), value.y = 2;\n"
    "    value.z = (unsigned)__umul64hi(1ull << 63, 6), value.w = 4;\n"
    "    *out = value;\n"
    "}\n"
    "KERNEL(part)(unsigned few)\n"
    "{\n"
    "    if (threadIdx.x < few)\n"
    "        __syncthreads();\n"
    "}\n"
    "KERNEL(later_part)(unsigned few)\n"
    "{\n"
    "    if (threadIdx.x >= few)\n"
    "        __syncthreads();\n"
    "}\n"
    "KERNEL(store)(unsigned char *out, unsigned at)\n"
    "{\n"
    "    out[at] = 1;\n"
    "}\n";

static const char *const options[] = {"--gpu-architecture=gfx0simulated", "-O3"};

static hiprtcProgram program_of(const char *text)
{
    hiprtcProgram program;
    assert_hip(HIPRTC_SUCCESS, hiprtcCreateProgram(&program, text, "test", 0, NULL, NULL));
    return program;
}

/* The code object of the source above, made once. */
static char *code(void)
{
    static char *made;
    size_t bytes;
    if (made != NULL)
        return made;
    hiprtcProgram program = program_of(source);
    assert_hip(HIPRTC_SUCCESS, hiprtcCompileProgram(program, 2, (const char **)(uintptr_t)options));
    assert_hip(HIPRTC_SUCCESS, hiprtcGetCodeSize(program, &bytes));
    made = malloc(bytes);
    assert_non_null(made);
    assert_hip(HIPRTC_SUCCESS, hiprtcGetCode(program, made));
    assert_hip(HIPRTC_SUCCESS, hiprtcDestroyProgram(&program));
    assert_null(program);
    return made;
}

typedef struct setup {
    hipModule_t module;
    hipStream_t stream;
    unsigned *out;
} setup;

static setup prepare(void)
{
    setup s;
    void *address;
    assert_done(hipModuleLoadData(&s.module, code()));
    assert_done(hipStreamCreateWithFlags(&s.stream, 1));
    assert_done(hipMalloc(&address, BYTES));
    s.out = address;
    return s;
}

static void drop(const setup *s)
{
    assert_done(hipStreamSynchronize(s->stream));
    assert_done(hipStreamDestroy(s->stream));
    assert_done(hipFree(s->out));
    assert_done(hipModuleUnload(s->module));
}

/* Of a device that was lost. */
static void drop_lost(const setup *s, int result)
{
    assert_hip(result, hipStreamSynchronize(s->stream));
    assert_done(hipStreamDestroy(s->stream));
    assert_hip(result, hipFree(s->out));
    assert_done(hipModuleUnload(s->module));
}

static hipFunction_t function_of(const setup *s, const char *name)
{
    hipFunction_t function;
    assert_done(hipModuleGetFunction(&function, s->module, name));
    return function;
}

static hipError_t launch(const setup *s, const char *name, unsigned blocks, unsigned block,
                         void **parameters)
{
    return hipModuleLaunchKernel(function_of(s, name), blocks, 1, 1, block, 1, 1, 0, s->stream,
                                 parameters, NULL);
}

static const unsigned *result_of(const setup *s)
{
    assert_done(hipStreamSynchronize(s->stream));
    return astride_sim_get()->view(s->out, BYTES);
}

static void errors_of_the_source_are_in_the_log(void **state)
{
    char text[8192];
    size_t bytes;
    hiprtcProgram program =
        program_of("extern \"C\" __global__ void f()\n{\n    unknown_word;\n}\n");
    (void)state;
    assert_hip(HIPRTC_ERROR_COMPILATION,
               hiprtcCompileProgram(program, 2, (const char **)(uintptr_t)options));
    assert_hip(HIPRTC_SUCCESS, hiprtcGetProgramLogSize(program, &bytes));
    assert_in_range(bytes, 2, sizeof(text));
    assert_hip(HIPRTC_SUCCESS, hiprtcGetProgramLog(program, text));
    assert_int_equal(strlen(text), bytes - 1);
    assert_non_null(strstr(text, "error:"));
    assert_non_null(strstr(text, "unknown_word"));
    assert_hip(HIPRTC_ERROR_INVALID_INPUT, hiprtcGetCodeSize(program, &bytes));
    assert_hip(HIPRTC_SUCCESS, hiprtcDestroyProgram(&program));
}

static void the_compilers_input_is_checked(void **state)
{
    const char *unknown[] = {options[0], "-fbogus"};
    hiprtcProgram program = program_of(source), other = NULL;
    (void)state;
    assert_hip(HIPRTC_ERROR_INVALID_INPUT, hiprtcCreateProgram(&other, NULL, "", 0, NULL, NULL));
    assert_hip(HIPRTC_ERROR_INVALID_OPTION, hiprtcCompileProgram(program, 2, unknown));
    assert_hip(HIPRTC_ERROR_INVALID_OPTION, hiprtcCompileProgram(program, 0, NULL));
    assert_hip(HIPRTC_SUCCESS, hiprtcDestroyProgram(&program));
    assert_hip(HIPRTC_ERROR_INVALID_INPUT, hiprtcDestroyProgram(&program));
}

static void arguments_are_taken_at_the_call(void **state)
{
    const setup s = prepare();
    unsigned first = 5;
    unsigned long long step = 3;
    void *out = s.out, *parameters[] = {&out, &first, &step};
    (void)state;
    assert_done(launch(&s, "test_number", BLOCKS, BLOCK, parameters));
    first = 1000;
    step = 0;
    out = NULL;
    assert_int_equal(seen(s.out), 0xa5);
    const unsigned *result = result_of(&s);
    for (unsigned i = 0; i < COUNT; i++)
        assert_int_equal(result[i], 5 + 3 * i + (BLOCKS << 16));
    drop(&s);
}

static void each_work_item_has_its_place_in_three_dimensions(void **state)
{
    const setup s = prepare();
    void *out = s.out, *parameters[] = {&out};
    (void)state;
    assert_done(hipModuleLaunchKernel(function_of(&s, "test_place"), 2, 1, 3, 2, 4, 3, 0, s.stream,
                                      parameters, NULL));
    const unsigned *result = result_of(&s);
    for (unsigned i = 0; i < 6 * 24; i++)
        assert_int_equal(result[i], i / 24 * 1000 + i % 24);
    drop(&s);
}

static void work_items_meet_at_barriers(void **state)
{
    const setup s = prepare();
    unsigned first = 0;
    unsigned long long step = 1;
    void *out = s.out, *parameters[] = {&out, &first, &step};
    (void)state;
    assert_done(launch(&s, "test_number", BLOCKS, BLOCK, parameters));
    assert_done(launch(&s, "test_reverse", BLOCKS, BLOCK, parameters));
    const unsigned *result = result_of(&s);
    for (unsigned i = 0; i < COUNT; i++)
        assert_int_equal(result[i], i / BLOCK * BLOCK + BLOCK - 1 - i % BLOCK + (BLOCKS << 16));
    drop(&s);
}

static void shared_memory_keeps_nothing_between_blocks(void **state)
{
    const setup s = prepare();
    void *out = s.out, *parameters[] = {&out};
    (void)state;
    assert_done(launch(&s, "test_leave", BLOCKS, 1, parameters));
    const unsigned *result = result_of(&s);
    for (unsigned i = 0; i < BLOCKS; i++)
        assert_int_equal(result[i], 0xa5a5a5a5);
    drop(&s);
}

static void vectors_and_high_products(void **state)
{
    const setup s = prepare();
    unsigned a = 0x80000000u;
    void *out = s.out, *parameters[] = {&out, &a};
    static const unsigned expected[] = {0x40000000, 2, 3, 4};
    (void)state;
    assert_done(launch(&s, "test_vector", 1, 1, parameters));
    assert_memory_equal(result_of(&s), expected, sizeof(expected));
    drop(&s);
}

/* Whether the first work-item is among those that wait, or not. */
static void a_barrier_that_some_do_not_reach_is_found(void **state)
{
    static const char *const names[] = {"test_part", "test_later_part"};
    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        unsigned few = 5;
        void *parameters[] = {&few};
        take_device();
        const setup s = prepare();
        assert_done(launch(&s, names[i], 2, BLOCK, parameters));
        drop_lost(&s, hipErrorLaunchFailure);
    }
}

static void a_barrier_that_all_or_none_reach_is_good(void **state)
{
    const setup s = prepare();
    unsigned few = BLOCK;
    void *parameters[] = {&few};
    (void)state;
    assert_done(launch(&s, "test_part", 2, BLOCK, parameters));
    assert_done(launch(&s, "test_later_part", 2, BLOCK, parameters));
    drop(&s);
}

static void pointers_into_nowhere_are_found(void **state)
{
    unsigned at = 0;
    void *stray[] = {&at, NULL};
    (void)state;
    for (size_t i = 0; i < sizeof(stray) / sizeof(stray[0]); i++) {
        void *parameters[] = {&stray[i], &at};
        take_device();
        const setup s = prepare();
        astride_sim_get()->reset();
        assert_done(launch(&s, "test_store", 1, 1, parameters));
        drop_lost(&s, hipErrorIllegalAddress);
        assert_int_equal(astride_sim_get()->broken_rules(), 1);
    }
}

static void memory_freed_under_a_kernel_is_found(void **state)
{
    void *pinned, *other, *first;
    unsigned at = 0;
    void *parameters[] = {&pinned, &at};
    (void)state;
    take_device();
    const setup s = prepare();
    assert_done(hipHostMalloc(&pinned, BYTES, 0));
    first = pinned;
    assert_done(launch(&s, "test_store", 1, 1, parameters));
    assert_done(hipHostFree(pinned));
    /* Perhaps at the same address. */
    assert_done(hipHostMalloc(&other, BYTES, 0));
    drop_lost(&s, hipErrorIllegalAddress);
    assert_int_equal(astride_sim_get()->broken_rules(), 1);
    if (other == first)
        assert_int_equal(seen(other), 0xa5);
    assert_hip(hipErrorIllegalAddress, hipHostFree(other));
}

static void a_write_behind_an_allocation_is_found(void **state)
{
    void *out;
    unsigned at = BYTES - 1;
    void *parameters[] = {&out, &at};
    (void)state;
    take_device();
    const setup s = prepare();
    out = s.out;
    assert_done(launch(&s, "test_store", 1, 1, parameters));
    assert_done(hipStreamSynchronize(s.stream));
    assert_int_equal(seen((unsigned char *)s.out + at), 1);
    at++;
    assert_done(launch(&s, "test_store", 1, 1, parameters));
    drop_lost(&s, hipErrorIllegalAddress);
    assert_int_equal(astride_sim_get()->broken_rules(), 1);
}

/* The last byte of a device has room behind it that is nobody's, too. */
static void all_memory_of_a_device_can_be_written(void **state)
{
    enum { ALL = 1 << 20 };
    void *all;
    unsigned at = ALL - 1;
    void *parameters[] = {&all, &at};
    hipModule_t module;
    hipFunction_t function;
    (void)state;
    astride_sim_get()->set("MEMORY", "1048576");
    take_device();
    assert_done(hipMalloc(&all, ALL));
    assert_done(hipModuleLoadData(&module, code()));
    assert_done(hipModuleGetFunction(&function, module, "test_store"));
    assert_done(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    assert_done(hipDeviceSynchronize());
    assert_int_equal(seen((unsigned char *)all + at), 1);
    assert_done(hipFree(all));
    assert_done(hipModuleUnload(module));
}

static void launches_are_checked(void **state)
{
    const setup s = prepare();
    hipFunction_t store = function_of(&s, "test_store"), none;
    unsigned at = 0;
    void *out = s.out, *parameters[] = {&out, &at};
    (void)state;
    assert_hip(hipErrorInvalidValue, launch(&s, "test_store", 0, 1, parameters));
    assert_hip(hipErrorInvalidValue, launch(&s, "test_store", 1, 1025, parameters));
    assert_hip(hipErrorInvalidValue, launch(&s, "test_store", 1, 1, NULL));
    assert_hip(hipErrorNotSupported,
               hipModuleLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, s.stream, parameters, parameters));
    assert_hip(hipErrorNotFound, hipModuleGetFunction(&none, s.module, "store"));
    drop(&s);
    assert_hip(hipErrorInvalidHandle,
               hipModuleLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    assert_hip(hipErrorInvalidHandle, hipModuleGetFunction(&none, s.module, "test_store"));
}

static void a_module_stays_for_launches_on_their_way(void **state)
{
    const setup s = prepare();
    unsigned at = 0;
    void *out = s.out, *parameters[] = {&out, &at};
    (void)state;
    assert_done(launch(&s, "test_store", 1, 1, parameters));
    assert_done(hipModuleUnload(s.module));
    assert_done(hipStreamSynchronize(s.stream));
    assert_int_equal(seen(s.out), 1);
    assert_done(hipStreamDestroy(s.stream));
    assert_done(hipFree(s.out));
}

static void only_the_compilers_code_is_loaded(void **state)
{
    static const char foreign[64] = "\177ELF";
    struct {
        hip_code_header header;
        char bytes[32];
    } broken = {{HIP_CODE_MAGIC, 32}, "no shared object"};
    hipModule_t module;
    (void)state;
    assert_hip(hipErrorNoBinaryForGpu, hipModuleLoadData(&module, foreign));
    assert_hip(hipErrorInvalidImage, hipModuleLoadData(&module, &broken));
    assert_hip(hipErrorInvalidValue, hipModuleLoadData(&module, NULL));
}

static int forget_code(void **state)
{
    (void)state;
    free(code());
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        runtime_test(errors_of_the_source_are_in_the_log),
        runtime_test(the_compilers_input_is_checked),
        runtime_test(arguments_are_taken_at_the_call),
        runtime_test(each_work_item_has_its_place_in_three_dimensions),
        runtime_test(work_items_meet_at_barriers),
        runtime_test(shared_memory_keeps_nothing_between_blocks),
        runtime_test(vectors_and_high_products),
        runtime_test(a_barrier_that_some_do_not_reach_is_found),
        runtime_test(a_barrier_that_all_or_none_reach_is_good),
        runtime_test(pointers_into_nowhere_are_found),
        runtime_test(memory_freed_under_a_kernel_is_found),
        runtime_test(a_write_behind_an_allocation_is_found),
        runtime_test(launches_are_checked),
        runtime_test(a_module_stays_for_launches_on_their_way),
        runtime_test(only_the_compilers_code_is_loaded),
        runtime_test(all_memory_of_a_device_can_be_written),
    };
    const char *sanitizers = getenv("ASTRIDE_TEST_SANITIZE");
    if (sanitizers != NULL && strstr(sanitizers, "thread") != NULL) {
        puts("1..0 # SKIP the thread sanitizer does not follow the stacks of simulated work-items");
        return 77;
    }
    return cmocka_run_group_tests_name("kernels of the simulated HIP runtime", tests, NULL,
                                       forget_code);
}
