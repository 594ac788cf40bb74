/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the parser of modules and that of bodies share.
 */
#ifndef ASTRIDE_TESTS_SIMULATORS_CUDA_PTX_PARSER_H
#define ASTRIDE_TESTS_SIMULATORS_CUDA_PTX_PARSER_H

#include "tests/simulators/cuda/ptx.h"

enum { PTX_SYMBOLS_MAXIMUM = 512 };

/* The value of shared memory whose size the launch gives: it lies behind all other. */
#define PTX_DYNAMIC_SHARED UINT64_MAX

/* A variable or parameter by name, with its address in its space. */
typedef struct ptx_symbol {
    ptx_token name;
    uint64_t value;
} ptx_symbol;

/* Registers that one .reg declares: NAME<count>, or one NAME where count is 0. */
typedef struct ptx_register_range {
    ptx_token name;
    uint32_t count, first_slot;
} ptx_register_range;

typedef struct ptx_label {
    ptx_token name;
    uint32_t operation;
} ptx_label;

typedef struct ptx_declaration {
    ptx_token name;
    uint32_t bytes, element_bytes, alignment;
    bool open; /* of no size of its own */
} ptx_declaration;

typedef struct ptx_parser {
    ptx_lexer lexer;
    ptx_module *module;
    ptx_kernel *kernel;
    bool (*place_global)(ptx_global *global, void *argument);
    void *argument;
    ptx_symbol symbols[PTX_SYMBOLS_MAXIMUM];
    uint32_t symbol_count, module_symbol_count;
    uint32_t module_shared_bytes;
    ptx_register_range *ranges;
    uint32_t range_count, range_capacity;
    uint32_t slots; /* special ones and registers of the kernel */
    ptx_label *labels;
    uint32_t label_count, label_capacity;
    ptx_token *targets; /* the label that operation number i branches to */
    size_t target_capacity;
} ptx_parser;

bool ptx_fail(ptx_parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool ptx_expect(ptx_parser *p, const char *text);
bool ptx_expect_number(ptx_parser *p, uint64_t *value_out);
bool ptx_variable(ptx_parser *p, ptx_declaration *declaration);
uint32_t ptx_round_up(uint32_t value, uint32_t alignment);
bool ptx_add_symbol(ptx_parser *p, const ptx_token *name, uint64_t value, bool of_kernel);
/* Parses "{ ... }" of the kernel at hand. */
bool ptx_body(ptx_parser *p);

#endif /* ASTRIDE_TESTS_SIMULATORS_CUDA_PTX_PARSER_H */
