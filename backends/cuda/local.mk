# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The CUDA backend: a plugin that finds the driver's library at run time, so it is built everywhere.
# Its kernels are PTX that clang makes of the shared source; the tarball has it, for machines without
# clang.

if BACKEND_CUDA
pkglib_LTLIBRARIES += %D%/astride-cuda.la
endif

%C%_astride_cuda_la_CFLAGS = $(library_cflags)
%C%_astride_cuda_la_LDFLAGS = $(plugin_ldflags)
%C%_astride_cuda_la_LIBADD = \
	backends/kernels/libastride_kernels.la \
	$(PTHREAD_LIBS) $(DL_LIBS)
%C%_astride_cuda_la_SOURCES = \
	%D%/abi.h \
	%D%/context.c \
	%D%/copy.c \
	%D%/cuda.h \
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
nodist_%C%_astride_cuda_la_SOURCES = %D%/ptx.c

# A release for each of the architectures that the assembler may know; it must take the first one.
ptx_architectures = sm_75 sm_80 sm_90 sm_100 sm_120

if CUDA_PTX_COMPILER
%D%/astride_kernels.ptx: $(kernel_source_files)
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	cat $(kernel_source_files) >$@.cl && \
	$(PTX_CLANG) $(ASTRIDE_PTX_CFLAGS) -o $@.tmp $@.cl && \
	if test -n '$(PTXAS)'; then \
	  for architecture in $(ptx_architectures); do \
	    $(PTXAS) -arch=$$architecture -o /dev/null $@.tmp || exit 1; \
	  done; \
	fi && \
	rm -f $@.cl && mv -f $@.tmp $@
endif
if CUDA_PTX
ptx_files = %D%/astride_kernels.ptx
EXTRA_DIST += %D%/astride_kernels.ptx
MAINTAINERCLEANFILES += %D%/astride_kernels.ptx
else
ptx_files =
dist-hook: dist-without-ptx
dist-without-ptx:
	@echo 'A tarball has PTX, and this build has none: $(ASTRIDE_CUDA_PTX_REASON)' >&2; exit 1
endif

# The tarball's file is in the source folder, one of this build is not.
%D%/ptx.c: $(ptx_files) $(srcdir)/backends/kernels/embed.awk
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	if test -z '$(ptx_files)'; then ptx=/dev/null; \
	elif test -f '$(ptx_files)'; then ptx='$(ptx_files)'; \
	else ptx='$(srcdir)/$(ptx_files)'; fi && \
	$(AWK) -v header=backends/cuda/cuda.h -v array=astride__cuda_ptx \
	  -f $(srcdir)/backends/kernels/embed.awk "$$ptx" >$@.tmp && mv -f $@.tmp $@
CLEANFILES += %D%/ptx.c %D%/astride_kernels.ptx.cl %D%/astride_kernels.ptx.tmp
