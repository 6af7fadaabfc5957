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

/*
 * How often independent events come, and how much they take together: intervals of 95 %.  The number of events is
 * Poisson's; a sum of what they take is an interval of Fay and Feuer, "Confidence intervals for directly standardized
 * rates: a method based on the gamma distribution", Statistics in Medicine 16 (1997), which for equal events is
 * Garwood's (1936).  Events that keep a period vary less: then the interval is wider than it need be.  The quantiles
 * of chi-squared are those of Wilson and Hilferty (1931).  Task and host context: floating point.
 */

struct event_sum {
    double sum, squares; /* of what each event takes, and of its square; of a count both are the number */
    double largest;      /* that one more event could take; 1 of a count */
};

struct event_interval {
    double low, high; /* of the expected sum */
};

struct event_interval event_interval_of(const struct event_sum *s);

/* The same of a number of events. */
struct event_interval event_interval_count(uint64_t events);
