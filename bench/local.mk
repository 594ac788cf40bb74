# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The benchmark: `make bench` builds it and the contestants, bench/bench --help says what it can do. Contestants that
# need other packages are found when it runs; those for MPI are built where configure found them.

check_PROGRAMS += %D%/bench
bench_bench_SOURCES = \
	%D%/bench.c \
	%D%/bench.h \
	%D%/layouts.c \
	%D%/layouts.h \
	%D%/memory.c \
	%D%/peer_astride.c \
	%D%/peer_gomp.c \
	%D%/peer_memref.c \
	%D%/peer_process.c \
	%D%/peer_specialised.c \
	%D%/random.c \
	%D%/report.c
bench_bench_CPPFLAGS = $(AM_CPPFLAGS) \
	-DBENCH_LIBEXEC='"$(abs_top_builddir)/%D%"' \
	-DBENCH_SOURCE='"$(abs_top_srcdir)/%D%"' \
	-DBENCH_PYTHON='"$(BENCH_PYTHON)"'
bench_bench_LDADD = tests/libastride_conformance.la libastride.la $(PTHREAD_LIBS) $(DL_LIBS) -lm

bench_mpi_sources = $(top_srcdir)/%D%/peer_mpi.c $(top_srcdir)/%D%/memory.c
bench_mpi_peers =
if HAVE_MPICH
bench_mpi_peers += %D%/peer_mpich
endif
if HAVE_OPENMPI
bench_mpi_peers += %D%/peer_openmpi
endif

# The wrappers know their own headers and libraries.
%D%/peer_mpich: $(bench_mpi_sources)
	$(AM_V_CC)$(MPICC_MPICH) -O2 -DBENCH_MPI -D_GNU_SOURCE -I$(top_srcdir) -o $@ $(bench_mpi_sources)
%D%/peer_openmpi: $(bench_mpi_sources)
	$(AM_V_CC)$(MPICC_OPENMPI) -O2 -DBENCH_MPI -D_GNU_SOURCE -I$(top_srcdir) -o $@ $(bench_mpi_sources)

bench: %D%/bench$(EXEEXT) $(bench_mpi_peers)
.PHONY: bench

CLEANFILES += %D%/peer_mpich %D%/peer_openmpi
EXTRA_DIST += \
	%D%/peer_mpi.c \
	%D%/peer_numpy.py
