/* SPDX-License-Identifier: MIT */
/*
 * Seeds for the minimal-standard generator of Carta, CACM 33(1), 1990.
 */
#include "probe/schedule/carta.h"

#include "probe/schedule/splitmix64.h"

static uint64_t fold(uint64_t number)
{
    return (number & CARTA_MODULUS) + (number >> 31);
}

uint32_t carta_seed(uint64_t number)
{
    /* Upper bounds: 2^64 folds to 5 x 2^31, that to 2^31 + 4, and that to the modulus. */
    uint32_t state = (uint32_t)fold(fold(fold(number)));

    /* 0 and the modulus are the same residue, which the generator cannot leave. */
    return state == 0 || state == CARTA_MODULUS ? 1 : state;
}

uint32_t carta_start(uint64_t seed)
{
    return carta_seed(splitmix64_mix(seed + SPLITMIX64_GAMMA));
}
