/* SPDX-License-Identifier: MIT */
/*
 * An adversary of the stratified schedule.  It sees its own interruptions by the TSC, and
 * learns from them where the strata begin.  When it has seen both ticks of a stratum it
 * knows that no other comes in the rest of it, and works only there, at ring 1, so that
 * its samples at ring 1 show how much work escaped the probe.  It does the same under
 * any schedule; where ticks do not come in pairs, that gains nothing.
 * Argument: ticks a second.
 */
#include <stdbool.h>

#include "kernel/abi/calls.h"

#define SECOND_NS 1000000000u
#define LEAST     64u   /* looks at the clock, of which the shortest counts */
#define QUICK     8u    /* an interruption is longer than so many of them */
#define GAPS      512u  /* interruptions that it learns a tick's length from */
#define TICKS     160u  /* ticks that it learns the strata from */
#define PHASES    64u   /* in a stratum, which it tells apart */
#define MARGIN    16u   /* part of a stratum before its end in which it works no more */
#define STEPS     100u  /* of a stratum: a piece of work */

struct gap {
    uint64_t at, length; /* clock units; length 0: there was none */
};

static uint64_t quick, usual;    /* of a look at the clock and of a tick, clock units */
static uint64_t sorted[GAPS];
static uint64_t tick[TICKS];
static uint64_t stratum;         /* clock units */

static uint64_t clock_now(void)
{
    uint32_t low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

static void learn_look(void)
{
    uint64_t least = UINT64_MAX, last = clock_now();

    for (unsigned i = 0; i < LEAST; i++) {
        const uint64_t now = clock_now();

        if (now - last < least)
            least = now - last;
        last = now;
    }
    quick = QUICK * least;
}

/* The next interruption that begins before `end`. */
static struct gap watch(uint64_t end)
{
    uint64_t last = clock_now();

    while (last < end) {
        const uint64_t now = clock_now();

        if (now - last > quick)
            return (struct gap){ last, now - last };
        last = now;
    }
    return (struct gap){ last, 0 };
}

/* Most interruptions are ticks: the median is one's length. */
static void learn_length(void)
{
    for (unsigned n = 0; n < GAPS; n++) {
        const uint64_t length = watch(UINT64_MAX).length;
        unsigned at = n;

        for (; at > 0 && sorted[at - 1] > length; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = length;
    }
    usual = sorted[GAPS / 2];
}

/* The system clock's interruptions are longer, a change of task much longer. */
static bool is_tick(const struct gap *g)
{
    return g->length > usual - usual / 8 && g->length < usual + usual / 8;
}

/* How many strata would have two of the ticks, if one began `phase` after the first. */
static unsigned pairs_at(uint64_t phase)
{
    unsigned pairs = 0, inside = 0;
    uint64_t number = UINT64_MAX;

    for (unsigned i = 0; i < TICKS; i++) {
        const uint64_t mine = (tick[i] - tick[0] + stratum - phase) / stratum;

        if (mine != number) {
            pairs += inside == 2;
            inside = 0;
        }
        number = mine;
        inside++;
    }
    return pairs;
}

/* Where a stratum begins, by what fits the ticks best: the middle of all phases that do. */
static uint64_t learn_phase(void)
{
    uint64_t phase = 0;
    unsigned best = 0;

    for (unsigned n = 0; n < TICKS;) {
        const struct gap g = watch(UINT64_MAX);

        if (is_tick(&g))
            tick[n++] = g.at;
    }
    for (unsigned i = 0; i < PHASES; i++) {
        const unsigned pairs = pairs_at(i * stratum / PHASES);

        if (pairs > best) {
            best = pairs;
            phase = i * stratum / PHASES;
        }
    }
    return tick[0] + phase;
}

/* At ring 1 until `end`, which no piece of work passes. */
static void work(uint64_t end, uint64_t units)
{
    while (clock_now() + stratum / STEPS + stratum / STEPS / 2 < end)
        serve(SVC_WORK, units);
}

/*
 * One stratum.  A tick in its margin, after two, is the next one's: there that began.
 * Only one tick before its end, and another close behind: it ended there.
 */
static uint64_t pass(uint64_t begin, uint64_t units)
{
    const uint64_t end = begin + stratum, margin = stratum / MARGIN;
    unsigned seen = 0;
    struct gap g = { 0, 0 };

    while (seen < 2 && (g = watch(seen == 1 ? end + margin : end)).length != 0)
        seen += is_tick(&g);
    if (seen == 2 && g.at >= end)
        return g.at;
    if (seen < 2)
        return end;
    work(end - margin, units);
    while ((g = watch(end)).length != 0)
        if (is_tick(&g))
            return g.at - 1;
    return end;
}

int main(uint64_t rate)
{
    const uint64_t mean = call(SYS_CLOCKS, SECOND_NS / rate, 0);
    uint64_t begin, units;

    learn_look();
    learn_length();
    stratum = 2 * mean; /* in clock time: handlers make it no longer */
    units = call(SYS_UNITS, stratum / STEPS, 0);
    begin = learn_phase();
    while (begin + stratum < clock_now())
        begin += stratum;
    for (;;)
        begin = pass(begin, units);
}
