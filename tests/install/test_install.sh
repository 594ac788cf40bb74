#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs into an empty folder, compiles one program as a user would, from pkg-config's words alone,
# as C and as C++, runs both, and uninstalls: nothing may be left. Also holds the soname and the
# exported symbols to their rules.

: "${CC:=cc}" "${CXX:=}" "${MAKE:=make}" "${libdir:?run me by make check}"
: "${abs_top_srcdir:?}" "${abs_top_builddir:?}"

work=$(mktemp -d "$abs_top_builddir/install-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
root=$work/root
lib=$root$libdir
number=0

# report STATUS NAME: one test; the log becomes comments of the TAP stream when it failed.
report() {
    number=$((number + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        sed 's/^/# /' "$work/log"
    fi
}

skip() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

# make_in_build TARGET: without the jobs of the make that runs the tests.
make_in_build() {
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "$MAKE" -C "$abs_top_builddir" "$1" DESTDIR="$root" \
        >"$work/log" 2>&1
}

pkg_config() {
    PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_LIBDIR=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root \
        "$PKG_CONFIG" "$@"
}

# build_and_run NAME COMPILER...: the program must compile without a warning and end with success.
# It sees no driver of the machine: what is installed elsewhere is not tested here.
build_and_run() {
    program=$work/$1
    shift
    # shellcheck disable=SC2046 # the flags are words
    "$@" -Wall -Wextra -Werror -o "$program" $(pkg_config --cflags --libs astride) \
        >"$work/log" 2>&1 &&
        OCL_ICD_VENDORS=$work LD_LIBRARY_PATH=$lib "$program" >>"$work/log" 2>&1
}

# only_ours LIBRARY: every exported symbol belongs to the project's names.
only_ours() {
    nm -D --defined-only "$1" | awk '{ print $NF }' | sed 's/@.*//' |
        grep -v -E '^(astride_|mgpu|_mlir_ciface_astride_|memrefCopy$|__(asan|ubsan|tsan|odr_asan)|_init$|_fini$)' \
            >"$work/log"
    [ ! -s "$work/log" ]
}

echo "1..7"

make_in_build install
report $? "make install DESTDIR=... succeeds"

if command -v readelf >/dev/null 2>&1; then
    readelf -d "$lib/libastride.so" >"$work/log" 2>&1
    grep -q 'SONAME.*\[libastride\.so\.0\]' "$work/log"
    report $? "the soname is libastride.so.0"
else
    skip "the soname is libastride.so.0" "readelf was not found"
fi

if command -v nm >/dev/null 2>&1; then
    status=0
    for library in "$lib"/libastride*.so; do
        only_ours "$library" || { status=1 && break; }
    done
    report $status "the libraries export the project's names only"
else
    skip "the libraries export the project's names only" "nm was not found"
fi

find "$lib/astride" -name '*.la' >"$work/log" 2>/dev/null
[ ! -s "$work/log" ]
report $? "no .la file is installed beside a plugin"

if [ -z "$PKG_CONFIG" ]; then
    skip "a C program compiles, links and runs" "pkg-config was not found"
    skip "the same program as C++" "pkg-config was not found"
else
    # shellcheck disable=SC2086 # compilers and flags are words
    build_and_run user-c $CC $CFLAGS -std=c11 "$abs_top_srcdir/tests/install/user.c"
    report $? "a C program compiles, links and runs"
    if [ -n "$CXX" ]; then
        cp "$abs_top_srcdir/tests/install/user.c" "$work/user.cpp"
        # shellcheck disable=SC2086
        build_and_run user-cpp $CXX $CXXFLAGS -std=c++17 "$work/user.cpp"
        report $? "the same program as C++"
    else
        skip "the same program as C++" "no C++ compiler was found by configure"
    fi
fi

make_in_build uninstall && find "$root" ! -type d >"$work/log" && [ ! -s "$work/log" ]
report $? "make uninstall leaves nothing"
