/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * @file export.h
 * Linkage macros that every other public header uses. Nothing here is specific to copies.
 */
#ifndef ASTRIDE_EXPORT_H
#define ASTRIDE_EXPORT_H

/** Marks what the shared library exports; everything else has hidden visibility. */
#if defined(__GNUC__) || defined(__clang__)
#define ASTRIDE_API __attribute__((visibility("default")))
/** Asks the compiler to check a printf-like format string. */
#define ASTRIDE_PRINTF(format_index, first_argument)                                               \
    __attribute__((format(printf, format_index, first_argument)))
/** The result carries an error that must not be dropped silently. */
#define ASTRIDE_MUST_CHECK __attribute__((warn_unused_result))
#else
#define ASTRIDE_API
#define ASTRIDE_PRINTF(format_index, first_argument)
#define ASTRIDE_MUST_CHECK
#endif

#ifdef __cplusplus
#define ASTRIDE_BEGIN_DECLS extern "C" {
#define ASTRIDE_END_DECLS }
#else
#define ASTRIDE_BEGIN_DECLS
#define ASTRIDE_END_DECLS
#endif

#endif /* ASTRIDE_EXPORT_H */
