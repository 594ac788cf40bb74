#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Why the HIP backend is unavailable, in the words of `astride devices`: there is no library, there is
# no device, or, where this machine has the real runtime and no device, in that runtime's own words.

# shellcheck source=tests/tools/tap.sh
. "${abs_top_srcdir:?run me by make check}/tests/tools/tap.sh"

ASTRIDE_PLUGIN_PATH=$abs_top_builddir/backends/hip/.libs
export ASTRIDE_PLUGIN_PATH

# because NAME PATTERN: the last run gives that reason for the HIP backend.
because() {
    says "$1" "hip +unavailable +$ASTRIDE_PLUGIN_PATH/astride-hip.so: $2" 'host +available .*'
}
no_device='hipError(NoDevice|InvalidDevice) \(10[01]\): there is no device, HIP_VISIBLE_DEVICES hides it, or /dev/kfd may not be opened'

ASTRIDE_HIP_LIBRARY=$work/no_such_file.so
export ASTRIDE_HIP_LIBRARY
run devices
because 'a file that is not there is named' \
    'dlopen: /.*/no_such_file\.so: cannot open .*\(ASTRIDE_HIP_LIBRARY\)'

simulated=$abs_top_builddir/tests/simulators/hip/.libs/libamdhip64.so.6
if [ -f "$simulated" ]; then
    ASTRIDE_HIP_LIBRARY=$simulated
    ASTRIDE_SIM_DEVICES=0
    export ASTRIDE_SIM_DEVICES
    run devices
    because 'a runtime without a device says so' "hipInit: $no_device"
    unset ASTRIDE_SIM_DEVICES
else
    skip 'a runtime without a device says so' 'the simulated runtime was not built'
fi

# Without the variable the runtime of this machine counts, where there is one.
unset ASTRIDE_HIP_LIBRARY
run devices
if grep -Eq '^hip +available' "$work/out"; then
    skip 'the real runtime is asked' 'this machine has a device'
elif grep -Eq '^hip +unavailable .*: dlopen: libamdhip64' "$work/out"; then
    because 'a machine without a runtime says so' \
        'dlopen: libamdhip64\.so\.5: cannot open .* \(nor is there a newer release.s library\)'
else
    because 'the real runtime gives its own reason' "hip[A-Za-z]+: $no_device"
fi

finish
