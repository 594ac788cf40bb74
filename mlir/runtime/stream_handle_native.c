/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The stream argument where it is the vendor's handle: a queue is imported for each handle and
 * kept.
 *
 * It is kept for ever, because destroying it would wait for the native stream, which its owner may
 * have destroyed since, unseen by us. A vendor that gives the same handle to a new stream gets the
 * queue of the old one, which is right: an imported queue is nothing but the handle. As handles are
 * reused, there are about as many queues as there were streams at one time.
 */
#include "mlir/runtime/stream_handle.h"

#include <pthread.h>
#include <stdlib.h>

#include "mlir/runtime/context.h"
#include "mlir/runtime/failure.h"

typedef struct imported_stream imported_stream;
struct imported_stream {
    astride_device *device;
    void *handle;         /* NULL: the vendor's default stream */
    astride_queue *queue; /* NULL: the device has no native default stream */
    imported_stream *next;
};

/* Guards the list. Held while a stream is imported, so that two threads do not import it twice. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static imported_stream *imported_streams;

/* The lock is held by the caller. NULL after a failure, which is reported. */
static imported_stream *import_stream(const char *function, astride_device *device, void *handle)
{
    imported_stream *imported = malloc(sizeof *imported);
    if (imported == NULL) {
        astride__mlir_fail(function, "no memory for a record of %zu bytes", sizeof *imported);
        return NULL;
    }
    *imported = (imported_stream){.device = device, .handle = handle};
    astride_status status = astride_queue_import(device, handle, &imported->queue);
    if (status == ASTRIDE_UNSUPPORTED && handle == NULL) {
        imported->queue = NULL;
    } else if (status == ASTRIDE_UNSUPPORTED) {
        astride__mlir_fail(function,
                           "the stream is taken for a native handle, and %s imports none: pass "
                           "NULL, or use libastride_mlir_runtime",
                           astride_device_spec(device));
        goto free_record;
    } else if (!astride__mlir_ok(function, status)) {
        goto free_record;
    }
    imported->next = imported_streams;
    imported_streams = imported;
    return imported;

free_record:
    free(imported);
    return NULL;
}

bool astride__mlir_stream_queue(const char *function, void *stream, astride_device *device,
                                astride_queue **queue_out)
{
    if (stream != NULL) {
        device = astride__mlir_device(function);
        if (device == NULL)
            return false;
    }
    (void)pthread_mutex_lock(&lock);
    imported_stream *imported = imported_streams;
    while (imported != NULL && (imported->handle != stream || imported->device != device))
        imported = imported->next;
    if (imported == NULL)
        imported = import_stream(function, device, stream);
    (void)pthread_mutex_unlock(&lock);
    if (imported == NULL)
        return false;
    *queue_out = imported->queue;
    return true;
}
