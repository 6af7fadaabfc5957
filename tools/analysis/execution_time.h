/* SPDX-License-Identifier: MIT */
/*
 * The time of one execution from samples: Crowe, "CPU Probes", "Accurate time
 * measurement".  Arithmetic only.
 */
#pragma once

#include <stdio.h>

#include "probe/estimate/confidence.h"

/* The paper's formula: hits / rate / executions, in seconds; `rate` in samples a second. */
double execution_time_from_hits(double hits, double rate, double executions);

/* The same from a share of the time: share * elapsed / executions, in the unit of `elapsed`. */
struct confidence execution_time_from_share(struct confidence share, double elapsed, double executions);

/* The unit that a time is printed in. */
struct time_unit {
    const char *name; /* ns, us, ms or s */
    double seconds;
};

/* The largest unit in which the time is at least 1; ns for shorter times. */
struct time_unit time_unit_of(double seconds);

#define TIME_DIGITS 32

/*
 * `value` with the digits that `around` (of the same unit) allows: three
 * significant ones in `around`, all before the point, twelve after it at most.
 */
void time_print(char text[TIME_DIGITS], double value, double around);

/* A duration with three digits and its unit, right-aligned in 10 columns. */
void duration_print(double seconds, FILE *out);

/* The same with two decimals, or one from 10 of its units on; returns the text. */
const char *time_text(double seconds, char text[TIME_DIGITS]);
