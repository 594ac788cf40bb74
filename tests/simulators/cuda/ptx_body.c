/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Bodies of kernels: registers, variables of the kernel, labels, and instructions with their
 * operands.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simulators/cuda/ptx_parser.h"

static bool same(const ptx_token *a, const ptx_token *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

static void *grow(void *array, size_t count, size_t *capacity, size_t bytes)
{
    if (count < *capacity)
        return array;
    const size_t larger = *capacity == 0 ? 64 : 2 * *capacity;
    void *grown = realloc(array, larger * bytes);
    if (grown != NULL)
        *capacity = larger;
    return grown;
}

/* .reg .b32 %r<8>, %s; */
static bool parse_registers(ptx_parser *p)
{
    ptx_next(&p->lexer);
    ptx_next(&p->lexer); /* the type: instructions have their own */
    for (;;) {
        size_t capacity = p->range_capacity;
        ptx_register_range *ranges = grow(p->ranges, p->range_count, &capacity, sizeof(*ranges));
        if (ranges == NULL)
            return ptx_fail(p, "out of memory");
        p->ranges = ranges;
        p->range_capacity = (uint32_t)capacity;
        ptx_register_range *range = &ranges[p->range_count++];
        *range = (ptx_register_range){p->lexer.token, 0, p->slots};
        ptx_next(&p->lexer);
        if (ptx_is(&p->lexer, "<")) {
            uint64_t count;
            ptx_next(&p->lexer);
            if (!ptx_expect_number(p, &count) || !ptx_expect(p, ">"))
                return false;
            if (count == 0 || count > 100000)
                return ptx_fail(p, "%llu registers", (unsigned long long)count);
            range->count = (uint32_t)count;
        }
        p->slots += range->count == 0 ? 1 : range->count;
        if (!ptx_is(&p->lexer, ","))
            return ptx_expect(p, ";");
        ptx_next(&p->lexer);
    }
}

static bool find_register(const ptx_parser *p, const ptx_token *name, uint32_t *slot_out)
{
    size_t digits = name->length;
    uint64_t number = 0;
    while (digits > 0 && isdigit((unsigned char)name->text[digits - 1]) != 0)
        digits--;
    const ptx_token stem = {name->text, digits, 0},
                    tail = {name->text + digits, name->length - digits, 0};
    const bool numbered = tail.length > 0 && tail.length < 7;
    for (size_t i = 0; numbered && i < tail.length; i++)
        number = number * 10 + (uint64_t)(tail.text[i] - '0');
    for (uint32_t i = p->range_count; i > 0; i--) {
        const ptx_register_range *range = &p->ranges[i - 1];
        if (range->count == 0 && same(&range->name, name)) {
            *slot_out = range->first_slot;
            return true;
        }
        if (range->count > 0 && numbered && number < range->count && same(&range->name, &stem)) {
            *slot_out = range->first_slot + (uint32_t)number;
            return true;
        }
    }
    return false;
}

static bool find_special(const ptx_token *name, uint32_t *slot_out)
{
    static const struct {
        const char *name;
        uint32_t slot;
    } specials[] = {
        {"%tid.x", PTX_TID},       {"%tid.y", PTX_TID + 1},       {"%tid.z", PTX_TID + 2},
        {"%ntid.x", PTX_NTID},     {"%ntid.y", PTX_NTID + 1},     {"%ntid.z", PTX_NTID + 2},
        {"%ctaid.x", PTX_CTAID},   {"%ctaid.y", PTX_CTAID + 1},   {"%ctaid.z", PTX_CTAID + 2},
        {"%nctaid.x", PTX_NCTAID}, {"%nctaid.y", PTX_NCTAID + 1}, {"%nctaid.z", PTX_NCTAID + 2},
        {"%laneid", PTX_LANEID},   {"%warpid", PTX_WARPID}};
    for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++) {
        if (strlen(specials[i].name) == name->length &&
            memcmp(specials[i].name, name->text, name->length) == 0) {
            *slot_out = specials[i].slot;
            return true;
        }
    }
    return false;
}

/* A constant has a slot behind the registers, whose number is known only at the end of the body. */
static bool add_constant(ptx_parser *p, uint64_t value, uint32_t *slot_out)
{
    ptx_kernel *kernel = p->kernel;
    size_t capacity = kernel->constant_capacity;
    for (uint32_t i = 0; i < kernel->constant_count; i++) {
        if (kernel->constants[i] == value) {
            *slot_out = PTX_CONSTANT | i;
            return true;
        }
    }
    uint64_t *constants = grow(kernel->constants, kernel->constant_count, &capacity, sizeof(value));
    if (constants == NULL)
        return ptx_fail(p, "out of memory");
    kernel->constants = constants;
    kernel->constant_capacity = (uint32_t)capacity;
    constants[kernel->constant_count] = value;
    *slot_out = PTX_CONSTANT | kernel->constant_count++;
    return true;
}

/* A register, a number or the address of a variable. */
static bool parse_value(ptx_parser *p, uint32_t *slot_out, bool *found_out)
{
    uint64_t value;
    const bool negative = ptx_is(&p->lexer, "-");
    *found_out = true;
    if (negative)
        ptx_next(&p->lexer);
    const ptx_token token = p->lexer.token;
    if (ptx_number(&token, &value)) {
        ptx_next(&p->lexer);
        return add_constant(p, negative ? UINT64_C(0) - value : value, slot_out);
    }
    if (token.length > 0 && token.text[0] == '%') {
        if (!find_register(p, &token, slot_out) && !find_special(&token, slot_out))
            return ptx_fail(p, "unknown register '%.*s'", (int)token.length, token.text);
        ptx_next(&p->lexer);
        return true;
    }
    for (uint32_t i = p->symbol_count; i > 0; i--) {
        if (same(&p->symbols[i - 1].name, &token)) {
            const uint64_t address = p->symbols[i - 1].value;
            ptx_next(&p->lexer);
            return add_constant(
                p, address == PTX_DYNAMIC_SHARED ? p->kernel->shared_bytes : address, slot_out);
        }
    }
    *found_out = false;
    return true;
}

/* [value], [value+N], [value-N] */
static bool parse_address(ptx_parser *p, ptx_operand *operand)
{
    bool found;
    uint64_t offset = 0;
    ptx_next(&p->lexer);
    operand->address = true;
    operand->count = 1;
    if (!parse_value(p, &operand->slot[0], &found))
        return false;
    if (!found)
        return ptx_fail(p, "unknown name '%.*s'", (int)p->lexer.token.length, p->lexer.token.text);
    bool negative = ptx_is(&p->lexer, "-");
    if (negative || ptx_is(&p->lexer, "+")) {
        ptx_next(&p->lexer);
        if (!negative && ptx_is(&p->lexer, "-")) {
            negative = true;
            ptx_next(&p->lexer);
        }
        if (!ptx_expect_number(p, &offset))
            return false;
    }
    operand->offset = negative ? -(int64_t)offset : (int64_t)offset;
    return ptx_expect(p, "]");
}

static bool parse_vector(ptx_parser *p, ptx_operand *operand)
{
    operand->braces = true;
    do {
        bool found;
        ptx_next(&p->lexer);
        if (operand->count == PTX_VECTOR_MAXIMUM)
            return ptx_fail(p, "more than %d values", PTX_VECTOR_MAXIMUM);
        if (!parse_value(p, &operand->slot[operand->count++], &found))
            return false;
        if (!found)
            return ptx_fail(p, "unknown name '%.*s'", (int)p->lexer.token.length,
                            p->lexer.token.text);
    } while (ptx_is(&p->lexer, ","));
    return ptx_expect(p, "}");
}

static bool parse_operand(ptx_parser *p, ptx_operand *operand)
{
    bool found;
    *operand = (ptx_operand){0};
    if (ptx_is(&p->lexer, "["))
        return parse_address(p, operand);
    if (ptx_is(&p->lexer, "{"))
        return parse_vector(p, operand);
    if (!parse_value(p, &operand->slot[0], &found))
        return false;
    operand->count = 1;
    if (!found) {
        operand->label = true;
        operand->name = p->lexer.token;
        ptx_next(&p->lexer);
    }
    return true;
}

static bool append(ptx_parser *p, ptx_operation operation, const ptx_token *target)
{
    ptx_kernel *kernel = p->kernel;
    ptx_operation *operations = grow(kernel->operations, kernel->operation_count,
                                     &kernel->operation_capacity, sizeof(operation));
    if (operations == NULL)
        return ptx_fail(p, "out of memory");
    kernel->operations = operations;
    ptx_token *targets =
        grow(p->targets, kernel->operation_count, &p->target_capacity, sizeof(*targets));
    if (targets == NULL)
        return ptx_fail(p, "out of memory");
    p->targets = targets;
    targets[kernel->operation_count] = target != NULL ? *target : (ptx_token){0};
    operation.line = p->lexer.token.line;
    operations[kernel->operation_count++] = operation;
    return true;
}

/* Of a guarded instruction: a branch takes the guard, any other is skipped over. */
static bool append_guarded(ptx_parser *p, ptx_operation *operations, uint32_t count,
                           const ptx_token *target, uint32_t guard, bool negated)
{
    if (operations[0].code == PTX_BRANCH) {
        operations[0].code = negated ? PTX_BRANCH_UNLESS : PTX_BRANCH_IF;
        operations[0].slot[0] = guard;
        return append(p, operations[0], target);
    }
    if (operations[0].code == PTX_BARRIER)
        return ptx_fail(p, "a barrier under a condition");
    for (uint32_t i = 0; i < count; i++) {
        const ptx_operation skip = {.code = negated ? PTX_SKIP_IF : PTX_SKIP_UNLESS,
                                    .slot = {guard}};
        if (!append(p, skip, NULL) || !append(p, operations[i], NULL))
            return false;
    }
    return true;
}

static bool parse_guard(ptx_parser *p, uint32_t *guard_out, bool *negated_out)
{
    ptx_next(&p->lexer);
    *negated_out = ptx_is(&p->lexer, "!");
    if (*negated_out)
        ptx_next(&p->lexer);
    if (!find_register(p, &p->lexer.token, guard_out))
        return ptx_fail(p, "unknown register '%.*s'", (int)p->lexer.token.length,
                        p->lexer.token.text);
    ptx_next(&p->lexer);
    return true;
}

static bool parse_instruction(ptx_parser *p)
{
    ptx_operand operands[PTX_OPERANDS_MAXIMUM];
    ptx_operation operations[2];
    uint32_t operand_count = 0, operation_count = 0, guard = 0;
    bool negated = false;
    const bool guarded = ptx_is(&p->lexer, "@");
    if (guarded && !parse_guard(p, &guard, &negated))
        return false;
    const ptx_token opcode = p->lexer.token;
    ptx_next(&p->lexer);
    while (!ptx_is(&p->lexer, ";")) {
        if (operand_count == PTX_OPERANDS_MAXIMUM || p->lexer.token.length == 0)
            return ptx_fail(p, "unknown instruction '%.*s'", (int)opcode.length, opcode.text);
        if (!parse_operand(p, &operands[operand_count++]))
            return false;
        if (ptx_is(&p->lexer, ","))
            ptx_next(&p->lexer);
        else if (!ptx_is(&p->lexer, ";"))
            return ptx_fail(p, "unknown instruction '%.*s'", (int)opcode.length, opcode.text);
    }
    if (!ptx_decode(&opcode, operands, operand_count, operations, &operation_count))
        return ptx_fail(p, "unknown instruction '%.*s'", (int)opcode.length, opcode.text);
    const ptx_token *target = operations[0].code == PTX_BRANCH ? &operands[0].name : NULL;
    p->kernel->barriers = p->kernel->barriers || operations[0].code == PTX_BARRIER;
    bool good = true;
    if (guarded)
        good = append_guarded(p, operations, operation_count, target, guard, negated);
    for (uint32_t i = 0; good && !guarded && i < operation_count; i++)
        good = append(p, operations[i], target);
    return good && ptx_expect(p, ";");
}

static bool add_label(ptx_parser *p, const ptx_token *name)
{
    size_t capacity = p->label_capacity;
    ptx_label *labels = grow(p->labels, p->label_count, &capacity, sizeof(*labels));
    if (labels == NULL)
        return ptx_fail(p, "out of memory");
    p->labels = labels;
    p->label_capacity = (uint32_t)capacity;
    labels[p->label_count++] = (ptx_label){*name, (uint32_t)p->kernel->operation_count};
    return true;
}

/* .local and .shared in a body. */
static bool parse_memory(ptx_parser *p, uint32_t *bytes)
{
    ptx_declaration declaration;
    ptx_next(&p->lexer);
    if (!ptx_variable(p, &declaration))
        return false;
    const uint32_t offset = ptx_round_up(*bytes, declaration.alignment);
    *bytes = offset + declaration.bytes;
    return ptx_add_symbol(p, &declaration.name, offset, true) && ptx_expect(p, ";");
}

static bool skip_statement(ptx_parser *p)
{
    const uint32_t line = p->lexer.token.line;
    while (p->lexer.token.length > 0 && p->lexer.token.line == line)
        ptx_next(&p->lexer);
    return true;
}

static bool parse_statement(ptx_parser *p)
{
    if (ptx_is(&p->lexer, ".reg"))
        return parse_registers(p);
    if (ptx_is(&p->lexer, ".local"))
        return parse_memory(p, &p->kernel->local_bytes);
    if (ptx_is(&p->lexer, ".shared"))
        return parse_memory(p, &p->kernel->shared_bytes);
    if (ptx_is(&p->lexer, ".loc") || ptx_is(&p->lexer, ".pragma"))
        return skip_statement(p);
    if (!ptx_is(&p->lexer, "@")) {
        ptx_lexer ahead = p->lexer;
        ptx_next(&ahead);
        if (ptx_is(&ahead, ":")) {
            const ptx_token name = p->lexer.token;
            ptx_next(&ahead);
            p->lexer = ahead;
            return add_label(p, &name);
        }
    }
    return parse_instruction(p);
}

static void fix_slot(const ptx_kernel *kernel, uint32_t *slot)
{
    if ((*slot & PTX_CONSTANT) != 0)
        *slot = kernel->first_constant + (*slot & ~(uint32_t)PTX_CONSTANT);
}

/* Gives constants their slots and branches their targets. */
static bool finish(ptx_parser *p)
{
    ptx_kernel *kernel = p->kernel;
    kernel->first_constant = p->slots;
    if (!append(p, (ptx_operation){.code = PTX_EXIT}, NULL))
        return false;
    for (size_t i = 0; i < kernel->operation_count; i++) {
        ptx_operation *operation = &kernel->operations[i];
        for (uint32_t s = 0; s < PTX_VECTOR_MAXIMUM; s++)
            fix_slot(kernel, &operation->slot[s]);
        fix_slot(kernel, &operation->base);
        if (p->targets[i].length == 0)
            continue;
        uint32_t l = 0;
        while (l < p->label_count && !same(&p->labels[l].name, &p->targets[i]))
            l++;
        if (l == p->label_count)
            return ptx_fail(p, "no label '%.*s'", (int)p->targets[i].length, p->targets[i].text);
        operation->target = p->labels[l].operation;
    }
    return true;
}

bool ptx_body(ptx_parser *p)
{
    uint32_t depth = 0;
    p->range_count = 0;
    p->label_count = 0;
    p->slots = PTX_SPECIAL_SLOTS;
    do {
        bool good = true;
        if (ptx_is(&p->lexer, "{"))
            depth++;
        else if (ptx_is(&p->lexer, "}"))
            depth--;
        else if (p->lexer.token.length == 0)
            good = ptx_fail(p, "the body does not end");
        else {
            if (!parse_statement(p))
                return false;
            continue;
        }
        if (!good)
            return false;
        ptx_next(&p->lexer);
    } while (depth > 0);
    return finish(p);
}
