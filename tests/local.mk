# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests: every one speaks TAP. Programs in C need cmocka, scripts (*.sh) need nothing but a shell.
# A new test is a line in one of the lists below; the source of a program is NAME.c.

TEST_EXTENSIONS = .sh
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = $(SHELL)

# A variable of the caller's environment must not change what a test sees. ASTRIDE_TEST_BACKENDS
# names other backends for the tests that run on each: make check ASTRIDE_TEST_BACKENDS=a,b
# Only then are the plugins of the build tree on the path of every test, and a vendor's library may be
# another one: scripts/with-simulator cuda make check ASTRIDE_TEST_BACKENDS=cuda
AM_TESTS_ENVIRONMENT = \
	for name in `env | sed -n 's/^\(ASTRIDE_[A-Z_]*\)=.*/\1/p'`; do \
	  case $$name in \
	  ASTRIDE_TEST_*) ;; \
	  ASTRIDE_SIM_* | ASTRIDE_*_LIBRARY) test -n '$(ASTRIDE_TEST_BACKENDS)' || unset $$name ;; \
	  *) unset $$name ;; \
	  esac; \
	done; \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	ASTRIDE_TEST_BACKENDS='$(ASTRIDE_TEST_BACKENDS)'; export ASTRIDE_TEST_BACKENDS; \
	if test -n "$$ASTRIDE_TEST_BACKENDS"; then \
	  for file in '$(abs_top_builddir)'/backends/*/.libs/astride-*.so; do \
	    ASTRIDE_PLUGIN_PATH=$${ASTRIDE_PLUGIN_PATH:+$$ASTRIDE_PLUGIN_PATH:}`dirname "$$file"`; \
	  done; \
	  export ASTRIDE_PLUGIN_PATH; \
	fi; \
	ASTRIDE_TEST_PLUGINS='$(abs_top_builddir)/%D%/plugins/.libs'; export ASTRIDE_TEST_PLUGINS; \
	ASTRIDE_TEST_OPENCL='$(abs_top_builddir)/backends/opencl/.libs'; export ASTRIDE_TEST_OPENCL; \
	ASTRIDE_TEST_SANITIZE='$(ASTRIDE_SANITIZE)'; export ASTRIDE_TEST_SANITIZE; \
	ASTRIDE_TEST_HEADERS='$(pkginclude_HEADERS) $(nodist_pkginclude_HEADERS)'; \
	export ASTRIDE_TEST_HEADERS; \
	CC='$(CC)'; CXX='$(test_cxx)'; MAKE='$(MAKE)'; PKG_CONFIG='$(PKG_CONFIG)'; \
	export CC CXX MAKE PKG_CONFIG; \
	CFLAGS='$(ASTRIDE_LDFLAGS) $(CFLAGS)'; CXXFLAGS='$(ASTRIDE_LDFLAGS) $(CXXFLAGS)'; \
	export CFLAGS CXXFLAGS; \
	libdir='$(libdir)'; export libdir; \
	top_srcdir='$(top_srcdir)'; top_builddir='$(top_builddir)'; \
	abs_top_srcdir='$(abs_top_srcdir)'; abs_top_builddir='$(abs_top_builddir)'; \
	export top_srcdir top_builddir abs_top_srcdir abs_top_builddir; \
	ASAN_OPTIONS="$${ASAN_OPTIONS:-detect_stack_use_after_return=1:strict_string_checks=1}"; \
	UBSAN_OPTIONS="$${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}"; \
	TSAN_OPTIONS="$${TSAN_OPTIONS:-$(tsan_options)}"; \
	export ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS;

if HAVE_CXX
test_cxx = $(CXX)
else
test_cxx =
endif

# A child of fork() may open devices of its own, with threads: TSan allows that only if asked.
tsan_options = halt_on_error=1:second_deadlock_stack=1:die_after_fork=0

# The conformance suite as a function: random layouts, the plain loop they are held against and
# guarded buffers. It needs no test framework, for the command is linked with it too.
noinst_LTLIBRARIES += %D%/libastride_conformance.la
tests_libastride_conformance_la_SOURCES = \
	%D%/conformance/engine.c \
	%D%/conformance/engine.h \
	%D%/conformance/trial.c \
	%D%/conformance/trial.h \
	%D%/support/buffer.c \
	%D%/support/buffer.h \
	%D%/support/layout.c \
	%D%/support/layout.h \
	%D%/support/layout_build.c \
	%D%/support/layout_build.h \
	%D%/support/layout_generate.c \
	%D%/support/random.c \
	%D%/support/random.h \
	%D%/support/reference.c \
	%D%/support/reference.h

# What the tests in C share.
if HAVE_CMOCKA
check_LTLIBRARIES += %D%/libastride_testing.la
endif
tests_libastride_testing_la_LIBADD = %D%/libastride_conformance.la
tests_libastride_testing_la_SOURCES = \
	%D%/support/child.c \
	%D%/support/child.h \
	%D%/support/count.c \
	%D%/support/count.h \
	%D%/support/fake_backend.c \
	%D%/support/fake_backend.h \
	%D%/support/fixture.c \
	%D%/support/fixture.h \
	%D%/support/guarded_pages.c \
	%D%/support/guarded_pages.h \
	%D%/support/host_slots.c \
	%D%/support/host_slots.h \
	%D%/support/layout_invalid.c \
	%D%/support/memref_check.c \
	%D%/support/memref_check.h \
	%D%/support/refusal.c \
	%D%/support/refusal.h

# These link the core itself, so that they can call hidden functions.
LDADD = %D%/libastride_testing.la tools/libastride_memref.la libastride_core.la \
	$(CMOCKA_LIBS) $(JANSSON_LIBS) $(PTHREAD_LIBS) $(DL_LIBS)
unit_tests = \
	%D%/unit/test_bad_input \
	%D%/unit/test_blocks \
	%D%/unit/test_copy_threads \
	%D%/unit/test_device \
	%D%/unit/test_environment \
	%D%/unit/test_fill \
	%D%/unit/test_fork \
	%D%/unit/test_host_copy \
	%D%/unit/test_host_device \
	%D%/unit/test_host_queue \
	%D%/unit/test_host_simd \
	%D%/unit/test_interval_map \
	%D%/unit/test_layout \
	%D%/unit/test_loader \
	%D%/unit/test_memory \
	%D%/unit/test_memref_errors \
	%D%/unit/test_memref_type \
	%D%/unit/test_module \
	%D%/unit/test_normalise \
	%D%/unit/test_overlap \
	%D%/unit/test_plan_refusal \
	%D%/unit/test_queue \
	%D%/unit/test_reciprocal \
	%D%/unit/test_status \
	%D%/unit/test_strategy

# These read JSON.
if HAVE_JANSSON
unit_tests += %D%/unit/test_trace
endif
tests_unit_test_trace_SOURCES = \
	%D%/unit/test_trace.c \
	%D%/support/trace_file.c \
	%D%/support/trace_file.h
tests_unit_test_trace_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)

tests_unit_test_reciprocal_LDADD = backends/kernels/libastride_kernels.la $(LDADD)

# These make a call of the C library fail on demand.
tests_unit_test_host_device_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=posix_memalign
tests_unit_test_host_queue_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=calloc \
	-Wl,--wrap=pthread_cond_init \
	-Wl,--wrap=pthread_create \
	-Wl,--wrap=pthread_mutex_init

# These link the shared library, as a user does.
public_ldadd = %D%/libastride_testing.la libastride.la \
	$(CMOCKA_LIBS) $(JANSSON_LIBS) $(PTHREAD_LIBS) $(DL_LIBS)
public_tests = \
	%D%/conformance/conformance
tests_conformance_conformance_LDADD = $(public_ldadd)
tests_conformance_conformance_SOURCES = \
	%D%/conformance/conformance.c \
	%D%/conformance/expected.c \
	%D%/conformance/expected.h \
	%D%/conformance/pair.c \
	%D%/conformance/pair.h

if HAVE_CMOCKA
check_PROGRAMS += $(unit_tests) $(public_tests)
TESTS += $(unit_tests) $(public_tests)
else
check-local:
	@echo 'The tests in C were left out: cmocka was not found when configure ran.'
endif

# Tests in shell; those in tools/ are about the command.
test_scripts = \
	%D%/bench/test_bench.sh \
	%D%/conformance/test_example.sh \
	%D%/conformance/test_expected.sh \
	%D%/conformance/test_pairs.sh \
	%D%/headers/test_headers.sh \
	%D%/install/test_install.sh
tool_test_scripts = \
	%D%/tools/test_devices.sh \
	%D%/tools/test_plan.sh \
	%D%/tools/test_readme.sh \
	%D%/tools/test_selftest.sh \
	%D%/tools/test_usage.sh

TESTS += $(test_scripts)
if BUILD_TOOLS
TESTS += $(tool_test_scripts)
endif

EXTRA_DIST += \
	$(test_scripts) \
	$(tool_test_scripts) \
	%D%/install/user.c \
	%D%/tools/tap.sh
