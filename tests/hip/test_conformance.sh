#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The conformance suite on the simulated HIP runtime, whose kernels are compiled by the host's
# compiler, and which holds every call against the documented rules: at the end none was broken, and
# everything was given back.
#
# This is the first half of the layouts, test_conformance_rest.sh the second, so that `make -j2 check`
# runs them side by side. ASTRIDE_TEST_HIP_LAYOUTS is the number in both.

# shellcheck source=tests/hip/common.sh
. "${abs_top_srcdir:?run me by make check}/tests/hip/common.sh"

usual=20000
[ -z "${ASTRIDE_TEST_SANITIZE-}" ] || usual=1000
usual=$((usual * ${ASTRIDE_TEST_COUNT:-100} / 100))
half=$(((${ASTRIDE_TEST_HIP_LAYOUTS:-$usual} + 1) / 2))

"$conformance" --device hip \
    --first "$((${second_half-0} * half))" --count "$half"
