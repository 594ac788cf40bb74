# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The MLIR pass plugin: for which majors of LLVM it is built, where their headers, tools and
# run-time libraries are, and why a major is left out.

# ASTRIDE_WITH_MLIR
# --with-mlir=auto|no|LIST. LIST has MAJOR and MAJOR=PREFIX, where PREFIX is what an LLVM package
# is installed under or the folder that scripts/fetch-mlir has filled. What LIST names and cannot be
# had is an error; auto takes what it finds.
#
# Substitutes ASTRIDE_MLIR_MAJORS, ASTRIDE_MLIR_REASON (why there are none), ASTRIDE_MLIR_INCLUDES
# (words MAJOR=FOLDER), ASTRIDE_MLIR_CXXFLAGS, and whole lines for tests/mlir/config.sh and
# astride-mlir.pc. Sets astride_mlir_summary. Defines the Automake conditional MLIR.
AC_DEFUN([ASTRIDE_WITH_MLIR],
  [AC_REQUIRE([AC_PROG_CXX])
   AC_ARG_WITH([mlir],
     [AS_HELP_STRING([--with-mlir=LIST],
        [build the MLIR pass plugin for these majors of LLVM: 'auto' (the default), 'no', or
         MAJOR and MAJOR=PREFIX with commas between])],
     [], [with_mlir=auto])
   ASTRIDE_MLIR_MAJORS=
   ASTRIDE_MLIR_REASON=
   ASTRIDE_MLIR_INCLUDES=
   ASTRIDE_MLIR_CXXFLAGS="-Wall -Wextra"
   ASTRIDE_MLIR_SETTINGS=
   ASTRIDE_MLIR_PC_VARIABLES=
   astride_mlir_notes=

   AS_CASE([$with_mlir],
     [no], [ASTRIDE_MLIR_REASON="switched off by --without-mlir"],
     [auto|yes],
       [AS_IF([test "x$astride_cv_cxx_works" != xyes],
                [ASTRIDE_MLIR_REASON="$CXX compiles no C++17"],
              [test "x$cross_compiling" = xyes],
                [ASTRIDE_MLIR_REASON="the plugin is for the mlir-opt of this machine"],
              [ASTRIDE_MLIR_SEARCH])],
     [AS_IF([test "x$astride_cv_cxx_works" != xyes],
        [AC_MSG_ERROR([--with-mlir=$with_mlir: $CXX compiles no C++17])])
      ASTRIDE_MLIR_LIST])
   AS_IF([test "x$with_mlir" = xyes && test -z "$ASTRIDE_MLIR_MAJORS"],
     [AC_MSG_ERROR([--with-mlir: $ASTRIDE_MLIR_REASON])])

   AS_IF([test "x$enable_werror" = xyes], [AS_VAR_APPEND([ASTRIDE_MLIR_CXXFLAGS], [" -Werror"])])
   AS_IF([test -n "$ASTRIDE_MLIR_MAJORS"],
     [astride_mlir_summary="for LLVM$ASTRIDE_MLIR_MAJORS$astride_mlir_notes"],
     [astride_mlir_summary="no: $ASTRIDE_MLIR_REASON$astride_mlir_notes"])
   AC_SUBST([ASTRIDE_MLIR_MAJORS])
   AC_SUBST([ASTRIDE_MLIR_REASON])
   AC_SUBST([ASTRIDE_MLIR_INCLUDES])
   AC_SUBST([ASTRIDE_MLIR_CXXFLAGS])
   dnl Several lines each, which a Makefile's variable cannot have.
   AC_SUBST([ASTRIDE_MLIR_SETTINGS])
   AC_SUBST([ASTRIDE_MLIR_PC_VARIABLES])
   AM_SUBST_NOTMAKE([ASTRIDE_MLIR_SETTINGS])
   AM_SUBST_NOTMAKE([ASTRIDE_MLIR_PC_VARIABLES])
   AM_CONDITIONAL([MLIR], [test -n "$ASTRIDE_MLIR_MAJORS"])])

# ASTRIDE_MLIR_SEARCH
# Every LLVM below the folders that distributions use. Majors are tried in ascending order.
AC_DEFUN([ASTRIDE_MLIR_SEARCH],
  [astride_mlir_found=
   for astride_config in /usr/lib/llvm-*/include/llvm/Config/llvm-config.h \
                         /usr/lib/llvm*/include/llvm/Config/llvm-config.h \
                         /usr/local/include/llvm/Config/llvm-config.h \
                         /usr/include/llvm/Config/llvm-config.h
   do
     AS_IF([test -f "$astride_config"],
       [astride_prefix=${astride_config%/include/llvm/Config/llvm-config.h}
        astride_major=`ASTRIDE_MLIR_READ_MAJOR(["$astride_config"])`
        AS_IF([test -f "$astride_prefix/include/mlir/IR/Dialect.h"],
          [AS_VAR_APPEND([astride_mlir_found], ["$astride_major=$astride_prefix
"])])])
   done
   for astride_item in `AS_ECHO(["$astride_mlir_found"]) | sort -t= -k1,1n -u`
   do
     astride_major=${astride_item%%=*}
     ASTRIDE_MLIR_TRY([$astride_major], [${astride_item@%:@*=}])
     AS_IF([test -n "$astride_mlir_problem"],
       [AS_VAR_APPEND([astride_mlir_notes], ["; not for $astride_major: $astride_mlir_problem"])])
   done
   AS_IF([test -n "$ASTRIDE_MLIR_MAJORS"], [],
         [test -n "$astride_mlir_found"],
           [ASTRIDE_MLIR_REASON="no LLVM with MLIR headers can be used"],
         [ASTRIDE_MLIR_REASON=m4_normalize(["no MLIR headers were found (Debian: libmlir-MAJOR-dev,
            or scripts/fetch-mlir and --with-mlir=MAJOR=FOLDER)"])])])

# ASTRIDE_MLIR_LIST
# The items of $with_mlir, each of which must work.
AC_DEFUN([ASTRIDE_MLIR_LIST],
  [for astride_item in `AS_ECHO(["$with_mlir"]) | tr ',' ' '`
   do
     astride_major=${astride_item%%=*}
     AS_CASE([$astride_item],
       [*=*], [astride_prefix=${astride_item@%:@*=}],
       [astride_prefix=/usr/lib/llvm-$astride_major
        AS_IF([test -d "$astride_prefix"], [], [astride_prefix=/usr])])
     AS_CASE([$astride_major],
       [''|*@<:@!0-9@:>@*], [AC_MSG_ERROR(m4_normalize([--with-mlir=$with_mlir: '$astride_item' is
          neither MAJOR nor MAJOR=PREFIX]))])
     AS_CASE([$astride_prefix],
       [/*], [],
       [AC_MSG_ERROR([--with-mlir=$with_mlir: the folder $astride_prefix is not absolute])])
     AS_CASE([" $ASTRIDE_MLIR_MAJORS "],
       [*" $astride_major "*],
         [AC_MSG_ERROR([--with-mlir=$with_mlir: $astride_major occurs twice])])
     ASTRIDE_MLIR_TRY([$astride_major], [$astride_prefix])
     AS_IF([test -n "$astride_mlir_problem"],
       [AC_MSG_ERROR([--with-mlir=$with_mlir: $astride_major: $astride_mlir_problem])])
   done])

# ASTRIDE_MLIR_READ_MAJOR(FILE)
# Shell text that prints the major version that an llvm-config.h is of.
AC_DEFUN([ASTRIDE_MLIR_READ_MAJOR],
  [sed -n 's/^@%:@define LLVM_VERSION_MAJOR \(@<:@0-9@:>@*\).*/\1/p' $1 2>/dev/null])

# ASTRIDE_MLIR_TRY(MAJOR, PREFIX)
# Adds one major, or sets astride_mlir_problem. mlir-opt is required, since the plugin is of no use
# without; translator, runner and its libraries are needed by the tests only.
AC_DEFUN([ASTRIDE_MLIR_TRY],
  [AC_MSG_CHECKING([for MLIR $1])
   astride_mlir_problem=
   AS_IF([test -d "$2/usr/lib/llvm-$1"],
     [astride_root=$2/usr/lib/llvm-$1], [astride_root=$2])
   astride_include=$astride_root/include
   astride_config=$astride_include/llvm/Config/llvm-config.h
   astride_path=`AS_ECHO(["$PATH"]) | tr : ' '`
   ASTRIDE_MLIR_FIND_TOOL([astride_opt], [$1], [mlir-opt])
   ASTRIDE_MLIR_FIND_TOOL([astride_translate], [$1], [mlir-translate])
   ASTRIDE_MLIR_FIND_TOOL([astride_runner], [$1], [mlir-runner], [mlir-cpu-runner])
   astride_library=
   for astride_folder in "$astride_root/lib" "$astride_root/lib64" "/usr/lib/llvm-$1/lib"
   do
     AS_IF([test -z "$astride_library" && test -f "$astride_folder/libmlir_c_runner_utils.so"],
       [astride_library=$astride_folder])
   done

   AS_IF([test ! -d "$2"], [astride_mlir_problem="there is no folder $2"],
         [test ! -f "$astride_include/mlir/IR/Dialect.h"],
           [astride_mlir_problem="no mlir/IR/Dialect.h in $astride_include"],
         [test ! -f "$astride_config"],
           [astride_mlir_problem="no llvm/Config/llvm-config.h in $astride_include"],
         [test "x`ASTRIDE_MLIR_READ_MAJOR(["$astride_config"])`" != "x$1"],
           [astride_mlir_problem="$astride_config is of another major"],
         [test "$1" -lt 19], [astride_mlir_problem="the plugin needs LLVM 19 or newer"],
         [test -z "$astride_opt"], [astride_mlir_problem="no mlir-opt of major $1 was found"],
         [ASTRIDE_MLIR_COMPILE([$astride_include], [],
            [astride_mlir_problem="$CXX cannot compile its headers; config.log has its words"])])

   AS_IF([test -n "$astride_mlir_problem"],
     [AC_MSG_RESULT([no: $astride_mlir_problem])],
     [astride_note=
      AS_IF([test -z "$astride_translate"], [astride_note="no mlir-translate"],
            [test -z "$astride_runner"], [astride_note="no MLIR runner"],
            [test -z "$astride_library"], [astride_note="no libmlir_c_runner_utils.so"])
      AS_IF([test -n "$astride_note"],
        [AC_MSG_RESULT([yes, but the tests run no program: $astride_note was found])
         AS_VAR_APPEND([astride_mlir_notes],
           ["; no program is run with $1: $astride_note was found"])],
        [AC_MSG_RESULT([yes])])
      AS_VAR_APPEND([ASTRIDE_MLIR_MAJORS], [" $1"])
      AS_VAR_APPEND([ASTRIDE_MLIR_INCLUDES], [" $1=$astride_include"])
      AS_VAR_APPEND([ASTRIDE_MLIR_SETTINGS], ["mlir_opt_$1='$astride_opt'
mlir_translate_$1='$astride_translate'
mlir_runner_$1='$astride_runner'
mlir_library_$1='$astride_library'
mlir_missing_$1='$astride_note'
"])
      AS_VAR_APPEND([ASTRIDE_MLIR_PC_VARIABLES],
        ["pass_plugin_$1=\${plugindir}/mlir/astride-mlir-$1.so
"])])])

# ASTRIDE_MLIR_FIND_TOOL(VARIABLE, MAJOR, NAME...)
# A program beside the headers, or by its versioned name in PATH, or by its plain name if its
# version is right.
AC_DEFUN([ASTRIDE_MLIR_FIND_TOOL],
  [$1=
   for astride_name in m4_normalize(m4_map_args_sep([], [], [ ], m4_shift2($@)))
   do
     for astride_file in "$astride_root/bin/$astride_name" "/usr/lib/llvm-$2/bin/$astride_name"
     do
       AS_IF([test -z "$$1" && test -x "$astride_file"], [$1=$astride_file])
     done
     for astride_folder in $astride_path
     do
       AS_IF([test -z "$$1" && test -x "$astride_folder/$astride_name-$2"],
         [$1=$astride_folder/$astride_name-$2])
     done
     for astride_folder in $astride_path
     do
       AS_IF([test -z "$$1" && test -x "$astride_folder/$astride_name" &&
              "$astride_folder/$astride_name" --version 2>/dev/null |
                grep -E "version $2\\." >/dev/null],
         [$1=$astride_folder/$astride_name])
     done
   done])

# ASTRIDE_MLIR_COMPILE(INCLUDE-FOLDER, IF-YES, IF-NO)
AC_DEFUN([ASTRIDE_MLIR_COMPILE],
  [AC_LANG_PUSH([C++])
   astride_saved_CXXFLAGS=$CXXFLAGS
   CXXFLAGS="$CXXFLAGS -std=c++17 -fno-rtti -isystem $1"
   AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include "mlir/IR/Dialect.h"]],
                                      [[return mlir::TypeID() == mlir::TypeID();]])], [$2], [$3])
   CXXFLAGS=$astride_saved_CXXFLAGS
   AC_LANG_POP([C++])])
