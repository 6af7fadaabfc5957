/* SPDX-License-Identifier: MIT */
/*
 * ChaCha with 8 rounds: Bernstein, "ChaCha, a variant of Salsa20", 2008.  The layout is
 * that of RFC 7539, but the block counter has 64 bits (its high half is in the first word
 * of the RFC's nonce).  Without the key, some words of the stream do not reveal others.
 */
#pragma once

#include <stdint.h>

#define CHACHA8_WORDS 16u /* of a block */
#define CHACHA8_FOUR  (4 * CHACHA8_WORDS)

struct chacha8_key {
    uint32_t word[8];
    uint32_t nonce[2];
};

/* The words of block `number`, in order of the key stream.  Any context. */
void chacha8_block(uint32_t block[CHACHA8_WORDS], const struct chacha8_key *key, uint64_t number);

/*
 * The words of four blocks from `number` on.  Task or host context: it uses vector
 * registers, which no interrupt saves.
 */
void chacha8_four(uint32_t words[CHACHA8_FOUR], const struct chacha8_key *key, uint64_t number);
