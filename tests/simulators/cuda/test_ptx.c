/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The interpreter of PTX by value: each instruction on chosen operands, memory of every space,
 * barriers, and what is refused.
 */
#include <stdio.h>

#include "tests/simulators/cuda/testing.h"

static char text[4096];

/* A kernel that stores %rd0, made by `body` of the parameters a and b (%rd1, %rd2), at out. */
static const char *kernel_of(const char *body)
{
    snprintf(text, sizeof(text),
             ".version 6.0\n.target sm_50\n.address_size 64\n"
             ".visible .entry f(.param .u64 out, .param .u64 a, .param .u64 b)\n{\n"
             ".reg .pred %%p<4>; .reg .b16 %%rs<8>; .reg .b32 %%r<8>; .reg .b64 %%rd<16>;\n"
             "ld.param.u64 %%rd1, [a]; ld.param.u64 %%rd2, [b]; ld.param.u64 %%rd15, [out];\n"
             "cvt.u32.u64 %%r1, %%rd1; cvt.u32.u64 %%r2, %%rd2;\n"
             "mov.u64 %%rd0, 0; mov.u32 %%r0, 0;\n%s\n"
             "cvta.to.global.u64 %%rd14, %%rd15; st.global.u64 [%%rd14], %%rd0; ret; }\n",
             body);
    return text;
}

static uint64_t value_of(const char *body, uint64_t a, uint64_t b)
{
    CUmodule module;
    CUfunction function;
    CUdeviceptr out;
    uint64_t value = 0;
    void *parameters[] = {&out, &a, &b};
    assert_done(cuModuleLoadData(&module, kernel_of(body)));
    assert_done(cuModuleGetFunction(&function, module, "f"));
    assert_done(cuMemAlloc_v2(&out, 8));
    assert_done(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    assert_done(cuMemcpyDtoH_v2(&value, out, 8));
    assert_done(cuMemFree_v2(out));
    assert_done(cuModuleUnload(module));
    return value;
}

static void instructions_have_their_values(void **state)
{
    static const struct {
        const char *body;
        uint64_t a, b, value;
    } cases[] = {
        {"add.s64 %rd0, %rd1, %rd2;", UINT64_MAX, 3, 2},
        {"sub.s64 %rd0, %rd1, %rd2;", 2, 3, UINT64_MAX},
        {"add.s32 %r0, %r1, %r2; cvt.u64.u32 %rd0, %r0;", UINT32_MAX, 3, 2},
        {"sub.s32 %r0, %r1, %r2; cvt.s64.s32 %rd0, %r0;", 2, 3, UINT64_MAX},
        {"mul.lo.s64 %rd0, %rd1, %rd2;", UINT64_C(1) << 63, 3, UINT64_C(1) << 63},
        {"mul.hi.u64 %rd0, %rd1, %rd2;", UINT64_MAX, UINT64_MAX, UINT64_MAX - 1},
        {"mul.hi.s64 %rd0, %rd1, %rd2;", UINT64_MAX, UINT64_MAX, 0},
        {"mul.hi.u32 %r0, %r1, %r2; cvt.u64.u32 %rd0, %r0;", UINT32_MAX, 16, 15},
        {"mul.wide.u32 %rd0, %r1, %r2;", UINT32_MAX, UINT32_MAX, UINT64_C(0xfffffffe00000001)},
        {"mul.wide.s32 %rd0, %r1, %r2;", UINT32_MAX, 5, UINT64_MAX - 4},
        {"mad.lo.s64 %rd0, %rd1, %rd2, -7;", 6, 7, 35},
        {"mad.wide.u32 %rd0, %r1, 8, %rd2;", UINT32_MAX, 1, UINT64_C(0x7fffffff9)},
        {"shl.b64 %rd0, %rd1, %r2;", 1, 63, UINT64_C(1) << 63},
        {"shl.b64 %rd0, %rd1, %r2;", 1, 64, 0},
        {"shl.b32 %r0, %r1, %r2; cvt.u64.u32 %rd0, %r0;", 1, 32, 0},
        {"shr.u32 %r0, %r1, %r2; cvt.u64.u32 %rd0, %r0;", UINT64_C(0xf80000000), 31, 1},
        {"shr.s32 %r0, %r1, %r2; cvt.s64.s32 %rd0, %r0;", 0x80000000, 99, UINT64_MAX},
        {"shr.u64 %rd0, %rd1, %r2;", UINT64_MAX, 60, 15},
        {"and.b64 %rd0, %rd1, %rd2;", 12, 10, 8},
        {"or.b64 %rd0, %rd1, %rd2;", 12, 10, 14},
        {"xor.b64 %rd0, %rd1, %rd2;", 12, 10, 6},
        {"not.b64 %rd0, %rd1;", 12, 0, ~UINT64_C(12)},
        {"neg.s64 %rd0, %rd1;", 12, 0, (uint64_t)-12},
        {"min.u64 %rd0, %rd1, %rd2;", UINT64_MAX, 1, 1},
        {"min.s64 %rd0, %rd1, %rd2;", UINT64_MAX, 1, UINT64_MAX},
        {"max.u32 %r0, %r1, %r2; cvt.u64.u32 %rd0, %r0;", UINT64_C(5) << 32, 4, 4},
        {"div.u64 %rd0, %rd1, %rd2;", 100, 7, 14},
        {"div.s64 %rd0, %rd1, %rd2;", (uint64_t)-100, 7, (uint64_t)-14},
        {"rem.s64 %rd0, %rd1, %rd2;", (uint64_t)-100, 7, (uint64_t)-2},
        {"setp.lt.s64 %p1, %rd1, %rd2; selp.b64 %rd0, 5, 6, %p1;", UINT64_MAX, 0, 5},
        {"setp.lt.u64 %p1, %rd1, %rd2; selp.b64 %rd0, 5, 6, %p1;", UINT64_MAX, 0, 6},
        {"setp.ge.u32 %p1, %r1, %r2; selp.b64 %rd0, 5, 6, %p1;", UINT64_C(1) << 32, 1, 6},
        {"setp.eq.s32 %p1, %r1, %r2; not.pred %p2, %p1; selp.b64 %rd0, 5, 6, %p2;", 1, 1, 6},
        {"setp.ne.s32 %p1, %r1, %r2; @%p1 mov.u64 %rd0, 9;", 1, 2, 9},
        {"setp.ne.s32 %p1, %r1, %r2; @!%p1 mov.u64 %rd0, 9;", 1, 2, 0},
        {"cvt.s64.s8 %rd0, %rd1;", 0x1ff, 0, UINT64_MAX},
        {"cvt.u16.u32 %rs1, %r1; cvt.u64.u16 %rd0, %rs1;", 0x12345, 0, 0x2345},
        {"mov.b64 {%r3, %r4}, %rd1; mov.b64 %rd0, {%r4, %r3};", UINT64_C(0x100000002), 0,
         UINT64_C(0x200000001)},
        {"mov.u32 %r3, %nctaid.x; cvt.u64.u32 %rd0, %r3;", 0, 0, 1},
        {"L: add.s64 %rd0, %rd0, 3; sub.s64 %rd1, %rd1, 1; setp.ne.s64 %p1, %rd1, 0; @%p1 bra L;",
         5, 0, 15},
        {".local .align 8 .b8 stack[16]; mov.u64 %rd3, stack; cvta.local.u64 %rd4, %rd3;"
         "st.u64 [%rd4+8], %rd1; ld.local.u32 %rd0, [%rd3+12];",
         UINT64_C(0x700000005), 0, 7},
        {".shared .align 16 .b8 tile[32]; mov.u64 %rd3, tile;"
         "st.shared.v2.u64 [%rd3], {%rd1, %rd2}; ld.shared.s8 %rd0, [%rd3+8];",
         1, 0x80, (uint64_t)-128},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const uint64_t value = value_of(cases[i].body, cases[i].a, cases[i].b);
        if (value != cases[i].value)
            fail_msg("%s: %llx", cases[i].body, (unsigned long long)value);
    }
    assert_int_equal(astride_sim_get()->broken_rules(), 0);
}

static void what_is_unknown_is_refused_by_name(void **state)
{
    static const struct {
        const char *body, *word;
    } cases[] = {{"tanh.approx.f32 %r0, %r1;", "'tanh.approx.f32'"},
                 {"add.f32 %r0, %r1, %r2;", "'add.f32'"},
                 {"cvt.rni.s32.f32 %r0, %r1;", "'cvt.rni.s32.f32'"},
                 {"add.s32 %r0, %r1;", "'add.s32'"},
                 {"add.s32 %r0, %r1, %x9;", "'%x9'"},
                 {"bra NOWHERE;", "'NOWHERE'"},
                 {"call f;", "'call'"}};
    char log[256];
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void *values[] = {log, (void *)sizeof(log)};
        CUmodule module = NULL;
        assert_cuda(CUDA_ERROR_INVALID_PTX,
                    cuModuleLoadDataEx(&module, kernel_of(cases[i].body), 2, options, values));
        assert_null(module);
        assert_int_equal((uintptr_t)values[1], strlen(log));
        if (strstr(log, cases[i].word) == NULL)
            fail_msg("%s: %s", cases[i].body, log);
    }
}

/* Runs a kernel that goes wrong; the device is lost with the code. */
static void lose(const char *body, uint64_t a, CUresult code)
{
    CUmodule module;
    CUfunction function;
    CUdeviceptr out;
    uint64_t b = 0;
    void *parameters[] = {&out, &a, &b};
    assert_done(cuModuleLoadData(&module, kernel_of(body)));
    assert_done(cuModuleGetFunction(&function, module, "f"));
    assert_done(cuMemAlloc_v2(&out, 8));
    if (a == 0)
        a = out;
    assert_done(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    assert_cuda(code, cuCtxSynchronize());
    assert_cuda(code, cuCtxSynchronize());
    assert_int_equal(astride_sim_get()->broken_rules(), 1);
    assert_cuda(code, cuMemFree_v2(out));
    assert_cuda(code, cuModuleUnload(module));
}

static void a_load_behind_an_allocation_is_illegal(void **state)
{
    (void)state;
    lose("ld.global.u8 %rd0, [%rd1+8];", 0, CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void a_load_across_the_end_is_illegal(void **state)
{
    (void)state;
    lose("ld.global.v2.u64 {%rd0, %rd2}, [%rd1];", 0, CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void a_store_to_host_memory_is_illegal(void **state)
{
    static uint64_t mine;
    (void)state;
    lose("st.u64 [%rd1], %rd1;", (uintptr_t)&mine, CUDA_ERROR_ILLEGAL_ADDRESS);
    assert_int_equal(mine, 0);
}

static void a_misaligned_load_is_illegal(void **state)
{
    (void)state;
    lose("ld.global.u32 %rd0, [%rd1+2];", 0, CUDA_ERROR_MISALIGNED_ADDRESS);
}

/* Each thread writes its place and reads its neighbour's behind a barrier. */
static void threads_meet_at_barriers(void **state)
{
    static const char source[] =
        ".version 6.0 .target sm_50 .address_size 64\n"
        ".visible .entry turn(.param .u64 out) .maxntid 64, 1, 1 {\n"
        ".reg .b32 %r<8>; .reg .b64 %rd<8>; .shared .align 4 .b8 tile[256];\n"
        "ld.param.u64 %rd0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;\n"
        "mad.lo.s32 %r2, %r1, 100, %r0; mul.wide.u32 %rd1, %r0, 4; mov.u64 %rd2, tile;\n"
        "add.s64 %rd3, %rd2, %rd1; st.shared.u32 [%rd3], %r2; bar.sync 0;\n"
        "sub.s32 %r3, 63, %r0; mul.wide.u32 %rd4, %r3, 4; add.s64 %rd5, %rd2, %rd4;\n"
        "ld.shared.u32 %r4, [%rd5]; shl.b32 %r5, %r1, 6; add.s32 %r6, %r5, %r0;\n"
        "mul.wide.u32 %rd6, %r6, 4; add.s64 %rd7, %rd0, %rd6; st.global.u32 [%rd7], %r4; ret; }\n";
    CUmodule module;
    CUfunction function;
    CUdeviceptr out;
    uint32_t values[192];
    int threads = 0;
    void *parameters[] = {&out};
    (void)state;
    assert_done(cuModuleLoadData(&module, source));
    assert_done(cuModuleGetFunction(&function, module, "turn"));
    assert_done(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    assert_int_equal(threads, 64);
    assert_done(cuMemAlloc_v2(&out, sizeof(values)));
    assert_cuda(CUDA_ERROR_INVALID_VALUE,
                cuLaunchKernel(function, 3, 1, 1, 65, 1, 1, 0, NULL, parameters, NULL));
    assert_done(cuLaunchKernel(function, 3, 1, 1, 64, 1, 1, 0, NULL, parameters, NULL));
    assert_done(cuMemcpyDtoH_v2(values, out, sizeof(values)));
    for (uint32_t i = 0; i < 192; i++)
        assert_int_equal(values[i], i / 64 * 100 + 63 - i % 64);
    assert_cuda(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&function, module, "other"));
    assert_done(cuMemFree_v2(out));
    assert_done(cuModuleUnload(module));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        driver_test(instructions_have_their_values),
        driver_test(what_is_unknown_is_refused_by_name),
        driver_test(a_load_behind_an_allocation_is_illegal),
        driver_test(a_load_across_the_end_is_illegal),
        driver_test(a_store_to_host_memory_is_illegal),
        driver_test(a_misaligned_load_is_illegal),
        driver_test(threads_meet_at_barriers),
    };
    return cmocka_run_group_tests_name("PTX in the simulated CUDA driver", tests, NULL, NULL);
}
