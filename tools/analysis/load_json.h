/* SPDX-License-Identifier: MIT */
/* Declares the last readings of load meters as JSON; NULL: there is none. */
#pragma once

#include <jansson.h>

#include "tools/base/report_object.h"
#include "tools/model/stream_model.h"

extern const struct report_object idle_task_object, perf_call_object, process_table_object;

json_t *idle_task_json(const struct epoch *e);
json_t *perf_call_json(const struct epoch *e);
json_t *process_table_json_last(const struct epoch *e);

/* A table of processes, and the differences to the table before that were collected with it. */
struct process_collection;
json_t *process_table_json(const struct process_collection *c, const struct wire_proctable *head);
