# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests of the CUDA backend, none of which needs a device: the declarations against NVIDIA's header
# (where there is one), specs, and the search for the driver's functions in drivers that have nothing
# but names; and, on the simulated driver (tests/simulators/), counts of calls, failures of each call,
# the program's own objects, and the conformance suite.

cuda_unit_tests = %D%/test_spec
cuda_simulated_tests = \
	%D%/test_calls \
	%D%/test_failures \
	%D%/test_limits \
	%D%/test_objects \
	%D%/test_route_failures \
	%D%/test_routes \
	%D%/test_staging
cuda_simulated_conformance = \
	%D%/test_conformance.sh \
	%D%/test_conformance_rest.sh
cuda_fake_drivers = \
	%D%/fake_asked_1.la \
	%D%/fake_asked_2.la \
	%D%/fake_asked_lacks.la \
	%D%/fake_exported.la \
	%D%/fake_lacks_optional.la \
	%D%/fake_lacks_required.la \
	%D%/fake_stub.la

if BACKEND_CUDA
if HAVE_CMOCKA
check_PROGRAMS += $(cuda_unit_tests)
TESTS += $(cuda_unit_tests)
if CUDA_PTX
check_PROGRAMS += $(cuda_simulated_tests)
TESTS += $(cuda_simulated_conformance) $(cuda_simulated_tests)
endif
endif
check_LTLIBRARIES += $(cuda_fake_drivers)
if CUDA_HEADER
check_LTLIBRARIES += %D%/libabi_check.la
endif
if BUILD_TOOLS
TESTS += %D%/test_unavailable.sh
endif
endif
EXTRA_DIST += $(cuda_simulated_conformance) %D%/test_unavailable.sh

%C%_test_spec_SOURCES = %D%/test_spec.c backends/cuda/spec.c
%C%_test_spec_LDADD = $(LDADD)

cuda_simulated_sources = \
	%D%/vendor.c \
	tests/simulated/faults.c \
	tests/simulated/faults.h \
	tests/simulated/simulated.c \
	tests/simulated/simulated.h
%C%_test_calls_SOURCES = %D%/test_calls.c $(cuda_simulated_sources)
%C%_test_calls_LDADD = $(public_ldadd)
%C%_test_failures_SOURCES = tests/simulated/test_failures.c $(cuda_simulated_sources)
%C%_test_failures_LDADD = $(public_ldadd)
%C%_test_limits_SOURCES = %D%/test_limits.c $(cuda_simulated_sources)
%C%_test_limits_LDADD = $(public_ldadd)
%C%_test_objects_SOURCES = %D%/test_objects.c $(cuda_simulated_sources)
%C%_test_objects_LDADD = $(public_ldadd)

%C%_test_route_failures_SOURCES = tests/simulated/test_route_failures.c \
	$(cuda_simulated_sources)
%C%_test_route_failures_LDADD = $(public_ldadd)
%C%_test_routes_SOURCES = %D%/test_routes.c $(cuda_simulated_sources)
%C%_test_routes_LDADD = $(public_ldadd)
%C%_test_staging_SOURCES = tests/simulated/test_staging.c $(cuda_simulated_sources)
%C%_test_staging_LDADD = $(public_ldadd)

# Nothing runs: what differs does not compile.
%C%_libabi_check_la_SOURCES = %D%/abi_check.c
%C%_libabi_check_la_CPPFLAGS = $(AM_CPPFLAGS) $(ASTRIDE_CUDA_CPPFLAGS)

fake_driver_ldflags = $(AM_LDFLAGS) -module -avoid-version -shared -rpath /nowhere

%C%_fake_asked_1_la_SOURCES = %D%/fake_driver.c
%C%_fake_asked_1_la_CPPFLAGS = $(AM_CPPFLAGS) -DFAKE_ASKED=1
%C%_fake_asked_1_la_LDFLAGS = $(fake_driver_ldflags)

%C%_fake_asked_2_la_SOURCES = %D%/fake_driver.c
%C%_fake_asked_2_la_CPPFLAGS = $(AM_CPPFLAGS) -DFAKE_ASKED=2
%C%_fake_asked_2_la_LDFLAGS = $(fake_driver_ldflags)

%C%_fake_asked_lacks_la_SOURCES = %D%/fake_driver.c
%C%_fake_asked_lacks_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DFAKE_ASKED=2 -DFAKE_LACKS_NAME='"cuStreamQuery"'
%C%_fake_asked_lacks_la_LDFLAGS = $(fake_driver_ldflags)

%C%_fake_exported_la_SOURCES = %D%/fake_driver.c
%C%_fake_exported_la_CPPFLAGS = $(AM_CPPFLAGS) -DFAKE_ASKED=0
%C%_fake_exported_la_LDFLAGS = $(fake_driver_ldflags)

%C%_fake_lacks_optional_la_SOURCES = %D%/fake_driver.c
%C%_fake_lacks_optional_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DFAKE_ASKED=0 -DcuMemcpy3DPeerAsync=absent
%C%_fake_lacks_optional_la_LDFLAGS = $(fake_driver_ldflags)

# What the library exports under the plain name is the 32-bit version, which must not be taken.
%C%_fake_lacks_required_la_SOURCES = %D%/fake_driver.c
%C%_fake_lacks_required_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DFAKE_ASKED=0 -DcuMemcpy3DAsync_v2=cuMemcpy3DAsync
%C%_fake_lacks_required_la_LDFLAGS = $(fake_driver_ldflags)

%C%_fake_stub_la_SOURCES = %D%/fake_driver.c
%C%_fake_stub_la_CPPFLAGS = $(AM_CPPFLAGS) -DFAKE_ASKED=0 -DFAKE_INIT=CUDA_ERROR_STUB_LIBRARY
%C%_fake_stub_la_LDFLAGS = $(fake_driver_ldflags)
