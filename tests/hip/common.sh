# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=sh
# What the scripts on the simulated HIP runtime share: it is selected, and compiled kernels go into a
# folder of the test's own. To be sourced.

: "${abs_top_srcdir:?run me by make check}" "${abs_top_builddir:?}"
case ${ASTRIDE_TEST_SANITIZE-} in
*thread*)
    echo "1..0 # SKIP the thread sanitizer does not follow the stacks of simulated work-items"
    exit 0
    ;;
esac

cache=$(mktemp -d) || exit 99
trap 'rm -rf "$cache"' EXIT
trap 'exit 99' HUP INT TERM
ASTRIDE_HIP_LIBRARY=$abs_top_builddir/tests/simulators/hip/.libs/libamdhip64.so.6
ASTRIDE_HIPRTC_LIBRARY=$ASTRIDE_HIP_LIBRARY
ASTRIDE_PLUGIN_PATH=$abs_top_builddir/backends/hip/.libs
ASTRIDE_SIM_CHECK=rules,leaks
XDG_CACHE_HOME=$cache
export ASTRIDE_HIP_LIBRARY ASTRIDE_HIPRTC_LIBRARY ASTRIDE_PLUGIN_PATH ASTRIDE_SIM_CHECK
export XDG_CACHE_HOME
# shellcheck disable=SC2034 # the scripts use it
conformance=$abs_top_builddir/tests/conformance/conformance
