# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests of the HIP backend, none of which needs a device: the declarations against AMD's headers
# (where there are any), the real runtime without a device (where it is installed), and, on the
# simulated runtime (tests/simulators/), counts of calls, failures of each call, limits of devices,
# the program's own objects, the cache of compiled kernels, and the conformance suite.

hip_unit_tests = %D%/test_spec
hip_simulated_tests = \
	%D%/test_calls \
	%D%/test_compiler \
	%D%/test_failures \
	%D%/test_limits \
	%D%/test_objects \
	%D%/test_route_failures \
	%D%/test_staging
hip_simulated_scripts = \
	%D%/test_conformance.sh \
	%D%/test_conformance_rest.sh \
	%D%/test_cache.sh \
	%D%/test_rocm5.sh

if BACKEND_HIP
if HAVE_CMOCKA
check_PROGRAMS += $(hip_unit_tests) $(hip_simulated_tests)
TESTS += $(hip_simulated_scripts) $(hip_simulated_tests) $(hip_unit_tests)
endif
if HIP_HEADER
check_LTLIBRARIES += %D%/libabi_check.la
endif
if BUILD_TOOLS
TESTS += %D%/test_unavailable.sh
endif
endif
EXTRA_DIST += $(hip_simulated_scripts) %D%/common.sh %D%/test_unavailable.sh

%C%_test_spec_SOURCES = %D%/test_spec.c backends/hip/spec.c
%C%_test_spec_LDADD = $(LDADD)

hip_simulated_sources = \
	%D%/vendor.c \
	tests/simulated/faults.c \
	tests/simulated/faults.h \
	tests/simulated/simulated.c \
	tests/simulated/simulated.h
%C%_test_calls_SOURCES = %D%/test_calls.c $(hip_simulated_sources)
%C%_test_calls_LDADD = $(public_ldadd)
%C%_test_compiler_SOURCES = %D%/test_compiler.c $(hip_simulated_sources)
%C%_test_compiler_LDADD = $(public_ldadd)
%C%_test_failures_SOURCES = tests/simulated/test_failures.c $(hip_simulated_sources)
%C%_test_failures_LDADD = $(public_ldadd)
%C%_test_limits_SOURCES = %D%/test_limits.c $(hip_simulated_sources)
%C%_test_limits_LDADD = $(public_ldadd)
%C%_test_objects_SOURCES = %D%/test_objects.c $(hip_simulated_sources)
%C%_test_objects_LDADD = $(public_ldadd)
%C%_test_route_failures_SOURCES = tests/simulated/test_route_failures.c $(hip_simulated_sources)
%C%_test_route_failures_LDADD = $(public_ldadd)
%C%_test_staging_SOURCES = tests/simulated/test_staging.c $(hip_simulated_sources)
%C%_test_staging_LDADD = $(public_ldadd)

# Nothing runs: what differs does not compile.
%C%_libabi_check_la_SOURCES = %D%/abi_check.c
%C%_libabi_check_la_CPPFLAGS = $(AM_CPPFLAGS) $(ASTRIDE_HIP_CPPFLAGS)
