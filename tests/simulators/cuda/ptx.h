/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A small interpreter of PTX: text is parsed once into operations on numbered slots, kernels are
 * then run thread by thread. It knows integer code as clang makes it of the packing kernels; a
 * module with any other instruction is refused with the line and the name of the instruction.
 *
 * Values are kept in slots of 64 bits, of which an operation reads as many as its type has. Slots
 * are: special registers, then registers, then constants, which nothing writes.
 */
#ifndef ASTRIDE_TESTS_SIMULATORS_CUDA_PTX_H
#define ASTRIDE_TESTS_SIMULATORS_CUDA_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PTX_LOG_BYTES = 256, PTX_PARAMETERS_MAXIMUM = 64, PTX_VECTOR_MAXIMUM = 4 };

/* Addresses of the spaces that are not global, as generic addresses: no program has such. */
#define PTX_WINDOW_SHARED (UINT64_C(1) << 56)
#define PTX_WINDOW_LOCAL (UINT64_C(2) << 56)
#define PTX_WINDOW_PARAMETER (UINT64_C(3) << 56)
#define PTX_WINDOW_MASK (UINT64_C(255) << 56)

typedef enum ptx_space { PTX_GENERIC, PTX_GLOBAL, PTX_SHARED, PTX_LOCAL, PTX_PARAMETER } ptx_space;

/* Slots of special registers. */
enum {
    PTX_TID = 0,    /* x, y, z */
    PTX_NTID = 3,   /* x, y, z */
    PTX_CTAID = 6,  /* x, y, z */
    PTX_NCTAID = 9, /* x, y, z */
    PTX_LANEID = 12,
    PTX_WARPID = 13,
    PTX_SPECIAL_SLOTS = 14
};

/* Operations whose result does not depend on the type: further bits are never read. */
#define PTX_PLAIN_OPERATIONS(X)                                                                    \
    X(MOV, a + offset)                                                                             \
    X(ADD, a + b)                                                                                  \
    X(SUB, a - b)                                                                                  \
    X(MUL, a *b)                                                                                   \
    X(MAD, a *b + c)                                                                               \
    X(AND, a &b)                                                                                   \
    X(OR, a | b)                                                                                   \
    X(XOR, a ^ b)                                                                                  \
    X(NOT, ~a)                                                                                     \
    X(NOTP, a ^ 1)                                                                                 \
    X(NEG, UINT64_C(0) - a)                                                                        \
    X(SELP, c != 0 ? a : b)                                                                        \
    X(EXTU8, (uint8_t)a)                                                                           \
    X(EXTS8, (uint64_t)(int64_t)(int8_t)a)                                                         \
    X(EXTU16, (uint16_t)a)                                                                         \
    X(EXTS16, (uint64_t)(int64_t)(int16_t)a)                                                       \
    X(EXTU32, (uint32_t)a)                                                                         \
    X(EXTS32, (uint64_t)(int64_t)(int32_t)a)                                                       \
    X(WIDEU16, (uint64_t)(uint16_t)a *(uint16_t)b)                                                 \
    X(WIDES16, (uint64_t)((int64_t)(int16_t)a * (int16_t)b))                                       \
    X(WIDEU32, (uint64_t)(uint32_t)a *(uint32_t)b)                                                 \
    X(WIDES32, (uint64_t)((int64_t)(int32_t)a * (int32_t)b))                                       \
    X(MADWIDEU16, (uint64_t)(uint16_t)a *(uint16_t)b + c)                                          \
    X(MADWIDES16, (uint64_t)((int64_t)(int16_t)a * (int16_t)b) + c)                                \
    X(MADWIDEU32, (uint64_t)(uint32_t)a *(uint32_t)b + c)                                          \
    X(MADWIDES32, (uint64_t)((int64_t)(int32_t)a * (int32_t)b) + c)                                \
    X(HIU32, ((uint64_t)(uint32_t)a * (uint32_t)b) >> 32)                                          \
    X(HIS32, (uint64_t)(((int64_t)(int32_t)a * (int32_t)b) >> 32))                                 \
    X(HIU64, (uint64_t)(((unsigned __int128)a * b) >> 64))                                         \
    X(HIS64, (uint64_t)(((__int128)(int64_t)a * (int64_t)b) >> 64))                                \
    X(PACK32, (uint32_t)a | b << 32)                                                               \
    X(PACK16, (uint16_t)a | (uint64_t)(uint16_t)b << 16)                                           \
    X(HIGH32, (uint32_t)(a >> 32))                                                                 \
    X(HIGH16, (uint16_t)(a >> 16))                                                                 \
    X(POPC, (uint64_t)__builtin_popcountll(a))

/* Operations on a type; `shift` is b, at most the number of bits. */
#define PTX_TYPED_OPERATIONS(X)                                                                    \
    X(SHL, shift >= bits ? 0 : (uint64_t)x << shift)                                               \
    X(SHR, shift >= bits ? (negative ? UINT64_MAX : 0) : (uint64_t)(x >> shift))                   \
    X(MIN, (uint64_t)(x < y ? x : y))                                                              \
    X(MAX, (uint64_t)(x > y ? x : y))                                                              \
    X(DIV, y == 0                      ? UINT64_MAX                                                \
           : y == (type)-1 && negative ? UINT64_C(0) - (uint64_t)x                                 \
                                       : (uint64_t)(x / y))                                        \
    X(REM, y == 0 ? (uint64_t)x : y == (type)-1 && negative ? 0 : (uint64_t)(x % y))               \
    X(EQ, x == y)                                                                                  \
    X(NE, x != y)                                                                                  \
    X(LT, x < y)                                                                                   \
    X(LE, x <= y)                                                                                  \
    X(GT, x > y)                                                                                   \
    X(GE, x >= y)

/* X(suffix, C type), in the order of ptx_type. */
#define PTX_TYPES(X, operation, expression)                                                        \
    X(operation, U16, uint16_t, expression)                                                        \
    X(operation, S16, int16_t, expression)                                                         \
    X(operation, U32, uint32_t, expression)                                                        \
    X(operation, S32, int32_t, expression)                                                         \
    X(operation, U64, uint64_t, expression)                                                        \
    X(operation, S64, int64_t, expression)

typedef enum ptx_code {
#define PTX_PLAIN(name, expression) PTX_##name,
    PTX_PLAIN_OPERATIONS(PTX_PLAIN)
#undef PTX_PLAIN
#define PTX_TYPED(operation, suffix, type, expression) PTX_##operation##suffix,
#define PTX_OPERATION(operation, expression) PTX_TYPES(PTX_TYPED, operation, expression)
        PTX_TYPED_OPERATIONS(PTX_OPERATION)
#undef PTX_TYPED
#undef PTX_OPERATION
            PTX_LOAD,
    PTX_LOAD_PARAMETER,
    PTX_STORE,
    PTX_BRANCH,
    PTX_BRANCH_IF,
    PTX_BRANCH_UNLESS,
    PTX_SKIP_IF, /* the next operation */
    PTX_SKIP_UNLESS,
    PTX_BARRIER,
    PTX_EXIT
} ptx_code;

typedef struct ptx_operation {
    uint16_t code;
    uint8_t space;
    uint8_t count; /* of values of a load or store */
    uint8_t width; /* of each, in bytes */
    bool sign;
    uint32_t slot[PTX_VECTOR_MAXIMUM]; /* result and operands, or values of a load or store */
    uint32_t base;                     /* slot of an address */
    uint32_t target;                   /* of a branch */
    int64_t offset;                    /* from the base */
    uint32_t line;
} ptx_operation;

typedef struct ptx_kernel {
    char *name;
    ptx_operation *operations;
    size_t operation_count, operation_capacity;
    uint64_t *constants;
    uint32_t constant_count, constant_capacity;
    uint32_t first_constant; /* its slot; as many slots are before it */
    uint32_t parameter_count;
    uint32_t parameter_offset[PTX_PARAMETERS_MAXIMUM];
    uint32_t parameter_bytes[PTX_PARAMETERS_MAXIMUM];
    uint32_t parameters_bytes; /* all together */
    uint32_t shared_bytes, local_bytes;
    uint32_t threads_maximum; /* of a block; 0: no limit of its own */
    bool barriers;
    struct ptx_kernel *next;
} ptx_kernel;

/* A variable in global memory. */
typedef struct ptx_global {
    char *name;
    size_t bytes;
    unsigned char *initial;
    uint64_t address; /* set by the owner of the module before kernels run */
    struct ptx_global *next;
} ptx_global;

typedef struct ptx_module {
    ptx_kernel *kernels;
    ptx_global *globals;
    uint32_t version; /* 60 is 6.0 */
    uint32_t target;  /* 50 is sm_50 */
    char log[PTX_LOG_BYTES];
} ptx_module;

/*
 * Parses a module. `place_global` gives a variable its address when it is declared. On failure the
 * module holds nothing but a log that says why.
 */
bool ptx_parse(const char *text, bool (*place_global)(ptx_global *global, void *argument),
               void *argument, ptx_module *module);
void ptx_free(ptx_module *module);

/* Memory that kernels reach. */
typedef struct ptx_range {
    uint64_t begin, bytes;
    intptr_t to_private;
} ptx_range;

typedef struct ptx_launch {
    const ptx_kernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared_bytes;
    const unsigned char *parameters;
    const ptx_range *ranges; /* sorted */
    size_t range_count;
} ptx_launch;

/* What stopped a kernel. */
typedef enum ptx_fault {
    PTX_DONE,
    PTX_OUT_OF_BOUNDS,
    PTX_MISALIGNED,
    PTX_TOO_LONG,
    PTX_NO_MEMORY
} ptx_fault;

typedef struct ptx_outcome {
    ptx_fault fault;
    uint64_t instructions;
    uint32_t line;    /* of the text, where it went wrong */
    uint64_t address; /* that it used */
    uint32_t bytes;
} ptx_outcome;

ptx_outcome ptx_run(const ptx_launch *launch);

/* Between the files of the interpreter. */

/* Words of a statement: an opcode with its dots, names, numbers, punctuation. */
typedef struct ptx_token {
    const char *text;
    size_t length;
    uint32_t line;
} ptx_token;

typedef struct ptx_lexer {
    const char *at;
    uint32_t line;
    ptx_token token; /* the present one; length 0 at the end */
} ptx_lexer;

void ptx_lexer_start(ptx_lexer *lexer, const char *text);
void ptx_next(ptx_lexer *lexer);
bool ptx_is(const ptx_lexer *lexer, const char *text);
/* Whether the token is a number, with its value as 64 bits. */
bool ptx_number(const ptx_token *token, uint64_t *value_out);
char *ptx_copy_name(const ptx_token *token);

/* An operand as written. */
typedef struct ptx_operand {
    uint32_t slot[PTX_VECTOR_MAXIMUM];
    uint32_t count; /* above 1: a vector in braces */
    bool braces;
    bool address; /* in brackets */
    int64_t offset;
    ptx_token name; /* of a label */
    bool label;
} ptx_operand;

enum { PTX_OPERANDS_MAXIMUM = 5, PTX_CONSTANT = 1 << 30 };

/*
 * Makes operations of one instruction, without its guard. False where it is not known.
 */
bool ptx_decode(const ptx_token *opcode, const ptx_operand *operands, uint32_t operand_count,
                ptx_operation *operations, uint32_t *operation_count);

#endif /* ASTRIDE_TESTS_SIMULATORS_CUDA_PTX_H */
