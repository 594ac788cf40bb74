# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The last words of configure: one line for each thing that can be on or off, with the reason when
# it is off.

# ASTRIDE_SUMMARY_LINE(LABEL, SHELL-TEXT)
AC_DEFUN([ASTRIDE_SUMMARY_LINE],
  [AS_ECHO(["m4_format([[  %-22s]], [$1]) $2"])])

# ASTRIDE_SUMMARY
AC_DEFUN([ASTRIDE_SUMMARY],
  [AS_ECHO([])
   AS_ECHO(["$PACKAGE_NAME $PACKAGE_VERSION"])
   ASTRIDE_SUMMARY_LINE([install into], [$prefix])
   ASTRIDE_SUMMARY_LINE([C compiler], [$CC $CFLAGS])
   ASTRIDE_SUMMARY_LINE([C++ compiler],
     [`AS_IF([test "x$astride_cv_cxx_works" = xyes], [AS_ECHO(["$CXX"])],
             [AS_ECHO(["no: $CXX compiles no C++17"])])`])
   ASTRIDE_SUMMARY_LINE([sanitizers],
     [`AS_IF([test -n "$ASTRIDE_SANITIZE"], [AS_ECHO(["$ASTRIDE_SANITIZE"])],
             [AS_ECHO(["no: --enable-sanitize was not given"])])`])
   for astride_name in $astride_backends
   do
     eval "astride_line=\$astride_backend_line_$astride_name"
     printf '  %-22s %s\n' "backend $astride_name" "$astride_line"
   done
   ASTRIDE_SUMMARY_LINE([CUDA kernels], [$astride_cuda_kernels_summary])
   ASTRIDE_SUMMARY_LINE([CUDA header test], [$astride_cuda_header_summary])
   ASTRIDE_SUMMARY_LINE([HIP header test], [$astride_hip_header_summary])
   ASTRIDE_SUMMARY_LINE([MLIR pass plugin], [$astride_mlir_summary])
   ASTRIDE_SUMMARY_LINE([command astride],
     [`AS_IF([test -z "$astride_tools_reason"], [AS_ECHO([yes])],
             [AS_ECHO(["no: $astride_tools_reason"])])`])
   ASTRIDE_SUMMARY_LINE([man pages],
     [`AS_IF([test -n "$astride_man_reason"], [AS_ECHO(["no: $astride_man_reason"])],
             [test -f "$srcdir/tools/astride.1"], [AS_ECHO(["yes, from the tarball"])],
             [AS_ECHO(["yes, by $HELP2MAN"])])`])
   ASTRIDE_SUMMARY_LINE([API pages],
     [`AS_IF([test -n "$DOXYGEN"], [AS_ECHO(["yes, by 'make doc'"])],
             [AS_ECHO(["no: doxygen was not found"])])`])
   ASTRIDE_SUMMARY_LINE([tests],
     [`AS_IF([test "x$have_cmocka" = xyes], [AS_ECHO(["all, by 'make check'"])],
             [AS_ECHO(["those in shell only: cmocka 1.1 was not found by pkg-config"])])`])
   ASTRIDE_SUMMARY_LINE([tests of JSON],
     [`AS_IF([test "x$have_jansson" = xyes && test "x$have_cmocka" = xyes], [AS_ECHO([yes])],
             [test "x$have_jansson" = xyes], [AS_ECHO(["no: cmocka was not found"])],
             [AS_ECHO(["no: jansson 2.10 was not found by pkg-config"])])`])
   AS_ECHO([])])
