#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What MLIR's own lowering does with strided copies, without the plugin: the faults that it is there
# for. Where a later LLVM has mended one, the case is skipped and the plugin can be made smaller.

# shellcheck source=tests/mlir/common.sh
. "${abs_top_srcdir:?run me by make check}/tests/mlir/common.sh"

# fault OUTCOME NAME: 0 if the last command showed the fault; later majors may be better.
fault() {
    if [ "$1" -ne 0 ] && [ "$major" -gt 22 ]; then
        skip "$2" "LLVM $major is not known to have this fault"
    else
        result "$1" "$2"
    fi
}

for major in $mlir_majors; do
    mlir --way=stock --lower "$major" "$mlir_examples/thread.mlir"
    outcome=1
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] &&
        [ "$(grep -c '= gpu\.memcpy async' "$work/out")" -eq 1 ] && outcome=0
    fault $outcome "$major: a strided source is left behind without a word"

    cat >"$work/memset.mlir" <<'END'
func.func @set(%a: memref<8xf32, strided<[2]>>, %b: f32) {
  gpu.memset %a, %b : memref<8xf32, strided<[2]>>, f32
  return
}
END
    mlir --way=stock --lower "$major" "$work/memset.mlir"
    outcome=1
    [ "$status" -eq 0 ] && grep -q '= gpu\.memset async' "$work/out" && outcome=0
    fault $outcome "$major: a strided memset is left behind"

    mlir --way=stock --lower "$major" "$mlir_source/run_loop.mlir"
    outcome=1
    [ "$status" -eq 0 ] && grep -q ' gpu\.memcpy ' "$work/out" && outcome=0
    fault $outcome "$major: a synchronous copy is left behind"

    mlir --way=stock --lower "$major" "$mlir_source/lower_flat_dependencies.mlir"
    outcome=1
    [ "$status" -eq 0 ] && [ "$(grep -c '= gpu\.memcpy async' "$work/out")" -eq 2 ] && outcome=0
    fault $outcome "$major: two dependencies, or none, are left behind even for dense copies"

    name="$major: a strided destination is copied flat, silently"
    reason=$(cannot_run "$major")
    if [ -n "$reason" ]; then
        mlir --way=stock --lower "$major" "$mlir_source/run_destination.mlir"
        outcome=1
        [ "$status" -eq 0 ] && [ "$(grep -c 'call @mgpuMemcpy(' "$work/out")" -eq 3 ] && outcome=0
        fault $outcome "$name"
        continue
    fi
    # Not even the offset is heeded: the first row of the matrix takes the 24 elements, which are
    # wrong there and missing in the block.
    mlir --way=stock --runtime="$mlir_trace_runtime" "$major" "$mlir_source/run_destination.mlir"
    outcome=1
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && grep -qx 'elements wrong: 48' "$work/out" &&
        outcome=0
    fault $outcome "$name"
done
finish
