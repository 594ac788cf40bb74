# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests of the OpenCL backend on the implementations that are installed. Each script is one
# implementation; %D%/expected has the failures that are known of it.

opencl_test_scripts = \
	%D%/test_oclgrind.sh \
	%D%/test_pocl.sh \
	%D%/test_unavailable.sh
TESTS += $(opencl_test_scripts)

EXTRA_DIST += \
	$(opencl_test_scripts) \
	%D%/common.sh \
	%D%/expected/oclgrind.txt \
	%D%/expected/pocl.txt

opencl_tests = \
	%D%/test_opencl_import \
	%D%/test_opencl_memory

if HAVE_JANSSON
opencl_tests += %D%/test_opencl_trace
endif

if HAVE_CMOCKA
if BACKEND_OPENCL
check_PROGRAMS += %D%/faulty $(opencl_tests)
TESTS += $(opencl_tests)
check_LTLIBRARIES += %D%/libastride_opencl_testing.la
endif
endif
%C%_faulty_SOURCES = %D%/faulty.c
%C%_faulty_LDADD = %D%/libastride_opencl_loader.la $(DL_LIBS)

%C%_libastride_opencl_testing_la_SOURCES = %D%/fixture.c %D%/fixture.h
%C%_libastride_opencl_testing_la_LIBADD = %D%/libastride_opencl_loader.la
opencl_ldadd = %D%/libastride_opencl_testing.la $(public_ldadd)
%C%_test_opencl_import_LDADD = $(opencl_ldadd)
%C%_test_opencl_memory_LDADD = $(opencl_ldadd)
%C%_test_opencl_trace_LDADD = $(opencl_ldadd)
%C%_test_opencl_trace_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
%C%_test_opencl_trace_SOURCES = \
	%D%/test_opencl_trace.c \
	tests/support/trace_file.c \
	tests/support/trace_file.h

# The backend's own table of functions, for programs that talk to OpenCL themselves.
check_LTLIBRARIES += %D%/libastride_opencl_loader.la
%C%_libastride_opencl_loader_la_SOURCES = \
	backends/opencl/abi.h \
	backends/opencl/loader.c \
	backends/opencl/opencl.h

# Needs no framework and no driver.
check_PROGRAMS += tests/abi/test_opencl_abi
TESTS += tests/abi/test_opencl_abi
