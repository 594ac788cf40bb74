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

number=$((number + 1))
"$bench" --bytes=many >/dev/null 2>&1
if [ $? -eq 2 ]; then
    echo "ok $number - a size that is none is refused"
else
    echo "not ok $number - a size that is none is refused"
fi
echo "1..$number"
