#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The conformance suite on the simulated CUDA driver, which executes the plugin's PTX and holds every
# call against the documented rules: at the end none was broken, and everything was given back.
#
# This is the first half of the layouts, test_conformance_rest.sh the second, so that `make -j2 check`
# runs them side by side. ASTRIDE_TEST_CUDA_LAYOUTS is the number in both.

: "${abs_top_builddir:?run me by make check}"

ASTRIDE_CUDA_LIBRARY=$abs_top_builddir/tests/simulators/cuda/.libs/libcuda.so.1
ASTRIDE_PLUGIN_PATH=$abs_top_builddir/backends/cuda/.libs
ASTRIDE_SIM_CHECK=rules,leaks
export ASTRIDE_CUDA_LIBRARY ASTRIDE_PLUGIN_PATH ASTRIDE_SIM_CHECK

usual=20000
[ -z "${ASTRIDE_TEST_SANITIZE-}" ] || usual=200 # twenty times as slow
usual=$((usual * ${ASTRIDE_TEST_COUNT:-100} / 100))
half=$(((${ASTRIDE_TEST_CUDA_LAYOUTS:-$usual} + 1) / 2))

exec "$abs_top_builddir/tests/conformance/conformance" --device cuda \
    --first "$((${second_half-0} * half))" --count "$half"
