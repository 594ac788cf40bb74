# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The host backend, which is part of libastride.

libastride_core_la_SOURCES += \
	%D%/copy.c \
	%D%/device.c \
	%D%/event.c \
	%D%/fill.c \
	%D%/host.h \
	%D%/kernel_avx2.c \
	%D%/kernel_avx512.c \
	%D%/kernel_avx512_elements.c \
	%D%/kernel_avx512_interleave.c \
	%D%/kernel_gather.c \
	%D%/kernel_generic.c \
	%D%/kernel_neon.c \
	%D%/kernel_rows.c \
	%D%/kernel_steps.c \
	%D%/kernel_transpose.c \
	%D%/kernels.c \
	%D%/kernels.h \
	%D%/loop_nest.c \
	%D%/loop_nest.h \
	%D%/memory.c \
	%D%/plugin.c \
	%D%/queue.c \
	%D%/simd.c \
	%D%/team.c \
	%D%/team.h \
	%D%/timeline.c \
	%D%/vector_kernels.h \
	%D%/vector_target.h \
	%D%/vector_x86.h
