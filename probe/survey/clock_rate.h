/* SPDX-License-Identifier: MIT */
/*
 * The rate of a clock, and how far two clocks are apart.  The intervals are no estimates of chance: they are what two
 * bracketed readings leave open (probe/survey/clock_track.h), and the mean rate between the readings is certainly
 * inside.  They become narrower as 1 / the time between the readings.  Task and host context: floating point.
 */
#pragma once

#include <stdint.h>

/* Of two readings. */
struct clock_span {
    uint64_t counts, slack;     /* between them, and how many more or fewer these can be */
    uint64_t shortest, longest; /* the time between them, clock units */
};

struct clock_rate { /* counts in a clock unit; or parts in a million */
    double low, high;
};

/* Both 0 where the span tells nothing: no time, or no more counts than their slack. */
struct clock_rate clock_rate_of(const struct clock_span *s);

/*
 * Parts in a million by which `a` is fast, where `b` is right: against the rates that they should have, in one unit.
 * Both 0 where either rate is not known.
 */
struct clock_rate clock_rate_apart(const struct clock_rate *a, double a_should, const struct clock_rate *b,
                                   double b_should);
