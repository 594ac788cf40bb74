# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The public headers. Each of them is also compiled alone by the test of headers.

pkginclude_HEADERS += \
	%D%/astride/astride.h \
	%D%/astride/copy.h \
	%D%/astride/device.h \
	%D%/astride/export.h \
	%D%/astride/memory.h \
	%D%/astride/mlir.h \
	%D%/astride/plugin.h \
	%D%/astride/queue.h \
	%D%/astride/status.h

nodist_pkginclude_HEADERS += \
	%D%/astride/version.h
