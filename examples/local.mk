# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Example programs: built with the tests, run by scripts/demo, shipped as sources.

check_PROGRAMS += %D%/c/four_copies
examples_c_four_copies_SOURCES = %D%/c/four_copies.c
examples_c_four_copies_LDADD = libastride.la

# It returns 0 only if every element of every copy is right.
test_scripts_examples = %D%/c/test_four_copies.sh
TESTS += $(test_scripts_examples)

EXTRA_DIST += $(test_scripts_examples) $(mlir_examples)
mlir_examples = \
	%D%/mlir/subview_2d.mlir \
	%D%/mlir/subview_5d_dynamic.mlir \
	%D%/mlir/thread.mlir \
	%D%/mlir/transpose.mlir
