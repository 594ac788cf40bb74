#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The binary interface of the simulated CUDA driver against the real cuda.h, where there is one.

set -u

include=
for folder in "${CUDA_HOME:-/usr/local/cuda}/include" /usr/local/include /usr/include; do
    if [ -f "$folder/cuda.h" ]; then
        include=$folder
        break
    fi
done
if [ -z "$include" ]; then
    echo "1..0 # SKIP no cuda.h was found"
    exit 0
fi
echo 1..1
: "${abs_top_srcdir:?run me by make check}"
# shellcheck disable=SC2086 # CC may have arguments
if log=$(${CC:-cc} -std=gnu11 -fsyntax-only -isystem "$include" -I"$abs_top_srcdir" \
    "$abs_top_srcdir/tests/simulators/cuda/abi_check.c" 2>&1); then
    echo "ok 1 - own declarations agree with $include/cuda.h"
else
    echo "$log" | sed 's/^/# /'
    echo "not ok 1 - own declarations agree with $include/cuda.h"
fi
