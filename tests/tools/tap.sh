# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=sh
# What the tests of the command share: run it, compare what it said, count the cases. To be sourced
# by a test; it is no test itself.

: "${abs_top_builddir:?run me by make check}"
astride=$abs_top_builddir/tools/astride

# Patterns are matched byte by byte, whatever the names on the way look like.
LC_ALL=C
export LC_ALL

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
tap_number=0

# run ARGUMENT...: runs the command; leaves $status, $work/out and $work/err.
run() {
    status=0
    "$astride" "$@" >"$work/out" 2>"$work/err" || status=$?
}

# result OUTCOME NAME: one line of the TAP stream; what the command said explains a failure.
result() {
    tap_number=$((tap_number + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tap_number - $2"
        return
    fi
    echo "not ok $tap_number - $2"
    echo "# exit status $status"
    sed 's/^/# out: /' "$work/out"
    sed 's/^/# err: /' "$work/err"
}

# skip NAME REASON
skip() {
    tap_number=$((tap_number + 1))
    echo "ok $tap_number - $1 # SKIP $2"
}

# fails NAME STATUS LINE: the last run ended with STATUS, wrote nothing to standard output, and LINE
# is the first line of standard error.
fails() {
    outcome=1
    [ "$status" -eq "$2" ] && [ ! -s "$work/out" ] && [ "$(sed 1q "$work/err")" = "$3" ] &&
        outcome=0
    result $outcome "$1"
}

# says NAME PATTERN...: the last run succeeded silently on standard error, and each pattern (an
# extended regular expression for a whole line) is found on standard output.
says() {
    says_name=$1
    shift
    outcome=0
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] || outcome=1
    for pattern; do
        grep -Eqx -e "$pattern" "$work/out" || outcome=1
    done
    result $outcome "$says_name"
}

# json NAME EXPRESSION: standard output of the last run is one line of JSON for which a Python
# expression over `v` is true.
json() {
    if ! command -v python3 >/dev/null 2>&1; then
        skip "$1" "python3 was not found"
        return
    fi
    outcome=1
    [ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 1 ] &&
        python3 -c 'import json, sys
v = json.loads(open(sys.argv[1], "rb").read().decode("utf-8"))
sys.exit(0 if eval("(" + sys.argv[2] + ")") else 1)' "$work/out" "$2" 2>>"$work/err" && outcome=0
    result $outcome "$1"
}

# Ends the test with its plan.
finish() {
    echo "1..$tap_number"
}
