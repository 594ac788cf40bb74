#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# astride devices: the host, available and unavailable plugins, refused ones, as words and as JSON.

# shellcheck source=tests/tools/tap.sh
. "${abs_top_srcdir:?run me by make check}/tests/tools/tap.sh"

run devices
says 'the host is listed with its device' 'host +available +1 device   built in' '  host:0  .+'
run devices --json
json 'the host is in the JSON' 'len(v["version"].split(".")) == 3 and
[b for b in v["backends"] if b["name"] == "host"][0]["devices"][0]["spec"] == "host:0"'
json 'the host is the last choice' 'v["backends"][-1]["name"] == "host"'
json 'an available backend has no reason' 'v["backends"][-1]["state"] == "available" and
v["backends"][-1]["reason"] == "" and v["backends"][-1]["origin"] == "built in"'

# A file that is no plugin, in a folder whose name JSON must escape and a terminal must not see: a
# quote, a backslash, a control character, sequences of 2, 3 and 4 bytes that are UTF-8, and ones
# that are none (a stray byte, two overlong forms, a surrogate, above U+10FFFF, cut short).
escaped=$(printf 'a"b\\\001')
utf8=$(printf '\303\251\342\202\254\360\237\230\200')
bytes=$(printf '\377\300\200\360\200\200\200\355\240\200\364\220\200\200\342\202')
folder=$work/$escaped$utf8$bytes
mkdir "$folder"
echo 'not ELF' >"$folder/astride-text.so"
ASTRIDE_PLUGIN_PATH=$folder
export ASTRIDE_PLUGIN_PATH
run devices
says 'a refused plugin is listed with file and reason' 'host +available .*' \
    'text +refused +/.*a"b\\\?.*/astride-text\.so: dlopen: .*'
run devices --json
json 'the JSON of a refused plugin is escaped' 'v["backends"][-1]["name"] == "text" and
v["backends"][-1]["state"] == "refused" and v["backends"][-1]["devices"] == [] and
v["backends"][-1]["reason"].startswith("dlopen: ") and
v["backends"][-1]["origin"].endswith("/a\"b\\\u0001\u00e9\u20ac\U0001f600" + 16 * "\ufffd" +
"/astride-text.so")'

ASTRIDE_PLUGIN_PATH=relative
run devices
says 'a relative plugin folder is refused' \
    'ASTRIDE_PLUGIN_PATH +refused +relative: .*"relative" is not an absolute path'

# Plugins of the loader's own tests, where they were built.
plugins=${ASTRIDE_TEST_PLUGINS:-}
if [ -f "$plugins/astride-example.so" ]; then
    mkdir "$work/plugins"
    for name in example unavailable wrong_abi; do
        ln -s "$plugins/astride-$name.so" "$work/plugins/astride-$name.so"
    done
    ASTRIDE_PLUGIN_PATH=$work/plugins
    run devices
    says 'each state has its line' \
        "example      available    2 devices  $work/plugins/astride-example.so" \
        '  example:0  example device left, 64\.0 MiB' \
        '  example:1  example device right, 64\.0 MiB' \
        "unavailable  unavailable  $work/plugins/astride-unavailable.so: .*WIDGET_NONE \(code 7\)" \
        "wrong_abi    refused      $work/plugins/astride-wrong_abi.so: its ABI number is 2, .*"
    run devices --json
    json 'each state has its JSON' '{b["name"]: b["state"] for b in v["backends"]
if b["name"] in ("example", "unavailable", "host", "wrong_abi")} == {
"example": "available", "unavailable": "unavailable", "host": "available", "wrong_abi": "refused"}'
    json 'devices have spec, name and memory' '[b for b in v["backends"]
if b["name"] == "example"][0]["devices"][1] == {"spec": "example:1",
"name": "example device right", "memory_bytes": 64 << 20}'
    json 'an unavailable backend has its reason' 'any(b["state"] == "unavailable" and
"WIDGET_NONE (code 7)" in b["reason"] and b["devices"] == [] for b in v["backends"])'
else
    for name in 'each state has its line' 'each state has its JSON' \
        'devices have spec, name and memory' 'an unavailable backend has its reason'; do
        skip "$name" 'the plugins of the tests were not built'
    done
fi
unset ASTRIDE_PLUGIN_PATH

for variable in ASTRIDE_LOG ASTRIDE_STRATEGY; do
    status=0
    env $variable=nonsense "$astride" devices >"$work/out" 2>"$work/err" || status=$?
    outcome=1
    [ "$status" -eq 2 ] && [ ! -s "$work/out" ] &&
        grep -q "^astride devices: .*$variable: \"nonsense\" is none of " "$work/err" && outcome=0
    result $outcome "a malformed $variable is bad usage"
done

finish
