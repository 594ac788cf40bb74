#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What README.md shows of astride plan is what the command says on the host.

# shellcheck source=tests/tools/tap.sh
. "${abs_top_srcdir:?run me by make check}/tests/tools/tap.sh"

ASTRIDE_BACKEND=host
export ASTRIDE_BACKEND
readme=$abs_top_srcdir/README.md

sed -n 's/^    \$ astride plan //p' "$readme" >"$work/commands"
while read -r arguments; do
    # Quoted as in a shell, which is what a reader pastes them into.
    eval "run plan $arguments"
    awk -v command="    \$ astride plan $arguments" '
        $0 == command { shown = 1; next }
        shown && !/^    / { exit }
        shown { print substr($0, 5) }' "$readme" >"$work/shown"
    diff "$work/shown" "$work/out" >>"$work/err"
    outcome=1
    [ "$status" -eq 0 ] && [ -s "$work/shown" ] && [ ! -s "$work/err" ] && outcome=0
    result $outcome "astride plan $arguments"
done <"$work/commands"
status=0
[ "$tap_number" -eq 4 ]
result $? 'four plans are shown'
finish
