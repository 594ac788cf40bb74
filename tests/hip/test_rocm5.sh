#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The program's own objects with a runtime of ROCm 5, where the types of memory have other numbers and
# an address that the runtime does not know is an error.

# shellcheck source=tests/hip/common.sh
. "${abs_top_srcdir:?run me by make check}/tests/hip/common.sh"

ASTRIDE_SIM_VERSION=50221153
export ASTRIDE_SIM_VERSION
"$abs_top_builddir/tests/hip/test_objects"
