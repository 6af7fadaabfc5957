/* SPDX-License-Identifier: MIT */
/* What accesses, ticks, interrupts and wakes take, each many times: median, 99.9 % and worst. */
#pragma once

#include "probe/survey/survey.h"

/*
 * Add the rows.  After the clocks were measured and the
 * plan of ticks was applied, before the first window; interrupts off, and on meanwhile.
 */
void latency_survey(struct survey *s);
