/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The generator xoshiro256** of Blackman and Vigna, seeded by their splitmix64.
 */
#include "tests/support/random.h"

#include <string.h>

static uint64_t splitmix(uint64_t *state)
{
    uint64_t mixed = *state += UINT64_C(0x9e3779b97f4a7c15);

    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

static uint64_t rotate(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

void test_random_seed(test_random *random, uint64_t seed, uint64_t stream)
{
    uint64_t state = stream;

    /* The stream is mixed before the seed is added: neighbours in both must not meet. */
    state = splitmix(&state) + seed;
    for (int i = 0; i < 4; i++)
        random->state[i] = splitmix(&state);
}

uint64_t test_random_next(test_random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t test_random_below(test_random *random, uint64_t bound)
{
    /* The bias of the remainder is far below what a test could see. */
    return test_random_next(random) % bound;
}

int64_t test_random_between(test_random *random, int64_t low, int64_t high)
{
    return low + (int64_t)test_random_below(random, (uint64_t)(high - low) + 1);
}

int64_t test_random_magnitude(test_random *random, int64_t high)
{
    int bits = 0;
    int64_t low;

    while (bits < 62 && (high >> (bits + 1)) != 0)
        bits++;
    low = INT64_C(1) << test_random_below(random, (uint64_t)bits + 1);
    return test_random_between(random, low, low > high / 2 ? high : 2 * low - 1);
}

bool test_random_chance(test_random *random, unsigned numerator, unsigned denominator)
{
    return test_random_below(random, denominator) < numerator;
}

void test_random_bytes(test_random *random, void *bytes_out, size_t count)
{
    unsigned char *bytes = bytes_out;

    for (; count >= sizeof(uint64_t); count -= sizeof(uint64_t), bytes += sizeof(uint64_t)) {
        uint64_t word = test_random_next(random);

        memcpy(bytes, &word, sizeof word);
    }
    if (count > 0) {
        uint64_t word = test_random_next(random);

        memcpy(bytes, &word, count);
    }
}
