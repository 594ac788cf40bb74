/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The documented rules of the HIP runtime, as the simulated one keeps them: each broken one by its
 * code, with nothing written. Also what kernels may not do.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include <cmocka.h>

#include "tests/simulators/hip/runtime.h"

#define assert_hip(code, call) assert_int_equal((call), (code))
#define assert_done(call) assert_hip(hipSuccess, call)

enum { BYTES = 4096, NON_BLOCKING = 1 };

/* Exported beside the runtime's own functions. */
extern const astride_sim *astride_sim_get(void);

typedef struct memory {
    unsigned char *a, *b, *host;
    hipStream_t stream;
} memory;

static memory allocate(void)
{
    memory m;
    void *a, *b, *host;
    assert_done(hipMalloc(&a, BYTES));
    assert_done(hipMalloc(&b, BYTES));
    assert_done(hipHostMalloc(&host, BYTES, 0));
    assert_done(hipStreamCreateWithFlags(&m.stream, NON_BLOCKING));
    m.a = a;
    m.b = b;
    m.host = host;
    for (int i = 0; i < BYTES; i++)
        m.host[i] = (unsigned char)(i * 7);
    return m;
}

static void release(const memory *m)
{
    assert_done(hipStreamSynchronize(m->stream));
    assert_done(hipStreamDestroy(m->stream));
    assert_done(hipHostFree(m->host));
    assert_done(hipFree(m->a));
    assert_done(hipFree(m->b));
}

static hipMemcpy3DParms a_rectangle(const memory *m)
{
    return (hipMemcpy3DParms){.srcPtr = {m->host, 32, 32, 8},
                              .dstPtr = {m->a, 64, 32, 8},
                              .extent = {32, 8, 4},
                              .kind = hipMemcpyHostToDevice};
}

static void a_rectangle_moves_its_bytes(void **state)
{
    unsigned char back[BYTES];
    const memory m = allocate();
    const hipMemcpy3DParms rect = a_rectangle(&m);
    (void)state;
    assert_done(hipMemsetD8Async(m.a, 0x11, BYTES, m.stream));
    assert_done(hipMemcpy3DAsync(&rect, m.stream));
    assert_done(hipMemcpyAsync(back, m.a, BYTES, hipMemcpyDeviceToHost, m.stream));
    assert_done(hipStreamSynchronize(m.stream));
    for (size_t i = 0; i < BYTES; i++) {
        const size_t x = i % 64, y = i / 64 % 8, z = i / 512;
        const bool inside = x < 32 && z < 4;
        assert_int_equal(back[i], inside ? m.host[(z * 8 + y) * 32 + x] : 0x11);
    }
    assert_int_equal(astride_sim_get()->broken_rules(), 0);
    release(&m);
}

static void a_rectangle_that_breaks_a_rule_is_refused(void **state)
{
    const memory m = allocate();
    hipMemcpy3DParms bad[8];
    static const int codes[] = {hipErrorInvalidPitchValue, hipErrorInvalidPitchValue,
                                hipErrorInvalidValue,      hipErrorInvalidValue,
                                hipErrorInvalidValue,      hipErrorInvalidMemcpyDirection,
                                hipErrorInvalidValue,      hipErrorInvalidValue};
    const size_t count = sizeof(bad) / sizeof(bad[0]);
    (void)state;
    for (size_t i = 0; i < count; i++)
        bad[i] = a_rectangle(&m);
    bad[0].dstPtr.pitch = 31;
    bad[1].srcPtr.pitch = 31;
    bad[2].dstPtr.ysize = 7;
    bad[3].srcPtr.ysize = 7;
    bad[4].dstPtr.ptr = m.a + BYTES - 512 * 3 - 64 * 7 - 31; /* one byte too far */
    bad[5].kind = 5;
    bad[6].srcPtr.ptr = NULL;
    bad[7].kind = hipMemcpyHostToHost; /* of device memory */
    for (size_t i = 0; i < count; i++) {
        astride_sim_get()->reset();
        assert_hip(codes[i], hipMemcpy3DAsync(&bad[i], m.stream));
        assert_int_equal(astride_sim_get()->broken_rules(), 1);
    }
    release(&m);
}

static void the_maximum_pitch_holds(void **state)
{
    const memory m = allocate();
    (void)state;
    astride_sim_get()->set("MAX_PITCH", "64");
    assert_done(hipMemcpy2DAsync(m.a, 64, m.host, 32, 32, 4, hipMemcpyHostToDevice, m.stream));
    assert_hip(hipErrorInvalidPitchValue,
               hipMemcpy2DAsync(m.a, 65, m.host, 32, 32, 4, hipMemcpyHostToDevice, m.stream));
    astride_sim_get()->set("MAX_PITCH", "2147483647");
    release(&m);
}

static void linear_copies_stay_inside(void **state)
{
    const memory m = allocate();
    (void)state;
    assert_done(hipMemcpyAsync(m.a + 1, m.host, BYTES - 1, hipMemcpyHostToDevice, m.stream));
    assert_hip(hipErrorInvalidValue,
               hipMemcpyAsync(m.a + 1, m.host, BYTES, hipMemcpyHostToDevice, m.stream));
    assert_hip(hipErrorInvalidValue,
               hipMemcpyAsync((void *)(uintptr_t)&m, m.host, 1, hipMemcpyHostToDevice, m.stream));
    assert_hip(hipErrorInvalidValue,
               hipMemcpyAsync(m.host, NULL, 1, hipMemcpyDeviceToHost, m.stream));
    assert_hip(hipErrorInvalidValue, hipMemsetD8Async(m.a, 0, BYTES + 1, m.stream));
    release(&m);
}

static void stale_handles_are_found(void **state)
{
    memory m = allocate();
    hipEvent_t event;
    (void)state;
    assert_done(hipEventCreateWithFlags(&event, 2));
    assert_done(hipEventDestroy(event));
    assert_hip(hipErrorInvalidHandle, hipEventRecord(event, m.stream));
    assert_hip(hipErrorInvalidHandle, hipEventDestroy(event));
    assert_done(hipStreamDestroy(m.stream));
    assert_hip(hipErrorInvalidHandle, hipStreamSynchronize(m.stream));
    assert_hip(hipErrorInvalidHandle, hipMemsetD8Async(m.a, 0, 1, m.stream));
    assert_done(hipStreamCreateWithFlags(&m.stream, NON_BLOCKING));
    assert_hip(hipErrorInvalidValue, hipFree(m.a + 1));
    assert_hip(hipErrorHostMemoryNotRegistered, hipHostUnregister(m.host));
    assert_hip(hipErrorHostMemoryAlreadyRegistered, hipHostRegister(m.host, 8, 0));
    release(&m);
}

static void the_host_cannot_touch_device_memory(void **state)
{
    const memory m = allocate();
    int status;
    (void)state;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        /* Test frameworks and sanitizers catch the signal. */
        signal(SIGSEGV, SIG_DFL);
        const volatile unsigned char *stray = m.a;
        _exit(*stray == 0 ? 1 : 2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSEGV);
    release(&m);
}

static void a_call_fails_on_demand(void **state)
{
    void *address = NULL, *other = NULL;
    (void)state;
    astride_sim_get()->fail_call("hipMalloc", 2, hipErrorOutOfMemory);
    assert_done(hipMalloc(&address, 1));
    assert_hip(hipErrorOutOfMemory, hipMalloc(&other, 1));
    assert_null(other);
    assert_string_equal(astride_sim_get()->failed(), "hipMalloc");
    /* What gives back does so all the same. */
    astride_sim_get()->fail_call(NULL, 1, hipErrorLaunchFailure);
    assert_hip(hipErrorLaunchFailure, hipFree(address));
    assert_hip(hipErrorInvalidValue, hipFree(address));
}

static hipModule_t load(const char *source)
{
    const char *options[] = {"--gpu-architecture=gfx90a"};
    hiprtcProgram program = NULL;
    hipModule_t module = NULL;
    size_t bytes = 0;
    assert_int_equal(hiprtcCreateProgram(&program, source, "test", 0, NULL, NULL), HIPRTC_SUCCESS);
    assert_int_equal(hiprtcCompileProgram(program, 1, options), HIPRTC_SUCCESS);
    assert_int_equal(hiprtcGetCodeSize(program, &bytes), HIPRTC_SUCCESS);
    char *code = malloc(bytes);
    assert_non_null(code);
    assert_int_equal(hiprtcGetCode(program, code), HIPRTC_SUCCESS);
    assert_int_equal(hiprtcDestroyProgram(&program), HIPRTC_SUCCESS);
    assert_done(hipModuleLoadData(&module, code));
    free(code);
    return module;
}

static hipError_t launch(hipModule_t module, const char *name, void *to, hipStream_t stream)
{
    hipFunction_t function = NULL;
    void *parameters[] = {&to};
    assert_done(hipModuleGetFunction(&function, module, name));
    assert_done(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, stream, parameters, NULL));
    return hipStreamSynchronize(stream);
}

/* The last of these loses the device, so that nothing can follow. */
static void kernels_keep_to_their_memory(void **state)
{
    static const char source[] =
        "extern \"C\" __global__ void inside(unsigned char *to) { to[threadIdx.x] = 1; }\n"
        "extern \"C\" __global__ void behind(unsigned char *to) { to[4096 + threadIdx.x] = 1; }\n";
    const memory m = allocate();
    const hipModule_t module = load(source);
    (void)state;
    assert_done(launch(module, "inside", m.a, m.stream));
    assert_int_equal(astride_sim_get()->broken_rules(), 0);
    assert_hip(hipErrorIllegalAddress, launch(module, "behind", m.a, m.stream));
    assert_int_equal(astride_sim_get()->broken_rules(), 1);
    assert_non_null(strstr(astride_sim_get()->first_broken_rule(), "behind the memory"));
}

static int begin(void **state)
{
    (void)state;
    astride_sim_get()->set("DELAY", "60000000"); /* nothing runs unless somebody waits */
    if (hipInit(0) != hipSuccess || hipSetDevice(0) != hipSuccess)
        return -1;
    astride_sim_get()->reset();
    return 0;
}

static int end(void **state)
{
    astride_sim_alive alive;
    (void)state;
    astride_sim_get()->alive(&alive);
    return alive.device + alive.pinned + alive.managed + alive.registered + alive.streams +
                       alive.events + alive.modules ==
                   0
               ? 0
               : -1;
}

#define runtime_test(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        runtime_test(a_rectangle_moves_its_bytes),
        runtime_test(a_rectangle_that_breaks_a_rule_is_refused),
        runtime_test(the_maximum_pitch_holds),
        runtime_test(linear_copies_stay_inside),
        runtime_test(stale_handles_are_found),
        runtime_test(the_host_cannot_touch_device_memory),
        runtime_test(a_call_fails_on_demand),
        cmocka_unit_test_setup(kernels_keep_to_their_memory, begin),
    };
    return cmocka_run_group_tests_name("rules of the simulated HIP runtime", tests, NULL, NULL);
}
