/* SPDX-License-Identifier: MIT */
/* Makes JSON of the tick counters: between two readings, and of a whole epoch. */
#pragma once

#include <jansson.h>

#include "tools/base/report_object.h"
#include "tools/trace/run_queue.h"

struct epoch;
struct procstat_diff;

extern const struct report_object procstat_levels_object, run_queue_object;

/* One difference: the object of `cpuprobe procstat --json`, and the member procstat of `cpuprobe stat --json`. */
json_t *procstat_json(const struct epoch *e, const struct procstat_diff *d);

/* The exact run queue (tools/trace/run_queue.h) at the last look before the last reading; NULL for NULL. */
json_t *run_queue_json(const struct run_queue *q);

/* From the beginning to the last reading; NULL: there is none. */
json_t *procstat_json_whole(const struct epoch *e);
