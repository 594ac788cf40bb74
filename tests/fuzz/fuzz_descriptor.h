/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The entry point of the fuzz target, under the name that libFuzzer calls.
 */
#ifndef ASTRIDE_TESTS_FUZZ_DESCRIPTOR_H
#define ASTRIDE_TESTS_FUZZ_DESCRIPTOR_H

#include <stddef.h>
#include <stdint.h>

/* Runs one input; aborts the process when the library answers wrongly. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif /* ASTRIDE_TESTS_FUZZ_DESCRIPTOR_H */
