#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The second half of test_conformance.sh.

# shellcheck disable=SC2034 # the other file reads it
second_half=1
# shellcheck source=tests/cuda/test_conformance.sh
. "${abs_top_srcdir:?run me by make check}/tests/cuda/test_conformance.sh"
