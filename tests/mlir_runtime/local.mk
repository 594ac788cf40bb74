# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the tests of the run-time libraries for MLIR share, the backend that stands for a vendor in
# them (a module in %D%/.libs that is never installed), and the lists of exported symbols.

if HAVE_CMOCKA
check_LTLIBRARIES += %D%/libastride_mlir_testing.la %D%/astride-native.la
check_PROGRAMS += $(mlir_runtime_tests)
TESTS += $(mlir_runtime_tests)
endif
TESTS += %D%/test_exported.sh

EXTRA_DIST += \
	%D%/addon.exported \
	%D%/memref_copy.exported \
	%D%/runtime.exported \
	%D%/test_exported.sh

%C%_libastride_mlir_testing_la_SOURCES = \
	%D%/fill_cases.c \
	%D%/fixture.c \
	%D%/fixture.h \
	%D%/random_cases.c \
	%D%/strided_cases.c \
	%D%/strided_cases.h

%C%_astride_native_la_SOURCES = %D%/native_plugin.c %D%/native.h
%C%_astride_native_la_CFLAGS = $(test_plugin_cflags)
%C%_astride_native_la_LDFLAGS = $(test_plugin_ldflags)

mlir_runtime_tests = \
	tests/unit/test_mlir_addon \
	tests/unit/test_mlir_device \
	tests/unit/test_mlir_failure \
	tests/unit/test_mlir_memref_copy \
	tests/unit/test_mlir_register \
	tests/unit/test_mlir_runtime

mlir_runtime_ldadd = %D%/libastride_mlir_testing.la libastride_mlir_runtime.la $(public_ldadd)
tests_unit_test_mlir_addon_LDADD = \
	%D%/libastride_mlir_testing.la libastride_mlir_addon.la $(public_ldadd)
tests_unit_test_mlir_device_LDADD = $(mlir_runtime_ldadd)
tests_unit_test_mlir_failure_LDADD = $(mlir_runtime_ldadd)
tests_unit_test_mlir_memref_copy_LDADD = \
	%D%/libastride_mlir_testing.la libastride_mlir_memref_copy.la $(public_ldadd)
tests_unit_test_mlir_register_LDADD = $(mlir_runtime_ldadd)
tests_unit_test_mlir_runtime_LDADD = $(mlir_runtime_ldadd)
