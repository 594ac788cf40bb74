# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests of the HIP backend, none of which needs a device: the declarations against AMD's headers
# (where there are any), and, on the simulated runtime (tests/simulators/), the conformance suite.

hip_simulated_conformance = \
	%D%/test_conformance.sh \
	%D%/test_conformance_rest.sh

if BACKEND_HIP
if HAVE_CMOCKA
TESTS += $(hip_simulated_conformance)
endif
if HIP_HEADER
check_LTLIBRARIES += %D%/libabi_check.la
endif
endif
EXTRA_DIST += $(hip_simulated_conformance)

# Nothing runs: what differs does not compile.
%C%_libabi_check_la_SOURCES = %D%/abi_check.c
%C%_libabi_check_la_CPPFLAGS = $(AM_CPPFLAGS) $(ASTRIDE_HIP_CPPFLAGS)
