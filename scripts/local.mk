# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Scripts for people who work on a checkout; the tarball has them too, so that it is complete.

EXTRA_DIST += \
	%D%/check \
	%D%/demo \
	%D%/deps \
	%D%/fetch-mlir \
	%D%/lint \
	%D%/with-simulator
