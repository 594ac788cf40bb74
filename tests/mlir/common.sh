# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=sh disable=SC2034
# What the tests of the MLIR plugin share. To be sourced by a test, which ends here if there is no
# MLIR to test with.

# shellcheck source=tests/tools/tap.sh
. "${abs_top_srcdir:?run me by make check}/tests/tools/tap.sh"
mlir_majors=
mlir_reason=
mlir_trace_runtime=
mlir_build_libraries=
mlir_plugins=
# shellcheck source=/dev/null
. "${abs_top_builddir:?}/tests/mlir/config.sh"
mlir_source=$abs_top_srcdir/tests/mlir
mlir_examples=$abs_top_srcdir/examples/mlir

# skip_all REASON: instead of any case.
skip_all() {
    echo "1..0 # SKIP $*"
    exit 0
}

[ -n "$mlir_majors" ] || skip_all "MLIR: $mlir_reason"

# setting NAME MAJOR: what configure found, as mlir_opt.
setting() {
    eval "printf '%s\n' \"\$$1_$2\""
}

# mlir ARGUMENT...: tests/mlir/run; leaves $status, $work/out and $work/err.
mlir() {
    status=0
    sh "$mlir_source/run" "$@" >"$work/out" 2>"$work/err" || status=$?
}

# mlir_programs: every program that can be run.
mlir_programs() {
    ls "$mlir_examples"/*.mlir "$mlir_source"/run_*.mlir
}

# all_right: the program of the last run checked at least one element and found none wrong.
all_right() {
    [ "$status" -eq 0 ] && grep -Eqx 'elements checked: [1-9][0-9]*' "$work/out" &&
        grep -qx 'elements wrong: 0' "$work/out"
}

# cannot_run MAJOR: says why programs of this build cannot be run, if so.
cannot_run() {
    missing=$(setting mlir_missing "$1")
    if [ -n "$missing" ]; then
        echo "$missing was found by configure"
    elif [ -n "${ASTRIDE_TEST_SANITIZE-}" ]; then
        echo "the MLIR runner cannot load libraries with sanitizers"
    fi
}
