/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Capture of streams: what is enqueued while one is captured becomes a node of a graph and runs
 * only when that is launched. The nodes run one after the other in the order of their calls, which
 * is one of the orders that the graph allows. Calls that a capture forbids make it invalid, as the
 * documentation of stream capture says.
 */
#include <stdlib.h>

#include "tests/simulators/common/internal.h"

static sim_capture *captures;
static uint64_t last_id;
static _Thread_local int thread_mode = SIM_CAPTURE_GLOBAL;

int sim_capture_exchange_mode(int mode)
{
    const int former = thread_mode;
    thread_mode = mode;
    return former;
}

static void drop_work(sim_work *work)
{
    if (work->release != NULL)
        work->release(work->argument);
}

void sim_graph_drop(sim_graph *graph)
{
    if (--graph->references > 0)
        return;
    for (size_t i = 0; i < graph->count; i++)
        drop_work(&graph->nodes[i]);
    free(graph->nodes);
    free(graph);
}

void sim_capture_drop(sim_capture *capture)
{
    if (--capture->references > 0)
        return;
    if (capture->graph != NULL)
        sim_graph_drop(capture->graph);
    free(capture);
}

void sim_capture_enter(sim_stream *stream, sim_capture *capture)
{
    stream->capture = capture;
    stream->captured = 0;
    stream->joined = 0;
    capture->references++;
}

static void leave(sim_stream *stream)
{
    sim_capture *capture = stream->capture;
    stream->capture = NULL;
    sim_capture_drop(capture);
}

int sim_capture_start(sim_stream *stream, int mode)
{
    sim_capture *capture = calloc(1, sizeof(*capture));
    sim_graph *graph = calloc(1, sizeof(*graph));
    if (capture == NULL || graph == NULL) {
        free(capture);
        free(graph);
        return SIM_OUT_OF_MEMORY;
    }
    *graph = (sim_graph){.context = stream->context, .references = 1};
    *capture = (sim_capture){.origin = stream,
                             .graph = graph,
                             .mode = mode,
                             .thread = sim_thread(),
                             .id = ++last_id,
                             .references = 1,
                             .next = captures};
    captures = capture;
    sim_capture_enter(stream, capture);
    return SIM_SUCCESS;
}

int sim_capture_stop(sim_stream *stream, sim_graph **graph_out)
{
    sim_capture *capture = stream->capture;
    bool unjoined = false;
    if (capture->mode != SIM_CAPTURE_RELAXED && capture->thread != sim_thread())
        return sim_refuse(SIM_CAPTURE_WRONG_THREAD, "another thread began the capture");
    if (capture->origin != stream)
        return sim_refuse(SIM_CAPTURE_UNMATCHED, "the capture began in another stream");
    for (sim_stream *other = stream->context->streams; other != NULL; other = other->next) {
        if (other->capture == capture && other != stream) {
            unjoined = unjoined || other->joined < other->captured || other->captured == 0;
            leave(other);
        }
    }
    sim_capture **link = &captures;
    while (*link != capture)
        link = &(*link)->next;
    *link = capture->next;
    const bool invalid = capture->invalid;
    if (!invalid && !unjoined) {
        *graph_out = capture->graph;
        capture->graph = NULL;
    }
    leave(stream);
    /* The stream and the list had a reference each. */
    sim_capture_drop(capture); // NOLINT(clang-analyzer-unix.Malloc)
    if (unjoined)
        return sim_refuse(SIM_CAPTURE_UNJOINED,
                          "a stream that joined the capture was not waited for");
    return invalid ? SIM_CAPTURE_INVALIDATED : SIM_SUCCESS;
}

int sim_capture_forbids(void)
{
    bool forbidden = false;
    if (thread_mode == SIM_CAPTURE_RELAXED)
        return SIM_SUCCESS;
    for (sim_capture *capture = captures; capture != NULL; capture = capture->next) {
        const bool own = capture->thread == sim_thread();
        if ((own && capture->mode != SIM_CAPTURE_RELAXED) ||
            (!own && capture->mode == SIM_CAPTURE_GLOBAL && thread_mode == SIM_CAPTURE_GLOBAL)) {
            capture->invalid = true;
            forbidden = true;
        }
    }
    return forbidden ? sim_refuse(SIM_CAPTURE_UNSUPPORTED, "forbidden while a stream is captured")
                     : SIM_SUCCESS;
}

int sim_capture_forbids_context(sim_context *context)
{
    bool forbidden = false;
    for (sim_stream *stream = context->streams; stream != NULL; stream = stream->next) {
        if (stream->capture != NULL) {
            stream->capture->invalid = true;
            forbidden = true;
        }
    }
    return forbidden
               ? sim_refuse(SIM_CAPTURE_UNSUPPORTED,
                            "a stream of the context is captured, its work cannot be waited for")
               : SIM_SUCCESS;
}

int sim_capture_forbids_stream(sim_stream *stream)
{
    if (stream->capture != NULL) {
        stream->capture->invalid = true;
        return sim_refuse(SIM_CAPTURE_UNSUPPORTED, "the stream is captured");
    }
    if (!stream->legacy)
        return SIM_SUCCESS;
    for (sim_stream *other = stream->context->streams; other != NULL; other = other->next) {
        if (other->capture != NULL && other->blocking) {
            other->capture->invalid = true;
            return sim_refuse(SIM_CAPTURE_IMPLICIT,
                              "the legacy stream waits for a blocking stream that is captured");
        }
    }
    return SIM_SUCCESS;
}

int sim_capture_add(sim_stream *stream, sim_work work)
{
    sim_graph *graph = stream->capture->graph;
    int result = stream->capture->invalid ? SIM_CAPTURE_INVALIDATED : SIM_SUCCESS;
    if (result == SIM_SUCCESS && graph->count == graph->capacity) {
        const size_t capacity = graph->capacity == 0 ? 16 : 2 * graph->capacity;
        sim_work *nodes = realloc(graph->nodes, capacity * sizeof(*nodes));
        if (nodes == NULL) {
            result = SIM_OUT_OF_MEMORY;
        } else {
            graph->nodes = nodes;
            graph->capacity = capacity;
        }
    }
    if (result != SIM_SUCCESS) {
        drop_work(&work);
        return result;
    }
    graph->nodes[graph->count++] = work;
    stream->captured++;
    return SIM_SUCCESS;
}

static int run_graph(void *argument)
{
    sim_graph *graph = argument;
    for (size_t i = 0; i < graph->count; i++) {
        const int code =
            graph->nodes[i].run != NULL ? graph->nodes[i].run(graph->nodes[i].argument) : 0;
        if (code != 0)
            return code;
    }
    return 0;
}

static void release_graph(void *argument)
{
    sim_graph_drop(argument);
}

int sim_graph_launch(sim_graph *graph, sim_stream *stream)
{
    graph->references++;
    return sim_stream_add(stream, (sim_work){run_graph, release_graph, graph});
}
