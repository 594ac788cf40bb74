# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fuzz targets. make check runs one of them on its corpus and on random changes of it; with clang,
# "make fuzzers" links all of them with libFuzzer. Configure with
# --enable-sanitize=fuzzer-no-link,address,undefined for that, so that the library guides the search.

if HAVE_CMOCKA
check_PROGRAMS += %D%/replay
TESTS += %D%/replay
endif

# A folder of inputs, each a file.
EXTRA_DIST += %D%/corpus

%C%_replay_SOURCES = %D%/replay.c %D%/fuzz_descriptor.c %D%/fuzz_descriptor.h
%C%_replay_LDADD = $(public_ldadd)

fuzzers = %D%/fuzz_descriptor %D%/fuzz_memref_type
EXTRA_PROGRAMS += $(fuzzers)
fuzzers: $(fuzzers)
.PHONY: fuzzers

%C%_fuzz_descriptor_SOURCES = %D%/fuzz_descriptor.c %D%/fuzz_descriptor.h
%C%_fuzz_descriptor_LDADD = $(public_ldadd)
%C%_fuzz_descriptor_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer

%C%_fuzz_memref_type_SOURCES = %D%/fuzz_memref_type.c
%C%_fuzz_memref_type_LDADD = $(LDADD)
%C%_fuzz_memref_type_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
