#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The command line itself: help, version, every kind of bad usage, and output that cannot be
# written.

# shellcheck source=tests/tools/tap.sh
. "${abs_top_srcdir:?run me by make check}/tests/tools/tap.sh"

version=$(sed -n 's/^#define ASTRIDE_VERSION_STRING "\(.*\)"$/\1/p' \
    "$abs_top_builddir/include/astride/version.h")

for arguments in '--version' 'devices --version' 'plan --version' 'selftest --version' \
    'bench --version' '-V'; do
    # shellcheck disable=SC2086 # a list of words
    run $arguments
    says "astride $arguments prints the version" "astride $version"
done

run --help
says 'help lists commands and environment' \
    'Usage: astride \[OPTION\.\.\.\] COMMAND \[ARGUMENT\.\.\.\]' \
    '  devices +list every backend .*' '  plan +show how a copy .*' \
    '  selftest +test copies .*' '  bench +measure copies .*' \
    '  ASTRIDE_BACKEND +.*' '  ASTRIDE_LOG +.*' '  ASTRIDE_PLUGIN_PATH +.*' \
    '  ASTRIDE_STRATEGY +.*' \
    'Exit status:' '  2  an argument .*'
run devices --help
says 'help of devices has its options' 'Usage: astride devices \[OPTION\.\.\.\]' \
    ' +--json +.*' '  ASTRIDE_BACKEND +.*'
run plan --help
says 'help of plan has its options' 'Usage: astride plan \[OPTION\.\.\.\] SRC DST' \
    '  -d, --device=SPEC +.*' '  -s, --strategy=NAME +.*' ' +--src-kind=KIND +.*' \
    ' +--dst-kind=KIND +.*' ' +--json +.*' '  rect-loop +.*' '  ASTRIDE_STRATEGY +.*'
run selftest --help
says 'help of selftest has its options' 'Usage: astride selftest \[OPTION\.\.\.\]' \
    '  -d, --device=SPEC +.*' '  -t, --seconds=N +.*' '  -s, --seed=S +.*' '  ASTRIDE_BACKEND +.*'
run bench --help
says 'help of bench has its options' 'Usage: astride bench \[OPTION\.\.\.\]' \
    '  -d, --device=SPEC +.*' '  -b, --bytes=N +.*' '  -r, --repeats=N +.*' ' +--json +.*'
for command in '' devices plan selftest bench; do
    # shellcheck disable=SC2086 # nothing or one word
    run $command --help
    outcome=0
    [ "$(awk 'length > 79' "$work/out" | wc -l)" -eq 0 ] || outcome=1
    result $outcome "help of astride $command fits 79 columns"
done

# bad LINE ARGUMENT...: LINE is what the command must say, with exit status 2.
bad() {
    line=$1
    shift
    run "$@"
    fails "bad usage: astride $*" 2 "$line"
}
f32='memref<4xf32>'

bad 'astride: a command is needed'
bad "astride: there is no command 'copy'" copy
bad "astride: there is no command ''" ''
bad "astride: unrecognized option '--nonsense'" --nonsense
bad "astride: invalid option -- 'x'" -x
bad "astride devices: unrecognized option '--nonsense'" devices --nonsense
bad "astride devices: invalid option -- 'd'" devices -d host
bad "astride devices: option '--json' doesn't allow an argument" devices --json=yes
bad "astride devices: it takes no argument, but there is 'host'" devices host
bad 'astride plan: two types are needed, SRC and DST' plan
bad 'astride plan: two types are needed, SRC and DST' plan $f32
bad "astride plan: it takes two types, but there is a third argument 'c'" plan $f32 $f32 c
bad "astride plan: unrecognized option '--nonsense'" plan --nonsense $f32 $f32
bad "astride plan: option '--json' doesn't allow an argument" plan --json=yes $f32 $f32
for option in --device --strategy --src-kind --dst-kind; do
    bad "astride plan: option '$option' requires an argument" plan $f32 $f32 $option
done
bad "astride plan: option requires an argument -- 'd'" plan $f32 $f32 -d
bad "astride plan: option requires an argument -- 's'" plan $f32 $f32 -s
strategies='auto, linear, rect, rect-loop, kernel, staged, host'
bad "astride plan: --strategy: 'fast' is none of $strategies" plan --strategy=fast $f32 $f32
bad "astride plan: --strategy: '' is none of $strategies" plan -s '' $f32 $f32
for option in --src-kind --dst-kind; do
    bad "astride plan: $option: 'gpu' is none of host, pinned, device, shared" \
        plan $option=gpu $f32 $f32
done
bad "astride selftest: it takes no argument, but there is 'host'" selftest host
bad "astride selftest: --seconds: '0' is no number from 1 to 1000000" selftest --seconds 0
bad "astride selftest: --seed: '-1' is no number from 0 to 18446744073709551615" selftest --seed=-1
bad "astride bench: it takes no argument, but there is 'host'" bench host
bad "astride bench: --bytes: '1k' is no number from 65536 to 68719476736" bench --bytes 1k
bad "astride bench: --repeats: '1002' is no number from 1 to 1001" bench --repeats 1002

# Output that cannot be written is an error, whoever writes it.
for arguments in '--help' '--version' 'devices' 'devices --json' "plan $f32 $f32"; do
    status=0
    : >"$work/out"
    # shellcheck disable=SC2086 # a list of words
    "$astride" $arguments >&- 2>"$work/err" || status=$?
    fails "closed standard output: astride $arguments" 1 \
        'astride: standard output: Bad file descriptor'
    if [ -w /dev/full ]; then
        status=0
        # shellcheck disable=SC2086
        "$astride" $arguments >/dev/full 2>"$work/err" || status=$?
        fails "full standard output: astride $arguments" 1 \
            'astride: standard output: No space left on device'
    else
        skip "full standard output: astride $arguments" 'there is no /dev/full'
    fi
done
status=0
"$astride" devices >"$work/out" 2>"$work/err" <&- || status=$?
says 'closed standard input is no matter' 'host +available +.*'
status=0
"$astride" devices >"$work/out" 2>&- || status=$?
: >"$work/err"
says 'closed standard error is no matter' 'host +available +.*'

finish
