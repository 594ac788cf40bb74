#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Holds the symbols that each run-time library exports to the list of its name: what MLIR-compiled
# code, or a program that takes two of the libraries, would find there. *.exported are those lists.

: "${abs_top_srcdir:?run me by make check}" "${abs_top_builddir:?}" "${NM:=nm}"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
number=0

if ! command -v "$NM" >/dev/null 2>&1; then
    echo "1..0 # SKIP $NM was not found"
    exit 0
fi
echo '1..3'
for name in runtime addon memref_copy; do
    number=$((number + 1))
    library=$abs_top_builddir/.libs/libastride_mlir_$name.so
    # Sanitizers and coverage leave symbols of their own, which begin with two underscores.
    if "$NM" -D --defined-only "$library" >"$work/symbols" 2>"$work/log" &&
        sed 's/.* //; s/@.*//; /^__/d' "$work/symbols" | LC_ALL=C sort >"$work/$name.exported" &&
        diff "$abs_top_srcdir/tests/mlir_runtime/$name.exported" "$work/$name.exported" \
            >>"$work/log" 2>&1; then
        echo "ok $number - libastride_mlir_$name exports its list and nothing else"
    else
        echo "not ok $number - libastride_mlir_$name exports its list and nothing else"
        sed 's/^/# /' "$work/log"
    fi
done
