#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What cannot be lowered is an error on the operation, whichever way it is tried, and mlir-opt ends
# in order.

# shellcheck source=tests/mlir/common.sh
. "${abs_top_srcdir:?run me by make check}/tests/mlir/common.sh"

mkdir "$work/cases"
awk -v folder="$work/cases" '
    /^\/\/ -----/ { file = sprintf("%s/%02d.mlir", folder, ++number); next }
    file != "" { print >file }' "$mlir_source/diagnostics.mlir"

for major in $mlir_majors; do
    for way in dialect pass; do
        for case in "$work"/cases/*.mlir; do
            expected=$(sed -n 's,^// EXPECT: ,,p' "$case")
            name=$(sed -n 's/.*func[a-z. ]* @\([a-z_0-9]*\).*/\1/p' "$case" | grep -v '^mgpu' | sed 1q)
            mlir --way=$way --lower "$major" "$case"
            outcome=1
            [ -n "$expected" ] && [ "$status" -eq 1 ] &&
                [ "$(grep -cF "error: $expected" "$work/err")" -eq 1 ] && outcome=0
            result $outcome "$major, $way: $name is refused"
        done
    done
done
finish
