# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Turns text into a C array of its bytes. Numbers rather than strings: C compilers need not take
# string literals longer than 4095 characters. Plain awk, ASCII text only. With -v header=FILE
# and -v array=NAME the array is the one that FILE declares, else the kernels' source.
BEGIN {
    for (i = 1; i < 127; i++)
        code[sprintf("%c", i)] = i
    if (header == "")
        header = "backends/kernels/launch.h"
    if (array == "")
        array = "astride__kernel_source"
    print "/* Made from the kernels by embed.awk. */"
    print "#include \"" header "\""
    print ""
    print "const char " array "[] = {"
}
{
    line = ""
    for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        if (!(c in code)) {
            print "embed.awk: line " NR ": a byte is not ASCII" > "/dev/stderr"
            failed = 1
            exit 1
        }
        line = line code[c] ","
    }
    print line "10,"
}
END {
    if (!failed)
        print "0};"
}
