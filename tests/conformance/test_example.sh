#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the conformance suite on the example plugin: a second backend, whose memory the host cannot
# reach, which has no kernels and few rectangles, so that the loops, the element-wise fallback and
# the staging of the core do the work. ASTRIDE_TEST_BACKENDS does not matter here.

: "${abs_top_builddir:?is set by make check}"

plugin=$abs_top_builddir/tests/plugins/.libs/astride-example.so
program=$abs_top_builddir/tests/conformance/conformance

if test ! -f "$plugin" || test ! -x "$program"; then
    echo '1..0 # SKIP the example plugin or the conformance suite was not built'
    exit 0
fi

# The folder of the test plugins has broken ones too.
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
trap 'exit 99' HUP INT TERM
cp "$plugin" "$folder" || exit 99

ASTRIDE_PLUGIN_PATH=$folder
export ASTRIDE_PLUGIN_PATH
"$program" --device example
