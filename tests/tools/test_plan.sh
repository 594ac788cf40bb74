#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# astride plan: its words and JSON for copies whose plan is certain, types that do not fit,
# strategies and devices that cannot be had.

# shellcheck source=tests/tools/tap.sh
. "${abs_top_srcdir:?run me by make check}/tests/tools/tap.sh"

rows='memref<8x32xf32, strided<[128, 1], offset: 10>>'
dense='memref<8x32xf32>'
columns='memref<8x32xf32, affine_map<(d0, d1) -> (d1, d0)>>'

run plan --device=host "$rows" "$dense"
says 'the words show device, types and plan' 'device       host:0' \
    'source       memref<8x32xf32, strided<\[128, 1\], offset: 10>>' \
    'destination  memref<8x32xf32>' '.*, because .*host:0.*' '  copies +1024 bytes.*'
run plan --device=host "$columns" "$dense"
says 'an affine map is shown as the strides that it means' \
    'source       memref<8x32xf32, strided<\[1, 8\]>>'

run plan --device=host --json "$dense" "$dense"
json 'a contiguous copy is linear' 'v["strategy"] == "linear" and v["calls"] == 1 and
v["bytes"] == 1024 and v["unit_bytes"] == 1024 and v["extents"] == [] and v["forced"] == False'
run plan --device=host --json "$rows" "$dense"
json 'rows keep their strides, SRC first' 'v["device"] == "host:0" and v["bytes"] == 1024 and
v["unit_bytes"] == 128 and v["extents"] == [8] and v["src_strides"] == [512] and
v["dst_strides"] == [128]'
run plan --device=host --json "$dense" "$rows"
json 'the other way round they change sides' 'v["src_strides"] == [128] and
v["dst_strides"] == [512]'
run plan --device=host --json 'memref<0x4xf32>' 'memref<0x4xf32>'
json 'an empty copy has no bytes' 'v["bytes"] == 0 and v["calls"] == 0'
run plan --device=host --json 'memref<complex<f64>>' 'memref<complex<f64>>'
json 'rank 0 is one element' 'v["bytes"] == 16 and v["strategy"] == "linear"'

run plan --device=host --json "$dense" "$dense"
json 'memory is of the device by default' 'v["src_memory"] == "device" and
v["dst_memory"] == "device"'
for kind in host pinned device; do
    run plan --device=host --json --src-kind=$kind "$dense" "$dense"
    json "the source may be $kind memory" 'v["src_memory"] == "'$kind'" and
v["dst_memory"] == "device"'
    run plan --device=host --json --dst-kind=$kind "$dense" "$dense"
    json "the destination may be $kind memory" 'v["dst_memory"] == "'$kind'" and
v["src_memory"] == "device"'
done

for strategy in rect kernel host; do
    run plan -d host -s $strategy --json "$rows" "$dense"
    json "strategy $strategy can be forced" 'v["strategy"] == "'$strategy'" and v["forced"]'
done
run plan -d host -s auto --json "$rows" "$dense"
json 'strategy auto forces nothing' 'not v["forced"]'

# refused NAME STATUS PATTERN ARGUMENT...: the first line of the error matches, nothing is planned.
refused() {
    refused_name=$1 expected=$2 pattern=$3
    shift 3
    run plan "$@"
    outcome=1
    [ "$status" -eq "$expected" ] && [ ! -s "$work/out" ] &&
        sed 1q "$work/err" | grep -Eqx -e "$pattern" && outcome=0
    result $outcome "$refused_name"
}

refused 'a strategy that cannot carry out the copy is an error' 1 'astride plan: .*linear.*' \
    -d host -s linear "$rows" "$dense"
refused 'a destination that repeats an element is an error' 1 'astride plan: .*dst.*' \
    -d host "$dense" 'memref<8x32xf32, strided<[0, 1]>>'
refused 'an unknown device is named' 1 'astride plan: .*nosuch.*' -d nosuch "$dense" "$dense"
refused 'a device that is not there is named' 1 'astride plan: .*999.*' \
    -d host:999 "$dense" "$dense"
refused 'a malformed device is bad usage' 2 'astride plan: .*' -d 'host,,' "$dense" "$dense"
if [ -f "${ASTRIDE_TEST_PLUGINS:-}/astride-unavailable.so" ]; then
    ASTRIDE_PLUGIN_PATH=$ASTRIDE_TEST_PLUGINS
    export ASTRIDE_PLUGIN_PATH
    refused 'an unavailable device comes with its reason' 1 \
        'astride plan: .*unavailable.*widgetCount: WIDGET_NONE \(code 7\).*' \
        -d unavailable "$dense" "$dense"
    unset ASTRIDE_PLUGIN_PATH
else
    skip 'an unavailable device comes with its reason' 'the plugins of the tests were not built'
fi

run plan 'memref<8x?xf32>' "$dense"
cat >"$work/expected" <<'END'
astride plan: SRC, column 10: a plan needs numbers: put an extent in place of '?'
  memref<8x?xf32>
           ^
END
outcome=1
[ "$status" -eq 2 ] && [ ! -s "$work/out" ] && cmp -s "$work/expected" "$work/err" && outcome=0
result $outcome 'an error in a type is shown at its place'
refused 'the error names the side' 2 "astride plan: DST, column 15: .*, not 'x'" \
    "$dense" 'memref<4xf32> x'
refused 'ranks must be equal' 2 'astride plan: SRC has rank 2, DST has rank 1' \
    "$dense" 'memref<256xf32>'
refused 'extents must be equal' 2 'astride plan: extent 1 is 32 in SRC and 8 in DST' \
    "$dense" 'memref<8x8xf32>'
refused 'element types must be equal' 2 'astride plan: the elements are f32 in SRC and i32 in DST' \
    "$dense" 'memref<8x32xi32>'

finish
