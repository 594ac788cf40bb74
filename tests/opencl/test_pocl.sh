#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The conformance suite on PoCL, a driver for the processors of the host.

# shellcheck source=tests/opencl/common.sh
. "${abs_top_srcdir:?run me by make check}/tests/opencl/common.sh"

library=
for file in /etc/OpenCL/vendors/*pocl*.icd /usr/share/OpenCL/vendors/*pocl*.icd; do
    [ -f "$file" ] && library=$(head -n 1 "$file") && break
done
[ -n "$library" ] || skip_all "PoCL is not installed (Debian: pocl-opencl-icd)"
use_implementation pocl "$library"

"$conformance" --device opencl:pocl --count "$(scaled 1000)" \
    --expected "$abs_top_srcdir/tests/opencl/expected/pocl.txt"
