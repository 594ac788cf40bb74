/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * @file mlir.h
 * The run-time functions that MLIR-compiled code calls. libastride_mlir_runtime has all but
 * memrefCopy; libastride_mlir_addon has only the strided functions, for programs that keep the
 * vendor's own wrapper library; libastride_mlir_memref_copy has only memrefCopy.
 *
 * The functions and their types are those of LLVM 18 to 23 (mlir/lib/ExecutionEngine, the files
 * *RuntimeWrappers). Streams, events, modules and functions are opaque pointers. The device is that
 * of ASTRIDE_BACKEND (see device.h), opened at the first call. None can return a status: on failure
 * they print one line with the cause on standard error, "astride: FUNCTION: CAUSE", and abort; or,
 * with ASTRIDE_MLIR_ON_ERROR=warn, print it and go on without having done anything (functions that
 * return a pointer return NULL). ASTRIDE_MLIR_ON_ERROR is abort (the default) or warn; another
 * value is itself reported, by the first call that needs the device or fails, which aborts.
 *
 * Any thread may call any of them. An error of asynchronous work is reported by the next call that
 * waits for its stream.
 *
 * A NULL stream stands for an internal queue whose work is done when the call returns; it waits for
 * no stream. The device is then the one that the memory belongs to, where the library knows that.
 *
 * In libastride_mlir_addon a stream is the vendor's own handle (CUstream, hipStream_t), of the
 * device that ASTRIDE_BACKEND names. NULL is the vendor's default stream where it has one; the work
 * is done on return all the same. What is kept per handle is small and lives as long as the
 * process.
 */
#ifndef ASTRIDE_MLIR_H
#define ASTRIDE_MLIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <astride/export.h>

ASTRIDE_BEGIN_DECLS

/** An unranked memref: rank, and a pointer to {allocated, aligned, offset, sizes[], strides[]}. */
typedef struct astride_unranked_memref {
    int64_t rank;     /**< 0 to 64 */
    void *descriptor; /**< two pointers, then 1 + 2 * rank int64_t; offset, strides in elements */
} astride_unranked_memref;

/**
 * Creates a stream on this thread's device; freed by mgpuStreamDestroy().
 *
 * @return an astride_queue, which the functions of queue.h and copy.h take as well
 */
ASTRIDE_API void *mgpuStreamCreate(void);

/** Waits for the stream's work and frees it. NULL is a no-op. */
ASTRIDE_API void mgpuStreamDestroy(void *stream);

/** Waits for the stream's work. NULL is a no-op: its work is done. */
ASTRIDE_API void mgpuStreamSynchronize(void *stream);

/**
 * Makes later work of the stream wait for the event's latest record, without blocking the caller;
 * with a NULL stream the caller waits.
 */
ASTRIDE_API void mgpuStreamWaitEvent(void *stream, void *event);

/** Creates an event on this thread's device, complete until recorded; freed by mgpuEventDestroy().
 */
ASTRIDE_API void *mgpuEventCreate(void);

/** Frees an event. Waits that were enqueued on it stay valid. NULL is a no-op. */
ASTRIDE_API void mgpuEventDestroy(void *event);

/** Blocks the caller until the event's latest record is complete. */
ASTRIDE_API void mgpuEventSynchronize(void *event);

/** Moves the event to the present end of the stream; with a NULL stream it is complete at once. */
ASTRIDE_API void mgpuEventRecord(void *event, void *stream);

/**
 * Allocates device memory, or memory that host and device share, on the stream's device (NULL: this
 * thread's). The memory is usable at once, whatever is in flight in `stream`.
 */
ASTRIDE_API void *mgpuMemAlloc(uint64_t size_bytes, void *stream, bool is_host_shared);

/**
 * Frees it after the work of `stream` and of every other stream that mgpuStreamCreate() returned,
 * for which it waits, as cuMemFree() and hipFree() do: a program need not name the last stream that
 * uses the memory. An error of that work is reported, and the memory freed. NULL is a no-op.
 */
ASTRIDE_API void mgpuMemFree(void *address, void *stream);

/** Copies contiguous bytes. 0 bytes are a no-op. */
ASTRIDE_API void mgpuMemcpy(void *dst, void *src, size_t size_bytes, void *stream);

/** Writes `count` values of 32 bits. 0 is a no-op. */
ASTRIDE_API void mgpuMemset32(void *dst, unsigned int value, size_t count, void *stream);

/** Writes `count` values of 16 bits. 0 is a no-op. */
ASTRIDE_API void mgpuMemset16(void *dst, unsigned short value, size_t count, void *stream);

/**
 * Copies a strided region; what strided `gpu.memcpy` lowers to. The result is as if all of the
 * source had been read before the first byte of the destination was written; two elements of the
 * destination must not coincide.
 *
 * @param dst,src aligned pointers of the two memrefs
 * @param geometry 2 + 3 * rank numbers, in elements: dst offset, src offset, sizes[rank],
 *        dst strides[rank], src strides[rank]; read before the call returns. Offsets and strides
 * may be negative, a stride of src 0. A size of 0 makes the call a no-op.
 * @param rank 0 to 64
 * @param element_bytes size of an element, at least 1
 * @param stream see the top of this file
 */
ASTRIDE_API void mgpuMemcpyStrided(void *dst, void *src, const int64_t *geometry, int64_t rank,
                                   int64_t element_bytes, void *stream);

/**
 * Writes one value to every element of a strided region; what strided `gpu.memset` lowers to.
 *
 * @param dst aligned pointer of the memref
 * @param pattern element_bytes bytes of host memory; read before the call returns
 * @param geometry 1 + 2 * rank numbers, in elements: dst offset, sizes[rank], dst strides[rank]; as
 *        in mgpuMemcpyStrided()
 * @param rank 0 to 64
 * @param element_bytes size of an element, any number from 1
 * @param stream see the top of this file
 */
ASTRIDE_API void mgpuMemsetStrided(void *dst, const void *pattern, const int64_t *geometry,
                                   int64_t rank, int64_t element_bytes, void *stream);

/**
 * Pins host memory. Memory that is registered already, alone or as part of a larger range, is
 * counted, not refused; a range that is registered in part is registered as a whole, for which the
 * streams' work is waited for. Pinned and shared memory of the library needs no registration and is
 * only counted. 0 bytes need none either.
 */
ASTRIDE_API void mgpuMemHostRegister(void *address, uint64_t size_bytes);

/**
 * Undoes one mgpuMemHostRegister() of this address. The last one that a pinned range has unpins it,
 * after the work of all streams, for which it waits.
 */
ASTRIDE_API void mgpuMemHostUnregister(void *address);

/**
 * The same as mgpuMemHostRegister() for the bytes of a memref: for any strides, from its lowest
 * byte to its highest. A memref without elements is a no-op.
 *
 * @param rank 0 to 64
 * @param descriptor {allocated, aligned, offset, sizes[], strides[]}, as in astride_unranked_memref
 * @param element_bytes size of an element, at least 1
 */
ASTRIDE_API void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor, int64_t element_bytes);

/** Undoes one mgpuMemHostRegisterMemRef() of this memref. */
ASTRIDE_API void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor, int64_t element_bytes);

/**
 * Makes device number `device` of the backend the one for this thread's later calls; other threads
 * keep theirs. What exists already stays on its device.
 */
ASTRIDE_API void mgpuSetDefaultDevice(int32_t device);

/** Loads device code; freed by mgpuModuleUnload(). `size_bytes` may be 0 for self-describing code.
 */
ASTRIDE_API void *mgpuModuleLoad(void *data, size_t size_bytes);

/**
 * As mgpuModuleLoad() for code that the driver compiles. LLVM 23 passes the size, earlier ones do
 * not; it is ignored, since such code is a terminated string. The optimization level is ignored
 * too: the driver's default is used.
 */
ASTRIDE_API void *mgpuModuleLoadJIT(void *data, int optimization_level, size_t size_bytes);

/** Unloads a module after the work of all streams, for which it waits. NULL is a no-op. */
ASTRIDE_API void mgpuModuleUnload(void *module);

/** Finds a function by name; it lives until its module is unloaded. */
ASTRIDE_API void *mgpuModuleGetFunction(void *module, const char *name);

/**
 * Launches a function.
 *
 * @param function of mgpuModuleGetFunction()
 * @param grid_x,grid_y,grid_z number of blocks, each 1 to 4294967295
 * @param block_x,block_y,block_z threads of a block, each 1 to 4294967295
 * @param shared_bytes dynamic local memory of a block, at least 0
 * @param stream see the top of this file; the device is this thread's when it is NULL
 * @param parameters one pointer to each parameter's value; read before the call returns
 * @param extra NULL, as upstream's lowering passes it
 * @param parameter_count number of parameters; 0 where the code itself tells
 */
ASTRIDE_API void mgpuLaunchKernel(void *function, intptr_t grid_x, intptr_t grid_y, intptr_t grid_z,
                                  intptr_t block_x, intptr_t block_y, intptr_t block_z,
                                  int32_t shared_bytes, void *stream, void **parameters,
                                  void **extra, size_t parameter_count);

/**
 * What `memref.copy` of strided memrefs lowers to; device-aware. Takes the place of the function of
 * that name in libmlir_c_runner_utils when its library is listed before that one. Done on return.
 * Source first. The two must have the same rank and sizes.
 */
ASTRIDE_API void memrefCopy(int64_t element_bytes, astride_unranked_memref *src,
                            astride_unranked_memref *dst);

/**
 * Element types of the functions below, with their sizes in bytes.
 */
#define ASTRIDE_MLIR_MEMCPY_LIST(X)                                                                \
    X(i1, 1)                                                                                       \
    X(i8, 1)                                                                                       \
    X(i16, 2)                                                                                      \
    X(i32, 4)                                                                                      \
    X(i64, 8)                                                                                      \
    X(index, sizeof(intptr_t))                                                                     \
    X(f16, 2)                                                                                      \
    X(bf16, 2)                                                                                     \
    X(f32, 4)                                                                                      \
    X(f64, 8)                                                                                      \
    X(complex_f32, 8)                                                                              \
    X(complex_f64, 16)

/**
 * _mlir_ciface_astride_memcpy_TYPE(stream, dst, src) copies between unranked memrefs of one element
 * type, rank and sizes on a stream: what a private function
 * `astride_memcpy_TYPE(!gpu.async.token, memref<*xTYPE>, memref<*xTYPE>)` with
 * llvm.emit_c_interface calls, without any plugin. Destination first. The descriptors are read
 * before the call returns.
 */
#define ASTRIDE_MLIR_MEMCPY_DECLARE(type, bytes)                                                   \
    ASTRIDE_API void _mlir_ciface_astride_memcpy_##type(                                           \
        void *stream, astride_unranked_memref *dst, astride_unranked_memref *src);
ASTRIDE_MLIR_MEMCPY_LIST(ASTRIDE_MLIR_MEMCPY_DECLARE)
#undef ASTRIDE_MLIR_MEMCPY_DECLARE

ASTRIDE_END_DECLS

#endif /* ASTRIDE_MLIR_H */
