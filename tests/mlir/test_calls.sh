#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs every program on the tracing run-time library (trace_runtime.c) and compares the calls with
# those that the program's comments list, and the elements with what they should be.

# shellcheck source=tests/mlir/common.sh
. "${abs_top_srcdir:?run me by make check}/tests/mlir/common.sh"

# calls_as_listed PROGRAM: of the kinds of call that it lists, the trace has these and no others.
calls_as_listed() {
    sed -n 's,^// CALL: ,,p' "$1" >"$work/listed"
    [ -s "$work/listed" ] || return 0
    cut -d' ' -f1 "$work/listed" | sort -u | sed 's/.*/^& /' >"$work/kinds"
    grep -f "$work/kinds" "$work/trace" >"$work/traced"
    diff "$work/listed" "$work/traced" >>"$work/err"
}

# nothing_left PROGRAM: everything was waited for and given back. Streams that several dependencies
# have joined are left by MLIR's own lowering of gpu.wait.
nothing_left() {
    streams='[0-9]*'
    case $1 in
    *run_async*) ;;
    *) streams=0 ;;
    esac
    ! grep -q '^undone' "$work/trace" &&
        grep -qx "left streams=$streams events=0 allocations=0" "$work/trace"
}

for major in $mlir_majors; do
    reason=$(cannot_run "$major")
    for way in dialect pass; do
        for program in $(mlir_programs); do
            name="$major, $way: $(basename "$program")"
            if [ -n "$reason" ]; then
                skip "$name" "$reason"
                continue
            fi
            ASTRIDE_TEST_TRACE=$work/trace
            export ASTRIDE_TEST_TRACE
            : >"$work/trace"
            mlir --way=$way --runtime="$mlir_trace_runtime" "$major" "$program"
            outcome=1
            all_right && calls_as_listed "$program" && nothing_left "$program" && outcome=0
            result $outcome "$name"
        done
        name="$major, $way: run_async.mlir without gpu-async-region"
        if [ -n "$reason" ]; then
            skip "$name" "$reason"
            continue
        fi
        { echo '// without gpu-async-region' && cat "$mlir_source/run_async.mlir"; } \
            >"$work/run_async.mlir"
        mlir --way=$way --runtime="$mlir_trace_runtime" "$major" "$work/run_async.mlir"
        outcome=1
        all_right && nothing_left "$work/run_async.mlir" && outcome=0
        result $outcome "$name"
    done
done
finish
