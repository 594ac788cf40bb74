# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The core. libastride_core is the whole library as a convenience archive, the built-in backend
# included: libastride is made of nothing else, and the tests of hidden functions link it directly.

lib_LTLIBRARIES += libastride.la
noinst_LTLIBRARIES += libastride_core.la

libastride_core_la_CPPFLAGS = $(AM_CPPFLAGS) -DASTRIDE_PLUGIN_DIR='"$(pkglibdir)"'
libastride_core_la_CFLAGS = $(library_cflags)
libastride_core_la_LIBADD = $(PTHREAD_LIBS) $(DL_LIBS)
libastride_core_la_SOURCES = \
	%D%/backend.c \
	%D%/blocks.c \
	%D%/blocks.h \
	%D%/builtin.h \
	%D%/checked.h \
	%D%/copy.c \
	%D%/descriptor.c \
	%D%/descriptor.h \
	%D%/device.c \
	%D%/device.h \
	%D%/device_open.c \
	%D%/device_spec.c \
	%D%/device_spec.h \
	%D%/elements.c \
	%D%/environment.c \
	%D%/environment.h \
	%D%/error.c \
	%D%/error.h \
	%D%/event.c \
	%D%/execute.c \
	%D%/fill.c \
	%D%/interval_map.c \
	%D%/interval_map.h \
	%D%/loader.c \
	%D%/loader.h \
	%D%/log.c \
	%D%/log.h \
	%D%/memory.c \
	%D%/memory.h \
	%D%/method.h \
	%D%/module.c \
	%D%/normalise.c \
	%D%/normalise.h \
	%D%/overlap.c \
	%D%/overlap.h \
	%D%/packer.c \
	%D%/packer.h \
	%D%/plan.c \
	%D%/plan.h \
	%D%/plan_build.c \
	%D%/plan_cache.c \
	%D%/plan_cache.h \
	%D%/plan_describe.c \
	%D%/plugin_check.c \
	%D%/plugin_check.h \
	%D%/process.c \
	%D%/process.h \
	%D%/queue.c \
	%D%/queue.h \
	%D%/registry.c \
	%D%/registry.h \
	%D%/relay.c \
	%D%/relay.h \
	%D%/remote.c \
	%D%/remote.h \
	%D%/side.c \
	%D%/side.h \
	%D%/staged.c \
	%D%/staged.h \
	%D%/staged_run.c \
	%D%/strategy.c \
	%D%/trace.c \
	%D%/trace.h

libastride_la_CFLAGS = $(library_cflags)
libastride_la_LDFLAGS = $(library_ldflags)
libastride_la_LIBADD = libastride_core.la
libastride_la_SOURCES =
