/* SPDX-License-Identifier: MIT */
/*
 * One block of ChaCha8 in general registers only, so that the tick handler can compute it.
 */
#include <stdint.h>

typedef uint32_t lane;

#include "probe/schedule/chacha8_rounds.h"

void chacha8_block(uint32_t block[CHACHA8_WORDS], const struct chacha8_key *key, uint64_t number)
{
    block_function(block, key, (uint32_t)number, (uint32_t)(number >> 32));
}

#ifdef PROBE_NO_VECTORS
void chacha8_four(uint32_t words[CHACHA8_FOUR], const struct chacha8_key *key, uint64_t number)
{
    for (unsigned i = 0; i < 4; i++)
        chacha8_block(words + i * CHACHA8_WORDS, key, number + i);
}
#endif
