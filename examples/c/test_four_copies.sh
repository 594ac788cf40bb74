#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The C example is right on the host and, the same binary, on OpenCL where that is there,
# and says so for each of its copies.

# right NUMBER BACKEND: runs the example.
right() {
    output=$("${top_builddir:?}/examples/c/four_copies" 2>&1) && status=0 || status=1
    echo "$output" | sed 's/^/# /'
    if [ "$status" -eq 0 ] && [ "$(echo "$output" | grep -c '^  right: all ')" -eq 4 ] &&
        echo "$output" | grep -q "^device $2"; then
        echo "ok $1 - four copies are right on $2"
    else
        echo "not ok $1 - four copies are right on $2"
    fi
}

echo 1..2
ASTRIDE_BACKEND=host
export ASTRIDE_BACKEND
right 1 host

ASTRIDE_PLUGIN_PATH=${ASTRIDE_TEST_OPENCL:-/nowhere}
ASTRIDE_BACKEND=opencl
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASTRIDE_PLUGIN_PATH ASAN_OPTIONS
reason=
case ${ASTRIDE_TEST_SANITIZE-} in
*thread*) reason='drivers are not compiled with the thread sanitizer' ;;
esac
if [ -z "$reason" ]; then
    status=0
    output=$("${top_builddir:?}/examples/c/four_copies" 2>&1) || status=$?
    reason=$(echo "$output" | sed -n '/no such backend/p; /clGetPlatformIDs/p; /dlopen/p')
    # Some drivers abort where they cannot read the machine's topology, as in a bare chroot.
    [ "$status" -lt 128 ] || reason="the driver ends the process"
fi
if [ -n "$reason" ]; then
    echo "ok 2 - four copies are right on opencl # SKIP $reason"
else
    right 2 opencl
fi
