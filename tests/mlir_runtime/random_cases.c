/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Seeded random layouts through mgpuMemcpyStrided and mgpuMemsetStrided, against the plain loop.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/mlir_runtime/fixture.h"
#include "tests/mlir_runtime/strided_cases.h"
#include "tests/support/count.h"
#include "tests/support/layout.h"
#include "tests/support/random.h"
#include "tests/support/reference.h"

enum { SEED = 20, USUAL_COUNT = 600 };

/* The rank of MLIR's geometry goes to 64, and one dimension may be added below. */
enum { LARGEST_RANK = ASTRIDE_MAX_RANK - 1 };

static const int64_t *byte_strides(const test_layout *layout, const test_side *side,
                                   int64_t dense[ASTRIDE_MAX_RANK])
{
    if (!side->dense)
        return side->strides;
    test_layout_dense_strides(layout->rank, layout->extents, layout->element_bytes, dense);
    return dense;
}

/*
 * Geometry has strides in elements. Where those of the layout are no multiples of its element, its
 * bytes become the elements, with one dimension more. Returns the size of an element.
 */
static int64_t geometry_of(const test_layout *layout, int64_t *geometry_out, int64_t *rank_out)
{
    int64_t dense[2][ASTRIDE_MAX_RANK];
    const int64_t *dst = byte_strides(layout, &layout->dst, dense[0]);
    const int64_t *src = byte_strides(layout, &layout->src, dense[1]);
    int64_t unit = (int64_t)layout->element_bytes;
    int64_t rank = layout->rank;

    if (layout->dst.offset % layout->element_bytes != 0 ||
        layout->src.offset % layout->element_bytes != 0)
        unit = 1;
    for (int32_t i = 0; i < layout->rank; i++)
        if (dst[i] % unit != 0 || src[i] % unit != 0)
            unit = 1;
    if (unit != (int64_t)layout->element_bytes)
        rank++;
    int64_t *sizes = geometry_out + 2;
    geometry_out[0] = (int64_t)layout->dst.offset / unit;
    geometry_out[1] = (int64_t)layout->src.offset / unit;
    for (int32_t i = 0; i < layout->rank; i++) {
        sizes[i] = layout->extents[i];
        sizes[rank + i] = dst[i] / unit;
        sizes[2 * rank + i] = src[i] / unit;
    }
    if (rank > layout->rank) {
        sizes[rank - 1] = (int64_t)layout->element_bytes;
        sizes[2 * rank - 1] = 1;
        sizes[3 * rank - 1] = 1;
    }
    *rank_out = rank;
    return unit;
}

static void try_layout(const test_layout *layout, test_random *random)
{
    int64_t geometry[2 + 3 * ASTRIDE_MAX_RANK];
    int64_t rank;
    int64_t unit = geometry_of(layout, geometry, &rank);
    void *stream = test_random_chance(random, 1, 2) ? strided_stream : NULL;
    bool separate = layout->placement == TEST_PLACEMENT_SEPARATE;
    box dst = box_create(test_random_chance(random, 1, 2) ? TEST_BUFFER_DEVICE : TEST_BUFFER_SHARED,
                         layout->dst.bytes, 1);
    box src = separate ? box_create(test_random_chance(random, 1, 2) ? TEST_BUFFER_DEVICE
                                                                     : TEST_BUFFER_PAGEABLE,
                                    layout->src.bytes, 2)
                       : dst;

    mgpuMemcpyStrided(dst.buffer.address, src.buffer.address, geometry, rank, unit, stream);
    if (stream != NULL)
        strided_stream_wait(stream);
    test_reference_copy(layout, 0, dst.image, src.image);
    box_check(&dst);
    if (separate) {
        box_check(&src);
        box_destroy(&src);
    }

    unsigned char *pattern = malloc((size_t)unit);
    assert_non_null(pattern);
    test_random_bytes(random, pattern, (size_t)unit);
    /* The geometry of a fill is that of a copy without the second number and the last strides. */
    geometry[1] = geometry[0];
    mgpuMemsetStrided(dst.buffer.address, pattern, geometry + 1, rank, unit, stream);
    if (stream != NULL)
        strided_stream_wait(stream);
    if (unit == (int64_t)layout->element_bytes) {
        test_reference_fill(layout, pattern, dst.image);
    } else {
        unsigned char *element = malloc(layout->element_bytes);
        assert_non_null(element);
        memset(element, pattern[0], layout->element_bytes);
        test_reference_fill(layout, element, dst.image);
        free(element);
    }
    box_check(&dst);
    free(pattern);
    box_destroy(&dst);
}

void random_layouts_agree_with_the_loop(void **state)
{
    uint64_t count = test_count(USUAL_COUNT);
    (void)state;
    for (uint64_t i = 0; i < count; i++) {
        test_random random;
        test_layout layout;
        test_random_seed(&random, SEED, i);
        test_layout_generate(&random, &layout);
        if (layout.rank > LARGEST_RANK)
            continue;
        fixture_describe("seed %d, layout %" PRIu64 ", %s: ", SEED, i, layout.shape);
        try_layout(&layout, &random);
    }
    fixture_describe("%s", "");
}
