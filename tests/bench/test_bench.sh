#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The benchmark copies every layout rightly, in cache and past it; nothing is timed. Its contestants
# are others' programs, so only Astride's own copies are asked for.

bench=${abs_top_builddir:?run me by make check}/bench/bench
number=0

# verifies NAME ARGUMENT...: the run succeeds and says that it compared something.
verifies() {
    name=$1
    shift
    number=$((number + 1))
    if words=$("$bench" --verify --peers=Astride "$@" 2>&1) &&
        echo "$words" | grep -Eq '^[1-9][0-9]* layouts, 1 contestants: .* right$'; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        echo "$words" | sed 's/^/# /'
    fi
}

verifies 'layouts of 1 KiB' --bytes=1K
verifies 'layouts of 256 KiB' --bytes=256K
verifies 'layouts of 4 MiB' --bytes=4M

# The times mean nothing here, but the results are compared: 0 is right and fast, 1 slower.
number=$((number + 1))
words=$("$bench" --random=12 --seed=3 2>&1)
if [ $? -le 1 ] && echo "$words" | grep -q '^12 random layouts of seed 3: .* 0 wrong;'; then
    echo "ok $number - random layouts"
else
    echo "not ok $number - random layouts"
    echo "$words" | sed 's/^/# /'
fi

number=$((number + 1))
words=$("$bench" --growth --bytes=4K --rounds=1 --layout='every 2nd f32' 2>&1)
if [ $? -le 1 ] && echo "$words" | grep -Eq '^every 2nd f32 +[0-9]+ us( +[0-9.]+[! ]\([0-9.]+\)){3}$'; then
    echo "ok $number - growing payloads"
else
    echo "not ok $number - growing payloads"
    echo "$words" | sed 's/^/# /'
fi

number=$((number + 1))
"$bench" --seed=-1 >/dev/null 2>&1
if [ $? -eq 2 ]; then
    echo "ok $number - a seed that is no number is refused"
else
    echo "not ok $number - a seed that is no number is refused"
fi

number=$((number + 1))
"$bench" --bytes=many >/dev/null 2>&1
if [ $? -eq 2 ]; then
    echo "ok $number - a size that is none is refused"
else
    echo "not ok $number - a size that is none is refused"
fi
echo "1..$number"
