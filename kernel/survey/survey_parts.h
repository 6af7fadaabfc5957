/* SPDX-License-Identifier: MIT */
/* What the files of the survey share. */
#pragma once

#include <stdint.h>

#include "probe/survey/gap_log.h"
#include "probe/survey/survey.h"

/*
 * A loop that only reads the clock, with interrupts off: what it does not run was taken by something that interrupts
 * cannot explain, such as SMIs or a hypervisor.  It runs in slices, so that the serial line and the system clock are
 * served between them.
 */

struct gap_watch {
    uint64_t round;          /* the median turn of the loop, clock units */
    uint64_t threshold;      /* a turn above it has a gap: 16 median turns, a microsecond at least */
    uint64_t begin, end;     /* TSC: of the first slice, and of the last one's end */
    uint64_t watched, slices;
    uint64_t ticks;          /* turns in which ticks came as NMI */
    uint64_t disturb_at;     /* TSC: when disturb() is due, UINT64_MAX: never */
    uint64_t (*disturb)(uint64_t now); /* steals time on purpose; returns when it is due again */
    struct gap_log log;
};

/* Measure the loop, and begin with nothing.  The start, interrupts off. */
void gap_watch_begin(struct gap_watch *w, uint64_t clock_hz);

/* Run it for so many clock units.  Task context; interrupts off meanwhile. */
void gap_watch_slice(struct gap_watch *w, uint64_t clocks);

/* The clocks of the machine, read from the start to the end of a survey: their rates, steps, and costs of reading. */

/*
 * Find the clocks, add the rows of what a reading takes, and begin to follow them.  It takes half a second where the
 * local APIC has a timer.  Before the system clock starts; interrupts off.
 */
void clock_survey_begin(struct survey *s);

/* Read those that count: at least once a second.  Interrupts off. */
void clock_survey_read(void);

/*
 * Look for the end of the RTC's update until the TSC `stop`, where one may come by then.  Whether it looked at all.
 * Interrupts off.
 */
bool clock_survey_watch_rtc(uint64_t stop);

/* Put the rows of the clocks into the survey.  Interrupts off. */
void clock_survey_tell(struct survey *s);

/* What accesses, ticks, interrupts and wakes take, each many times: median, 99.9 % and worst. */

/*
 * Add the rows.  After the clocks were measured and the
 * plan of ticks was applied, before the first window; interrupts off, and on meanwhile.
 */
void latency_survey(struct survey *s);

/* What was timed one by one: the memory for it, and the rows that are made of it.  The start, interrupts off. */

#define TIME_LIST 2000u /* numbers: two of them are beyond 99.9 % */

extern uint64_t time_list[TIME_LIST]; /* one measurement at a time */

/* Add a row to the survey: of `count` times in the list, less `grain` each.  `name` stays the caller's. */
void time_list_add(struct survey *s, const char *name, unsigned count, uint64_t grain);
