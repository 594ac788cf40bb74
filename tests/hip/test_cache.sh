#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The cache of compiled kernels: each is compiled once, and again where the file is damaged or of
# another version; several processes at once do no harm, and a folder that cannot be written to none.

# shellcheck source=tests/hip/common.sh
. "${abs_top_srcdir:?run me by make check}/tests/hip/common.sh"

number=0
# result STATUS NAME
result() {
    number=$((number + 1))
    [ "$1" -eq 0 ] && echo "ok $number - $2" || echo "not ok $number - $2"
}

# compiled: copies with kernels in a process; the number of compilations goes into $compilations.
compiled() {
    rm -f "$cache/log"
    ASTRIDE_SIM_LOG=$cache/log "$conformance" --device hip --count 3 --strategy kernel \
        >"$cache/out" 2>&1 || return 1
    compilations=$(grep -c '^hiprtcCompileProgram' "$cache/log" || :)
}

# expect NUMBER NAME
expect() {
    outcome=1
    compiled && [ "$compilations" -eq "$1" ] && outcome=0
    result $outcome "$2"
}

expect 1 'the first process compiles'
expect 0 'the next one finds what was compiled'
file=$(ls "$cache"/astride/hip-*.bin)

printf 'x' | dd of="$file" bs=1 seek=5000 conv=notrunc 2>/dev/null
expect 1 'a damaged file is compiled anew'
expect 0 'and replaced'
head -c 3000 "$file" >"$cache/half" && cp "$cache/half" "$file"
expect 1 'so is one that was cut off'
: >"$file"
expect 1 'and one that is empty'

ASTRIDE_SIM_VERSION=60100000
export ASTRIDE_SIM_VERSION
expect 1 'another version of the runtime has code of its own'
unset ASTRIDE_SIM_VERSION
expect 0 'beside that of the first'

# In the place of libhiprtc of a newer release, and of one of the runtime's own, stands what is none.
mkdir "$cache/newer" "$cache/same"
none=$abs_top_builddir/backends/hip/.libs/astride-hip.so
ln -s "$none" "$cache/newer/libhiprtc.so.7"
ln -s "$none" "$cache/same/libhiprtc.so.6"
paths=${LD_LIBRARY_PATH-}
unset ASTRIDE_HIPRTC_LIBRARY
LD_LIBRARY_PATH=$cache/newer${paths:+:$paths}
export LD_LIBRARY_PATH
rm -rf "$cache/astride"
expect 1 'a compiler of a newer release is left alone'
LD_LIBRARY_PATH=$cache/same${paths:+:$paths}
expect 0 'one of the same release is taken'
LD_LIBRARY_PATH=$paths
ASTRIDE_HIPRTC_LIBRARY=$ASTRIDE_HIP_LIBRARY
export ASTRIDE_HIPRTC_LIBRARY

rm -rf "$cache/astride"
outcome=0
processes=
for process in 1 2 3 4; do
    "$conformance" --device hip --count 3 --strategy kernel >"$cache/out$process" 2>&1 &
    processes="$processes $!"
done
for process in $processes; do
    wait "$process" || outcome=1
done
result $outcome 'several processes may compile at once'
outcome=1
[ "$(find "$cache/astride" -type f | wc -l)" -eq 1 ] && outcome=0
result $outcome 'and leave one file'
expect 0 'which is whole'

XDG_CACHE_HOME=/dev/null/nowhere
expect 1 'without a folder all works'
unset XDG_CACHE_HOME
HOME=$cache/home
export HOME
expect 1 'without XDG_CACHE_HOME'
outcome=1
ls "$cache"/home/.cache/astride/hip-*.bin >/dev/null 2>&1 && outcome=0
result $outcome 'the folder is ~/.cache'
echo "1..$number"
