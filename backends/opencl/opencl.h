/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The OpenCL backend's own objects and the functions that its files share. What it takes from the
 * standard is in abi.h, the kernels are in backends/kernels/.
 */
#ifndef ASTRIDE_BACKENDS_OPENCL_OPENCL_H
#define ASTRIDE_BACKENDS_OPENCL_OPENCL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <astride/plugin.h>

#include "abi.h"
#include "backends/kernels/launch.h"

/* What the core offers, and the library's functions; both set before anything else is called. */
extern const astride_services *astride__opencl_services;
extern astride__opencl_api astride__cl;

/* loader.c: fills astride__cl. ASTRIDE_UNAVAILABLE says which file or function is missing. */
astride_status astride__opencl_load(void);

/* errors.c: "CL_INVALID_VALUE"; what a code is to the caller; fails with call, name and number. */
const char *astride__opencl_error_name(cl_int code);
astride_status astride__opencl_error_status(cl_int code);
astride_status astride__opencl_check(const char *call, cl_int code);

/* A device that can be opened. */
typedef struct astride__opencl_place {
    cl_device_id device;
    cl_context context;      /* of the program, not retained; NULL: the backend makes one */
    int32_t platform_number; /* in the library's order; both -1 for a program's context */
    int32_t device_number;   /* in the platform's order */
    bool is_cpu;             /* shares the host's processors and memory */
    bool runs_in_caller;     /* quirk: see platform.c */
    char platform_name[96];  /* name, vendor and version */
    char device_name[96];
} astride__opencl_place;

/* platform.c: the list of places, filled by probe. False when there is no such index. */
bool astride__opencl_place_get(int32_t index, astride__opencl_place *place_out);
/* Reads an unsigned number of a device or platform. */
cl_ulong astride__opencl_device_number(cl_device_id device, cl_device_info what);

/* An allocation, as operands carry it. */
typedef struct astride__opencl_allocation astride__opencl_allocation;
struct astride__opencl_allocation {
    cl_mem buffer;
    astride_memory_kind kind;
    size_t bytes;
    size_t buffer_offset;  /* of the allocation in the buffer */
    uint64_t misalignment; /* of the buffer as kernels see it, modulo 16 */
    void *reserved;        /* inaccessible address range, or NULL */
    size_t reserved_bytes;
    void *mapped;                     /* of pinned memory */
    void *shared;                     /* of shared memory: what clSVMAlloc gave */
    astride__opencl_allocation *next; /* in the device's list of imported ones */
};

struct astride_backend_device {
    cl_device_id id;
    cl_context context;
    cl_command_queue service; /* for mapping; guarded by `lock` */
    cl_program program;       /* NULL: the device has no compiler */
    bool is_cpu;
    bool runs_in_caller;
    bool shares_memory; /* fine-grained shared virtual memory */
    uint64_t allocation_bytes_maximum;
    astride__kernel_sharing sharing;

    pthread_mutex_t lock;
    astride_backend_queue *queues;        /* those that live */
    astride__opencl_allocation *imported; /* those that live */
};

/* program.c: builds the kernels, or leaves program NULL where there is no compiler. */
astride_status astride__opencl_program_build(astride_backend_device *device);

/* A host call that waits for its turn; see host_call.c. */
typedef struct astride__opencl_call astride__opencl_call;

struct astride_backend_queue {
    astride_backend_device *device;
    astride_backend_queue *previous, *next; /* in the list of the device */
    cl_command_queue native;
    bool imported;
    bool out_of_order; /* an imported one: barriers around each command put it in order */
    cl_kernel kernels[ASTRIDE__KERNEL_COUNT]; /* made when first used */
    atomic_uint_fast64_t enqueued;            /* commands so far */
    uint32_t track;                           /* in the trace; 0: the queue is not traced */
    cl_event traced;                          /* of the command that is being enqueued */
    uint64_t traced_ns;                       /* when that began */

    pthread_mutex_t lock; /* guards all that follows */
    cl_event marker;      /* of the latest query, or NULL */
    uint64_t marked;      /* `enqueued` when it was recorded */
    bool has_worker;
    bool stopping;
    pthread_t worker;
    pthread_cond_t work;                /* a call came, or `stopping` was set */
    astride__opencl_call *first, *last; /* calls in order */
    cl_int call_error;                  /* first failure of an event that a call waited for */
};

/* queue.c: makes a queue of a native one, whose reference it takes on success. */
astride_status astride__opencl_queue_wrap(astride_backend_device *device, cl_command_queue native,
                                          bool imported, astride_backend_queue **queue_out);
/* queue.c: to be called before each command: what was enqueued before it is done first. */
astride_status astride__opencl_queue_begin(astride_backend_queue *queue);
/* queue.c: to be called after each command; makes the driver begin. */
astride_status astride__opencl_queue_submitted(astride_backend_queue *queue, const char *call,
                                               cl_int code);
/* trace.c: whether there is a trace; gives the queue a track in it. */
bool astride__opencl_tracing(void);
void astride__opencl_trace_begin(astride_backend_queue *queue);
/* trace.c: where the next command leaves its event; NULL: it needs none. */
cl_event *astride__opencl_traced(astride_backend_queue *queue);
/* trace.c: the command is enqueued; its times go into the trace when it is done. */
void astride__opencl_trace_command(astride_backend_queue *queue, const char *call);
/* queue.c: the kernel object of this queue, whose arguments no other thread sets. */
astride_status astride__opencl_queue_kernel(astride_backend_queue *queue, astride__kernel kernel,
                                            cl_kernel *kernel_out);
/* host_call.c: ends the worker when all calls are done. */
void astride__opencl_host_calls_stop(astride_backend_queue *queue);

struct astride_backend_event {
    pthread_mutex_t lock;
    cl_event native; /* NULL until the event is recorded */
};

/* One side of a command: a buffer with an offset, or a host address. */
typedef struct astride__opencl_side {
    cl_mem buffer; /* NULL: `host` counts */
    size_t offset;
    uint64_t misalignment;
    unsigned char *host;
} astride__opencl_side;

/* memory.c */
/* Reserves inaccessible addresses for `bytes`, with room behind them; NULL and errno on failure. */
void *astride__opencl_reserve(size_t bytes, size_t *reserved_bytes_out);
astride__opencl_side astride__opencl_side_of(const astride_operand *operand);

/* fill.c and copy.c: enqueues a prepared kernel; `src` is NULL for a fill. */
astride_status astride__opencl_launch(astride_backend_queue *queue,
                                      const astride__kernel_launch *launch, cl_mem dst,
                                      const cl_mem *src);

/* The slots, by file; what they do is said in <astride/plugin.h>. */

/* platform.c */
astride_status astride__opencl_probe(int32_t *device_count_out);
astride_status astride__opencl_describe(int32_t index, astride_device_info *info_out);
astride_status astride__opencl_resolve(const char *rest, int32_t *index_out);
bool astride__opencl_automatic(void);

/* device.c */
astride_status astride__opencl_device_open(int32_t index, astride_backend_device **device_out);
void astride__opencl_device_close(astride_backend_device *device);
astride_status astride__opencl_properties(astride_backend_device *device,
                                          astride_backend_properties *properties_out);

/* memory.c */
astride_status astride__opencl_memory_alloc(astride_backend_device *device, size_t bytes,
                                            astride_memory_kind kind, void **address_out,
                                            void **allocation_out);
void astride__opencl_memory_free(astride_backend_device *device, void *address, void *allocation);
astride_status astride__opencl_memory_register(astride_backend_device *device, void *address,
                                               size_t bytes, void **allocation_out);
void astride__opencl_memory_unregister(astride_backend_device *device, void *address,
                                       void *allocation);

/* import.c */
astride_status astride__opencl_memory_import(astride_backend_device *device, void *handle,
                                             size_t bytes, void **address_out,
                                             void **allocation_out);
void astride__opencl_memory_release(astride_backend_device *device, void *address,
                                    void *allocation);
astride_status astride__opencl_queue_import(astride_backend_device *device, void *native,
                                            astride_backend_queue **queue_out);

/* queue.c */
astride_status astride__opencl_queue_create(astride_backend_device *device,
                                            astride_backend_queue **queue_out);
void astride__opencl_queue_destroy(astride_backend_queue *queue);
astride_status astride__opencl_queue_wait(astride_backend_queue *queue);
astride_status astride__opencl_queue_query(astride_backend_queue *queue);

/* host_call.c */
astride_status astride__opencl_host_call(astride_backend_queue *queue,
                                         void (*function)(void *argument), void *argument);

/* event.c */
astride_status astride__opencl_event_create(astride_backend_device *device,
                                            astride_backend_event **event_out);
void astride__opencl_event_destroy(astride_backend_event *event);
astride_status astride__opencl_event_record(astride_backend_event *event,
                                            astride_backend_queue *queue);
astride_status astride__opencl_event_wait(astride_backend_event *event);
astride_status astride__opencl_event_query(astride_backend_event *event);
astride_status astride__opencl_queue_wait_event(astride_backend_queue *queue,
                                                astride_backend_event *event);

/* copy.c */
astride_status astride__opencl_copy_linear(astride_backend_queue *queue, const astride_operand *dst,
                                           const astride_operand *src, size_t bytes);
astride_status astride__opencl_copy_rect(astride_backend_queue *queue, const astride_rect *rect);
astride_status astride__opencl_copy_kernel(astride_backend_queue *queue,
                                           const astride_strided *copy);

/* fill.c */
astride_status astride__opencl_fill(astride_backend_queue *queue, const astride_strided_fill *fill);

#endif /* ASTRIDE_BACKENDS_OPENCL_OPENCL_H */
