/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Compiles the functions between BEGIN and END for further instruction sets, whatever the flags of
 * the whole file are. Headers of the system are included before.
 */
#ifndef ASTRIDE_BACKENDS_HOST_VECTOR_TARGET_H
#define ASTRIDE_BACKENDS_HOST_VECTOR_TARGET_H

#define ASTRIDE__HOST_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define ASTRIDE__HOST_TARGET_BEGIN(features)                                                       \
    ASTRIDE__HOST_PRAGMA(                                                                          \
        clang attribute push(__attribute__((target(features))), apply_to = function))
#define ASTRIDE__HOST_TARGET_END ASTRIDE__HOST_PRAGMA(clang attribute pop)
#else
#define ASTRIDE__HOST_TARGET_BEGIN(features)                                                       \
    ASTRIDE__HOST_PRAGMA(GCC push_options) ASTRIDE__HOST_PRAGMA(GCC target(features))
#define ASTRIDE__HOST_TARGET_END ASTRIDE__HOST_PRAGMA(GCC pop_options)
#endif

#endif /* ASTRIDE_BACKENDS_HOST_VECTOR_TARGET_H */
