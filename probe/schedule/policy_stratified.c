/* SPDX-License-Identifier: MIT */
/*
 * Two independent uniform points in each stratum of 2T: the share is unbiased
 * for any load, and the pair gives its variance (docs/ACCOUNTING.md, "The
 * schedule"; Cochran, "Sampling Techniques", chapter 5, two units per stratum).
 */
#include <stddef.h>

#include "probe/schedule/carta.h"
#include "probe/schedule/rng_draw.h"
#include "probe/schedule/schedule.h"

/*
 * Two points that are closer than the handler and the smallest count together are moved
 * apart.  This limit keeps such pairs to about 1 in 20; more would change the shares.
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

/* The fraction of a count is carried over, so that n strata are 2nT long. */
static inline uint64_t next_length(struct schedule *s)
{
    uint64_t exact = s->width + s->fraction;

    s->fraction = (uint16_t)exact;
    return exact >> 16;
}

/* Begin a stratum with the two points a and b; returns the interval to the first one. */
static inline int64_t begin_stratum(struct schedule *s, uint64_t length, uint64_t a, uint64_t b)
{
    uint64_t first = a < b ? a : b, last = a < b ? b : a;
    int64_t interval = s->carry + (int64_t)first;

    s->second = (int64_t)(last - first);
    s->carry = (int64_t)(length - last);
    return interval;
}

/* Lengthen an interval to the minimum, and shorten the following one by the same amount. */
static inline uint64_t lengthen(int64_t interval, int64_t minimum, int64_t *following)
{
    if (interval >= minimum)
        return (uint64_t)interval;
    *following -= minimum - interval;
    return (uint64_t)minimum;
}

static uint64_t to_first(struct schedule *s);

/* The two functions alternate: each sets s->next to the other, which saves testing a flag. */
static uint64_t to_second(struct schedule *s)
{
    s->pair = true;
    s->next = to_first;
    return lengthen(s->second, s->minimum, &s->carry);
}

static uint64_t to_first(struct schedule *s)
{
    uint64_t length = next_length(s);
    uint64_t a = draw_below(s, length);
    uint64_t b = draw_below(s, length);

    s->pair = false;
    s->next = to_second;
    return lengthen(begin_stratum(s, length, a, b), s->minimum, &s->second);
}

static unsigned phase(const struct schedule *s)
{
    return s->pair ? 2 : s->next == to_second;
}

static void resume(struct schedule *s, unsigned phase)
{
    s->pair = phase == 2;
    s->next = phase == 1 ? to_second : to_first;
}

/* Both intervals of one stratum, from its two random points. */
static inline void run_stratum(struct schedule *s, uint64_t length, uint64_t a, uint64_t b, uint64_t *interval)
{
    const int64_t first = begin_stratum(s, length, a, b);

    interval[0] = lengthen(first, s->minimum, &s->second);
    interval[1] = lengthen(s->second, s->minimum, &s->carry);
}

static inline void run_carta(struct schedule *s, uint32_t a, uint32_t b, uint64_t *interval)
{
    const uint64_t length = next_length(s);

    run_stratum(s, length, carta_scale(a, length), carta_scale(b, length), interval);
}

/*
 * Two strata at a time, so that their four random numbers do not depend on each other.
 * `here` is a copy because the compiler must assume that `interval` aliases `s`.
 */
static uint64_t *run_strata(struct schedule *s, uint64_t *interval, const uint64_t *end)
{
    struct schedule here;

#if __STDC_HOSTED__ && !defined PROBE_NO_VECTORS /* PROBE draws a few at a time; a replay thousands */
    interval += 2 * carta_strata_run(s, interval, (unsigned)(end - interval) / 2);
#endif
    here = *s;

    for (; end - interval >= 4; interval += 4) {
        const uint32_t x = (uint32_t)here.generator, fourth = carta_jump(x, CARTA_FOURTH);

        here.generator = fourth;
        run_carta(&here, carta_next(x), carta_jump(x, CARTA_SECOND), interval);
        run_carta(&here, carta_jump(x, CARTA_THIRD), fourth, interval + 2);
        here.pair = true;
    }
    *s = here;
    return interval;
}

/*
 * As many strata as the keyed generator has words for at once; none if a stratum's two
 * words are in two blocks.
 */
static uint64_t *run_keyed(struct schedule *restrict s, uint64_t *restrict interval, unsigned count)
{
    uint32_t room[CHACHA8_FOUR];
    unsigned ready = count & ~1u;
    const uint32_t *const word = draw_words(s, room, &ready);
    const unsigned strata = ready / 2;

    for (unsigned i = 0; i < strata; i++) {
        const uint64_t length = next_length(s);

        run_stratum(s, length, draw_scale(word[2 * i], length), draw_scale(word[2 * i + 1], length),
                    interval + 2 * i);
    }
    s->generator += 2 * strata;
    s->pair |= strata > 0;
    return interval + 2 * strata;
}

static void run(struct schedule *s, uint64_t *interval, unsigned count)
{
    const uint64_t *const end = interval + count;

    if (count > 0 && s->next == to_second)
        *interval++ = to_second(s);
    if (!s->keyed)
        interval = run_strata(s, interval, end);
    while (interval != end) {
        uint64_t *const before = interval;

        if (s->keyed && s->next == to_first && end - interval > 1)
            interval = run_keyed(s, interval, (unsigned)(end - interval));
        if (interval == before)
            *interval++ = s->next(s);
    }
}

const struct policy policy_stratified = {
    .name = "stratified",
    .pairing = PAIR_STRATUM,
    .prepare = prepare,
    .next = to_first,
    .phase = phase,
    .resume = resume,
    .run = run,
};
