# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The OpenCL backend: a plugin that finds the OpenCL library at run time, so it is built everywhere.

if BACKEND_OPENCL
pkglib_LTLIBRARIES += %D%/astride-opencl.la
endif

%C%_astride_opencl_la_CFLAGS = $(library_cflags)
%C%_astride_opencl_la_LDFLAGS = $(plugin_ldflags)
%C%_astride_opencl_la_LIBADD = \
	backends/kernels/libastride_kernels.la \
	$(PTHREAD_LIBS) $(DL_LIBS)
%C%_astride_opencl_la_SOURCES = \
	%D%/abi.h \
	%D%/copy.c \
	%D%/device.c \
	%D%/errors.c \
	%D%/event.c \
	%D%/fill.c \
	%D%/host_call.c \
	%D%/import.c \
	%D%/loader.c \
	%D%/memory.c \
	%D%/opencl.h \
	%D%/platform.c \
	%D%/plugin.c \
	%D%/program.c \
	%D%/queue.c \
	%D%/trace.c
