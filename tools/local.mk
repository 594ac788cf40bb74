# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The command astride and its man pages, which help2man makes of what the command says of itself.

if BUILD_TOOLS
bin_PROGRAMS += %D%/astride
endif

tools_astride_SOURCES = \
	%D%/bench.h \
	%D%/bench_run.c \
	%D%/command.c \
	%D%/command.h \
	%D%/command_bench.c \
	%D%/command_devices.c \
	%D%/command_plan.c \
	%D%/command_selftest.c \
	%D%/json.c \
	%D%/json.h \
	%D%/main.c
tools_astride_LDADD = %D%/libastride_memref.la tests/libastride_conformance.la libastride.la $(ARGP_LIBS)

# MLIR memref types in words; apart, because the tests link it too.
noinst_LTLIBRARIES += %D%/libastride_memref.la
tools_libastride_memref_la_SOURCES = \
	%D%/memref_affine.c \
	%D%/memref_element.c \
	%D%/memref_layout.c \
	%D%/memref_parser.h \
	%D%/memref_scan.c \
	%D%/memref_scan.h \
	%D%/memref_type.c \
	%D%/memref_type.h

man_pages = \
	%D%/astride.1 \
	%D%/astride-bench.1 \
	%D%/astride-devices.1 \
	%D%/astride-plan.1 \
	%D%/astride-selftest.1

if BUILD_MAN
dist_man_MANS += $(man_pages)
endif
MAINTAINERCLEANFILES += $(man_pages)

# The pages depend on the sources, not on the program, so that the ones in the tarball are not made
# again wherever it is unpacked.
$(man_pages): $(tools_astride_SOURCES) $(tools_libastride_memref_la_SOURCES)
$(man_pages): $(top_srcdir)/configure.ac | %D%/astride$(EXEEXT)
	$(AM_V_GEN)page=`basename $@ .1`; \
	case $$page in \
	  astride) command=; name='strided copies between hosts and devices' ;; \
	  astride-bench) command=' bench'; name='measure strided copies on a device' ;; \
	  astride-devices) command=' devices'; name='list backends and their devices' ;; \
	  astride-plan) command=' plan'; name='show how a strided copy would be done, and why' ;; \
	  astride-selftest) command=' selftest'; name='test strided copies on a device' ;; \
	esac; \
	if test -z '$(HELP2MAN)'; then \
	  echo "help2man was not found when configure ran: $@ stays as it was" >&2; \
	else \
	  ARGP_HELP_FMT=header-col=0 $(HELP2MAN) --no-info --section=1 --name="$$name" --manual=Astride \
	    --source='astride $(PACKAGE_VERSION)' --version-string="$$page $(PACKAGE_VERSION)" \
	    --output=$@ "%D%/astride$(EXEEXT)$$command"; \
	fi
