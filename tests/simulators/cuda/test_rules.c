/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The documented rules of the driver, as the simulated one keeps them: each broken one by its code,
 * with nothing written.
 */
#include <signal.h>
#include <unistd.h>

#include <sys/wait.h>

#include "tests/simulators/cuda/testing.h"

enum { BYTES = 4096 };

typedef struct memory {
    CUdeviceptr a, b;
    unsigned char *host;
    CUstream stream;
} memory;

static memory allocate(void)
{
    memory m;
    void *host;
    assert_done(cuMemAlloc_v2(&m.a, BYTES));
    assert_done(cuMemAlloc_v2(&m.b, BYTES));
    assert_done(cuMemHostAlloc(&host, BYTES, 0));
    m.host = host;
    assert_done(cuStreamCreate(&m.stream, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < BYTES; i++)
        m.host[i] = (unsigned char)(i * 7);
    return m;
}

static void release(const memory *m)
{
    assert_done(cuStreamSynchronize(m->stream));
    assert_done(cuStreamDestroy_v2(m->stream));
    assert_done(cuMemFreeHost(m->host));
    assert_done(cuMemFree_v2(m->a));
    assert_done(cuMemFree_v2(m->b));
}

static CUDA_MEMCPY3D a_rectangle(const memory *m)
{
    return (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_HOST,
                           .srcHost = m->host,
                           .srcPitch = 32,
                           .srcHeight = 8,
                           .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                           .dstDevice = m->a,
                           .dstPitch = 64,
                           .dstHeight = 8,
                           .WidthInBytes = 32,
                           .Height = 8,
                           .Depth = 4};
}

static void a_rectangle_moves_its_bytes(void **state)
{
    unsigned char back[BYTES];
    const memory m = allocate();
    const CUDA_MEMCPY3D rect = a_rectangle(&m);
    (void)state;
    assert_done(cuMemsetD8Async(m.a, 0x11, BYTES, m.stream));
    assert_done(cuMemcpy3DAsync_v2(&rect, m.stream));
    assert_done(cuMemcpyDtoHAsync_v2(back, m.a, BYTES, m.stream));
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
    const CUDA_MEMCPY3D good = a_rectangle(&m);
    CUDA_MEMCPY3D bad[12];
    const size_t count = sizeof(bad) / sizeof(bad[0]);
    (void)state;
    for (size_t i = 0; i < count; i++)
        bad[i] = good;
    bad[0].dstPitch = 31;
    bad[1].srcPitch = 31;
    bad[2].dstHeight = 7;
    bad[3].srcHeight = 7;
    bad[4].dstMemoryType = 0;
    bad[5].srcMemoryType = CU_MEMORYTYPE_ARRAY;
    bad[6].dstLOD = 1;
    bad[7].reserved0 = &bad;
    bad[8].dstDevice = m.a + BYTES - 512 * 3 - 64 * 7 - 31; /* one byte too far */
    bad[9].srcMemoryType = CU_MEMORYTYPE_DEVICE;            /* with no address */
    bad[10].dstXInBytes = 33;
    bad[11].dstMemoryType = CU_MEMORYTYPE_HOST; /* of device memory */
    bad[11].dstHost = (void *)(uintptr_t)m.a;
    for (size_t i = 0; i < count; i++) {
        astride_sim_get()->reset();
        assert_cuda(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DAsync_v2(&bad[i], m.stream));
        assert_int_equal(astride_sim_get()->broken_rules(), 1);
    }
    release(&m);
}

static void the_maximum_pitch_holds(void **state)
{
    const memory m = allocate();
    CUDA_MEMCPY3D rect = a_rectangle(&m);
    (void)state;
    astride_sim_get()->set("MAX_PITCH", "64");
    assert_done(cuMemcpy3DAsync_v2(&rect, m.stream));
    rect.dstPitch = 65;
    assert_cuda(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DAsync_v2(&rect, m.stream));
    assert_cuda(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D8Async(m.a, 65, 0, 1, 2, m.stream));
    astride_sim_get()->set("MAX_PITCH", "2147483647");
    release(&m);
}

static void linear_copies_stay_inside(void **state)
{
    const memory m = allocate();
    (void)state;
    assert_done(cuMemcpyHtoDAsync_v2(m.a + 1, m.host, BYTES - 1, m.stream));
    assert_cuda(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoDAsync_v2(m.a + 1, m.host, BYTES, m.stream));
    assert_cuda(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoDAsync_v2(m.a, m.a + 8, 9, m.stream));
    assert_cuda(CUDA_ERROR_INVALID_VALUE,
                cuMemcpyHtoDAsync_v2((CUdeviceptr)(uintptr_t)&m, m.host, 1, m.stream));
    assert_cuda(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoHAsync_v2(m.host, 0, 1, m.stream));
    release(&m);
}

static void fills_are_aligned_to_their_values(void **state)
{
    const memory m = allocate();
    (void)state;
    assert_cuda(CUDA_ERROR_INVALID_VALUE, cuMemsetD16Async(m.a + 1, 0, 1, m.stream));
    assert_cuda(CUDA_ERROR_INVALID_VALUE, cuMemsetD32Async(m.a + 2, 0, 1, m.stream));
    assert_cuda(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D32Async(m.a, 6, 0, 1, 2, m.stream));
    assert_cuda(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D16Async(m.a, 2, 0, 2, 2, m.stream));
    assert_cuda(CUDA_ERROR_INVALID_VALUE, cuMemsetD8Async(m.a, 0, BYTES + 1, m.stream));
    release(&m);
}

static void stale_handles_are_found(void **state)
{
    memory m = allocate();
    CUevent event;
    (void)state;
    assert_done(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    assert_done(cuEventDestroy_v2(event));
    assert_cuda(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(event, m.stream));
    assert_cuda(CUDA_ERROR_INVALID_HANDLE, cuEventDestroy_v2(event));
    assert_done(cuStreamDestroy_v2(m.stream));
    assert_cuda(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(m.stream));
    assert_cuda(CUDA_ERROR_INVALID_HANDLE, cuMemsetD8Async(m.a, 0, 1, m.stream));
    assert_done(cuStreamCreate(&m.stream, CU_STREAM_NON_BLOCKING));
    assert_cuda(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(m.a + 1));
    assert_cuda(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(m.host));
    assert_cuda(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister_v2(m.host, 8, 0));
    release(&m);
}

static void a_call_without_a_context_is_refused(void **state)
{
    CUcontext context;
    CUdeviceptr address = 1;
    (void)state;
    assert_done(cuCtxPopCurrent_v2(&context));
    assert_cuda(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc_v2(&address, 1));
    assert_int_equal(address, 1);
    assert_cuda(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent_v2(&context));
    assert_done(cuCtxPushCurrent_v2(context));
}

static void memory_of_a_peer_needs_access(void **state)
{
    CUcontext peer, mine;
    CUdeviceptr there;
    const memory m = allocate();
    (void)state;
    assert_done(cuCtxGetCurrent(&mine));
    assert_done(cuDevicePrimaryCtxRetain(&peer, 1));
    assert_done(cuCtxPushCurrent_v2(peer));
    assert_done(cuMemAlloc_v2(&there, BYTES));
    assert_done(cuCtxPopCurrent_v2(NULL));
    assert_cuda(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoDAsync_v2(there, m.a, BYTES, m.stream));
    assert_done(cuMemcpyPeerAsync(there, peer, m.a, mine, BYTES, m.stream));
    astride_sim_get()->set("PEER", "none");
    assert_cuda(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(peer, 0));
    astride_sim_get()->set("PEER", "all");
    assert_done(cuCtxEnablePeerAccess(peer, 0));
    assert_cuda(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, cuCtxEnablePeerAccess(peer, 0));
    assert_done(cuMemcpyDtoDAsync_v2(there, m.a, BYTES, m.stream));
    assert_done(cuStreamSynchronize(m.stream));
    assert_done(cuCtxPushCurrent_v2(peer));
    assert_done(cuMemFree_v2(there));
    assert_done(cuCtxPopCurrent_v2(NULL));
    assert_done(cuDevicePrimaryCtxRelease_v2(1));
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
        const volatile unsigned char *stray = (const unsigned char *)(uintptr_t)m.a;
        _exit(*stray == 0 ? 1 : 2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSEGV);
    release(&m);
}

static void addresses_are_known(void **state)
{
    const memory m = allocate();
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                        CU_POINTER_ATTRIBUTE_RANGE_SIZE};
    unsigned type = 9;
    int ordinal = 9;
    size_t bytes = 9;
    void *values[] = {&type, &ordinal, &bytes};
    (void)state;
    assert_done(cuPointerGetAttributes(3, attributes, values, m.a + 5));
    assert_int_equal(type, CU_MEMORYTYPE_DEVICE);
    assert_int_equal(ordinal, 0);
    assert_int_equal(bytes, BYTES);
    assert_done(cuPointerGetAttributes(3, attributes, values, (CUdeviceptr)(uintptr_t)&type));
    assert_int_equal(type, 0);
    assert_cuda(CUDA_ERROR_INVALID_VALUE,
                cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                      (CUdeviceptr)(uintptr_t)&type));
    assert_int_equal(astride_sim_get()->broken_rules(), 0);
    release(&m);
}

static void a_call_fails_on_demand(void **state)
{
    CUdeviceptr address = 0, other = 0;
    (void)state;
    astride_sim_get()->fail_call("cuMemAlloc", 2, CUDA_ERROR_OUT_OF_MEMORY);
    assert_done(cuMemAlloc_v2(&address, 1));
    assert_cuda(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc_v2(&other, 1));
    assert_int_equal(other, 0);
    assert_string_equal(astride_sim_get()->failed(), "cuMemAlloc_v2");
    /* What gives back does so all the same. */
    astride_sim_get()->fail_call(NULL, 1, CUDA_ERROR_LAUNCH_FAILED);
    assert_cuda(CUDA_ERROR_LAUNCH_FAILED, cuMemFree_v2(address));
    assert_cuda(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(address));
    assert_int_equal(astride_sim_get()->count("cuMemFree"), 2);
    assert_int_equal(astride_sim_get()->count(NULL), 4);
}

static void the_look_up_knows_versions(void **state)
{
    CUdriverProcAddressQueryResult found = 9;
    void *function = &found;
    (void)state;
    assert_done(cuGetProcAddress_v2("cuMemAlloc", &function, 3020, 0, &found));
    assert_int_equal(found, CU_GET_PROC_ADDRESS_SUCCESS);
    assert_non_null(function);
    assert_done(cuGetProcAddress_v2("cuMemAlloc", &function, 2000, 0, &found));
    assert_int_equal(found, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    assert_null(function);
    astride_sim_get()->set("HIDE", "cuMemcpy3DPeerAsync,cuMemAlloc");
    assert_done(cuGetProcAddress_v2("cuMemAlloc", &function, 13000, 0, &found));
    assert_int_equal(found, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    assert_cuda(CUDA_ERROR_NOT_FOUND, cuGetProcAddress("cuMemAlloc", &function, 13000, 0));
    astride_sim_get()->set("HIDE", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        driver_test(a_rectangle_moves_its_bytes),
        driver_test(a_rectangle_that_breaks_a_rule_is_refused),
        driver_test(the_maximum_pitch_holds),
        driver_test(linear_copies_stay_inside),
        driver_test(fills_are_aligned_to_their_values),
        driver_test(stale_handles_are_found),
        driver_test(a_call_without_a_context_is_refused),
        driver_test(memory_of_a_peer_needs_access),
        driver_test(the_host_cannot_touch_device_memory),
        driver_test(addresses_are_known),
        driver_test(a_call_fails_on_demand),
        driver_test(the_look_up_knows_versions),
    };
    return cmocka_run_group_tests_name("rules of the simulated CUDA driver", tests, NULL, NULL);
}
