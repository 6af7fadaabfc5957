/* SPDX-License-Identifier: MIT */
/* The clocks of the machine, read from the start to the end of a survey: their rates, steps, and costs of reading. */
#pragma once

#include <stdint.h>

#include "probe/survey/survey.h"

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
