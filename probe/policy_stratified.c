/* SPDX-License-Identifier: MIT */
/*
 * Two independent uniform points in each stratum of 2T: the share is unbiased
 * for any load and the pair makes its variance known (docs/ACCOUNTING.md, "The
 * schedule"; Cochran, "Sampling Techniques", chapter 5, two units a stratum).
 */
#include <stddef.h>

#include "probe/carta.h"
#include "probe/schedule.h"

/*
 * Points closer than the handler and the smallest count are pushed apart: one
 * pair in 1/20 or so, more would show in the shares.
 */
#define FLOOR_SHARE 20

static const char *prepare(struct schedule *s, uint32_t handler)
{
    uint64_t floor = (uint64_t)handler + s->minimum;

    if (floor * FLOOR_SHARE << 16 > s->mean)
        return "stratified needs handler and smallest count to be at most 1/20 of the "
               "mean interval";
    s->width = 2 * s->mean;
    return NULL;
}

/* Draw the points of a stratum; returns the interval to the first of them. */
static inline int64_t begin_stratum(struct schedule *s)
{
    /* Parts of a count are carried over, so that n strata are 2nT long. */
    uint64_t exact = s->width + s->fraction;
    uint64_t length = exact >> 16;
    uint64_t a = carta_below(&s->generator, length);
    uint64_t b = carta_below(&s->generator, length);
    uint64_t first = a < b ? a : b, last = a < b ? b : a;
    int64_t interval = s->carry + (int64_t)first;

    s->fraction = (uint16_t)exact;
    s->second = (int64_t)(last - first);
    s->carry = (int64_t)(length - last);
    return interval;
}

/* What the minimum adds to an interval it takes from the one that follows. */
static inline uint64_t lengthen(int64_t interval, int64_t minimum, int64_t *following)
{
    if (interval >= minimum)
        return (uint64_t)interval;
    *following -= minimum - interval;
    return (uint64_t)minimum;
}

static uint64_t to_first(struct schedule *s);

/* The two take turns, each naming the other: no flag is asked which one it is. */
static uint64_t to_second(struct schedule *s)
{
    s->pair = true;
    s->next = to_first;
    return lengthen(s->second, s->minimum, &s->carry);
}

static uint64_t to_first(struct schedule *s)
{
    s->pair = false;
    s->next = to_second;
    return lengthen(begin_stratum(s), s->minimum, &s->second);
}

const struct policy policy_stratified = {
    .name = "stratified",
    .pairing = PAIR_STRATUM,
    .prepare = prepare,
    .next = to_first,
};
