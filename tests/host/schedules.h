/* SPDX-License-Identifier: MIT */
/*
 * Schedules that the tests of probe/schedule/schedule.h begin, and the key stream of the keyed ones.
 * Behind cmocka.h.
 */
#pragma once

#include <stdint.h>

#include "probe/schedule/schedule.h"

#define PIT_HZ 1193182ull

static const enum interval_policy policies[] = {INTERVAL_STRATIFIED, INTERVAL_RANDOM, INTERVAL_EXPONENTIAL,
                                                INTERVAL_NARROW, INTERVAL_FIXED, INTERVAL_ARITHMETIC};

static inline struct schedule begun(enum interval_policy policy, uint64_t mean, uint32_t minimum,
                             uint32_t spread, uint64_t seed)
{
    struct schedule_request request = {.policy = policy, .mean = mean, .minimum = minimum,
                                       .handler = 10, .spread = spread, .seed = seed};
    struct schedule s;
    const char *refusal = schedule_init(&s, &request);

    if (refusal)
        fail_msg("%s: %s", interval_policies[policy]->name, refusal);
    return s;
}

/* The same with the keyed generator. */
static inline struct schedule keyed(enum interval_policy policy, uint64_t mean, uint32_t minimum, uint64_t seed)
{
    struct schedule_request request = {.policy = policy, .rng = RNG_CHACHA8, .mean = mean,
                                       .minimum = minimum, .handler = 10, .spread = 2000,
                                       .seed = seed};
    struct schedule s;

    assert_null(schedule_init(&s, &request));
    return s;
}

/* Word k of the key stream whose key is the seed, a block at a time. */
static inline uint32_t plain_word(uint64_t seed, uint64_t k)
{
    const struct chacha8_key key = {.word = {(uint32_t)seed, (uint32_t)(seed >> 32)},
                                    .nonce = {0x70757063, 0x65626f72}};
    uint32_t block[CHACHA8_WORDS];

    chacha8_block(block, &key, k / CHACHA8_WORDS);
    return block[k % CHACHA8_WORDS];
}
