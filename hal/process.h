/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Telling a process from its parent. Drivers do not survive fork(), so every object remembers the
 * number of the process that made it and is refused in a child.
 */
#ifndef ASTRIDE_HAL_PROCESS_H
#define ASTRIDE_HAL_PROCESS_H

#include <stdint.h>

#include <astride/status.h>

/*
 * Starts counting forks, at the first call of the process; must be called before an object is made.
 * Fails with ASTRIDE_OUT_OF_MEMORY.
 */
astride_status astride__process_watch(void);

/* Differs between a process and each process that it was forked from. Costs one atomic load. */
uint32_t astride__process_number(void);

/*
 * Called in the child of a fork, while it has one thread. What a lock guarded in the parent may be
 * half changed by a thread that the child does not have, so each of these makes its lock anew and
 * leaves the parent's data alone instead of tidying it up.
 */
void astride__registry_after_fork(void);
void astride__device_after_fork(void);
void astride__memory_after_fork(void);
void astride__packer_after_fork(void);

#endif /* ASTRIDE_HAL_PROCESS_H */
