# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The packing kernels and the host code that launches them, for every backend that has kernels:
# such a plugin is linked with libastride_kernels.la. The source goes into it as text.

noinst_LTLIBRARIES += %D%/libastride_kernels.la

%C%_libastride_kernels_la_CFLAGS = $(library_cflags)
%C%_libastride_kernels_la_SOURCES = \
	%D%/arguments.h \
	%D%/launch.c \
	%D%/launch.h \
	%D%/reciprocal.c \
	%D%/reciprocal.h
nodist_%C%_libastride_kernels_la_SOURCES = %D%/source.c

kernel_source_files = $(srcdir)/%D%/arguments.h $(srcdir)/%D%/astride_kernels.cl
EXTRA_DIST += %D%/astride_kernels.cl %D%/embed.awk

%D%/source.c: $(kernel_source_files) $(srcdir)/%D%/embed.awk
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	cat $(kernel_source_files) | $(AWK) -f $(srcdir)/%D%/embed.awk >$@.tmp && mv -f $@.tmp $@
CLEANFILES += %D%/source.c
