/* SPDX-License-Identifier: MIT */
/*
 * The blocks of a keyed generator: the key is the seed and, for the rest, zeros.
 */
#include "probe/draw.h"

#include "probe/chacha8.h"

__attribute__((noinline)) void draw_block(struct schedule *s)
{
    /* "cpuprobe": of no other use of the same key. */
    const struct chacha8_key key = {.word = {s->seed}, .nonce = {0x70757063, 0x65626f72}};

    chacha8_block(s->block, &key, s->generator / CHACHA8_WORDS);
}
