/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Instructions of PTX: from the opcode, with its dots, and the operands to operations of the
 * interpreter. An instruction, or a form of one, that is not here is unknown.
 */
#include <string.h>

#include "tests/simulators/cuda/ptx.h"

enum { PARTS_MAXIMUM = 10 };

/* The parts of an opcode between its dots. */
typedef struct opcode {
    const char *part[PARTS_MAXIMUM];
    size_t length[PARTS_MAXIMUM];
    uint32_t count;
} opcode;

typedef struct type {
    uint32_t bits; /* 1 of a predicate, 0: none */
    bool sign, real;
} type;

static bool split(const ptx_token *token, opcode *o)
{
    const char *at = token->text, *end = token->text + token->length;
    o->count = 0;
    while (at < end) {
        const char *dot = memchr(at, '.', (size_t)(end - at));
        const char *stop = dot != NULL ? dot : end;
        if (o->count == PARTS_MAXIMUM || stop == at)
            return false;
        o->part[o->count] = at;
        o->length[o->count++] = (size_t)(stop - at);
        at = stop + 1;
    }
    return o->count > 0;
}

static bool is(const opcode *o, uint32_t i, const char *text)
{
    return i < o->count && strlen(text) == o->length[i] &&
           memcmp(o->part[i], text, o->length[i]) == 0;
}

static type type_of(const opcode *o, uint32_t i)
{
    static const struct {
        const char *name;
        type type;
    } types[] = {
        {"pred", {1, false, false}}, {"b8", {8, false, false}},   {"u8", {8, false, false}},
        {"s8", {8, true, false}},    {"b16", {16, false, false}}, {"u16", {16, false, false}},
        {"s16", {16, true, false}},  {"b32", {32, false, false}}, {"u32", {32, false, false}},
        {"s32", {32, true, false}},  {"b64", {64, false, false}}, {"u64", {64, false, false}},
        {"s64", {64, true, false}},  {"f32", {32, false, true}},  {"f64", {64, false, true}}};
    for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++)
        if (is(o, i, types[t].name))
            return types[t].type;
    return (type){0};
}

/* Which of the six types of an operation that has them. */
static bool variant_of(type t, uint32_t *variant_out)
{
    if (t.real || (t.bits != 16 && t.bits != 32 && t.bits != 64))
        return false;
    *variant_out = (t.bits == 16 ? 0u : t.bits == 32 ? 2u : 4u) + (t.sign ? 1u : 0u);
    return true;
}

static bool emit(ptx_operation *operation, uint32_t *count, uint32_t code,
                 const ptx_operand *operands, uint32_t operand_count)
{
    *operation = (ptx_operation){.code = (uint16_t)code};
    for (uint32_t i = 0; i < operand_count; i++) {
        if (operands[i].count != 1 || operands[i].address || operands[i].label)
            return false;
        operation->slot[i] = operands[i].slot[0];
    }
    *count = 1;
    return true;
}

/* mov between a register and the parts of it in braces. */
static bool decode_parts(type t, const ptx_operand *operands, ptx_operation *operations,
                         uint32_t *count)
{
    const bool packs = operands[1].braces;
    const ptx_operand *parts = packs ? &operands[1] : &operands[0];
    const uint32_t whole = packs ? operands[0].slot[0] : operands[1].slot[0];
    if (parts->count != 2 || (t.bits != 32 && t.bits != 64) ||
        operands[0].braces == operands[1].braces)
        return false;
    if (packs) {
        operations[0] = (ptx_operation){.code = t.bits == 64 ? PTX_PACK32 : PTX_PACK16,
                                        .slot = {whole, parts->slot[0], parts->slot[1]}};
        *count = 1;
        return true;
    }
    /* The high part first where the low one takes the place of the whole. */
    operations[0] = (ptx_operation){.code = t.bits == 64 ? PTX_HIGH32 : PTX_HIGH16,
                                    .slot = {parts->slot[1], whole}};
    operations[1] = (ptx_operation){.code = t.bits == 64 ? PTX_EXTU32 : PTX_EXTU16,
                                    .slot = {parts->slot[0], whole}};
    *count = 2;
    return parts->slot[1] != whole;
}

typedef struct plain {
    const char *name;
    uint32_t operands;
    uint32_t code;
} plain;

static bool decode_plain(const opcode *o, const ptx_operand *operands, uint32_t operand_count,
                         ptx_operation *operations, uint32_t *count)
{
    static const plain plains[] = {{"mov", 2, PTX_MOV}, {"add", 3, PTX_ADD}, {"sub", 3, PTX_SUB},
                                   {"and", 3, PTX_AND}, {"or", 3, PTX_OR},   {"xor", 3, PTX_XOR},
                                   {"not", 2, PTX_NOT}, {"neg", 2, PTX_NEG}, {"selp", 4, PTX_SELP}};
    const type t = type_of(o, 1);
    if (o->count != 2 || t.bits == 0)
        return false;
    for (size_t i = 0; i < sizeof(plains) / sizeof(plains[0]); i++) {
        if (!is(o, 0, plains[i].name) || operand_count != plains[i].operands)
            continue;
        const bool moves = plains[i].code == PTX_MOV || plains[i].code == PTX_SELP;
        if (t.real && !moves)
            return false;
        if (plains[i].code == PTX_MOV && (operands[0].braces || operands[1].braces))
            return decode_parts(t, operands, operations, count);
        const uint32_t code = plains[i].code == PTX_NOT && t.bits == 1 ? PTX_NOTP : plains[i].code;
        return emit(operations, count, code, operands, operand_count);
    }
    return false;
}

/* shl, shr, min, max, div, rem: name.type. */
static bool decode_typed(const opcode *o, const ptx_operand *operands, uint32_t operand_count,
                         ptx_operation *operations, uint32_t *count)
{
    static const plain typed[] = {{"shl", 3, PTX_SHLU16}, {"shr", 3, PTX_SHRU16},
                                  {"min", 3, PTX_MINU16}, {"max", 3, PTX_MAXU16},
                                  {"div", 3, PTX_DIVU16}, {"rem", 3, PTX_REMU16}};
    uint32_t variant;
    if (o->count != 2 || operand_count != 3 || !variant_of(type_of(o, 1), &variant))
        return false;
    for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++)
        if (is(o, 0, typed[i].name))
            return emit(operations, count, typed[i].code + variant, operands, operand_count);
    return false;
}

static bool decode_setp(const opcode *o, const ptx_operand *operands, uint32_t operand_count,
                        ptx_operation *operations, uint32_t *count)
{
    static const plain compare[] = {
        {"eq", 3, PTX_EQU16}, {"ne", 3, PTX_NEU16}, {"lt", 3, PTX_LTU16}, {"le", 3, PTX_LEU16},
        {"gt", 3, PTX_GTU16}, {"ge", 3, PTX_GEU16}, {"lo", 3, PTX_LTU16}, {"ls", 3, PTX_LEU16},
        {"hi", 3, PTX_GTU16}, {"hs", 3, PTX_GEU16}};
    uint32_t variant;
    if (!is(o, 0, "setp") || o->count != 3 || operand_count != 3 ||
        !variant_of(type_of(o, 2), &variant))
        return false;
    for (size_t i = 0; i < sizeof(compare) / sizeof(compare[0]); i++)
        if (is(o, 1, compare[i].name))
            return emit(operations, count, compare[i].code + variant, operands, operand_count);
    return false;
}

/* mul and mad: .lo, .hi or .wide, then the type. */
static bool decode_multiply(const opcode *o, const ptx_operand *operands, uint32_t operand_count,
                            ptx_operation *operations, uint32_t *count)
{
    const type t = type_of(o, 2);
    const bool adds = is(o, 0, "mad");
    if ((!adds && !is(o, 0, "mul")) || o->count != 3 || t.bits < 16 || t.real ||
        operand_count != (adds ? 4u : 3u))
        return false;
    if (is(o, 1, "lo"))
        return emit(operations, count, adds ? PTX_MAD : PTX_MUL, operands, operand_count);
    if (is(o, 1, "wide") && t.bits < 64) {
        const uint32_t first = adds ? PTX_MADWIDEU16 : PTX_WIDEU16;
        return emit(operations, count, first + (t.bits == 32 ? 2u : 0u) + (t.sign ? 1u : 0u),
                    operands, operand_count);
    }
    if (is(o, 1, "hi") && !adds && t.bits >= 32)
        return emit(operations, count, PTX_HIU32 + (t.bits == 64 ? 2u : 0u) + (t.sign ? 1u : 0u),
                    operands, operand_count);
    return false;
}

/* The bits that count are those of the narrower type; it says how they are extended. */
static bool decode_convert(const opcode *o, const ptx_operand *operands, uint32_t operand_count,
                           ptx_operation *operations, uint32_t *count)
{
    const type to = type_of(o, 1), from = type_of(o, 2);
    if (!is(o, 0, "cvt") || o->count != 3 || operand_count != 2 || to.bits < 8 || from.bits < 8 ||
        to.real || from.real)
        return false;
    const type narrow = to.bits < from.bits ? to : from;
    uint32_t code = PTX_MOV;
    if (narrow.bits < 64)
        code = PTX_EXTU8 +
               (narrow.bits == 8    ? 0u
                : narrow.bits == 16 ? 2u
                                    : 4u) +
               (narrow.sign ? 1u : 0u);
    return emit(operations, count, code, operands, operand_count);
}

static bool space_of(const opcode *o, uint32_t i, ptx_space *space_out)
{
    static const struct {
        const char *name;
        ptx_space space;
    } spaces[] = {{"global", PTX_GLOBAL},
                  {"const", PTX_GLOBAL},
                  {"shared", PTX_SHARED},
                  {"local", PTX_LOCAL},
                  {"param", PTX_PARAMETER}};
    for (size_t s = 0; s < sizeof(spaces) / sizeof(spaces[0]); s++) {
        if (is(o, i, spaces[s].name)) {
            *space_out = spaces[s].space;
            return true;
        }
    }
    return false;
}

/* cvta.space and cvta.to.space: a difference between the two kinds of address. */
static bool decode_address(const opcode *o, const ptx_operand *operands, uint32_t operand_count,
                           ptx_operation *operations, uint32_t *count)
{
    static const uint8_t window[] = {
        [PTX_GLOBAL] = 0, [PTX_SHARED] = 1, [PTX_LOCAL] = 2, [PTX_PARAMETER] = 3};
    ptx_space space;
    const bool to = is(o, 1, "to");
    if (!is(o, 0, "cvta") || o->count != (to ? 4u : 3u) || operand_count != 2 ||
        !space_of(o, to ? 2 : 1, &space) || type_of(o, o->count - 1).bits != 64)
        return false;
    if (!emit(operations, count, PTX_MOV, operands, operand_count))
        return false;
    operations->offset = (int64_t)((uint64_t)window[space] << 56);
    if (to)
        operations->offset = -operations->offset;
    return true;
}

/* Ways of caching and ordering that make no difference to one thread after the other. */
static bool is_way(const opcode *o, uint32_t i)
{
    static const char *const ways[] = {"volatile", "weak", "relaxed", "cta", "gpu", "sys", "nc",
                                       "ca",       "cg",   "cs",      "lu",  "cv",  "wb",  "wt"};
    for (size_t w = 0; w < sizeof(ways) / sizeof(ways[0]); w++)
        if (is(o, i, ways[w]))
            return true;
    return false;
}

static bool decode_memory(const opcode *o, const ptx_operand *operands, uint32_t operand_count,
                          ptx_operation *operations, uint32_t *count)
{
    const bool stores = is(o, 0, "st");
    ptx_space space = PTX_GENERIC;
    uint32_t i = 1, vector = 1;
    if ((!stores && !is(o, 0, "ld")) || operand_count != 2)
        return false;
    for (; i + 1 < o->count; i++) {
        if (is(o, i, "v2"))
            vector = 2;
        else if (is(o, i, "v4"))
            vector = 4;
        else if (!space_of(o, i, &space) && !is_way(o, i))
            return false;
    }
    const type t = type_of(o, i);
    const ptx_operand *at = &operands[stores ? 0 : 1], *values = &operands[stores ? 1 : 0];
    if (t.bits < 8 || !at->address || values->address || values->label || values->count != vector ||
        (stores && space == PTX_PARAMETER))
        return false;
    *operations = (ptx_operation){.code = stores                   ? PTX_STORE
                                          : space == PTX_PARAMETER ? PTX_LOAD_PARAMETER
                                                                   : PTX_LOAD,
                                  .space = (uint8_t)space,
                                  .count = (uint8_t)vector,
                                  .width = (uint8_t)(t.bits / 8),
                                  .sign = t.sign,
                                  .base = at->slot[0],
                                  .offset = at->offset};
    memcpy(operations->slot, values->slot, sizeof(operations->slot));
    *count = 1;
    return true;
}

/* Branches; the parser finds the label. bar.sync is of all threads of the block, by number 0. */
static bool decode_control(const opcode *o, const ptx_operand *operands, uint32_t operand_count,
                           ptx_operation *operations, uint32_t *count)
{
    *operations = (ptx_operation){0};
    *count = 1;
    if (is(o, 0, "bra") && operand_count == 1 && operands[0].label &&
        (o->count == 1 || (o->count == 2 && is(o, 1, "uni")))) {
        operations->code = PTX_BRANCH;
        return true;
    }
    if ((is(o, 0, "ret") || is(o, 0, "exit")) && operand_count == 0) {
        operations->code = PTX_EXIT;
        return true;
    }
    const bool sync = (is(o, 0, "bar") || is(o, 0, "barrier")) &&
                      (is(o, 1, "sync") || (is(o, 1, "cta") && is(o, 2, "sync")));
    operations->code = PTX_BARRIER;
    return sync && operand_count == 1 && operands[0].count == 1 && !operands[0].label;
}

static bool decode_popc(const opcode *o, const ptx_operand *operands, uint32_t operand_count,
                        ptx_operation *operations, uint32_t *count)
{
    if (!is(o, 0, "popc") || !is(o, 1, "b64") || o->count != 2 || operand_count != 2)
        return false;
    return emit(operations, count, PTX_POPC, operands, operand_count);
}

bool ptx_decode(const ptx_token *token, const ptx_operand *operands, uint32_t operand_count,
                ptx_operation *operations, uint32_t *operation_count)
{
    opcode o;
    if (!split(token, &o))
        return false;
    return decode_plain(&o, operands, operand_count, operations, operation_count) ||
           decode_typed(&o, operands, operand_count, operations, operation_count) ||
           decode_setp(&o, operands, operand_count, operations, operation_count) ||
           decode_multiply(&o, operands, operand_count, operations, operation_count) ||
           decode_convert(&o, operands, operand_count, operations, operation_count) ||
           decode_address(&o, operands, operand_count, operations, operation_count) ||
           decode_memory(&o, operands, operand_count, operations, operation_count) ||
           decode_popc(&o, operands, operand_count, operations, operation_count) ||
           decode_control(&o, operands, operand_count, operations, operation_count);
}
