/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * @file astride.h
 * Umbrella for programs that copy: everything but the backend contract (plugin.h) and the run-time
 * functions of MLIR-compiled code (mlir.h), which are for other readers.
 */
#ifndef ASTRIDE_ASTRIDE_H
#define ASTRIDE_ASTRIDE_H

#include <astride/copy.h>
#include <astride/device.h>
#include <astride/memory.h>
#include <astride/queue.h>
#include <astride/status.h>
#include <astride/version.h>

#endif /* ASTRIDE_ASTRIDE_H */
