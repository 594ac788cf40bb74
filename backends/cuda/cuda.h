/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The CUDA backend's own objects and the functions that its files share. What it takes from the
 * driver API is in abi.h and entry_points.h, the kernels are in backends/kernels/.
 */
#ifndef ASTRIDE_BACKENDS_CUDA_CUDA_H
#define ASTRIDE_BACKENDS_CUDA_CUDA_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <astride/plugin.h>

#include "abi.h"
#include "backends/kernels/launch.h"

/* What the core offers, and the driver's functions; both set before anything else is called. */
extern const astride_services *astride__cuda_services;
extern astride__cuda_api astride__cu;

/* The kernels as PTX, terminated; empty where the build had no compiler for it. */
extern const char astride__cuda_ptx[];

/* loader.c: fills astride__cu. ASTRIDE_UNAVAILABLE says which file or function is missing. */
astride_status astride__cuda_load(void);

/* errors.c: "CUDA_ERROR_INVALID_VALUE"; what a code is to the caller. */
const char *astride__cuda_error_name(CUresult code);
astride_status astride__cuda_error_status(CUresult code);
/* errors.c: ASTRIDE_OK, or fails with call, name and number. */
astride_status astride__cuda_check(const char *call, CUresult code);
/* errors.c: for calls that free: a failure can only be logged. */
void astride__cuda_check_release(const char *call, CUresult code);

/* A device that can be opened; its index is the driver's ordinal. */
typedef struct astride__cuda_place {
    CUdevice id;
    char name[96];
    char uuid[40]; /* "1b7e4f2a-...", lower case, without a prefix; "" where it is not known */
    uint32_t pci_domain, pci_bus, pci_device;
    uint64_t memory_bytes;
} astride__cuda_place;

/* platform.c: the list of places, filled by probe. False when there is no such index. */
bool astride__cuda_place_get(int32_t index, astride__cuda_place *place_out);

/* platform.c: reads an attribute; `unknown` where the driver is older than the attribute. */
astride_status astride__cuda_attribute(CUdevice id, CUdevice_attribute what, int unknown,
                                       int *value_out);

/* spec.c: what a spec means, over a list of places; -1 when nothing fits. */
int32_t astride__cuda_spec_find(const astride__cuda_place *places, int32_t count, const char *rest);

struct astride_backend_device {
    CUdevice id;
    int32_t ordinal;   /* by which the driver names it in answers */
    CUcontext context; /* the device's primary one */
    uint64_t memory_bytes;
    uint64_t maximum_pitch;
    int32_t unit_count;        /* multiprocessors */
    double memory_bytes_ns;    /* peak bandwidth of its memory, bytes per nanosecond; 0: unknown */
    bool manages_memory;       /* managed memory that host and device may use at once */
    bool registered_addresses; /* registered memory has the host's addresses on the device too */
    bool can_register;
    bool reads_pageable; /* kernels reach all of the host's memory */

    CUmodule module; /* of the packing kernels; NULL: there are none */
    CUfunction kernels[ASTRIDE__KERNEL_COUNT];
    astride__kernel_sharing sharing;

    pthread_mutex_t lock;
    astride_backend_queue *queues; /* those that live; guarded by `lock` */
};

/*
 * context.c: makes the device's context current in this thread, and the one that was current before
 * again. Every call between the two is undone with it; nothing but the context is.
 */
astride_status astride__cuda_enter(const astride_backend_device *device);
void astride__cuda_leave(void);
/* context.c: the same for what only frees: tries harder, logs, and fails nobody. */
bool astride__cuda_enter_to_release(const astride_backend_device *device);

/* An allocation, as operands carry it. */
typedef struct astride__cuda_allocation {
    const astride_backend_device *device;
    void *address;      /* its first byte as programs see it */
    CUdeviceptr mapped; /* the same as the device sees it */
    bool is_host;       /* freed as host memory */
} astride__cuda_allocation;

struct astride_backend_queue {
    astride_backend_device *device;
    astride_backend_queue *previous, *next; /* in the list of the device */
    CUstream native;
    bool imported;
    atomic_bool joined; /* has waited for captured work, and so may be captured itself */
    bool of_thread;     /* the default stream of `thread`: another thread's is another stream */
    pthread_t thread;   /* that imported it */
    bool host_writes;   /* host calls may be pending, here or in what the queue waits for */
};

/* queue.c: astride__cuda_enter for what is enqueued; refuses what only `thread` may do. */
astride_status astride__cuda_queue_enter(const astride_backend_queue *queue);
/* queue.c: to be called before a copy from `src`: pageable memory has then what the work before the
   copy wrote there. The context is current. */
astride_status astride__cuda_queue_settle(astride_backend_queue *queue, const astride_operand *src);
/* queue.c: makes a queue of a native one, which it owns unless it is imported. */
astride_status astride__cuda_queue_wrap(astride_backend_device *device, CUstream native,
                                        bool imported, astride_backend_queue **queue_out);
/* queue.c: whether a program's stream records its work for later instead of doing it. The context
   is current. */
astride_status astride__cuda_queue_is_captured(const astride_backend_queue *queue,
                                               bool *captured_out);
/* queue.c: refuses, in words that begin with `what`, a queue for which that is so. The context is
   current. */
astride_status astride__cuda_queue_refuse_capture(const astride_backend_queue *queue,
                                                  const char *what);

struct astride_backend_event {
    const astride_backend_device *device;
    CUevent native;
    atomic_bool captured; /* recorded in a stream that was captured: it stands for no work yet */
};

struct astride_backend_module {
    const astride_backend_device *device;
    CUmodule native;
};

/* module.c: whether the driver has all the functions for device code. */
bool astride__cuda_has_modules(void);
/* module.c: loads code with the compiler's words in the error. The context is current. */
astride_status astride__cuda_module_compile(const char *image, CUmodule *module_out);

/* program.c: loads the packing kernels, or leaves `module` NULL. The context is current. */
astride_status astride__cuda_program_load(astride_backend_device *device);

/* One side of a copy as the driver's structures want it. */
typedef struct astride__cuda_side {
    CUmemorytype type;
    void *host;        /* where type is CU_MEMORYTYPE_HOST */
    CUdeviceptr place; /* where it is CU_MEMORYTYPE_DEVICE */
    const astride_backend_device *device;
} astride__cuda_side;

/* memory.c */
astride__cuda_side astride__cuda_side_of(const astride_backend_queue *queue,
                                         const astride_operand *operand);
/* memory.c: the address by which kernels of the queue's device reach an operand. */
astride_status astride__cuda_kernel_address(const astride_backend_queue *queue,
                                            const astride_operand *operand,
                                            CUdeviceptr *address_out);

/* copy.c: enqueues a prepared kernel; `src` is NULL for a fill. The context is current. */
astride_status astride__cuda_launch(astride_backend_queue *queue,
                                    const astride__kernel_launch *launch, CUdeviceptr dst,
                                    const CUdeviceptr *src);

/* The slots, by file; what they do is said in <astride/plugin.h>. */

/* platform.c */
astride_status astride__cuda_probe(int32_t *device_count_out);
astride_status astride__cuda_describe(int32_t index, astride_device_info *info_out);
astride_status astride__cuda_resolve(const char *rest, int32_t *index_out);

/* device.c */
astride_status astride__cuda_device_open(int32_t index, astride_backend_device **device_out);
void astride__cuda_device_close(astride_backend_device *device);
astride_status astride__cuda_properties(astride_backend_device *device,
                                        astride_backend_properties *properties_out);

/* memory.c */
astride_status astride__cuda_memory_alloc(astride_backend_device *device, size_t bytes,
                                          astride_memory_kind kind, void **address_out,
                                          void **allocation_out);
void astride__cuda_memory_free(astride_backend_device *device, void *address, void *allocation);
astride_status astride__cuda_memory_register(astride_backend_device *device, void *address,
                                             size_t bytes, void **allocation_out);
void astride__cuda_memory_unregister(astride_backend_device *device, void *address,
                                     void *allocation);

/* import.c */
astride_status astride__cuda_memory_import(astride_backend_device *device, void *handle,
                                           size_t bytes, void **address_out, void **allocation_out);
void astride__cuda_memory_release(astride_backend_device *device, void *address, void *allocation);
astride_status astride__cuda_memory_query(astride_backend_device *device, const void *address,
                                          astride_memory_kind *kind_out, void **base_out,
                                          size_t *bytes_out);
astride_status astride__cuda_queue_import(astride_backend_device *device, void *native,
                                          astride_backend_queue **queue_out);

/* queue.c */
astride_status astride__cuda_queue_create(astride_backend_device *device,
                                          astride_backend_queue **queue_out);
void astride__cuda_queue_destroy(astride_backend_queue *queue);
astride_status astride__cuda_queue_wait(astride_backend_queue *queue);
astride_status astride__cuda_queue_query(astride_backend_queue *queue);
bool astride__cuda_queue_captured(astride_backend_queue *queue);

/* host_call.c */
astride_status astride__cuda_host_call(astride_backend_queue *queue,
                                       void (*function)(void *argument), void *argument);

/* event.c */
astride_status astride__cuda_event_create(astride_backend_device *device,
                                          astride_backend_event **event_out);
void astride__cuda_event_destroy(astride_backend_event *event);
astride_status astride__cuda_event_record(astride_backend_event *event,
                                          astride_backend_queue *queue);
astride_status astride__cuda_event_wait(astride_backend_event *event);
astride_status astride__cuda_event_query(astride_backend_event *event);
astride_status astride__cuda_queue_wait_event(astride_backend_queue *queue,
                                              astride_backend_event *event);

/* copy.c */
astride_status astride__cuda_copy_linear(astride_backend_queue *queue, const astride_operand *dst,
                                         const astride_operand *src, size_t bytes);
astride_status astride__cuda_copy_rect(astride_backend_queue *queue, const astride_rect *rect);
astride_status astride__cuda_copy_kernel(astride_backend_queue *queue, const astride_strided *copy);

/* fill.c */
astride_status astride__cuda_fill(astride_backend_queue *queue, const astride_strided_fill *fill);

/* module.c */
astride_status astride__cuda_module_load(astride_backend_device *device, const void *image,
                                         size_t image_bytes, astride_backend_module **module_out);
void astride__cuda_module_unload(astride_backend_module *module);
astride_status astride__cuda_module_function(astride_backend_module *module, const char *name,
                                             astride_backend_function **function_out);
astride_status astride__cuda_module_launch(astride_backend_queue *queue,
                                           astride_backend_function *function,
                                           const uint32_t grid[3], const uint32_t block[3],
                                           uint32_t shared_bytes, void **parameters,
                                           size_t parameter_count);

#endif /* ASTRIDE_BACKENDS_CUDA_CUDA_H */
