#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The C example is right on the default backend, and says so for each of its copies.

echo 1..1
output=$("${top_builddir:-.}/examples/c/four_copies") && status=0 || status=1
echo "$output" | sed 's/^/# /'
if [ "$status" -eq 0 ] && [ "$(echo "$output" | grep -c '^  right: all ')" -eq 4 ]; then
    echo "ok 1 - four copies are right"
else
    echo "not ok 1 - four copies are right"
fi
