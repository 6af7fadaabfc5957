/* SPDX-License-Identifier: MIT */
/*
 * A series of one-shots, and what they tell: the rate of the clock, and the latency of the interrupt.  Whoever has
 * the timer fires each.  Task context, while no tick is expected.
 */
#pragma once

#include "probe/core/probe.h"

struct one_shots {
    /*
     * Fire one and wait for it, in running code or in a halt: clock units from arming to handler;
     * 0: it did not interrupt.
     */
    uint64_t (*fire)(void *timer, uint32_t counts, bool halt);
    void *timer;
};

/*
 * The shortest of three in running code: an interrupt can be held up, it cannot come early.
 * 0: one did not interrupt.
 */
uint64_t one_shots_shortest(const struct one_shots *s, uint32_t counts);

struct one_shots_rate {
    uint64_t hz, per_65536; /* of the clock; clock units in 65536 counts of the timer */
};

/*
 * The clock's rate by two lengths, in counts of a timer of so many Hz: both have the same latencies, so that their
 * difference is exact.  All 0: one did not interrupt.  per_65536 0: the longer one was not longer.
 */
struct one_shots_rate one_shots_rate(const struct one_shots *s, uint32_t few, uint32_t many, uint32_t timer_hz);

#define ONE_SHOTS 48u /* that a judgement is made of */

struct one_shots_lengths {
    uint32_t first, step, most; /* counts: the shortest, how much longer each is than the one before, the longest */
    uint32_t lengths;           /* so many, over and over: every phase of CPU against timer */
    uint64_t clocks_q24;        /* clock units in a count, 40.24 */
    uint64_t grain;             /* clock units that two readings of the clock are apart by themselves */
};

/*
 * What each of so many takes beyond its counts, clock units.  Returns how many came before one that did not
 * interrupt.
 */
unsigned one_shots_series(const struct one_shots *s, const struct one_shots_lengths *l, bool halt, uint64_t *latency,
                          unsigned shots);

/* What seven of eight kept to.  Sorts them, as the next one does. */
uint64_t one_shots_usual(uint64_t latency[ONE_SHOTS]);

/*
 * The latency that each tick has is the smallest.  A tick counts as held up above twice what seven of eight shots
 * kept to beyond that, and `grain`, what the clock can resolve.
 */
struct probe_lateness one_shots_judge(uint64_t latency[ONE_SHOTS], uint64_t grain);

/* That of ONE_SHOTS of them.  False: one did not interrupt. */
bool one_shots_lateness(const struct one_shots *s, const struct one_shots_lengths *l, bool halt,
                        struct probe_lateness *to);
