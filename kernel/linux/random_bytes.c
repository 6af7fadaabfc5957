/* SPDX-License-Identifier: MIT */
/* Random bytes of a process. */
#include "kernel/linux/linux_calls.h"

#include "kernel/source/sampler.h"
#include "probe/schedule/chacha8.h"
#include "probe/schedule/memory.h"

#define NONCE 0x6d646e72u

_Static_assert(RANDOM_BLOCK == CHACHA8_WORDS * 4u, "a block of the generator");

void random_bytes(struct process *p, uint8_t *to, uint64_t bytes)
{
    const uint64_t seed = sampler_seed();
    const struct chacha8_key key = {
        .word = { (uint32_t)seed, (uint32_t)(seed >> 32) }, .nonce = { NONCE, p->program_number },
    };
    uint32_t block[CHACHA8_WORDS];

    for (uint64_t n; bytes > 0; bytes -= n, to += n, p->drawn += n) {
        const uint64_t at = p->drawn % RANDOM_BLOCK;

        n = bytes < RANDOM_BLOCK - at ? bytes : RANDOM_BLOCK - at;
        chacha8_block(block, &key, p->drawn / RANDOM_BLOCK);
        memcpy(to, (const uint8_t *)block + at, n);
    }
}
