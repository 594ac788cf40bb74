/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Modules of PTX: directives, variables, parameters and the headings of kernels. The bodies are in
 * ptx_body.c.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simulators/cuda/ptx_parser.h"

bool ptx_fail(ptx_parser *p, const char *format, ...)
{
    char text[PTX_LOG_BYTES - 64];
    va_list arguments;
    if (p->module->log[0] != '\0')
        return false;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    snprintf(p->module->log, sizeof(p->module->log), "ptx line %u: %s", p->lexer.token.line, text);
    return false;
}

bool ptx_expect(ptx_parser *p, const char *text)
{
    if (!ptx_is(&p->lexer, text))
        return ptx_fail(p, "'%s' expected before '%.*s'", text, (int)p->lexer.token.length,
                        p->lexer.token.text);
    ptx_next(&p->lexer);
    return true;
}

bool ptx_expect_number(ptx_parser *p, uint64_t *value_out)
{
    if (!ptx_number(&p->lexer.token, value_out))
        return ptx_fail(p, "a number expected before '%.*s'", (int)p->lexer.token.length,
                        p->lexer.token.text);
    ptx_next(&p->lexer);
    return true;
}

/* ".b8" and the like: bytes of the type; 0 where it is none. */
static uint32_t type_bytes(const ptx_token *token)
{
    if (token->length == 3 && token->text[0] == '.' && strchr("bus", token->text[1]) != NULL &&
        token->text[2] == '8')
        return 1;
    if (token->length != 4 || token->text[0] != '.' || strchr("busf", token->text[1]) == NULL)
        return 0;
    if (memcmp(token->text + 2, "16", 2) == 0)
        return 2;
    if (memcmp(token->text + 2, "32", 2) == 0)
        return 4;
    return memcmp(token->text + 2, "64", 2) == 0 ? 8 : 0;
}

/* [.align N] .type name [ "[" N? "]" ] */
bool ptx_variable(ptx_parser *p, ptx_declaration *declaration)
{
    uint64_t count = 1;
    *declaration = (ptx_declaration){.alignment = 1};
    uint64_t alignment = 0;
    while (ptx_is(&p->lexer, ".align") || ptx_is(&p->lexer, ".ptr") ||
           ptx_is(&p->lexer, ".global")) {
        const bool aligns = ptx_is(&p->lexer, ".align");
        ptx_next(&p->lexer);
        if (aligns && !ptx_expect_number(p, &alignment))
            return false;
    }
    const uint32_t bytes = type_bytes(&p->lexer.token);
    if (bytes == 0)
        return ptx_fail(p, "unknown type '%.*s'", (int)p->lexer.token.length, p->lexer.token.text);
    ptx_next(&p->lexer);
    /* A pointer's own properties may stand behind the type. */
    while (ptx_is(&p->lexer, ".ptr") || ptx_is(&p->lexer, ".global") ||
           ptx_is(&p->lexer, ".shared") || ptx_is(&p->lexer, ".align")) {
        const bool aligns = ptx_is(&p->lexer, ".align");
        uint64_t unused;
        ptx_next(&p->lexer);
        if (aligns && !ptx_expect_number(p, &unused))
            return false;
    }
    declaration->name = p->lexer.token;
    ptx_next(&p->lexer);
    if (ptx_is(&p->lexer, "[")) {
        ptx_next(&p->lexer);
        declaration->open = ptx_is(&p->lexer, "]");
        if (!declaration->open && !ptx_expect_number(p, &count))
            return false;
        if (!ptx_expect(p, "]"))
            return false;
    }
    if (count > UINT32_MAX / 16)
        return ptx_fail(p, "a variable of %llu elements", (unsigned long long)count);
    declaration->element_bytes = bytes;
    declaration->bytes = declaration->open ? 0 : bytes * (uint32_t)count;
    declaration->alignment = alignment > bytes ? (uint32_t)alignment : bytes;
    return true;
}

uint32_t ptx_round_up(uint32_t value, uint32_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

bool ptx_add_symbol(ptx_parser *p, const ptx_token *name, uint64_t value, bool of_kernel)
{
    if (p->symbol_count == PTX_SYMBOLS_MAXIMUM)
        return ptx_fail(p, "more than %d symbols", PTX_SYMBOLS_MAXIMUM);
    p->symbols[p->symbol_count++] = (ptx_symbol){*name, value};
    if (!of_kernel)
        p->module_symbol_count = p->symbol_count;
    return true;
}

/* "= N" or "= { N, N }". */
static bool parse_initial(ptx_parser *p, ptx_global *global, uint32_t element_bytes)
{
    size_t at = 0;
    const bool braces = ptx_is(&p->lexer, "{");
    if (braces)
        ptx_next(&p->lexer);
    do {
        uint64_t value;
        const bool negative = ptx_is(&p->lexer, "-");
        if (negative)
            ptx_next(&p->lexer);
        if (!ptx_expect_number(p, &value))
            return false;
        if (negative)
            value = UINT64_C(0) - value;
        if (at + element_bytes > global->bytes)
            return ptx_fail(p, "more values than the variable has");
        memcpy(global->initial + at, &value, element_bytes);
        at += element_bytes;
        if (!ptx_is(&p->lexer, ","))
            break;
        ptx_next(&p->lexer);
    } while (braces);
    return !braces || ptx_expect(p, "}");
}

static bool parse_global(ptx_parser *p)
{
    ptx_declaration declaration;
    ptx_next(&p->lexer);
    if (!ptx_variable(p, &declaration))
        return false;
    ptx_global *global = calloc(1, sizeof(*global));
    if (global == NULL)
        return ptx_fail(p, "out of memory");
    global->next = p->module->globals;
    p->module->globals = global;
    global->name = ptx_copy_name(&declaration.name);
    global->bytes = declaration.bytes;
    global->initial = calloc(1, declaration.bytes + 1);
    if (global->name == NULL || global->initial == NULL)
        return ptx_fail(p, "out of memory");
    if (ptx_is(&p->lexer, "=")) {
        ptx_next(&p->lexer);
        if (!parse_initial(p, global, declaration.element_bytes))
            return false;
    }
    if (global->bytes == 0 || !p->place_global(global, p->argument))
        return ptx_fail(p, "no memory for the variable %s", global->name);
    return ptx_add_symbol(p, &declaration.name, global->address, false) && ptx_expect(p, ";");
}

/* Shared memory of the module: every kernel has it at the same place. */
static bool parse_shared(ptx_parser *p)
{
    ptx_declaration declaration;
    ptx_next(&p->lexer);
    if (!ptx_variable(p, &declaration))
        return false;
    p->module_shared_bytes = ptx_round_up(p->module_shared_bytes, declaration.alignment);
    if (!ptx_add_symbol(p, &declaration.name,
                        declaration.open ? PTX_DYNAMIC_SHARED : p->module_shared_bytes, false))
        return false;
    p->module_shared_bytes += declaration.bytes;
    return ptx_expect(p, ";");
}

static bool parse_parameters(ptx_parser *p)
{
    ptx_kernel *kernel = p->kernel;
    if (!ptx_is(&p->lexer, "("))
        return true;
    ptx_next(&p->lexer);
    while (!ptx_is(&p->lexer, ")")) {
        ptx_declaration declaration;
        if (!ptx_expect(p, ".param") || !ptx_variable(p, &declaration))
            return false;
        if (kernel->parameter_count == PTX_PARAMETERS_MAXIMUM)
            return ptx_fail(p, "more than %d parameters", PTX_PARAMETERS_MAXIMUM);
        const uint32_t offset = ptx_round_up(kernel->parameters_bytes, declaration.alignment);
        kernel->parameter_offset[kernel->parameter_count] = offset;
        kernel->parameter_bytes[kernel->parameter_count++] = declaration.bytes;
        kernel->parameters_bytes = offset + declaration.bytes;
        if (!ptx_add_symbol(p, &declaration.name, offset, true))
            return false;
        if (ptx_is(&p->lexer, ","))
            ptx_next(&p->lexer);
        else if (!ptx_is(&p->lexer, ")"))
            return ptx_expect(p, ")");
    }
    ptx_next(&p->lexer);
    return true;
}

/* .maxntid, .reqntid and their like, before the body. */
static bool parse_limits(ptx_parser *p)
{
    while (!ptx_is(&p->lexer, "{")) {
        const bool threads = ptx_is(&p->lexer, ".maxntid") || ptx_is(&p->lexer, ".reqntid");
        if (!threads && !ptx_is(&p->lexer, ".minnctapersm") && !ptx_is(&p->lexer, ".maxnreg"))
            return ptx_fail(p, "unknown directive '%.*s'", (int)p->lexer.token.length,
                            p->lexer.token.text);
        uint64_t product = 1;
        do {
            uint64_t value;
            ptx_next(&p->lexer);
            if (!ptx_expect_number(p, &value))
                return false;
            product *= value;
        } while (ptx_is(&p->lexer, ","));
        if (threads)
            p->kernel->threads_maximum = (uint32_t)product;
    }
    return true;
}

static bool parse_kernel(ptx_parser *p)
{
    ptx_kernel *kernel = calloc(1, sizeof(*kernel));
    if (kernel == NULL)
        return ptx_fail(p, "out of memory");
    kernel->next = p->module->kernels;
    p->module->kernels = kernel;
    p->kernel = kernel;
    p->symbol_count = p->module_symbol_count;
    kernel->shared_bytes = p->module_shared_bytes;
    ptx_next(&p->lexer);
    kernel->name = ptx_copy_name(&p->lexer.token);
    ptx_next(&p->lexer);
    return kernel->name != NULL && parse_parameters(p) && parse_limits(p) && ptx_body(p);
}

static bool parse_version(ptx_parser *p)
{
    ptx_next(&p->lexer);
    const ptx_token version = p->lexer.token;
    if (version.length < 3 || version.text[version.length - 2] != '.')
        return ptx_fail(p, "version '%.*s'", (int)version.length, version.text);
    p->module->version = (uint32_t)strtoul(version.text, NULL, 10) * 10 +
                         (uint32_t)(version.text[version.length - 1] - '0');
    ptx_next(&p->lexer);
    return true;
}

static bool parse_target(ptx_parser *p)
{
    ptx_next(&p->lexer);
    if (p->lexer.token.length < 4 || memcmp(p->lexer.token.text, "sm_", 3) != 0)
        return ptx_fail(p, "target '%.*s'", (int)p->lexer.token.length, p->lexer.token.text);
    p->module->target = (uint32_t)strtoul(p->lexer.token.text + 3, NULL, 10);
    ptx_next(&p->lexer);
    while (ptx_is(&p->lexer, ",")) {
        ptx_next(&p->lexer);
        ptx_next(&p->lexer);
    }
    return true;
}

static bool parse_directive(ptx_parser *p)
{
    if (ptx_is(&p->lexer, ".version"))
        return parse_version(p);
    if (ptx_is(&p->lexer, ".target"))
        return parse_target(p);
    if (ptx_is(&p->lexer, ".address_size")) {
        ptx_next(&p->lexer);
        return ptx_expect(p, "64");
    }
    if (ptx_is(&p->lexer, ".visible") || ptx_is(&p->lexer, ".weak") ||
        ptx_is(&p->lexer, ".extern")) {
        ptx_next(&p->lexer);
        return true;
    }
    if (ptx_is(&p->lexer, ".entry"))
        return parse_kernel(p);
    if (ptx_is(&p->lexer, ".global") || ptx_is(&p->lexer, ".const"))
        return parse_global(p);
    if (ptx_is(&p->lexer, ".shared"))
        return parse_shared(p);
    return ptx_fail(p, "unknown directive '%.*s'", (int)p->lexer.token.length, p->lexer.token.text);
}

bool ptx_parse(const char *text, bool (*place_global)(ptx_global *global, void *argument),
               void *argument, ptx_module *module)
{
    *module = (ptx_module){0};
    ptx_parser *p = calloc(1, sizeof(*p));
    if (p == NULL)
        return false;
    p->module = module;
    p->place_global = place_global;
    p->argument = argument;
    ptx_lexer_start(&p->lexer, text);
    bool good = ptx_is(&p->lexer, ".version") || ptx_fail(p, "it does not begin with .version");
    while (good && p->lexer.token.length > 0)
        good = parse_directive(p);
    if (good && module->target == 0)
        good = ptx_fail(p, "no .target");
    free(p->ranges);
    free(p->targets);
    free(p->labels);
    free(p);
    if (!good)
        ptx_free(module);
    return good;
}

void ptx_free(ptx_module *module)
{
    while (module->kernels != NULL) {
        ptx_kernel *kernel = module->kernels;
        module->kernels = kernel->next;
        free(kernel->operations);
        free(kernel->constants);
        free(kernel->name);
        free(kernel);
    }
    while (module->globals != NULL) {
        ptx_global *global = module->globals;
        module->globals = global->next;
        free(global->initial);
        free(global->name);
        free(global);
    }
}
