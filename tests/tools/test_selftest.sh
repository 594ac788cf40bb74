#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# astride selftest and astride bench: tables, JSON and last lines on the host.

# shellcheck source=tests/tools/tap.sh
. "${abs_top_srcdir:?run me by make check}/tests/tools/tap.sh"

run selftest --device host --seconds 1 --seed 7
says 'the host passes' 'device host:0, seed 7: .*' ' +auto +linear +rect +rect-loop +kernel +staged +host' \
    'host-to-host( +[1-9][0-9]*){7}' 'within-device( +[1-9][0-9]*){7}' \
    'passed: [1-9][0-9]* copies of [1-9][0-9]* layouts are right, .* s'
run selftest --device nowhere
outcome=1
[ "$status" -eq 1 ] && [ ! -s "$work/out" ] &&
    grep -q '^astride selftest: .*"nowhere": nowhere: no such backend' "$work/err" && outcome=0
result $outcome 'a device that is not there is an error'

run bench --device host --repeats 1 --bytes 65536
says 'bench has a line for each layout and direction' 'device host:0, 65536 bytes, .*' \
    'direction +layout +chosen .* per row +to best +to row' \
    'device-to-device element-strided [a-z-]+ .*' 'host-to-device +rows of 64 B +[a-z-]+ .*' \
    'device-to-host +5-D subview +[a-z-]+ .*' 'device-to-device transpose +[a-z-]+ .*' \
    'device-to-host +contiguous +[a-z-]+ .*'
run bench --device host --repeats 1 --bytes 65536 --json
json 'bench has JSON' 'v["device"] == "host:0" and len(v["copies"]) == 15 and all(
c["strategies_ns"][c["chosen"]] > 0 and c["per_row_ns"] > 0 and 57000 < c["bytes"] <= 65536
for c in v["copies"])'

for command in selftest bench; do
    status=0
    ASTRIDE_STRATEGY=host "$astride" $command --device host >"$work/out" 2>"$work/err" || status=$?
    outcome=1
    [ "$status" -eq 2 ] && [ ! -s "$work/out" ] &&
        grep -q "^astride $command: ASTRIDE_STRATEGY is set, but " "$work/err" && outcome=0
    result $outcome "a forced strategy makes no sense for $command"
done

finish
