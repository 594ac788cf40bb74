#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a user is told where OpenCL is missing or broken, that all else works then, and how devices
# are named where it is there.

# shellcheck source=tests/tools/tap.sh
. "${abs_top_srcdir:?run me by make check}/tests/tools/tap.sh"

plugin=$abs_top_builddir/backends/opencl/.libs/astride-opencl.so
if [ ! -f "$plugin" ] || [ ! -x "$astride" ]; then
    echo "1..0 # SKIP the OpenCL backend or the command was not built"
    exit 0
fi
case ${ASTRIDE_TEST_SANITIZE-} in
*thread*)
    echo "1..0 # SKIP drivers are not compiled with the thread sanitizer"
    exit 0
    ;;
esac
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
mkdir "$work/plugins" "$work/none"
cp "$plugin" "$work/plugins" || exit 99
ASTRIDE_PLUGIN_PATH=$work/plugins
export ASAN_OPTIONS ASTRIDE_PLUGIN_PATH
f32='memref<4xf32>'

# refused NAME STATUS PATTERN: the last run failed so, with a line of that pattern.
refused() {
    outcome=1
    [ "$status" -eq "$2" ] && [ ! -s "$work/out" ] && grep -Eq -e "$3" "$work/err" && outcome=0
    result $outcome "$1"
}

# The loader, but no driver.
if OCL_ICD_VENDORS=$work/none "$astride" devices | grep -q '^opencl .*clGetPlatformIDs'; then
    export OCL_ICD_VENDORS="$work/none"
    run devices
    says 'without a driver the reason is listed, and the host works' \
        'opencl +unavailable +.*: clGetPlatformIDs: CL_PLATFORM_NOT_FOUND_KHR \(-1001\): .*' \
        'host +available +1 device .*'
    run plan --device opencl $f32 $f32
    refused 'without a driver an explicit request fails with the reason' 1 \
        'opencl.*clGetPlatformIDs: CL_PLATFORM_NOT_FOUND_KHR'
    run plan $f32 $f32
    says 'without a driver the automatic choice works' 'device +host:0'
    run selftest --device host --seconds 1
    says 'without a driver the host passes its test' 'passed: .*'
    unset OCL_ICD_VENDORS
else
    for name in 'the reason is listed, and the host works' \
        'an explicit request fails with the reason' 'the automatic choice works' \
        'the host passes its test'; do
        skip "without a driver $name" 'there is no OpenCL loader that reads OCL_ICD_VENDORS'
    done
fi

export ASTRIDE_OPENCL_LIBRARY=/nowhere/libOpenCL.so.1
run devices
says 'a missing library is named with its variable' \
    'opencl +unavailable +.*: dlopen: /nowhere/libOpenCL.so.1: .*\(ASTRIDE_OPENCL_LIBRARY\)' \
    'host +available +1 device .*'
ASTRIDE_OPENCL_LIBRARY=libm.so.6
run devices
says 'a library that is another one lacks functions' \
    'opencl +unavailable +.*: libm.so.6 lacks the function clGetPlatformIDs' \
    'host +available +1 device .*'
unset ASTRIDE_OPENCL_LIBRARY

run devices
if ! grep -q '^opencl  *available' "$work/out"; then
    for name in 'a device by number' 'a device by platform and number' 'a device by part of its name' \
        'a platform without such a device' 'a name that no device has' 'a build error shows the log' \
        'a malformed sharing of work'; do
        skip "$name" 'no OpenCL device is installed'
    done
    finish
    exit 0
fi
line=$(sed -n 's/^  opencl:0  //p' "$work/out")
pair=$(echo "$line" | sed 's/^.* (\([0-9]*\.[0-9]*\), .*$/\1/')
platform=$(echo "$line" | sed 's/^.* ([0-9]*\.[0-9]*, \([^, ]*\).*$/\1/' | tr '[:upper:]' '[:lower:]')
run plan --device opencl:0 $f32 $f32
says 'a device by number' 'device +opencl:0'
run plan --device "opencl:$pair" $f32 $f32
says 'a device by platform and number' 'device +opencl:0'
run plan --device "opencl:$platform" $f32 $f32
says 'a device by part of its name' 'device +opencl:0'
run plan --device opencl:99.7 $f32 $f32
refused 'a platform without such a device' 1 'platform 99 has no usable device 7'
run plan --device opencl:nonesuch $f32 $f32
refused 'a name that no device has' 1 'no device or platform has "nonesuch" in its name'
export ASTRIDE_OPENCL_BUILD_OPTIONS='-Dastride_copy_1=nonsense*'
run plan --device opencl:0 $f32 $f32
refused 'a build error shows the log' 1 \
    'clBuildProgram with "-cl-std=CL1.2 .*": CL_BUILD_PROGRAM_FAILURE \(-11\): .*error'
unset ASTRIDE_OPENCL_BUILD_OPTIONS
export ASTRIDE_OPENCL_SHARING=both
run plan --device opencl:0 $f32 $f32
refused 'a malformed sharing of work' 2 'ASTRIDE_OPENCL_SHARING="both" is neither "items" nor "runs"'

finish
