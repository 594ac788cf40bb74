#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Lists of expected failures: an entry whose test passes makes the run fail, and a list that breaks
# the format is refused with file and line.

: "${abs_top_builddir:?is set by make check}"
program=$abs_top_builddir/tests/conformance/conformance
if test ! -x "$program"; then
    echo '1..0 # SKIP the conformance suite was not built'
    exit 0
fi

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
number=0

# expect STATUS PATTERN NAME: how a short run with the list ends; PATTERN is found in what it says.
expect() {
    number=$((number + 1))
    status=0
    "$program" --device host --count 20 --direction host-to-host --expected "$work/list" \
        >"$work/out" 2>&1 || status=$?
    if [ "$status" -eq "$1" ] && grep -q "$2" "$work/out"; then
        echo "ok $number - $3"
    else
        echo "not ok $number - $3"
        echo "# exit status $status"
        sed -e 's/^/# /' "$work/out"
    fi
}

printf '# a comment\n\n' >"$work/list"
expect 0 '^ok 1 ' 'an empty list changes nothing'
echo 'host-to-host kernel a reason in words' >"$work/list"
expect 1 '^ok 6 .* # T[O]DO a reason in words$' 'an entry whose test passes fails the run'
echo 'host-to-nowhere kernel words' >"$work/list"
expect 2 'list:1: the first word is no direction' 'an unknown direction is refused'
printf '\nhost-to-host quick words\n' >"$work/list"
expect 2 'list:2: the second word is no strategy' 'an unknown strategy is refused'
echo 'host-to-host kernel' >"$work/list"
expect 2 'list:1: the reason is missing' 'an entry without a reason is refused'
printf 'host-to-host kernel a\nhost-to-host kernel b\n' >"$work/list"
expect 2 'list:2: there are two entries' 'a second entry for one point is refused'
rm "$work/list"
expect 2 'No such file' 'a list that is not there is refused'
echo "1..$number"
