#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs every program on libastride_mlir_runtime, on each backend of $ASTRIDE_TEST_BACKENDS (a list
# with commas; host by default), and looks at the elements that it found wrong.

# shellcheck source=tests/mlir/common.sh
. "${abs_top_srcdir:?run me by make check}/tests/mlir/common.sh"

for major in $mlir_majors; do
    reason=$(cannot_run "$major")
    for backend in $(echo "${ASTRIDE_TEST_BACKENDS:-host}" | tr ',' ' '); do
        for way in dialect pass; do
            for program in $(mlir_programs); do
                name="$major, $way, $backend: $(basename "$program")"
                if [ -n "$reason" ]; then
                    skip "$name" "$reason"
                    continue
                fi
                ASTRIDE_BACKEND=$backend
                export ASTRIDE_BACKEND
                mlir --way=$way "$major" "$program"
                outcome=1
                all_right && [ ! -s "$work/err" ] && outcome=0
                result $outcome "$name"
            done
        done
    done
done
finish
