#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The conformance suite on Oclgrind, a simulator that checks each access of kernels and commands to
# memory, races within a kernel, and the arguments of every call. It must have nothing to report,
# and, to prove that it looks, must report the three faults of a program made for that.

# shellcheck source=tests/opencl/common.sh
. "${abs_top_srcdir:?run me by make check}/tests/opencl/common.sh"

faulty=$abs_top_builddir/tests/opencl/faulty
library=
for file in /usr/lib/oclgrind/liboclgrind-rt-icd.so /usr/lib/*/oclgrind/liboclgrind-rt-icd.so \
    /usr/local/lib/oclgrind/liboclgrind-rt-icd.so; do
    [ -f "$file" ] && library=$file && break
done
[ -n "$library" ] || skip_all "Oclgrind is not installed (Debian: oclgrind)"

OCLGRIND_CHECK_API=1
OCLGRIND_DATA_RACES=1
OCLGRIND_LOG=$work/log
export OCLGRIND_CHECK_API OCLGRIND_DATA_RACES OCLGRIND_LOG
use_implementation oclgrind "$library"

# What it says of calls goes to standard error.
rm -f "$work/log"
: >"$work/errors"
"$conformance" --device opencl:oclgrind --count "$(scaled 30)" \
    --expected "$abs_top_srcdir/tests/opencl/expected/oclgrind.txt" >"$work/out" 2>"$work/errors"
status=$?
number=$(sed -n 's/^1\.\.//p' "$work/out")
echo "1..$((${number:-0} + 6))"
grep -v '^1\.\.' "$work/out"

# point STATUS NAME: one more point, which passes if STATUS is 0.
point() {
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        head -n 50 "$work/log" "$work/errors" | sed 's/^/# /'
    fi
}
# Status 0 if Oclgrind has said nothing since the log was removed.
quiet() {
    [ ! -s "$work/log" ] && [ ! -s "$work/errors" ]
}
quiet
point $? "Oclgrind reports no invalid access, no race and no wrong argument"

# The tests on a device, which end with status 0 where they pass.
for program in test_opencl_memory test_opencl_import; do
    rm -f "$work/log"
    "$abs_top_builddir/tests/opencl/$program" >"$work/out" 2>"$work/errors" &&
        grep -q '^ok ' "$work/out" && quiet
    outcome=$?
    [ $outcome -eq 0 ] || sed 's/^/# /' "$work/out"
    point $outcome "$program passes without a report"
done

"$faulty" 2>"$work/errors" || status=1
grep -q "Invalid read" "$work/log"
point $? "a read beyond a buffer is reported"
grep -q "Invalid write" "$work/log"
point $? "a write beyond a buffer is reported"
grep -q CL_INVALID_VALUE "$work/errors"
point $? "a wrong argument is reported"
exit $status
