/* SPDX-License-Identifier: MIT */
/* Makes the JSON of time lines: who had the processor when, by task and mode in a bounded number of columns. */
#pragma once

#include "tools/base/report_object.h"
#include "tools/report/report_run.h"

/*
 * From the states of the run where it has them (account=log, monitor=events), else from the raw samples with times;
 * else an object whose `source` is null.  Host only.
 */
json_t *report_lanes_json(const struct report_run *run);
extern const struct report_object report_lanes_object;
