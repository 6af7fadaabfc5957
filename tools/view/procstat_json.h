/* SPDX-License-Identifier: MIT */
/* The tick counters as JSON (docs/JSON.md): between two readings, and of a whole epoch. */
#pragma once

#include <jansson.h>

#include "tools/analysis/procstat_diff.h"
#include "tools/trace/run_queue.h"

/* One difference: the object of `cpuprobe procstat --json`, and the member procstat of `cpuprobe stat --json`. */
json_t *procstat_json(const struct epoch *e, const struct procstat_diff *d);

/* The exact run queue (tools/trace/run_queue.h) at the last look before the last reading; null for NULL. */
json_t *run_queue_json(const struct run_queue *q);

/* From the beginning to the last reading; null: there is none. */
json_t *procstat_json_whole(const struct epoch *e);
