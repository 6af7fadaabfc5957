/* SPDX-License-Identifier: MIT */
/* What was timed one by one: the memory for it, and the rows that are made of it.  The start, interrupts off. */
#pragma once

#include <stdint.h>

#include "probe/survey/survey.h"

#define TIME_LIST 2000u /* numbers: two of them are beyond 99.9 % */

extern uint64_t time_list[TIME_LIST]; /* one measurement at a time */

/* Add a row to the survey: of `count` times in the list, less `grain` each.  `name` stays the caller's. */
void time_list_add(struct survey *s, const char *name, unsigned count, uint64_t grain);
