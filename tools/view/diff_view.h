/* SPDX-License-Identifier: MIT */
/* A comparison of two runs as text or as JSON. */
#pragma once

#include "tools/json/diff_json.h"

/* Print it.  Host. */
void diff_view_print(const struct diff_report *r, bool as_json);

/* Hits in percent of all samples; 0 where there are none. */
double diff_percent(const struct tally *t);
