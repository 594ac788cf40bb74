#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The conformance suite on the simulated CUDA driver, which executes the plugin's PTX and holds every
# call against the documented rules: at the end none was broken, and everything was given back. The
# simulated device is slow, so that there are fewer layouts than on the host by default.

: "${abs_top_builddir:?run me by make check}"

ASTRIDE_CUDA_LIBRARY=$abs_top_builddir/tests/simulators/cuda/.libs/libcuda.so.1
ASTRIDE_PLUGIN_PATH=$abs_top_builddir/backends/cuda/.libs
ASTRIDE_SIM_CHECK=rules,leaks
export ASTRIDE_CUDA_LIBRARY ASTRIDE_PLUGIN_PATH ASTRIDE_SIM_CHECK

exec "$abs_top_builddir/tests/conformance/conformance" --device cuda \
    --count "${ASTRIDE_TEST_CUDA_LAYOUTS:-150}"
