/* SPDX-License-Identifier: MIT */
/*
 * How often independent events come, and how much they take together: intervals of 95 %.  The number of events is
 * Poisson's; a sum of what they take is an interval of Fay and Feuer, "Confidence intervals for directly standardized
 * rates: a method based on the gamma distribution", Statistics in Medicine 16 (1997), which for equal events is
 * Garwood's (1936).  Events that keep a period vary less: then the interval is wider than it need be.  The quantiles
 * of chi-squared are those of Wilson and Hilferty (1931).  Task and host context: floating point.
 */
#pragma once

#include <stdint.h>

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
