/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The interval map as a height-balanced binary tree (G. M. Adelson-Velsky, E. M. Landis, "An
 * algorithm for the organization of information", 1962), ordered by base. Since ranges do not
 * overlap, only the range with the greatest base below an address can hold it.
 */
#include "hal/interval_map.h"

#include <stdlib.h>

typedef astride__interval_node node;

static int height_of(const node *tree)
{
    return tree == NULL ? 0 : tree->height;
}

static void update_height(node *tree)
{
    int lower = height_of(tree->lower);
    int higher = height_of(tree->higher);

    tree->height = 1 + (lower > higher ? lower : higher);
}

static node *rotate_towards_higher(node *tree)
{
    node *top = tree->lower;

    tree->lower = top->higher;
    top->higher = tree;
    update_height(tree);
    update_height(top);
    return top;
}

static node *rotate_towards_lower(node *tree)
{
    node *top = tree->higher;

    tree->higher = top->lower;
    top->lower = tree;
    update_height(tree);
    update_height(top);
    return top;
}

/* Restores the balance of a tree whose two subtrees are balanced and differ by at most 2 in height.
 */
static node *balance(node *tree)
{
    int difference = height_of(tree->lower) - height_of(tree->higher);

    if (difference > 1) {
        if (height_of(tree->lower->lower) < height_of(tree->lower->higher))
            tree->lower = rotate_towards_lower(tree->lower);
        return rotate_towards_higher(tree);
    }
    if (difference < -1) {
        if (height_of(tree->higher->higher) < height_of(tree->higher->lower))
            tree->higher = rotate_towards_higher(tree->higher);
        return rotate_towards_lower(tree);
    }
    update_height(tree);
    return tree;
}

static node *insert(node *tree, node *leaf)
{
    if (tree == NULL)
        return leaf;
    if (leaf->range.base < tree->range.base)
        tree->lower = insert(tree->lower, leaf);
    else
        tree->higher = insert(tree->higher, leaf);
    return balance(tree);
}

/* Takes the lowest node out of a tree that is not empty. */
static node *take_lowest(node *tree, node **lowest_out)
{
    if (tree->lower == NULL) {
        *lowest_out = tree;
        return tree->higher;
    }
    tree->lower = take_lowest(tree->lower, lowest_out);
    return balance(tree);
}

static node *take(node *tree, uintptr_t base, node **taken_out)
{
    node *successor;

    if (tree == NULL)
        return NULL;
    if (base < tree->range.base) {
        tree->lower = take(tree->lower, base, taken_out);
        return balance(tree);
    }
    if (base > tree->range.base) {
        tree->higher = take(tree->higher, base, taken_out);
        return balance(tree);
    }
    *taken_out = tree;
    if (tree->higher == NULL)
        return tree->lower;
    node *rest = take_lowest(tree->higher, &successor);
    successor->higher = rest;
    successor->lower = tree->lower;
    return balance(successor);
}

bool astride__interval_map_insert(astride__interval_map *map, const astride__range *range)
{
    node *leaf = malloc(sizeof(*leaf));

    if (leaf == NULL)
        return false;
    leaf->lower = NULL;
    leaf->higher = NULL;
    leaf->height = 1;
    leaf->range = *range;
    map->root = insert(map->root, leaf);
    map->count++;
    return true;
}

bool astride__interval_map_remove(astride__interval_map *map, uintptr_t base,
                                  astride__range *range_out)
{
    node *taken = NULL;

    map->root = take(map->root, base, &taken);
    if (taken == NULL)
        return false;
    map->count--;
    *range_out = taken->range;
    free(taken);
    return true;
}

static node *at_or_below(node *tree, uintptr_t address)
{
    node *best = NULL;

    while (tree != NULL) {
        if (tree->range.base <= address) {
            best = tree;
            tree = tree->higher;
        } else {
            tree = tree->lower;
        }
    }
    return best;
}

static node *at_or_above(node *tree, uintptr_t address)
{
    node *best = NULL;

    while (tree != NULL) {
        if (tree->range.base >= address) {
            best = tree;
            tree = tree->lower;
        } else {
            tree = tree->higher;
        }
    }
    return best;
}

static bool answer(const node *found, astride__range *range_out)
{
    if (found == NULL)
        return false;
    *range_out = found->range;
    return true;
}

astride__range *astride__interval_map_at(const astride__interval_map *map, uintptr_t base)
{
    node *found = at_or_below(map->root, base);

    return found != NULL && found->range.base == base ? &found->range : NULL;
}

bool astride__interval_map_find(const astride__interval_map *map, uintptr_t address,
                                astride__range *range_out)
{
    const node *found = at_or_below(map->root, address);

    if (found != NULL && address - found->range.base >= found->range.bytes)
        found = NULL;
    return answer(found, range_out);
}

bool astride__interval_map_overlap(const astride__interval_map *map, uintptr_t base, size_t bytes,
                                   astride__range *range_out)
{
    const node *found;

    if (astride__interval_map_find(map, base, range_out))
        return true;
    found = at_or_above(map->root, base);
    if (found != NULL && found->range.base - base >= bytes)
        found = NULL;
    return answer(found, range_out);
}

bool astride__interval_map_below(const astride__interval_map *map, uintptr_t address,
                                 astride__range *range_out)
{
    return answer(at_or_below(map->root, address), range_out);
}

bool astride__interval_map_above(const astride__interval_map *map, uintptr_t address,
                                 astride__range *range_out)
{
    return answer(at_or_above(map->root, address), range_out);
}

static void clear(node *tree)
{
    if (tree == NULL)
        return;
    clear(tree->lower);
    clear(tree->higher);
    free(tree);
}

void astride__interval_map_clear(astride__interval_map *map)
{
    clear(map->root);
    map->root = NULL;
    map->count = 0;
}
