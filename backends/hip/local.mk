# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The HIP backend: a plugin that finds the runtime and its compiler at run time, so it is built
# everywhere.

if BACKEND_HIP
pkglib_LTLIBRARIES += %D%/astride-hip.la
endif

%C%_astride_hip_la_CFLAGS = $(library_cflags)
%C%_astride_hip_la_LDFLAGS = $(plugin_ldflags)
%C%_astride_hip_la_LIBADD = \
	backends/kernels/libastride_kernels.la \
	$(PTHREAD_LIBS) $(DL_LIBS)
%C%_astride_hip_la_SOURCES = \
	%D%/abi.h \
	%D%/cache.c \
	%D%/compile.c \
	%D%/context.c \
	%D%/copy.c \
	%D%/hip.h \
	%D%/device.c \
	%D%/entry_points.h \
	%D%/errors.c \
	%D%/event.c \
	%D%/fill.c \
	%D%/host_call.c \
	%D%/import.c \
	%D%/loader.c \
	%D%/memory.c \
	%D%/module.c \
	%D%/platform.c \
	%D%/plugin.c \
	%D%/program.c \
	%D%/queue.c \
	%D%/spec.c
