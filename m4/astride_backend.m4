# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How configure learns of a backend: its --enable option, its own checks, and its line in the
# summary. What a backend is made of is in backends/NAME/local.mk.

# ASTRIDE_BACKENDS_INIT
# To be called once, before the first ASTRIDE_BACKEND.
AC_DEFUN([ASTRIDE_BACKENDS_INIT], [astride_backends=])

# ASTRIDE_BACKEND(NAME, KIND, DESCRIPTION, [CHECKS])
#
# KIND is built-in (part of libastride, cannot be switched off) or module (a plugin
# astride-NAME.so). CHECKS is shell code for a module that was not switched off; it sets
# astride_backend_reason to a sentence if the backend cannot be built here. Asked for by name, a
# backend that cannot be built is an error; otherwise it is left out and the summary has the reason.
# Defines the Automake conditional BACKEND_<NAME in capitals>.
AC_DEFUN([ASTRIDE_BACKEND],
  [AC_REQUIRE([ASTRIDE_BACKENDS_INIT])
   m4_case([$2], [built-in], [], [module], [],
     [m4_fatal([ASTRIDE_BACKEND: the kind of $1 is '$2', neither built-in nor module])])
   AC_ARG_ENABLE([$1],
     m4_if([$2], [built-in],
       [AS_HELP_STRING([--enable-$1], [the $1 backend ($3): always built in])],
       [AS_HELP_STRING([--disable-$1], [leave out the $1 backend ($3)])]),
     [], [enable_$1=auto])
   AS_CASE(["$enable_$1"], [yes|no|auto], [],
     [AC_MSG_ERROR([--enable-$1=$enable_$1: the value is neither yes nor no])])
   astride_backend_reason=
   m4_if([$2], [built-in],
     [AS_IF([test "x$enable_$1" = xno],
        [AC_MSG_ERROR([--disable-$1: the $1 backend is part of libastride and cannot be left out])])],
     [AS_IF([test "x$enable_$1" = xno],
        [astride_backend_reason="switched off by --disable-$1"],
        [test "x$enable_shared" = xno],
        [astride_backend_reason="a backend is a loadable module, and --disable-shared was given"],
        [m4_default([$4], [:])])
      AS_IF([test "x$enable_$1" = xyes && test -n "$astride_backend_reason"],
        [AC_MSG_ERROR([--enable-$1: $astride_backend_reason])])])
   AM_CONDITIONAL([BACKEND_]m4_toupper([$1]), [test -z "$astride_backend_reason"])
   AS_IF([test -z "$astride_backend_reason"],
     [astride_backend_line_$1="yes, m4_if([$2], [built-in], [built in], [as a plugin]): $3"],
     [astride_backend_line_$1="no: $astride_backend_reason"])
   AS_VAR_APPEND([astride_backends], [" $1"])])
