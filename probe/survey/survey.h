/* SPDX-License-Identifier: MIT */
/*
 * What a survey found (tasks=survey), as its records have it, and what that means: the same code prints it on the
 * image and on the host.  Task and host context: floating point.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stream/wire.h"
#include "probe/survey/gap_log.h"
#include "probe/survey/rates.h"
#include "probe/text/text_buf.h"

#define SURVEY_CLOCKS 8u
#define SURVEY_TIMES  16u

/* The texts live as long as it does. */
struct survey {
    struct wire_survey head;
    struct wire_survey_row length[GAP_BUCKETS]; /* ascending; lengths without gaps omitted */
    struct wire_survey_clocks_row clock[SURVEY_CLOCKS];
    struct wire_survey_times_row time[SURVEY_TIMES];
    unsigned lengths, clocks, times;
};

/* Clock units as seconds and microseconds; 0 where the clock's frequency is not known. */
double survey_seconds(const struct survey *s, double clocks);
double survey_us(const struct survey *s, double clocks);

/* The rate of a clock against the TSC; both 0 where it was not measured. */
struct clock_rate survey_clock_rate(const struct wire_survey_clocks_row *c);

/* Parts in a million by which clock `a` is fast if `b` is right; both 0 where that is not known. */
struct clock_rate survey_clocks_apart(const struct survey *s, unsigned a, unsigned b);

/*
 * The part of the watched time that was stolen, and its 95 % interval;
 * the same of gaps of at least so many us, a second.
 */
struct survey_share {
    double value, low, high;
};
struct survey_share survey_stolen(const struct survey *s);
struct survey_share survey_longer(const struct survey *s, uint64_t us);

/* Whether the gaps are SMIs, as the CPU counts them. */
enum survey_thief {
    SURVEY_UNKNOWN,     /* firmware or a hypervisor, where the CPU does not count SMIs */
    SURVEY_FIRMWARE,    /* it counts as many SMIs as there are gaps, a tenth more or fewer, or more */
    SURVEY_NO_FIRMWARE, /* it counts fewer */
};
enum survey_thief survey_thief(const struct survey *s);

/* What it means for a loop of the user's, a sentence a line. */
void survey_verdict(const struct survey *s, void (*line)(void *context, const char *text), void *context);

/* All of it as text, the verdict first. */
void survey_print(const struct survey *s, void (*line)(void *context, const char *text), void *context);
