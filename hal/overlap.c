/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Overlap as a bounded integer problem. Two units share bytes when their addresses differ by less
 * than a unit, so both questions of overlap.h ask whether
 *
 *     constant + sum over k of step[k] * x[k]   lies in [-window, window],   low[k] <= x[k] <=
 * high[k]
 *
 * has a solution in integers. It is searched depth first from the largest step down. A branch is
 * cut when the remaining terms cannot reach the window, or when the greatest common divisor of
 * their steps keeps the sum out of it: that alone decides interleaved layouts such as even and odd
 * columns. Regular layouts take a handful of nodes; the budget stops the pathological rest.
 */
#include "hal/overlap.h"

#include <stddef.h>

#include "hal/checked.h"

/* Nodes of one search: well under a millisecond. */
#define SEARCH_BUDGET 50000

/* Twice the rank: destination and source terms of one dimension are different variables. */
#define MAXIMUM_TERMS (2 * ASTRIDE_MAX_RANK)

struct term {
    int64_t step; /* at least 1 */
    int64_t low, high;
    int32_t dimension;
};

struct problem {
    int32_t term_count;
    int64_t window;
    int32_t budget;
    struct term terms[MAXIMUM_TERMS];   /* steps descending */
    int64_t minimum[MAXIMUM_TERMS + 1]; /* least sum of terms k and later */
    int64_t maximum[MAXIMUM_TERMS + 1]; /* greatest sum of terms k and later */
    int64_t divisor[MAXIMUM_TERMS + 1]; /* of the steps of terms k and later; 0 for none */
    int64_t solution[MAXIMUM_TERMS];    /* by term */
};

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int64_t divide_down(int64_t a, int64_t b)
{
    const int64_t quotient = a / b;
    return quotient - (a % b < 0);
}

static int64_t divide_up(int64_t a, int64_t b)
{
    const int64_t quotient = a / b;
    return quotient + (a % b > 0);
}

static void insert_term(struct problem *problem, struct term term)
{
    int32_t at = problem->term_count++;
    for (; at > 0 && problem->terms[at - 1].step < term.step; at--)
        problem->terms[at] = problem->terms[at - 1];
    problem->terms[at] = term;
}

/*
 * Joins terms that together reach the same sums as one: equal steps add their ranges, and a step
 * that is a multiple of the next smaller one, close enough for the smaller ranges to touch, is
 * absorbed. Loses which dimension a solution belongs to.
 */
static void join_terms(struct problem *problem)
{
    int32_t kept = problem->term_count;
    for (int32_t i = problem->term_count - 1; i >= 0; i--) {
        struct term *inner = kept < problem->term_count ? &problem->terms[kept] : NULL;
        const struct term outer = problem->terms[i];
        if (inner != NULL && outer.step % inner->step == 0) {
            const int64_t multiple = outer.step / inner->step;
            int64_t low, high;
            if (inner->high - inner->low + 1 >= multiple &&
                astride__multiply_i64(multiple, outer.low, &low) &&
                astride__multiply_i64(multiple, outer.high, &high) &&
                astride__add_i64(inner->low, low, &low) &&
                astride__add_i64(inner->high, high, &high)) {
                inner->low = low;
                inner->high = high;
                continue;
            }
        }
        problem->terms[--kept] = outer;
    }
    const int32_t count = problem->term_count - kept;
    for (int32_t i = 0; i < count; i++)
        problem->terms[i] = problem->terms[kept + i];
    problem->term_count = count;
}

/*
 * Fills the suffix tables. False when a sum could exceed a quarter of the 64-bit range: the search
 * adds at most a constant and two suffix sums.
 */
static bool prepare(struct problem *problem)
{
    const int64_t limit = INT64_MAX / 4;
    const int32_t n = problem->term_count;
    problem->minimum[n] = problem->maximum[n] = problem->divisor[n] = 0;
    for (int32_t k = n - 1; k >= 0; k--) {
        const struct term *term = &problem->terms[k];
        int64_t low, high;
        if (!astride__multiply_i64(term->step, term->low, &low) ||
            !astride__multiply_i64(term->step, term->high, &high) ||
            !astride__add_i64(problem->minimum[k + 1], low, &problem->minimum[k]) ||
            !astride__add_i64(problem->maximum[k + 1], high, &problem->maximum[k]) ||
            problem->minimum[k] < -limit || problem->maximum[k] > limit || low < -limit ||
            high > limit)
            return false;
        problem->divisor[k] = greatest_common_divisor(problem->divisor[k + 1], term->step);
    }
    return problem->window <= limit;
}

/* Whether terms k and later can bring `sum` into the window, by reach and by divisibility alone. */
static bool may_reach(const struct problem *problem, int32_t k, int64_t sum)
{
    const int64_t window = problem->window;
    int64_t low = -window - sum, high = window - sum; /* what the terms must add */
    if (low < problem->minimum[k])
        low = problem->minimum[k];
    if (high > problem->maximum[k])
        high = problem->maximum[k];
    if (low > high)
        return false;
    /* Every sum of the terms is a multiple of their divisor. */
    const int64_t divisor = problem->divisor[k];
    if (divisor == 0)
        return low <= 0 && high >= 0;
    return divide_up(low, divisor) <= divide_down(high, divisor);
}

static astride__relation search(struct problem *problem, int32_t k, int64_t sum)
{
    if (!may_reach(problem, k, sum))
        return ASTRIDE__DISJOINT;
    if (k == problem->term_count)
        return ASTRIDE__OVERLAPPING;
    if (problem->budget-- <= 0)
        return ASTRIDE__UNDECIDED;

    const struct term *term = &problem->terms[k];
    int64_t low = divide_up(-problem->window - sum - problem->maximum[k + 1], term->step);
    int64_t high = divide_down(problem->window - sum - problem->minimum[k + 1], term->step);
    if (low < term->low)
        low = term->low;
    if (high > term->high)
        high = term->high;
    for (int64_t x = low; x <= high; x++) {
        const astride__relation found = search(problem, k + 1, sum + term->step * x);
        if (found == ASTRIDE__OVERLAPPING)
            problem->solution[k] = x;
        if (found != ASTRIDE__DISJOINT)
            return found;
        /* Each value that fails without recursion costs time as well. */
        if (problem->budget-- <= 0)
            return ASTRIDE__UNDECIDED;
    }
    return ASTRIDE__DISJOINT;
}

/* Whether each stride clears all that lies inside of it: the usual case, decided at once. */
static bool is_hierarchical(const astride__geometry *geometry)
{
    int64_t length = (int64_t)geometry->unit_bytes;
    for (int32_t i = geometry->rank - 1; i >= 0; i--) {
        if (geometry->dst_strides[i] < length)
            return false;
        /* Bounded by the reach of the destination. */
        length += geometry->dst_strides[i] * (geometry->extents[i] - 1);
    }
    return true;
}

astride__relation astride__overlap_within(const astride__geometry *geometry, int64_t *difference)
{
    if (is_hierarchical(geometry))
        return ASTRIDE__DISJOINT;

    /*
     * Two different indices differ first, by the size of the stride, in some dimension `first`; by
     * symmetry the difference is positive there.
     */
    int32_t budget = SEARCH_BUDGET;
    for (int32_t first = 0; first < geometry->rank; first++) {
        struct problem problem = {.window = (int64_t)geometry->unit_bytes - 1, .budget = budget};
        int32_t zero_step = -1;
        for (int32_t i = first; i < geometry->rank; i++) {
            const int64_t most = geometry->extents[i] - 1;
            const int64_t stride = geometry->dst_strides[i];
            if (stride == 0)
                zero_step = i;
            else
                insert_term(&problem, (struct term){stride, i == first ? 1 : -most, most, i});
        }
        astride__relation found = ASTRIDE__OVERLAPPING;
        if (zero_step < 0)
            found = prepare(&problem) ? search(&problem, 0, 0) : ASTRIDE__UNDECIDED;
        budget = problem.budget;
        if (found == ASTRIDE__OVERLAPPING && difference != NULL) {
            for (int32_t i = 0; i < geometry->rank; i++)
                difference[i] = 0;
            if (zero_step >= 0) {
                difference[zero_step] = 1;
            } else {
                for (int32_t k = 0; k < problem.term_count; k++)
                    difference[problem.terms[k].dimension] = problem.solution[k];
            }
        }
        if (found != ASTRIDE__DISJOINT)
            return found;
    }
    return ASTRIDE__DISJOINT;
}

/* Distance from a region's first unit down to its lowest byte and up past its highest one. */
static void reach_of(const astride__geometry *geometry, const int64_t *strides, uint64_t *below,
                     uint64_t *above)
{
    *below = 0;
    *above = geometry->unit_bytes;
    for (int32_t i = 0; i < geometry->rank; i++) {
        const uint64_t steps = (uint64_t)(geometry->extents[i] - 1);
        if (strides[i] < 0)
            *below += steps * (uint64_t)-strides[i];
        else
            *above += steps * (uint64_t)strides[i];
    }
}

astride__relation astride__overlap_between(const astride__geometry *geometry, uintptr_t dst,
                                           uintptr_t src)
{
    uint64_t dst_below, dst_above, src_below, src_above;
    reach_of(geometry, geometry->dst_strides, &dst_below, &dst_above);
    reach_of(geometry, geometry->src_strides, &src_below, &src_above);
    if (dst + dst_above <= src - src_below || src + src_above <= dst - dst_below)
        return ASTRIDE__DISJOINT;

    struct problem problem = {.window = (int64_t)geometry->unit_bytes - 1, .budget = SEARCH_BUDGET};
    for (int32_t i = 0; i < geometry->rank; i++) {
        const int64_t most = geometry->extents[i] - 1;
        const int64_t plus = geometry->dst_strides[i], minus = geometry->src_strides[i];
        if (plus > 0)
            insert_term(&problem, (struct term){plus, 0, most, i});
        if (minus > 0)
            insert_term(&problem, (struct term){minus, -most, 0, i});
        else if (minus < 0)
            insert_term(&problem, (struct term){-minus, 0, most, i});
    }
    join_terms(&problem);
    const uintptr_t distance = dst > src ? dst - src : src - dst;
    if (!prepare(&problem) || distance > (uint64_t)INT64_MAX / 4)
        return ASTRIDE__UNDECIDED;
    return search(&problem, 0, dst > src ? (int64_t)distance : -(int64_t)distance);
}
