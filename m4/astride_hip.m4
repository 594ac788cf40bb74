# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the HIP backend can be checked against: the vendor's headers, which it does not need.

# ASTRIDE_HIP
# --with-hip=auto|no|DIR names the folder that ROCm is in. Sets astride_hip_header_summary, defines
# the Automake conditional HIP_HEADER and substitutes ASTRIDE_HIP_CPPFLAGS.
AC_DEFUN([ASTRIDE_HIP],
  [AC_ARG_WITH([hip],
     [AS_HELP_STRING([--with-hip=DIR],
        [check the HIP backend against the headers in DIR: 'auto' (the default) looks in the usual
         places, 'no' does without])],
     [], [with_hip=auto])
   AS_CASE([$with_hip],
     [no], [astride_hip_folders=],
     [auto|yes], [astride_hip_folders="$ROCM_PATH $HIP_PATH /opt/rocm /usr"],
     [astride_hip_folders=$with_hip])
   astride_hip_include=
   for astride_folder in $astride_hip_folders
   do
     AS_IF([test -z "$astride_hip_include" &&
            test -f "$astride_folder/include/hip/hip_runtime_api.h" &&
            test -f "$astride_folder/include/hip/hiprtc.h"],
       [astride_hip_include=$astride_folder/include])
   done
   AC_MSG_CHECKING([for AMD's hip_runtime_api.h])
   ASTRIDE_HIP_CPPFLAGS=
   AS_IF([test -n "$astride_hip_include"],
     [astride_saved_CPPFLAGS=$CPPFLAGS
      ASTRIDE_HIP_CPPFLAGS="-D__HIP_PLATFORM_AMD__ -isystem $astride_hip_include"
      CPPFLAGS="$CPPFLAGS $ASTRIDE_HIP_CPPFLAGS"
      AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <hip/hip_runtime_api.h>
                                           #include <hip/hiprtc.h>]])],
        [AC_MSG_RESULT([$astride_hip_include/hip/hip_runtime_api.h])
         astride_hip_header_summary="yes, $astride_hip_include/hip/hip_runtime_api.h"],
        [AC_MSG_RESULT([$astride_hip_include/hip/hip_runtime_api.h, which does not compile as C])
         astride_hip_header_summary="no: $astride_hip_include/hip/hip_runtime_api.h does not compile as C"
         astride_hip_include=
         ASTRIDE_HIP_CPPFLAGS=])
      CPPFLAGS=$astride_saved_CPPFLAGS],
     [AC_MSG_RESULT([no])
      astride_hip_header_summary="no: hip/hip_runtime_api.h was not found"
      AS_IF([test "x$with_hip" = xno], [astride_hip_header_summary="no: switched off by --without-hip"])])
   AS_CASE([$with_hip],
     [no|auto|yes], [],
     [AS_IF([test -z "$astride_hip_include"],
        [AC_MSG_ERROR([--with-hip=$with_hip: $astride_hip_header_summary])])])
   AM_CONDITIONAL([HIP_HEADER], [test -n "$astride_hip_include"])
   AC_SUBST([ASTRIDE_HIP_CPPFLAGS])])
