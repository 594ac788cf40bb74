/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The HIP backend's own objects and the functions that its files share. What it takes from the
 * runtime is in abi.h and entry_points.h, the kernels are in backends/kernels/.
 */
#ifndef ASTRIDE_BACKENDS_HIP_HIP_H
#define ASTRIDE_BACKENDS_HIP_HIP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <astride/plugin.h>

#include "abi.h"
#include "backends/kernels/launch.h"

/* What the core offers, the runtime's functions and the compiler's; the first two are set before
   anything else is called. */
extern const astride_services *astride__hip_services;
extern astride__hip_api astride__hip;
extern astride__hiprtc_api astride__hiprtc;

/* loader.c: fills astride__hip. ASTRIDE_UNAVAILABLE says which file or function is missing. */
astride_status astride__hip_load(void);
/* loader.c: fills astride__hiprtc, the same way. The runtime is there. */
astride_status astride__hip_load_compiler(void);

/* errors.c: "hipErrorInvalidValue"; what a code is to the caller. */
const char *astride__hip_error_name(hipError_t code);
astride_status astride__hip_error_status(hipError_t code);
/* errors.c: ASTRIDE_OK, or fails with call, name and number. */
astride_status astride__hip_check(const char *call, hipError_t code);
/* errors.c: for calls that free: a failure can only be logged. */
void astride__hip_check_release(const char *call, hipError_t code);

/* A device that can be opened; its index is the runtime's ordinal. */
typedef struct astride__hip_place {
    char name[96];
    char uuid[40]; /* "5f1c2e3b..." without a prefix; "" where it is not known */
    uint32_t pci_domain, pci_bus, pci_device;
    uint64_t memory_bytes;
} astride__hip_place;

/* platform.c: the list of places, filled by probe. False when there is no such index. */
bool astride__hip_place_get(int32_t index, astride__hip_place *place_out);
/* platform.c: the runtime's version, as abi.h explains it. */
int astride__hip_runtime_version(void);

/* platform.c: reads an attribute; `unknown` where the runtime does not know it. */
astride_status astride__hip_attribute(int32_t ordinal, hipDeviceAttribute_t what, int unknown,
                                      int *value_out);

/* spec.c: what a spec means, over a list of places; -1 when nothing fits. */
int32_t astride__hip_spec_find(const astride__hip_place *places, int32_t count, const char *rest);

struct astride_backend_device {
    int32_t ordinal;
    uint64_t memory_bytes;
    uint64_t maximum_pitch;
    int32_t unit_count;        /* multiprocessors */
    double memory_bytes_ns;    /* peak bandwidth of its memory, bytes per nanosecond; 0: unknown */
    bool manages_memory;       /* managed memory that host and device may use at once */
    bool registered_addresses; /* registered memory has the host's addresses on the device too */
    bool can_register;
    bool reads_pageable; /* kernels reach all of the host's memory */

    hipModule_t module; /* of the packing kernels; NULL: there are none */
    hipFunction_t kernels[ASTRIDE__KERNEL_COUNT];
    astride__kernel_sharing sharing;

    pthread_mutex_t lock;
    astride_backend_queue *queues; /* those that live; guarded by `lock` */
};

/*
 * context.c: makes the device current in this thread, and the one that was current before again.
 * The two are not nested.
 */
astride_status astride__hip_enter(const astride_backend_device *device);
void astride__hip_leave(void);
/* context.c: the same for what only frees: tries harder, logs, and fails nobody. */
bool astride__hip_enter_to_release(const astride_backend_device *device);
/* context.c: a failure that was handled is not told to the program by hipGetLastError. */
void astride__hip_forget_error(void);

/* An allocation, as operands carry it. */
typedef struct astride__hip_allocation {
    const astride_backend_device *device;
    void *address; /* its first byte as programs see it */
    void *mapped;  /* the same as the device sees it */
    bool is_host;  /* freed as host memory */
} astride__hip_allocation;

struct astride_backend_queue {
    astride_backend_device *device;
    astride_backend_queue *previous, *next; /* in the list of the device */
    hipStream_t native;
    bool imported;
    atomic_bool joined; /* has waited for captured work, and so may be captured itself */
    bool of_thread;     /* the default stream of `thread`: another thread's is another stream */
    pthread_t thread;   /* that imported it */
    bool host_writes;   /* host calls may be pending, here or in what the queue waits for */
};

/* queue.c: astride__hip_enter for what is enqueued; refuses what only `thread` may do. */
astride_status astride__hip_queue_enter(const astride_backend_queue *queue);
/* queue.c: to be called before a copy from `src`: pageable memory has then what the work before the
   copy wrote there. The device is current. */
astride_status astride__hip_queue_settle(astride_backend_queue *queue, const astride_operand *src);
/* queue.c: makes a queue of a native one, which it owns unless it is imported. */
astride_status astride__hip_queue_wrap(astride_backend_device *device, hipStream_t native,
                                       bool imported, astride_backend_queue **queue_out);
/* queue.c: whether a program's stream records its work for later instead of doing it. The device
   is current. */
astride_status astride__hip_queue_is_captured(const astride_backend_queue *queue,
                                              bool *captured_out);
/* queue.c: refuses, in words that begin with `what`, a queue for which that is so. The device is
   current. */
astride_status astride__hip_queue_refuse_capture(const astride_backend_queue *queue,
                                                 const char *what);

struct astride_backend_event {
    const astride_backend_device *device;
    hipEvent_t native;
    atomic_bool captured; /* recorded in a stream that was captured: it stands for no work yet */
};

struct astride_backend_module {
    const astride_backend_device *device;
    hipModule_t native;
};

/* module.c: whether the runtime has all the functions for device code. */
bool astride__hip_has_modules(void);
/* program.c: loads the packing kernels, or leaves `module` NULL. The device is current. */
astride_status astride__hip_program_load(astride_backend_device *device);

/* Code for a device, from malloc. */
typedef struct astride__hip_code {
    char *bytes;
    size_t size;
} astride__hip_code;

/* compile.c: the compiler's version. */
astride_status astride__hip_compiler_version(int *major_out, int *minor_out);
/* compile.c: compiles HIP source for an architecture, with the compiler's words in the error. */
astride_status astride__hip_compile(const char *source, const char *architecture,
                                    astride__hip_code *code_out);

/*
 * cache.c: code that was compiled before, on disk. A key tells all that the code depends on. What
 * is stored by another process meanwhile is as good; what is damaged is not found. Without a folder
 * to write to, nothing is ever found.
 */
bool astride__hip_cache_find(const char *key, astride__hip_code *code_out);
void astride__hip_cache_store(const char *key, const astride__hip_code *code);

/* One side of a copy. */
typedef struct astride__hip_side {
    unsigned char *address;
    bool is_host;
} astride__hip_side;

/* memory.c */
astride__hip_side astride__hip_side_of(const astride_operand *operand);
/* memory.c: the address by which kernels of the queue's device reach an operand. */
astride_status astride__hip_kernel_address(const astride_backend_queue *queue,
                                           const astride_operand *operand, void **address_out);

/* copy.c: enqueues a prepared kernel; `src` is NULL for a fill. The device is current. */
astride_status astride__hip_launch(astride_backend_queue *queue,
                                   const astride__kernel_launch *launch, void *dst,
                                   void *const *src);

/* The slots, by file; what they do is said in <astride/plugin.h>. */

/* platform.c */
astride_status astride__hip_probe(int32_t *device_count_out);
astride_status astride__hip_describe(int32_t index, astride_device_info *info_out);
astride_status astride__hip_resolve(const char *rest, int32_t *index_out);

/* device.c */
astride_status astride__hip_device_open(int32_t index, astride_backend_device **device_out);
void astride__hip_device_close(astride_backend_device *device);
astride_status astride__hip_properties(astride_backend_device *device,
                                       astride_backend_properties *properties_out);

/* memory.c */
astride_status astride__hip_memory_alloc(astride_backend_device *device, size_t bytes,
                                         astride_memory_kind kind, void **address_out,
                                         void **allocation_out);
void astride__hip_memory_free(astride_backend_device *device, void *address, void *allocation);
astride_status astride__hip_memory_register(astride_backend_device *device, void *address,
                                            size_t bytes, void **allocation_out);
void astride__hip_memory_unregister(astride_backend_device *device, void *address,
                                    void *allocation);

/* import.c */
astride_status astride__hip_memory_import(astride_backend_device *device, void *handle,
                                          size_t bytes, void **address_out, void **allocation_out);
void astride__hip_memory_release(astride_backend_device *device, void *address, void *allocation);
astride_status astride__hip_memory_query(astride_backend_device *device, const void *address,
                                         astride_memory_kind *kind_out, void **base_out,
                                         size_t *bytes_out);
astride_status astride__hip_queue_import(astride_backend_device *device, void *native,
                                         astride_backend_queue **queue_out);

/* queue.c */
astride_status astride__hip_queue_create(astride_backend_device *device,
                                         astride_backend_queue **queue_out);
void astride__hip_queue_destroy(astride_backend_queue *queue);
astride_status astride__hip_queue_wait(astride_backend_queue *queue);
astride_status astride__hip_queue_query(astride_backend_queue *queue);
bool astride__hip_queue_captured(astride_backend_queue *queue);

/* host_call.c */
astride_status astride__hip_host_call(astride_backend_queue *queue,
                                      void (*function)(void *argument), void *argument);

/* event.c */
astride_status astride__hip_event_create(astride_backend_device *device,
                                         astride_backend_event **event_out);
void astride__hip_event_destroy(astride_backend_event *event);
astride_status astride__hip_event_record(astride_backend_event *event,
                                         astride_backend_queue *queue);
astride_status astride__hip_event_wait(astride_backend_event *event);
astride_status astride__hip_event_query(astride_backend_event *event);
astride_status astride__hip_queue_wait_event(astride_backend_queue *queue,
                                             astride_backend_event *event);

/* device.c */
bool astride__hip_rect_supported(astride_backend_device *device, const astride_rect *rect);

/* copy.c */
astride_status astride__hip_copy_linear(astride_backend_queue *queue, const astride_operand *dst,
                                        const astride_operand *src, size_t bytes);
astride_status astride__hip_copy_rect(astride_backend_queue *queue, const astride_rect *rect);
astride_status astride__hip_copy_kernel(astride_backend_queue *queue, const astride_strided *copy);

/* fill.c */
astride_status astride__hip_fill(astride_backend_queue *queue, const astride_strided_fill *fill);

/* module.c */
astride_status astride__hip_module_load(astride_backend_device *device, const void *image,
                                        size_t image_bytes, astride_backend_module **module_out);
void astride__hip_module_unload(astride_backend_module *module);
astride_status astride__hip_module_function(astride_backend_module *module, const char *name,
                                            astride_backend_function **function_out);
astride_status astride__hip_module_launch(astride_backend_queue *queue,
                                          astride_backend_function *function,
                                          const uint32_t grid[3], const uint32_t block[3],
                                          uint32_t shared_bytes, void **parameters,
                                          size_t parameter_count);

#endif /* ASTRIDE_BACKENDS_HIP_HIP_H */
