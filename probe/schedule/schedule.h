/* SPDX-License-Identifier: MIT */
/*
 * Draws the intervals between the points of a schedule from a policy and a generator (docs/ACCOUNTING.md, "The
 * schedule").  The sum of the first k intervals is point k.  The host runs the same file to replay a run.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/schedule/chacha8.h"
#include "probe/schedule/policy.h"

struct schedule {
    const struct policy *policy;
    uint64_t generator; /* carta: its state, 1 .. 2^31-2; chacha8: words drawn */
    uint64_t mean;      /* mean interval T, units in 48.16 */
    uint32_t minimum;   /* smallest interval; 0: the units are of clock time, nothing is lengthened or rounded */
    uint32_t spread;    /* full width of the interval divided by T, thousandths, 0 .. 2000 */
    bool begun;         /* random, exponential: an interval has been given */
    bool pair;          /* the sample at the end of the last given interval pairs
                           with the one before it */
    /* The policy's own values, set by prepare(), units. */
    uint16_t part;        /* fixed, random: added to `fraction` with each interval, so that the mean is exact */
    uint64_t base, width; /* fixed, random: next = base + uniform on [0, width);
                             stratified: width of a stratum, 48.16;
                             exponential: scale of the part above base, 48.16;
                             narrow: width of the jitter;
                             arithmetic: the unit, 48.16, and how many multiples there are */
    int64_t carry;        /* stratified: rest of the previous stratum;
                             narrow: jitter of the previous tick */
    uint16_t fraction;    /* of a count, 1/65536, left by previous strata or intervals */
    int64_t second;       /* stratified: second interval of the stratum.  carry and second
                             are negative where the minimum lengthened the interval before */
    uint64_t sum;         /* of all given intervals, counts */
    uint64_t (*next)(struct schedule *s); /* copy of the policy's, for fast access in the tick */
    bool keyed;           /* the generator is chacha8 */
    uint64_t seed;        /* its key, if `keyed` */
    uint32_t block[CHACHA8_WORDS]; /* the block that holds the last word drawn */
};

/* The generators, as rng= has them. */
enum rng { RNG_CARTA, RNG_CHACHA8 };

/*
 * The parameters of a schedule.  Its units are clock units times a power of two, with minimum 0; or, where each
 * interval is counted from the handler (arm=relative, and streams below minor 8), periods of the source's own clock.
 */
struct schedule_request {
    enum interval_policy policy;
    enum rng rng;
    uint64_t mean;      /* units, 48.16 */
    uint32_t minimum;   /* 0; else the smallest count that fires in time, measured */
    uint32_t handler;   /* with a minimum: length of the tick handler, counts, measured */
    uint32_t spread;    /* thousandths of the mean */
    uint64_t seed;      /* chacha8: all 64 bits are in the key; carta: reduced to 31 bits */
};

/*
 * Begin a schedule.  Task or host context.  Returns NULL, or the sentence that
 * says why the source cannot keep it.
 */
const char *schedule_init(struct schedule *s, const struct schedule_request *request);

/* The next interval, counts.  Interrupt context: no division, no loop. */
uint64_t schedule_next(struct schedule *s);

/*
 * The next `count` intervals in one call, for a replay: the same as `count` calls of
 * schedule_next(), but `sum` does not change.  Task or host context: it may use vector registers.
 */
void schedule_run(struct schedule *s, uint64_t *interval, unsigned count);

/* The phase of a schedule in its pairs, 0 .. 2 (probe/schedule/policy.h).  Any context. */
unsigned schedule_phase(const struct schedule *s);

/* The part of a schedule that changes with each interval, without the sum. */
struct schedule_state {
    uint64_t generator;    /* carta: 1 .. 2^31-2; chacha8: words drawn */
    uint64_t phase;        /* 0 .. 2 (probe/schedule/policy.h) */
    uint64_t fraction;     /* 0 .. 65535 */
    int64_t carry, second; /* counts */
};

/* Save the state after the last given interval.  Any context. */
void schedule_save(const struct schedule *s, struct schedule_state *to);

/*
 * Continue from a state of a schedule with the same request; `sum` does not change.
 * False, and nothing changed, if no schedule can be in such a state.  Any context.
 */
bool schedule_restore(struct schedule *s, const struct schedule_state *from);

/*
 * How many of a thousand points come less than `handler` units after the last one that does not: they fall into its
 * handler.  Of the first 4096.  Task or host context.
 */
unsigned schedule_crowded(const struct schedule *s, uint64_t handler);

/*
 * The binary logarithm of the unit, in clock units, that gives a mean of `clocks` (48.16 clock units) room: 4T below
 * 2^31.  At least 1, as points are even (probe/schedule/point_queue.h).
 */
static inline unsigned schedule_shift(uint64_t clocks)
{
    unsigned shift = 1;

    while (clocks >> 16 >> shift >= (1u << 29))
        shift++;
    return shift;
}
