# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=sh
# What the tests on OpenCL implementations share: each sees one implementation only, whatever else is
# installed. To be sourced by a test, which ends here where the implementation is not there.

: "${abs_top_srcdir:?run me by make check}" "${abs_top_builddir:?}"
plugin_folder=$abs_top_builddir/backends/opencl/.libs
conformance=$abs_top_builddir/tests/conformance/conformance

# skip_all REASON: instead of any case.
skip_all() {
    echo "1..0 # SKIP $*"
    exit 0
}

[ -f "$plugin_folder/astride-opencl.so" ] || skip_all "the OpenCL backend was not built"
[ -x "$conformance" ] || skip_all "the conformance suite was not built"
case ${ASTRIDE_TEST_SANITIZE-} in
*thread*) skip_all "drivers are not compiled with the thread sanitizer, which would not see their locks" ;;
esac
# Their leaks are not ours.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
mkdir "$work/plugins" "$work/vendors" || exit 99
cp "$plugin_folder/astride-opencl.so" "$work/plugins" || exit 99
ASTRIDE_PLUGIN_PATH=$work/plugins
OCL_ICD_VENDORS=$work/vendors
export ASTRIDE_PLUGIN_PATH

# use_implementation NAME LIBRARY: the only one from here on. The device must be there then.
use_implementation() {
    echo "$2" >"$work/vendors/$1.icd"
    export OCL_ICD_VENDORS
    status=0
    "$conformance" --device "opencl:$1" --count 1 >"$work/out" 2>&1 || status=$?
    # Some drivers abort where they cannot read the machine's topology, as in a bare chroot.
    [ "$status" -lt 128 ] || skip_all "$1 ends the process: $(tail -n 1 "$work/out")"
    if [ "$status" -ne 0 ]; then
        grep -q 'cannot open shared object\|ASTRIDE_UNAVAILABLE' "$work/out" || return 0
        skip_all "$1: $(sed -n 's/^not ok 1 - //p' "$work/out")"
    fi
}

# scaled COUNT: by ASTRIDE_TEST_COUNT, in percent.
scaled() {
    echo $((($1 * ${ASTRIDE_TEST_COUNT:-100} + 99) / 100))
}
