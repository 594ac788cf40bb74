#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Copies from every device to every device: the host, two OpenCL devices of PoCL, and two simulated
# devices of each backend that has a simulated driver. To add a backend: a call of add_simulated.
#
# ASTRIDE_TEST_PAIR_LAYOUTS sets the number of layouts of each pair; else it is 200, or 30 where a
# simulated device takes part, which is slow.

: "${abs_top_srcdir:?run me by make check}" "${abs_top_builddir:?}"
conformance=$abs_top_builddir/tests/conformance/conformance

skip_all() {
    echo "1..0 # SKIP $*"
    exit 0
}

[ -x "$conformance" ] || skip_all "the conformance suite was not built"
case ${ASTRIDE_TEST_SANITIZE-} in
*thread*) skip_all "drivers are not compiled with the thread sanitizer, which would not see their locks" ;;
esac
# The leaks of drivers are not ours.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
mkdir "$work/vendors" || exit 99
OCL_ICD_VENDORS=$work/vendors
ASTRIDE_SIM_CHECK=rules,leaks
export OCL_ICD_VENDORS ASTRIDE_SIM_CHECK

devices=host:0
simulated=
plugins=

# has_device FOLDER SPEC: whether it can be opened by the plugin in that folder. Some drivers end the
# process instead, where they cannot read the machine's topology.
has_device() {
    ASTRIDE_PLUGIN_PATH=$1 "$conformance" --device "$2" --count 1 --strategy linear \
        >"$work/out" 2>&1
}

# add_simulated NAME LIBRARY VARIABLE: a backend on its simulated driver, where both were built.
add_simulated() {
    file=$abs_top_builddir/tests/simulators/$1/.libs/$2
    [ -f "$file" ] && [ -f "$abs_top_builddir/backends/$1/.libs/astride-$1.so" ] || return 0
    export "$3=$file"
    plugins=${plugins:+$plugins:}$abs_top_builddir/backends/$1/.libs
    devices="$devices $1:0 $1:1"
    simulated="$simulated $1"
}

# PoCL makes a device of each name in this list.
add_pocl() {
    library=
    for file in /etc/OpenCL/vendors/*pocl*.icd /usr/share/OpenCL/vendors/*pocl*.icd; do
        [ -f "$file" ] && library=$(head -n 1 "$file") && break
    done
    folder=$abs_top_builddir/backends/opencl/.libs
    [ -n "$library" ] && [ -f "$folder/astride-opencl.so" ] || return 0
    echo "$library" >"$work/vendors/pocl.icd"
    for POCL_DEVICES in "pthread pthread" "cpu cpu"; do
        export POCL_DEVICES
        if has_device "$folder" opencl:1; then
            devices="$devices opencl:0 opencl:1"
            plugins=${plugins:+$plugins:}$folder
            return 0
        fi
    done
    unset POCL_DEVICES
    has_device "$folder" opencl:0 || return 0
    devices="$devices opencl:0"
    plugins=${plugins:+$plugins:}$folder
}

add_pocl
add_simulated cuda libcuda.so.1 ASTRIDE_CUDA_LIBRARY
add_simulated hip libamdhip64.so.6 ASTRIDE_HIP_LIBRARY
# Its compiler is in the same file, and what that has compiled is kept for the next pair.
ASTRIDE_HIPRTC_LIBRARY=${ASTRIDE_HIP_LIBRARY-}
XDG_CACHE_HOME=$work
ASTRIDE_PLUGIN_PATH=$plugins
export ASTRIDE_HIPRTC_LIBRARY XDG_CACHE_HOME ASTRIDE_PLUGIN_PATH

is_simulated() {
    case " $simulated " in
    *" ${1%%:*} "*) return 0 ;;
    esac
    return 1
}

# layouts FROM TO: how many of a pair.
layouts() {
    usual=200
    if is_simulated "$1" || is_simulated "$2"; then
        usual=30
    fi
    if [ -n "${ASTRIDE_TEST_PAIR_LAYOUTS-}" ]; then
        echo "$ASTRIDE_TEST_PAIR_LAYOUTS"
    else
        echo $(((usual * ${ASTRIDE_TEST_COUNT:-100} + 99) / 100))
    fi
}

number=0
failed=0

# run_pair WORDS FROM TO QUEUE [NAME=VALUE]...: one test point; QUEUE is the device of the queue, or
# empty for both.
run_pair() {
    words=$1 from=$2 to=$3 queue=$4
    shift 4
    number=$((number + 1))
    status=0
    env "$@" "$conformance" --from "$from" --to "$to" ${queue:+--queue "$queue"} \
        --count "$(layouts "$from" "$to")" >"$work/out" 2>&1 || status=$?
    point=$(sed -n 's/^ok 1 - //p' "$work/out")
    if [ "$status" -eq 0 ] && [ -n "$point" ]; then
        echo "ok $number - $point$words"
    else
        echo "not ok $number - $from to $to$words: status $status"
        sed 's/^/# /' "$work/out" | head -n 60
        failed=1
    fi
}

for from in $devices; do
    for to in $devices; do
        run_pair "" "$from" "$to" ""
    done
done
# Chunks so small that every copy goes around the ring, and devices that cannot copy to each other.
for from in $devices; do
    for to in $devices; do
        [ "$from" != "$to" ] || continue
        run_pair ", many chunks, no peer access" "$from" "$to" "" \
            ASTRIDE_STAGING_BYTES=512 ASTRIDE_STAGING_DEPTH=2 \
            ASTRIDE_SIM_HIDE=cuMemcpyPeerAsync,hipMemcpyPeerAsync
    done
done
# is_chosen QUEUE FROM TO: from a backend's first device to its second one or to the host, in a queue
# of a third device, which is only waited for.
is_chosen() {
    [ "$1" != "$2" ] && [ "$1" != "$3" ] && [ "$2" != "$3" ] && [ "${2#*:}" = 0 ] || return 1
    [ "$3" = "${2%%:*}:1" ] || [ "$3" = host:0 ]
}

for queue in $devices; do
    for from in $devices; do
        for to in $devices; do
            is_chosen "$queue" "$from" "$to" || continue
            run_pair ", queue of $queue, no peer access" "$from" "$to" "$queue" \
                ASTRIDE_STAGING_BYTES=512 ASTRIDE_STAGING_DEPTH=2 \
                ASTRIDE_SIM_HIDE=cuMemcpyPeerAsync,hipMemcpyPeerAsync
        done
    done
done
echo "1..$number"
exit $failed
