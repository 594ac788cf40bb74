/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A program as a user writes it, valid as C11 and as C++: it copies every third column of a matrix
 * into a dense one and looks at each element. The test of the installation compiles and runs it.
 */
#include <stdio.h>

#include <astride/astride.h>

enum { ROWS = 4, COLUMNS = 5, STEP = 3 };

static int check(astride_status status, const char *call)
{
    if (status != ASTRIDE_OK)
        fprintf(stderr, "%s: %s: %s\n", call, astride_status_name(status), astride_last_error());
    return status == ASTRIDE_OK;
}

int main(void)
{
    static int matrix[ROWS][COLUMNS * STEP];
    static int packed[ROWS][COLUMNS];
    const int64_t extents[] = {ROWS, COLUMNS};
    const int64_t strides[] = {(int64_t)sizeof matrix[0], STEP * (int64_t)sizeof(int)};
    const astride_copy_desc desc = {
        sizeof desc, 2, 0, sizeof(int), extents, {packed, NULL}, {&matrix[0][1], strides},
    };
    astride_device *device = NULL;
    astride_queue *queue = NULL;
    int wrong = 0;

    for (int i = 0; i < ROWS * COLUMNS * STEP; i++)
        matrix[i / (COLUMNS * STEP)][i % (COLUMNS * STEP)] = i;
    if (!check(astride_device_open("host", &device), "astride_device_open") ||
        !check(astride_queue_create(device, &queue), "astride_queue_create") ||
        !check(astride_copy(queue, &desc), "astride_copy") ||
        !check(astride_queue_wait(queue), "astride_queue_wait"))
        return 1;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            wrong += packed[row][column] != row * COLUMNS * STEP + column * STEP + 1;
    astride_queue_destroy(queue);
    astride_device_close(device);
    printf("%d elements, %d wrong\n", ROWS * COLUMNS, wrong);
    return wrong != 0;
}
