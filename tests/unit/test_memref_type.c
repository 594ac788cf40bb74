/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memref types that are accepted, by value: shapes, byte strides, offsets and sizes, as mlir-opt
 * and LLVM 22 give them. Refused ones are in test_memref_errors.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/memref_type.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static memref_type parsed(const char *text)
{
    memref_type type;
    memref_type_error error;

    if (!memref_type_parse(text, &type, &error))
        fail_msg("%s: at %zu: %s", text, error.position, error.message);
    return type;
}

static void assert_written(const char *text, const char *expected)
{
    memref_type type = parsed(text);
    char *found = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&found, &bytes);

    assert_non_null(stream);
    memref_type_write(&type, stream);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(found, expected);
    free(found);
}

/* An accepted layout of a memref of rank at most 4. */
typedef struct layout_case {
    const char *text;
    int32_t rank;
    int64_t extents[4], stride_bytes[4];
    int64_t offset_bytes;
} layout_case;

static void assert_layouts(const layout_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        memref_type type = parsed(cases[i].text);

        print_message("# %s\n", cases[i].text);
        assert_int_equal(type.rank, cases[i].rank);
        for (int32_t d = 0; d < type.rank; d++) {
            assert_int_equal(type.extents[d], cases[i].extents[d]);
            assert_int_equal(type.stride_bytes[d], cases[i].stride_bytes[d]);
        }
        assert_int_equal(type.offset_bytes, cases[i].offset_bytes);
    }
}

static void no_layout_is_dense(void **state)
{
    static const layout_case cases[] = {
        {"memref<f32>", 0, {0}, {0}, 0},
        {"memref<1xf32>", 1, {1}, {4}, 0},
        {"memref<8x32xf32>", 2, {8, 32}, {128, 4}, 0},
        {"memref<2x3x4x5xi8>", 4, {2, 3, 4, 5}, {60, 20, 5, 1}, 0},
        {"memref<0xf32>", 1, {0}, {4}, 0},
        {"memref<0x16xf32>", 2, {0, 16}, {64, 4}, 0},
        {"memref<4x0x2xf64>", 3, {4, 0, 2}, {0, 16, 8}, 0},
        {"memref<007xi16>", 1, {7}, {2}, 0},
        {"memref<9223372036854775807xi8>", 1, {INT64_MAX}, {1}, 0},
    };

    (void)state;
    assert_layouts(cases, LENGTH(cases));
}

static void strided_layout_gives_byte_strides(void **state)
{
    static const layout_case cases[] = {
        {"memref<8x32xf32, strided<[128, 1], offset: 10>>", 2, {8, 32}, {512, 4}, 40},
        {"memref<1xf32, strided<[1], offset: 10>>", 1, {1}, {4}, 40},
        {"memref<f32, strided<[], offset: 3>>", 0, {0}, {0}, 12},
        {"memref<f32, strided<[]>>", 0, {0}, {0}, 0},
        {"memref<4x4xf64, strided<[-4, 0x10]>>", 2, {4, 4}, {-32, 128}, 0},
        {"memref<4xi16, strided<[0], offset: -7>>", 1, {4}, {0}, -14},
        {"memref<4xi8, strided<[9223372036854775807], offset: -9223372036854775807>>",
         1,
         {4},
         {INT64_MAX},
         -INT64_MAX},
    };

    (void)state;
    assert_layouts(cases, LENGTH(cases));
}

static void linear_affine_map_gives_byte_strides(void **state)
{
    static const layout_case cases[] = {
        {"memref<8x32xf32, affine_map<(d0, d1) -> (d0 * 128 + d1 + 10)>>",
         2,
         {8, 32},
         {512, 4},
         40},
        {"memref<8xf32, affine_map<(d0) -> (d0)>>", 1, {8}, {4}, 0},
        {"memref<f32, affine_map<() -> ()>>", 0, {0}, {0}, 0},
        {"memref<f32, affine_map<() -> (5)>>", 0, {0}, {0}, 20},
        {"memref<8x2xi8, affine_map<(row, c.1) -> (3 * c.1 - row * 2 - -4)>>",
         2,
         {8, 2},
         {-2, 3},
         4},
        {"memref<8xi8, affine_map<(d0) -> (2 * (d0 + 3) * 5)>>", 1, {8}, {10}, 30},
        {"memref<8xi8, affine_map<(d0) -> (-(d0 + 1) + d0 * 4 + d0)>>", 1, {8}, {4}, -1},
        {"memref<8x2xi8, affine_map<(d0, d1) -> (7)>>", 2, {8, 2}, {0, 0}, 7},
        {"memref<8xi8, affine_map<(d0)[s0] -> (d0 + 1)>>", 1, {8}, {1}, 1},
        {"memref<8xi8, affine_map<(d0) -> ((d0 * 12 + 7) floordiv 4)>>", 1, {8}, {3}, 1},
        {"memref<8xi8, affine_map<(d0) -> ((d0 * 12 + 7) ceildiv 4)>>", 1, {8}, {3}, 2},
        {"memref<8xi8, affine_map<(d0) -> (d0 + (d0 * 12 + 7) mod 4)>>", 1, {8}, {1}, 3},
        {"memref<8xi8, affine_map<(d0) -> (-7 floordiv 2 + -7 mod 2 + -7 ceildiv 2)>>",
         1,
         {8},
         {0},
         -4 + 1 - 3},
    };

    (void)state;
    assert_layouts(cases, LENGTH(cases));
}

static void permuting_affine_map_permutes_dense_strides(void **state)
{
    static const layout_case cases[] = {
        {"memref<8x32xf32, affine_map<(d0, d1) -> (d1, d0)>>", 2, {8, 32}, {4, 32}, 0},
        {"memref<8x32xf32, affine_map<(d0, d1) -> (d0, d1)>>", 2, {8, 32}, {128, 4}, 0},
        {"memref<2x3x4xi8, affine_map<(a, b, c) -> (c, a, b)>>", 3, {2, 3, 4}, {3, 1, 6}, 0},
        {"memref<2x3x4xi16, affine_map<(a, b, c) -> (c, b + 0, 1 * a)>>",
         3,
         {2, 3, 4},
         {2, 4, 12},
         0},
    };

    (void)state;
    assert_layouts(cases, LENGTH(cases));
}

static void element_types_have_the_size_of_the_llvm_lowering(void **state)
{
    static const struct {
        const char *element;
        int64_t bytes;
    } cases[] = {
        {"i1", 1},
        {"i4", 1},
        {"i8", 1},
        {"i9", 2},
        {"i12", 2},
        {"i16", 2},
        {"i24", 4},
        {"i33", 8},
        {"i48", 8},
        {"i64", 8},
        {"i65", 16},
        {"i128", 16},
        {"i129", 32},
        {"i192", 32},
        {"i300", 48},
        {"i16777215", 2097152},
        {"si8", 1},
        {"ui16", 2},
        {"si1", 1},
        {"index", 8},
        {"f16", 2},
        {"bf16", 2},
        {"f32", 4},
        {"f64", 8},
        {"f80", 16},
        {"f128", 16},
        {"f4E2M1FN", 1},
        {"f6E2M3FN", 1},
        {"f6E3M2FN", 1},
        {"f8E3M4", 1},
        {"f8E4M3", 1},
        {"f8E4M3B11FNUZ", 1},
        {"f8E4M3FN", 1},
        {"f8E4M3FNUZ", 1},
        {"f8E5M2", 1},
        {"f8E5M2FNUZ", 1},
        {"f8E8M0FNU", 1},
        {"complex<f32>", 8},
        {"complex<f64>", 16},
        {"complex<i1>", 2},
        {"complex<i24>", 8},
        {"complex<f80>", 32},
        {"complex<si8>", 2},
        {"complex<i129>", 64},
        {"vector<4xf32>", 16},
        {"vector<4x4xf32>", 64},
        {"vector<3xf32>", 16},
        {"vector<5xf32>", 32},
        {"vector<4x3xf32>", 64},
        {"vector<2x3x1xf16>", 12},
        {"vector<f32>", 4},
        {"vector<3xindex>", 32},
        {"vector<4xi1>", 1},
        {"vector<9xi1>", 2},
        {"vector<17xi1>", 4},
        {"vector<3xi24>", 16},
        {"vector<9xi7>", 8},
        {"vector<2xf80>", 32},
        {"vector<1xf80>", 16},
        {"vector<1025xi8>", 2048},
        {"vector<2xi4>", 1},
        {"vector<3xf6E2M3FN>", 4},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        char text[64];
        memref_type type;

        (void)snprintf(text, sizeof(text), "memref<3x%s>", cases[i].element);
        print_message("# %s\n", text);
        type = parsed(text);
        assert_int_equal(type.element.bytes, cases[i].bytes);
        assert_int_equal(type.stride_bytes[0], cases[i].bytes);
        assert_written(text, text);
    }
}

static void elements_are_equal_by_type_not_by_size(void **state)
{
    static const struct {
        const char *left, *right;
        bool equal;
    } cases[] = {
        {"memref<f32>", "memref<2xf32>", true},
        {"memref<f32>", "memref<i32>", false},
        {"memref<i8>", "memref<si8>", false},
        {"memref<i08>", "memref<i8>", true},
        {"memref<f32>", "memref<vector<f32>>", false},
        {"memref<f32>", "memref<vector<1xf32>>", false},
        {"memref<vector<f32>>", "memref<vector<1xf32>>", false},
        {"memref<vector<2x4xf32>>", "memref<vector< 2 x 04 x f32 >>", true},
        {"memref<vector<2x4xf32>>", "memref<vector<4x2xf32>>", false},
        {"memref<complex<f32>>", "memref<complex< f32>>", true},
        {"memref<complex<f32>>", "memref<f64>", false},
        {"memref<complex<f32>>", "memref<vector<2xf32>>", false},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        memref_type left = parsed(cases[i].left), right = parsed(cases[i].right);

        print_message("# %s, %s\n", cases[i].left, cases[i].right);
        assert_int_equal(memref_element_equal(&left.element, &right.element), cases[i].equal);
    }
}

static void types_are_written_as_mlir_prints_them(void **state)
{
    (void)state;
    assert_written("memref<f32>", "memref<f32>");
    assert_written(" memref < 8 x 32 x f32 , strided < [ 128 , 1 ] , offset : 10 > > ",
                   "memref<8x32xf32, strided<[128, 1], offset: 10>>");
    assert_written("memref<8x32xf32, strided<[32, 1], offset: 0>>", "memref<8x32xf32>");
    assert_written("memref<8x32xf32, affine_map<(d0, d1) -> (d1, d0)>>",
                   "memref<8x32xf32, strided<[1, 8]>>");
    assert_written("memref<f32, affine_map<() -> (5)>>", "memref<f32, strided<[], offset: 5>>");
    assert_written("memref<0x4xf32, strided<[4, 1]>>", "memref<0x4xf32>");
}

static void memory_spaces_are_kept_as_written(void **state)
{
    static const char *const spaces[] = {
        "1",
        "-1",
        "0x2",
        "1 : i32",
        "3 : index",
        "\"a \\\"b>\\\" c\"",
        "#gpu.address_space<global>",
        "#gpu<address_space<workgroup>>",
        "#spirv.storage_class<StorageBuffer>",
        "#a.b",
        "#a.b<(x) -> [y, {z = \">\"}]>",
        "{a = 1}",
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(spaces); i++) {
        char text[128], strided[160];

        (void)snprintf(text, sizeof(text), "memref<2xf32, %s>", spaces[i]);
        assert_written(text, text);
        (void)snprintf(strided, sizeof(strided), "memref<2xf32, strided<[2]>, %s>", spaces[i]);
        assert_written(strided, strided);
    }
    assert_null(parsed("memref<2xf32>").space);
}

static void largest_rank_is_accepted_and_one_more_refused(void **state)
{
    char text[8 + 2 * (ASTRIDE_MAX_RANK + 1) + 5] = "memref<";
    memref_type type;
    memref_type_error error;

    (void)state;
    for (int i = 0; i < ASTRIDE_MAX_RANK; i++)
        strcat(text, "1x");
    strcat(text, "f32>");
    type = parsed(text);
    assert_int_equal(type.rank, ASTRIDE_MAX_RANK);
    assert_int_equal(type.stride_bytes[ASTRIDE_MAX_RANK - 1], 4);

    text[7 + 2 * ASTRIDE_MAX_RANK] = '\0';
    strcat(text, "1xf32>");
    assert_false(memref_type_parse(text, &type, &error));
    assert_string_equal(error.message, "the rank is above 64");
    assert_int_equal(error.position, 7 + 2 * ASTRIDE_MAX_RANK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_layout_is_dense),
        cmocka_unit_test(strided_layout_gives_byte_strides),
        cmocka_unit_test(linear_affine_map_gives_byte_strides),
        cmocka_unit_test(permuting_affine_map_permutes_dense_strides),
        cmocka_unit_test(element_types_have_the_size_of_the_llvm_lowering),
        cmocka_unit_test(elements_are_equal_by_type_not_by_size),
        cmocka_unit_test(types_are_written_as_mlir_prints_them),
        cmocka_unit_test(memory_spaces_are_kept_as_written),
        cmocka_unit_test(largest_rank_is_accepted_and_one_more_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
