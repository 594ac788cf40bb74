# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the CUDA backend can have beside a C compiler, none of which it needs: a clang that makes PTX
# of the packing kernels, NVIDIA's assembler to check it, and NVIDIA's header to check our
# declarations.

# ASTRIDE_CUDA
# --with-cuda=auto|no|DIR names the SDK. Sets astride_cuda_kernels_summary and
# astride_cuda_header_summary; substitutes PTX_CLANG, PTXAS, ASTRIDE_CUDA_CPPFLAGS and
# ASTRIDE_CUDA_PTX_REASON (why there are no kernels). Defines the Automake conditionals CUDA_PTX
# (the kernels are made or came with the tarball), CUDA_PTX_COMPILER and CUDA_HEADER.
AC_DEFUN([ASTRIDE_CUDA],
  [AC_ARG_WITH([cuda],
     [AS_HELP_STRING([--with-cuda=DIR],
        [check the CUDA backend against the SDK in DIR: 'auto' (the default) looks in the usual
         places, 'no' checks nothing; the backend is built in any case])],
     [], [with_cuda=auto])
   ASTRIDE_CUDA_PTX_COMPILER
   ASTRIDE_CUDA_SDK
   AM_CONDITIONAL([CUDA_PTX], [test -z "$ASTRIDE_CUDA_PTX_REASON"])
   AM_CONDITIONAL([CUDA_PTX_COMPILER], [test -n "$PTX_CLANG"])
   AM_CONDITIONAL([CUDA_HEADER], [test -n "$astride_cuda_include"])
   AC_SUBST([ASTRIDE_CUDA_PTX_REASON])
   AC_SUBST([ASTRIDE_CUDA_CPPFLAGS])
   AC_SUBST([ASTRIDE_PTX_CFLAGS])])

# ASTRIDE_CUDA_PTX_COMPILER
# Any clang from 14 on with the NVPTX target; it needs no SDK and no library for the device.
AC_DEFUN([ASTRIDE_CUDA_PTX_COMPILER],
  [AC_ARG_VAR([PTX_CLANG], [clang 14 or newer that makes PTX of the packing kernels, or 'no'])
   ASTRIDE_PTX_CFLAGS=m4_normalize(["-target nvptx64-nvidia-cuda -Xclang -target-cpu -Xclang sm_50
     -Xclang -target-feature -Xclang +ptx60 -DASTRIDE_TARGET_PTX -x cl -O3 -S"])
   AC_CACHE_CHECK([for a clang that makes PTX], [astride_cv_ptx_clang],
     [astride_cv_ptx_clang=no
      cat >conftest.cl <<_ASEOF
__kernel void trial(__global unsigned char *dst)
{
    dst[[__nvvm_read_ptx_sreg_tid_x()]] = 1;
    __asm__ volatile("bar.sync 0;" ::: "memory");
}
_ASEOF
      astride_names="$PTX_CLANG"
      AS_IF([test -z "$PTX_CLANG"],
        [astride_names="clang"
         for astride_major in 22 21 20 19 18 17 16 15 14
         do
           AS_VAR_APPEND([astride_names], [" clang-$astride_major"])
         done])
      for astride_name in $astride_names
      do
        AS_IF([test "x$astride_cv_ptx_clang" = xno && test "x$astride_name" != xno],
          [AS_IF([$astride_name $ASTRIDE_PTX_CFLAGS -o conftest.ptx conftest.cl >&AS_MESSAGE_LOG_FD 2>&1 &&
                  grep "visible .entry trial" conftest.ptx >/dev/null 2>&1],
             [astride_cv_ptx_clang=$astride_name])])
      done
      rm -f conftest.cl conftest.ptx])
   PTX_CLANG=$astride_cv_ptx_clang
   AS_IF([test "x$PTX_CLANG" = xno], [PTX_CLANG=])
   ASTRIDE_CUDA_PTX_REASON=
   AS_IF([test -n "$PTX_CLANG"],
           [astride_cuda_kernels_summary="yes, by $PTX_CLANG"],
         [test -f "$srcdir/backends/cuda/astride_kernels.ptx"],
           [astride_cuda_kernels_summary="yes, from the tarball"],
         [ASTRIDE_CUDA_PTX_REASON="no clang from 14 on with the NVPTX target was found"
          astride_cuda_kernels_summary="no: $ASTRIDE_CUDA_PTX_REASON"])])

# ASTRIDE_CUDA_SDK
# Its header, which must compile, and its assembler.
AC_DEFUN([ASTRIDE_CUDA_SDK],
  [AC_ARG_VAR([PTXAS], [NVIDIA's assembler, which checks the PTX])
   astride_cuda_include=
   astride_cuda_folders=
   AS_CASE([$with_cuda],
     [no], [],
     [auto|yes], [astride_cuda_folders="$CUDA_HOME $CUDA_PATH /usr/local/cuda /opt/cuda /usr/lib/cuda /usr"],
     [astride_cuda_folders=$with_cuda])
   for astride_folder in $astride_cuda_folders
   do
     AS_IF([test -z "$astride_cuda_include" && test -f "$astride_folder/include/cuda.h"],
       [astride_cuda_include=$astride_folder/include])
   done
   astride_path=$PATH
   for astride_folder in $astride_cuda_folders
   do
     astride_path=$astride_folder/bin$PATH_SEPARATOR$astride_path
   done
   AS_IF([test "x$with_cuda" != xno],
     [AC_PATH_PROG([PTXAS], [ptxas], [], [$astride_path])])

   AC_MSG_CHECKING([for NVIDIA's cuda.h])
   ASTRIDE_CUDA_CPPFLAGS=
   AS_IF([test -n "$astride_cuda_include"],
     [astride_saved_CPPFLAGS=$CPPFLAGS
      ASTRIDE_CUDA_CPPFLAGS="-isystem $astride_cuda_include"
      CPPFLAGS="$CPPFLAGS $ASTRIDE_CUDA_CPPFLAGS"
      AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <cuda.h>
                                           #include <cudaTypedefs.h>
                                           #if CUDA_VERSION < 12000
                                           #error "the test is for the declarations of CUDA 12 on"
                                           #endif]])],
        [AC_MSG_RESULT([$astride_cuda_include/cuda.h])
         astride_cuda_header_summary="yes, $astride_cuda_include/cuda.h"],
        [AC_MSG_RESULT([$astride_cuda_include/cuda.h, which is older than CUDA 12 or does not compile])
         astride_cuda_header_summary="no: $astride_cuda_include/cuda.h is older than CUDA 12 or does not compile"
         astride_cuda_include=
         ASTRIDE_CUDA_CPPFLAGS=])
      CPPFLAGS=$astride_saved_CPPFLAGS],
     [AC_MSG_RESULT([no])
      astride_cuda_header_summary="no: cuda.h was not found"
      AS_IF([test "x$with_cuda" = xno], [astride_cuda_header_summary="no: switched off by --without-cuda"])])
   AS_CASE([$with_cuda],
     [no|auto], [],
     [AS_IF([test -z "$astride_cuda_include"],
        [AC_MSG_ERROR([--with-cuda=$with_cuda: $astride_cuda_header_summary])])])
   AS_IF([test -n "$PTX_CLANG" && test -n "$PTXAS"],
     [AS_VAR_APPEND([astride_cuda_kernels_summary], [", checked by $PTXAS"])])])
