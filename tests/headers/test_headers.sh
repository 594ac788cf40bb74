#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles each public header alone, as strict C11 and as C++17, with every warning an error: a
# header that leans on what was included before it, or that C++ cannot read, fails here. What the
# declarations mean is the matter of other tests.

: "${CC:=cc}" "${CXX:=}" "${ASTRIDE_TEST_HEADERS:?names the headers: run me by make check}"
: "${abs_top_srcdir:?}" "${abs_top_builddir:?}"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
include="-I$abs_top_srcdir/include -I$abs_top_builddir/include"
warnings='-pedantic -Wall -Wextra -Wconversion -Wshadow -Wundef -Werror'

# shellcheck disable=SC2086 # a list of paths without blanks
set -- $ASTRIDE_TEST_HEADERS
if [ -n "$CXX" ]; then
    echo "1..$((2 * $#))"
else
    echo "1..$(($# + 1))"
fi
number=0

# try LANGUAGE HEADER COMPILER...: one test; the compiler's words become comments of the TAP stream.
try() {
    language=$1 header=$2
    shift 2
    number=$((number + 1))
    if "$@" >"$work/log" 2>&1; then
        echo "ok $number - $header compiles alone as $language"
    else
        echo "not ok $number - $header compiles alone as $language"
        sed 's/^/# /' "$work/log"
    fi
}

for path; do
    header=astride/${path##*/}
    echo "#include <$header>" >"$work/alone.c"
    # The header twice: its include guard is part of the test.
    echo "#include <$header>" >>"$work/alone.c"
    echo "int main(void) { return 0; }" >>"$work/alone.c"
    cp "$work/alone.c" "$work/alone.cpp"
    # shellcheck disable=SC2086 # options and compilers are lists of words
    try C11 "$header" $CC -std=c11 $warnings -Wstrict-prototypes $include -fsyntax-only \
        "$work/alone.c"
    if [ -n "$CXX" ]; then
        # shellcheck disable=SC2086
        try C++17 "$header" $CXX -std=c++17 $warnings $include -fsyntax-only "$work/alone.cpp"
    fi
done
[ -n "$CXX" ] || echo "ok $((number + 1)) # SKIP no C++ compiler was found by configure"
