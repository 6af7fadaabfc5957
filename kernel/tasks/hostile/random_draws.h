/* SPDX-License-Identifier: MIT */
/* What programs of random calls draw their calls from.  One generator a program: `draws` is its state. */
#pragma once

#include <stdint.h>

#include "probe/schedule/splitmix64.h"

static uint64_t draws;

static inline uint64_t draw(void)
{
    return splitmix64_mix(draws += SPLITMIX64_GAMMA);
}

static inline uint64_t below(uint64_t width)
{
    return draw() % width;
}

/* As likely to have one binary digit as any other number of them. */
static inline uint64_t any_size(void)
{
    return draw() >> below(64);
}
