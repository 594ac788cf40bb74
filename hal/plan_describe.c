/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A plan in words and as JSON, and its figures: what is left after normalisation, the strategy, and
 * the verdict on each strategy.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "hal/device.h"
#include "hal/error.h"
#include "hal/plan.h"
#include "hal/remote.h"
#include "hal/staged.h"

const char *astride__obstacle_text(astride__obstacle obstacle)
{
    switch (obstacle) {
    case ASTRIDE__POSSIBLE:
        return "possible";
    case ASTRIDE__TWO_DEVICES:
        return "the two sides are memory of two devices that do not reach each other's";
    case ASTRIDE__NOT_CONTIGUOUS:
        return "the two sides are not one contiguous run of bytes";
    case ASTRIDE__OVERLAP_NEEDS_TEMPORARY:
        return "source and destination overlap, so all must be read before anything is written";
    case ASTRIDE__NO_NATIVE_COPY:
        return "the device has no native copy in this direction";
    case ASTRIDE__RECT_RANK:
        return "more dimensions than a native rectangle has";
    case ASTRIDE__RECT_PITCH:
        return "strides that no row and slice pitch of a native rectangle can express";
    case ASTRIDE__RECT_ONE_ALLOCATION:
        return "the device allows no rectangle within one allocation";
    case ASTRIDE__RECT_REFUSED:
        return "the backend refuses a rectangle of these sizes";
    case ASTRIDE__NOTHING_TO_LOOP:
        return "one operation does it, there is nothing to loop over";
    case ASTRIDE__NO_KERNELS:
        return "the device has no packing kernels";
    case ASTRIDE__KERNEL_REACH:
        return "a side is memory that kernels do not reach";
    case ASTRIDE__HOST_REACH:
        return "a side is memory that the host does not reach";
    case ASTRIDE__HOST_CAPTURED:
        return "the host cannot copy in a queue that is captured";
    case ASTRIDE__TEMPORARY_MEMORY:
        return "no memory for the description of a temporary";
    }
    return "unknown";
}

/* Appends to a caller's buffer and counts what did not fit. */
struct writer {
    char *text;
    size_t capacity, length;
};

static void write_text(struct writer *writer, const char *format, ...) ASTRIDE_PRINTF(2, 3);
static void write_text(struct writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t room = writer->length < writer->capacity ? writer->capacity - writer->length : 0;
    const int length =
        vsnprintf(room == 0 ? NULL : writer->text + writer->length, room, format, arguments);
    va_end(arguments);
    writer->length += length > 0 ? (size_t)length : 0;
}

static void write_numbers(struct writer *writer, const char *name, const int64_t *numbers,
                          int32_t count)
{
    write_text(writer, "%s [", name);
    for (int32_t i = 0; i < count; i++)
        write_text(writer, "%s%" PRId64, i == 0 ? "" : ", ", numbers[i]);
    write_text(writer, "]");
}

/* The plan that does the work: its own, or that of another device. */
static const astride_plan *carrier(const astride_plan *plan)
{
    return plan->remote != NULL ? plan->remote->plan : plan;
}

static uint64_t call_count(const astride_plan *plan)
{
    return plan->description.empty ? 0 : plan->candidates[plan->strategy].calls;
}

static bool method_blocks(const astride_device *device, const astride__method *method,
                          astride_memory_kind dst, astride_memory_kind src)
{
    if (method->strategy == ASTRIDE_STRATEGY_HOST)
        return device->plugin->host_call == NULL;
    if (!device->properties.capabilities.asynchronous)
        return true;
    return device->properties.pageable_copies_block &&
           (dst == ASTRIDE_MEMORY_HOST || src == ASTRIDE_MEMORY_HOST);
}

static bool staged_blocks(const astride__staged *staged)
{
    if (staged->linking == ASTRIDE__LINK_WAIT)
        return true;
    bool blocks = false;
    for (int32_t leg = 0; leg < astride__staged_leg_count(staged); leg++) {
        const astride_device *device = astride__staged_leg_device(staged, leg);
        astride_memory_kind dst, src, to;
        /* The thread that serves the other lane may be held up; nobody else is. */
        if (staged->linking == ASTRIDE__LINK_THREAD && device != staged->device)
            continue;
        astride__staged_leg_kinds(staged, leg, &dst, &src);
        blocks = blocks || method_blocks(device, astride__staged_leg(staged, leg, &to), dst, src);
    }
    return blocks;
}

static bool plan_blocks(const astride_plan *plan)
{
    if (plan->description.empty)
        return false;
    if (plan->remote != NULL)
        return plan->remote->linking == ASTRIDE__LINK_WAIT ||
               (plan->remote->linking == ASTRIDE__LINK_EVENTS && plan_blocks(plan->remote->plan));
    if (plan->staged != NULL)
        return staged_blocks(plan->staged);
    return method_blocks(plan->device, &plan->method, plan->situation.dst_kind,
                         plan->situation.src_kind);
}

astride_status astride_plan_get_info(const astride_plan *plan, astride_plan_info *info)
{
    if (plan == NULL || info == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "astride_plan_get_info: %s is NULL",
                             plan == NULL ? "plan" : "info_out");
    if (info->struct_size < sizeof *info)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "astride_plan_get_info: info_out->struct_size = %zu is below %zu",
                             info->struct_size, sizeof *info);
    const bool empty = plan->description.empty;
    info->strategy = empty ? ASTRIDE_STRATEGY_LINEAR : plan->strategy;
    info->rank = empty ? 0 : plan->method.geometry.rank;
    info->unit_bytes = empty ? 0 : plan->method.geometry.unit_bytes;
    info->bytes = empty ? 0 : plan->description.bytes;
    info->call_count = call_count(plan);
    info->temporary_bytes = astride__plan_temporary_bytes(plan);
    info->blocks = plan_blocks(plan);
    info->overlapping = plan->situation.overlapping;
    info->estimated_ns = empty ? 0 : plan->candidates[plan->strategy].cost_ns;
    return ASTRIDE_OK;
}

/* Whole numbers only: a decimal point would depend on the caller's locale. */
static uint64_t whole(double ns)
{
    return ns < 1e18 ? (uint64_t)(ns + 0.5) : UINT64_C(1000000000000000000);
}

static void write_time(struct writer *writer, double ns)
{
    if (ns < 10000)
        write_text(writer, "%" PRIu64 " ns", whole(ns));
    else
        write_text(writer, "%" PRIu64 " us", whole(ns / 1000));
}

/* What each call moves. */
static void write_operation(struct writer *writer, const astride__method *method)
{
    const astride__split *split = &method->split;
    const size_t unit = method->geometry.unit_bytes;
    switch (method->strategy) {
    case ASTRIDE_STRATEGY_LINEAR:
        write_text(writer, "linear, %zu contiguous bytes", unit);
        break;
    case ASTRIDE_STRATEGY_RECT:
    case ASTRIDE_STRATEGY_RECT_LOOP: {
        astride_rect rect;
        astride__rect_fill(&method->geometry, split, &rect);
        write_text(writer, "%s %d-D, ", astride_strategy_name(method->strategy),
                   (int)split->inner_count + 1);
        if (rect.slices > 1)
            write_text(writer, "%zu slices of ", rect.slices);
        write_text(writer, "%zu row%s of %zu bytes", rect.rows, rect.rows == 1 ? "" : "s", unit);
        break;
    }
    case ASTRIDE_STRATEGY_KERNEL:
        write_text(writer, "kernel %d-D, units of %zu bytes", (int)split->inner_count, unit);
        break;
    default:
        write_text(writer, "host, element by element, units of %zu bytes", unit);
        break;
    }
}

static void write_summary(struct writer *writer, const astride_plan *outer)
{
    const astride_plan *plan = carrier(outer);
    const uint64_t calls = call_count(plan);
    if (plan->description.empty) {
        write_text(writer, "nothing to copy: an extent is 0\n");
        return;
    }
    if (plan->staged == NULL) {
        write_operation(writer, &plan->method);
    } else {
        const uint64_t blocks = astride__staged_block_count(plan->staged);
        write_text(writer, "staged, %" PRIu64 " block%s", blocks, blocks == 1 ? "" : "s");
    }
    write_text(writer, ", %" PRIu64 " call%s, because ", calls, calls == 1 ? "" : "s");
    if (plan->forced)
        write_text(writer, "it was asked for");
    else if (plan->situation.src_owner != NULL)
        write_text(writer, "%s and %s do not reach each other's memory",
                   plan->situation.src_owner->spec, plan->situation.dst_owner->spec);
    else
        write_text(writer, "it is the cheapest on %s", plan->device->spec);
    write_text(writer, "\n");
}

static void write_legs(struct writer *writer, const astride__staged *staged)
{
    astride_memory_kind from = staged->situation.src_kind, to;
    for (int32_t leg = 0; leg < astride__staged_leg_count(staged); leg++) {
        const astride__method *method = astride__staged_leg(staged, leg, &to);
        write_text(writer, "  block, leg %d: %s to %s memory ", (int)leg + 1,
                   astride__memory_kind_name(from), astride__memory_kind_name(to));
        if (astride__staged_is_routed(staged))
            write_text(writer, "on %s ", astride__staged_leg_device(staged, leg)->spec);
        write_text(writer, "by ");
        write_operation(writer, method);
        write_text(writer, "\n");
        from = to;
    }
}

/* Whether there is something to say about the way that the bytes take, or about its queues. */
static bool has_route(const astride_plan *plan)
{
    const astride__staged *staged = carrier(plan)->staged;
    return plan->remote != NULL || (staged != NULL && staged->lane_count == 2);
}

static void write_route(struct writer *writer, const astride_plan *plan)
{
    const astride__staged *staged = carrier(plan)->staged;
    if (plan->remote != NULL)
        write_text(writer, "carried out by %s, which reaches both sides%s",
                   plan->remote->target->spec,
                   staged != NULL && staged->lane_count == 2 ? "; " : "");
    if (staged == NULL || staged->lane_count != 2)
        return;
    const astride__temporary *temporary = astride__staged_ring(staged);
    const char *kind = temporary->kind == ASTRIDE_MEMORY_PINNED
                           ? "pinned host"
                           : astride__memory_kind_name(temporary->kind);
    write_text(writer, "%s through %s memory of %s, ",
               astride__staged_is_routed(staged) ? "packed" : "pipelined", kind,
               temporary->device->spec);
    if (temporary->ring.depth == 1)
        write_text(writer, "one slot of %zu bytes", temporary->ring.slot_bytes);
    else
        write_text(writer, "%d slots of %zu bytes in turn", (int)temporary->ring.depth,
                   temporary->ring.slot_bytes);
    if (astride__staged_is_routed(staged))
        write_text(writer, ", because there is no peer access between %s and %s",
                   staged->situation.src_owner->spec, staged->situation.dst_owner->spec);
}

static void write_words(struct writer *writer, const astride_plan *plan)
{
    write_summary(writer, plan);
    if (plan->description.empty)
        return;
    const astride__geometry *geometry = &plan->method.geometry;
    write_text(writer, "  copies      %" PRIu64 " bytes, %s to %s memory%s\n",
               plan->description.bytes, astride__memory_kind_name(plan->situation.src_kind),
               astride__memory_kind_name(plan->situation.dst_kind),
               plan->situation.overlapping ? ", overlapping" : "");
    write_text(writer, "  normalised  unit of %zu bytes", geometry->unit_bytes);
    if (geometry->rank > 0) {
        write_numbers(writer, ", extents", geometry->extents, geometry->rank);
        write_numbers(writer, ", dst strides", geometry->dst_strides, geometry->rank);
        write_numbers(writer, ", src strides", geometry->src_strides, geometry->rank);
    }
    write_text(writer, "\n");
    if (has_route(plan)) {
        write_text(writer, "  route       ");
        write_route(writer, plan);
        write_text(writer, "\n");
    }
    if (carrier(plan)->staged != NULL)
        write_legs(writer, carrier(plan)->staged);
    for (int strategy = ASTRIDE_STRATEGY_LINEAR; strategy <= ASTRIDE_STRATEGY_HOST; strategy++) {
        const astride__candidate *candidate = &plan->candidates[strategy];
        write_text(writer, "  %-10s  ", astride_strategy_name((astride_strategy)strategy));
        if (candidate->obstacle != ASTRIDE__POSSIBLE) {
            write_text(writer, "no: %s\n", astride__obstacle_text(candidate->obstacle));
            continue;
        }
        write_text(writer, "%s: %" PRIu64 " call%s, estimated ",
                   strategy == (int)plan->strategy ? "chosen" : "possible", candidate->calls,
                   candidate->calls == 1 ? "" : "s");
        write_time(writer, candidate->cost_ns);
        write_text(writer, "\n");
    }
}

/* No string in it needs escaping: specs and strategy names are plain words. */
static void write_json(struct writer *writer, const astride_plan *plan)
{
    astride_plan_info info = {.struct_size = sizeof info};
    (void)astride_plan_get_info(plan, &info);
    write_text(writer,
               "{\"device\": \"%s\", \"strategy\": \"%s\", \"forced\": %s, \"calls\": %" PRIu64
               ", \"bytes\": %" PRIu64 ", \"dst_memory\": \"%s\", \"src_memory\": \"%s\", "
               "\"overlapping\": %s, \"blocks\": %s, \"temporary_bytes\": %" PRIu64
               ", \"estimated_ns\": %" PRIu64 ", \"unit_bytes\": %" PRIu64 ", ",
               plan->device->spec, astride_strategy_name(info.strategy),
               plan->forced ? "true" : "false", info.call_count, info.bytes,
               astride__memory_kind_name(plan->situation.dst_kind),
               astride__memory_kind_name(plan->situation.src_kind),
               info.overlapping ? "true" : "false", info.blocks ? "true" : "false",
               info.temporary_bytes, whole(info.estimated_ns), info.unit_bytes);
    const astride__geometry *geometry = &plan->method.geometry;
    write_numbers(writer, "\"extents\":", geometry->extents, info.rank);
    write_numbers(writer, ", \"dst_strides\":", geometry->dst_strides, info.rank);
    write_numbers(writer, ", \"src_strides\":", geometry->src_strides, info.rank);
    if (!plan->description.empty && has_route(plan)) {
        write_text(writer, ", \"route\": \"");
        write_route(writer, plan);
        write_text(writer, "\"");
    }
    write_text(writer, ", \"strategies\": {");
    for (int strategy = ASTRIDE_STRATEGY_LINEAR;
         strategy <= ASTRIDE_STRATEGY_HOST && !plan->description.empty; strategy++) {
        const astride__candidate *candidate = &plan->candidates[strategy];
        write_text(writer, "%s\"%s\": {", strategy == ASTRIDE_STRATEGY_LINEAR ? "" : ", ",
                   astride_strategy_name((astride_strategy)strategy));
        if (candidate->obstacle == ASTRIDE__POSSIBLE)
            write_text(writer,
                       "\"possible\": true, \"calls\": %" PRIu64 ", \"estimated_ns\": %" PRIu64 "}",
                       candidate->calls, whole(candidate->cost_ns));
        else
            write_text(writer, "\"possible\": false, \"reason\": \"%s\"}",
                       astride__obstacle_text(candidate->obstacle));
    }
    write_text(writer, "}}\n");
}

astride_status astride_plan_describe(const astride_plan *plan, astride_plan_format format,
                                     char *text, size_t text_bytes, size_t *needed_out)
{
    if (plan == NULL)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "astride_plan_describe: plan is NULL");
    if (text == NULL && text_bytes > 0)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT,
                             "astride_plan_describe: text is NULL with text_bytes = %zu",
                             text_bytes);
    if (format != ASTRIDE_PLAN_TEXT && format != ASTRIDE_PLAN_JSON)
        return astride__fail(ASTRIDE_INVALID_ARGUMENT, "astride_plan_describe: format = %d is none",
                             (int)format);
    struct writer writer = {text, text_bytes, 0};
    if (text_bytes > 0)
        text[0] = '\0';
    if (format == ASTRIDE_PLAN_TEXT)
        write_words(&writer, plan);
    else
        write_json(&writer, plan);
    if (needed_out != NULL)
        *needed_out = writer.length + 1;
    return ASTRIDE_OK;
}
