# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The functions that MLIR-compiled code calls: plain C, built without MLIR. Three libraries share
# most of their objects; they differ in what they export and in what a stream argument means.

lib_LTLIBRARIES += \
	libastride_mlir_runtime.la \
	libastride_mlir_addon.la \
	libastride_mlir_memref_copy.la

noinst_LTLIBRARIES += libastride_mlir_common.la

libastride_mlir_common_la_CFLAGS = $(library_cflags)
libastride_mlir_common_la_SOURCES = \
	%D%/context.c \
	%D%/context.h \
	%D%/copy.c \
	%D%/copy.h \
	%D%/failure.c \
	%D%/failure.h \
	%D%/layout.c \
	%D%/layout.h \
	%D%/stream_handle.h \
	%D%/work.c \
	%D%/work.h

mlir_libadd = libastride_mlir_common.la libastride.la $(PTHREAD_LIBS)

# The whole interface of MLIR's run-time wrappers, with streams of our own.
libastride_mlir_runtime_la_CFLAGS = $(library_cflags)
libastride_mlir_runtime_la_LDFLAGS = $(library_ldflags)
libastride_mlir_runtime_la_LIBADD = $(mlir_libadd)
libastride_mlir_runtime_la_SOURCES = \
	%D%/device.c \
	%D%/host_register.c \
	%D%/memory.c \
	%D%/memref.c \
	%D%/module.c \
	%D%/stream.c \
	%D%/stream.h \
	%D%/stream_handle_own.c \
	%D%/strided.c

# Only what the upstream wrapper of a vendor has not, on that wrapper's streams.
libastride_mlir_addon_la_CFLAGS = $(library_cflags)
libastride_mlir_addon_la_LDFLAGS = $(library_ldflags)
libastride_mlir_addon_la_LIBADD = $(mlir_libadd)
libastride_mlir_addon_la_SOURCES = \
	%D%/memref.c \
	%D%/stream_handle_native.c \
	%D%/strided.c

# memrefCopy alone, since MLIR's own run-time library has a function of that name.
libastride_mlir_memref_copy_la_CFLAGS = $(library_cflags)
libastride_mlir_memref_copy_la_LDFLAGS = $(library_ldflags)
libastride_mlir_memref_copy_la_LIBADD = $(mlir_libadd)
libastride_mlir_memref_copy_la_SOURCES = \
	%D%/memref_copy.c \
	%D%/stream_handle_own.c
