/* SPDX-License-Identifier: MIT */
/* What load meters told by their last reading, as JSON: docs/JSON.md has each member.  Null where there is none. */
#pragma once

#include <jansson.h>

#include "tools/model/stream_model.h"

json_t *idle_task_json(const struct epoch *e);
json_t *perf_call_json(const struct epoch *e);
json_t *process_table_json_last(const struct epoch *e);

/* A table of processes, and the differences to the table before that were collected with it. */
struct process_collection;
struct process_table;
json_t *process_table_json(const struct process_collection *c, const struct process_table *t);
