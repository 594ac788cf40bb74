#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every program lowers completely, both ways and with every LLVM configured, and what it was lowered
# to is well-formed. Nothing is run here.

# shellcheck source=tests/mlir/common.sh
. "${abs_top_srcdir:?run me by make check}/tests/mlir/common.sh"

# count PATTERN: lines of the lowered program.
count() {
    grep -c -e "$1" "$work/out"
}

# well_formed: nothing of the GPU dialect is left, and each strided call has stack of its own.
well_formed() {
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] || return 1
    ! grep -Eq ' gpu\.|unrealized_conversion_cast' "$work/out" || return 1
    calls=$(count 'call @mgpuMem[a-z]*Strided(')
    [ "$calls" -ge 1 ] && [ "$(count 'llvm\.intr\.stacksave')" -eq "$calls" ] &&
        [ "$(count 'llvm\.intr\.stackrestore')" -eq "$calls" ] || return 1
    [ -n "$translate" ] || return 0
    "$translate" --mlir-to-llvmir "$work/out" >/dev/null 2>"$work/err"
}

# opt ARGUMENT...: mlir-opt itself.
opt() {
    status=0
    "$(setting mlir_opt "$major")" "$@" >"$work/out" 2>"$work/err" || status=$?
}

# index_32 NAME: the last lowering took the index type to have 32 bits, and sign-extended what is
# dynamic: stride, offset and size. An index is 4 bytes, a float is, too.
index_32() {
    outcome=1
    well_formed && [ "$(count 'llvm\.sext .* : i32 to i64')" -eq 3 ] && outcome=0
    result $outcome "$1"
}

for major in $mlir_majors; do
    translate=$(setting mlir_translate "$major")
    plugin=$mlir_plugins/$major/astride-mlir-$major.so

    for way in dialect pass; do
        for program in $(mlir_programs) "$mlir_source"/lower_structure.mlir; do
            mlir --way=$way --lower "$major" "$program"
            outcome=1
            well_formed && outcome=0
            result $outcome "$major, $way: $(basename "$program") lowers completely"
        done

        mlir --way=$way --lower "$major" "$mlir_source/lower_flat_dependencies.mlir"
        outcome=1
        [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && ! grep -q ' gpu\.' "$work/out" &&
            [ "$(count 'call @mgpuMemcpy(')" -eq 2 ] && outcome=0
        result $outcome "$major, $way: dense copies stay with mgpuMemcpy, whatever they depend on"

        mlir --way=$way --lower "$major" "$mlir_source/lower_async_region.mlir"
        outcome=1
        [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && ! grep -q ' gpu\.' "$work/out" &&
            [ "$(sed -n 's/.*call @mgpu\(MemcpyStrided\|EventRecord\)(.*/\1/p' "$work/out" |
                uniq | tr '\n' ' ')" = 'MemcpyStrided EventRecord ' ] && outcome=0
        result $outcome "$major, $way: the event of an asynchronous region comes after the copy"
    done

    # The pass on its own has done its work before any conversion begins.
    opt "--load-pass-plugin=$plugin" "--pass-pipeline=builtin.module(astride-gpu-copy)" \
        "$mlir_examples/transpose.mlir"
    outcome=1
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && [ "$(count 'gpu\.memcpy')" -eq 0 ] &&
        [ "$(count 'call @mgpuMemcpyStrided(')" -eq 2 ] && outcome=0
    result $outcome "$major, pass: synchronous copies, dense ones too, become calls by the pass alone"

    opt "--load-pass-plugin=$plugin" \
        "--pass-pipeline=builtin.module(func.func(gpu-async-region),astride-gpu-copy)" \
        "$mlir_examples/transpose.mlir"
    outcome=1
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && [ "$(count '= gpu\.memcpy async')" -eq 1 ] &&
        [ "$(count 'call @mgpuMemcpyStrided(')" -eq 1 ] && outcome=0
    result $outcome "$major, pass: an asynchronous dense copy is left to gpu-to-llvm"

    # Where upstream has a choice of the index width: its passes one by one, and from LLVM 20 on
    # convert-to-llvm by the data layout.
    passes='astride-gpu-copy{index-bitwidth=32},finalize-memref-to-llvm{index-bitwidth=32}'
    passes="$passes,convert-func-to-llvm{index-bitwidth=32},reconcile-unrealized-casts"
    opt "--load-pass-plugin=$plugin" "--pass-pipeline=builtin.module($passes)" \
        "$mlir_source/lower_index_32.mlir"
    index_32 "$major, pass: an index type of 32 bits"
    name="$major, dialect: an index type of 32 bits"
    if [ "$major" -ge 20 ]; then
        opt "-load-dialect-plugin=$plugin" \
            '--pass-pipeline=builtin.module(convert-to-llvm{dynamic=true})' \
            "$mlir_source/lower_index_32.mlir"
        index_32 "$name"
    else
        skip "$name" "convert-to-llvm of LLVM $major knows only 64 bits"
    fi
    opt "--load-pass-plugin=$plugin" \
        '--pass-pipeline=builtin.module(astride-gpu-copy{index-bitwidth=48})' \
        "$mlir_source/lower_index_32.mlir"
    outcome=1
    [ "$status" -eq 1 ] &&
        grep -q 'error: astride-gpu-copy: index-bitwidth=48 is neither 32 nor 64' "$work/err" &&
        outcome=0
    result $outcome "$major, pass: another width of the index type is refused"
done
finish
