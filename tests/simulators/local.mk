# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Simulated drivers: shared libraries with the symbols of a vendor's driver, for tests on machines
# without the vendor's device (see common/simulator.h). Made by `make check`, never installed.

if HAVE_CMOCKA
check_LTLIBRARIES += %D%/libsimulator.la %D%/cuda/libcuda.la %D%/hip/libamdhip64.la
endif

simulator_cflags = $(AM_CFLAGS) $(ASTRIDE_HIDDEN_CFLAGS)

# What does not depend on the vendor.
%C%_libsimulator_la_CFLAGS = $(simulator_cflags)
%C%_libsimulator_la_SOURCES = \
	%D%/common/capture.c \
	%D%/common/config.c \
	%D%/common/copy.c \
	%D%/common/fill.c \
	%D%/common/handles.c \
	%D%/common/internal.h \
	%D%/common/log.c \
	%D%/common/memory.c \
	%D%/common/simulator.h \
	%D%/common/stream.c \
	%D%/common/tasks.c

# %D%/cuda/.libs/libcuda.so.1. The path is no place to install to; libtool makes a shared library of
# what has one.
%C%_cuda_libcuda_la_CFLAGS = $(simulator_cflags)
%C%_cuda_libcuda_la_LDFLAGS = $(AM_LDFLAGS) $(ASTRIDE_NO_UNDEFINED) -version-info 1:0:0 \
	-rpath /nowhere
%C%_cuda_libcuda_la_LIBADD = %D%/libsimulator.la $(PTHREAD_LIBS)
%C%_cuda_libcuda_la_SOURCES = \
	%D%/cuda/context.c \
	%D%/cuda/copy.c \
	%D%/cuda/copy_rect.c \
	%D%/cuda/device.c \
	%D%/cuda/driver.h \
	%D%/cuda/driver_abi.h \
	%D%/cuda/entry.c \
	%D%/cuda/entry_points.h \
	%D%/cuda/event.c \
	%D%/cuda/graph.c \
	%D%/cuda/launch.c \
	%D%/cuda/look_up.c \
	%D%/cuda/memory.c \
	%D%/cuda/memset.c \
	%D%/cuda/module.c \
	%D%/cuda/module.h \
	%D%/cuda/pointer.c \
	%D%/cuda/ptx.h \
	%D%/cuda/ptx_body.c \
	%D%/cuda/ptx_decode.c \
	%D%/cuda/ptx_execute.c \
	%D%/cuda/ptx_lex.c \
	%D%/cuda/ptx_parse.c \
	%D%/cuda/ptx_parser.h \
	%D%/cuda/stream.c

# %D%/hip/.libs/libamdhip64.so.6, with the runtime compiler in it.
%C%_hip_libamdhip64_la_CFLAGS = $(simulator_cflags)
%C%_hip_libamdhip64_la_LDFLAGS = $(AM_LDFLAGS) $(ASTRIDE_NO_UNDEFINED) -version-info 6:0:0 \
	-rpath /nowhere
%C%_hip_libamdhip64_la_LIBADD = %D%/libsimulator.la $(PTHREAD_LIBS) $(DL_LIBS)
%C%_hip_libamdhip64_la_SOURCES = \
	%D%/hip/compile.c \
	%D%/hip/copy.c \
	%D%/hip/device.c \
	%D%/hip/embedded.h \
	%D%/hip/entry.c \
	%D%/hip/event.c \
	%D%/hip/kernel.c \
	%D%/hip/memory.c \
	%D%/hip/module.c \
	%D%/hip/rtc.c \
	%D%/hip/runtime.h \
	%D%/hip/runtime_abi.h \
	%D%/hip/stream.c
nodist_%C%_hip_libamdhip64_la_SOURCES = %D%/hip/prelude.c %D%/hip/launchers.c

embed = $(AWK) -v header=tests/simulators/hip/embedded.h -f $(srcdir)/backends/kernels/embed.awk
%D%/hip/prelude.c: $(srcdir)/%D%/hip/kernel_prelude.hpp $(srcdir)/backends/kernels/embed.awk
	$(AM_V_GEN)$(MKDIR_P) %D%/hip && \
	$(embed) -v array=hip_kernel_prelude $(srcdir)/%D%/hip/kernel_prelude.hpp >$@.tmp && \
	mv -f $@.tmp $@
%D%/hip/launchers.c: $(srcdir)/%D%/hip/kernel_launchers.hpp $(srcdir)/backends/kernels/embed.awk
	$(AM_V_GEN)$(MKDIR_P) %D%/hip && \
	$(embed) -v array=hip_kernel_launchers $(srcdir)/%D%/hip/kernel_launchers.hpp >$@.tmp && \
	mv -f $@.tmp $@
CLEANFILES += %D%/hip/prelude.c %D%/hip/launchers.c
EXTRA_DIST += %D%/hip/kernel_launchers.hpp %D%/hip/kernel_prelude.hpp

simulator_tests = \
	%D%/cuda/test_ptx \
	%D%/cuda/test_rules \
	%D%/cuda/test_streams \
	%D%/hip/test_kernels \
	%D%/hip/test_rules \
	%D%/hip/test_streams
simulator_test_ldadd = %D%/cuda/libcuda.la $(CMOCKA_LIBS) $(PTHREAD_LIBS)
%C%_cuda_test_ptx_LDADD = $(simulator_test_ldadd)
%C%_cuda_test_ptx_SOURCES = %D%/cuda/test_ptx.c %D%/cuda/testing.h
%C%_cuda_test_rules_LDADD = $(simulator_test_ldadd)
%C%_cuda_test_rules_SOURCES = %D%/cuda/test_rules.c %D%/cuda/testing.h
%C%_cuda_test_streams_LDADD = $(simulator_test_ldadd)
%C%_cuda_test_streams_SOURCES = %D%/cuda/test_streams.c %D%/cuda/testing.h
hip_simulator_test_ldadd = %D%/hip/libamdhip64.la $(CMOCKA_LIBS) $(PTHREAD_LIBS)
%C%_hip_test_kernels_LDADD = $(hip_simulator_test_ldadd)
%C%_hip_test_kernels_SOURCES = %D%/hip/test_kernels.c %D%/hip/testing.h
%C%_hip_test_rules_LDADD = $(hip_simulator_test_ldadd)
%C%_hip_test_rules_SOURCES = %D%/hip/test_rules.c %D%/hip/testing.h
%C%_hip_test_streams_LDADD = $(hip_simulator_test_ldadd)
%C%_hip_test_streams_SOURCES = %D%/hip/test_streams.c %D%/hip/testing.h

if HAVE_CMOCKA
check_PROGRAMS += $(simulator_tests)
TESTS += $(simulator_tests)
endif
TESTS += %D%/cuda/test_abi.sh

EXTRA_DIST += \
	%D%/cuda/abi_check.c \
	%D%/cuda/test_abi.sh
