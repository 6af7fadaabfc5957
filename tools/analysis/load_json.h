/* SPDX-License-Identifier: MIT */
/* What load meters told by their last reading, as JSON: docs/JSON.md has each member.  Null where there is none. */
#pragma once

#include <jansson.h>

#include "tools/model/stream_model.h"

json_t *idle_task_json(const struct epoch *e);
json_t *perf_call_json(const struct epoch *e);
json_t *process_table_json(const struct epoch *e);

/* A process of a collection, and the collection: differences since the reading before. */
struct process_collection;
json_t *process_collection_json(const struct process_collection *c);
