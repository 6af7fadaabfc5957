/* SPDX-License-Identifier: MIT */
/*
 * The block function of ChaCha8 (RFC 7539, section 2.3, with 8 rounds instead of 20), for
 * one block or several at once.  The including file first defines the type `lane`:
 * uint32_t, or a vector of it that holds the same word of each block.
 */
#pragma once

#include "probe/schedule/chacha8.h"

#define DOUBLE_ROUNDS 4

static inline lane rotate(lane x, unsigned bits)
{
    return x << bits | x >> (32 - bits);
}

static inline __attribute__((always_inline)) void quarter(lane *x, unsigned a, unsigned b, unsigned c, unsigned d)
{
    x[a] += x[b];
    x[d] = rotate(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = rotate(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = rotate(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = rotate(x[b] ^ x[c], 7);
}

/* Set the initial state: "expand 32-byte k", the key, the counter, the nonce. */
static inline void lay_down(lane *x, const struct chacha8_key *key, lane low, lane high)
{
    const lane zero = {0};

    x[0] = zero + 0x61707865u;
    x[1] = zero + 0x3320646eu;
    x[2] = zero + 0x79622d32u;
    x[3] = zero + 0x6b206574u;
#pragma GCC unroll 8
    for (unsigned i = 0; i < 8; i++)
        x[4 + i] = zero + key->word[i];
    x[12] = low;
    x[13] = high;
    x[14] = zero + key->nonce[0];
    x[15] = zero + key->nonce[1];
}

/* Compute the blocks whose numbers have these low and high halves. */
static inline void block_function(lane block[CHACHA8_WORDS], const struct chacha8_key *key, lane low, lane high)
{
    lane x[CHACHA8_WORDS];

    lay_down(x, key, low, high);
    for (unsigned i = 0; i < DOUBLE_ROUNDS; i++) {
        quarter(x, 0, 4, 8, 12);
        quarter(x, 1, 5, 9, 13);
        quarter(x, 2, 6, 10, 14);
        quarter(x, 3, 7, 11, 15);
        quarter(x, 0, 5, 10, 15);
        quarter(x, 1, 6, 11, 12);
        quarter(x, 2, 7, 8, 13);
        quarter(x, 3, 4, 9, 14);
    }
    lay_down(block, key, low, high);
#pragma GCC unroll 16
    for (unsigned i = 0; i < CHACHA8_WORDS; i++)
        block[i] += x[i];
}
