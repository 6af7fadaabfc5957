/* SPDX-License-Identifier: MIT */
/*
 * The block function of ChaCha8 (RFC 7539, section 2.3, with 8 rounds of 20).
 */
#include "probe/chacha8.h"

#define DOUBLE_ROUNDS 4

static inline uint32_t rotate(uint32_t x, unsigned bits)
{
    return x << bits | x >> (32 - bits);
}

static inline __attribute__((always_inline)) void quarter(uint32_t *x, unsigned a, unsigned b, unsigned c, unsigned d)
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

/* "expand 32-byte k", the key, the counter, the nonce. */
static void lay_down(uint32_t *x, const struct chacha8_key *key, uint64_t number)
{
    x[0] = 0x61707865;
    x[1] = 0x3320646e;
    x[2] = 0x79622d32;
    x[3] = 0x6b206574;
#pragma GCC unroll 8
    for (unsigned i = 0; i < 8; i++)
        x[4 + i] = key->word[i];
    x[12] = (uint32_t)number;
    x[13] = (uint32_t)(number >> 32);
    x[14] = key->nonce[0];
    x[15] = key->nonce[1];
}

void chacha8_block(uint32_t block[CHACHA8_WORDS], const struct chacha8_key *key, uint64_t number)
{
    uint32_t x[CHACHA8_WORDS];

    lay_down(x, key, number);
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
    lay_down(block, key, number);
#pragma GCC unroll 16
    for (unsigned i = 0; i < CHACHA8_WORDS; i++)
        block[i] += x[i];
}
