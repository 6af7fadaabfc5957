/* SPDX-License-Identifier: MIT */
/*
 * Computes the one-shot that ends at a time: one way for every timer that a tick arms.  A long way is made of pieces,
 * and the last one is short, so that the error of the clock over it makes no tick late (docs/ACCOUNTING.md,
 * "The schedule").
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A timer, clock units.  `longest` is at most `most`. */
struct one_shot_way {
    uint64_t longest; /* of a one-shot over which the error of the clock makes no tick late */
    uint64_t most;    /* that the timer takes */
    uint64_t count;   /* one of its counts, rounded up */
    uint64_t lag;     /* from the reading of the clock before a one-shot to its begin, the least seen; 0: none was */
};

/* Begin with a timer: `most` may be less than `longest`. */
static inline void one_shot_way_set(struct one_shot_way *w, uint64_t count, uint64_t longest, uint64_t most)
{
    *w = (struct one_shot_way){ .longest = longest < most ? longest : most, .most = most, .count = count };
}

/*
 * The length of the one-shot to `time`, of which whole counts are armed: so it ends there to half a count, and behind
 * it where half a count before it may be in this handler, which takes `exit` from `now` on at most.  `piece`: it ends
 * before, and the rest is to be armed then.  Interrupt context.
 */
static inline uint64_t one_shot_way_to(const struct one_shot_way *w, uint64_t time, uint64_t now, uint64_t exit,
                                       bool *piece)
{
    uint64_t left = time - now - w->lag;

    if ((int64_t)left < 0)
        left = 0;
    *piece = left > w->longest;
    if (*piece) {
        left -= w->longest / 2;
        if (left > w->most)
            left = w->most / 2;
    }
    return left + (left < exit + w->count ? w->count : w->count / 2);
}

/* The one-shot has begun at this time of the clock, which was read at `now` before it.  Interrupt context. */
static inline void one_shot_way_began(struct one_shot_way *w, uint64_t now, uint64_t began)
{
    if (began - now < w->lag || w->lag == 0)
        w->lag = began - now;
}
