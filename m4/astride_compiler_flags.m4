# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The project's own compiler and linker flags: language level, warnings, sanitizers, coverage.
# The user's CFLAGS, CXXFLAGS and LDFLAGS are never changed.

# ASTRIDE_COMPILER_FLAGS
# Substitutes ASTRIDE_CFLAGS, ASTRIDE_CXXFLAGS and ASTRIDE_LDFLAGS (for every object),
# ASTRIDE_HIDDEN_CFLAGS (for the libraries), ASTRIDE_NO_UNDEFINED (for what must resolve all its
# symbols) and ASTRIDE_SANITIZE (the list of sanitizers, for the tests).
AC_DEFUN([ASTRIDE_COMPILER_FLAGS],
  [AC_REQUIRE([AC_PROG_CC])
   ASTRIDE_CFLAGS=
   ASTRIDE_CXXFLAGS=
   ASTRIDE_LDFLAGS=
   ASTRIDE_HIDDEN_CFLAGS=
   ASTRIDE_NO_UNDEFINED=

   dnl A flag that clang does not know is a mere warning without -Werror.
   AX_APPEND_COMPILE_FLAGS(m4_normalize([[-std=c11 -Wall -Wextra -Wconversion -Wshadow
     -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wvla -Wpointer-arith
     -Wwrite-strings -Wundef -Wformat-security -Wimplicit-fallthrough -Wdate-time]]),
     [ASTRIDE_CFLAGS], [-Werror])
   AX_APPEND_COMPILE_FLAGS([-fvisibility=hidden], [ASTRIDE_HIDDEN_CFLAGS], [-Werror])
   AS_IF([test "x$astride_cv_cxx_works" = xyes],
     [AC_LANG_PUSH([C++])
      AX_APPEND_COMPILE_FLAGS([-Wall -Wextra], [ASTRIDE_CXXFLAGS], [-Werror])
      AC_LANG_POP([C++])])

   AC_ARG_ENABLE([werror],
     [AS_HELP_STRING([--enable-werror], [make every compiler warning an error])],
     [], [enable_werror=no])
   AS_CASE(["$enable_werror"],
     [yes], [AS_VAR_APPEND([ASTRIDE_CFLAGS], [" -Werror"])
             AS_VAR_APPEND([ASTRIDE_CXXFLAGS], [" -Werror"])],
     [no], [],
     [AC_MSG_ERROR([--enable-werror=$enable_werror: the value is neither yes nor no])])

   ASTRIDE_SANITIZE_FLAGS
   ASTRIDE_COVERAGE_FLAGS

   dnl Clang's sanitizer run-time is in the program only, so its symbols stay open in a library.
   AS_IF([test -z "$ASTRIDE_SANITIZE"],
     [AX_APPEND_LINK_FLAGS([-Wl,-z,defs], [ASTRIDE_NO_UNDEFINED])])

   AC_SUBST([ASTRIDE_CFLAGS])
   AC_SUBST([ASTRIDE_CXXFLAGS])
   AC_SUBST([ASTRIDE_LDFLAGS])
   AC_SUBST([ASTRIDE_HIDDEN_CFLAGS])
   AC_SUBST([ASTRIDE_NO_UNDEFINED])])

# ASTRIDE_SANITIZE_FLAGS
# --enable-sanitize=LIST. "address" brings "undefined" along: the two run together at little cost.
AC_DEFUN([ASTRIDE_SANITIZE_FLAGS],
  [AC_ARG_ENABLE([sanitize],
     [AS_HELP_STRING([--enable-sanitize=LIST],
        [build with sanitizers: address (with undefined), thread, undefined, ...])],
     [], [enable_sanitize=no])
   AS_CASE(["$enable_sanitize"],
     [no], [ASTRIDE_SANITIZE=],
     [yes|address], [ASTRIDE_SANITIZE=address,undefined],
     [ASTRIDE_SANITIZE=$enable_sanitize])
   AS_IF([test -n "$ASTRIDE_SANITIZE"],
     [astride_flag=-fsanitize=$ASTRIDE_SANITIZE
      astride_saved_CFLAGS=$CFLAGS
      CFLAGS="$CFLAGS $astride_flag"
      AC_MSG_CHECKING([whether $CC links with $astride_flag])
      AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
        [AC_MSG_RESULT([yes])],
        [AC_MSG_RESULT([no])
         AC_MSG_ERROR(m4_normalize([--enable-sanitize=$enable_sanitize: $CC cannot link a program
           with $astride_flag; config.log has its words]))])
      CFLAGS=$astride_saved_CFLAGS
      astride_flag="$astride_flag -fno-omit-frame-pointer"
      AS_CASE([",$ASTRIDE_SANITIZE,"],
        [*,undefined,*], [astride_flag="$astride_flag -fno-sanitize-recover=undefined"])
      AS_VAR_APPEND([ASTRIDE_CFLAGS], [" $astride_flag"])
      AS_VAR_APPEND([ASTRIDE_CXXFLAGS], [" $astride_flag"])
      AS_VAR_APPEND([ASTRIDE_LDFLAGS], ["-fsanitize=$ASTRIDE_SANITIZE"])])
   AC_SUBST([ASTRIDE_SANITIZE])
   AM_CONDITIONAL([SANITIZE], [test -n "$ASTRIDE_SANITIZE"])])

# ASTRIDE_COVERAGE_FLAGS
# --enable-coverage: instrument for gcov.
AC_DEFUN([ASTRIDE_COVERAGE_FLAGS],
  [AC_ARG_ENABLE([coverage],
     [AS_HELP_STRING([--enable-coverage], [instrument for gcov; use with CFLAGS='-O0 -g'])],
     [], [enable_coverage=no])
   AS_CASE(["$enable_coverage"],
     [yes], [AS_VAR_APPEND([ASTRIDE_CFLAGS], [" --coverage"])
             AS_VAR_APPEND([ASTRIDE_CXXFLAGS], [" --coverage"])
             AS_VAR_APPEND([ASTRIDE_LDFLAGS], [" --coverage"])],
     [no], [],
     [AC_MSG_ERROR([--enable-coverage=$enable_coverage: the value is neither yes nor no])])])
