/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The four copies of the MLIR examples, written in C: one element out of a vector, a 2-D subview, a
 * 5-D subview, and a transpose, each from device memory to host memory. Prints for each what was
 * copied, how, and whether every element is right. The backend is that of ASTRIDE_BACKEND.
 */
#include <astride/astride.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MAXIMUM_RANK 5

/* A copy of floats out of a dense device buffer; strides and offset are in elements. */
struct example {
    const char *name;
    int64_t buffer_elements;
    int64_t offset;
    int32_t rank;
    int64_t extents[MAXIMUM_RANK];
    int64_t strides[MAXIMUM_RANK];
};

static const struct example examples[] = {
    {"element 10 of 128", 128, 10, 1, {1}, {1}},
    {"8 x 32 of 16 x 128, from [1, 10]", 16 * 128, 138, 2, {8, 32}, {128, 1}},
    {"2 x 3 x 4 x 5 x 6 of 4 x 5 x 6 x 7 x 8, from [1, 1, 1, 1, 1]",
     4 * 5 * 6 * 7 * 8,
     1680 + 336 + 56 + 8 + 1,
     5,
     {2, 3, 4, 5, 6},
     {1680, 336, 56, 8, 1}},
    {"48 x 64 transposed", 64 * 48, 0, 2, {64, 48}, {1, 64}},
};

static int failed(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, astride_last_error());
    return -1;
}

/* Where an element of the packed result came from, in elements of the buffer. */
static int64_t source_of(const struct example *example, int64_t element)
{
    int64_t place = example->offset;
    for (int32_t d = example->rank - 1; d >= 0; d--) {
        place += element % example->extents[d] * example->strides[d];
        element /= example->extents[d];
    }
    return place;
}

/* The buffer holds its own element numbers. Returns the number of wrong elements, or -1. */
static int64_t copy_and_check(astride_device *device, astride_queue *queue,
                              const struct example *example, float *values, float *device_buffer,
                              float *result, int64_t result_elements)
{
    int64_t strides[MAXIMUM_RANK];
    for (int32_t d = 0; d < example->rank; d++)
        strides[d] = example->strides[d] * (int64_t)sizeof(float);
    const int64_t bytes = example->buffer_elements * (int64_t)sizeof(float);
    const astride_copy_desc upload = {.struct_size = sizeof upload,
                                      .rank = 1,
                                      .element_bytes = 1,
                                      .extents = &bytes,
                                      .dst = {.base = device_buffer},
                                      .src = {.base = values}};
    const astride_copy_desc copy = {
        .struct_size = sizeof copy,
        .rank = example->rank,
        .element_bytes = sizeof(float),
        .extents = example->extents,
        .dst = {.base = result},
        .src = {.base = device_buffer + example->offset, .strides = strides}};

    astride_plan *plan;
    if (astride_plan_create(device, &copy, &plan) != ASTRIDE_OK)
        return failed("planning");
    char words[2048];
    (void)astride_plan_describe(plan, ASTRIDE_PLAN_TEXT, words, sizeof words, NULL);
    astride_plan_destroy(plan);
    printf("%s\n  %s", example->name, words);

    if (astride_copy(queue, &upload) != ASTRIDE_OK || astride_copy(queue, &copy) != ASTRIDE_OK ||
        astride_queue_wait(queue) != ASTRIDE_OK)
        return failed("copying");
    int64_t wrong = 0;
    for (int64_t i = 0; i < result_elements; i++)
        wrong += result[i] != (float)source_of(example, i);
    return wrong;
}

static int64_t run_example(astride_device *device, astride_queue *queue,
                           const struct example *example)
{
    int64_t result_elements = 1, wrong = -1;
    for (int32_t d = 0; d < example->rank; d++)
        result_elements *= example->extents[d];
    const size_t buffer_bytes = (size_t)example->buffer_elements * sizeof(float);
    void *device_buffer = NULL;
    float *values = malloc(buffer_bytes);
    float *result = calloc((size_t)result_elements, sizeof *result);
    if (values == NULL || result == NULL) {
        fprintf(stderr, "out of memory\n");
    } else if (astride_memory_alloc(device, buffer_bytes, ASTRIDE_MEMORY_DEVICE, &device_buffer) !=
               ASTRIDE_OK) {
        (void)failed("allocating");
    } else {
        for (int64_t i = 0; i < example->buffer_elements; i++)
            values[i] = (float)i;
        wrong =
            copy_and_check(device, queue, example, values, device_buffer, result, result_elements);
        if (wrong == 0)
            printf("  right: all %" PRId64 " elements\n\n", result_elements);
        else if (wrong > 0)
            printf("  WRONG: %" PRId64 " of %" PRId64 " elements\n\n", wrong, result_elements);
    }
    (void)astride_memory_free(device, device_buffer);
    free(result);
    free(values);
    return wrong;
}

int main(void)
{
    astride_device *device;
    astride_queue *queue;
    if (astride_device_open(NULL, &device) != ASTRIDE_OK)
        return failed("opening a device") != 0;
    if (astride_queue_create(device, &queue) != ASTRIDE_OK) {
        (void)failed("creating a queue");
        astride_device_close(device);
        return 1;
    }
    printf("device %s\n\n", astride_device_spec(device));
    int status = 0;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        if (run_example(device, queue, &examples[i]) != 0)
            status = 1;
    }
    astride_queue_destroy(queue);
    astride_device_close(device);
    return status;
}
