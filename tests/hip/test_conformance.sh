#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The conformance suite on the simulated HIP runtime, whose kernels are compiled by the host's
# compiler, and which holds every call against the documented rules: at the end none was broken, and
# everything was given back.
#
# This is the first half of the layouts, test_conformance_rest.sh the second, so that `make -j2 check`
# runs them side by side. ASTRIDE_TEST_HIP_LAYOUTS is the number in both.

: "${abs_top_builddir:?run me by make check}"

case ${ASTRIDE_TEST_SANITIZE-} in
*thread*)
    echo "1..0 # SKIP the thread sanitizer does not follow the stacks of simulated work-items"
    exit 0
    ;;
esac

ASTRIDE_HIP_LIBRARY=$abs_top_builddir/tests/simulators/hip/.libs/libamdhip64.so.6
ASTRIDE_HIPRTC_LIBRARY=$ASTRIDE_HIP_LIBRARY
ASTRIDE_PLUGIN_PATH=$abs_top_builddir/backends/hip/.libs
ASTRIDE_SIM_CHECK=rules,leaks
XDG_CACHE_HOME=$(mktemp -d) || exit 99
export ASTRIDE_HIP_LIBRARY ASTRIDE_HIPRTC_LIBRARY ASTRIDE_PLUGIN_PATH ASTRIDE_SIM_CHECK
export XDG_CACHE_HOME
trap 'rm -rf "$XDG_CACHE_HOME"' EXIT
trap 'exit 99' HUP INT TERM

usual=20000
[ -z "${ASTRIDE_TEST_SANITIZE-}" ] || usual=1000
usual=$((usual * ${ASTRIDE_TEST_COUNT:-100} / 100))
half=$(((${ASTRIDE_TEST_HIP_LAYOUTS:-$usual} + 1) / 2))

"$abs_top_builddir/tests/conformance/conformance" --device hip \
    --first "$((${second_half-0} * half))" --count "$half"
