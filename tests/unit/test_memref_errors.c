/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Texts that are refused as memref types: words and place of every error, the lines with the caret,
 * and random changes of types, which must never do harm. Accepted ones are in test_memref_type.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/count.h"
#include "tests/support/memref_check.h"
#include "tests/support/random.h"
#include "tools/memref_type.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* A text that is refused, and where: under the '^' of the line below it. */
typedef struct error_case {
    const char *text, *caret, *message;
} error_case;

static void assert_errors(const error_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        memref_type type, untouched;
        memref_type_error error;

        print_message("# %s\n", cases[i].text);
        memset(&type, 0x5a, sizeof(type));
        memset(&untouched, 0x5a, sizeof(untouched));
        assert_false(memref_type_parse(cases[i].text, &type, &error));
        assert_string_equal(error.message, cases[i].message);
        assert_int_equal(error.position, strlen(cases[i].caret) - 1);
        assert_memory_equal(&type, &untouched, sizeof(type));
    }
}

static void malformed_shape_is_refused_where_it_is_wrong(void **state)
{
    static const error_case cases[] = {
        {"", "^", "expected a type that begins with memref<, not the end of the type"},
        {"tensor<8xf32>", "^", "expected a type that begins with memref<, not 'tensor'"},
        {"  memrefs<8xf32>", "  ^", "expected a type that begins with memref<, not 'memrefs'"},
        {"\xc3\xa9", "^", "expected a type that begins with memref<, not a byte of value 0xc3"},
        {"memref8xf32", "^", "expected a type that begins with memref<, not 'memref8xf32'"},
        {"memref", "      ^", "expected '<' after memref, not the end of the type"},
        {"memref<?xf32>", "       ^", "a plan needs numbers: put an extent in place of '?'"},
        {"memref<8x?xf32>", "         ^", "a plan needs numbers: put an extent in place of '?'"},
        {"memref<*xf32>", "       ^", "an unranked memref has no shape to make a plan for"},
        {"memref<-1xf32>", "       ^",
         "expected an element type such as f32, i8 or index, not '-'"},
        {"memref<8>", "        ^", "expected 'x' after an extent, not '>'"},
        {"memref<8f32>", "        ^", "expected 'x' after an extent, not 'f32'"},
        {"memref<8x>", "         ^", "expected an element type such as f32, i8 or index, not '>'"},
        {"memref<9223372036854775808xi8>", "       ^",
         "the number is larger than 9223372036854775807"},
        {"memref<8x4294967296x4294967296xi8>", "       ^", "stride 0 overflows 63 bits"},
        {"memref<2x9223372036854775807xf32>", "       ^",
         "stride 0, 9223372036854775807 elements of 4 bytes, overflows 63 bits"},
        {"memref<8xf32", "            ^", "expected ',' or '>', not the end of the type"},
        {"memref<8xf32 8>", "             ^", "expected ',' or '>', not '8'"},
        {"memref<8xf32> f32", "              ^", "expected nothing after the type, not 'f32'"},
    };

    (void)state;
    assert_errors(cases, LENGTH(cases));
}

static void malformed_element_is_refused_where_it_is_wrong(void **state)
{
    static const error_case cases[] = {
        {"memref<8xfoo>", "         ^",
         "expected an element type such as f32, i8 or index, not 'foo'"},
        {"memref<8xi>", "         ^", "expected an element type such as f32, i8 or index, not 'i'"},
        {"memref<8xi8x>", "         ^",
         "expected an element type such as f32, i8 or index, not 'i8x'"},
        {"memref<aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa>", "       ^",
         "expected an element type such as f32, i8 or index, not 'aaaaaaaaaaaaaaaaaaaaaaaa...'"},
        {"memref<8xi0>", "         ^", "the width of an integer type must be 1 to 16777215 bits"},
        {"memref<8xui16777216>", "         ^",
         "the width of an integer type must be 1 to 16777215 bits"},
        {"memref<8xsi99999999999999999999>", "         ^",
         "the width of an integer type must be 1 to 16777215 bits"},
        {"memref<8xtf32>", "         ^", "tf32 has no layout in memory: MLIR does not lower it"},
        {"memref<8x!llvm.ptr>", "         ^",
         "the size of an element of a dialect's type is not known"},
        {"memref<8xmemref<2xf32>>", "         ^", "memref is no element type that can be copied"},
        {"memref<8xtuple<f32>>", "         ^", "tuple is no element type that can be copied"},
        {"memref<8xcomplex>", "                ^", "expected '<' after complex, not '>'"},
        {"memref<8xcomplex<index>>", "                 ^",
         "complex is made of integers or floats, not of index"},
        {"memref<8xcomplex<vector<2xf32>>>", "                 ^",
         "expected an element type such as f32, i8 or index, not 'vector'"},
        {"memref<8xcomplex<f32", "                    ^",
         "expected '>' after the type in complex<...>, not the end of the type"},
        {"memref<8xvector>", "               ^", "expected '<' after vector, not '>'"},
        {"memref<8xvector<0xf32>>", "                ^",
         "an extent of a vector must be at least 1"},
        {"memref<8xvector<[4]xf32>>", "                ^",
         "a scalable vector has no size to make a plan for"},
        {"memref<8xvector<?xf32>>", "                ^",
         "a plan needs numbers: put an extent in place of '?'"},
        {"memref<8xvector<2xcomplex<f32>>>", "                  ^",
         "expected an element type such as f32, i8 or index, not 'complex'"},
        {"memref<8xvector<2xf32>", "                      ^",
         "expected ',' or '>', not the end of the type"},
        {"memref<8xvector<9223372036854775807xf32>>", "                ^",
         "the size of the vector overflows 63 bits"},
        {"memref<8xvector<9223372036854775807x2xf32>>", "                ^",
         "the size of the vector overflows 63 bits"},
    };

    (void)state;
    assert_errors(cases, LENGTH(cases));
}

static void malformed_strided_layout_is_refused_where_it_is_wrong(void **state)
{
    static const error_case cases[] = {
        {"memref<8xf32, strided>", "                     ^", "expected '<' after strided, not '>'"},
        {"memref<8xf32, strided<1>>", "                      ^",
         "expected '[' before the strides, not '1'"},
        {"memref<8xf32, strided<[1, 2]>>", "                      ^",
         "the number of strides, 2, is not the rank, 1"},
        {"memref<8x8xf32, strided<[1]>>", "                        ^",
         "the number of strides, 1, is not the rank, 2"},
        {"memref<8xf32, strided<[?]>>", "                       ^",
         "a plan needs numbers: put a stride in place of '?'"},
        {"memref<8xf32, strided<[1], offset: ?>>", "                                   ^",
         "a plan needs numbers: put an offset in place of '?'"},
        {"memref<8xf32, strided<[x]>>", "                       ^", "expected a stride, not 'x'"},
        {"memref<8xf32, strided<[1,]>>", "                         ^",
         "expected a stride, not ']'"},
        {"memref<8xf32, strided<[--1]>>", "                        ^",
         "expected a stride, not '-'"},
        {"memref<8xf32, strided<[1 2]>>", "                         ^",
         "expected ',' or ']' after a stride, not '2'"},
        {"memref<8xf32, strided<[1], 10>>", "                           ^",
         "expected offset, not '10'"},
        {"memref<8xf32, strided<[1], offset 10>>", "                                  ^",
         "expected ':' after offset, not '10'"},
        {"memref<8xf32, strided<[1], offset: >>", "                                   ^",
         "expected an offset, not '>'"},
        {"memref<8xf32, strided<[1], offset: 1, 2>>", "                                    ^",
         "expected '>' after the strides and the offset, not ','"},
        {"memref<8xf32, strided<[9223372036854775808]>>", "                       ^",
         "the number is larger than 9223372036854775807"},
        {"memref<8xf32, strided<[4611686018427387904]>>", "              ^",
         "stride 0, 4611686018427387904 elements of 4 bytes, overflows 63 bits"},
        {"memref<8xf64, strided<[1], offset: -1152921504606846977>>", "              ^",
         "the offset, -1152921504606846977 elements of 8 bytes, overflows 63 bits"},
    };

    (void)state;
    assert_errors(cases, LENGTH(cases));
}

static void affine_map_that_is_not_strided_is_refused_where_it_is_wrong(void **state)
{
    static const error_case cases[] = {
        {"memref<8xf32, affine_map>", "                        ^",
         "expected '<' after affine_map, not '>'"},
        {"memref<8xf32, affine_map<d0>>", "                         ^",
         "expected '(' before the map's dimensions, not 'd0'"},
        {"memref<8xf32, affine_map<(1) -> (1)>>", "                          ^",
         "expected the name of a dimension, not '1'"},
        {"memref<8x8xf32, affine_map<(d0, d0) -> (d0)>>", "                                ^",
         "'d0' is named twice"},
        {"memref<8xf32, affine_map<(d0)[d0] -> (d0)>>", "                              ^",
         "'d0' is named twice"},
        {"memref<8x8xf32, affine_map<(d0) -> (d0)>>", "                           ^",
         "the number of dimensions, 1, is not the rank, 2"},
        {"memref<8xf32, affine_map<(d0) (d0)>>", "                              ^",
         "expected '->' after the map's dimensions, not '('"},
        {"memref<8xf32, affine_map<(d0) - (d0)>>", "                                ^",
         "expected '>' after '-', not '('"},
        {"memref<8xf32, affine_map<(d0) -> d0>>", "                                 ^",
         "expected '(' before the map's results, not 'd0'"},
        {"memref<8xf32, affine_map<(d0) -> ()>>", "                                  ^",
         "expected a number or a dimension of the map, not ')'"},
        {"memref<8xf32, affine_map<(d0) -> (d1)>>", "                                  ^",
         "expected a number or a dimension of the map, not 'd1'"},
        {"memref<8xf32, affine_map<(d0)[s0] -> (d0 * s0)>>",
         "                                           ^",
         "a plan needs numbers: put one in place of the symbol"},
        {"memref<8x8xf32, affine_map<(d0, d1) -> (d0 * d1)>>",
         "                                           ^",
         "a product of dimensions is no strided layout"},
        {"memref<8xf32, affine_map<(d0) -> (d0 floordiv 2)>>",
         "                                     ^", "floordiv makes this layout no strided one"},
        {"memref<8xf32, affine_map<(d0) -> (d0 ceildiv 2)>>",
         "                                     ^", "ceildiv makes this layout no strided one"},
        {"memref<8xf32, affine_map<(d0) -> (8 + d0 * 3 mod 2)>>",
         "                                             ^", "mod makes this layout no strided one"},
        {"memref<8xf32, affine_map<(d0) -> (d0 mod 0)>>", "                                     ^",
         "the right side of mod must be a positive number"},
        {"memref<8xf32, affine_map<(d0) -> (8 floordiv d0)>>",
         "                                    ^",
         "the right side of floordiv must be a positive number"},
        {"memref<8xf32, affine_map<(d0) -> (d0 d0)>>", "                                     ^",
         "expected an operator, ',' or ')' after a result of the map, not 'd0'"},
        {"memref<8xf32, affine_map<(d0) -> ((d0 + 1>", "                                         ^",
         "expected an operator or ')' in the expression, not '>'"},
        {"memref<8xi8, affine_map<(d0) -> (d0 * 9223372036854775807 * 2)>>",
         "                                                          ^",
         "the layout's numbers overflow 63 bits"},
        {"memref<8xi8, affine_map<(d0) -> (9223372036854775807 + 1)>>",
         "                                                     ^",
         "the layout's numbers overflow 63 bits"},
        {"memref<8x8xf32, affine_map<(d0, d1) -> (d1, d0 + 1)>>",
         "                                            ^",
         "of several results each must be one dimension of its own"},
        {"memref<8x8xf32, affine_map<(d0, d1) -> (2 * d1, d0)>>",
         "                                        ^",
         "of several results each must be one dimension of its own"},
        {"memref<8x8xf32, affine_map<(d0, d1) -> (d1, d1)>>",
         "                                            ^",
         "of several results each must be one dimension of its own"},
        {"memref<8x8x8xf32, affine_map<(d0, d1, d2) -> (d1, d0)>>",
         "                                             ^",
         "the number of results, 2, is neither 1 nor the rank, 3"},
        {"memref<8x4294967296x4294967296xi8, affine_map<(d0, d1, d2) -> (d0, d2, d1)>>",
         "                                                              ^",
         "stride 0 overflows 63 bits"},
        {"memref<8xf32, affine_map<(d0) -> (d0)", "                                     ^",
         "expected '>' after the map, not the end of the type"},
    };

    (void)state;
    assert_errors(cases, LENGTH(cases));
}

static void malformed_memory_space_is_refused_where_it_is_wrong(void **state)
{
    static const error_case cases[] = {
        {"memref<8xf32, >", "              ^",
         "expected a layout (strided<...> or affine_map<...>) or a memory space, not '>'"},
        {"memref<8xf32, global>", "              ^",
         "expected a layout (strided<...> or affine_map<...>) or a memory space, not 'global'"},
        {"memref<8xf32, 1, 2>", "                 ^", "a memref has one memory space only"},
        {"memref<8xf32, 1, strided<[1]>>", "                 ^",
         "the layout must come before the memory space"},
        {"memref<8xf32, strided<[1]>, strided<[1]>>", "                            ^",
         "a memref has one layout only"},
        {"memref<8xf32, 1 : f32>", "                  ^",
         "the type of a memory space is an integer type or index"},
        {"memref<8xf32, - >", "                ^", "expected a number, not '>'"},
        {"memref<8xf32, #>", "               ^",
         "expected the name of an attribute after '#', not '>'"},
        {"memref<8xf32, #map>", "              ^",
         "#map is defined elsewhere: put its value in its place"},
        {"memref<8xf32, #a.b<[>]>>", "                    ^", "expected ']', not '>'"},
        {"memref<8xf32, #a.b<[1]", "                  ^", "'<' is never closed by '>'"},
        {"memref<8xf32, #a.b<\x01>>", "                   ^",
         "expected an attribute, not a byte of value 0x01"},
        {"memref<8xf32, \"a>", "              ^", "the string has no closing quote"},
        {"memref<8xf32, \"a\\", "              ^", "the string has no closing quote"},
        {"memref<8xf32, \"a\x1b[0m\">", "                ^", "a control character in a string"},
    };

    (void)state;
    assert_errors(cases, LENGTH(cases));
}

static void deep_nesting_is_refused(void **state)
{
    char text[256];
    memref_type type;
    memref_type_error error;
    int used;

    (void)state;
    used = snprintf(text, sizeof(text), "memref<8xi8, affine_map<(d0) -> (");
    memset(text + used, '(', 65);
    text[used + 65] = '\0';
    assert_false(memref_type_parse(text, &type, &error));
    assert_string_equal(error.message, "the expression is nested deeper than 64");
    assert_int_equal(error.position, used + 64);

    used = snprintf(text, sizeof(text), "memref<8xi8, ");
    memset(text + used, '{', 65);
    text[used + 65] = '\0';
    assert_false(memref_type_parse(text, &type, &error));
    assert_string_equal(error.message, "brackets are nested deeper than 64");
    assert_int_equal(error.position, used + 64);
}

static void assert_caret(const char *text, size_t position, const char *expected)
{
    memref_type_error error = {.position = position, .message = "m"};
    char *found = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&found, &bytes);

    assert_non_null(stream);
    memref_type_write_caret(text, &error, stream);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(found, expected);
    free(found);
}

static void caret_is_under_the_position(void **state)
{
    char text[201], expected[256];

    (void)state;
    assert_caret("memref<?xf32>", 7, "  memref<?xf32>\n         ^\n");
    assert_caret("memref<", 7, "  memref<\n         ^\n");
    assert_caret("a\tb\n\xc3\xa9\x1b!", 7, "  a?b?\?\?\?!\n         ^\n");

    memset(text, 'a', 200);
    text[100] = 'b';
    text[200] = '\0';
    (void)snprintf(expected, sizeof(expected), "  ...%.56sb%.55s...\n     %56s^\n", text, text, "");
    assert_caret(text, 100, expected);
}

/* Changes a text of at most `capacity` bytes in one place: a byte, or a piece of another type. */
static void mutate(test_random *random, char *text, size_t capacity)
{
    static const char bytes[] = "<>[](){},:?*x-+0123456789 \"#!.dfisvcomplex\x01\x7f\xff";
    static const char *const pieces[] = {
        "memref<",
        "strided<[",
        "], offset: ",
        "affine_map<(d0, d1) -> (",
        ")>",
        "vector<4x",
        "complex<",
        "f32",
        "9223372036854775807",
        " floordiv ",
        " mod 2",
        "#gpu.address_space<",
        "0x",
    };
    size_t length = strlen(text);
    size_t at = (size_t)test_random_below(random, length + 1);
    size_t end = at + (size_t)test_random_below(random, 4);
    char insertion[2] = {bytes[test_random_below(random, sizeof(bytes) - 1)], '\0'};
    const char *piece = test_random_chance(random, 1, 4)
                            ? pieces[test_random_below(random, LENGTH(pieces))]
                            : insertion;
    char tail[512];

    if (test_random_chance(random, 1, 3))
        piece = "";
    (void)snprintf(tail, sizeof(tail), "%s", text + (end < length ? end : length));
    (void)snprintf(text + at, capacity - at, "%s%s", piece, tail);
}

static void mutated_types_keep_the_rules(void **state)
{
    static const char *const seeds[] = {
        "memref<8x32xf32, strided<[128, 1], offset: 10>>",
        "memref<2x3x4xi8, affine_map<(a, b, c) -> (c, a, b)>, \"x\">",
        "memref<8x32xf32, affine_map<(d0, d1) -> (d0 * 128 + (d1 - 4) * -2 + 7 mod 4)>, 1 : i32>",
        "memref<4xvector<4x3xf32>, #gpu.address_space<global>>",
        "memref<0x1xcomplex<i24>, strided<[-0x10, 0]>>",
        "memref<f8E4M3FN>",
    };
    const uint64_t seed = 20;
    uint64_t accepted_count = 0, count = test_count(200000);

    (void)state;
    for (uint64_t i = 0; i < count; i++) {
        test_random random;
        char text[512];
        const char *broken;
        bool accepted;

        test_random_seed(&random, seed, i);
        (void)snprintf(text, sizeof(text), "%s", seeds[test_random_below(&random, LENGTH(seeds))]);
        for (uint64_t changes = 1 + test_random_below(&random, 4); changes > 0; changes--)
            mutate(&random, text, sizeof(text));
        broken = test_memref_check(text, &accepted);
        if (broken != NULL)
            fail_msg("text %llu of seed %llu: not so: %s: %s", (unsigned long long)i,
                     (unsigned long long)seed, broken, text);
        accepted_count += accepted;
    }
    /* Neither all right nor all wrong, or the rules of one outcome were not tried. */
    assert_true(accepted_count > 0 || count < 100);
    assert_true(accepted_count < count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_shape_is_refused_where_it_is_wrong),
        cmocka_unit_test(malformed_element_is_refused_where_it_is_wrong),
        cmocka_unit_test(malformed_strided_layout_is_refused_where_it_is_wrong),
        cmocka_unit_test(affine_map_that_is_not_strided_is_refused_where_it_is_wrong),
        cmocka_unit_test(malformed_memory_space_is_refused_where_it_is_wrong),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(caret_is_under_the_position),
        cmocka_unit_test(mutated_types_keep_the_rules),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
