/* SPDX-License-Identifier: MIT */
/*
 * The blocks of a keyed generator.  The key is the seed, filled up with zeros.
 */
#include "probe/schedule/rng_draw.h"

#include "probe/schedule/chacha8.h"

#define ENOUGH (3 * CHACHA8_WORDS) /* four blocks at once take less time than three separate ones */

static inline struct chacha8_key key_of(const struct schedule *s)
{
    /* The nonce "cpuprobe" keeps this stream apart from other uses of the same key. */
    return (struct chacha8_key){.word = {(uint32_t)s->seed, (uint32_t)(s->seed >> 32)},
                                .nonce = {0x70757063, 0x65626f72}};
}

__attribute__((noinline)) void draw_block(struct schedule *s)
{
    const struct chacha8_key key = key_of(s);

    chacha8_block(s->block, &key, s->generator / CHACHA8_WORDS);
}

__attribute__((noinline)) const uint32_t *draw_words(struct schedule *s, uint32_t room[CHACHA8_FOUR], unsigned *count)
{
    const unsigned at = s->generator % CHACHA8_WORDS;

    if (at == 0 && *count >= ENOUGH) {
        const struct chacha8_key key = key_of(s);

        chacha8_four(room, &key, s->generator / CHACHA8_WORDS);
        *count = *count < CHACHA8_FOUR ? ENOUGH : CHACHA8_FOUR;
        return room;
    }
    if (at == 0)
        draw_block(s);
    *count = *count < CHACHA8_WORDS - at ? *count : CHACHA8_WORDS - at;
    return &s->block[at];
}
