/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The documented rules of the runtime, as the simulated one keeps them: each broken one by its
 * code, with nothing written.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/simulators/hip/testing.h"

enum { BYTES = 4096 };

typedef struct memory {
    unsigned char *a, *b, *host;
    hipStream_t stream;
} memory;

static memory allocate(void)
{
    memory m;
    void *address;
    assert_done(hipMalloc(&address, BYTES));
    m.a = address;
    assert_done(hipMalloc(&address, BYTES));
    m.b = address;
    assert_done(hipHostMalloc(&address, BYTES, 0));
    m.host = address;
    assert_done(hipStreamCreateWithFlags(&m.stream, 1));
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

static hipMemcpy3DParms a_box(const memory *m)
{
    return (hipMemcpy3DParms){.srcPtr = {m->host, 32, 32, 8},
                              .dstPtr = {m->a, 64, 64, 8},
                              .extent = {32, 8, 4},
                              .kind = hipMemcpyHostToDevice};
}

static void a_box_moves_its_bytes(void **state)
{
    unsigned char back[BYTES];
    const memory m = allocate();
    const hipMemcpy3DParms box = a_box(&m);
    (void)state;
    assert_done(hipMemsetD8Async(m.a, 0x11, BYTES, m.stream));
    assert_done(hipMemcpy3DAsync(&box, m.stream));
    assert_done(hipMemcpyAsync(back, m.a, BYTES, hipMemcpyDeviceToHost, m.stream));
    for (size_t i = 0; i < BYTES; i++) {
        const size_t x = i % 64, y = i / 64 % 8, z = i / 512;
        const bool inside = x < 32 && z < 4;
        assert_int_equal(back[i], inside ? m.host[(z * 8 + y) * 32 + x] : 0x11);
    }
    assert_int_equal(astride_sim_get()->broken_rules(), 0);
    release(&m);
}

static void a_box_that_breaks_a_rule_is_refused(void **state)
{
    struct hipArray *const array = (struct hipArray *)(uintptr_t)8;
    const memory m = allocate();
    hipMemcpy3DParms bad[11];
    const int codes[] = {
        hipErrorInvalidPitchValue,      hipErrorInvalidPitchValue, hipErrorInvalidValue,
        hipErrorInvalidValue,           hipErrorInvalidPitchValue, hipErrorInvalidValue,
        hipErrorInvalidValue,           hipErrorNotSupported,      hipErrorInvalidValue,
        hipErrorInvalidMemcpyDirection, hipErrorInvalidValue};
    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        bad[i] = a_box(&m);
    bad[0].dstPtr.pitch = bad[0].dstPtr.xsize = 31;
    bad[1].srcPtr.pitch = bad[1].srcPtr.xsize = 31;
    bad[2].dstPtr.ysize = 7;
    bad[3].srcPtr.ysize = 7;
    bad[4].dstPtr.xsize = 65;
    bad[5].dstPtr.ptr = NULL;
    bad[6].srcArray = array;
    bad[7].dstPos.x = 1;
    bad[8].dstPtr.ptr = m.a + BYTES - 512 * 3 - 64 * 7 - 31; /* one byte too far */
    bad[9].kind = 5;
    bad[10].kind = hipMemcpyHostToHost; /* to the device */
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        astride_sim_get()->reset();
        assert_hip(codes[i], hipMemcpy3DAsync(&bad[i], m.stream));
        assert_int_equal(astride_sim_get()->broken_rules(), 1);
    }
    release(&m);
    assert_int_equal(astride_sim_get()->broken_rules(), 1);
}

static void the_kind_is_what_the_pointers_are(void **state)
{
    unsigned char pageable[8] = {0};
    const memory m = allocate();
    const struct {
        void *dst;
        const void *src;
        int right;
    } cases[] = {{m.a, m.b, hipMemcpyDeviceToDevice},
                 {m.a, m.host, hipMemcpyHostToDevice},
                 {m.host, m.a, hipMemcpyDeviceToHost},
                 {m.a, pageable, hipMemcpyHostToDevice},
                 {pageable, m.a, hipMemcpyDeviceToHost}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_done(hipMemcpyAsync(cases[i].dst, cases[i].src, 8, cases[i].right, m.stream));
        assert_done(hipMemcpyAsync(cases[i].dst, cases[i].src, 8, hipMemcpyDefault, m.stream));
        assert_hip(hipErrorInvalidValue,
                   hipMemcpyAsync(cases[i].dst, cases[i].src, 8, hipMemcpyHostToHost, m.stream));
    }
    /* Page-locked memory is the device's as well; pageable memory is not. */
    assert_done(hipMemcpyAsync(m.a, m.host, 8, hipMemcpyDeviceToDevice, m.stream));
    assert_hip(hipErrorInvalidValue,
               hipMemcpyAsync(m.a, pageable, 8, hipMemcpyDeviceToDevice, m.stream));
    assert_hip(hipErrorInvalidMemcpyDirection, hipMemcpyAsync(m.a, m.b, 8, -1, m.stream));
    release(&m);
}

static void pitches_hold_the_rows_and_stay_below_the_maximum(void **state)
{
    const memory m = allocate();
    hipMemcpy3DParms box = a_box(&m);
    (void)state;
    assert_hip(hipErrorInvalidPitchValue,
               hipMemcpy2DAsync(m.a, 7, m.b, 8, 8, 2, hipMemcpyDeviceToDevice, m.stream));
    assert_hip(hipErrorInvalidPitchValue,
               hipMemcpy2DAsync(m.a, 8, m.b, 7, 8, 2, hipMemcpyDeviceToDevice, m.stream));
    assert_hip(hipErrorInvalidValue, hipMemset2DAsync(m.a, 7, 0, 8, 2, m.stream));
    assert_done(hipMemset2DAsync(m.a, 8, 0, 8, 2, m.stream));
    astride_sim_get()->set("MAX_PITCH", "64");
    assert_done(hipMemcpy3DAsync(&box, m.stream));
    box.dstPtr.pitch = 65;
    assert_hip(hipErrorInvalidPitchValue, hipMemcpy3DAsync(&box, m.stream));
    assert_hip(hipErrorInvalidValue, hipMemset2DAsync(m.a, 65, 0, 1, 2, m.stream));
    astride_sim_get()->set("MAX_PITCH", "2147483647");
    release(&m);
}

static void copies_and_fills_stay_inside(void **state)
{
    const memory m = allocate();
    (void)state;
    assert_done(hipMemcpyAsync(m.a + 1, m.host, BYTES - 1, hipMemcpyHostToDevice, m.stream));
    assert_hip(hipErrorInvalidValue,
               hipMemcpyAsync(m.a + 1, m.host, BYTES, hipMemcpyHostToDevice, m.stream));
    assert_hip(hipErrorInvalidValue,
               hipMemcpyAsync(m.a, m.a + 8, 9, hipMemcpyDeviceToDevice, m.stream));
    assert_hip(hipErrorInvalidValue,
               hipMemcpyAsync(m.host, NULL, 1, hipMemcpyDeviceToHost, m.stream));
    assert_hip(hipErrorInvalidValue, hipMemsetD8Async(m.a, 0, BYTES + 1, m.stream));
    assert_hip(hipErrorInvalidValue, hipMemsetD16Async(m.a + 1, 0, 1, m.stream));
    assert_hip(hipErrorInvalidValue, hipMemsetD32Async(m.a + 2, 0, 1, m.stream));
    assert_done(hipMemsetD32Async(m.a + 4, 0x04030201, 1, m.stream));
    assert_done(hipStreamSynchronize(m.stream));
    assert_int_equal(seen(m.a + 4), 1);
    assert_int_equal(seen(m.a + 7), 4);
    assert_int_equal(seen(m.a + 8), m.host[7]);
    release(&m);
}

static void stale_handles_and_addresses_are_found(void **state)
{
    memory m = allocate();
    hipEvent_t event;
    void *freed;
    (void)state;
    assert_done(hipEventCreateWithFlags(&event, 2));
    assert_done(hipEventDestroy(event));
    assert_hip(hipErrorInvalidHandle, hipEventRecord(event, m.stream));
    assert_hip(hipErrorInvalidHandle, hipEventDestroy(event));
    assert_done(hipStreamDestroy(m.stream));
    assert_hip(hipErrorInvalidHandle, hipStreamSynchronize(m.stream));
    assert_hip(hipErrorInvalidHandle, hipMemsetD8Async(m.a, 0, 1, m.stream));
    assert_done(hipStreamCreateWithFlags(&m.stream, 1));
    assert_done(hipMalloc(&freed, 8));
    assert_done(hipFree(freed));
    assert_hip(hipErrorInvalidValue, hipMemsetD8Async(freed, 0, 1, m.stream));
    assert_hip(hipErrorInvalidValue, hipFree(freed));
    assert_hip(hipErrorInvalidValue, hipFree(m.a + 1));
    assert_hip(hipErrorInvalidValue, hipFree(m.host));
    assert_hip(hipErrorInvalidValue, hipHostFree(m.a));
    assert_hip(hipErrorHostMemoryNotRegistered, hipHostUnregister(m.host));
    assert_hip(hipErrorHostMemoryAlreadyRegistered, hipHostRegister(m.host, 8, 0));
    release(&m);
}

static void a_peers_memory_needs_access(void **state)
{
    void *there;
    const memory m = allocate();
    (void)state;
    assert_done(hipSetDevice(1));
    assert_done(hipMalloc(&there, BYTES));
    assert_hip(hipErrorInvalidHandle, hipMemsetD8Async(m.a, 0, 1, m.stream));
    assert_done(hipSetDevice(0));
    assert_hip(hipErrorInvalidValue,
               hipMemcpyAsync(there, m.a, 8, hipMemcpyDeviceToDevice, m.stream));
    astride_sim_get()->set("PEER", "none");
    assert_hip(hipErrorInvalidDevice, hipDeviceEnablePeerAccess(1, 0));
    astride_sim_get()->set("PEER", "all");
    assert_done(hipDeviceEnablePeerAccess(1, 0));
    assert_hip(hipErrorPeerAccessAlreadyEnabled, hipDeviceEnablePeerAccess(1, 0));
    assert_done(hipMemcpyAsync(there, m.a, 8, hipMemcpyDeviceToDevice, m.stream));
    /* Freeing it would wait for its own device only. */
    assert_done(hipStreamSynchronize(m.stream));
    assert_done(hipFree(there));
    assert_hip(hipErrorInvalidDevice, hipSetDevice(8));
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

static void a_forked_child_is_refused(void **state)
{
    int status;
    (void)state;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(hipSetDevice(0) == hipErrorNotInitialized ? 0 : 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* hipMemoryType was renumbered in ROCm 6. */
static void addresses_are_known_by_the_numbers_of_the_release(void **state)
{
    static const struct {
        const char *version;
        int host, device, managed;
    } cases[] = {{"50200000", 0, 1, 4}, {"60300000", 1, 2, 3}};
    hipPointerAttribute_t found = {0};
    void *managed, *base;
    size_t bytes;
    const memory m = allocate();
    (void)state;
    assert_done(hipMallocManaged(&managed, 8, 1));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        astride_sim_get()->set("VERSION", cases[i].version);
        assert_done(hipPointerGetAttributes(&found, m.a + 5));
        assert_int_equal(found.type, cases[i].device);
        assert_int_equal(found.device, 0);
        assert_null(found.hostPointer);
        assert_done(hipPointerGetAttributes(&found, m.host));
        assert_int_equal(found.type, cases[i].host);
        assert_ptr_equal(found.hostPointer, m.host);
        assert_done(hipPointerGetAttributes(&found, managed));
        assert_int_equal(found.type, cases[i].managed);
        assert_int_equal(found.isManaged, 1);
        /* An unknown address was an error once. */
        assert_hip(i == 0 ? hipErrorInvalidValue : hipSuccess,
                   hipPointerGetAttributes(&found, &found));
    }
    assert_int_equal(found.type, 0);
    assert_done(hipMemGetAddressRange(&base, &bytes, m.a + 5));
    assert_ptr_equal(base, m.a);
    assert_int_equal(bytes, BYTES);
    assert_int_equal(astride_sim_get()->broken_rules(), 0);
    assert_done(hipFree(managed));
    release(&m);
}

static void the_last_error_stays_until_it_is_taken(void **state)
{
    void *address;
    (void)state;
    assert_hip(hipErrorInvalidDevice, hipSetDevice(-1));
    assert_done(hipMalloc(&address, 8));
    assert_done(hipFree(address));
    assert_hip(hipErrorInvalidDevice, hipPeekAtLastError());
    assert_hip(hipErrorInvalidDevice, hipGetLastError());
    assert_hip(hipSuccess, hipGetLastError());
    assert_string_equal(hipGetErrorName(hipErrorInvalidDevice), "hipErrorInvalidDevice");
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
    assert_int_equal(astride_sim_get()->count("hipFree"), 2);
    assert_int_equal(astride_sim_get()->count(NULL), 4);
}

static void a_machine_without_devices_says_so(void **state)
{
    void *address;
    int count = 7;
    (void)state;
    astride_sim_get()->set("DEVICES", "0");
    assert_hip(hipErrorNoDevice, hipInit(0));
    assert_hip(hipErrorNoDevice, hipGetDeviceCount(&count));
    assert_int_equal(count, 7);
    assert_hip(hipErrorNoDevice, hipMalloc(&address, 1));
    astride_sim_get()->set("DEVICES", "8");
    assert_done(hipGetDeviceCount(&count));
    assert_int_equal(count, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        runtime_test(a_box_moves_its_bytes),
        runtime_test(a_box_that_breaks_a_rule_is_refused),
        runtime_test(the_kind_is_what_the_pointers_are),
        runtime_test(pitches_hold_the_rows_and_stay_below_the_maximum),
        runtime_test(copies_and_fills_stay_inside),
        runtime_test(stale_handles_and_addresses_are_found),
        runtime_test(a_peers_memory_needs_access),
        runtime_test(the_host_cannot_touch_device_memory),
        runtime_test(a_forked_child_is_refused),
        runtime_test(addresses_are_known_by_the_numbers_of_the_release),
        runtime_test(the_last_error_stays_until_it_is_taken),
        runtime_test(a_call_fails_on_demand),
        runtime_test(a_machine_without_devices_says_so),
    };
    return cmocka_run_group_tests_name("rules of the simulated HIP runtime", tests, NULL, NULL);
}
