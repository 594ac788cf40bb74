/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What other parts of the runtime must know about the streams of the program.
 */
#ifndef ASTRIDE_MLIR_RUNTIME_STREAM_H
#define ASTRIDE_MLIR_RUNTIME_STREAM_H

/*
 * Waits for the work of every stream of mgpuStreamCreate() that is not destroyed yet; errors of
 * that work are reported. Used before memory or code goes away that any of them may be using.
 */
void astride__mlir_streams_wait(const char *function);

#endif /* ASTRIDE_MLIR_RUNTIME_STREAM_H */
