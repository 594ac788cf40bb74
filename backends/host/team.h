/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Helpers of a queue's worker for large copies. Only the worker calls these functions.
 */
#ifndef ASTRIDE_BACKENDS_HOST_TEAM_H
#define ASTRIDE_BACKENDS_HOST_TEAM_H

#include <stdbool.h>
#include <stddef.h>

#include <astride/plugin.h>

typedef struct astride__host_team astride__host_team;

/*
 * How many threads a queue may use, its worker included: $ASTRIDE_THREADS, else the processors that
 * this process may run on. Fails with ASTRIDE_INVALID_ARGUMENT.
 */
astride_status astride__host_team_size(int *size_out);

/* Starts `size` - 1 helpers, or as many as there can be. NULL where there is none. */
astride__host_team *astride__host_team_create(int size);
/* Ends and frees them. NULL is a no-op. */
void astride__host_team_destroy(astride__host_team *team);

/* Whether a copy is so large that more than one thread pays. */
bool astride__host_team_pays(size_t bytes);
/* Copies with all threads; returns when all is copied. */
void astride__host_team_copy(astride__host_team *team, const astride_strided *copy);

#endif /* ASTRIDE_BACKENDS_HOST_TEAM_H */
