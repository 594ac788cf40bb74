#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Why the CUDA backend is unavailable, in the words of `astride devices`: there is no driver, a
# driver that lacks functions, or one that finds no device. These drivers have nothing but names.

# shellcheck source=tests/tools/tap.sh
. "${abs_top_srcdir:?run me by make check}/tests/tools/tap.sh"

ASTRIDE_PLUGIN_PATH=$abs_top_builddir/backends/cuda/.libs
export ASTRIDE_PLUGIN_PATH
drivers=$abs_top_builddir/tests/cuda/.libs

# driver FILE: lists the devices of a driver of that name.
driver() {
    ASTRIDE_CUDA_LIBRARY=$drivers/$1.so
    export ASTRIDE_CUDA_LIBRARY
    run devices
}

# because NAME PATTERN: the last run gives that reason for the CUDA backend.
because() {
    says "$1" "cuda +unavailable +$ASTRIDE_PLUGIN_PATH/astride-cuda.so: $2" 'host +available .*'
}

driver no_such_file
because 'a file that is not there is named' \
    'dlopen: /.*/no_such_file\.so: cannot open .*\(ASTRIDE_CUDA_LIBRARY\)'

no_device='cuInit: CUDA_ERROR_NO_DEVICE \(100\): there is no device, or CUDA_VISIBLE_DEVICES hides it'
driver fake_exported
because 'functions are found by their exported names' "$no_device"
driver fake_asked_1
because 'functions are found by the first cuGetProcAddress' "$no_device"
driver fake_asked_2
because 'functions are found by the second cuGetProcAddress' "$no_device"

driver fake_lacks_required
because 'a function of the 32-bit version is not taken for the current one' \
    '/.*/fake_lacks_required\.so lacks the function cuMemcpy3DAsync_v2, which CUDA has since 3\.2'
driver fake_asked_lacks
because 'a function that cuGetProcAddress does not know is lacking' \
    '/.*/fake_asked_lacks\.so lacks the function cuStreamQuery, which CUDA has since 2\.0'

driver fake_lacks_optional
because 'an optional function may be lacking' "$no_device"
ASTRIDE_LOG=info
export ASTRIDE_LOG
run devices
outcome=1
grep -q 'lacks the optional function cuMemcpy3DPeerAsync' "$work/err" && outcome=0
result $outcome 'an optional function that is lacking is logged'
unset ASTRIDE_LOG

driver fake_stub
because 'a stub of the SDK is told apart' \
    "cuInit: CUDA_ERROR_STUB_LIBRARY \(34\): the library is the SDK's stub, not the driver"

# Without the variable the driver of this machine counts, where there is one.
unset ASTRIDE_CUDA_LIBRARY
run devices
if grep -Eq '^cuda +available' "$work/out"; then
    skip 'a machine without a driver says so' 'this machine has one'
elif grep -Eq '^cuda +unavailable .*: cuInit: ' "$work/out"; then
    skip 'a machine without a driver says so' 'this machine has a driver, but no device'
else
    because 'a machine without a driver says so' 'dlopen: libcuda\.so\.1: cannot open .*'
fi

finish
