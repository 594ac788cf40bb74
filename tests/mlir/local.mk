# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests of the MLIR plugin: programs in MLIR, scripts that lower and run them with every LLVM that
# configure has found, and a run-time library that watches what they call.

mlir_test_scripts = \
	%D%/test_calls.sh \
	%D%/test_diagnostics.sh \
	%D%/test_lowering.sh \
	%D%/test_programs.sh \
	%D%/test_upstream.sh

TESTS += $(mlir_test_scripts)

# A module in .libs, given to the runner by its file name. The path is no place to install to.
if MLIR
check_LTLIBRARIES += %D%/trace_runtime.la
endif
%C%_trace_runtime_la_SOURCES = %D%/trace_runtime.c
%C%_trace_runtime_la_CFLAGS = $(library_cflags)
%C%_trace_runtime_la_LDFLAGS = $(plugin_ldflags) -rpath /nowhere

EXTRA_DIST += \
	$(mlir_test_scripts) \
	%D%/common.sh \
	%D%/diagnostics.mlir \
	%D%/lower_async_region.mlir \
	%D%/lower_flat_dependencies.mlir \
	%D%/lower_index_32.mlir \
	%D%/lower_structure.mlir \
	%D%/run \
	%D%/run_address_space.mlir \
	%D%/run_alloc.mlir \
	%D%/run_async.mlir \
	%D%/run_destination.mlir \
	%D%/run_elements.mlir \
	%D%/run_layouts.mlir \
	%D%/run_loop.mlir \
	%D%/run_memset.mlir
