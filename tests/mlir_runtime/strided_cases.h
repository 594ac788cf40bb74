/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The tests of the functions that both libastride_mlir_runtime and libastride_mlir_addon have. They
 * run on whatever backend the program has chosen, on a NULL stream and on one of the program's.
 */
#ifndef ASTRIDE_TESTS_MLIR_RUNTIME_STRIDED_CASES_H
#define ASTRIDE_TESTS_MLIR_RUNTIME_STRIDED_CASES_H

/* Set by the program: a stream as its library understands it, and how to wait for its work. */
extern void *strided_stream;
extern void (*strided_stream_wait)(void *stream);

void offset_subview_copies_its_one_element(void **state);
void row_stride_copies_rows_into_dense(void **state);
void strided_destination_keeps_the_bytes_between(void **state);
void negative_stride_reverses(void **state);
void permuted_strides_transpose(void **state);
void zero_source_stride_broadcasts(void **state);
void rank_0_copies_the_element_at_the_offset(void **state);
void negative_offset_reaches_below_the_pointer(void **state);
void size_0_touches_nothing(void **state);
void stride_of_size_1_is_ignored(void **state);
void overlapping_sides_copy_as_if_read_first(void **state);
void largest_rank_copies(void **state);
void index_elements_copy_whole(void **state);
void random_layouts_agree_with_the_loop(void **state);
void fill_writes_elements_of_every_size(void **state);
void fill_repeats_short_patterns(void **state);
void fill_of_largest_rank_writes_odd_elements(void **state);
void fill_reads_the_pattern_before_it_returns(void **state);
void memref_functions_copy_their_element_type(void **state);
void memref_functions_copy_rank_0(void **state);

#define STRIDED_CASES                                                                              \
    cmocka_unit_test(offset_subview_copies_its_one_element),                                       \
        cmocka_unit_test(row_stride_copies_rows_into_dense),                                       \
        cmocka_unit_test(strided_destination_keeps_the_bytes_between),                             \
        cmocka_unit_test(negative_stride_reverses), cmocka_unit_test(permuted_strides_transpose),  \
        cmocka_unit_test(zero_source_stride_broadcasts),                                           \
        cmocka_unit_test(rank_0_copies_the_element_at_the_offset),                                 \
        cmocka_unit_test(negative_offset_reaches_below_the_pointer),                               \
        cmocka_unit_test(size_0_touches_nothing), cmocka_unit_test(stride_of_size_1_is_ignored),   \
        cmocka_unit_test(overlapping_sides_copy_as_if_read_first),                                 \
        cmocka_unit_test(largest_rank_copies), cmocka_unit_test(index_elements_copy_whole),        \
        cmocka_unit_test(random_layouts_agree_with_the_loop),                                      \
        cmocka_unit_test(fill_writes_elements_of_every_size),                                      \
        cmocka_unit_test(fill_repeats_short_patterns),                                             \
        cmocka_unit_test(fill_of_largest_rank_writes_odd_elements),                                \
        cmocka_unit_test(fill_reads_the_pattern_before_it_returns),                                \
        cmocka_unit_test(memref_functions_copy_their_element_type),                                \
        cmocka_unit_test(memref_functions_copy_rank_0)

#endif /* ASTRIDE_TESTS_MLIR_RUNTIME_STRIDED_CASES_H */
