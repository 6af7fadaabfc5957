/* SPDX-License-Identifier: MIT */
/* What the files of the survey share: its results and the SMIs of its test. */
#pragma once

#include "kernel/survey/gap_watch.h"
#include "probe/survey/survey.h"

extern struct survey survey_found;   /* set at the start; then task PROBE */
extern struct gap_watch survey_watch; /* interrupts off */

/*
 * Raise SMIs in the loop: 312 us each 250 ms, and between them 30 us at random, 40 ms apart in the mean.  The start.
 */
void survey_disturb(struct gap_watch *w, uint64_t clock_hz);

/* SMIs so far, and their time by their own handler, clock units; 0 of each without survey_disturb().  Any context. */
struct survey_disturbed {
    uint64_t count, time;
} survey_disturbed(void);

/* Whether this CPU counts SMIs (MSR 34h), and how many so far.  Task context, or the start. */
bool survey_smis(uint64_t *count);
