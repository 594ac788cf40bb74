/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Objects of the program: its buffers and queues. OpenCL's commands take objects of one context
 * only, so both must be of the device's own; a device is opened in a program's context by the spec
 * "opencl:context=ADDRESS".
 */
#include "opencl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static astride_status fail_context(const astride_backend_device *device, const char *what,
                                   cl_context context)
{
    return astride__opencl_services->fail(
        ASTRIDE_INVALID_ARGUMENT,
        "the %s is of the context %p, the device of %p: open the device as opencl:context=%p", what,
        (void *)context, (void *)device->context, (void *)context);
}

/* What the driver says of a buffer. */
typedef struct buffer_facts {
    cl_uint type;
    cl_mem_flags flags;
    size_t bytes;
    cl_context context;
    cl_mem parent; /* of a sub-buffer */
    size_t offset; /* of a sub-buffer in its parent */
    void *host;
} buffer_facts;

static astride_status ask_buffer(cl_mem buffer, buffer_facts *facts)
{
    const struct {
        cl_mem_info what;
        size_t bytes;
        void *answer;
    } questions[] = {
        {CL_MEM_TYPE, sizeof(facts->type), &facts->type},
        {CL_MEM_FLAGS, sizeof(facts->flags), &facts->flags},
        {CL_MEM_SIZE, sizeof(facts->bytes), &facts->bytes},
        {CL_MEM_CONTEXT, sizeof(facts->context), &facts->context},
        {CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(facts->parent), &facts->parent},
        {CL_MEM_OFFSET, sizeof(facts->offset), &facts->offset},
        {CL_MEM_HOST_PTR, sizeof(facts->host), &facts->host},
    };
    memset(facts, 0, sizeof(*facts));
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
        const cl_int code = astride__cl.GetMemObjectInfo(
            buffer, questions[i].what, questions[i].bytes, questions[i].answer, NULL);
        if (code != CL_SUCCESS)
            return astride__opencl_check("clGetMemObjectInfo", code);
    }
    return ASTRIDE_OK;
}

static astride_status check_buffer(const astride_backend_device *device, const buffer_facts *facts,
                                   size_t bytes)
{
    const cl_mem_flags restricting = CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY |
                                     CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
    if (facts->type != CL_MEM_OBJECT_BUFFER)
        return astride__opencl_services->fail(ASTRIDE_INVALID_ARGUMENT,
                                              "the memory object is no buffer: CL_MEM_TYPE = 0x%x",
                                              (unsigned)facts->type);
    if (facts->context != device->context)
        return fail_context(device, "buffer", facts->context);
    if (bytes > facts->bytes)
        return astride__opencl_services->fail(
            ASTRIDE_INVALID_ARGUMENT, "%zu bytes exceed the buffer's %zu", bytes, facts->bytes);
    if ((facts->flags & restricting) != 0)
        return astride__opencl_services->fail(
            ASTRIDE_INVALID_ARGUMENT,
            "the buffer's flags 0x%llx keep kernels or the host from reading or writing it",
            (unsigned long long)(facts->flags & restricting));
    return ASTRIDE_OK;
}

/* The lock is held. */
static const astride__opencl_allocation *find_clash(const astride_backend_device *device,
                                                    const astride__opencl_allocation *made)
{
    const astride__opencl_allocation *other = device->imported;
    while (other != NULL && (other->buffer != made->buffer ||
                             other->buffer_offset >= made->buffer_offset + made->bytes ||
                             made->buffer_offset >= other->buffer_offset + other->bytes))
        other = other->next;
    return other;
}

/*
 * A buffer gets a range of addresses like our own. A sub-buffer is used as a part of its parent:
 * one set of rules for offsets, and two sub-buffers of one parent are never both given to a command
 * where OpenCL leaves that undefined. The same bytes cannot have two addresses, or overlap could
 * not be seen.
 */
astride_status astride__opencl_memory_import(astride_backend_device *device, void *handle,
                                             size_t bytes, void **address_out,
                                             void **allocation_out)
{
    buffer_facts facts, parent_facts;
    cl_int code = CL_SUCCESS;
    astride_status status = ask_buffer(handle, &facts);
    if (status == ASTRIDE_OK)
        status = check_buffer(device, &facts, bytes);
    if (status != ASTRIDE_OK)
        return status;
    astride__opencl_allocation *allocation = calloc(1, sizeof(*allocation));
    if (allocation == NULL)
        return astride__opencl_services->fail(ASTRIDE_OUT_OF_MEMORY, "no memory for an allocation");
    allocation->kind = ASTRIDE_MEMORY_DEVICE;
    allocation->bytes = bytes;
    allocation->buffer = handle;
    parent_facts = facts;
    if (facts.parent != NULL && ask_buffer(facts.parent, &parent_facts) == ASTRIDE_OK &&
        parent_facts.type == CL_MEM_OBJECT_BUFFER) {
        allocation->buffer = facts.parent;
        allocation->buffer_offset = facts.offset;
    }
    /* A processor uses such memory in place, aligned as the program has it. */
    if ((parent_facts.flags & CL_MEM_USE_HOST_PTR) != 0)
        allocation->misalignment = (uintptr_t)parent_facts.host % 16;
    code = astride__cl.RetainMemObject(allocation->buffer);
    if (code != CL_SUCCESS) {
        status = astride__opencl_check("clRetainMemObject", code);
        goto free_allocation;
    }
    allocation->reserved = astride__opencl_reserve(bytes, &allocation->reserved_bytes);
    if (allocation->reserved == NULL) {
        status = astride__opencl_services->fail(ASTRIDE_OUT_OF_MEMORY,
                                                "mmap of %zu bytes of address space: %s", bytes,
                                                strerror(errno));
        goto release_buffer;
    }
    pthread_mutex_lock(&device->lock);
    const bool clashes = find_clash(device, allocation) != NULL;
    if (!clashes) {
        allocation->next = device->imported;
        device->imported = allocation;
    }
    pthread_mutex_unlock(&device->lock);
    if (clashes) {
        status = astride__opencl_services->fail(ASTRIDE_INVALID_ARGUMENT,
                                                "%zu bytes of the buffer %p are imported already",
                                                bytes, handle);
        goto unreserve;
    }
    *address_out = allocation->reserved;
    *allocation_out = allocation;
    return ASTRIDE_OK;

unreserve:
    munmap(allocation->reserved, allocation->reserved_bytes);
release_buffer:
    astride__cl.ReleaseMemObject(allocation->buffer);
free_allocation:
    free(allocation);
    return status;
}

void astride__opencl_memory_release(astride_backend_device *device, void *address, void *cookie)
{
    astride__opencl_allocation *allocation = cookie;
    pthread_mutex_lock(&device->lock);
    astride__opencl_allocation **link = &device->imported;
    while (*link != allocation)
        link = &(*link)->next;
    *link = allocation->next;
    pthread_mutex_unlock(&device->lock);
    astride__opencl_memory_free(device, address, allocation);
}

astride_status astride__opencl_queue_import(astride_backend_device *device, void *native,
                                            astride_backend_queue **queue_out)
{
    cl_context context = NULL;
    cl_device_id id = NULL;
    cl_command_queue_properties properties = 0;
    cl_int code =
        astride__cl.GetCommandQueueInfo(native, CL_QUEUE_CONTEXT, sizeof(context), &context, NULL);
    if (code == CL_SUCCESS)
        code = astride__cl.GetCommandQueueInfo(native, CL_QUEUE_DEVICE, sizeof(id), &id, NULL);
    if (code == CL_SUCCESS)
        code = astride__cl.GetCommandQueueInfo(native, CL_QUEUE_PROPERTIES, sizeof(properties),
                                               &properties, NULL);
    if (code != CL_SUCCESS)
        return astride__opencl_check("clGetCommandQueueInfo", code);
    if (context != device->context)
        return fail_context(device, "queue", context);
    if (id != device->id)
        return astride__opencl_services->fail(
            ASTRIDE_INVALID_ARGUMENT,
            "the queue is of another device of the context than this one");
    code = astride__cl.RetainCommandQueue(native);
    if (code != CL_SUCCESS)
        return astride__opencl_check("clRetainCommandQueue", code);
    const astride_status status = astride__opencl_queue_wrap(device, native, true, queue_out);
    if (status != ASTRIDE_OK) {
        astride__cl.ReleaseCommandQueue(native);
        return status;
    }
    (*queue_out)->out_of_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    if (astride__opencl_tracing() && (properties & CL_QUEUE_PROFILING_ENABLE) != 0)
        astride__opencl_trace_begin(*queue_out);
    return ASTRIDE_OK;
}
